//! One hundred games whose streams are cut, whose engines are killed and cheat: each ends, with
//! equal records on both sides.

use std::{
    io::{ErrorKind, Read as _, Write as _},
    net::{Shutdown, SocketAddr, TcpListener, TcpStream},
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use shakmaty::Color;

use crate::{
    at_table::{Habits, ODD, Partner, Player, assert_same_record, at_home, files, write_code},
    hall::Hall,
};

/// A line between partner and table that breaks: each connection after some bytes or some time, if
/// at all.
struct BadLine {
    address: SocketAddr,
    over: Arc<AtomicBool>,
    cuts: Arc<AtomicUsize>,
}

impl BadLine {
    fn to(table: SocketAddr, seed: u64) -> BadLine {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        let over = Arc::new(AtomicBool::new(false));
        let cuts = Arc::new(AtomicUsize::new(0));
        let (ends, cut) = (Arc::clone(&over), Arc::clone(&cuts));
        thread::spawn(move || {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            for from in listener.incoming().map_while(Result::ok) {
                if ends.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(to) = TcpStream::connect(table) else { continue };
                // One in six breaks: after so many bytes of the answer.
                let breaks = rng.random_range(0..6) == 0;
                let after = breaks.then(|| rng.random_range(0..500_usize));
                let both = from.try_clone().and_then(|from| Ok((from, to.try_clone()?)));
                let Ok((from_again, to_again)) = both else { continue };
                let cut = Arc::clone(&cut);
                thread::spawn(move || carry(from, to, None, None));
                thread::spawn(move || carry(to_again, from_again, after, Some(cut)));
            }
        });
        BadLine { address, over, cuts }
    }
}

impl Drop for BadLine {
    fn drop(&mut self) {
        self.over.store(true, Ordering::SeqCst);
        let _ = TcpStream::connect(self.address);
    }
}

/// Carries bytes to the end, or until so many were carried.
fn carry(
    mut from: TcpStream,
    mut to: TcpStream,
    after: Option<usize>,
    cuts: Option<Arc<AtomicUsize>>,
) {
    let mut buffer = [0; 2_048];
    let mut carried = 0;
    loop {
        let length = match from.read(&mut buffer) {
            Ok(length) if length > 0 => length,
            Err(err) if err.kind() == ErrorKind::Interrupted => continue,
            _ => break,
        };
        let rest = after.map_or(length, |after| length.min(after.saturating_sub(carried)));
        if to.write_all(&buffer[..rest]).is_err() {
            break;
        }
        carried += rest;
        if rest < length {
            if let Some(cuts) = &cuts {
                cuts.fetch_add(1, Ordering::SeqCst);
            }
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
    let _ = from.shutdown(Shutdown::Both);
}

/// How a game ended, and how often its line broke.
fn game(seed: u64) -> (String, usize) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let blind = if seed.is_multiple_of(2) { Color::White } else { Color::Black };
    let hall = Hall::of(at_home(blind), |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let (door, score) = files(folder.path());
    let line = BadLine::to(hall.address, seed);
    write_code(&hall, line.address, &door);
    // A code is good once, and the answer that brings the session may be cut.
    let codes = hall.codes.clone();
    let ended = Arc::new(AtomicBool::new(false));
    let (over, address, file) = (Arc::clone(&ended), line.address, door.clone());
    let writer = thread::spawn(move || {
        let mut known = String::new();
        while !over.load(Ordering::SeqCst) {
            let code = codes.borrow().assistant.clone();
            if code != known {
                // As the service does it: never half of it.
                let new = file.with_extension("new");
                std::fs::write(&new, format!("http://{address}\n{code}\n")).expect("written");
                std::fs::rename(&new, &file).expect("renamed");
                known = code;
            }
            thread::sleep(Duration::from_millis(5));
        }
    });
    let judges = ["cp=0", "cp=-1200", "cp=40", "mate=-4"][rng.random_range(0..4)];
    let hangs = if seed % 25 == 24 { "hang=2" } else { "hang=0" };
    let engine = [ODD, "die=3", "cheat=15", hangs, judges];
    let (seed_text, score_text) = (seed.to_string(), score.display().to_string());
    let level = rng.random_range(1..=10).to_string();
    let more = ["--games", "1", "--seed", &seed_text, "--score", &score_text, "--level", &level];
    let partner = Partner::joins(&door, &engine, &more);
    let habits = Habits {
        offers: rng.random_range(0..6),
        tires: Some(rng.random_range(40..130)),
        agrees: rng.random_range(0..2) == 0,
    };
    Player::new(blind, seed, habits).plays(&hall, || {});
    let (code, _) = partner.leaves();
    assert_eq!(code, Some(0), "seed {seed}");
    ended.store(true, Ordering::SeqCst);
    writer.join().expect("written");
    assert_same_record(&hall, &score);
    let play = hall.play();
    let over = play.game.ended().expect("over");
    (over.article.to_string(), line.cuts.load(Ordering::SeqCst))
}

#[test]
fn one_hundred_games_with_cut_lines_killed_engines_and_illegal_moves_end_with_equal_records() {
    let next = Arc::new(AtomicUsize::new(0));
    let played = (0..4).map(|_| {
        let next = Arc::clone(&next);
        thread::spawn(move || {
            let seeds = std::iter::from_fn(|| Some(next.fetch_add(1, Ordering::SeqCst)));
            seeds.take_while(|seed| *seed < 100).map(|seed| game(seed as u64)).collect::<Vec<_>>()
        })
    });
    let played: Vec<_> = played.collect();
    let ends: Vec<(String, usize)> =
        played.into_iter().flat_map(|thread| thread.join().expect("played")).collect();
    assert_eq!(ends.len(), 100);
    let cuts: usize = ends.iter().map(|(_, cuts)| cuts).sum();
    assert!(cuts > 200, "only {cuts} lines were cut");
    let articles: std::collections::BTreeSet<&str> =
        ends.iter().map(|(article, _)| article.as_str()).collect();
    assert!(articles.contains("5.1.2") && articles.contains("5.2.3"), "{articles:?}");
}
