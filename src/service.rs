//! Joins the game to its devices.
