//! Parts of pages, as they go to open ones.

use std::borrow::Cow;

use axum::body::Bytes;

/// A part of a page.
#[derive(Debug)]
pub(super) struct Part {
    pub(super) id: Cow<'static, str>,
    pub(super) html: String,
    /// As it goes to an open page.
    pub(super) event: Bytes,
    pub(super) changed: u64,
}
