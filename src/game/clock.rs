//! Chess clock arithmetic: time controls, periods, flags.
