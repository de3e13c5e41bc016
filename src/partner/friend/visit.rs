//! Who comes: to the one who waits, by his address.

use std::{fmt, str::FromStr};

use thiserror::Error;
use tokio::{
    net::TcpStream,
    sync::{mpsc, watch},
    time::{sleep, timeout},
};

use super::{
    book::Friend,
    pair::{Fingerprint, Word},
    talk::{Keys, Talk, WAITS},
    wire::{Game, Message, Sorry, VERSION},
};
use crate::far::there::{FarError, Heard, News};

/// Where a friend waits if nothing else is said.
pub const PORT: u16 = 26_464;

/// A machine, and the port at which its program waits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    host: String,
    port: u16,
}

/// A text that is no [`Address`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("write the address as in 192.168.1.20, anna.example:26464 or [fd00::7]:26464")]
pub struct NoAddress;

impl FromStr for Address {
    type Err = NoAddress;

    fn from_str(text: &str) -> Result<Address, NoAddress> {
        let (host, port) = match text.strip_prefix('[').and_then(|rest| rest.split_once(']')) {
            Some((host, "")) => (host, None),
            Some((host, rest)) => (host, Some(rest.strip_prefix(':').ok_or(NoAddress)?)),
            // Without brackets an address of IPv6 has no port.
            None if text.matches(':').count() > 1 => (text, None),
            None => text.split_once(':').map_or((text, None), |(host, port)| (host, Some(port))),
        };
        let good = |c: char| c.is_ascii_alphanumeric() || ".:-_%".contains(c);
        let port = port.map_or(Some(PORT), |port| port.parse().ok()).filter(|port| *port != 0);
        match port {
            Some(port) if !host.is_empty() && host.len() <= 253 && host.chars().all(good) => {
                Ok(Address { host: host.to_owned(), port })
            }
            _ => Err(NoAddress),
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.host.contains(':') {
            true => write!(f, "[{}]:{}", self.host, self.port),
            false => write!(f, "{}:{}", self.host, self.port),
        }
    }
}

/// Why nobody lets him in.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VisitError {
    #[error("{at} does not answer: {reason}")]
    Away { at: Address, reason: String },
    #[error("at {at} another word counts: ask again which it is; three wrong ones end the pairing")]
    Word { at: Address },
    #[error("{at} does not know this program: pair again, both with --pair")]
    Unknown { at: Address },
    #[error(
        "another program answers at {at} than the one that was paired: if your friend has a new machine, pair again, both \
         with --pair"
    )]
    Another { at: Address },
    #[error(
        "{at} has another version of annabella-partner: install the newest one on both machines"
    )]
    Version { at: Address },
}

impl From<VisitError> for FarError {
    fn from(err: VisitError) -> FarError {
        match err {
            VisitError::Away { at, reason } => FarError::Away { site: at.to_string(), reason },
            VisitError::Word { ref at }
            | VisitError::Unknown { ref at }
            | VisitError::Another { ref at }
            | VisitError::Version { ref at } => {
                FarError::Refused { site: at.to_string(), reason: err.to_string() }
            }
        }
    }
}

/// Whoever waits there: known by his key, or by a word that both know.
#[derive(Clone)]
pub enum Known {
    By(Friend),
    Word(Word),
}

/// Who comes.
#[derive(Clone)]
pub struct Visitor {
    pub keys: Keys,
    pub at: Address,
}

impl Visitor {
    /// Comes in. Answers the line, the other end's key, and the game.
    pub async fn comes(&self, known: &Known) -> Result<(Talk, Fingerprint, Game), VisitError> {
        let away = |reason: String| VisitError::Away { at: self.at.clone(), reason };
        let Address { host, port } = &self.at;
        let connected = timeout(WAITS.silence, TcpStream::connect((host.as_str(), *port))).await;
        let stream = connected.map_err(|_| away("it takes too long".to_owned()))?;
        let stream = stream.map_err(|err| away(err.to_string()))?;
        let shaken = timeout(WAITS.silence, self.keys.comes(stream)).await;
        let mut talk = shaken.map_err(|_| away("it takes too long".to_owned()))?.map_err(away)?;
        match known {
            Known::By(friend) if !friend.has(&talk.theirs) => {
                return Err(VisitError::Another { at: self.at.clone() });
            }
            Known::By(_) => {}
            Known::Word(word) => {
                talk.proves(word).await.map_err(away)?.map_err(|sorry| self.sorry(sorry))?;
            }
        }
        talk.is_friend();
        talk.says(&Message::Hello { version: VERSION }).await.map_err(away)?;
        match talk.hears().await.map_err(away)? {
            Message::Game(game) => {
                let theirs = talk.theirs;
                Ok((talk, theirs, game))
            }
            Message::Sorry(sorry) => Err(self.sorry(sorry)),
            _ => Err(away("it does not speak as a friend's program".to_owned())),
        }
    }

    fn sorry(&self, sorry: Sorry) -> VisitError {
        let at = self.at.clone();
        match sorry {
            Sorry::Word => VisitError::Word { at },
            Sorry::Unknown => VisitError::Unknown { at },
            Sorry::Version => VisitError::Version { at },
        }
    }

    /// Goes on with the line on which this game was begun, and comes again whenever it is lost, as
    /// long as it is the same game.
    pub async fn run(
        self,
        (talk, game): (Talk, Game),
        friend: Friend,
        shown: watch::Receiver<Option<String>>,
        to: mpsc::Sender<Heard<News>>,
    ) {
        let known = Known::By(friend);
        let mut talk = Some(talk);
        let mut pause = WAITS.pause;
        loop {
            let lost = match talk.take() {
                Some(talk) => {
                    let (reason, heard) = talk.goes_on(shown.clone(), &to).await;
                    if heard {
                        pause = WAITS.pause;
                    }
                    FarError::Away { site: self.at.to_string(), reason }
                }
                None => match self.comes(&known).await {
                    Ok((again, _, same)) if same.id == game.id => {
                        talk = Some(again);
                        continue;
                    }
                    Ok(_) => {
                        let reason =
                            "another game has been begun there: call this again to play it";
                        let refused = FarError::Refused {
                            site: self.at.to_string(),
                            reason: reason.to_owned(),
                        };
                        let _ = to.send(Heard::Closed(refused)).await;
                        return;
                    }
                    Err(err) => err.into(),
                },
            };
            let passes = lost.may_pass();
            let heard = if passes { Heard::Lost(lost) } else { Heard::Closed(lost) };
            if to.send(heard).await.is_err() || !passes {
                return;
            }
            sleep(pause).await;
            pause = pause.saturating_mul(2).min(WAITS.longest_pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_a_machine_and_perhaps_a_port() {
        for (text, read) in [
            ("192.168.1.20", "192.168.1.20:26464"),
            ("anna.example:7", "anna.example:7"),
            ("fd00::7", "[fd00::7]:26464"),
            ("[fd00::7]", "[fd00::7]:26464"),
            ("[fd00::7]:9", "[fd00::7]:9"),
            ("fe80::1%eth0", "[fe80::1%eth0]:26464"),
        ] {
            assert_eq!(text.parse::<Address>().map(|at| at.to_string()).as_deref(), Ok(read));
        }
        for wrong in ["", ":7", "a b", "host:", "host:0", "host:99999", "[fd00::7]9", "http://a"] {
            assert_eq!(wrong.parse::<Address>(), Err(NoAddress), "{wrong}");
        }
    }
}
