//! Reeds, buttons and lights for the service: their events become inputs.

use std::{sync::mpsc, time::Duration};

use shakmaty::{Bitboard, ByColor, Color};

use super::{
    SharedMouth,
    moments::since_boot_ms,
    news::{FromDevice, ToGame},
    streams::complain,
};
use crate::config::Config;
use annabella_core::game::{Boards, Channel, Input, Output, PlayerButton, Running, Urgency};
use annabella_devices::{
    board::{
        ReadError,
        buttons::{Button, ButtonEvent, Buttons, ButtonsEvent, Light},
        pi::{self, ShowLight},
        scan::{Lending, ScanEvent, ScanSettings, Scanner},
    },
    voice::keys::{KeyEvent, KeysEvent},
};
use annabella_threads::lock;
use annabella_words::phrase::{Prompt, Words};

/// Facts of the game that reading its board needs.
pub struct Place<'a> {
    /// The player before the board.
    pub seat: Color,
    /// Its last known picture.
    pub shown: Bitboard,
    pub words: Words,
    /// The player's mouth, if anything speaks.
    pub mouth: Option<&'a SharedMouth>,
}

/// The devices at the board; they are read until this is dropped.
pub struct Reeds {
    scanners: Vec<Scanner>,
    lending: Vec<Option<Lending>>,
    buttons: Option<Buttons>,
    show: Option<ShowLight>,
    talk: ByColor<Option<mpsc::Receiver<KeysEvent>>>,
}

impl std::fmt::Debug for Reeds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reeds")
            .field("scanners", &self.scanners)
            .field("buttons", &self.buttons)
            .finish_non_exhaustive()
    }
}

impl Reeds {
    /// Opens what the configuration asks for: `[board]` before the first, `[board_black]` before a
    /// second. Buttons and lights that are not there are complained
    /// of, and the game goes on without them.
    ///
    /// # Errors
    /// When the board's device can't be opened at all. A board that only does not answer is
    /// reported as lost, and tried again.
    pub fn open(
        config: &Config,
        places: &[Place<'_>],
        to_game: &ToGame,
    ) -> Result<Reeds, ReadError> {
        let talk = ByColor::default();
        let mut reeds =
            Reeds { scanners: Vec::new(), lending: Vec::new(), buttons: None, show: None, talk };
        for (place, section) in places.iter().zip([&config.board, &config.board_black]) {
            let Some(Ok(wiring)) = section.wiring() else {
                reeds.lending.push(None);
                continue;
            };
            let mut first = Some(pi::open(&wiring)?);
            let settings = ScanSettings {
                scan_hz: wiring.scan_hz,
                debounce_ms: section.sensing.debounce_ms,
                shown: place.shown,
            };
            let open = move || first.take().map_or_else(|| pi::open(&wiring), Ok);
            let scanner = Scanner::start(open, settings, telling(place, to_game.another()));
            let until = scanner.read_until();
            // A contact that changed before is certain only so much later.
            let rest = Duration::from_millis(settings.debounce_ms);
            to_game.waits_for(move |moment| until.is_before(moment + rest));
            reeds.lending.push(Some(scanner.lending()));
            reeds.scanners.push(scanner);
        }
        reeds.add_buttons_and_lights(config, places, to_game);
        Ok(reeds)
    }

    fn add_buttons_and_lights(&mut self, config: &Config, places: &[Place<'_>], to_game: &ToGame) {
        if config.has_buttons() {
            let buttons = &config.buttons;
            match pi::buttons(&buttons.pins) {
                Ok(pins) => {
                    let (hands, talked): (Vec<Hand>, Vec<_>) = places.iter().map(Hand::of).unzip();
                    let pressed = pressing(hands, config.presses_left(), to_game.another());
                    self.buttons = Some(Buttons::start(pins, buttons.debounce_ms, pressed));
                    let talk = [buttons.pins.talk, buttons.pins.talk_black];
                    for ((place, pin), talked) in places.iter().zip(talk).zip(talked) {
                        self.talk[place.seat] = pin.map(|_| talked);
                    }
                }
                Err(err) => complain(&format!("no buttons: {err}")),
            }
        }
        if !config.lights.pins().is_empty() {
            match pi::lights(&config.lights) {
                Ok(show) => self.show = Some(show),
                Err(err) => complain(&format!("no lights: {err}")),
            }
        }
    }

    /// This player's talk button, for the ears. Only the first call gets it.
    pub fn talk(&mut self, seat: Color) -> Option<mpsc::Receiver<KeysEvent>> {
        self.talk[seat].take()
    }

    /// The readers of the boards, in the order of the places; `None`: no reader's.
    pub fn lending(&self) -> &[Option<Lending>] {
        &self.lending
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
        self.scanners.iter().map(Scanner::stats).find(|s| s.overruns * 100 > s.scans).map(|stats| {
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
        let mut mouth = lock(mouth);
        mouth.say(Channel::Private, Urgency::Alert, &words);
    }
}

/// Turns the events of a scan into messages to the game.
fn telling(place: &Place<'_>, to_game: ToGame) -> impl FnMut(ScanEvent) -> bool + Send + use<> {
    let (seat, words, mouth) = (place.seat, place.words.clone(), place.mouth.cloned());
    move |event| {
        let mut at_ms = since_boot_ms();
        let told = match event {
            ScanEvent::Edge { edge, ago_ms } => {
                at_ms = at_ms.saturating_sub(ago_ms);
                let (square, occupied) = (edge.square, edge.occupied);
                FromDevice::Input(Input::Edge { seat, square, occupied, ago_ms })
            }
            ScanEvent::Board(board) => {
                FromDevice::Input(Input::Board { seat, occupied: board.into() })
            }
            ScanEvent::Lost(err) => {
                speak(mouth.as_ref(), &words, Prompt::BoardLost);
                speak(mouth.as_ref(), &words, Prompt::PlayOnByAnnouncement);
                FromDevice::Complaint(format!("the board is lost: {err}"))
            }
            ScanEvent::Back => {
                speak(mouth.as_ref(), &words, Prompt::BoardBack);
                FromDevice::Complaint("the board is back".to_owned())
            }
        };
        to_game.blocking_send_of(at_ms, told).is_ok()
    }
}

/// A player's own buttons.
struct Hand {
    seat: Color,
    mouth: Option<SharedMouth>,
    talk: mpsc::Sender<KeysEvent>,
}

impl Hand {
    /// The hand, and the events of its talk button.
    fn of(place: &Place<'_>) -> (Hand, mpsc::Receiver<KeysEvent>) {
        let (talk, talked) = mpsc::channel();
        let (seat, mouth) = (place.seat, place.mouth.cloned());
        (Hand { seat, mouth, talk }, talked)
    }

    fn talk(&self, down: bool) {
        if down {
            hush(self.mouth.as_ref());
        }
        // Without ears nobody listens for it.
        let _ = self.talk.send(KeysEvent::Key(KeyEvent { code: 0, pressed: down }));
    }

    /// Stops what is being said; only in silence the last thing is said again.
    fn repeat(&self) -> Option<FromDevice> {
        let (seat, asks) = (Some(self.seat), PlayerButton::Repeat);
        let again = !hush(self.mouth.as_ref());
        again.then_some(FromDevice::Input(Input::Button { seat, asks }))
    }
}

/// Turns button events into messages to the game and to the ears. `hands`: the blind player's, or
/// White's and Black's.
fn pressing(
    hands: Vec<Hand>,
    left: Color,
    to_game: ToGame,
) -> impl FnMut(ButtonsEvent) -> bool + Send + use<> {
    move |event| {
        let (first, second) = (hands.first(), hands.get(1));
        let told = match event {
            ButtonsEvent::Button(ButtonEvent { button, down }) => match (button, down) {
                (Button::Talk, _) => {
                    first.inspect(|hand| hand.talk(down));
                    None
                }
                (Button::TalkBlack, _) => {
                    second.inspect(|hand| hand.talk(down));
                    None
                }
                (_, false) => None,
                (Button::Repeat, _) => first.and_then(Hand::repeat),
                (Button::RepeatBlack, _) => second.and_then(Hand::repeat),
                (Button::ClockLeft, _) => Some(FromDevice::Input(Input::Pressed { seat: left })),
                (Button::ClockRight, _) => {
                    Some(FromDevice::Input(Input::Pressed { seat: left.other() }))
                }
                // Anybody may press it.
                (Button::Arbiter, _) => Some(FromDevice::Input(Input::Button {
                    seat: None,
                    asks: PlayerButton::Arbiter,
                })),
            },
            ButtonsEvent::Lost(err) => {
                Some(FromDevice::Complaint(format!("the buttons are lost: {err}")))
            }
            ButtonsEvent::Back => Some(FromDevice::Complaint("the buttons are back".to_owned())),
        };
        told.is_none_or(|told| to_game.blocking_send(told).is_ok())
    }
}

/// Stops what is being said; whether anything was.
fn hush(mouth: Option<&SharedMouth>) -> bool {
    let Some(mouth) = mouth else { return false };
    let mut mouth = lock(mouth);
    let speaking = mouth.is_speaking(Channel::Public) || mouth.is_speaking(Channel::Private);
    mouth.hush();
    speaking
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
        let (send, mut got) = ToGame::open();
        let mut tell = tell(send);
        assert!(events.into_iter().all(&mut *tell));
        let mut told = Vec::new();
        while let Some(news) = got.try_recv() {
            told.push(match news.from {
                FromDevice::Input(input) => serde_json::to_string(&input).expect("an input"),
                FromDevice::Complaint(line) => line,
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

    fn hand(seat: Color) -> (Hand, mpsc::Receiver<KeysEvent>) {
        Hand::of(&Place { seat, ..place() })
    }

    #[test]
    fn buttons_press_clocks_repeat_and_call_the_arbiter() {
        let (white, talked) = hand(Color::White);
        let events = Button::ALL.into_iter().flat_map(press).collect();
        let told = inputs(|to_game| Box::new(pressing(vec![white], Color::Black, to_game)), events);
        assert_eq!(
            told,
            [
                r#"{"button":{"seat":"white","asks":"repeat"}}"#,
                r#"{"pressed":{"seat":"black"}}"#,
                r#"{"pressed":{"seat":"white"}}"#,
                r#"{"button":{"asks":"arbiter"}}"#,
            ]
        );
        let held: Vec<KeysEvent> = talked.try_iter().collect();
        let key = |pressed| KeysEvent::Key(KeyEvent { code: 0, pressed });
        assert_eq!(held, [key(true), key(false)]);
    }

    #[test]
    fn f2_each_of_two_blind_players_has_his_own_buttons() {
        let ((white, talked_white), (black, talked)) = (hand(Color::White), hand(Color::Black));
        let events = [Button::Repeat, Button::RepeatBlack, Button::TalkBlack];
        let events = events.into_iter().flat_map(press).collect();
        let hands = vec![white, black];
        let told = inputs(|to_game| Box::new(pressing(hands, Color::White, to_game)), events);
        assert_eq!(
            told,
            [
                r#"{"button":{"seat":"white","asks":"repeat"}}"#,
                r#"{"button":{"seat":"black","asks":"repeat"}}"#,
            ]
        );
        assert_eq!(talked.try_iter().count(), 2, "down and up");
        assert_eq!(talked_white.try_iter().count(), 0);
    }

    #[test]
    fn reeds_become_inputs_and_a_loss_a_complaint() {
        let edge = annabella_core::sensing::Edge { at_ms: 7, square: Square::E2, occupied: false };
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
