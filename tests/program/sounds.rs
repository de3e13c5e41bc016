//! The recording device (D.2.7): sounds beside the journal, bounded, the oldest games first.

use annabella::service::sounds::Sounds;
use annabella_core::game::At;
use annabella_devices::voice::Pcm;
use annabella_records::journal::GameId;

fn second() -> Pcm {
    Pcm { rate_hz: 16_000, samples: vec![7; 16_000] }
}

fn game(number: i64) -> GameId {
    GameId { number }
}

#[test]
fn a_sound_lies_beside_its_entry() {
    let folder = tempfile::tempdir().expect("folder");
    let sounds = Sounds::beside(&folder.path().join("annabella.db"), 1_000_000);
    let path = sounds.keep(game(3), At::new(12_345), &second()).expect("kept");
    assert_eq!(path, folder.path().join("annabella.audio/3/000000012345.wav"));
    assert_eq!(path, sounds.path(game(3), At::new(12_345)));
    assert_eq!(Pcm::read_wav(&path), Ok(second()));
}

#[test]
fn the_oldest_games_go_first_and_then_the_oldest_of_this_one() {
    let folder = tempfile::tempdir().expect("folder");
    // A second is 32 kB: three of them fit.
    let sounds = Sounds::beside(&folder.path().join("annabella.db"), 100_000);
    let keep = |number, ms| sounds.keep(game(number), At::new(ms), &second()).expect("kept");
    let there = |number, ms| sounds.path(game(number), At::new(ms)).exists();
    keep(1, 10);
    keep(2, 20);
    keep(2, 30);
    assert!(there(1, 10) && there(2, 20) && there(2, 30));
    keep(3, 40);
    assert!(!there(1, 10) && there(2, 20) && there(2, 30) && there(3, 40));
    // A game that goes on again after a newer one keeps its own until there is nothing else.
    keep(2, 50);
    assert!(!there(3, 40) && there(2, 20) && there(2, 30) && there(2, 50));
    keep(2, 60);
    assert!(!there(2, 20) && there(2, 30) && there(2, 50) && there(2, 60));
    assert!(!folder.path().join("annabella.audio/1").exists());
}

#[test]
fn what_was_just_said_is_kept_however_small_the_limit() {
    let folder = tempfile::tempdir().expect("folder");
    let sounds = Sounds::beside(&folder.path().join("annabella.db"), 10);
    let path = sounds.keep(game(1), At::new(1), &second()).expect("kept");
    assert!(path.exists());
    let other = sounds.keep(game(1), At::new(2), &second()).expect("kept");
    assert!(other.exists() && !path.exists());
}

#[test]
fn a_folder_that_cannot_be_written_is_one_line() {
    let folder = tempfile::tempdir().expect("folder");
    std::fs::write(folder.path().join("annabella.audio"), "in the way").expect("written");
    let sounds = Sounds::beside(&folder.path().join("annabella.db"), 1_000_000);
    let err = sounds.keep(game(1), At::new(1), &second()).expect_err("in the way");
    assert!(err.starts_with("[record] audio: cannot make "), "{err}");
    assert_eq!(err.lines().count(), 1);
}
