//! The encrypted line: TLS 1.3 between two ends that each hold a key of their own, and what goes
//! over it line by line.

use std::{io, sync::Arc, time::Duration};

use tokio::{
    io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, ReadHalf, WriteHalf},
    net::TcpStream,
    sync::{mpsc, watch},
    time::{Instant, interval, sleep_until, timeout},
};
use tokio_rustls::{
    TlsAcceptor, TlsConnector,
    rustls::{
        self, ClientConfig, DigitallySignedStruct, DistinguishedName, ServerConfig,
        SignatureScheme,
        client::{
            Resumption,
            danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        },
        crypto::{CryptoProvider, ring, verify_tls13_signature},
        pki_types::{CertificateDer, PrivateKeyDer, PrivatePkcs8KeyDer, ServerName, UnixTime},
        server::danger::{ClientCertVerified, ClientCertVerifier},
    },
};

use super::{
    book::Own,
    pair::{Bound, End, Exchange, Fingerprint, Word, fingerprint},
    wire::{FIRST, Hex, LONGEST, Message, Sorry},
};
use crate::{
    far::there::{Heard, News, Waits},
    lines::Cutter,
};

/// What is waited for. A sign of life comes every two seconds.
pub const WAITS: Waits = Waits {
    busy: Duration::ZERO,
    silence: Duration::from_secs(10),
    pause: Duration::from_millis(500),
    longest_pause: Duration::from_secs(15),
    again: Duration::from_secs(5),
};
const SIGN_OF_LIFE: Duration = Duration::from_secs(2);
/// What TLS exports for this use only.
const EXPORTED: &[u8] = b"EXPORTER-annabella-friend";

/// Any key is taken, and has to be proved. Whose it is is looked at afterwards, when a friend is
/// told from somebody who wants to be one.
#[derive(Debug)]
struct AnyKey(Arc<CryptoProvider>);

impl AnyKey {
    fn proved(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signed, known)
    }

    /// Only TLS 1.3 is spoken.
    fn never() -> Result<HandshakeSignatureValid, rustls::Error> {
        Err(rustls::Error::General("TLS 1.2 is not spoken here".to_owned()))
    }
}

impl ServerCertVerifier for AnyKey {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        AnyKey::never()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.proved(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

impl ClientCertVerifier for AnyKey {
    fn root_hint_subjects(&self) -> &[DistinguishedName] {
        &[]
    }

    fn verify_client_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: UnixTime,
    ) -> Result<ClientCertVerified, rustls::Error> {
        Ok(ClientCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        _: &[u8],
        _: &CertificateDer<'_>,
        _: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        AnyKey::never()
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        self.proved(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

/// The own key, ready for either end of a line.
#[derive(Clone)]
pub struct Keys {
    own: Fingerprint,
    comes: Arc<ClientConfig>,
    waits: Arc<ServerConfig>,
}

impl Keys {
    /// # Errors
    /// The file holds no key.
    pub fn of(own: &Own) -> Result<Keys, rustls::Error> {
        let provider = Arc::new(ring::default_provider());
        let versions = &[&rustls::version::TLS13];
        let chain = || vec![CertificateDer::from(own.certificate.0.clone())];
        let key = || PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(own.key.0.clone()));
        let any = Arc::new(AnyKey(Arc::clone(&provider)));
        let mut comes = ClientConfig::builder_with_provider(Arc::clone(&provider))
            .with_protocol_versions(versions)?
            .dangerous()
            .with_custom_certificate_verifier(any.clone())
            .with_client_auth_cert(chain(), key())?;
        // Each line is proved anew.
        comes.resumption = Resumption::disabled();
        let waits = ServerConfig::builder_with_provider(provider)
            .with_protocol_versions(versions)?
            .with_client_cert_verifier(any)
            .with_single_cert(chain(), key())?;
        let own = fingerprint(&own.certificate.0);
        Ok(Keys { own, comes: Arc::new(comes), waits: Arc::new(waits) })
    }

    /// The end that comes.
    ///
    /// # Errors
    /// In a few words.
    pub async fn comes(&self, stream: TcpStream) -> Result<Talk, String> {
        stream.set_nodelay(true).map_err(|err| err.to_string())?;
        // Nobody looks at it.
        let name = ServerName::try_from("annabella.invalid").map_err(|err| err.to_string())?;
        let tls = TlsConnector::from(Arc::clone(&self.comes)).connect(name, stream).await;
        let tls = tls.map_err(|err| err.to_string())?;
        let (theirs, exported) = ends(tls.get_ref().1)?;
        let bound = Bound { exported, comes: self.own, waits: theirs };
        Ok(Talk::over(tls, theirs, bound))
    }

    /// The end that waits.
    ///
    /// # Errors
    /// In a few words.
    pub async fn waits(&self, stream: TcpStream) -> Result<Talk, String> {
        stream.set_nodelay(true).map_err(|err| err.to_string())?;
        let tls = TlsAcceptor::from(Arc::clone(&self.waits)).accept(stream).await;
        let tls = tls.map_err(|err| err.to_string())?;
        let (theirs, exported) = ends(tls.get_ref().1)?;
        let bound = Bound { exported, comes: theirs, waits: self.own };
        Ok(Talk::over(tls, theirs, bound))
    }
}

/// The other end's key, and what the line exports.
fn ends<D>(line: &rustls::ConnectionCommon<D>) -> Result<(Fingerprint, [u8; 32]), String> {
    let shown = line.peer_certificates().and_then(<[CertificateDer<'_>]>::first);
    let theirs = fingerprint(shown.ok_or("it shows no key")?);
    let exported = line.export_keying_material([0; 32], EXPORTED, None);
    Ok((theirs, exported.map_err(|err| err.to_string())?))
}

trait Encrypted: AsyncRead + AsyncWrite + Send + Unpin {}
impl<T: AsyncRead + AsyncWrite + Send + Unpin> Encrypted for T {}

/// One line, until it is lost.
pub struct Talk {
    read: ReadHalf<Box<dyn Encrypted>>,
    write: WriteHalf<Box<dyn Encrypted>>,
    cut: Cutter,
    longest: usize,
    /// The other end's key.
    pub theirs: Fingerprint,
    pub bound: Bound,
}

impl Talk {
    fn over(stream: impl Encrypted + 'static, theirs: Fingerprint, bound: Bound) -> Talk {
        let stream: Box<dyn Encrypted> = Box::new(stream);
        let (read, write) = tokio::io::split(stream);
        Talk { read, write, cut: Cutter::default(), longest: FIRST, theirs, bound }
    }

    /// Whose key that is is known now.
    pub fn is_friend(&mut self) {
        self.longest = LONGEST;
    }

    /// The next line; it may be empty. May be dropped: nothing is lost.
    ///
    /// # Errors
    /// In a few words: the line is lost.
    async fn line(&mut self) -> Result<String, String> {
        loop {
            if let Some(line) = self.cut.line() {
                return match line.len() <= self.longest {
                    true => Ok(line),
                    false => Err("it sends too long a line".to_owned()),
                };
            }
            if self.cut.is_longer_than(self.longest) {
                return Err("it sends too long a line".to_owned());
            }
            let mut piece = [0; 2_048];
            match self.read.read(&mut piece).await {
                Ok(0) => return Err("it has ended the line".to_owned()),
                Ok(length) => self.cut.push(&piece[..length]),
                Err(err) if err.kind() == io::ErrorKind::UnexpectedEof => {
                    return Err("it has ended the line".to_owned());
                }
                Err(err) => return Err(err.to_string()),
            }
        }
    }

    /// The next message.
    ///
    /// # Errors
    /// In a few words.
    pub async fn hears(&mut self) -> Result<Message, String> {
        let line = async {
            loop {
                let line = self.line().await?;
                if !line.is_empty() {
                    return Message::read(&line);
                }
            }
        };
        timeout(WAITS.silence, line).await.unwrap_or_else(|_| Err("it says nothing".to_owned()))
    }

    /// Says something.
    ///
    /// # Errors
    /// In a few words.
    pub async fn says(&mut self, message: &Message) -> Result<(), String> {
        self.writes(&message.line()).await
    }

    async fn writes(&mut self, line: &str) -> Result<(), String> {
        let written = async {
            self.write.write_all(line.as_bytes()).await?;
            self.write.flush().await
        };
        let written = timeout(WAITS.silence, written).await;
        written.map_err(|_| "it reads nothing".to_owned())?.map_err(|err| err.to_string())
    }

    /// Says a last word: what it has not read is not lost with the line.
    pub async fn ends(mut self, message: &Message) {
        let _ = self.says(message).await;
        let _ = timeout(WAITS.silence, self.write.shutdown()).await;
    }

    /// Tells the table that is shown here, and hears the one there, until the line is lost. Answers
    /// why, and whether anything was heard.
    pub async fn goes_on(
        mut self,
        mut shown: watch::Receiver<Option<String>>,
        to: &mpsc::Sender<Heard<News>>,
    ) -> (String, bool) {
        let mut heard = false;
        let mut beat = interval(SIGN_OF_LIFE);
        let mut silent = Instant::now() + WAITS.silence;
        shown.mark_changed();
        loop {
            let done = tokio::select! {
                line = self.line() => {
                    silent = Instant::now() + WAITS.silence;
                    match line.map(|line| Message::read(&line)) {
                        Ok(Ok(Message::Table(table))) => {
                            heard = true;
                            to.send(Heard::Line(News::State(table.state()))).await.map_err(|_| String::new())
                        }
                        // A sign of life; what a later version says besides.
                        Ok(_) => Ok(()),
                        Err(reason) => Err(reason),
                    }
                }
                changed = shown.changed() => {
                    let line = shown.borrow_and_update().clone();
                    match (changed, line) {
                        (Ok(()), Some(line)) => self.writes(&line).await,
                        (Ok(()), None) => Ok(()),
                        (Err(_), _) => Err(String::new()),
                    }
                }
                _ = beat.tick() => self.writes("\n").await,
                () = sleep_until(silent) => Err("it gives no sign of life".to_owned()),
            };
            if let Err(reason) = done {
                return (reason, heard);
            }
        }
    }

    /// Proves the word, as the end that comes. `Ok(Err(_))`: it is not taken.
    ///
    /// # Errors
    /// In a few words.
    pub async fn proves(&mut self, word: &Word) -> Result<Result<(), Sorry>, String> {
        let strange = || "it does not speak as a friend's program".to_owned();
        let (exchange, message) = Exchange::begin(End::Comes, word);
        self.says(&Message::Pair(Hex(message))).await?;
        let theirs = match self.hears().await? {
            Message::Pair(Hex(theirs)) => theirs,
            Message::Sorry(sorry) => return Ok(Err(sorry)),
            _ => return Err(strange()),
        };
        let proofs = exchange.finish(&theirs).ok_or_else(strange)?;
        self.says(&Message::Proof(Hex(proofs.of(End::Comes, &self.bound)))).await?;
        match self.hears().await? {
            Message::Proof(Hex(proof)) if proofs.are(End::Waits, &self.bound, &proof) => Ok(Ok(())),
            // Somebody else is there, who does not know it.
            Message::Proof(_) => Ok(Err(Sorry::Word)),
            Message::Sorry(sorry) => Ok(Err(sorry)),
            _ => Err(strange()),
        }
    }
}
