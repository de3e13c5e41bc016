//! Any request at the pages, from nobody and from each role: nothing panics, no answer is an error
//! of the program, and no mark-up of a visitor comes out as mark-up.
//!
//! Input: who asks (`0` nobody, `1` arbiter, `2` assistant, `3` display), then `G` or `P` and the
//! path; further lines are headers up to an empty one; the rest is the body. Other input goes out
//! as it is.
#![no_main]

use std::{
    io::{Read, Write},
    net::TcpStream,
    sync::{
        LazyLock,
        atomic::{AtomicU32, Ordering},
    },
    time::Duration,
};

use libfuzzer_sys::fuzz_target;

#[path = "../../tests/shared/hall.rs"]
mod hall;

use hall::{Hall, two_boards};

/// The hall, and the cookies of nobody and of each role.
static HALL: LazyLock<(Hall, [String; 4])> = LazyLock::new(|| {
    let hall = Hall::new();
    let cookies = ["arbiter", "assistant", "display"].map(|role| hall.as_(role).cookie_header());
    let [arbiter, assistant, display] = cookies;
    (hall, [String::new(), arbiter, assistant, display])
});
/// Games end, and then little can be done in them.
const INPUTS_A_GAME: u32 = 30;
static INPUTS: AtomicU32 = AtomicU32::new(0);

/// The request that the input stands for.
fn request(input: &[u8], cookies: &[String; 4], address: &str) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(input).ok()?;
    let (head, body) = text.split_once("\n\n").unwrap_or((text, ""));
    let mut lines = head.lines();
    let first = lines.next()?;
    let who = first.chars().next()?.to_digit(10).filter(|who| *who < 4)? as usize;
    let method = match first.get(1..2)? {
        "G" => "GET",
        "P" => "POST",
        _ => return None,
    };
    let path = first.get(2..)?;
    // A wrong code is answered ever later.
    if path.contains("pair") || path.contains("leave") || path.contains("close-others") {
        return None;
    }
    let mut all = format!(
        "{method} {path} HTTP/1.1\r\nHost: {address}\r\n{}Origin: http://{address}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n",
        cookies[who],
        body.len()
    );
    for line in lines {
        all += &format!("{line}\r\n");
    }
    Some(format!("{all}Connection: close\r\n\r\n{body}").into_bytes())
}

fuzz_target!(|input: &[u8]| {
    let (hall, cookies) = &*HALL;
    if INPUTS.fetch_add(1, Ordering::Relaxed).is_multiple_of(INPUTS_A_GAME) {
        hall.play().begin_anew(two_boards());
    }
    let address = hall.address.to_string();
    let bytes = request(input, cookies, &address).unwrap_or_else(|| input.to_vec());
    let mut stream = TcpStream::connect(hall.address).expect("the pages are there");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    // The pages may close before all is written.
    let _ = stream.write_all(&bytes);
    let _ = stream.shutdown(std::net::Shutdown::Write);
    let mut answer = Vec::new();
    let mut chunk = [0; 4096];
    // What goes on for ever begins at once.
    let endless = bytes.windows(5).any(|part| part == b"/live");
    while let Ok(count @ 1..) = stream.read(&mut chunk) {
        answer.extend_from_slice(&chunk[..count]);
        if endless {
            break;
        }
    }
    let answer = String::from_utf8_lossy(&answer);
    let status = answer.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3));
    assert_ne!(status, Some("500"), "{answer}");
    assert!(!answer.contains("<zq"), "mark-up of a visitor:\n{answer}");
});
