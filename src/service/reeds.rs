//! Reeds, buttons and lights for the service: what they tell becomes inputs.

use std::sync::{PoisonError, mpsc};

use shakmaty::{Bitboard, Color};

use super::{SharedMouth, play::FromBoard};
use crate::{
    board::{
        ReadError,
        buttons::{Button, ButtonEvent, Buttons, ButtonsEvent, Light},
        pi::{self, ShowLight},
        scan::{ScanEvent, ScanSettings, Scanner},
    },
    config::Config,
    game::{Boards, Channel, Input, Output, Running, Urgency},
    phrase::{Command, Prompt, Words},
    voice::keys::{KeyEvent, KeysEvent},
};

type ToGame = tokio::sync::mpsc::Sender<FromBoard>;

/// What needs to be known of the game to read its board.
pub struct Place<'a> {
    /// Whose board it is.
    pub seat: Color,
    /// What it showed when it was last heard of.
    pub shown: Bitboard,
    /// The packs.
    pub words: Words,
    /// The mouth, if there is one.
    pub mouth: Option<&'a SharedMouth>,
}

/// The devices at the board; they are read until this is dropped.
pub struct Reeds {
    scanner: Option<Scanner>,
    buttons: Option<Buttons>,
    show: Option<ShowLight>,
    talk: Option<mpsc::Receiver<KeysEvent>>,
}

impl std::fmt::Debug for Reeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reeds")
            .field("scanner", &self.scanner)
            .field("buttons", &self.buttons)
            .finish_non_exhaustive()
    }
}

impl Reeds {
    /// Opens what the configuration asks for. Buttons and lights that are not there are complained
    /// of, and the game goes on without them.
    ///
    /// # Errors
    ///
    /// When the board's device cannot be opened at all. One that only does not answer is told to be
    /// lost, and tried again.
    pub fn open(config: &Config, place: &Place<'_>, to_game: &ToGame) -> Result<Reeds, ReadError> {
        let mut reeds = Reeds { scanner: None, buttons: None, show: None, talk: None };
        if let Some(Ok(wiring)) = config.board.wiring() {
            let mut first = Some(pi::open(&wiring)?);
            let settings = ScanSettings {
                scan_hz: wiring.scan_hz,
                debounce_ms: config.board.sensing.debounce_ms,
                shown: place.shown,
            };
            let open = move || first.take().map_or_else(|| pi::open(&wiring), Ok);
            reeds.scanner = Some(Scanner::start(open, settings, telling(place, to_game.clone())));
        }
        reeds.add_buttons_and_lights(config, place, to_game);
        Ok(reeds)
    }

    fn add_buttons_and_lights(&mut self, config: &Config, place: &Place<'_>, to_game: &ToGame) {
        if config.has_buttons() {
            match pi::buttons(&config.buttons.pins) {
                Ok(pins) => {
                    let (talk, talked) = mpsc::channel();
                    let pressed = pressing(place, config.presses_left(), talk, to_game.clone());
                    let debounce_ms = config.buttons.debounce_ms;
                    self.buttons = Some(Buttons::start(pins, debounce_ms, pressed));
                    self.talk = config.buttons.pins.talk.map(|_| talked);
                }
                Err(err) => eprintln!("annabella: no buttons: {err}"),
            }
        }
        if !config.lights.pins().is_empty() {
            match pi::lights(&config.lights) {
                Ok(show) => self.show = Some(show),
                Err(err) => eprintln!("annabella: no lights: {err}"),
            }
        }
    }

    /// The talk button, for the ears; only once.
    pub fn talk(&mut self) -> Option<mpsc::Receiver<KeysEvent>> {
        self.talk.take()
    }

    /// Lights what an output is about.
    pub fn show(&mut self, output: &Output) {
        let Some(show) = &mut self.show else { return };
        for (light, on) in lights_of(output) {
            show(light, on);
        }
    }

    /// One line about the readings, if too many were late.
    pub fn complaint(&self) -> Option<String> {
        let stats = self.scanner.as_ref()?.stats();
        (stats.overruns * 100 > stats.scans).then(|| {
            format!(
                "{} of {} readings of the board were left out: the machine is too busy, or [board] scan_hz too high",
                stats.overruns,
                stats.scans + stats.overruns
            )
        })
    }
}

/// Which lights an output changes.
fn lights_of(output: &Output) -> Vec<(Light, bool)> {
    match output {
        Output::Clock { running, .. } => vec![
            (Light::White, *running == Running::White),
            (Light::Black, *running == Running::Black),
        ],
        Output::Boards(boards) => vec![(Light::Attention, *boards == Boards::Differ)],
        Output::Problem { .. } => vec![(Light::Attention, true)],
        Output::Move { .. } => vec![(Light::Attention, false)],
        _ => Vec::new(),
    }
}

fn speak(mouth: Option<&SharedMouth>, words: &Words, prompt: Prompt) {
    if let Some(mouth) = mouth {
        let words = words.prompt(prompt, &[]);
        let mut mouth = mouth.lock().unwrap_or_else(PoisonError::into_inner);
        mouth.say(Channel::Private, Urgency::Alert, &words);
    }
}

/// What a scan tells, told to the game.
fn telling(place: &Place<'_>, to_game: ToGame) -> impl FnMut(ScanEvent) -> bool + Send + use<> {
    let (seat, words, mouth) = (place.seat, place.words.clone(), place.mouth.cloned());
    move |event| {
        let told = match event {
            ScanEvent::Edge { edge, ago_ms } => {
                let (square, occupied) = (edge.square, edge.occupied);
                FromBoard::Input(Input::Edge { seat, square, occupied, ago_ms })
            }
            ScanEvent::Board(board) => {
                FromBoard::Input(Input::Board { seat, occupied: board.into() })
            }
            ScanEvent::Lost(err) => {
                speak(mouth.as_ref(), &words, Prompt::BoardLost);
                speak(mouth.as_ref(), &words, Prompt::PlayOnByAnnouncement);
                FromBoard::Complaint(format!("the board is lost: {err}"))
            }
            ScanEvent::Back => {
                speak(mouth.as_ref(), &words, Prompt::BoardBack);
                FromBoard::Complaint("the board is back".to_owned())
            }
        };
        to_game.blocking_send(told).is_ok()
    }
}

/// What buttons tell, told to the game and to the ears.
fn pressing(
    place: &Place<'_>,
    left: Color,
    talk: mpsc::Sender<KeysEvent>,
    to_game: ToGame,
) -> impl FnMut(ButtonsEvent) -> bool + Send + use<> {
    let (words, mouth) = (place.words.clone(), place.mouth.cloned());
    move |event| {
        let told = match event {
            ButtonsEvent::Button(ButtonEvent { button: Button::Talk, down }) => {
                if down {
                    hush(mouth.as_ref());
                }
                // Without ears nobody listens for it.
                let _ = talk.send(KeysEvent::Key(KeyEvent { code: 0, pressed: down }));
                None
            }
            ButtonsEvent::Button(ButtonEvent { down: false, .. }) => None,
            ButtonsEvent::Button(ButtonEvent { button: Button::Repeat, .. }) => {
                let repeat = !hush(mouth.as_ref());
                repeat.then(|| said(&words, &Command::Repeat)).flatten()
            }
            ButtonsEvent::Button(ButtonEvent { button, .. }) => match button {
                Button::ClockLeft => Some(FromBoard::Input(Input::Pressed { seat: left })),
                Button::ClockRight => Some(FromBoard::Input(Input::Pressed { seat: left.other() })),
                _ => said(&words, &Command::CallArbiter),
            },
            ButtonsEvent::Lost(err) => {
                Some(FromBoard::Complaint(format!("the buttons are lost: {err}")))
            }
            ButtonsEvent::Back => Some(FromBoard::Complaint("the buttons are back".to_owned())),
        };
        told.is_none_or(|told| to_game.blocking_send(told).is_ok())
    }
}

/// Stops what is being said; whether anything was.
fn hush(mouth: Option<&SharedMouth>) -> bool {
    let Some(mouth) = mouth else { return false };
    let mut mouth = mouth.lock().unwrap_or_else(PoisonError::into_inner);
    let speaking = mouth.is_speaking(Channel::Public) || mouth.is_speaking(Channel::Private);
    mouth.hush();
    speaking
}

/// A command as if it had been spoken.
fn said(words: &Words, command: &Command) -> Option<FromBoard> {
    let phrases = words.command_phrases();
    let (phrase, _) = phrases.into_iter().find(|(_, own)| own == command)?;
    Some(FromBoard::Input(Input::Said { seat: None, heard: vec![phrase] }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Square;

    /// What the game gets of these events.
    fn inputs<E>(
        tell: impl FnOnce(ToGame) -> Box<dyn FnMut(E) -> bool + Send>,
        events: Vec<E>,
    ) -> Vec<String> {
        let (send, mut got) = tokio::sync::mpsc::channel(64);
        let mut tell = tell(send);
        assert!(events.into_iter().all(&mut *tell));
        let mut told = Vec::new();
        while let Ok(from) = got.try_recv() {
            told.push(match from {
                FromBoard::Input(input) => serde_json::to_string(&input).expect("an input"),
                FromBoard::Complaint(line) => line,
                other => format!("{other:?}"),
            });
        }
        told
    }

    fn place() -> Place<'static> {
        let words = Words::builtin("fide", "de").expect("there");
        Place { seat: Color::White, shown: Bitboard::EMPTY, words, mouth: None }
    }

    fn press(button: Button) -> [ButtonsEvent; 2] {
        [true, false].map(|down| ButtonsEvent::Button(ButtonEvent { button, down }))
    }

    #[test]
    fn buttons_press_clocks_repeat_and_call_the_arbiter() {
        let (talk, talked) = mpsc::channel();
        let events = Button::ALL.into_iter().flat_map(press).collect();
        let told =
            inputs(|to_game| Box::new(pressing(&place(), Color::Black, talk, to_game)), events);
        assert_eq!(
            told,
            [
                r#"{"said":{"heard":["wiederhole"]}}"#,
                r#"{"pressed":{"seat":"black"}}"#,
                r#"{"pressed":{"seat":"white"}}"#,
                r#"{"said":{"heard":["Schiedsrichter"]}}"#,
            ]
        );
        let held: Vec<KeysEvent> = talked.try_iter().collect();
        let key = |pressed| KeysEvent::Key(KeyEvent { code: 0, pressed });
        assert_eq!(held, [key(true), key(false)]);
    }

    #[test]
    fn reeds_become_inputs_and_a_loss_a_complaint() {
        let edge = crate::sensing::Edge { at_ms: 7, square: Square::E2, occupied: false };
        let events = vec![
            ScanEvent::Edge { edge, ago_ms: 20 },
            ScanEvent::Lost(ReadError::Chain { found: 0xff }),
            ScanEvent::Back,
            ScanEvent::Board(Bitboard::from(Square::B1)),
        ];
        let told = inputs(|to_game| Box::new(telling(&place(), to_game)), events);
        assert_eq!(
            told,
            [
                r#"{"edge":{"seat":"white","square":"e2","occupied":false,"ago_ms":20}}"#,
                "the board is lost: the chain of shift registers is broken (its end reads 0xff): \
                 check MISO, SCLK, the power of the chips and SER of the last one",
                "the board is back",
                r#"{"board":{"seat":"white","occupied":2}}"#,
            ]
        );
    }
}
