//! A program whose standard input is typed lines.

use std::{
    io::Write as _,
    process::{Command, Output, Stdio},
    sync::mpsc,
    time::Instant,
};

use crate::patience::PATIENCE;

/// Runs the program with these lines typed; never for ever.
pub(crate) fn with_typed(program: &str, args: &[&str], typed: &str) -> Output {
    let mut child = Command::new(program)
        .args(args)
        .env("PATH", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("starts");
    let mut stdin = child.stdin.take().expect("piped");
    stdin.write_all(typed.as_bytes()).expect("written");
    drop(stdin);
    let began = Instant::now();
    let (pid, (send, ended)) = (child.id(), mpsc::channel());
    std::thread::spawn(move || send.send(child.wait_with_output()));
    match ended.recv_timeout(PATIENCE) {
        Ok(output) => output.expect("an end"),
        Err(_) => {
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
            panic!("{args:?} did not end in {:?}", began.elapsed());
        }
    }
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}
