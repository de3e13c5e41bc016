//! What is chosen today is what is remembered tomorrow: nothing that would spoil the next day.

use std::process::Command;

use crate::at_table::{ODD, PARTNER};

#[test]
fn a_time_that_is_none_is_refused_in_the_call_and_not_remembered() {
    let folder = tempfile::tempdir().expect("a folder");
    let home = folder.path().join("home");
    for (args, time, fault) in [
        (
            &["--engine", ODD][..],
            "15 min",
            "character 1: '15 min' is not a number of minutes from 0 to 1440",
        ),
        (
            &["friend", "Boris", "--wait"][..],
            "15+ten",
            "character 4: 'ten' is not a number of seconds from 0 to 3600, alone or with 'd' (delay) or 'b' (Bronstein)",
        ),
    ] {
        let mut call = Command::new(PARTNER);
        call.args(args).args(["--time", time]).arg("--folder").arg(&home);
        let ran = call.output().expect("runs");
        let line = String::from_utf8_lossy(&ran.stderr).into_owned();
        let called = if args[0] == "friend" { " friend" } else { "" };
        assert_eq!(
            line,
            format!(
                "annabella-partner: invalid value '{time}' for '--time <CONTROL>': time control '{time}', {fault}; \
                 write it as in 15+10; `annabella-partner{called} --help` tells more\n"
            )
        );
        assert_eq!(ran.status.code(), Some(2));
        assert!(!home.exists(), "nothing is remembered");
    }
}
