//! One test once more, in a process of its own.

use std::{env, process::Command};

/// The command that runs `test` of `module` (its `module_path!()`) alone.
pub(crate) fn again(module: &str, test: &str) -> Command {
    let (_, module) = module.split_once("::").expect("a module of a program of tests");
    let name = format!("{module}::{test}");
    let own = env::current_exe().expect("this program");
    // The harness is content with a name that no test has, and would run none.
    let listed = Command::new(&own).args(["--list", "--exact", &name]).output().expect("runs");
    assert!(listed.stdout.starts_with(name.as_bytes()), "no test {name}");
    let mut command = Command::new(own);
    command.args(["--exact", &name, "--nocapture"]);
    command
}
