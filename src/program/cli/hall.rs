//! `annabella hall`: hands over to `annabella-hall`. Boards that are in no hall carry nothing of it.

use std::{ffi::OsString, os::unix::process::CommandExt as _, process::Command};

use super::Failure;
use crate::service::hall::{missing, program};

/// Joins the boards of an event over NATS.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct HallArgs {
    /// Everything for `annabella-hall`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<OsString>,
}

/// Becomes `annabella-hall` with these arguments. Answers only where that cannot be.
pub fn hand_over(args: impl Iterator<Item = OsString>) -> Failure {
    let program = program();
    let err = Command::new(&program).args(args).exec();
    Failure::device(missing(&program, &err))
}
