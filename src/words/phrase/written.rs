//! A sentence for fingers: the words that the ear gets, with squares as they are written.

use shakmaty::{File, Rank, Square};

use super::{Pack, Utterance};

/// A sentence of this move language, with `Gustav eins` as `g1` and `Anna, Bella zwei` as `a, b2`.
pub(super) fn written(moves: &Pack, words: &Utterance) -> String {
    let parts = words.parts.iter().map(|part| match part.lang == moves.code() {
        true => with_squares(moves, &part.text),
        false => part.text.clone(),
    });
    parts.collect::<Vec<_>>().join(" ")
}

fn with_squares(moves: &Pack, text: &str) -> String {
    let mut rest: Vec<&str> = text.split(' ').collect();
    let mut said = Vec::new();
    while let Some((first, others)) = rest.split_first() {
        match squares(moves, &rest) {
            Some((squares, words)) => {
                said.push(squares);
                rest.drain(..words);
            }
            None => {
                said.push((*first).to_owned());
                rest = others.to_vec();
            }
        }
    }
    said.join(" ")
}

/// The squares that these words begin with, and how many words they are. Only a rank makes a file's
/// name a file: somebody may be called Eva.
fn squares(moves: &Pack, words: &[&str]) -> Option<(String, usize)> {
    let mut written = String::new();
    for (n, word) in words.iter().enumerate() {
        let (before, name, after) = marks(word);
        let file = File::ALL.into_iter().find(|file| moves.file(*file).text == name)?;
        written.push_str(before);
        if after == "," {
            written.push_str(&format!("{}, ", file.char()));
            continue;
        }
        let (_, name, end) = words.get(n + 1).map(|word| marks(word))?;
        let rank = Rank::ALL.into_iter().find(|rank| moves.rank(*rank).text == name)?;
        let whole = after.is_empty();
        return whole
            .then(|| (format!("{written}{}{end}", Square::from_coords(file, rank)), n + 2));
    }
    None
}

/// The marks before a word, the word, and the marks after it.
fn marks(word: &str) -> (&str, &str, &str) {
    let mark = |c: char| !c.is_alphanumeric();
    let name = word.trim_start_matches(mark);
    let (before, _) = word.split_at(word.len() - name.len());
    let bare = name.trim_end_matches(mark);
    (before, bare, &name[bare.len()..])
}

#[cfg(test)]
mod tests {
    use shakmaty::{Chess, Move, Position};

    use super::*;
    use crate::phrase::{Prompt, Slot, SpokenForm, Words, pack};

    #[test]
    fn squares_are_written_and_all_else_is_as_it_is_heard() {
        let german = Pack::builtin("de").expect("there");
        for (heard, read) in [
            ("Springer Gustav eins Felix drei", "Springer g1 f3"),
            ("Bauer Eva zwei Eva vier?", "Bauer e2 e4?"),
            ("Eva vier: leer.", "e4: leer."),
            ("Bauern: Anna, Bella, Cesar, David zwei. Eva vier.", "Bauern: a, b, c, d2. e4."),
            ("Linie Eva: Turm acht, Bauer vier.", "Linie Eva: Turm acht, Bauer vier."),
            ("Weiß: Eva Müller, Schwarz: Gustav.", "Weiß: Eva Müller, Schwarz: Gustav."),
            ("Anna, Bella gegen Felix", "Anna, Bella gegen Felix"),
            ("Eva. Vier Züge.", "Eva. Vier Züge."),
            ("", ""),
        ] {
            assert_eq!(with_squares(&german, heard), read);
        }
    }

    #[test]
    fn a_move_is_announced_from_its_notation_as_from_its_position() {
        let words = Words::builtin("fide", "de").expect("built in");
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "6k1/5ppp/8/8/8/8/8/R3K2R w KQ - 0 1",
        ];
        for fen in fens {
            let fen: shakmaty::fen::Fen = fen.parse().expect("a FEN");
            let position: Chess =
                fen.into_position(shakmaty::CastlingMode::Standard).expect("legal");
            for mv in position.legal_moves().into_iter().filter(|mv| !mv.is_en_passant()) {
                let uci = mv.to_uci(shakmaty::CastlingMode::Standard).to_string();
                let san = shakmaty::san::SanPlus::from_move(position.clone(), mv).to_string();
                let from_position = words.announce(&position, mv, SpokenForm::Full);
                assert_eq!(words.announce_written(&uci, &san), Some(from_position), "{san}");
            }
        }
        assert_eq!(words.announce_written("0000", "--"), None);
    }

    #[test]
    fn in_every_language() {
        let position = Chess::default();
        let first = |uci: &str| -> Move {
            let legal = position.legal_moves();
            *legal
                .iter()
                .find(|mv| mv.to_uci(shakmaty::CastlingMode::Standard).to_string() == uci)
                .expect(uci)
        };
        for name in pack::builtin_languages() {
            let words = Words::builtin(name, name).expect("built in");
            let said = words.announce(&position, first("g1f3"), SpokenForm::Full);
            let knight = words.moves().piece(shakmaty::Role::Knight).text.clone();
            let read = words.written(&said);
            assert!(
                read.starts_with(&knight) && read.ends_with("f3") && read.contains("g1"),
                "{read}"
            );
            for square in Square::ALL {
                let said = words.prompt(Prompt::SquareEmpty, &[Slot::Square(square)]);
                let read = words.written(&said);
                assert!(read.contains(&square.to_string()), "{read}");
                let own = [words.moves().file(square.file()), words.moves().rank(square.rank())];
                assert!(own.iter().all(|word| !read.contains(&word.text)), "{read}");
            }
        }
    }
}
