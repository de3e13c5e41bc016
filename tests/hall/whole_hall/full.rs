//! A hall whose disk is full: boards play on, it is said in one line, and with room everything
//! comes by itself.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::Child,
    sync::mpsc,
};

use annabella_hall::ballast;

use super::*;

const FULL: &str =
    "takes no more rows: its disk is full; make room there, and the boards send them";

fn has_line(lines: &Lines, part: &str) -> bool {
    lines.lock().expect("lines").iter().any(|line| line.contains(part))
}

#[test]
fn a_server_without_room_is_said_once_and_gets_every_row_when_it_has_room() {
    if !has_server() {
        return;
    }
    let folder = folder();
    let mut settings =
        ServerSettings { most_bytes: Some(8 * 1_024 * 1_024), ..settings(folder.path()) };
    let server = NatsServer::start(&settings).expect("a server");
    settings.listen = server.address();
    let url = server.url();
    event(&url);
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let (wire, lines) = wire(&url, 17, &path);
    same(&url, 17, &path);
    now(async {
        let link = Link::open(&url, None, "test").await.expect("a line");
        ballast::fill(&link).await.expect("filled");
    });
    let error = look(&url).expect_err("no room");
    assert_eq!(error, format!("the hall's server at {url} {FULL}"));
    for at in 2..50 {
        journal.append(game, At::new(at), &Input::Woke).expect("kept");
    }
    until("it is said", || has_line(&lines, FULL));
    let state = wire.state();
    assert!(state.borrow().connected && !state.borrow().caught_up);
    // It is tried again meanwhile.
    std::thread::sleep(Duration::from_secs(5));
    assert_eq!(differ(&url, 17, &path).1.len(), 1, "nothing has come");
    // A power cut in between changes nothing.
    server.kill();
    let server = NatsServer::start(&settings).expect("a server");
    now(async {
        let link = Link::open(&url, None, "test").await.expect("a line");
        ballast::empty(&link).await.expect("room");
    });
    assert_eq!(same(&url, 17, &path), 49);
    assert_eq!(stream(&url, 17).len(), 49, "none twice");
    assert!(look(&url).is_ok());
    let told = lines.lock().expect("lines").iter().filter(|line| line.contains(FULL)).count();
    assert_eq!(told, 1, "{lines:?}");
    drop(server);
}

/// A file system of 32 MB on this machine's memory, which those see who enter; ends when this is
/// dropped.
struct SmallDisk(Child);

impl SmallDisk {
    /// `None`: this machine lets nobody mount one.
    fn mount(at: &Path) -> Option<SmallDisk> {
        let mount =
            format!("mount -t tmpfs -o size=32m tmpfs '{}' && echo && exec cat", at.display());
        let mut child = Command::new("unshare")
            .args(["-U", "-r", "-m", "sh", "-c", &mount])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .ok()?;
        let mut line = String::new();
        let read = BufReader::new(child.stdout.take().expect("piped")).read_line(&mut line);
        let disk = SmallDisk(child);
        if read.is_ok_and(|length| length > 0) {
            return Some(disk);
        }
        skipped("a small disk", "none is filled: unshare cannot mount one here");
        None
    }

    /// A program that sees it.
    fn enter(&self, program: &str) -> Command {
        let mut command = Command::new("nsenter");
        command.args(["-t", &self.0.id().to_string(), "-U", "-m", "--preserve-credentials"]);
        command.arg(program);
        command
    }

    /// A file on it as everybody sees it.
    fn file(&self, path: &Path) -> PathBuf {
        Path::new(&format!("/proc/{}/root", self.0.id()))
            .join(path.strip_prefix("/").expect("a whole path"))
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_hall_on_a_full_disk_says_so_and_mends_its_server_when_there_is_room() {
    if !has_server() {
        return;
    }
    let folder = folder();
    let store = folder.path().join("small");
    std::fs::create_dir(&store).expect("a folder");
    let Some(disk) = SmallDisk::mount(&store) else { return };
    let listen = free_address();
    let hall = disk
        .enter(env!("CARGO_BIN_EXE_annabella-hall"))
        .args(["--event", "test", "--no-page", "--listen", &listen.to_string(), "--store"])
        .arg(&store)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("runs");
    let mut hall = Stopped(hall);
    let said = Said::of(&mut hall.0);
    let url = format!("nats://{listen}");
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let (_wire, _) = wire(&url, 17, &path);
    until("the hall is there", || look(&url).is_ok());
    same(&url, 17, &path);
    let ballast = disk.file(&store.join("ballast"));
    let mut file = std::fs::File::create(&ballast).expect("a file");
    while file.write_all(&[0; 4_096]).is_ok() {}
    drop(file);
    for at in 2..2_000 {
        journal.append(game, At::new(at), &Input::Woke).expect("kept");
    }
    said.until(&format!("the server at {url} keeps no rows: its disk was full"));
    assert!(look(&url).expect_err("no room").lines().count() == 1);
    std::fs::remove_file(&ballast).expect("room");
    until("it is well", || look(&url).is_ok());
    assert_eq!(same(&url, 17, &path), 1_999);
    assert_eq!(stream(&url, 17).len(), 1_999, "none twice");
    said.until("the server has room again");
}

/// A hall's lines on standard error, and the one that has this in it awaited.
struct Said(mpsc::Receiver<String>);

impl Said {
    fn of(hall: &mut Child) -> Said {
        let (send, said) = mpsc::channel();
        let stderr = BufReader::new(hall.stderr.take().expect("piped"));
        std::thread::spawn(move || {
            stderr.lines().map_while(Result::ok).all(|line| send.send(line).is_ok())
        });
        Said(said)
    }

    fn until(&self, part: &str) {
        loop {
            let line = self.0.recv_timeout(PATIENCE).expect(part);
            println!("{line}");
            if line.contains(part) {
                return;
            }
        }
    }
}

#[test]
fn of_three_servers_one_on_a_full_disk_stands_aside_until_there_is_room() {
    if !has_server() {
        return;
    }
    let folder = folder();
    let small = folder.path().join("store-0");
    std::fs::create_dir(&small).expect("a folder");
    let Some(disk) = SmallDisk::mount(&small) else { return };
    let addresses = cluster::three_addresses();
    let mut halls: Vec<Child> = (0..3)
        .map(|n| {
            let program = env!("CARGO_BIN_EXE_annabella-hall");
            let mut hall = if n == 0 { disk.enter(program) } else { Command::new(program) };
            hall.args(["--event", "test", "--no-page", "--store"]);
            hall.arg(folder.path().join(format!("store-{n}")));
            for (other, address) in addresses.iter().enumerate() {
                let option = if other == n { "--listen" } else { "--with" };
                hall.arg(option).arg(address.to_string());
            }
            hall.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("runs")
        })
        .collect();
    let (full, other) = (Said::of(&mut halls[0]), Said::of(&mut halls[1]));
    let mut halls: Vec<Stopped> = halls.into_iter().map(Stopped).collect();
    let url = addresses.iter().map(|address| format!("nats://{address}"));
    let url = url.collect::<Vec<_>>().join(",");
    let whole = || {
        now(async { Link::open(&url, None, "test").await?.is_in_step(&place(1).event).await })
            .unwrap_or(false)
    };
    until("all three keep the rows", whole);
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let paths = [path.clone()];
    let (_wire, _) = wire(&url, 1, &path);
    cluster::have(&url, &paths, 1);

    let ballast = disk.file(&small.join("ballast"));
    let mut file = std::fs::File::create(&ballast).expect("a file");
    while file.write_all(&[0; 4_096]).is_ok() {}
    drop(file);
    full.until("this machine's disk is full, and its server is stopped");
    // The others take every row, and the boards' doctor has nothing to say.
    for at in 2..500 {
        journal.append(game, At::new(at), &Input::Woke).expect("kept");
    }
    cluster::have(&url, &paths, 499);
    until("the doctor is content", || look(&url).is_ok());
    other.until("of 3 servers 2 have every row");

    std::fs::remove_file(&ballast).expect("room");
    full.until("this machine's server is back");
    until("all three keep the rows again", whole);
    other.until("each server keeps every row again");
    until("each row is there once", || stream(&url, 1).len() == 499);
    // It has what it has missed: another may be lost.
    drop(halls.pop());
    cluster::have(&url, &paths, 499);
}
