//! Commands of other programs: `annabella hall` becomes `annabella-hall`, and what a board does not
//! need becomes `annabella-lab`.

use std::{ffi::OsString, os::unix::process::CommandExt as _, process::Command};

use super::Failure;
use crate::service::beside::Beside;

/// A call that another program reads.
#[derive(Debug, clap::Args)]
#[command(disable_help_flag = true)]
pub struct ForAnother {
    /// Everything for it, `--help` included.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    pub rest: Vec<OsString>,
}

/// Becomes that program with these arguments, after its `command` where it has several. Answers
/// only where that cannot be.
pub fn hand_over(to: Beside, command: Option<&str>, call: &ForAnother) -> Failure {
    let err = Command::new(to.path()).args(command).args(&call.rest).exec();
    Failure::device(to.missing(&err))
}
