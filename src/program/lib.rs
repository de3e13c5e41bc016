//! The program that stands at the board with a blind chess player: the service, its configuration
//! and the command line.
//!
//! One direction of flow: devices become [`Input`](annabella_core::game::Input), the pure
//! [`Game`](annabella_core::game::Game) answers with [`Output`](annabella_core::game::Output), and
//! the [`service`] carries that out. The crates that it joins are listed at the top of
//! `Cargo.toml`.

pub mod cli;
pub mod config;
pub mod service;
