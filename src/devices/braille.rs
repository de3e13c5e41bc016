//! A refreshable Braille display behind brltty, spoken to in BrlAPI's protocol.
//!
//! [`packets`] are the bytes, [`reading`] is what stands under the fingers, [`session`] joins them
//! without a socket, and [`mod@line`] has the socket. The twin is `annabella_emulators::braille`.

pub mod line;
pub mod packets;
pub mod reading;
pub mod session;
