//! The Laws of Chess by their article numbers.

use serde::{Deserialize, Serialize};

/// An article of the Laws. (Stub: the full list follows.)
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[allow(non_camel_case_types)]
pub enum Article {
    /// A move is made.
    D_2_3,
}
