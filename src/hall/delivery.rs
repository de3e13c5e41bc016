//! Messages of a stream, many at once, as the server delivers them.
//!
//! Being asked for each message costs a server several times what delivering it does. But what is
//! delivered a client library reads, and it gives up its line for a header that it cannot read. So
//! delivery has a line of its own, and it ends at whatever is not exactly as our boards write it.
//! That is asked for by itself then: see [`crate::reading`].

use std::time::Duration;

use async_nats::{
    HeaderMap, Message, Subscriber,
    jetstream::{
        self,
        consumer::{AckPolicy, DeliverPolicy, pull},
    },
};
use futures_util::StreamExt as _;
use serde_json::json;

use crate::{
    HallError,
    names::EventName,
    reading::Kept,
    stream::{Link, lost},
};

/// So many are asked for at one time: the longest of them together are less than a server holds for
/// a line.
const MANY: u64 = 16;
/// So many short ones may be on their way: a subscription holds more.
const AHEAD: u64 = 12 * MANY;
/// Messages are short with so many bytes each.
const SHORT: u64 = 4 * 1_024;
/// So many are handed on together, and so many bytes.
const MOST: usize = 2_048;
const MOST_BYTES: u64 = 8 * 1_024 * 1_024;
/// A server that does not deliver within this time does not.
const DELIVERS: Duration = Duration::from_secs(2);
/// A server forgets who takes nothing for so long.
const FORGOTTEN: Duration = Duration::from_secs(30);

/// A place in a stream from which messages come.
pub(crate) struct Delivery {
    link: Link,
    messages: Subscriber,
    inbox: String,
    /// Where more are asked for.
    subject: String,
    /// The place up to which was asked, not included.
    asked: u64,
}

impl Delivery {
    /// Whatever comes from this place on, over a new line.
    pub(crate) async fn open(
        link: &Link,
        event: &EventName,
        from: u64,
    ) -> Result<Delivery, HallError> {
        let link = link.another().await?;
        let config = pull::Config {
            deliver_policy: DeliverPolicy::ByStartSequence { start_sequence: from },
            ack_policy: AckPolicy::None,
            inactive_threshold: FORGOTTEN,
            memory_storage: true,
            num_replicas: 1,
            ..pull::Config::default()
        };
        let consumer = link.event(event).await?.create_consumer(config).await;
        let consumer = consumer.map_err(|err| lost(&err))?;
        let name = &consumer.cached_info().name;
        let subject = format!("$JS.API.CONSUMER.MSG.NEXT.{}.{name}", event.stream());
        let inbox = link.client().new_inbox();
        let messages = link.client().subscribe(inbox.clone()).await.map_err(|err| lost(&err))?;
        Ok(Delivery { link, messages, inbox, subject, asked: from })
    }

    /// The messages from this place to that one, as far as they are few and short; and whether more
    /// may be asked for. If not, the first that is missing is to be asked for by itself.
    pub(crate) async fn messages(&mut self, from: u64, to: u64) -> (Vec<Kept>, bool) {
        let (mut all, mut bytes) = (Vec::new(), 0);
        for place in from..=to {
            if all.len() == MOST || bytes >= MOST_BYTES {
                break;
            }
            // Long ones are not waited for with others on their way.
            let ahead = if bytes < SHORT * all.len() as u64 { AHEAD } else { MANY };
            match self.at(place, to, ahead).await {
                Some(kept) => {
                    bytes += kept.bytes();
                    all.push(kept);
                }
                None => return (all, false),
            }
        }
        (all, true)
    }

    /// The message at this place, if it comes. Some before it may have been read without this.
    async fn at(&mut self, place: u64, to: u64, ahead: u64) -> Option<Kept> {
        while self.asks(place, to, ahead).await {
            let kept = self.next().await?;
            if kept.sequence >= place {
                return Some(kept).filter(|kept| kept.sequence == place);
            }
        }
        None
    }

    /// Asks for the messages up to that place, but not for more than so many that did not come yet.
    async fn asks(&mut self, place: u64, to: u64, ahead: u64) -> bool {
        while self.asked <= to && self.asked + MANY <= place + ahead {
            let count = MANY.min(to + 1 - self.asked);
            let ask = json!({ "batch": count, "no_wait": true }).to_string();
            let (subject, inbox) = (self.subject.clone(), self.inbox.clone());
            if self.link.client().publish_with_reply(subject, inbox, ask.into()).await.is_err() {
                return false;
            }
            self.asked += count;
        }
        true
    }

    /// The next message that comes.
    async fn next(&mut self) -> Option<Kept> {
        let message = tokio::select! {
            () = self.link.lost() => None,
            message = tokio::time::timeout(DELIVERS, self.messages.next()) => message.ok().flatten(),
        };
        message.and_then(|message| self.kept(message))
    }

    /// A message as it lies in the stream; `None` if the library has read it as the server's word,
    /// or has left something out of its header.
    fn kept(&self, message: Message) -> Option<Kept> {
        let around = message.subject.len() + message.reply.as_ref().map_or(0, |reply| reply.len());
        let header = message.headers.as_ref().map(written).unwrap_or_default();
        let whole = around + header.len() + message.payload.len() == message.length;
        let context = self.link.context().clone();
        let message = jetstream::Message { message, context };
        let info = message.info().ok()?;
        let (sequence, time) = (info.stream_sequence, info.published);
        let Message { subject, payload, status, .. } = message.message;
        let (subject, payload) = (subject.into_string(), payload.into());
        let kept = Kept { subject, sequence, time, header, payload };
        (whole && status.is_none()).then_some(kept)
    }
}

/// A header as our boards write it. Source: NATS documentation, client protocol, `HMSG`.
fn written(headers: &HeaderMap) -> Vec<u8> {
    let mut text = "NATS/1.0\r\n".to_owned();
    for (name, values) in headers.iter() {
        for value in values {
            text.extend([name.as_ref(), ": ", value.as_str(), "\r\n"]);
        }
    }
    text.push_str("\r\n");
    text.into_bytes()
}
