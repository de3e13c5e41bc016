//! `annabella play --setup`: games that are set up at the board, one after the other.

use std::{
    cell::{Cell, RefCell},
    io::Write,
    time::Duration,
};

use shakmaty::{Bitboard, Board, ByColor, Color};
use tokio::sync::mpsc;

use super::{
    Anew, Desk, Failure, Form, PlayArgs, StillItself, all_saved, at_pegs, bad_news_first, check,
    filled, greeting, learnt, pack_texts, prepare_sealing, print, spoken, take_over, told_all,
    told_kept,
};
use crate::{
    config::{BoardKind, Config},
    service::{
        Service,
        hearing::Hearing,
        lobby::{self, Hears, LobbyEnd, SessionTable},
        news, notify,
        notify::Notifier,
        play::{self, Listens, Moments},
        room::{Outlets, Room},
        standing::{self, GameStanding, Listed, Next},
        streams::complain,
    },
};
use annabella_core::{
    game::{At, Blind, Game, GameConfig, Input, Learnt, Output, Started},
    lobby::{Before, BoardShown, Lobby, LobbyInput, NotTaken, Opening, Unfinished},
    questionnaire::Key,
};
use annabella_devices::voice::{
    Pcm,
    keys::{self, Keyboard, KeysEvent, key_code},
};
use annabella_records::journal::{GameId, Journal};
use annabella_words::phrase::{Prompt, Words, hear::Grammar};

/// The result of the game that is played, once it has one.
type Ended = RefCell<Option<String>>;

/// A session during which the service manager gets signs of life. `unasked`: nobody asked for a
/// set-up, but the last game is over.
pub(super) async fn serve(
    args: &PlayArgs,
    config: &Config,
    desk: Desk<'_>,
    unasked: bool,
    out: &mut dyn Write,
) -> Result<Option<Anew>, Failure> {
    let manager = Notifier::from_environment();
    notify::alive_while(manager.as_ref(), games(args, config, desk, unasked, out)).await
}

/// Lobby, game, lobby, until nobody wants another.
async fn games(
    args: &PlayArgs,
    config: &Config,
    desk: Desk<'_>,
    unasked: bool,
    out: &mut dyn Write,
) -> Result<Option<Anew>, Failure> {
    let Desk { mut journal, first: first_words, stop, line, own, paired: known, passphrase } = desk;
    let unfinished = if args.new { Vec::new() } else { unfinished(&journal)? };
    let before = if args.new { None } else { before(&journal, unasked)? };
    let beginning = Beginning::new(config)?;
    let rehearsal = beginning.rehearse(&config.game())?;
    let players = config.game.players.clone();
    let opponents = config.game.opponents.clone();
    let second_board = config.game.blind == Blind::Both;
    let hall = config.hall.url.is_some();
    let opening = Opening {
        config: config.game(),
        players,
        opponents,
        unfinished,
        before,
        second_board,
        hall,
    };
    let mut lobby = Lobby::new(beginning.words.clone(), opening).map_err(Failure::usage)?;
    let moments = Moments::from(At::new(journal.resume_at().map_err(Failure::device)?.ms + 1));
    let blind = Cell::new(config.game.blind);
    let ended = Ended::default();
    let out = RefCell::new(out);
    let reader = lobby.owner();
    // One board goes with its player, whichever colour he takes. Two boards stay where they are.
    let readers = if second_board { at_pegs(Blind::Both) } else { vec![reader] };
    // The contacts are taken up where the last game left them, pieces in the hand included.
    let left = left_standing(&journal, args)?;
    let shown_by = |seat: Color| {
        match (&left, second_board) {
            (Some(left), true) => left[seat],
            (Some(left), false) => left.white.or(left.black),
            (None, _) => None,
        }
        .unwrap_or_else(|| Board::default().occupied())
    };
    for (seat, section) in readers.iter().zip([&config.board, &config.board_black]) {
        if !matches!(section.kind, BoardKind::Sim | BoardKind::None) {
            let shown = BoardShown::Occupied(shown_by(*seat));
            lobby.handle(At::new(0), LobbyInput::Board { seat: *seat, shown });
        }
    }
    let places = readers.iter().map(|seat| (*seat, shown_by(*seat))).collect();
    let words = Some(beginning.words.clone());
    let outlets = Outlets::open(config, config.game.blind, places, words, &mut complain)?;
    let room = outlets.join(config, &rehearsal, moments, &mut complain).await?;
    let Room { mouths, devices, hearing, inbox: board, news, open, types } = room;
    if let Some(line) = &line {
        line.tell(news.clone());
    }
    if types {
        play::typed(news);
    }
    let act = |at: At, output: &Output| {
        if let Output::Result { result, .. } = output {
            *ended.borrow_mut() = Some(result.to_string());
        }
        mouths.act(at, output).iter().for_each(|line| complain(line));
        print(&mut **out.borrow_mut(), args.form(), blind.get(), at, output)
    };
    let understood = |at: At, seat, words: &_| mouths.understood(at, seat, words);
    let mut ears = Between { hearing, after: lobby.phrases_after() };
    let (to_keys, keys) = mpsc::channel(news::QUEUE);
    read_keys(config, &to_keys)?;
    let reader = (!second_board).then_some(reader);
    let (act, complain): (&lobby::CarryOut<'_>, _) = (&act, &complain);
    let understood = &understood;
    let mut table = SessionTable {
        moments,
        board,
        keys,
        devices,
        reader,
        act,
        understood,
        complain,
        known,
        paired: None,
        stop,
    };
    let first = match args.game {
        Some(number) => LobbyInput::Chosen(number),
        None => LobbyInput::Opened,
    };
    if args.form() == Form::Person {
        bad_news_first(config, &mouths).await;
    }
    first_words.iter().try_for_each(|told| act(moments.now(), told)).map_err(Failure::Device)?;
    let mut chosen = table.tell(&mut lobby, first).map_err(Failure::Device)?;
    let mut anew = None;
    loop {
        let outcome = match chosen.take() {
            Some(outcome) => Ok(outcome),
            None => table.set_up(&mut lobby, &rehearsal, &mut ears).await,
        };
        let begun = match outcome.map_err(Failure::Device)? {
            LobbyEnd::Over => break,
            LobbyEnd::TakeOver(board) => {
                let named = args.config.clone();
                let fetching =
                    tokio::task::spawn_blocking(move || take_over(named.as_deref(), board, true));
                let why = match fetching.await {
                    Ok(Ok(_)) => {
                        spoken(|| mouths.is_speaking()).await;
                        anew = Some(Anew::TakenOver);
                        break;
                    }
                    Ok(Err(StillItself { why, failure })) => {
                        complain(&failure.to_string());
                        why
                    }
                    // It panicked: that was said on standard error.
                    Err(_) => NotTaken::Failed,
                };
                let told = LobbyInput::NotTaken { board, why };
                chosen = table.tell(&mut lobby, told).map_err(Failure::Device)?;
                continue;
            }
            LobbyEnd::Paired(paired) => {
                let now = filled(own, &paired);
                let speaks = |config: &Config| (config.speech.prompts.clone(), config.game.blind);
                if speaks(&now) != speaks(config) {
                    anew = Some(Anew::Paired);
                    break;
                }
                for told in greeting(&now)? {
                    act(moments.now(), &told).map_err(Failure::Device)?;
                }
                // What else the players have set stays.
                let game = now.game();
                let set = lobby.config().clone();
                let (white, black, time_control) = (game.white, game.black, game.time_control);
                let set = GameConfig { white, black, time_control, ..set };
                let told = LobbyInput::Configured(Box::new(set));
                chosen = table.tell(&mut lobby, told).map_err(Failure::Device)?;
                continue;
            }
            LobbyEnd::Resume(number) => {
                // A resumed game goes on one moment after the last that is known.
                tokio::time::sleep(Duration::from_millis(2)).await;
                let resumed = Service::resume(journal, GameId { number });
                if let Ok((service, _)) = &resumed
                    && let Some(record) = service.game().record()
                {
                    let config = Box::new(record.config.clone());
                    table.tell(&mut lobby, LobbyInput::Resumed(config)).map_err(Failure::Device)?;
                }
                resumed
            }
            LobbyEnd::Begin(config) => {
                let mut started = beginning.started(&config);
                // Two blind players have changed places, and taken their voices along.
                if second_board && lobby.owner() != readers[0] {
                    started.confusions = started.confusions.swapped();
                }
                check(&started)?;
                Service::begin_next(journal, moments.now(), started).and_then(|mut begun| {
                    begun.1.extend(begun.0.input(moments.now(), Input::ClockStarted)?);
                    Ok(begun)
                })
            }
        };
        let (mut service, mut outputs) = match begun {
            Ok(begun) => begun,
            Err(err) => {
                let told = told_all(config, Prompt::NoJournal, &[])?;
                act(moments.now(), &told).map_err(Failure::Device)?;
                let mut stop = table.stop.clone();
                tokio::select! {
                    () = stop.told() => {}
                    () = spoken(|| mouths.is_speaking()) => {}
                }
                return Err(Failure::device(err));
            }
        };
        prepare_sealing(passphrase.as_ref(), config, &mut service);
        outputs.extend(service.cannot_seal().into_iter().flatten());
        let played = service.game().record().map_or(blind.get(), |record| record.config.blind);
        blind.set(played);
        *ended.borrow_mut() = service.game().ended().map(|ended| ended.result.as_str().to_owned());
        // The game begins with the boards as they stood in the lobby, right or not.
        for seat in at_pegs(played) {
            let pegs = lobby.pegs(seat).filter(|pegs| service.game().pegs(seat) != Some(*pegs));
            let Some(pegs) = pegs else { continue };
            let found = service.input(moments.now(), Input::Board { seat, occupied: pegs.into() });
            outputs.extend(found.map_err(Failure::device)?);
        }
        for output in &outputs {
            act(moments.now(), output).map_err(Failure::Device)?;
        }
        let next = game(&mut table, &mut lobby, &mut service, &mut ears, &ended).await?;
        let pegs = at_pegs(played).into_iter().map(|seat| (seat, service.game().pegs(seat)));
        let pegs: Vec<(Color, Option<Bitboard>)> = pegs.collect();
        all_saved(&mut service)?;
        if next == After::Over {
            let kept = told_kept(&service, args.form(), &mut **out.borrow_mut())?;
            mouths.last_words(kept.as_ref()).await;
        }
        journal = service.into_journal();
        if next == After::Over {
            break;
        }
        for (seat, pegs) in pegs {
            let Some(shown) = pegs.map(BoardShown::Occupied) else { continue };
            let told = table.tell(&mut lobby, LobbyInput::Board { seat, shown });
            told.map_err(Failure::Device)?;
        }
    }
    drop(open);
    if let Some(line) = mouths.last_complaint() {
        complain(&line);
    }
    Ok(anew)
}

/// The step after a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    Game,
    Over,
}

/// Plays a game to its end and until somebody wants to go on, or the service is stopped.
async fn game(
    table: &mut SessionTable<'_>,
    lobby: &mut Lobby,
    service: &mut Service,
    ears: &mut Between,
    ended: &Ended,
) -> Result<After, Failure> {
    let (to_game, from_table) = table.board.beside();
    let mut devices = std::mem::take(&mut table.devices);
    devices.restart(service.game());
    let blind = service.game().record().map_or(Blind::White, |record| record.config.blind);
    let (act, complain) = (table.act, table.complain);
    let mut acting = |at: At, output: &Output| act(at, output);
    let mut complaining = |line: &str| complain(line);
    let (moments, result) = (table.moments, || ended.borrow().clone());
    let played =
        play::run(service, moments, from_table, &mut acting, &mut complaining, ears, &mut devices);
    let mut stop = table.stop.clone();
    let next = tokio::select! {
        biased;
        () = stop.told() => Ok(After::Over),
        stopped = played => stopped.map(|()| After::Over),
        next = table.hand_on(lobby, to_game, blind, &result) => next.map(|outcome| match outcome {
            Some(LobbyEnd::Over) => After::Over,
            _ => After::Game,
        }),
    };
    table.devices = devices;
    next.map_err(Failure::Device)
}

/// The packs and words that every game of a session begins with.
struct Beginning {
    packs: Vec<String>,
    words: Words,
    confusions: Learnt,
}

impl Beginning {
    fn new(config: &Config) -> Result<Beginning, Failure> {
        let game = config.game();
        let packs = pack_texts(&game)?;
        let words = Words::from_toml(&packs[0], &packs[1]).map_err(Failure::usage)?;
        Ok(Beginning { packs, words, confusions: learnt(config)? })
    }

    fn started(&self, config: &GameConfig) -> Started {
        Started {
            config: config.clone(),
            packs: self.packs.clone(),
            confusions: self.confusions.clone(),
            build: env!("CARGO_PKG_VERSION").to_owned(),
            unix_s: play::unix_s(),
        }
    }

    /// A game that nobody plays and no journal keeps: devices are opened for it.
    fn rehearse(&self, config: &GameConfig) -> Result<Game, Failure> {
        let started = self.started(config);
        check(&started)?;
        let mut game = Game::new();
        let input = Input::Started(Box::new(started));
        game.handle(At::new(0), input).map_err(|refused| Failure::usage(refused.text))?;
        Ok(game)
    }
}

/// Games that can be played on, the one that was played last first.
fn unfinished(journal: &Journal) -> Result<Vec<Unfinished>, Failure> {
    let games = standing::going_on(journal).map_err(Failure::device)?;
    Ok(games
        .into_iter()
        .map(|Listed { row, .. }| Unfinished {
            number: row.id.number,
            white: row.white,
            black: row.black,
        })
        .collect())
}

/// The news of the last game for whoever comes to the board.
fn before(journal: &Journal, unasked: bool) -> Result<Option<Before>, Failure> {
    let read = |id| Listed::read(journal, journal.game(id)?);
    Ok(match standing::next(journal).map_err(Failure::device)? {
        Next::Adjourned(id) => {
            let Listed { row, standing, .. } = read(id).map_err(Failure::device)?;
            let until = match standing {
                GameStanding::Adjourned(resumption) => resumption.to_string(),
                _ => String::new(),
            };
            let (white, black) = (row.white, row.black);
            Some(Before::Adjourned { white, black, until })
        }
        Next::Ended(id) if unasked => match read(id).map_err(Failure::device)?.standing {
            GameStanding::Ended(result) => {
                Some(Before::Ended { result: result.as_str().to_owned() })
            }
            _ => None,
        },
        _ => None,
    })
}

/// How the peg boards stood when the game was left that is gone on with, or was played last.
fn left_standing(
    journal: &Journal,
    args: &PlayArgs,
) -> Result<Option<ByColor<Option<Bitboard>>>, Failure> {
    let last = match (args.game, standing::next(journal).map_err(Failure::device)?) {
        (Some(number), _) => GameId { number },
        (None, Next::GoOn(id) | Next::Adjourned(id) | Next::Ended(id)) if !args.new => id,
        _ => return Ok(None),
    };
    let inputs = journal.inputs(last).map_err(Failure::device)?;
    let (game, _) = Game::replay(inputs);
    Ok(Some(ByColor::new_with(|seat| game.pegs(seat))))
}

/// Three keys of one keyboard, on a thread of their own.
fn read_keys(config: &Config, to_keys: &mpsc::Sender<Key>) -> Result<(), Failure> {
    let section = &config.game;
    let wrong = |err| Failure::usage(format!("[game] keys: {err}"));
    let codes = section.keys.iter().map(|name| key_code(name).map_err(wrong));
    let codes = codes.collect::<Result<Vec<u16>, Failure>>()?;
    if codes.is_empty() {
        return Ok(());
    }
    let keyboard = Keyboard::named(&section.keyboard);
    let (to_keys, closed, known) = (to_keys.clone(), to_keys.clone(), codes.clone());
    let tell = move |event| match event {
        KeysEvent::Key(event) if event.pressed => {
            let which = known.iter().position(|code| *code == event.code);
            let key = which.and_then(|n| Key::CONFIGURED.get(n));
            key.is_none_or(|key| to_keys.blocking_send(*key).is_ok())
        }
        KeysEvent::Lost(err) => {
            complain(&format!("[game] keys: {err}"));
            true
        }
        _ => true,
    };
    keys::forward(keyboard, codes, tell, move || closed.is_closed());
    Ok(())
}

/// Hears for the lobby and for the game; after the game, for what follows it too.
struct Between {
    hearing: Hearing,
    after: Vec<String>,
}

impl Hears for Between {
    fn listen_for(&mut self, grammar: Grammar) {
        self.hearing.listen_for(&grammar);
    }
}

impl Listens for Between {
    fn expect(&mut self, game: &Game) {
        match game.grammar() {
            Some(mut grammar) if game.ended().is_some() => {
                grammar.phrases.extend(self.after.iter().cloned());
                self.listen_for(grammar);
            }
            _ => self.hearing.expect(game),
        }
    }

    fn keep(&mut self, game: GameId, at: At, sound: &Pcm) -> Result<(), String> {
        self.hearing.keep(game, at, sound)
    }
}
