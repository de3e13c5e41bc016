//! The door of the service at the table: HTTP on a connection for each question, and one on which
//! the table comes.

use std::{
    fs,
    path::{Path, PathBuf},
    time::Duration,
};

use http_body_util::{BodyExt as _, Full};
use hyper::{
    Request, Response, StatusCode,
    body::{Bytes, Incoming},
    client::conn::http1,
    header,
};
use hyper_util::rt::TokioIo;
use serde::Deserialize;
use thiserror::Error;
use tokio::{net::TcpStream, time::timeout};

use crate::{lines::Stream, table::Table};

/// A question that is not answered in this time is asked anew.
const PATIENCE: Duration = Duration::from_secs(10);
/// A table of which nothing comes for so long is gone; its signs of life come every second and a
/// half.
const SILENCE: Duration = Duration::from_secs(8);
/// No answer is longer, bytes.
const ANSWER: usize = 64 * 1_024;

/// Where the door is, and what opens it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// A file that the service writes: the address, and the code that is good now.
    File(PathBuf),
    /// Both, as a person types them: `127.0.0.1:8080`.
    Typed { address: String, code: String },
}

/// Why there is no answer.
#[derive(Debug, Error)]
pub enum DoorError {
    /// Nobody is there just now.
    #[error("the service at {address} does not answer: {reason}")]
    Away { address: String, reason: String },
    #[error("cannot read {}: {reason}: is `annabella play` running, with program_code in [console]?", .file.display())]
    NoFile { file: PathBuf, reason: String },
    #[error(
        "the code is not good any more: look at the service's for the assistant, and give it with --code"
    )]
    Code,
    /// The game is a tournament's (11.3).
    #[error("{0}")]
    NotAtHome(String),
    /// The service has not done it, and says why.
    #[error("refused: {0}")]
    Refused(String),
    #[error(
        "{address} is encrypted, and this program is for the same machine or a network of one's own: leave certificate out of [console]"
    )]
    Encrypted { address: String },
    #[error("the table cannot be read: {0}")]
    Unreadable(String),
}

impl DoorError {
    /// It may be otherwise in a moment.
    pub fn may_pass(&self) -> bool {
        matches!(self, DoorError::Away { .. } | DoorError::NoFile { .. } | DoorError::Refused(_))
    }
}

/// The answer to a form.
#[derive(Debug, Deserialize)]
struct Answer {
    good: bool,
    text: String,
}

/// The door, and the session behind it.
#[derive(Debug)]
pub struct Door {
    place: Place,
    /// As whom, for the record.
    by: String,
    session: Option<String>,
}

impl Door {
    pub fn at(place: Place, by: &str) -> Door {
        Door { place, by: by.to_owned(), session: None }
    }

    /// The table, line by line.
    pub async fn look(&mut self) -> Result<Lines, DoorError> {
        let (address, response) = self.ask("GET", "/play", None).await?;
        Ok(Lines { address, stream: Stream::of(response.into_body(), SILENCE) })
    }

    /// Does or says something at the table.
    pub async fn act(&mut self, fields: &[(&str, &str)]) -> Result<(), DoorError> {
        let form = form(fields);
        let (address, response) = self.ask("POST", "/play", Some(&form)).await?;
        let away = |reason: String| DoorError::Away { address: address.clone(), reason };
        let body = within(whole(response.into_body())).await.map_err(&away)?;
        let answer: Answer = serde_json::from_slice(&body).map_err(|err| away(err.to_string()))?;
        if answer.good { Ok(()) } else { Err(DoorError::Refused(answer.text)) }
    }

    async fn ask(
        &mut self,
        method: &str,
        path: &str,
        form: Option<&str>,
    ) -> Result<(String, Response<Incoming>), DoorError> {
        // A session may be over; then there is a new code.
        for _ in 0..2 {
            let (address, code) = self.place.read()?;
            let session = match self.session.clone() {
                Some(session) => session,
                None => self.enters(&address, &code).await?,
            };
            let away = |reason: String| DoorError::Away { address: address.clone(), reason };
            let sent = send(&address, method, path, Some(&session), form);
            let response = within(sent).await.map_err(away)?;
            self.session = Some(session);
            match response.status() {
                StatusCode::UNAUTHORIZED => self.session = None,
                StatusCode::FORBIDDEN => {
                    let body = within(whole(response.into_body())).await.unwrap_or_default();
                    let text = serde_json::from_slice(&body).map(|answer: Answer| answer.text);
                    return Err(match text {
                        Ok(text) => DoorError::NotAtHome(text),
                        Err(_) => DoorError::Code,
                    });
                }
                _ => return Ok((address, response)),
            }
        }
        Err(DoorError::Code)
    }

    /// Comes in with the code.
    async fn enters(&self, address: &str, code: &str) -> Result<String, DoorError> {
        let away = |reason: String| DoorError::Away { address: address.to_owned(), reason };
        let form = form(&[("code", code), ("by", &self.by)]);
        let response = within(send(address, "POST", "/pair", None, Some(&form))).await;
        let response = response.map_err(away)?;
        let cookie = response.headers().get(header::SET_COOKIE);
        let cookie = cookie.and_then(|value| value.to_str().ok()?.split(';').next());
        match (response.status(), cookie) {
            (StatusCode::SEE_OTHER, Some(cookie)) => Ok(cookie.to_owned()),
            (StatusCode::TOO_MANY_REQUESTS, _) => Err(away("too many wrong codes".to_owned())),
            // The file may be of a service that has just begun anew.
            _ if matches!(self.place, Place::File(_)) => {
                Err(away("its code has changed".to_owned()))
            }
            _ => Err(DoorError::Code),
        }
    }
}

impl Place {
    /// The address, as in `127.0.0.1:8080`, and the code.
    fn read(&self) -> Result<(String, String), DoorError> {
        let (address, code) = match self {
            Place::Typed { address, code } => (address.clone(), code.clone()),
            Place::File(file) => {
                let no_file = |reason: String| DoorError::NoFile { file: file.clone(), reason };
                let text = read_small(file).map_err(no_file)?;
                let mut lines = text.lines().map(|line| line.trim().to_owned());
                match (lines.next(), lines.next()) {
                    (Some(address), Some(code)) if !code.is_empty() => (address, code),
                    _ => return Err(no_file("it has no address and code".to_owned())),
                }
            }
        };
        if address.starts_with("https://") {
            return Err(DoorError::Encrypted { address });
        }
        let address = address.strip_prefix("http://").unwrap_or(&address);
        Ok((address.trim_end_matches('/').to_owned(), code))
    }
}

fn read_small(file: &Path) -> Result<String, String> {
    let length = fs::metadata(file).map_err(|err| err.to_string())?.len();
    if length > 4_096 {
        return Err("it is too long".to_owned());
    }
    annabella_records::whole::read_text(file).map_err(|err| err.to_string())
}

/// The table as it comes.
#[derive(Debug)]
pub struct Lines {
    address: String,
    stream: Stream,
}

impl Lines {
    /// The next news. `Ok(None)`: there is no game. May be dropped: nothing is lost.
    ///
    /// # Errors
    /// [`DoorError`]: look anew.
    pub async fn next(&mut self) -> Result<Option<Table>, DoorError> {
        loop {
            let away = |reason: &str| DoorError::Away {
                address: self.address.clone(),
                reason: reason.to_owned(),
            };
            match self.stream.next().await {
                Ok(Some(line)) if line.is_empty() => {}
                Ok(Some(line)) => return Table::read(&line).map_err(DoorError::Unreadable),
                Ok(None) => return Err(away("it has ended the stream")),
                Err(reason) => return Err(away(&reason)),
            }
        }
    }
}

/// Sends a request on a connection of its own.
async fn send(
    address: &str,
    method: &str,
    path: &str,
    session: Option<&str>,
    form: Option<&str>,
) -> Result<Response<Incoming>, String> {
    let stream = TcpStream::connect(address).await.map_err(|err| err.to_string())?;
    stream.set_nodelay(true).map_err(|err| err.to_string())?;
    let shaken = http1::handshake::<_, Full<Bytes>>(TokioIo::new(stream)).await;
    let (mut sender, connection) = shaken.map_err(|err| err.to_string())?;
    // What goes wrong there is told where the answer is read.
    tokio::spawn(connection);
    let mut request = Request::builder()
        .method(method)
        .uri(path)
        .header(header::HOST, address)
        .header(header::ACCEPT, "application/json")
        .header(header::ACCEPT_LANGUAGE, "en");
    if let Some(session) = session {
        request = request.header(header::COOKIE, session);
    }
    if form.is_some() {
        request = request
            .header(header::ORIGIN, format!("http://{address}"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    }
    let body = Full::new(Bytes::from(form.unwrap_or_default().to_owned()));
    let request = request.body(body).map_err(|err| err.to_string())?;
    sender.send_request(request).await.map_err(|err| err.to_string())
}

pub(crate) async fn whole(body: Incoming) -> Result<Bytes, String> {
    let limited = http_body_util::Limited::new(body, ANSWER);
    limited.collect().await.map(http_body_util::Collected::to_bytes).map_err(|err| err.to_string())
}

pub(crate) async fn within<T>(work: impl Future<Output = Result<T, String>>) -> Result<T, String> {
    timeout(PATIENCE, work).await.unwrap_or_else(|_| Err("it takes too long".to_owned()))
}

pub(crate) fn form(fields: &[(&str, &str)]) -> String {
    let encoded = |text: &str| -> String {
        text.bytes()
            .map(|byte| match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => char::from(byte).to_string(),
                _ => format!("%{byte:02X}"),
            })
            .collect()
    };
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    pairs.collect::<Vec<_>>().join("&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_of_the_service_names_address_and_code() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("code");
        let read = |text: &str| {
            fs::write(&path, text).expect("written");
            Place::File(path.clone()).read()
        };
        let good = read("http://127.0.0.1:8080\n123456\n").expect("both");
        assert_eq!(good, ("127.0.0.1:8080".to_owned(), "123456".to_owned()));
        assert!(matches!(read("https://127.0.0.1:1\n1\n"), Err(DoorError::Encrypted { .. })));
        for text in ["", "http://127.0.0.1:8080\n", "\n\n", &"x".repeat(9_000)] {
            assert!(matches!(read(text), Err(DoorError::NoFile { .. })), "{text}");
        }
    }

    #[test]
    fn a_form_may_hold_anything() {
        assert_eq!(
            form(&[("act", "says"), ("text", "Züge & mehr=")]),
            "act=says&text=Z%C3%BCge%20%26%20mehr%3D"
        );
    }
}
