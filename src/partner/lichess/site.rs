//! Questions to the server: HTTP on a connection for each, encrypted but for a server on this
//! machine.

use std::{fmt, net::IpAddr, sync::Arc, time::Duration};

use http_body_util::Full;
use hyper::{
    Request, Response, StatusCode, Uri,
    body::{Bytes, Incoming},
    client::conn::http1,
    header,
};
use hyper_util::rt::TokioIo;
use serde::{Deserialize, de::DeserializeOwned};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::TcpStream,
};
use tokio_rustls::{
    TlsConnector,
    rustls::{ClientConfig, RootCertStore, crypto::ring, pki_types::ServerName},
};

use crate::{
    door::{form, whole, within},
    far::there::{FarError, Waits},
    lines::Stream,
};

/// Where people play.
pub const LICHESS: &str = "https://lichess.org";

/// What Lichess asks to be waited for.
pub const WAITS: Waits = Waits {
    busy: Duration::from_secs(60),
    silence: Duration::from_secs(25),
    pause: Duration::from_millis(500),
    longest_pause: Duration::from_secs(15),
    again: Duration::from_secs(10),
};

/// A server, and who asks it.
#[derive(Clone)]
pub struct Site {
    /// As a person reads it: `https://lichess.org`.
    name: String,
    host: String,
    port: u16,
    /// Both, as the address has them.
    authority: String,
    /// `None`: on this machine, not encrypted.
    tls: Option<Arc<ClientConfig>>,
    token: Arc<str>,
    pub waits: Waits,
}

/// The token stays out of every text.
impl fmt::Debug for Site {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Site").field("name", &self.name).finish_non_exhaustive()
    }
}

trait Connection: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Connection for T {}

#[derive(Deserialize)]
struct Said {
    error: serde_json::Value,
}

impl Site {
    /// A server by its address, with the certificates that this machine trusts.
    ///
    /// # Errors
    /// [`FarError::Address`].
    pub fn at(address: &str, token: &str) -> Result<Site, FarError> {
        let mut roots = RootCertStore::empty();
        if address.starts_with("https:") {
            let found = rustls_native_certs::load_native_certs();
            roots.add_parsable_certificates(found.certs);
            if roots.is_empty() {
                let line = "this machine knows no certificates: sudo apt install ca-certificates";
                return Err(FarError::Address(line.to_owned()));
            }
        }
        Site::trusting(address, token, roots)
    }

    /// The same with these certificates.
    ///
    /// # Errors
    /// [`FarError::Address`].
    pub fn trusting(address: &str, token: &str, roots: RootCertStore) -> Result<Site, FarError> {
        let wrong = |what: &str| {
            FarError::Address(format!("{address:?} {what}: write it as in \"{LICHESS}\""))
        };
        let uri: Uri = address.trim_end_matches('/').parse().map_err(|_| wrong("is no address"))?;
        let (Some(scheme), Some(host)) = (uri.scheme_str(), uri.host()) else {
            return Err(wrong("is no address"));
        };
        if uri.path().len() > 1 || uri.query().is_some() {
            return Err(wrong("has a path"));
        }
        let authority = uri.authority().map(ToString::to_string).unwrap_or_default();
        if authority.contains('@') {
            return Err(wrong("names a user"));
        }
        let host = host.trim_matches(['[', ']']).to_owned();
        let near = host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback()) || host == "localhost";
        let tls = match scheme {
            "https" => {
                let provider = Arc::new(ring::default_provider());
                let config = ClientConfig::builder_with_provider(provider)
                    .with_safe_default_protocol_versions()
                    .map_err(|err| FarError::Address(err.to_string()))?;
                Some(Arc::new(config.with_root_certificates(roots).with_no_client_auth()))
            }
            "http" if near => None,
            _ => return Err(wrong("is not encrypted, and the token would be read on its way")),
        };
        let port = uri.port_u16().unwrap_or(if tls.is_some() { 443 } else { 80 });
        let name = address.trim_end_matches('/').to_owned();
        Ok(Site { name, host, port, authority, tls, token: token.into(), waits: WAITS })
    }

    /// As a person reads it.
    pub fn name(&self) -> &str {
        &self.name
    }

    fn away(&self, reason: String) -> FarError {
        FarError::Away { site: self.name.clone(), reason }
    }

    /// Asks for something that is one JSON object.
    pub async fn get<T: DeserializeOwned>(&self, path: &str) -> Result<T, FarError> {
        let response = self.ask("GET", path, None).await?;
        let body = within(whole(response.into_body())).await.map_err(|err| self.away(err))?;
        serde_json::from_slice(&body).map_err(|err| self.away(format!("its answer: {err}")))
    }

    /// Does something there.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Result<(), FarError> {
        let response = self.ask("POST", path, Some(fields)).await?;
        // Done is done; but a connection that is cut in the answer is one on which nothing is
        // known.
        within(whole(response.into_body())).await.map_err(|err| self.away(err))?;
        Ok(())
    }

    /// Opens a stream of lines; with fields it is begun by a form.
    pub async fn stream(
        &self,
        path: &str,
        fields: Option<&[(&str, &str)]>,
    ) -> Result<Stream, FarError> {
        let method = if fields.is_some() { "POST" } else { "GET" };
        let response = self.ask(method, path, fields).await?;
        Ok(Stream::of(response.into_body(), self.waits.silence))
    }

    async fn ask(
        &self,
        method: &str,
        path: &str,
        fields: Option<&[(&str, &str)]>,
    ) -> Result<Response<Incoming>, FarError> {
        let sent = within(self.send(method, path, fields)).await;
        let response = sent.map_err(|err| self.away(err))?;
        let status = response.status();
        if status.is_success() {
            return Ok(response);
        }
        let site = self.name.clone();
        if status == StatusCode::TOO_MANY_REQUESTS {
            return Err(FarError::Busy { site });
        }
        if status == StatusCode::UNAUTHORIZED {
            return Err(FarError::Token { site });
        }
        let body = within(whole(response.into_body())).await.unwrap_or_default();
        let reason = told(&body).unwrap_or_else(|| status.to_string());
        Err(match status {
            StatusCode::FORBIDDEN => FarError::Scope { site, reason },
            status if status.is_client_error() => FarError::Refused { site, reason },
            _ => FarError::Away { site, reason },
        })
    }

    async fn send(
        &self,
        method: &str,
        path: &str,
        fields: Option<&[(&str, &str)]>,
    ) -> Result<Response<Incoming>, String> {
        let stream = TcpStream::connect((self.host.as_str(), self.port)).await;
        let stream = stream.map_err(|err| err.to_string())?;
        stream.set_nodelay(true).map_err(|err| err.to_string())?;
        let connection: Box<dyn Connection> = match &self.tls {
            None => Box::new(stream),
            Some(config) => {
                let name =
                    ServerName::try_from(self.host.clone()).map_err(|err| err.to_string())?;
                let joined = TlsConnector::from(Arc::clone(config)).connect(name, stream).await;
                Box::new(joined.map_err(|err| err.to_string())?)
            }
        };
        let shaken = http1::handshake::<_, Full<Bytes>>(TokioIo::new(connection)).await;
        let (mut sender, connection) = shaken.map_err(|err| err.to_string())?;
        // What goes wrong there is told where the answer is read.
        tokio::spawn(connection);
        let agent = concat!("annabella-partner/", env!("CARGO_PKG_VERSION"));
        let mut request = Request::builder()
            .method(method)
            .uri(path)
            .header(header::HOST, &self.authority)
            .header(header::USER_AGENT, agent)
            .header(header::ACCEPT, "application/x-ndjson, application/json")
            .header(header::AUTHORIZATION, format!("Bearer {}", self.token));
        if fields.is_some() {
            request = request.header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        }
        let body = Full::new(Bytes::from(form(fields.unwrap_or_default())));
        let request = request.body(body).map_err(|err| err.to_string())?;
        sender.send_request(request).await.map_err(|err| err.to_string())
    }
}

/// What an answer says is wrong, in one short line.
fn told(body: &[u8]) -> Option<String> {
    let said: Said = serde_json::from_slice(body).ok()?;
    let text = match said.error {
        serde_json::Value::String(text) => text,
        other => other.to_string(),
    };
    Some(plain(&text, 200)).filter(|text| !text.is_empty())
}

/// Words from outside: one line without control characters, at most so many characters.
pub fn plain(text: &str, most: usize) -> String {
    let plain: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_nowhere_unencrypted_but_to_this_machine() {
        let at = |address: &str| Site::trusting(address, "lip_x", RootCertStore::empty());
        for good in [LICHESS, "https://lichess.org/", "http://127.0.0.1:8080", "http://[::1]:1"] {
            assert!(at(good).is_ok(), "{good}");
        }
        for wrong in [
            "http://lichess.org",
            "lichess.org",
            "",
            "https://a/b",
            "ftp://127.0.0.1",
            "https://a@b",
        ] {
            let err = at(wrong).expect_err(wrong).to_string();
            assert!(err.contains("write it as in"), "{err}");
        }
        assert!(!format!("{:?}", at(LICHESS)).contains("lip_x"));
    }

    #[test]
    fn a_minute_is_waited_as_the_description_says() {
        assert_eq!(WAITS.busy, Duration::from_secs(60));
    }

    #[test]
    fn what_an_answer_says_is_one_line() {
        assert_eq!(told(b"{\"error\":\"No\\nsuch  game\"}").as_deref(), Some("No such game"));
        assert_eq!(told(b"{\"error\":{\"a\":[\"b\"]}}").as_deref(), Some("{\"a\":[\"b\"]}"));
        assert_eq!(told(b"<html>"), None);
    }
}
