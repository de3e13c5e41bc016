//! A server without room, for tests and demonstrations: something else has taken all that its store
//! may have.

use async_nats::jetstream::{
    context::{CreateStreamErrorKind, DeleteStreamErrorKind},
    stream::Config,
};

use crate::{
    HallError,
    stream::{Link, lost, replicas},
};

/// The stream that takes the room, and its subject.
const BALLAST: &str = "ballast";
/// It grows by so much, bytes.
const LUMP: usize = 1_024 * 1_024;

/// Takes all room that is left, until the server refuses more.
///
/// # Errors
/// [`HallError::NoStore`], [`HallError::Lost`].
pub async fn fill(link: &Link) -> Result<(), HallError> {
    let context = link.context();
    let config = Config {
        name: BALLAST.to_owned(),
        subjects: vec![BALLAST.to_owned()],
        num_replicas: replicas(link.url()),
        ..Config::default()
    };
    match context.get_or_create_stream(config).await {
        Ok(_) => {}
        Err(err) if matches!(err.kind(), CreateStreamErrorKind::JetStream(_)) => return Ok(()),
        Err(err) => return Err(lost(&err)),
    }
    loop {
        let kept = async { context.publish(BALLAST, vec![0; LUMP].into()).await?.await };
        match kept.await.map_err(|err| link.unkept(&err)) {
            Ok(_) => {}
            Err(HallError::Full { .. }) => return Ok(()),
            Err(err) => return Err(err),
        }
    }
}

/// Gives the room back.
///
/// # Errors
/// [`HallError::NoStore`], [`HallError::Lost`].
pub async fn empty(link: &Link) -> Result<(), HallError> {
    match link.context().delete_stream(BALLAST).await {
        Ok(_) => Ok(()),
        Err(err) if matches!(err.kind(), DeleteStreamErrorKind::JetStream(_)) => Ok(()),
        Err(err) => Err(lost(&err)),
    }
}
