//! The words of the pages, in the languages that have them.

use std::sync::{Arc, OnceLock};

use shakmaty::{Color, File, Piece, Rank, Role, Square};

use super::view::Stands;
use annabella_core::{
    game::{ArbiterAct, Penalty},
    laws::Article,
    notation::{InForce, Letters, PieceLetters},
};
use annabella_records::journal::{export::clock_text, report::points_note};
use annabella_words::phrase::{
    Note, PackError, PageText,
    pack::{Pack, builtin_language, builtin_languages},
    pages::fill,
};

/// One language of the pages: the part of a pack that pages need.
#[derive(Clone, Debug)]
pub(super) struct PageWords {
    code: String,
    pack: Arc<Pack>,
    language: PieceLetters,
    letters: Letters,
    texts: Vec<String>,
    files: Vec<String>,
    ranks: Vec<String>,
    roles: Vec<String>,
    /// White's, from pawn to king, then Black's.
    pieces: [Vec<String>; 2],
}

impl PageWords {
    /// Texts that a pack lacks are taken from the English one.
    fn of(pack: Pack) -> Result<PageWords, PackError> {
        let english = Pack::builtin("en")?;
        let text = |text: &PageText| pack.page(*text).or(english.page(*text)).unwrap_or(text.key());
        let pieces = |color: Color| {
            let name = |role: Role| pack.colored_piece(Piece { color, role }).to_owned();
            Role::ALL.into_iter().map(name).collect()
        };
        Ok(PageWords {
            code: pack.code().to_owned(),
            language: pack.code().parse().unwrap_or(PieceLetters::English),
            letters: pack.code().parse().map_or(Letters::english().clone(), Letters::of),
            texts: PageText::ALL.iter().map(|t| text(t).to_owned()).collect(),
            files: File::ALL.into_iter().map(|file| pack.file(file).text.clone()).collect(),
            ranks: Rank::ALL.into_iter().map(|rank| pack.rank(rank).text.clone()).collect(),
            roles: Role::ALL.into_iter().map(|role| pack.piece(role).text.clone()).collect(),
            pieces: [pieces(Color::White), pieces(Color::Black)],
            pack: Arc::new(pack),
        })
    }

    /// ISO 639-1 code.
    pub(super) fn code(&self) -> &str {
        &self.code
    }

    pub(super) fn text(&self, text: PageText) -> &str {
        self.texts.get(text as usize).map_or(text.key(), String::as_str)
    }

    pub(super) fn fill(&self, text: PageText, slots: &[(&str, &str)]) -> String {
        fill(self.text(text), slots)
    }

    /// A note of the program. `None`: there are no words for it.
    pub(super) fn note(&self, note: &Note) -> Option<String> {
        self.pack.note(note, &|moves| self.san(moves))
    }

    /// The rule of an article in short. `None`: there are no words for it.
    pub(super) fn rule(&self, article: Article) -> Option<&str> {
        match self.code.as_str() {
            "en" => Some(article.summary()),
            _ => self.pack.article(article.as_str()),
        }
    }

    /// A note with the article that it is about; the article's rule where there are no words.
    pub(super) fn note_under(&self, note: &Note, article: Article) -> String {
        match self.note(note).or_else(|| self.rule(article).map(str::to_owned)) {
            Some(text) => format!("{text} ({article})"),
            None => article.to_string(),
        }
    }

    /// A move in SAN with English letters, with or without its number, in the reader's letters.
    pub(super) fn san(&self, san: &str) -> String {
        self.letters.in_these(san)
    }

    pub(super) fn letters(&self) -> &Letters {
        &self.letters
    }

    /// `Weiß`, with his name if that is known.
    pub(super) fn player(&self, color: Color, name: &str) -> String {
        let side = self.side(color);
        if name.is_empty() { side.to_owned() } else { format!("{side} ({name})") }
    }

    pub(super) fn side(&self, color: Color) -> &str {
        self.text(if color.is_white() { PageText::White } else { PageText::Black })
    }

    /// `Eva vier`.
    pub(super) fn square(&self, square: Square) -> String {
        let file = &self.files[usize::from(square.file())];
        format!("{file} {}", self.ranks[usize::from(square.rank())])
    }

    /// `Eva vier (e4)`: for ears that know the names of the Laws, and for eyes.
    pub(super) fn square_both(&self, square: Square) -> String {
        format!("{} ({square})", self.square(square))
    }

    /// `weißer Springer`.
    pub(super) fn piece(&self, piece: Piece) -> &str {
        &self.pieces[usize::from(piece.color.is_black())][usize::from(piece.role) - 1]
    }

    /// `ein schwarzer Bauer`: as one of several, in languages that say so.
    pub(super) fn a_piece(&self, piece: Piece) -> String {
        let feminine = self.pack.is_feminine(piece.role);
        let text = if feminine { PageText::PieceFeminine } else { PageText::PieceMasculine };
        self.fill(text, &[("piece", self.piece(piece))])
    }

    /// `Dame`.
    pub(super) fn role(&self, role: Role) -> &str {
        &self.roles[usize::from(role) - 1]
    }

    pub(super) fn stands(&self, stands: Stands) -> &str {
        match stands {
            Stands::Nothing => self.text(PageText::EmptySquare),
            Stands::Something => self.text(PageText::SomePiece),
            Stands::Known(piece) => self.piece(piece),
        }
    }
}

/// All languages of the pages; the first is the one that is used where nobody asks for another.
#[derive(Clone, Debug)]
pub(super) struct Languages {
    all: Arc<[Language]>,
}

/// A language of the pages. Its words are read when somebody asks for a page in it.
#[derive(Debug)]
struct Language {
    code: String,
    name: String,
    words: OnceLock<PageWords>,
}

impl Languages {
    /// The built-in languages, with `first` before the others. `first` may be the text of a custom
    /// pack.
    ///
    /// # Errors
    /// When that pack cannot be read.
    pub(super) fn new(first: &str) -> Result<Languages, PackError> {
        let pack = match Pack::builtin(first) {
            Err(PackError::NoSuchPack { .. }) if first.contains('\n') => Pack::parse(first)?,
            pack => pack?,
        };
        let (code, name) = (pack.code().to_owned(), pack.language().to_owned());
        let others = builtin_languages().filter(|other| *other != code).filter_map(|code| {
            let name = builtin_language(code)?.to_owned();
            Some(Language { code: code.to_owned(), name, words: OnceLock::new() })
        });
        let others: Vec<Language> = others.collect();
        let first = Language { code, name, words: OnceLock::from(PageWords::of(pack)?) };
        Ok(Languages { all: std::iter::once(first).chain(others).collect() })
    }

    /// Code and name of every language, in order.
    pub(super) fn names(&self) -> impl Iterator<Item = (&str, &str)> {
        self.all.iter().map(|language| (language.code.as_str(), language.name.as_str()))
    }

    /// The words of a language by its index; those of the first one where they cannot be read.
    pub(super) fn words(&self, index: usize) -> &PageWords {
        let language = &self.all[index];
        language.words.get_or_init(|| {
            let words = Pack::builtin(&language.code).and_then(PageWords::of);
            // The first one is there from the beginning.
            words.unwrap_or_else(|_| self.words(0).clone())
        })
    }

    /// What is in force where somebody types a move on a page: the letters of its language; the
    /// words of its language, of the board's prompts, and those of the Laws, which everybody hears.
    pub(super) fn in_force<'a>(&'a self, page: &'a PageWords) -> InForce<'a> {
        let laws = self.named("de").map(|index| self.words(index));
        let languages = [page, self.words(0)].into_iter().chain(laws);
        InForce {
            letters: page.language,
            packs: languages.map(|words| words.pack.as_ref()).collect(),
        }
    }

    /// The index of a language.
    pub(super) fn named(&self, code: &str) -> Option<usize> {
        self.all.iter().position(|language| language.code == code)
    }

    /// The first language that a browser asks for and that is there.
    pub(super) fn accepted(&self, header: &str) -> Option<usize> {
        let mut wanted: Vec<(u32, &str)> = Vec::new();
        for part in header.split(',').take(16) {
            let (tag, weight) = part.split_once(";q=").unwrap_or((part, "1"));
            let weight = weight.trim().parse::<f32>().unwrap_or(0.0).clamp(0.0, 1.0);
            let code = tag.trim().split('-').next().unwrap_or("");
            // Between 0 and 1000.
            wanted.push(((weight * 1000.0) as u32, code));
        }
        wanted.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
        wanted.into_iter().filter(|(weight, _)| *weight > 0).find_map(|(_, code)| self.named(code))
    }
}

/// A decision in one line, for the log.
pub(super) fn act_note(act: &ArbiterAct) -> Note {
    match act {
        ArbiterAct::StopClocks => Note::ClocksStopped,
        ArbiterAct::StartClocks { .. } => Note::GameGoesOn,
        ArbiterAct::SetClock { seat, ms, .. } => {
            Note::ClockSetTo { player: *seat, time: clock_text(*ms) }
        }
        ArbiterAct::Penalty { seat, penalty } => Note::PenaltyFor {
            player: *seat,
            penalty: Box::new(penalty_note(penalty)),
            article: penalty.article().to_string(),
        },
        ArbiterAct::ConfirmProposal { number, .. } => Note::ProposalConfirmed { number: *number },
        ArbiterAct::DismissProposal { number } => Note::ProposalDismissed { number: *number },
        ArbiterAct::Declare { result, article } => {
            Note::ResultIs { result: result.to_string(), article: article.to_string() }
        }
        ArbiterAct::AcceptMove { uci } => Note::CountsAsMade { uci: uci.as_str().into() },
        ArbiterAct::Signed { seat } => Note::HasSigned { player: *seat },
        ArbiterAct::IllegalMove { seat, article } => {
            Note::IllegalMoveOf { player: *seat, article: article.to_string() }
        }
        ArbiterAct::PlayOn => Note::NotOverAfterAll,
        // What it came to is shown instead: a clock that was set.
        ArbiterAct::TakeBack { .. } => Note::Dismissed,
        ArbiterAct::LetStand { uci, .. } => Note::MadeFirstStands { uci: uci.as_str().into() },
        ArbiterAct::GoBack { .. } => Note::GoesBack,
        ArbiterAct::Note { text } => text.clone(),
        ArbiterAct::Settle(settle) => {
            let clocks = settle.clocks.map_or(Note::AsTheyStand, |clocks| Note::BothClocks {
                white: clock_text(clocks.white_ms),
                black: clock_text(clocks.black_ms),
            });
            Note::PlayOnAfter { ply: settle.ply, clocks: Box::new(clocks) }
        }
    }
}

fn penalty_note(penalty: &Penalty) -> Note {
    match penalty {
        Penalty::Warning => Note::Warning,
        Penalty::TimeToOpponent { ms } => Note::MinutesForOpponent { minutes: ms / 60_000 },
        Penalty::TimeOff { ms } => {
            Note::Less { what: Box::new(Note::Words(format!("{} min", ms / 60_000))) }
        }
        Penalty::Fine { amount } => Note::FineOf { amount: amount.clone() },
        other => points_note(other),
    }
}

#[cfg(test)]
mod tests {
    use annabella_words::phrase::pack::builtin_names;

    use super::*;

    #[test]
    fn every_language_has_every_text_with_the_slots_of_the_english_one() {
        let slots = |text: &str| {
            let mut slots: Vec<String> = text
                .split('{')
                .skip(1)
                .filter_map(|s| s.split('}').next())
                .map(str::to_owned)
                .collect();
            slots.sort();
            slots
        };
        let english = Pack::builtin("en").expect("a built-in pack");
        for name in builtin_names() {
            let pack = Pack::builtin(name).expect("a built-in pack");
            for text in PageText::ALL {
                let own = pack.page(*text).unwrap_or_else(|| panic!("{name}: {}", text.key()));
                let model = english.page(*text).expect("a text");
                assert_eq!(slots(own), slots(model), "{name}: {}", text.key());
            }
        }
    }

    #[test]
    fn the_chooser_has_every_language_by_its_own_name() {
        let languages = Languages::new("en").expect("packs");
        let shown: Vec<_> = languages.names().collect();
        assert_eq!(shown[0], ("en", "English"));
        assert_eq!(shown.len() + 1, builtin_names().count(), "fide and de are one");
        for (n, (code, name)) in shown.into_iter().enumerate() {
            let pack = Pack::builtin(code).expect("a built-in pack");
            assert_eq!((name, languages.words(n).code()), (pack.language(), code));
        }
    }

    #[test]
    fn the_browsers_favourite_among_ours_is_taken() {
        let languages = Languages::new("de").expect("packs");
        let code = |header: &str| languages.accepted(header).map(|n| languages.words(n).code());
        assert_eq!(code("fr-CH, fr;q=0.9, en;q=0.8, de;q=0.7, *;q=0.5"), Some("fr"));
        assert_eq!(code("nl, en;q=0.5, pl;q=0.8"), Some("pl"));
        assert_eq!(code("nl"), None);
        assert_eq!(code("en;q=0"), None);
        assert_eq!(code(";;;q=q,,"), None);
        assert_eq!(languages.words(0).code(), "de");
    }

    #[test]
    fn squares_and_pieces_are_named_in_the_pages_language() {
        let languages = Languages::new("de").expect("packs");
        let german = languages.words(0);
        assert_eq!(german.square(Square::E4), "Eva vier");
        assert_eq!(
            german.piece(Piece { color: Color::Black, role: Role::Knight }),
            "schwarzer Springer"
        );
        assert_eq!(german.player(Color::White, "Anna"), "Weiß (Anna)");
    }
}
