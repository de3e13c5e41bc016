//! A message of the hall's stream, with any bytes where a stranger may put some; and rows with the
//! right checksums, as somebody sends them who has a board's key.
#![no_main]

use annabella_hall::{
    floor::Floor,
    names::{EventName, GameSubject},
    reading::{Kept, NoMessage},
    stream::StreamRow,
};
use annabella_records::journal::{GameId, KeptRow};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    let event: EventName = "e".parse().expect("a name");
    // As the server says it.
    if let Ok(kept) = Kept::read(data) {
        let _ = kept.row(&event);
    }
    // As it lies there: subject, header and payload.
    let mut parts = data.splitn(3, |byte| *byte == 0);
    let mut part = || parts.next().unwrap_or_default();
    let (subject, header, payload) = (part(), part(), part());
    let base64 = |bytes: &[u8]| {
        const DIGITS: &[u8; 64] =
            b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        let mut text = String::new();
        for chunk in bytes.chunks(3) {
            let number = chunk.iter().fold(0_u32, |n, byte| n << 8 | u32::from(*byte))
                << (8 * (3 - chunk.len()));
            for place in 0..4 {
                let digit = DIGITS[(number >> (18 - 6 * place) & 63) as usize];
                text.push(if place > chunk.len() { '=' } else { char::from(digit) });
            }
        }
        text
    };
    let answer = serde_json::json!({ "message": {
        "subject": String::from_utf8_lossy(subject), "seq": 1, "time": "2026-11-27T07:50:36Z",
        "hdrs": base64(header), "data": base64(payload),
    } });
    let kept = match Kept::read(answer.to_string().as_bytes()) {
        Ok(kept) => kept,
        Err(NoMessage::Nothing | NoMessage::NoStream) => panic!("it is there"),
        Err(NoMessage::Refused(why)) => panic!("{why}"),
    };
    if let Ok((row, _)) = kept.row(&event) {
        let mut floor = Floor::new();
        floor.row(&row, 1_000);
        look(&floor);
    }
    follow(payload);
});

/// Each line is a row of one game: its moment, a space, its input. The checksums are right.
fn follow(lines: &[u8]) {
    let game = GameId { number: 1 };
    let (mut floor, mut before) = (Floor::new(), (0, [0; 16]));
    for line in String::from_utf8_lossy(lines).lines() {
        let (at, json) = line.split_once(' ').unwrap_or(("0", line));
        let Some(row) = KeptRow::after(game, before, at.parse().unwrap_or(0), json.to_owned())
        else {
            continue;
        };
        before = (row.number, row.sum);
        let of = GameSubject { board: 1, game, copy: 1 };
        floor.row(&StreamRow { of, row, sequence: before.0 }, 1_000);
        look(&floor);
    }
}

fn look(floor: &Floor) {
    for now_ms in [0, 2_000, u64::MAX] {
        for board in floor.stands(now_ms) {
            let _ = floor.pgn("e", board.board, Vec::new());
        }
    }
}
