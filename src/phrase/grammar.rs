//! Every phrase that may be said for a legal move.
