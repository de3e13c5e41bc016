//! An evening with a person far away, as it is called: the program, the service at the table, and a
//! server that speaks as Lichess does.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::Path,
    process::{Command, Stdio},
};

use shakmaty::Color;

use crate::{
    at_board::Play,
    at_home::built,
    lichess::{Lichess, TOKEN},
    patience::until,
};

/// A call of `annabella partner lichess` at this server, with files of its own.
fn call(lichess: &Lichess, folder: &Path) -> Command {
    let base = folder.join("annabella.toml");
    fs::write(&base, "[board]\nkind = \"none\"\n[speech]\nengine = \"none\"\nlisten = \"off\"\n")
        .expect("written");
    let mut command = Command::new(built("annabella-partner"));
    command.args(["lichess", "--json", "--server", &lichess.site(), "--config"]).arg(base);
    command.arg("--folder").arg(folder.join("home"));
    command
}

fn token_file(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("token");
    fs::write(&path, format!("{TOKEN}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).expect("set");
    path
}

fn spoken_until(play: &mut Play, words: &str) {
    loop {
        let spoken = play.spoken_within(crate::patience::PATIENCE);
        let spoken = spoken.unwrap_or_else(|| panic!("never said: {words}"));
        if spoken == words {
            return;
        }
    }
}

#[test]
fn an_evening_with_somebody_far_away_is_played_interrupted_and_played_on() {
    let lichess = Lichess::of(Color::White);
    let folder = tempfile::tempdir().expect("a folder");
    let token = token_file(folder.path());
    let begins = || {
        let mut command = call(&lichess, folder.path());
        command.arg("--token-file").arg(&token);
        Play::start_by(command)
    };
    let mut play = begins();
    // The clock is started by nobody here: it runs there.
    spoken_until(&mut play, "in the ear: Du hast Weiß, gegen boris. Die Partie läuft.");
    play.send("Bauer Eva zwei Eva vier");
    play.send("fertig");
    until("the move there", || lichess.table().moves == ["e2e4"]);
    lichess.moves("e7e5");
    spoken_until(&mut play, "aloud: Bauer Eva sieben Eva fünf");
    play.interrupt();
    let mut play = begins();
    spoken_until(&mut play, "in the ear: Du hast Weiß, gegen boris. Die Partie läuft.");
    play.send("Springer Gustav eins Felix drei");
    play.send("fertig");
    until("the next move there", || lichess.table().moves == ["e2e4", "e7e5", "g1f3"]);
    lichess.ends("resign", Some(Color::White));
    spoken_until(&mut play, "aloud: Schwarz gibt auf. Weiß gewinnt.");
    play.interrupt();
    let told = fs::read_to_string(folder.path().join("home/lichess.toml")).expect("there");
    assert!(told.contains("at_home = true") && !told.contains(TOKEN), "{told}");
}

#[test]
fn a_token_is_asked_for_once_and_kept_for_its_owner_alone() {
    let lichess = Lichess::of(Color::White);
    let folder = tempfile::tempdir().expect("a folder");
    let run = |typed: &str, more: &[&str]| {
        let mut command = call(&lichess, folder.path());
        command.args(more).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("starts");
        std::io::Write::write_all(&mut child.stdin.take().expect("piped"), typed.as_bytes())
            .expect("typed");
        let ended = child.wait_with_output().expect("ends");
        (ended.status.code(), String::from_utf8_lossy(&ended.stderr).into_owned())
    };
    let (code, said) = run("two words\n", &[]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("that is no token") && said.contains("board:play"), "{said}");
    // One that the server does not take is kept all the same: it may be the server that is wrong.
    let (code, said) = run("lip_wrong\n", &[]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("does not take this token") && !said.contains("lip_wrong"), "{said}");
    let kept = folder.path().join("home/lichess.token");
    assert_eq!(fs::read_to_string(&kept).expect("kept"), "lip_wrong\n");
    assert_eq!(fs::metadata(&kept).expect("there").permissions().mode() & 0o777, 0o600);
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o640)).expect("set");
    let (code, said) = run("", &[]);
    assert!(code == Some(3) && said.contains("chmod 600"), "{said}");
}

#[test]
fn what_cannot_be_asked_for_is_said_in_one_line_before_anything_is_asked() {
    let lichess = Lichess::of(Color::White);
    let folder = tempfile::tempdir().expect("a folder");
    let token = token_file(folder.path());
    lichess.changes(|table| table.begun = false);
    for (words, code, says) in [
        (&["--time", "3+0"][..], 1, "too quick for a board"),
        (&["--time", "x"], 2, "write minutes and seconds a move"),
        (&["--challenge", "a/b"], 2, "a name has letters"),
        (&["--server", "http://lichess.org"], 3, "not encrypted"),
        (&["--token-file", "/nowhere/token"], 3, "no such file"),
    ] {
        let mut command = call(&lichess, folder.path());
        let given = words.contains(&"--token-file") || words.contains(&"--server");
        if !words.contains(&"--token-file") {
            command.arg("--token-file").arg(&token);
        }
        if words.contains(&"--server") {
            // The last one counts nowhere: it is given once.
            command = Command::new(built("annabella-partner"));
            command.args(["lichess", "--folder"]).arg(folder.path().join("home"));
            command.arg("--token-file").arg(&token);
        }
        let ended = command.args(words).stdin(Stdio::null()).output().expect("ends");
        let said = String::from_utf8_lossy(&ended.stderr).into_owned();
        assert_eq!(ended.status.code(), Some(code), "{words:?}: {said}");
        assert!(said.contains(says) && said.lines().count() == 1, "{words:?}: {said}");
        assert!(given || lichess.times("seek") == 0);
    }
}
