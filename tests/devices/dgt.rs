//! The DGT board's and clock's bytes: every vector of the protocol's description, and any bytes at
//! all in any pieces.

use annabella_devices::dgt::codec::{
    Ack, ClockButton, ClockCommand, ClockSays, ClockTimes, Code, CommandDecoder, CommandError,
    DecodeError, DgtDecoder, Dump, Facing, Field, FromBoard, LONGEST_FRAME, Marker, RunMode,
    SideTime, ToBoard, Turn,
};
use annabella_devices::dgt::session::{ClockEvent, ClockReply, DgtEvent, DgtSession};
use annabella_emulators::dgt::{Faults, SimulatedDgt};
use proptest::{collection::vec, prelude::*};
use shakmaty::{Board, Color, Role, Square};

type Heard = Vec<Result<FromBoard, DecodeError>>;

fn hear(bytes: &[u8]) -> Heard {
    DgtDecoder::default().feed(bytes).collect()
}

fn hear_one(bytes: &[u8]) -> FromBoard {
    let mut heard = hear(bytes);
    assert_eq!(heard.len(), 1, "{heard:?}");
    heard.remove(0).expect("a message")
}

fn times(bytes: &[u8]) -> ClockTimes {
    match hear_one(bytes) {
        FromBoard::Clock(ClockSays::Times(times)) => times,
        other => panic!("{other:?}"),
    }
}

fn ack(bytes: &[u8]) -> Ack {
    match hear_one(bytes) {
        FromBoard::Clock(ClockSays::Ack(ack)) => ack,
        other => panic!("{other:?}"),
    }
}

fn field(number: u8) -> Field {
    Field::new(number).expect("a field")
}

#[test]
fn the_commands_are_the_bytes_of_the_description() {
    let encoded = |command: ToBoard| command.encode();
    assert_eq!(encoded(ToBoard::Reset), [0x40]);
    assert_eq!(encoded(ToBoard::SendClock), [0x41]);
    assert_eq!(encoded(ToBoard::SendBoard), [0x42]);
    assert_eq!(encoded(ToBoard::UpdateAll), [0x43]);
    assert_eq!(encoded(ToBoard::UpdateFields), [0x44]);
    assert_eq!(encoded(ToBoard::UpdateChanges), [0x4B]);
    assert_eq!(encoded(ToBoard::SendSerial), [0x45]);
    assert_eq!(encoded(ToBoard::SendLongSerial), [0x55]);
    assert_eq!(encoded(ToBoard::SendBusAddress), [0x46]);
    assert_eq!(encoded(ToBoard::SendTrademark), [0x47]);
    assert_eq!(encoded(ToBoard::SendStoredMoves), [0x49]);
    assert_eq!(encoded(ToBoard::SendBattery), [0x4C]);
    assert_eq!(encoded(ToBoard::SendVersion), [0x4D]);
}

#[test]
fn the_clock_commands_are_the_bytes_of_the_description() {
    let encoded = |command: ClockCommand| ToBoard::Clock(command).encode();
    assert_eq!(encoded(ClockCommand::Beep { units: 4 }), [0x2B, 0x04, 0x03, 0x0B, 0x04, 0x00]);
    assert_eq!(encoded(ClockCommand::Version), [0x2B, 0x03, 0x03, 0x09, 0x00]);
    assert_eq!(encoded(ClockCommand::text("Sg1f3", 1)), *b"\x2B\x0C\x03\x0CSg1f3   \x01\x00");
    assert_eq!(encoded(ClockCommand::EndText), [0x2B, 0x03, 0x03, 0x03, 0x00]);
    assert_eq!(encoded(ClockCommand::Button), [0x2B, 0x03, 0x03, 0x08, 0x00]);
    let set = ClockCommand::SetAndRun {
        left: SideTime::from_seconds(3600 + 29 * 60 + 58),
        right: SideTime::from_seconds(45 * 60),
        mode: RunMode { left: true, lever: true, ..RunMode::default() },
    };
    // Plain binary values, not BCD.
    assert_eq!(encoded(set), [0x2B, 0x0A, 0x03, 0x0A, 1, 29, 58, 0, 45, 0, 0x09, 0x00]);
}

#[test]
fn a_text_for_the_display_has_eight_plain_characters() {
    let shown = |text: &str| match ClockCommand::text(text, 0) {
        ClockCommand::Text { text, .. } => String::from_utf8(text.to_vec()).expect("ASCII"),
        other => panic!("{other:?}"),
    };
    assert_eq!(shown("e4"), "e4      ");
    assert_eq!(shown("Sg1xf3+ und mehr"), "Sg1xf3+ ");
    assert_eq!(shown("Läufer\n"), "L?ufer? ");
}

#[test]
fn the_measured_flag_fall_is_read() {
    let times = times(&[0x8D, 0x00, 0x0A, 0x30, 0x00, 0x00, 0x20, 0x00, 0x16, 0x12]);
    let right = SideTime { fallen: true, per_move: true, ..SideTime::default() };
    let left = SideTime { seconds: 16, per_move: true, ..SideTime::default() };
    assert_eq!((times.left, times.right), (left, right));
    assert!(!times.running && times.right_high && !times.battery_low && !times.absent);
    assert_eq!(times.runs_right(), None);
    assert_eq!(times.turn, Turn { left: false, right: true });
}

#[test]
fn the_side_that_runs_comes_from_lever_and_running_bit() {
    let state = |p6| times(&[0x8D, 0x00, 0x0A, 0x01, 0x29, 0x58, 0x00, 0x45, 0x00, p6]);
    // 09 left, 13 right: measured without exception.
    assert_eq!(state(0x09).runs_right(), Some(false));
    assert_eq!(state(0x13).runs_right(), Some(true));
    // The other bits are advisory.
    assert_eq!(state(0x11).runs_right(), Some(false));
    assert_eq!(state(0x0B).runs_right(), Some(true));
    assert_eq!(state(0x12).runs_right(), None);
    // Without a clock nothing runs.
    assert_eq!(state(0x29).runs_right(), None);
    assert!(state(0x29).absent);
    assert!(state(0x0D).battery_low);
    assert_eq!(state(0x09).right.seconds(), 3600 + 29 * 60 + 58);
    assert_eq!(state(0x09).left.seconds(), 45 * 60);
}

#[test]
fn acknowledgements_ride_in_clock_messages() {
    let version = ack(&[0x8D, 0x00, 0x0A, 0x0A, 0x10, 0x09, 0x0A, 0x20, 0x00, 0x00]);
    assert_eq!(version, Ack([0x10, 0x09, 0x20, 0x00]));
    assert_eq!(version.as_version(), Some((2, 0)));
    assert_eq!(version.command(), Some(ClockCommand::Version.code()));
    assert!(version.is_accepted());
    let back = ack(&[0x8D, 0x00, 0x0A, 0x0A, 0x10, 0x08, 0x2A, 0x00, 0x31, 0x00]);
    assert_eq!(back, Ack([0x10, 0x88, 0x00, 0x31]));
    assert_eq!(back.as_button(), Some(ClockButton::Back));
    assert_eq!(back.command(), None);
    // And as we write them.
    let bytes = |ack| FromBoard::Clock(ClockSays::Ack(ack)).encode();
    assert_eq!(
        bytes(Ack::version(2, 0)),
        [0x8D, 0x00, 0x0A, 0x0A, 0x10, 0x09, 0x0A, 0x20, 0x00, 0x00]
    );
    assert_eq!(
        bytes(Ack::button(ClockButton::Back)),
        [0x8D, 0x00, 0x0A, 0x0A, 0x10, 0x08, 0x2A, 0x00, 0x31, 0x00]
    );
}

#[test]
fn both_refusals_are_refusals() {
    for refused in [0x40, 0x20] {
        assert!(!Ack([refused, 0x0A, 0, 0]).is_accepted());
    }
    assert_eq!(Ack::READY, Ack([0x10, 0x81, 0, 0]));
    assert_eq!(Ack::READY.command(), None);
}

#[test]
fn a_refusal_that_names_no_command_answers_the_one_under_way() {
    for refusal in [[0x20, 0, 0, 0], [0x40, 0, 0, 0], [0x20, 0x0A, 0, 0], [0x40, 0x0A, 0, 0]] {
        let mut device = SimulatedDgt::new(1, Faults::default(), &Board::new());
        let mut session = DgtSession::new(0);
        let mut events = Vec::new();
        let mut asked = false;
        for now_ms in (0..20_000).step_by(5) {
            let bytes = device.transmit(now_ms);
            session.read(now_ms, &bytes, &mut events);
            if now_ms == 5_000 {
                let (left, right) = (SideTime::from_seconds(300), SideTime::from_seconds(300));
                let mode = RunMode { left: true, ..RunMode::default() };
                session.command(7, ClockCommand::SetAndRun { left, right, mode }, &mut events);
            }
            while let Some(bytes) = session.write(now_ms, &mut events) {
                // The times go to a clock that answers as the field's does.
                if bytes.starts_with(&[0x2B, 0x0A, 0x03, 0x0A]) {
                    asked = true;
                    let [a0, a1, a2, a3] = refusal;
                    let frame = [0x8D, 0, 0x0A, 0x0A, a0, a1, 0x0A, a2, a3, 0];
                    session.read(now_ms, &frame, &mut events);
                } else {
                    device.receive(now_ms, &bytes);
                }
            }
        }
        let answers: Vec<bool> = events
            .iter()
            .filter_map(|event| match event {
                DgtEvent::Clock(ClockEvent::Answered { number: 7, answer, .. }) => {
                    Some(matches!(answer, ClockReply::Refused(_)))
                }
                _ => None,
            })
            .collect();
        assert!(asked && answers == [true], "{refusal:02x?}: {answers:?}");
    }
}

#[test]
fn the_five_buttons_have_their_codes() {
    let codes = [
        ClockButton::Back,
        ClockButton::Plus,
        ClockButton::Run,
        ClockButton::Minus,
        ClockButton::Ok,
    ];
    assert_eq!(codes.map(ClockButton::code), [0x31, 0x32, 0x33, 0x34, 0x35]);
    assert_eq!(codes.map(|button| ClockButton::from_code(button.code())), codes);
    assert_eq!(ClockButton::from_code(0x36), ClockButton::Other(0x36));
}

#[test]
fn a_clock_message_of_zeros_says_nothing() {
    let zeros = [0x8D, 0x00, 0x0A, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(hear_one(&zeros), FromBoard::Clock(ClockSays::Nothing));
    // Nor with a bit that has no meaning: found by the fuzzer.
    let zeros = [0x8D, 0x00, 0x0A, 0, 0, 0, 0, 0, 0, 0x40];
    assert_eq!(hear_one(&zeros), FromBoard::Clock(ClockSays::Nothing));
}

#[test]
fn a_time_that_no_clock_shows_is_refused() {
    let impossible =
        |data: [u8; 7]| hear(&[&[0x8D, 0x00, 0x0A], data.as_slice()].concat()).remove(0);
    let refused = Err(DecodeError::Content { id: 0x8D, what: "a time that no clock shows" });
    assert_eq!(impossible([0, 0x60, 0, 0, 0, 0, 1]), refused);
    assert_eq!(impossible([0, 0, 0x1A, 0, 0, 0, 1]), refused);
    assert_eq!(impossible([0x0B, 0, 0, 0, 0, 0, 1]), refused);
    assert_eq!(impossible([0, 0, 0, 0, 0x5F, 0, 1]), refused);
}

#[test]
fn field_zero_is_a8_or_h1() {
    let left =
        [(0, Square::A8), (1, Square::B8), (7, Square::H8), (8, Square::A7), (63, Square::H1)];
    for (number, square) in left {
        assert_eq!(Facing::ConnectorLeft.square(field(number)), square);
        assert_eq!(Facing::ConnectorRight.square(field(63 - number)), square);
    }
    for facing in Facing::ALL {
        assert!(Field::all().all(|field| facing.field(facing.square(field)) == field));
    }
    assert_eq!(Field::new(64), None);
}

#[test]
fn pieces_have_the_codes_of_the_description() {
    let roles = [Role::Pawn, Role::Rook, Role::Knight, Role::Bishop, Role::King, Role::Queen];
    for (n, role) in (1..).zip(roles) {
        assert_eq!(Code::from_nibble(n), Code::Piece(role.of(Color::White)));
        assert_eq!(Code::from_nibble(n + 6), Code::Piece(role.of(Color::Black)));
    }
    let markers = [Marker::Draw, Marker::WhiteWins, Marker::BlackWins];
    assert_eq!([0xD, 0xE, 0xF].map(Code::from_nibble), markers.map(Code::Marker));
    assert_eq!(Code::from_nibble(0x75), Code::from_nibble(5));
    assert!((0..16).all(|n| Code::from_nibble(n).nibble() == n));
}

fn dump_of_the_start() -> Vec<u8> {
    let mut bytes = vec![0x86, 0x00, 0x43];
    bytes.extend([8, 9, 10, 12, 11, 10, 9, 8]);
    bytes.extend([7; 8]);
    bytes.extend([0; 32]);
    bytes.extend([1; 8]);
    bytes.extend([2, 3, 4, 6, 5, 4, 3, 2]);
    bytes
}

#[test]
fn the_starting_position_tells_which_way_round_the_board_lies() {
    let mut bytes = dump_of_the_start();
    let FromBoard::Dump(dump) = hear_one(&bytes) else { panic!("a dump") };
    assert_eq!(dump.facing(&Board::new()), Some(Facing::ConnectorLeft));
    assert_eq!(dump.board(Facing::ConnectorLeft), Board::new());
    assert_eq!(FromBoard::Dump(dump).encode(), bytes);
    bytes[3..].reverse();
    let FromBoard::Dump(dump) = hear_one(&bytes) else { panic!("a dump") };
    assert_eq!(dump.facing(&Board::new()), Some(Facing::ConnectorRight));
    assert_eq!(*dump, Dump::of(&Board::new(), Facing::ConnectorRight));
    bytes[3] = 0;
    let FromBoard::Dump(dump) = hear_one(&bytes) else { panic!("a dump") };
    assert_eq!(dump.facing(&Board::new()), None);
}

#[test]
fn the_other_messages_are_read() {
    assert_eq!(hear_one(&[0x90, 0, 5, 0x12, 0x34]), FromBoard::BusAddress(0x12 << 7 | 0x34));
    assert_eq!(hear_one(b"\x91\x00\x0812345"), FromBoard::Serial(*b"12345"));
    assert_eq!(hear_one(b"\xA2\x00\x0D0000012345"), FromBoard::LongSerial(*b"0000012345"));
    assert_eq!(hear_one(&[0x93, 0, 5, 1, 8]), FromBoard::Version { major: 1, minor: 8 });
    assert_eq!(hear_one(b"\x92\x00\x06ABC"), FromBoard::Trademark(b"ABC".to_vec()));
    assert_eq!(
        hear_one(&[0xA0, 0, 12, 80, 1, 2, 3, 4, 5, 6, 7, 1]),
        FromBoard::Battery { percent: 80, times: [1, 2, 3, 4, 5, 6, 7], status: 1 }
    );
    let moves = FromBoard::StoredMoves(vec![0x6A; 7936]);
    let bytes = moves.encode();
    assert_eq!((bytes.len(), bytes[1], bytes[2]), (7939, 62, 3));
    assert_eq!(hear_one(&bytes), moves);
}

#[test]
fn a_cut_message_costs_only_itself() {
    let update = [0x8E, 0x00, 0x05, 0x34, 0x01];
    let mut bytes = vec![0x01, 0x02];
    bytes.extend(&dump_of_the_start()[..40]);
    bytes.extend([0x8E]);
    bytes.extend([0x8E, 0x00]);
    bytes.extend(update);
    let heard = hear(&bytes);
    let errors = [
        DecodeError::Stray { bytes: 2 },
        DecodeError::Cut { id: 0x86, found: 40, wanted: 67 },
        DecodeError::Cut { id: 0x8E, found: 1, wanted: 0 },
        DecodeError::Cut { id: 0x8E, found: 2, wanted: 0 },
    ];
    assert_eq!(heard[..4], errors.map(Err));
    assert_eq!(heard[4..], hear(&update));
    assert_eq!(
        heard[1].as_ref().expect_err("cut").to_string(),
        "message 86 cut after 40 of 67 bytes"
    );
}

#[test]
fn wrong_lengths_and_unknown_kinds_are_left_out_and_complained_about_once() {
    let update = [0x8E, 0x00, 0x05, 0x34, 0x01];
    let heard = hear(&[&[0xFF, 0x00, 0x05, 0x01, 0x02], update.as_slice()].concat());
    assert_eq!(heard[0], Err(DecodeError::Unknown { id: 0xFF }));
    assert_eq!(heard[1..], hear(&update));
    let heard = hear(&[&[0x8E, 0x7F, 0x7F, 0x01, 0x02], update.as_slice()].concat());
    assert_eq!(heard[0], Err(DecodeError::Length { id: 0x8E, found: 16383 }));
    assert_eq!(heard[1..], hear(&update));
    let heard = hear(&[0x8E, 0x00, 0x05, 0x40, 0x01]);
    assert_eq!(heard, [Err(DecodeError::Content { id: 0x8E, what: "no such field" })]);
}

#[test]
fn a_length_alone_takes_no_memory() {
    let mut decoder = DgtDecoder::default();
    assert_eq!(decoder.feed(&[0x92, 0x7F, 0x7F, 0x20]).count(), 0);
    assert!(decoder.capacity() <= 64, "{}", decoder.capacity());
}

#[test]
fn an_emulator_reads_commands_and_refuses_others() {
    let mut decoder = CommandDecoder::default();
    let mut read =
        |bytes: &[u8]| -> Vec<_> { bytes.iter().filter_map(|byte| decoder.push(*byte)).collect() };
    assert_eq!(read(&[0x42, 0x4D]), [Ok(ToBoard::SendBoard), Ok(ToBoard::SendVersion)]);
    // The EEPROM's commands are none.
    assert_eq!(read(&[0x53]), [Err(CommandError::Unknown(0x53))]);
    assert_eq!(read(&[0x2B, 0x03, 0x03]), []);
    assert_eq!(
        read(&[0x09, 0x00, 0x42]),
        [Ok(ToBoard::Clock(ClockCommand::Version)), Ok(ToBoard::SendBoard)]
    );
    assert_eq!(read(&[0x2B, 0x7F]), [Err(CommandError::Clock(0x7F))]);
    assert_eq!(read(&[0x2B, 0x03, 0x01, 0x02, 0x03]), [Err(CommandError::Clock(3))]);
    assert_eq!(read(&[0x42]), [Ok(ToBoard::SendBoard)]);
}

fn side_time() -> impl Strategy<Value = SideTime> {
    (0..10u8, 0..60u8, 0..60u8, any::<[bool; 3]>()).prop_map(
        |(hours, minutes, seconds, [fallen, per_move, flag])| SideTime {
            hours,
            minutes,
            seconds,
            fallen,
            per_move,
            flag,
        },
    )
}

fn clock_says() -> impl Strategy<Value = ClockSays> {
    prop_oneof![
        Just(ClockSays::Nothing),
        any::<[u8; 4]>().prop_map(|a| ClockSays::Ack(Ack(a))),
        (side_time(), side_time(), any::<[bool; 6]>()).prop_map(|(left, right, bits)| {
            let [running, right_high, battery_low, turn_left, turn_right, absent] = bits;
            let turn = Turn { left: turn_left, right: turn_right };
            ClockSays::Times(ClockTimes {
                left,
                right,
                running,
                right_high,
                battery_low,
                turn,
                absent,
            })
        }),
    ]
    .prop_filter("all zero is no time", |says| match says {
        ClockSays::Times(times) => *times != ClockTimes::default(),
        _ => true,
    })
}

fn message() -> impl Strategy<Value = FromBoard> {
    let seven_bits = || 0..0x80u8;
    prop_oneof![
        vec(0..16u8, 64).prop_map(|codes| {
            let codes: [u8; 64] = codes.try_into().expect("64 codes");
            FromBoard::Dump(Box::new(Dump::new(codes.map(Code::from_nibble))))
        }),
        clock_says().prop_map(FromBoard::Clock),
        (0..64u8, 0..16u8).prop_map(|(number, code)| FromBoard::Update {
            field: field(number),
            code: Code::from_nibble(code)
        }),
        (0..1u16 << 14).prop_map(FromBoard::BusAddress),
        proptest::array::uniform5(seven_bits()).prop_map(FromBoard::Serial),
        proptest::array::uniform10(seven_bits()).prop_map(FromBoard::LongSerial),
        vec(seven_bits(), 0..200).prop_map(FromBoard::Trademark),
        (seven_bits(), seven_bits()).prop_map(|(major, minor)| FromBoard::Version { major, minor }),
        (seven_bits(), proptest::array::uniform7(seven_bits()), seven_bits())
            .prop_map(|(percent, times, status)| FromBoard::Battery { percent, times, status }),
    ]
}

fn clock_command() -> impl Strategy<Value = ClockCommand> {
    let plain = || (0..=SideTime::LONGEST_S).prop_map(SideTime::from_seconds);
    prop_oneof![
        any::<u8>().prop_map(|units| ClockCommand::Beep { units }),
        Just(ClockCommand::Version),
        Just(ClockCommand::EndText),
        Just(ClockCommand::Button),
        (any::<[u8; 8]>(), any::<u8>()).prop_map(|(text, beep)| ClockCommand::Text { text, beep }),
        (plain(), plain(), any::<[bool; 4]>()).prop_map(
            |(left, right, [runs_left, runs_right, pause, lever])| {
                let mode = RunMode { left: runs_left, right: runs_right, pause, lever };
                ClockCommand::SetAndRun { left, right, mode }
            }
        ),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn what_is_written_is_read_whatever_the_pieces(
        messages in vec(message(), 1..6),
        cuts in vec(1..40usize, 1..40),
    ) {
        let bytes: Vec<u8> = messages.iter().flat_map(FromBoard::encode).collect();
        let (mut decoder, mut heard, mut rest) = (DgtDecoder::default(), Vec::new(), &bytes[..]);
        for cut in cuts.into_iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (piece, left) = rest.split_at(cut.min(rest.len()));
            heard.extend(decoder.feed(piece));
            rest = left;
        }
        let wanted: Heard = messages.into_iter().map(Ok).collect();
        prop_assert_eq!(heard, wanted);
    }

    #[test]
    fn after_any_bytes_the_next_whole_message_is_read(
        noise in vec(any::<u8>(), 0..300),
        message in message(),
    ) {
        let mut decoder = DgtDecoder::default();
        let _ = decoder.feed(&noise).count();
        let heard: Heard = decoder.feed(&message.encode()).collect();
        prop_assert_eq!(heard.last(), Some(&Ok(message)));
        prop_assert!(decoder.capacity() <= LONGEST_FRAME);
    }

    #[test]
    fn a_lost_byte_costs_at_most_the_message_that_it_was_in(
        before in message(), hit in message(), after in message(), lost in any::<prop::sample::Index>(),
    ) {
        let mut bytes = hit.encode();
        bytes.remove(lost.index(bytes.len()));
        let bytes = [before.encode(), bytes, after.encode()].concat();
        let heard = hear(&bytes);
        prop_assert_eq!(heard.first(), Some(&Ok(before)));
        prop_assert_eq!(heard.last(), Some(&Ok(after)));
    }

    #[test]
    fn commands_survive_the_way_to_an_emulator(commands in vec(clock_command(), 1..5)) {
        let mut decoder = CommandDecoder::default();
        for command in commands {
            let command = ToBoard::Clock(command);
            let bytes = command.encode();
            let read: Vec<_> = bytes.iter().filter_map(|byte| decoder.push(*byte)).collect();
            prop_assert_eq!(read, vec![Ok(command)]);
            prop_assert!(!decoder.is_waiting());
        }
    }
}
