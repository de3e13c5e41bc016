//! Three servers of one hall: what they have acknowledged survives the loss of any one of them and
//! of its disk.

use std::sync::atomic::{AtomicU64, Ordering};

use annabella_hall::{
    keys::{EventKeys, KeyRole},
    server::ServerCluster,
};

use super::*;

/// Three servers, and the address of all.
fn three(folder: &Path) -> (Vec<ServerSettings>, Vec<Option<NatsServer>>, String) {
    // All six at one time, so that no two are the same.
    let held: Vec<_> =
        (0..6).map(|_| std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port")).collect();
    let addresses: Vec<_> =
        held.iter().map(|held| held.local_addr().expect("an address")).collect();
    drop(held);
    let (listens, routes) = addresses.split_at(3);
    let settings = (0..3).map(|n| {
        let mut others = routes.to_vec();
        let listen = others.remove(n);
        ServerSettings {
            listen: listens[n],
            store: folder.join(format!("store-{n}")),
            cluster: Some(ServerCluster { listen, others }),
            ..settings(folder)
        }
    });
    let settings: Vec<ServerSettings> = settings.collect();
    let start = |settings| Some(NatsServer::start(settings).expect("a server"));
    let running = settings.iter().map(start).collect();
    let url = listens.iter().map(|address| format!("nats://{address}"));
    (settings, running, url.collect::<Vec<_>>().join(","))
}

/// Each server has every row.
fn in_step(url: &str) {
    until("each server has every row", || {
        now(async {
            let link = Link::open(url, None, "test").await.ok()?;
            link.is_in_step(&place(1).event).await.ok()
        }) == Some(true)
    });
}

/// Three servers that have the event, and each every row of it.
fn three_that_agree(folder: &Path) -> (Vec<ServerSettings>, Vec<Option<NatsServer>>, String) {
    let (settings, running, url) = three(folder);
    until("they agree", || {
        now(async {
            let link = Link::open(&url, None, "test").await?;
            link.make_event(&place(1).event).await
        })
        .is_ok()
    });
    in_step(&url);
    (settings, running, url)
}

/// A journal in which a game has begun.
fn begun(path: &Path) -> (Journal, GameId) {
    let mut journal = Journal::open(path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    (journal, game)
}

/// Waits until the servers that run have these rows of each journal.
pub(super) fn have(url: &str, paths: &[PathBuf], rows: u64) {
    for (n, path) in (1..).zip(paths) {
        until("the servers that run have every row", || {
            let compared = now(async {
                let link = Link::open(url, None, "test").await.ok()?;
                link.compare(&place(n), path).await.ok()
            });
            compared.is_some_and(|(all, differ)| all == rows && differ.is_empty())
        });
    }
}

/// Twenty rows more in each journal, which has these already.
fn write(journals: &mut [(Journal, GameId)], rows: u64) -> u64 {
    for (journal, game) in journals {
        for n in rows..rows + 20 {
            journal.append(*game, At::new(1 + n), &Input::Woke).expect("kept");
        }
    }
    rows + 20
}

#[test]
fn any_one_of_three_servers_may_be_lost_with_its_disk() {
    if !has_server() {
        return;
    }
    let folder = folder();
    let (settings, mut running, url) = three_that_agree(folder.path());
    let paths: Vec<PathBuf> = (1..=3).map(|n| folder.path().join(format!("{n}.db"))).collect();
    let mut journals: Vec<_> = paths.iter().map(|path| begun(path)).collect();
    let mut wires: Vec<_> = (1..).zip(&paths).map(|(n, path)| wire(&url, n, path)).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut rows = 1;
    for _ in 0..2 {
        let n = rng.random_range(0..3u64) as usize;
        rows = write(&mut journals, rows);
        have(&url, &paths, rows);
        // Nobody who could send them again is there when the server and its disk are lost.
        wires.clear();
        in_step(&url);
        running[n].take().expect("it runs").kill();
        std::fs::remove_dir_all(&settings[n].store).expect("its disk is gone");
        have(&url, &paths, rows);
        // Two servers take rows.
        wires = (1..).zip(&paths).map(|(n, path)| wire(&url, n, path)).collect();
        rows = write(&mut journals, rows);
        have(&url, &paths, rows);
        running[n] = Some(NatsServer::start(&settings[n]).expect("a server"));
        in_step(&url);
    }
    for n in 1..=3 {
        // The last row comes to each server with the leader's next word.
        until("each row is there once", || stream(&url, n).len() as u64 == rows);
    }
}

/// Three addresses, each with a free port 2000 higher.
pub(super) fn three_addresses() -> Vec<SocketAddr> {
    let mut held = Vec::new();
    while held.len() < 3 {
        let one = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let mut higher = one.local_addr().expect("an address");
        let Some(port) = higher.port().checked_add(2_000) else { continue };
        higher.set_port(port);
        if let Ok(other) = std::net::TcpListener::bind(higher) {
            held.push((one, other));
        }
    }
    held.iter().map(|(one, _)| one.local_addr().expect("an address")).collect()
}

#[test]
fn three_halls_with_keys_know_each_other_and_go_on_when_one_is_killed() {
    if !has_server() {
        return;
    }
    let folder = folder();
    let addresses = three_addresses();
    let names = ["localhost".to_owned(), "127.0.0.1".to_owned()];
    let mut keys = EventKeys::make(&folder.path().join("keys"), &place(1).event).expect("keys");
    keys.add([KeyRole::Hall, KeyRole::Board(1)]).expect("keys");
    keys.name(names).expect("a certificate");
    let mut halls: Vec<Stopped> = (0..3)
        .map(|n| {
            // Each machine has the organiser's folder.
            let own = folder.path().join(n.to_string());
            std::fs::create_dir(&own).expect("a folder");
            let copied = Command::new("cp").arg("-a").arg(keys.folder()).arg(&own).status();
            assert!(copied.expect("cp").success());
            let mut hall = Command::new(env!("CARGO_BIN_EXE_annabella-hall"));
            hall.args(["--event", "test", "--no-page", "--keys", "keys"]).current_dir(&own);
            for (other, address) in addresses.iter().enumerate() {
                let option = if other == n { "--listen" } else { "--with" };
                hall.arg(option).arg(address.to_string());
            }
            Stopped(hall.stdout(Stdio::null()).spawn().expect("runs"))
        })
        .collect();
    let url = addresses.iter().map(|address| format!("tls://{address}"));
    let url = url.collect::<Vec<_>>().join(",");
    let link = async || Link::open(&url, Some(&keys.file(KeyRole::Hall)), "test").await;
    let whole = || {
        let asked = now(async { link().await?.is_in_step(&place(1).event).await });
        asked.unwrap_or(false)
    };
    until("all three keep the rows", whole);
    let path = folder.path().join("a.db");
    let mut journal = Journal::open(&path).expect("a journal");
    let game = journal.begin(&started("Anna"), At::new(1)).expect("begun");
    let (_wire, _) = wire_by(&url, Some(keys.file(KeyRole::Board(1))), 1, &path);
    let has = |rows: u64| {
        let compared = now(async { link().await?.compare(&place(1), &path).await });
        compared.is_ok_and(|(all, differ)| all == rows && differ.is_empty())
    };
    until("the row is there", || has(1));
    // Its server goes with it.
    let killed = halls.remove(1);
    drop(killed);
    journal.append(game, At::new(2), &Input::Woke).expect("kept");
    until("two take rows", || has(2));
    // Somebody who has no key is no server of this hall.
    assert!(now(Link::open(&url, None, "test")).is_err());
}

/// Reads the event's rows on, over one line after another. Tells the number of the last one.
async fn reads(url: String, last: Arc<AtomicU64>) {
    let (event, mut mark) = (place(1).event, None);
    loop {
        let Ok(link) = Link::open(&url, None, "test").await else { continue };
        let take = |row: Option<StreamRow>| {
            if let Some(row) = row {
                last.store(row.row.number, Ordering::Relaxed);
            }
            true
        };
        // What is lost is read on below.
        let _ = link.read_on(&event, &event.rows(), &mut mark, take).await;
    }
}

#[test]
fn whoever_is_served_by_a_server_that_is_killed_reads_on_soon() {
    if !has_server() {
        return;
    }
    let folder = folder();
    let (settings, mut running, url) = three_that_agree(folder.path());
    let path = folder.path().join("1.db");
    let mut journals = [begun(&path)];
    let _wire = wire(&url, 1, &path);
    // Their lines are to a server that stays. What serves them there is at any of the three.
    let own = url.split(',').next().expect("an address");
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.expect("a runtime");
    let last: Vec<Arc<AtomicU64>> = (0..8).map(|_| Arc::default()).collect();
    for last in &last {
        runtime.spawn(reads(own.to_owned(), Arc::clone(last)));
    }
    let everybody_has = |rows| {
        until("everybody has every row", || {
            last.iter().all(|last| last.load(Ordering::Relaxed) == rows)
        });
    };
    let mut rows = write(&mut journals, 1);
    everybody_has(rows);
    for n in [1, 2] {
        running[n].take().expect("it runs").kill();
        rows = write(&mut journals, rows);
        everybody_has(rows);
        running[n] = Some(NatsServer::start(&settings[n]).expect("a server"));
        in_step(&url);
    }
}
