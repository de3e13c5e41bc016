//! From occupancy to moves.
