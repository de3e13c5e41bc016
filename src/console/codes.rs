//! Pairing codes: a code gives its role to the person who types it. Wrong ones cost time.
//!
//! # Guessing
//!
//! A right code gets in whatever others try: it is compared before anything is counted. Only an
//! address that typed two wrong ones waits, twice as long each time, and only that address; of IPv6
//! the whole address, since a hall shares its network. The answer to a wrong code is held back,
//! longer the more came from its network (the /64 of IPv6).
//!
//! A code has eight digits. After a thousand wrong ones, from wherever, all codes are made anew
//! with twelve: the chance to have found one of the two acting codes is 1 in 50,000 by then. After
//! that [`super::Limits::connections`] guesses at a time, each held for seconds, find one within a
//! day with a chance of 1 in 50,000. Open pages are not affected. A code that lets somebody act is
//! good once; then a new one is made.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv6Addr},
    time::{Duration, Instant},
};

use ring::rand::{SecureRandom, SystemRandom};
use tokio::sync::watch;

use super::{ConsoleError, Role};

/// Digits of a code.
pub const DIGITS: usize = 8;
/// Digits of a code after many wrong ones.
pub const MORE_DIGITS: usize = 12;
/// Wrong codes, from wherever, after which codes get longer.
const MANY: u32 = 1_000;
/// How much longer each wrong code from a network is held than the one before it.
const HELD: Duration = Duration::from_millis(250);
/// No wrong code is held longer.
const LONGEST_HELD: Duration = Duration::from_secs(10);
/// How long an address waits after its second wrong try. One is a slip.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// No address waits longer.
const LONGEST_WAIT: Duration = Duration::from_secs(900);
/// The failures of an address are forgotten after this long without a try.
const FORGET: Duration = Duration::from_secs(3_600);
/// Addresses remembered; of more the quietest are forgotten.
const ADDRESSES: usize = 4_096;

/// The codes that are good now: to be shown at the board, or spoken there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codes {
    /// Lets somebody be the arbiter. Good once.
    pub arbiter: String,
    /// Lets somebody be the assistant. Good once.
    pub assistant: String,
    pub display: String,
}

impl Codes {
    /// New ones.
    ///
    /// # Errors
    /// When the system has no random numbers.
    pub fn new() -> Result<Codes, ConsoleError> {
        Codes::of_length(DIGITS)
    }

    fn of_length(digits: usize) -> Result<Codes, ConsoleError> {
        let mut codes = Vec::<String>::new();
        while codes.len() < Role::ALL.len() {
            let code = random_digits(digits)?;
            if !codes.contains(&code) {
                codes.push(code);
            }
        }
        let mut next = || codes.pop().unwrap_or_default();
        Ok(Codes { arbiter: next(), assistant: next(), display: next() })
    }

    /// The code of a role.
    pub fn of(&self, role: Role) -> &str {
        match role {
            Role::Arbiter => &self.arbiter,
            Role::Assistant => &self.assistant,
            Role::Display => &self.display,
        }
    }

    fn renew(&mut self, role: Role) -> Result<(), ConsoleError> {
        let code = random_digits(self.of(role).len())?;
        // Another role has the same code, which would open the wrong page. The old code stays good
        // once more.
        if Role::ALL.into_iter().any(|other| self.of(other) == code) {
            return Ok(());
        }
        *match role {
            Role::Arbiter => &mut self.arbiter,
            Role::Assistant => &mut self.assistant,
            Role::Display => &mut self.display,
        } = code;
        Ok(())
    }

    /// The role of a code. Every code is compared to its end, so that the time taken reveals
    /// nothing.
    fn role(&self, typed: &str) -> Option<Role> {
        let mut found = None;
        for role in Role::ALL {
            let code = self.of(role);
            let mut differs = u8::from(code.len() != typed.len() || code.is_empty());
            for (a, b) in code.bytes().zip(typed.bytes()) {
                differs |= a ^ b;
            }
            if differs == 0 {
                found = Some(role);
            }
        }
        found
    }
}

/// So many decimal digits that nobody can foresee.
///
/// # Errors
/// [`ConsoleError::NoRandom`].
pub fn random_digits(digits: usize) -> Result<String, ConsoleError> {
    let random = SystemRandom::new();
    let mut code = String::with_capacity(digits);
    while code.len() < digits {
        let mut byte = [0];
        random.fill(&mut byte).map_err(|_| ConsoleError::NoRandom)?;
        // 250 is a multiple of ten: every digit is as likely as any other.
        if byte[0] < 250 {
            code.push(char::from(b'0' + byte[0] % 10));
        }
    }
    Ok(code)
}

/// The outcome of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tried {
    Is(Role),
    /// The code is wrong. The answer is held back for this time.
    Wrong(Duration),
    /// The code was not compared: this address typed wrong ones before. Try again after this time.
    Wait(Duration),
}

#[derive(Clone, Copy, Debug)]
struct Tries {
    wrong: u32,
    last: Instant,
}

impl Tries {
    fn wait(&self) -> Duration {
        let Some(more) = self.wrong.checked_sub(2) else { return Duration::ZERO };
        let doubled = 1_u32.checked_shl(more).unwrap_or(u32::MAX);
        FIRST_WAIT.saturating_mul(doubled).min(LONGEST_WAIT)
    }
}

/// The addresses or networks from which wrong codes came lately.
#[derive(Debug, Default)]
struct Wrong(BTreeMap<IpAddr, Tries>);

impl Wrong {
    fn forget(&mut self, now: Instant) {
        self.0.retain(|_, tries| now.saturating_duration_since(tries.last) < FORGET);
    }

    fn remember(&mut self, from: IpAddr, now: Instant) -> u32 {
        if self.0.len() >= ADDRESSES
            && let Some(quietest) =
                self.0.iter().min_by_key(|(_, tries)| tries.last).map(|(address, _)| *address)
        {
            self.0.remove(&quietest);
        }
        let tries = self.0.entry(from).or_insert(Tries { wrong: 0, last: now });
        tries.wrong = tries.wrong.saturating_add(1);
        tries.last = now;
        tries.wrong
    }
}

/// The network that one person has to himself: the /64 of IPv6, the address of IPv4.
pub(super) fn network(from: IpAddr) -> IpAddr {
    match from.to_canonical() {
        IpAddr::V4(address) => address.into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into(),
    }
}

#[derive(Debug)]
pub(super) struct Pairing {
    codes: watch::Sender<Codes>,
    addresses: Wrong,
    networks: Wrong,
    /// Wrong codes since they are as long as now.
    wrong: u32,
}

impl Pairing {
    pub(super) fn new(codes: Codes) -> (Pairing, watch::Receiver<Codes>) {
        let (send, codes) = watch::channel(codes);
        let (addresses, networks) = (Wrong::default(), Wrong::default());
        (Pairing { codes: send, addresses, networks, wrong: 0 }, codes)
    }

    /// The codes that are good now.
    pub(super) fn codes(&self) -> Codes {
        self.codes.borrow().clone()
    }

    /// Somebody at this address typed a code; anything but digits in it does not matter.
    pub(super) fn enter(&mut self, typed: &str, from: IpAddr, now: Instant) -> Tried {
        let from = from.to_canonical();
        self.addresses.forget(now);
        self.networks.forget(now);
        if let Some(tries) = self.addresses.0.get(&from) {
            let (passed, wait) = (now.saturating_duration_since(tries.last), tries.wait());
            if passed < wait {
                return Tried::Wait(wait - passed);
            }
        }
        let digits = typed.chars().filter(char::is_ascii_digit).take(MORE_DIGITS + 1);
        let role = self.codes.borrow().role(&digits.collect::<String>());
        let Some(role) = role else {
            self.wrong = self.wrong.saturating_add(1);
            // Without random numbers the codes stay as they are; they are still secrets.
            if self.wrong == MANY
                && let Ok(codes) = Codes::of_length(MORE_DIGITS)
            {
                self.codes.send_replace(codes);
            }
            self.addresses.remember(from, now);
            let count = self.networks.remember(network(from), now);
            return Tried::Wrong(HELD.saturating_mul(count).min(LONGEST_HELD));
        };
        self.addresses.0.remove(&from);
        if role.acts() {
            // As above.
            self.codes.send_modify(|codes| codes.renew(role).unwrap_or(()));
        }
        Tried::Is(role)
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(n: u32) -> IpAddr {
        Ipv4Addr::from_bits(0x0A00_0000 + n).into()
    }

    fn pairing() -> (Pairing, watch::Receiver<Codes>, Instant) {
        let codes = Codes {
            arbiter: "11112222".to_owned(),
            assistant: "33334444".to_owned(),
            display: "55556666".to_owned(),
        };
        let (pairing, codes) = Pairing::new(codes);
        (pairing, codes, Instant::now())
    }

    fn is_wrong(tried: Tried) -> bool {
        matches!(tried, Tried::Wrong(_))
    }

    #[test]
    fn codes_are_eight_digits_and_all_different() {
        let codes = Codes::new().expect("random numbers");
        for role in Role::ALL {
            let code = codes.of(role);
            assert!(code.len() == DIGITS && code.bytes().all(|b| b.is_ascii_digit()), "{code}");
        }
        assert_ne!(codes.arbiter, codes.assistant);
        assert_ne!(codes.arbiter, codes.display);
    }

    #[test]
    fn a_code_may_be_typed_with_spaces_and_lets_one_act_only_once() {
        let (mut pairing, codes, now) = pairing();
        assert_eq!(pairing.enter(" 1111 2222 ", address(1), now), Tried::Is(Role::Arbiter));
        assert_ne!(codes.borrow().arbiter, "11112222");
        assert!(is_wrong(pairing.enter("11112222", address(1), now)));
        for n in 2..5 {
            assert_eq!(pairing.enter("55556666", address(n), now), Tried::Is(Role::Display));
        }
    }

    #[test]
    fn one_wrong_code_is_a_slip() {
        let (mut pairing, _codes, now) = pairing();
        assert!(is_wrong(pairing.enter("11112223", address(1), now)));
        assert_eq!(pairing.enter("11112222", address(1), now), Tried::Is(Role::Arbiter));
    }

    #[test]
    fn each_wrong_try_doubles_the_wait_and_even_the_right_code_must_wait() {
        let (mut pairing, _codes, mut now) = pairing();
        assert!(is_wrong(pairing.enter("00000000", address(1), now)));
        for wait_s in [1, 2, 4, 8, 16] {
            assert!(is_wrong(pairing.enter("00000000", address(1), now)));
            let wait = Duration::from_secs(wait_s);
            assert_eq!(pairing.enter("33334444", address(1), now), Tried::Wait(wait));
            now += wait;
        }
        // Somebody else need not wait.
        assert_eq!(pairing.enter("33334444", address(2), now), Tried::Is(Role::Assistant));
        for _ in 0..20 {
            pairing.enter("00000000", address(1), now);
            now += LONGEST_WAIT;
        }
        pairing.enter("00000000", address(1), now);
        assert_eq!(pairing.enter("11112222", address(1), now), Tried::Wait(LONGEST_WAIT));
    }

    #[test]
    fn a3_a_right_code_gets_in_whatever_others_try() {
        let (mut pairing, codes, mut now) = pairing();
        for second in 0..40 {
            for n in 0..20 {
                pairing.enter("00000000", address(100 + second * 20 + n), now);
                let neighbour = Ipv6Addr::from_bits((0xfe80 << 112) + u128::from(second * 20 + n));
                pairing.enter("00000000", neighbour.into(), now);
            }
            now += Duration::from_secs(1);
            let v6 = Ipv6Addr::from_bits((0xfe80 << 112) + (1 << 40) + u128::from(second));
            for from in [address(second + 10_000), v6.into()] {
                let code = codes.borrow().arbiter.clone();
                assert_eq!(pairing.enter(&code, from, now), Tried::Is(Role::Arbiter), "{second}");
            }
        }
        let sizes = (pairing.addresses.0.len(), pairing.networks.0.len());
        assert!(sizes.0 <= ADDRESSES && sizes.1 <= ADDRESSES, "{sizes:?}");
    }

    #[test]
    fn a3_after_a_thousand_wrong_codes_they_get_longer() {
        let (mut pairing, codes, now) = pairing();
        for n in 1..MANY {
            pairing.enter("00000000", address(n), now);
        }
        assert_eq!(codes.borrow().arbiter, "11112222");
        pairing.enter("00000000", address(0), now);
        for role in Role::ALL {
            assert_eq!(codes.borrow().of(role).len(), MORE_DIGITS);
        }
        let code = codes.borrow().arbiter.clone();
        assert_eq!(pairing.enter(&code, address(7_000), now), Tried::Is(Role::Arbiter));
        assert_eq!(codes.borrow().arbiter.len(), MORE_DIGITS, "and they stay long");
    }

    #[test]
    fn a3_wrong_codes_of_one_network_are_answered_ever_later() {
        let (mut pairing, _codes, now) = pairing();
        let held = |pairing: &mut Pairing, n: u128| {
            let from = Ipv6Addr::from_bits((0x2001_0db8 << 96) + n);
            match pairing.enter("00000000", from.into(), now) {
                Tried::Wrong(held) => held,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(held(&mut pairing, 1), HELD);
        assert_eq!(held(&mut pairing, 2), HELD * 2);
        for n in 3..100 {
            held(&mut pairing, n);
        }
        assert_eq!(held(&mut pairing, 100), LONGEST_HELD);
        assert_eq!(held(&mut pairing, 1 << 64), HELD, "another network");
    }

    #[test]
    fn no_text_is_a_code_by_chance() {
        let (mut pairing, _codes, mut now) = pairing();
        for text in ["", " ", "1111", "111122223", "１１１１２２２２", "abc", &"1".repeat(9_000)]
        {
            assert!(is_wrong(pairing.enter(text, address(1), now)), "{text}");
            now += LONGEST_WAIT;
        }
    }
}
