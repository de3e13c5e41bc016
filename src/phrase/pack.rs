//! Language packs.
