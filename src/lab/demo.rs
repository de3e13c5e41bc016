//! `annabella demo`: the service on a simulated peg board, sighted board and clock.

use std::{
    io::Write,
    path::PathBuf,
    time::{SystemTime, UNIX_EPOCH},
};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Color, Position};

mod by_word;
mod diverge;
mod duel;
mod evening;
#[cfg(feature = "hall")]
mod hall;
mod player;
mod screen;
mod sound;
mod visitor;

use player::Player;
use screen::Screen;
use sound::Sound;

use annabella::{
    cli::{Exit, Failure, recordings::GAMES},
    service::Service,
};
use annabella_core::{
    game::{At, Blind, GameConfig, HandsKnown, HandsOf, Input, Learnt, Output, Started, write_fen},
    laws::ended_after,
    notation::pgn::{PgnFile, PgnGame, Section},
};
use annabella_partner::level::Level;
use annabella_players::{
    hands::{Hands as PegHands, Style},
    table::{SimulatedTable, TableCore, TableError, Watch},
};
use annabella_records::journal::Journal;
use annabella_words::phrase::{Words, hear::Grammar, pack};

/// Plays a real game on a simulated peg board, sighted board and clock, and speaks it.
#[derive(Debug, clap::Args)]
pub(crate) struct DemoArgs {
    /// Games to play; without one, the built-in game.
    #[arg(long, value_name = "FILE")]
    pub(crate) pgn: Option<PathBuf>,
    /// Play only this game of the file, counted from 1; without it all of them.
    #[arg(long, value_name = "N")]
    pub(crate) game: Option<usize>,
    /// How much faster than life; 0 is as fast as can be.
    #[arg(long, value_name = "N", default_value_t = 10.0)]
    pub(crate) speed: f64,
    /// Write everything that is said into this sound file.
    #[arg(long, value_name = "FILE", conflicts_with = "silent")]
    pub(crate) wav: Option<PathBuf>,
    /// Speak nothing.
    #[arg(long)]
    pub(crate) silent: bool,
    /// The blind player speaks his moves, with a synthetic voice into the speech model.
    #[arg(long)]
    pub(crate) voice: bool,
    /// Folder of the speech model for --voice, built-in, or official; the one that the service
    /// would take if not given.
    #[arg(long, value_name = "DIR")]
    pub(crate) model: Option<PathBuf>,
    /// Hands and reeds that misbehave: "clumsy", "bounce=15,wrong=0.2,dead=g5", …
    #[arg(long, value_name = "FAULTS", default_value = "human")]
    pub(crate) faults: String,
    /// The blind player's board: with simulated reeds, or any peg set without sensors.
    #[arg(long, value_name = "KIND", default_value = "sim", value_parser = ["sim", "none"])]
    pub(crate) board: String,
    /// Without sensors: the word that stands for his hands, the announcement or "ausgeführt".
    #[arg(long, value_name = "HOW", default_value = "announced", value_parser = ["announced", "spoken"])]
    pub(crate) reports: String,
    /// Seed of the hands; the same seed plays the same way.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The colour of the blind player.
    #[arg(long, value_name = "COLOUR", default_value = "white", value_parser = ["white", "black"])]
    pub(crate) blind: String,
    /// Language of the prompts.
    #[arg(long, value_name = "LANG", default_value = "de")]
    pub(crate) prompts: String,
    /// In real time, the sighted player's board and the clock emulated on a pseudo-terminal, with
    /// faults if any are named: lost=5, garbage=5, unplug=60, unplug-clock=60, turned, no-clock,
    /// no-mode-23.
    #[arg(long, value_name = "FAULTS", num_args = 0..=1, default_missing_value = "")]
    #[arg(conflicts_with = "board")]
    pub(crate) dgt: Option<String>,
    /// The boards and scores drift apart, and an arbiter settles it on his page (D.2.9); in real
    /// time.
    #[arg(long, conflicts_with_all = ["voice", "pgn", "board"])]
    pub(crate) diverge: bool,
    /// An evening at home: a blind player without sensors against annabella-partner with Stockfish,
    /// at this level.
    #[arg(long, value_name = "LEVEL", num_args = 0..=1, default_missing_value = "3")]
    #[arg(conflicts_with_all = ["voice", "pgn", "dgt", "diverge", "hall"])]
    pub(crate) partner: Option<Level>,
    /// So many simulated boards with a real nats-server, whose cables are cut and which are killed,
    /// as the server is; ends by comparing every journal with the hall's stream.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=500))]
    #[arg(conflicts_with_all = ["voice", "board"])]
    pub(crate) hall: Option<u32>,
    /// Servers of that hall: three keep the same rows, and one at a time is killed.
    #[arg(long, value_name = "N", requires = "hall", conflicts_with = "url", default_value_t = 1)]
    #[arg(value_parser = servers)]
    pub(crate) servers: usize,
    /// The boards join a hall that is there, and play undisturbed: a move a minute at --speed 1.
    #[arg(long, value_name = "URL", requires = "hall")]
    pub(crate) url: Option<String>,
    /// The event of that hall.
    #[arg(long, value_name = "NAME", requires = "url", default_value = "event")]
    pub(crate) event: String,
    /// Play at most this many plies of a game.
    #[arg(long, value_name = "N")]
    pub(crate) plies: Option<usize>,
    /// Time control, as in the configuration.
    #[arg(long, value_name = "CONTROL", default_value = "40/90+30:30+30")]
    pub(crate) time_control: String,
    /// Every output as one JSON line.
    #[arg(long)]
    pub(crate) json: bool,
}

/// One server, or three: two cannot tell which of them is right.
fn servers(text: &str) -> Result<usize, String> {
    text.parse().ok().filter(|n| [1, 3].contains(n)).ok_or_else(|| "1 or 3".to_owned())
}

/// Runs the command.
///
/// # Errors
/// [`Failure`] when a file or an option is wrong.
pub(crate) fn run(args: &DemoArgs, out: &mut dyn Write) -> Result<Exit, Failure> {
    if args.hall.is_some() {
        #[cfg(feature = "hall")]
        return hall::run(args, out);
        #[cfg(not(feature = "hall"))]
        return Err(Failure::usage("this program was built without the feature `hall`".to_owned()));
    }
    if let Some(level) = args.partner {
        return evening(args, level, out);
    }
    let (name, Staged { games, count, told, style, words }) = named(args)?;
    let number = args.game.or(args.pgn.is_none().then_some(1));
    let chosen: Vec<(usize, &PgnGame)> = games
        .iter()
        .map(|(index, game)| (*index, game))
        .filter(|(index, _)| number.is_none_or(|number| number == *index))
        .collect();
    // Where a program reads, people may still look at the errors.
    for line in &told {
        match args.json {
            true => writeln!(std::io::stderr(), "{line}")?,
            false => writeln!(out, "{line}")?,
        }
    }
    if chosen.is_empty() {
        let wanted =
            number.map_or_else(String::new, |number| format!("game {number} is not there, "));
        return Err(Failure::usage(format!("{name}: {wanted}it has {count} games")));
    }
    let mut demo = Demo::new(args, style, words, out)?;
    let mut exit = Exit::Done;
    for (index, game) in chosen {
        if demo.game(index, game)? == Exit::Problem {
            exit = Exit::Problem;
        }
    }
    demo.close(exit == Exit::Done)?;
    Ok(exit)
}

/// One game at home.
fn evening(args: &DemoArgs, level: Level, out: &mut dyn Write) -> Result<Exit, Failure> {
    let Staged { style, words, .. } = named(args)?.1;
    let mut demo = Demo::new(args, style, words.clone(), out)?;
    let setting = evening::Setting {
        level,
        blind: demo.blind,
        words,
        prompts: &args.prompts,
        time_control: &args.time_control,
        seed: args.seed,
        life: args.speed > 0.0 && args.speed <= 1.0,
    };
    let exit = evening::play(&demo.folder, &mut demo.screen, setting)?;
    demo.screen.close()?;
    Ok(exit)
}

/// What is played, by which hands, and in which words.
#[derive(Debug)]
pub(crate) struct Staged {
    /// The games that can be played, each with its number in the file.
    pub(crate) games: Vec<(usize, PgnGame)>,
    /// Games in the file.
    pub(crate) count: usize,
    /// What was forgiven, what cannot be played and why: a line each, with the file's name.
    pub(crate) told: Vec<String>,
    pub(crate) style: Style,
    pub(crate) words: Words,
}

/// Reads what the options name.
///
/// # Errors
/// [`Failure`] when a file or an option is wrong.
#[cfg(feature = "hall")]
pub(crate) fn stage(args: &DemoArgs) -> Result<Staged, Failure> {
    Ok(named(args)?.1)
}

/// The same with the file's name.
fn named(args: &DemoArgs) -> Result<(String, Staged), Failure> {
    let (name, file) = match &args.pgn {
        None => ("the built-in games".to_owned(), PgnFile::read_text(GAMES)),
        Some(path) => {
            let name = path.display().to_string();
            let bytes = annabella_records::whole::read(path)
                .map_err(|err| Failure::usage(format!("cannot read {name}: {err}")))?;
            (name, PgnFile::read(&bytes))
        }
    };
    let count = file.games.len();
    let mut told: Vec<String> =
        file.warnings.iter().map(|what| format!("{name}: {what}")).collect();
    let mut games = Vec::new();
    for (n, game) in file.games.into_iter().enumerate() {
        match game {
            Ok(game) => games.push((n + 1, up_to_its_end(n + 1, game, &mut told))),
            Err(err) if args.game == Some(n + 1) || count == 1 => {
                return Err(Failure::usage(format!("{name}: {err}")));
            }
            Err(err) => told.push(format!("{name}: {err}: this game is left out")),
        }
    }
    let style = Style::from_faults(&args.faults)
        .map_err(|err| Failure::usage(format!("--faults: {err}")))?;
    if !args.speed.is_finite() || args.speed < 0.0 {
        return Err(Failure::usage(format!("--speed: {} is not 0 or more", args.speed)));
    }
    let words = Words::builtin("fide", &args.prompts)
        .map_err(|err| Failure::usage(format!("--prompts: {err}")))?;
    Ok((name, Staged { games, count, told, style, words }))
}

/// A game without the moves that stand in its record behind an end by the Laws.
fn up_to_its_end(number: usize, mut game: PgnGame, told: &mut Vec<String>) -> PgnGame {
    for section in &mut game.sections {
        let Some((plies, article)) = ended_after(&section.start, &section.moves) else { continue };
        let behind = section.moves.len() - plies;
        if behind > 0 {
            let last = (section.first_ply as usize + plies).saturating_sub(1);
            let dots = if last % 2 == 1 { "." } else { "..." };
            told.push(format!(
                "game {number}: over by {article} after move {}{dots}: {behind} moves behind it are left out",
                last.div_ceil(2)
            ));
            section.moves.truncate(plies);
        }
    }
    game
}

/// The service, at whose table simulated people play.
struct Served<'a>(&'a mut Service);

impl TableCore for Served<'_> {
    fn input(&mut self, at: At, input: Input) -> Result<Vec<Output>, String> {
        self.0.input(at, input).map_err(|err| err.to_string())
    }

    fn wake_at(&self) -> Option<At> {
        self.0.wake_at()
    }

    fn grammar(&self) -> Option<Grammar> {
        self.0.game().grammar()
    }
}

struct Demo<'a> {
    args: &'a DemoArgs,
    style: Style,
    words: Words,
    blind: Color,
    folder: DemoFolder,
    screen: Screen<'a>,
    plies: usize,
    sections: usize,
    player: Option<Player>,
}

impl<'a> Demo<'a> {
    fn new(
        args: &'a DemoArgs,
        style: Style,
        words: Words,
        out: &'a mut dyn Write,
    ) -> Result<Demo<'a>, Failure> {
        let folder = DemoFolder::new()?;
        let (sound, about) = if args.silent {
            (Sound::silent(), None)
        } else {
            let opened = Sound::open(args.wav.as_deref());
            let (sound, about) = opened.map_err(Failure::device)?;
            (sound, Some(about))
        };
        let blind = if args.blind == "black" { Color::Black } else { Color::White };
        let mut screen = Screen::new(args, blind, sound, out);
        if let Some(about) = about {
            screen.say(&about)?;
        }
        let player = match args.voice {
            true => Some(Player::open(args.model.as_deref(), &words)?),
            false => None,
        };
        Ok(Demo { args, style, words, blind, folder, screen, plies: 0, sections: 0, player })
    }

    fn game(&mut self, index: usize, game: &PgnGame) -> Result<Exit, Failure> {
        self.screen.say(&format!("Game {index}: {}", heading(game)))?;
        for section in &game.sections {
            let mut section = section.clone();
            section.moves.truncate(self.args.plies.unwrap_or(usize::MAX));
            let section = &section;
            if !section.note.is_empty() {
                self.screen.say(&format!("({})", section.note))?;
            }
            if self.section(game, section)? == Exit::Problem {
                return Ok(Exit::Problem);
            }
        }
        self.screen.say(&format!("Result in the record: {}", game.result))?;
        Ok(Exit::Done)
    }

    fn section(&mut self, game: &PgnGame, section: &Section) -> Result<Exit, Failure> {
        let mut config = GameConfig {
            white: game.tag("White").unwrap_or_default().to_owned(),
            black: game.tag("Black").unwrap_or_default().to_owned(),
            blind: if self.blind.is_white() { Blind::White } else { Blind::Black },
            start: (section.start != shakmaty::Chess::default()).then(|| write_fen(&section.start)),
            prompts: self.args.prompts.clone(),
            sighted_board: true,
            hands: self.hands(),
            time_control: self.args.time_control.clone(),
            ..GameConfig::default()
        };
        if self.args.dgt.is_some() {
            config.external_clock = true;
        }
        if self.args.diverge {
            config.judge = diverge::judge();
            config.sensing.settle_ms = diverge::SETTLE_MS;
            config.sensing.castling_ms = diverge::SETTLE_MS;
            config.sensing.guide_ms = diverge::GUIDE_MS;
        }
        let debounce_ms = config.sensing.debounce_ms;
        let started = started(config);
        self.sections += 1;
        let path = self.folder.path.join(format!("{}.db", self.sections));
        let journal = Journal::open(&path).map_err(Failure::device)?;
        let at = At::new(0);
        let (mut service, outputs) =
            Service::begin(journal, at, started).map_err(Failure::device)?;
        self.screen.begin(section.first_ply);
        for output in &outputs {
            self.screen.output(at, output);
        }
        let seed = self.args.seed.wrapping_add(self.sections as u64);
        let hands = PegHands::seeded(seed, self.style.clone());
        if self.args.diverge {
            let mut config = Demo::silent(path.clone());
            config.console.listen = Some(([127, 0, 0, 1], 0).into());
            config.speech.prompts.clone_from(&self.args.prompts);
            let screen = &mut self.screen;
            let played = diverge::play(&mut service, screen, section, &config, hands, self.blind)?;
            self.plies += played.plies;
            return Ok(if played.right { Exit::Done } else { Exit::Problem });
        }
        if let Some(faults) = &self.args.dgt {
            return self.duel(&mut service, section, faults, hands, seed);
        }
        let rng = ChaCha8Rng::seed_from_u64(seed ^ 0x7ab1e);
        let mut served = Served(&mut service);
        let mut table = SimulatedTable::new(
            &mut served,
            &mut self.screen,
            self.words.clone(),
            hands,
            rng,
            self.blind,
            &section.start,
            0,
            debounce_ms,
        );
        if let Some(player) = &mut self.player {
            table.speaks(player);
        }
        if self.args.board == "none" {
            table.by_word(self.args.reports == "spoken");
        }
        let mut position = section.start.clone();
        let mut failed = None;
        if let Err(err) = table.start_clock() {
            return Err(Failure::device(err));
        }
        for (n, mv) in section.moves.iter().enumerate() {
            match table.play(&position, *mv) {
                Ok(_) => {}
                Err(TableError::Core(err)) => return Err(Failure::device(err)),
                Err(TableError::Watch(err)) => return Err(err.into()),
                Err(err) => {
                    failed = Some((n, err));
                    break;
                }
            }
            position.play_unchecked(*mv);
            self.plies += 1;
        }
        if let Some((n, err)) = failed {
            let ply = section.first_ply as usize + n;
            self.screen.say(&format!(
                "NOT RECOVERED: {err}\nSEED={seed} faults={} ply={ply}",
                self.style
            ))?;
            return Ok(Exit::Problem);
        }
        if self.args.board == "none" {
            let rose_ms = table.rises().map_err(Failure::device)?;
            let found = by_word::check(&service, section, self.blind, rose_ms);
            return match found {
                Ok(line) => {
                    self.screen.say(&line)?;
                    Ok(Exit::Done)
                }
                Err(line) => {
                    self.screen.say(&format!("NOT RECOVERED: {line}\nSEED={seed}"))?;
                    Ok(Exit::Problem)
                }
            };
        }
        Ok(Exit::Done)
    }

    /// The players whose hands are felt.
    fn hands(&self) -> HandsOf {
        let hands = match (self.args.board.as_str(), self.args.reports.as_str()) {
            ("none", "spoken") => HandsKnown::Spoken,
            ("none", _) => HandsKnown::Announced,
            _ => HandsKnown::Felt,
        };
        match self.blind {
            Color::White => HandsOf { white: hands, ..HandsOf::default() },
            Color::Black => HandsOf { black: hands, ..HandsOf::default() },
        }
    }

    /// The same on emulated devices, in real time.
    fn duel(
        &mut self,
        service: &mut Service,
        section: &Section,
        faults: &str,
        hands: PegHands,
        seed: u64,
    ) -> Result<Exit, Failure> {
        use annabella::config::{ClockKind, SightedKind};
        use annabella_emulators::dgt::Faults;
        let faults =
            Faults::parse(faults).map_err(|err| Failure::usage(format!("--dgt: {err}")))?;
        let port = self.folder.path.join("ttyDGT");
        let mut config = Demo::silent(self.folder.path.join(format!("{}.db", self.sections)));
        config.sighted.kind = SightedKind::Dgt;
        config.sighted.port.clone_from(&port);
        config.clock.kind = if faults.no_clock { ClockKind::Internal } else { ClockKind::Dgt };
        config.game.time_control = (self.args.time_control.parse())
            .map_err(|err| Failure::usage(format!("--time-control: {err}")))?;
        let setting = duel::Setting {
            config: &config,
            faults,
            port: &port,
            words: self.words.clone(),
            hands,
            blind: self.blind,
            seed,
            speed: self.args.speed,
        };
        let played = duel::play(service, &mut self.screen, section, setting)?;
        self.plies += played.plies;
        if let Some((n, problem)) = &played.failed {
            let ply = section.first_ply as usize + n;
            self.screen.say(&format!("NOT RECOVERED: {problem}\nSEED={seed} ply={ply}"))?;
        }
        self.screen.say(&played.check)?;
        Ok(if played.right { Exit::Done } else { Exit::Problem })
    }

    /// A service beside these hands: without ears, voice and pages.
    fn silent(journal: PathBuf) -> annabella::config::Config {
        use annabella::config::{BoardKind, Config, EngineKind, Listen};
        let mut config = Config::default();
        // Its hands are simulated here, and nobody types.
        config.board.kind = BoardKind::Sim;
        config.journal.path = journal;
        (config.speech.engine, config.speech.listen) = (EngineKind::None, Listen::Off);
        config.console.listen = None;
        config
    }

    /// `all`: every ply was recovered.
    fn close(mut self, all: bool) -> Result<(), Failure> {
        if let Some(player) = &self.player {
            let line = player.summary();
            self.screen.say(&line)?;
        }
        let plies = self.plies;
        let from = if self.args.board == "none" { "what was said" } else { "the reeds" };
        let recovered = match all {
            true => format!("every one recovered from {from}"),
            false => format!("and not every one recovered from {from}"),
        };
        self.screen.say(&format!("{plies} plies played, {recovered}."))?;
        self.screen.close()
    }
}

/// The folder of a demonstration's journals. They are deleted at the end.
#[derive(Debug)]
pub(crate) struct DemoFolder {
    pub(crate) path: PathBuf,
}

impl DemoFolder {
    /// A new one.
    ///
    /// # Errors
    /// [`Failure`] when the system gives none.
    pub(crate) fn new() -> Result<DemoFolder, Failure> {
        let path = std::env::temp_dir().join(format!("annabella-demo-{}", std::process::id()));
        // One that was killed under the same number may have left its own.
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path)
            .map_err(|err| Failure::device(format!("cannot make {}: {err}", path.display())))?;
        Ok(DemoFolder { path })
    }
}

impl Drop for DemoFolder {
    fn drop(&mut self) {
        // A folder that cannot be removed does no harm.
        let _ = std::fs::remove_dir_all(&self.path);
    }
}

/// A game of built-in packs, begun now.
pub(crate) fn started(config: GameConfig) -> Started {
    let builtin = |name: &str| pack::builtin(name).unwrap_or_default().to_owned();
    Started {
        packs: vec![builtin(&config.words), builtin(&config.prompts)],
        config,
        confusions: Learnt::default(),
        build: env!("CARGO_PKG_VERSION").to_owned(),
        unix_s: unix_s(),
    }
}

fn unix_s() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

/// The players, the event and the date, as far as the record has them.
fn heading(game: &PgnGame) -> String {
    let tag = |name| game.tag(name).unwrap_or_default().trim_end_matches(".??");
    let known = |name| Some(tag(name)).filter(|text| !text.is_empty() && !text.starts_with('?'));
    let player = |name| known(name).unwrap_or("?");
    let players = format!("{} – {}", player("White"), player("Black"));
    let rest = ["Event", "Date"].into_iter().filter_map(known).map(str::to_owned);
    [players].into_iter().chain(rest).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use annabella_core::notation::pgn::read_games;

    use super::*;

    #[test]
    fn what_a_record_does_not_know_is_left_out() {
        for (tags, line) in [
            (
                r#"[Event "Match"] [Date "1997.??.??"] [White "Kasparov"] [Black "Deep Blue"]"#,
                "Kasparov – Deep Blue, Match, 1997",
            ),
            (r#"[Event "?"] [Date "????.??.??"] [White "Anna"]"#, "Anna – ?"),
            (r#"[Date "2023.11.14"] [White "A. B. Jr."] [Black "?"]"#, "A. B. Jr. – ?, 2023.11.14"),
        ] {
            let games = read_games(&format!("{tags}\n\n1. e4 *\n")).expect("a game");
            assert_eq!(heading(&games[0]), line);
        }
    }
}
