//! Every input of every game, kept before its outputs are acted on.
