//! Simulated players: seeded games, hands that move pegs as hands do, and a table at which they
//! play. Only tests, benches and the demonstration use them.

pub mod games;
pub mod hands;
pub mod pegs;
pub mod table;
