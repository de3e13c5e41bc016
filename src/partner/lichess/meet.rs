//! Finds somebody to play with: anybody, a friend, or whoever asks.

use std::{fmt, str::FromStr};

use serde::Deserialize;
use shakmaty::Color;
use thiserror::Error;
use tokio::time::sleep;

use super::{
    listen::Listener,
    news::{Challenge, Event, Going, event},
    site::Site,
};
use crate::{
    far::there::{FarError, Heard},
    lines::Stream,
    player::named,
};

/// A time that Lichess knows: whole minutes, and seconds a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Time {
    pub minutes: u32,
    pub increment_s: u32,
}

/// A text that is no [`Time`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write minutes and seconds a move, as in 15+10: at most 180+60")]
pub struct NoTime;

impl FromStr for Time {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Time, NoTime> {
        let (minutes, seconds) = text.split_once('+').unwrap_or((text, "0"));
        let number = |text: &str, most: u32| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse().ok().filter(|number| digits && *number <= most).ok_or(NoTime)
        };
        let time = Time { minutes: number(minutes, 180)?, increment_s: number(seconds, 60)? };
        if time.lasts_s() == 0 { Err(NoTime) } else { Ok(time) }
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.minutes, self.increment_s)
    }
}

impl Time {
    /// How long a player's time lasts as the server reckons it, seconds: forty moves.
    fn lasts_s(self) -> u32 {
        self.minutes * 60 + 40 * self.increment_s
    }
}

/// Rapid begins here, seconds; a seek may be no quicker. Source:
/// <https://lichess.org/faq#time-controls>
const RAPID_S: u32 = 480;
/// And blitz, which a challenge may be.
const BLITZ_S: u32 = 180;

/// What kind of game is looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Kind {
    pub time: Time,
    pub rated: bool,
    /// The own colour; `None`: as it comes.
    pub colour: Option<Color>,
}

/// With whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wish {
    Anybody,
    /// This account is challenged.
    Friend(String),
    /// Whoever challenges, or this account only.
    Challenger(Option<String>),
}

/// Why nobody was found.
#[derive(Debug, Error)]
pub enum MeetError {
    #[error("{0}")]
    Far(#[from] FarError),
    #[error(
        "{time} is too quick for a board: {who} from {least} on, as minutes + 40 times the seconds a move"
    )]
    TooQuick { time: Time, who: &'static str, least: &'static str },
    #[error("{name} does not play now{reason}")]
    Declined { name: String, reason: String },
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Playing {
    now_playing: Vec<Going>,
}

#[derive(Deserialize)]
struct Done {
    done: Option<String>,
}

/// Is this time possible there?
///
/// # Errors
/// [`MeetError::TooQuick`].
pub fn is_possible(wish: &Wish, time: Time) -> Result<(), MeetError> {
    match wish {
        Wish::Anybody if time.lasts_s() < RAPID_S => {
            Err(MeetError::TooQuick { time, who: "anybody can be played", least: "8 minutes" })
        }
        Wish::Friend(_) if time.lasts_s() < BLITZ_S => {
            Err(MeetError::TooQuick { time, who: "a friend can be played", least: "3 minutes" })
        }
        _ => Ok(()),
    }
}

/// Finds a game: the one that is going on, or one as wished. Answers its number. May be dropped:
/// then nobody is looked for any more.
pub async fn meet(
    site: &Site,
    wish: &Wish,
    kind: Kind,
    tell: fn(&str),
) -> Result<String, MeetError> {
    is_possible(wish, kind.time)?;
    // First the stream: a game that begins meanwhile is told there.
    let mut events = Listener::at(site.clone(), "/api/stream/event".to_owned(), event);
    let playing: Playing = patiently(site, tell, || site.get("/api/account/playing")).await?;
    if let Some(game) = playing.now_playing.into_iter().find(Going::is_for_a_board) {
        tell(&format!("a game is going on at {}: it is played on", site.name()));
        return Ok(game.game_id);
    }
    let mut seek = Seek { site, wish, kind, tell };
    loop {
        tell(&seek.told());
        let stream = seek.opens().await?;
        if let Some(game) = seek.waits(stream, &mut events).await? {
            return Ok(game);
        }
        sleep(site.waits.pause).await;
    }
}

/// Asks until it is answered; what will not pass is an error.
pub async fn patiently<T, F: Future<Output = Result<T, FarError>>>(
    site: &Site,
    tell: fn(&str),
    ask: impl Fn() -> F,
) -> Result<T, FarError> {
    let mut pause = site.waits.pause;
    loop {
        let err = match ask().await {
            Err(err) if err.may_pass() => err,
            answered => return answered,
        };
        tell(&format!("{err}; once more in a moment"));
        sleep(if matches!(err, FarError::Busy { .. }) { site.waits.busy } else { pause }).await;
        pause = pause.saturating_mul(2).min(site.waits.longest_pause);
    }
}

struct Seek<'a> {
    site: &'a Site,
    wish: &'a Wish,
    kind: Kind,
    tell: fn(&str),
}

impl Seek<'_> {
    fn told(&self) -> String {
        let Kind { time, rated, .. } = self.kind;
        let rated = if rated { "rated" } else { "casual" };
        let site = self.site.name();
        match self.wish {
            Wish::Anybody => format!("looking for somebody at {site}: {time}, {rated}"),
            Wish::Friend(name) => format!("asking {name} for a game at {site}: {time}, {rated}"),
            Wish::Challenger(None) => format!("waiting at {site} for whoever asks for a game"),
            Wish::Challenger(Some(name)) => {
                format!("waiting at {site} for {name} to ask for a game")
            }
        }
    }

    /// The stream that keeps the wish alive, if there is one.
    async fn opens(&self) -> Result<Option<Stream>, FarError> {
        let Kind { time, rated, colour } = self.kind;
        let (minutes, seconds) = (time.minutes.to_string(), time.increment_s.to_string());
        let limit = (time.minutes * 60).to_string();
        let rated = if rated { "true" } else { "false" };
        let colour = colour.map_or("random", named);
        let (path, fields) = match self.wish {
            Wish::Anybody => {
                let fields = [("time", minutes.as_str()), ("increment", &seconds)];
                ("/api/board/seek".to_owned(), fields.to_vec())
            }
            Wish::Friend(name) => {
                let fields = [
                    ("clock.limit", limit.as_str()),
                    ("clock.increment", &seconds),
                    ("keepAliveStream", "true"),
                ];
                (format!("/api/challenge/{name}"), fields.to_vec())
            }
            Wish::Challenger(_) => return Ok(None),
        };
        let fields = [&fields[..], &[("rated", rated), ("color", colour)]].concat();
        let open = || self.site.stream(&path, Some(&fields));
        patiently(self.site, self.tell, open).await.map(Some)
    }

    /// Waits for a game to begin. `Ok(None)`: the wish has run out.
    async fn waits(
        &mut self,
        mut stream: Option<Stream>,
        events: &mut Listener<Event>,
    ) -> Result<Option<String>, MeetError> {
        let mut until = None;
        loop {
            let kept = async {
                match &mut stream {
                    Some(stream) => stream.next().await,
                    None => std::future::pending().await,
                }
            };
            let over = async {
                match until {
                    Some(until) => tokio::time::sleep_until(until).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                biased;
                heard = events.next() => {
                    if let Some(game) = self.hears(heard).await? {
                        return Ok(Some(game));
                    }
                }
                line = kept => match line {
                    Ok(Some(line)) => self.is_done(&line)?,
                    // Taken, or run out: the other stream says which, in a moment.
                    Ok(None) | Err(_) => {
                        stream = None;
                        until = Some(tokio::time::Instant::now() + self.site.waits.again);
                    }
                },
                () = over => return Ok(None),
            }
        }
    }

    /// A challenge's own stream says that it was not taken.
    fn is_done(&self, line: &str) -> Result<(), MeetError> {
        let done: Option<String> = serde_json::from_str(line).ok().and_then(|done: Done| done.done);
        match (done.as_deref(), self.wish) {
            (Some("declined" | "canceled"), Wish::Friend(name)) => {
                Err(MeetError::Declined { name: name.clone(), reason: String::new() })
            }
            _ => Ok(()),
        }
    }

    async fn hears(&self, heard: Heard<Event>) -> Result<Option<String>, MeetError> {
        match heard {
            Heard::Closed(err) => return Err(err.into()),
            Heard::Lost(err) => (self.tell)(&err.to_string()),
            Heard::Line(Event::Started(game)) if game.is_for_a_board() => {
                return Ok(Some(game.game_id));
            }
            Heard::Line(Event::Declined { reason, .. }) => {
                if let Wish::Friend(name) = self.wish {
                    let reason = if reason.is_empty() { reason } else { format!(": \"{reason}\"") };
                    return Err(MeetError::Declined { name: name.clone(), reason });
                }
            }
            Heard::Line(Event::Challenge(challenge)) => self.answers(&challenge).await?,
            Heard::Line(_) => {}
        }
        Ok(None)
    }

    /// Takes a challenge that is waited for, and declines what cannot be played at a board.
    async fn answers(&self, challenge: &Challenge) -> Result<(), MeetError> {
        let Wish::Challenger(from) = self.wish else { return Ok(()) };
        let (id, name) = (&challenge.id, &challenge.name);
        if from.as_ref().is_some_and(|from| from.to_lowercase() != challenge.account) {
            return Ok(());
        }
        let quick = |(limit, increment): (u64, u64)| limit + 40 * increment < u64::from(BLITZ_S);
        let reason = match challenge.clock {
            _ if !matches!(challenge.variant.as_str(), "standard" | "fromPosition") => "standard",
            None => "timeControl",
            Some(clock) if quick(clock) => "tooFast",
            Some(_) if !challenge.for_a_board => "generic",
            Some(_) if challenge.rated && !self.kind.rated => "casual",
            Some(_) => {
                (self.tell)(&format!("{name} asks for a game: taken"));
                let path = format!("/api/challenge/{id}/accept");
                return self.answered(self.site.post(&path, &[]).await);
            }
        };
        (self.tell)(&format!("{name} asks for a game that is not for this board: {reason}"));
        let path = format!("/api/challenge/{id}/decline");
        self.answered(self.site.post(&path, &[("reason", reason)]).await)
    }

    /// A challenge that is gone already is no failure.
    fn answered(&self, answer: Result<(), FarError>) -> Result<(), MeetError> {
        match answer {
            Err(err @ (FarError::Token { .. } | FarError::Scope { .. })) => Err(err.into()),
            Err(err) => {
                (self.tell)(&err.to_string());
                Ok(())
            }
            Ok(()) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_minutes_and_seconds_a_move() {
        let time = |text: &str| text.parse::<Time>();
        assert_eq!(time("15+10").expect("right").to_string(), "15+10");
        assert_eq!(time("30").expect("right"), Time { minutes: 30, increment_s: 0 });
        for wrong in ["", "x", "15+", "+5", "0+0", "181+0", "1+61", "-1+5", "15+10+1"] {
            assert_eq!(time(wrong), Err(NoTime), "{wrong}");
        }
    }

    #[test]
    fn what_is_too_quick_for_a_board_is_not_asked_for() {
        let asks = |wish: &Wish, text: &str| is_possible(wish, text.parse().expect("a time"));
        let friend = Wish::Friend("anna".to_owned());
        assert!(asks(&Wish::Anybody, "8+0").is_ok() && asks(&Wish::Anybody, "5+5").is_ok());
        assert!(asks(&friend, "3+0").is_ok() && asks(&Wish::Challenger(None), "1+0").is_ok());
        for (wish, text) in [(&Wish::Anybody, "5+4"), (&friend, "2+1")] {
            let err = asks(wish, text).expect_err(text).to_string();
            assert!(err.contains("too quick"), "{err}");
        }
    }
}
