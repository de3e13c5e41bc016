//! A person far away: one game at two tables, whatever lies between them.
//!
//! [`follow`] decides what is to be done, [`sit`] does it, and [`there`] is what both need of the
//! table far away: a server's ([`crate::lichess`]) or that of another of these programs
//! ([`crate::friend`]).

pub mod follow;
pub mod sit;
pub mod state;
pub mod there;
pub mod told;
