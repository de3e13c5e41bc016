//! A game with a person far away: what is done at one table is done at the other, whatever the line
//! does.

use std::{path::PathBuf, time::Duration};

use annabella_core::game::{Game, Input, Output, PageRole};
use annabella_partner::{
    door::{Door, Place},
    far::{
        sit::{SitError, WhenGone},
        there::{FarError, Waits},
    },
    lichess::{
        board::{Board, Wishes},
        evening::first,
        listen::Listener,
        news::news,
        site::Site,
    },
};
use annabella_records::journal::views::pgn;
use annabella_words::phrase::Note;
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use shakmaty::{Color, Position as _, uci::UciMove};
use tokio::task::JoinHandle;
use tokio_rustls::rustls::RootCertStore;

use crate::{
    at_table::{AtBoard, Habits, Player, at_home, write_code},
    hall::Hall,
    lichess::{Fault, ID, Lichess, TOKEN},
    patience::until,
};

/// What the real server asks to be waited for is too long for a test.
pub(crate) fn site(lichess: &Lichess) -> Site {
    let mut site = Site::trusting(&lichess.site(), TOKEN, RootCertStore::empty()).expect("a site");
    let ms = Duration::from_millis;
    site.waits = Waits {
        busy: ms(40),
        silence: Duration::from_secs(60),
        pause: ms(5),
        longest_pause: ms(50),
        again: ms(500),
    };
    site
}

/// Both tables, and who sits between.
struct Evening {
    hall: Hall,
    lichess: Lichess,
    sitting: JoinHandle<Result<(), SitError>>,
    own: Color,
    _folder: tempfile::TempDir,
}

fn sits(own: Color, wishes: Wishes) -> Evening {
    let hall = Hall::of(at_home(own), |_| {});
    let folder = tempfile::tempdir().expect("a folder");
    let code: PathBuf = folder.path().join("code");
    write_code(&hall, hall.address, &code);
    let lichess = Lichess::of(own);
    let site = site(&lichess);
    let sitting = hall.runtime.spawn(async move {
        let mut from = Listener::at(site.clone(), format!("/api/board/game/stream/{ID}"), news);
        let full = first(&mut from, |_| {}).await?;
        let door = Door::at(Place::File(code), "boris, Lichess");
        Board::sits((door, site), "anna", (&full, own), from, wishes, |_| {}).plays().await
    });
    Evening { hall, lichess, sitting, own, _folder: folder }
}

impl AtBoard for Evening {
    fn table(&self) -> (&Hall, Color) {
        (&self.hall, self.own)
    }
}

impl Evening {
    fn until_here(&self, moves: &[&str]) {
        until("the moves here", || self.line() == moves);
        let all_pressed = || {
            let play = self.hall.play();
            let record = play.game.record().expect("a game");
            record.line.iter().all(|ply| ply.completed.is_some())
        };
        until("his clock is pressed", || all_pressed() || self.ended().is_some());
    }

    fn until_there(&self, moves: &[&str]) {
        until("the moves there", || self.lichess.table().moves == moves);
    }

    /// The game is over at both tables, and he who sat between has left.
    fn ends(self, result: &str, article: &str) {
        until("the end", || self.ended().is_some());
        assert_eq!(self.ended(), Some((result.to_owned(), article.to_owned())));
        self.hall.runtime.block_on(self.sitting).expect("no panic").expect("played to its end");
        let play = self.hall.play();
        let record = play.game.record().expect("a game");
        assert!(pgn(&record).contains("[Event \"played at home, no tournament's game\"]"));
        for input in &play.from_pages {
            let Input::Page(entry) = input else { panic!("{input:?}") };
            assert_eq!((entry.role, entry.by.as_str()), (PageRole::Program, "boris, Lichess"));
        }
        let (again, _) = Game::replay(play.inputs.clone());
        assert_eq!(again.record().expect("a game").line, record.line);
    }

    /// All that was said.
    fn said(&self) -> Vec<String> {
        let (_, outputs) = Game::replay(self.hall.play().inputs.clone());
        let outputs = outputs.into_iter().flatten().flatten();
        let words = outputs.filter_map(|output| match output {
            Output::Say { words, .. } => Some(words.to_string()),
            _ => None,
        });
        words.collect()
    }

    fn told(&self, text: &str) -> bool {
        self.said().iter().any(|said| said == text)
    }

    fn until_told(&self, text: &str) {
        until(text, || self.told(text));
    }
}

const E4: &str = "Bauer Eva zwei Eva vier";
const KNIGHT: &str = "Springer Gustav eins Felix drei";

/// White is the blind player, and each has made a move.
fn begun(wishes: Wishes) -> Evening {
    let evening = sits(Color::White, wishes);
    evening.moves(E4);
    evening.until_there(&["e2e4"]);
    evening.lichess.moves("e7e5");
    evening.until_here(&["e2e4", "e7e5"]);
    evening
}

/// A whole game by chance, over a line with these faults.
fn whole_game(own: Color, seed: u64, faults: bool) {
    let evening = sits(own, Wishes::default());
    let mut player = Player::new(own, seed, Habits { tires: Some(60), offers: 10, agrees: false });
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    if faults {
        evening.lichess.breaks(Fault::Twice);
    }
    while !player.goes_on(&evening.hall) {
        std::thread::sleep(Duration::from_millis(2));
        let turn = {
            let table = evening.lichess.table();
            let position = table.position();
            (table.status == "started" && position.turn() != own)
                .then(|| (position.legal_moves(), table.moves.len()))
        };
        let Some((legal, plies)) = turn.filter(|(legal, _)| !legal.is_empty()) else { continue };
        if faults && rng.random_range(0..3) == 0 {
            let fault = match rng.random_range(0..6) {
                0 => Fault::CutInLine,
                1 => Fault::Status("move/", 500),
                2 => Fault::Status("move/", 429),
                3 => Fault::Unanswered("move/"),
                4 => Fault::Slow("move/"),
                _ => Fault::Status("/api/board/game/stream", 503),
            };
            evening.lichess.breaks(fault);
        }
        let mv = UciMove::from_standard(legal[rng.random_range(0..legal.len())]).to_string();
        evening.lichess.moves(&mv);
        if faults && plies % 5 == 0 {
            evening.lichess.cuts();
        }
    }
    until("the end there", || evening.lichess.table().status != "started");
    let there = evening.lichess.table().moves.clone();
    assert_eq!(evening.line(), there, "seed {seed}");
    let (result, article) = evening.ended().expect("over");
    let winner = evening.lichess.table().winner;
    let expected = winner.map_or("1/2-1/2", |winner| winner.fold_wb("1-0", "0-1"));
    assert_eq!(result, expected, "seed {seed}: {article}");
    evening.ends(&result, &article);
}

#[test]
fn whole_games_are_the_same_at_both_tables() {
    whole_game(Color::White, 1, false);
    whole_game(Color::Black, 2, false);
}

#[test]
fn games_over_a_line_that_is_cut_and_a_server_that_fails_are_the_same_at_both_tables() {
    for seed in 3..9 {
        whole_game(if seed % 2 == 0 { Color::White } else { Color::Black }, seed, true);
    }
}

#[test]
fn a_move_that_was_made_while_the_stream_was_cut_is_carried_out_when_it_is_back() {
    let evening = begun(Wishes::default());
    evening.moves(KNIGHT);
    evening.until_there(&["e2e4", "e7e5", "g1f3"]);
    evening.lichess.breaks(Fault::Status("/stream/", 503));
    evening.lichess.cuts();
    evening.lichess.moves("b8c6");
    evening.until_here(&["e2e4", "e7e5", "g1f3", "b8c6"]);
    // Said once, however often it was told.
    assert_eq!(evening.lichess.times("move/g1f3"), 1);
    evening.lichess.ends("resign", Some(Color::White));
    evening.ends("1-0", "5.1.2");
}

#[test]
fn the_clock_is_the_servers_and_no_flag_falls_here() {
    let evening = begun(Wishes::default());
    evening.lichess.tells(|table| table.left_ms = [61_000, 777_000]);
    until("the times", || {
        let play = evening.hall.play();
        let (white, black, _) = play.game.record().expect("a game").clock;
        (59_000..=61_000).contains(&white) && black == 777_000
    });
    evening.hall.play().wait(120_000);
    assert_eq!(evening.ended(), None, "the server's clock counts");
    evening.lichess.ends("outoftime", Some(Color::Black));
    evening.ends("0-1", "6.9");
}

#[test]
fn a_draw_is_offered_declined_offered_and_taken_at_both_tables() {
    let evening = begun(Wishes::default());
    evening.says(KNIGHT);
    evening.says("Remis anbieten");
    evening.says("ja");
    assert_eq!(evening.lichess.times("draw"), 0, "an offer goes with the move");
    evening.presses();
    evening.until_there(&["e2e4", "e7e5", "g1f3"]);
    until("the offer there", || evening.lichess.table().offers[0]);
    assert_eq!(evening.lichess.times("move/g1f3?offeringDraw=true"), 1);
    evening.lichess.moves("b8c6");
    evening.until_here(&["e2e4", "e7e5", "g1f3", "b8c6"]);
    evening.lichess.tells(|table| table.offers[1] = true);
    evening.until_told("Dein Gegner bietet Remis an.");
    evening.says("Remis ablehnen");
    until("declined there", || !evening.lichess.table().offers[1]);
    assert_eq!(evening.lichess.times("draw/no"), 1);
    evening.lichess.tells(|table| table.offers[1] = true);
    let offered = || {
        let play = evening.hall.play();
        play.game.record().expect("a game").offered() == Some(Color::Black)
    };
    until("offered again", offered);
    evening.says("Remis annehmen");
    evening.says("ja");
    until("agreed there", || evening.lichess.table().status == "draw");
    let article = evening.ended().expect("over").1;
    evening.ends("1/2-1/2", &article);
}

#[test]
fn an_offer_that_the_opponent_takes_or_declines_there_is_answered_here() {
    let evening = begun(Wishes::default());
    evening.says("Remis anbieten");
    evening.says("ja");
    until("the offer there", || evening.lichess.table().offers[0]);
    evening.lichess.tells(|table| table.offers[0] = false);
    evening.until_told("Remis abgelehnt.");
    evening.moves(KNIGHT);
    evening.until_there(&["e2e4", "e7e5", "g1f3"]);
    evening.lichess.moves("b8c6");
    evening.until_here(&["e2e4", "e7e5", "g1f3", "b8c6"]);
    evening.says("Remis anbieten");
    evening.says("ja");
    until("the second offer", || evening.lichess.table().offers[0]);
    evening.lichess.ends("draw", None);
    until("the end", || evening.ended().is_some());
    let article = evening.ended().expect("over").1;
    evening.ends("1/2-1/2", &article);
}

#[test]
fn a_takeback_is_refused_and_that_is_said() {
    let evening = begun(Wishes::default());
    evening.lichess.tells(|table| table.takebacks[1] = true);
    evening.until_told("Dein Gegner wollte einen Zug zurücknehmen. Ich habe abgelehnt.");
    assert_eq!(evening.lichess.times("takeback/no"), 1);
    evening.lichess.ends("resign", Some(Color::White));
    evening.ends("1-0", "5.1.2");
}

#[test]
fn the_game_is_claimed_when_the_opponent_has_gone_and_not_when_he_is_back() {
    let evening = begun(Wishes::default());
    let gone = |gone: bool, s: u64| {
        evening
            .lichess
            .line(&json!({ "type": "opponentGone", "gone": gone, "claimWinInSeconds": s }));
    };
    gone(true, 600);
    evening.until_told("Dein Gegner hat die Verbindung verloren.");
    gone(false, 0);
    evening.until_told("Dein Gegner ist wieder da.");
    assert_eq!(evening.lichess.times("claim-victory"), 0);
    gone(true, 0);
    evening.until_told("Dein Gegner hat die Partie verlassen.");
    assert_eq!(evening.lichess.times("claim-victory"), 1);
    evening.ends("1-0", "5.1.2");
}

#[test]
fn nothing_is_claimed_of_an_opponent_who_is_waited_for() {
    let evening = begun(Wishes { when_gone: WhenGone::Wait, ..Wishes::default() });
    evening.lichess.line(&json!({ "type": "opponentGone", "gone": true, "claimWinInSeconds": 0 }));
    evening.until_told("Dein Gegner hat die Verbindung verloren.");
    evening.moves(KNIGHT);
    evening.until_there(&["e2e4", "e7e5", "g1f3"]);
    assert_eq!(evening.lichess.times("claim-"), 0);
    evening.lichess.ends("outoftime", Some(Color::White));
    evening.ends("1-0", "6.9");
}

#[test]
fn a_game_that_is_called_off_does_not_count() {
    let evening = sits(Color::Black, Wishes::default());
    evening.lichess.moves("e2e4");
    evening.until_here(&["e2e4"]);
    evening.lichess.ends("aborted", None);
    until("the end", || evening.ended().is_some());
    assert!(evening.told("Die Partie wurde abgebrochen, bevor sie begann."));
    evening.ends("*", "6.7");
}

#[test]
fn who_resigns_here_resigns_there_and_before_the_game_calls_it_off() {
    let evening = begun(Wishes::default());
    evening.resigns();
    until("resigned there", || evening.lichess.table().status == "resign");
    evening.ends("0-1", "5.1.2");
    let evening = sits(Color::White, Wishes::default());
    evening.resigns();
    until("called off there", || evening.lichess.table().status == "aborted");
    evening.ends("0-1", "5.1.2");
}

#[test]
fn after_too_many_questions_it_waits_and_then_the_move_is_made() {
    let evening = begun(Wishes::default());
    evening.lichess.breaks(Fault::Status("move/", 429));
    evening.moves(KNIGHT);
    evening.until_told("Lichess bittet um eine Minute Pause. Danach geht es weiter.");
    evening.until_there(&["e2e4", "e7e5", "g1f3"]);
    assert_eq!(evening.lichess.times("move/g1f3"), 2);
    evening.lichess.ends("resign", Some(Color::White));
    evening.ends("1-0", "5.1.2");
}

#[test]
fn a_move_that_the_server_refuses_is_said_and_tried_again() {
    let evening = begun(Wishes::default());
    evening.lichess.breaks(Fault::Status("move/", 400));
    evening.moves(KNIGHT);
    evening.until_told("Lichess nimmt deinen Zug nicht an. Ich versuche es weiter.");
    evening.until_there(&["e2e4", "e7e5", "g1f3"]);
    evening.lichess.ends("resign", Some(Color::White));
    evening.ends("1-0", "5.1.2");
}

#[test]
fn a_move_that_is_too_late_there_ends_the_game_as_it_ended_there() {
    let evening = begun(Wishes::default());
    evening.lichess.changes(|table| {
        // Nobody has told it yet.
        (table.status, table.winner) = ("outoftime".to_owned(), Some(Color::Black));
    });
    evening.moves(KNIGHT);
    evening.ends("0-1", "6.9");
}

#[test]
fn a_token_that_is_revoked_in_mid_game_is_said_and_shown_to_nobody() {
    let evening = begun(Wishes::default());
    evening.lichess.changes(|table| table.revoked = true);
    evening.until_told(
        "Lichess nimmt deinen Schlüssel nicht mehr an. Diese Partie geht hier nicht weiter.",
    );
    let ended = evening.hall.runtime.block_on(evening.sitting).expect("no panic");
    let Err(SitError::There(err @ FarError::Token { .. })) = ended else { panic!("{ended:?}") };
    let line = err.to_string();
    assert!(line.contains("account/oauth/token") && line.contains("--new-token"), "{line}");
    assert!(!line.contains(TOKEN) && !line.contains('\n'), "{line}");
}

#[test]
fn what_the_opponent_writes_is_said_where_it_is_wanted() {
    for chat in [true, false] {
        let evening = begun(Wishes { chat, ..Wishes::default() });
        for (room, name, text) in [
            ("player", "Anna", "mine"),
            ("spectator", "carl", "of a spectator"),
            ("player", "lichess", "Takeback sent"),
            ("player", "boris", "Viel\nGlück"),
        ] {
            let line = json!({ "type": "chatLine", "room": room, "username": name, "text": text });
            evening.lichess.line(&line);
        }
        evening.lichess.tells(|table| table.takebacks[1] = true);
        evening.until_told("Dein Gegner wollte einen Zug zurücknehmen. Ich habe abgelehnt.");
        if chat {
            evening.until_told("Dein Gegner sagt: Viel Glück.");
        }
        let said = evening.said();
        let said = said.iter().filter(|said| said.starts_with("Dein Gegner sagt"));
        assert_eq!(said.count(), usize::from(chat));
        evening.lichess.ends("resign", Some(Color::White));
        evening.ends("1-0", "5.1.2");
    }
}

#[test]
fn who_moves_on_another_page_hears_that_the_tables_differ() {
    let evening = begun(Wishes::default());
    evening.lichess.changes(|table| {
        table.moves.push("d2d4".to_owned());
    });
    evening.lichess.tells(|_| {});
    evening.until_told("Auf Lichess steht die Partie anders als hier. Beende sie dort.");
    evening.lichess.ends("resign", Some(Color::Black));
    evening.ends("0-1", "5.1.2");
}

#[test]
fn the_end_far_away_stands_in_the_record_with_its_reason() {
    let evening = begun(Wishes::default());
    evening.lichess.ends("cheat", Some(Color::White));
    until("the end", || evening.ended().is_some());
    {
        let play = evening.hall.play();
        let ended = play.game.ended().expect("over");
        let reason = format!("{}: cheat", evening.lichess.site());
        assert_eq!(ended.reason, Note::Words(reason));
    }
    evening.ends("1-0", "11.3");
}

#[test]
fn what_is_allowed_at_home_only_is_refused_in_a_game_far_away() {
    let evening = begun(Wishes::default());
    evening.says("Tipp");
    evening.until_told("Dein Gegner sagt: Auf Lichess ist Hilfe verboten.");
    evening.says("Zug zurück");
    evening.says("ja");
    let wished = || {
        let play = evening.hall.play();
        play.game.record().expect("a game").wished().is_some()
    };
    until("an answer", || !wished());
    assert_eq!(evening.line(), ["e2e4", "e7e5"]);
    assert_eq!(evening.lichess.times("takeback"), 0);
    evening.lichess.ends("resign", Some(Color::White));
    evening.ends("1-0", "5.1.2");
}
