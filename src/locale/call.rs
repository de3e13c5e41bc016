//! What a call is answered that asks for help, or is wrong.

use std::{
    io::{self, IsTerminal as _, Write as _},
    process::ExitCode,
};

use clap::{Command, Error, error::ErrorKind};

use crate::Catalogue;

/// Prints the help that is asked for. Answers the exit code.
///
/// # Errors
/// The call is wrong (exit code 2): what is, in one line.
pub fn answer(
    program: Command,
    name: &str,
    german: Option<&Catalogue>,
    err: Error,
) -> Result<ExitCode, String> {
    let called = called(name, &program);
    // A program whose texts are English says the rest in English too.
    let german = german.filter(|german| german.has(name));
    let err = match german {
        // The same call asks for the same help, and is wrong in the same way.
        Some(german) => {
            let program = german.translate(name, program);
            program.try_get_matches_from(std::env::args_os()).err().unwrap_or(err)
        }
        None => err,
    };
    let on_error = err.use_stderr();
    if on_error && err.kind() != ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let own = |line: String| german.map_or(line.clone(), |german| german.error(&line));
        let more = own(format!("`{called} --help` tells more"));
        return Err(format!("{}; {more}", own(what_is_wrong(&err.to_string()))));
    }
    // Help that nobody reads is no failure.
    let _ = german.map_or_else(|| err.print(), |german| print_help(german, &err));
    Ok(if on_error { ExitCode::from(2) } else { ExitCode::SUCCESS })
}

/// The program with the subcommands that this call names.
fn called(name: &str, program: &Command) -> String {
    let (mut command, mut called) = (program, name.to_owned());
    for word in std::env::args().skip(1) {
        match command.find_subcommand(&word) {
            Some(sub) => {
                called += &format!(" {word}");
                command = sub;
            }
            None if word.starts_with('-') => {}
            None => break,
        }
    }
    called
}

fn print_help(german: &Catalogue, err: &Error) -> io::Result<()> {
    let (on_error, text) = (err.use_stderr(), err.render());
    let coloured = if on_error { io::stderr().is_terminal() } else { io::stdout().is_terminal() };
    let text = german.help(&if coloured { text.ansi().to_string() } else { text.to_string() });
    if on_error { write!(io::stderr(), "{text}") } else { write!(io::stdout(), "{text}") }
}

/// What clap says of a wrong call, as one line.
fn what_is_wrong(text: &str) -> String {
    let about: Vec<&str> = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .filter(|line| !line.is_empty())
        .collect();
    // A list follows a colon.
    about.join("; ").replace("error: ", "").replace(":; ", ": ")
}
