//! Recordings that are no speech.

use std::{
    fs::File,
    io::Write as _,
    path::Path,
    process::{Command, Output},
};

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::folder;
use crate::skip::skipped;

/// The head of a WAV file of this length: 16 kHz, mono, 16 bits.
fn head(seconds: u32) -> Vec<u8> {
    let bytes = seconds * 32_000;
    let mut head = b"RIFF".to_vec();
    head.extend((36 + bytes).to_le_bytes());
    head.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    head.extend(16_000_u32.to_le_bytes());
    head.extend(32_000_u32.to_le_bytes());
    head.extend(b"\x02\0\x10\0data");
    head.extend(bytes.to_le_bytes());
    head
}

fn listen(file: &Path) -> Output {
    let annabella = env!("CARGO_BIN_EXE_annabella");
    Command::new(annabella).args(["listen", "--wav"]).arg(file).output().expect("runs")
}

/// Processor time of the programs that this test has run, seconds: however busy the machine is.
///
/// Source: proc_pid_stat(5), cutime and cstime, in hundredths of a second.
fn children_s() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("a line");
    let (_, after) = stat.rsplit_once(") ").expect("its name");
    let ticks = after.split(' ').skip(13).take(2).map(|n| n.parse::<f64>().expect("a number"));
    ticks.sum::<f64>() / 100.0
}

#[test]
fn a12_a_minute_of_noise_is_heard_much_faster_than_it_lasts() {
    let folder = folder();
    let path = folder.path().join("noise.wav");
    let mut noise = head(60);
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    noise.extend((0..60 * 16_000).flat_map(|_| rng.random_range(-8_000..8_000_i16).to_le_bytes()));
    std::fs::write(&path, noise).expect("written");
    let before_s = children_s();
    let output = listen(&path);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(3) {
        return skipped("libvosk", &error);
    }
    assert_eq!(output.status.code(), Some(1), "{error}");
    let took_s = children_s() - before_s;
    // A third of its length, of one processor.
    assert!((0.1..20.0).contains(&took_s), "{took_s} s");
}

#[test]
fn a12_an_hours_recording_is_refused_in_one_line() {
    let folder = folder();
    let path = folder.path().join("hour.wav");
    let mut file = File::create(&path).expect("made");
    file.write_all(&head(3_600)).expect("written");
    // All of it silence, none of it on the disk.
    file.set_len(44 + 3_600 * 32_000).expect("long");
    let output = listen(&path);
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    if output.status.code() == Some(3) {
        return skipped("libvosk", &error);
    }
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("lasts 3600 s: cut it into parts of at most 600 s"), "{error}");
}
