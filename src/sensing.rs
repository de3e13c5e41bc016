//! What the reeds of one peg board say, and what it means.

pub mod infer;
