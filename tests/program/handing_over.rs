//! Commands that other programs carry out, beside this one or in `PATH`.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Output},
};

/// The program alone in a folder, with nothing in `PATH`.
fn alone(folder: &Path, args: &[&str]) -> Output {
    let program = folder.join("annabella");
    if !program.exists() {
        fs::copy(env!("CARGO_BIN_EXE_annabella"), &program).expect("copied");
    }
    Command::new(program).args(args).env("PATH", folder.join("bin")).output().expect("runs")
}

#[test]
fn where_the_other_program_is_not_installed_one_line_says_so_and_what_to_do() {
    let folder = tempfile::tempdir().expect("a folder");
    let lab = "annabella: there is no annabella-lab beside annabella, and none in PATH: packages leave it out, so \
               take a checkout of the sources: `make demo` there builds it and plays, `cargo build --release -p \
               annabella-lab` only builds it\n";
    let hall = "annabella: there is no annabella-hall beside annabella, and none in PATH: install it too, it comes \
                with annabella\n";
    let partner = "annabella: there is no annabella-partner beside annabella, and none in PATH: it is a package of its \
                   own, annabella-partner; in a checkout of the sources `make partner` builds it and plays\n";
    for (command, line) in
        [("demo", lab), ("measure", lab), ("simulate", lab), ("hall", hall), ("partner", partner)]
    {
        let output = alone(folder.path(), &[command, "--silent"]);
        assert_eq!(output.status.code(), Some(3), "{command}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), line, "{command}");
    }
}

#[test]
fn every_word_of_the_call_is_handed_over_help_included() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir(folder.path().join("bin")).expect("a folder");
    for (program, word) in [("annabella-lab", "beside"), ("bin/annabella-hall", "in PATH")] {
        let program = folder.path().join(program);
        fs::write(&program, format!("#!/bin/sh\necho {word}: \"$@\"\n")).expect("written");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("may be run");
    }
    for (args, handed) in [
        (["demo", "--pgn", "my game.pgn", "--silent"], "beside: demo --pgn my game.pgn --silent\n"),
        (["measure", "--help", "--", "x"], "beside: measure --help -- x\n"),
        (["simulate", "dgt", "--faults", "turned"], "beside: simulate dgt --faults turned\n"),
        (
            ["setup", "--simulate=bare", "--config", "my.toml"],
            "beside: setup bare --config my.toml\n",
        ),
        (["setup", "--simulate", "--config", "my.toml"], "beside: setup full --config my.toml\n"),
        (["hall", "--help", "--listen", "[::]:4222"], "in PATH: --help --listen [::]:4222\n"),
    ] {
        let output = alone(folder.path(), &args);
        assert_eq!(String::from_utf8_lossy(&output.stdout), handed, "{output:?}");
    }
}
