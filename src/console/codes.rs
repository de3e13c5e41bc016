//! Pairing codes: a code gives its role to the person who types it. Tries are limited, and wrong
//! ones cost time.
//!
//! # Guessing
//!
//! A code has eight digits. After a wrong one its address waits, twice as long each time. All
//! addresses together share a stock of tries, which gains one every ten seconds. Somebody who
//! guesses from many addresses finds one of the two acting codes within a day with a chance of 1 in
//! 5,000. Open pages are not affected. A code that lets somebody act is good once; then a new one
//! is made.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    time::{Duration, Instant},
};

use ring::rand::{SecureRandom, SystemRandom};
use tokio::sync::watch;

use super::{ConsoleError, Role};

/// Digits of a code.
pub const DIGITS: usize = 8;
/// Wrong tries in stock, for all addresses together.
const STOCK: u32 = 20;
/// The interval after which the stock gains a try.
const REFILL: Duration = Duration::from_secs(10);
/// How long an address waits after its first wrong try.
const FIRST_WAIT: Duration = Duration::from_secs(1);
/// No address waits longer.
const LONGEST_WAIT: Duration = Duration::from_secs(900);
/// The failures of an address are forgotten after this long without a try.
const FORGET: Duration = Duration::from_secs(3_600);
/// Addresses remembered; of more the quietest are forgotten.
const ADDRESSES: usize = 1_024;

/// The codes that are good now: to be shown at the board, or spoken there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Codes {
    /// Lets somebody be the arbiter. Good once.
    pub arbiter: String,
    /// Lets somebody be the assistant. Good once.
    pub assistant: String,
    /// Lets somebody look on.
    pub display: String,
}

impl Codes {
    /// New ones.
    ///
    /// # Errors
    ///
    /// When the system has no random numbers.
    pub fn new() -> Result<Codes, ConsoleError> {
        let mut codes = Vec::<String>::new();
        while codes.len() < Role::ALL.len() {
            let code = random_code()?;
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
        let code = random_code()?;
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

fn random_code() -> Result<String, ConsoleError> {
    let random = SystemRandom::new();
    let mut code = String::with_capacity(DIGITS);
    while code.len() < DIGITS {
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
    /// The code is right.
    Is(Role),
    /// The code is wrong.
    Wrong,
    /// The code was not compared. Try again after this time.
    Wait(Duration),
}

#[derive(Clone, Copy, Debug)]
struct Tries {
    wrong: u32,
    last: Instant,
}

impl Tries {
    fn wait(&self) -> Duration {
        let doubled = 1_u32.checked_shl(self.wrong.saturating_sub(1)).unwrap_or(u32::MAX);
        FIRST_WAIT.saturating_mul(doubled).min(LONGEST_WAIT)
    }
}

/// Lets people in.
#[derive(Debug)]
pub(super) struct Pairing {
    codes: watch::Sender<Codes>,
    tries: BTreeMap<IpAddr, Tries>,
    stock: u32,
    filled: Instant,
}

impl Pairing {
    pub(super) fn new(codes: Codes, now: Instant) -> (Pairing, watch::Receiver<Codes>) {
        let (send, codes) = watch::channel(codes);
        let pairing = Pairing { codes: send, tries: BTreeMap::new(), stock: STOCK, filled: now };
        (pairing, codes)
    }

    /// The codes that are good now.
    pub(super) fn codes(&self) -> Codes {
        self.codes.borrow().clone()
    }

    /// Somebody at this address typed a code; anything but digits in it does not matter.
    pub(super) fn enter(&mut self, typed: &str, from: IpAddr, now: Instant) -> Tried {
        let from = from.to_canonical();
        self.refill(now);
        if let Some(tries) = self.tries.get(&from) {
            let (passed, wait) = (now.saturating_duration_since(tries.last), tries.wait());
            if passed < wait {
                return Tried::Wait(wait - passed);
            }
        }
        if self.stock == 0 {
            return Tried::Wait(REFILL.saturating_sub(now.saturating_duration_since(self.filled)));
        }
        let digits: String = typed.chars().filter(char::is_ascii_digit).take(DIGITS + 1).collect();
        let role = self.codes.borrow().role(&digits);
        match role {
            Some(role) => {
                self.tries.remove(&from);
                if role.acts() {
                    // Without random numbers the code stays as it is; it is still a secret.
                    self.codes.send_modify(|codes| codes.renew(role).unwrap_or(()));
                }
                Tried::Is(role)
            }
            None => {
                self.stock -= 1;
                self.remember(from, now);
                Tried::Wrong
            }
        }
    }

    fn refill(&mut self, now: Instant) {
        while self.stock < STOCK && now.saturating_duration_since(self.filled) >= REFILL {
            self.filled += REFILL;
            self.stock += 1;
        }
        if self.stock == STOCK {
            self.filled = now;
        }
        self.tries.retain(|_, tries| now.saturating_duration_since(tries.last) < FORGET);
    }

    fn remember(&mut self, from: IpAddr, now: Instant) {
        if self.tries.len() >= ADDRESSES
            && let Some(quietest) =
                self.tries.iter().min_by_key(|(_, tries)| tries.last).map(|(address, _)| *address)
        {
            self.tries.remove(&quietest);
        }
        let tries = self.tries.entry(from).or_insert(Tries { wrong: 0, last: now });
        tries.wrong = tries.wrong.saturating_add(1);
        tries.last = now;
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
        let now = Instant::now();
        let (pairing, codes) = Pairing::new(codes, now);
        (pairing, codes, now)
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
        assert_eq!(pairing.enter("11112222", address(1), now), Tried::Wrong);
        for n in 2..5 {
            assert_eq!(pairing.enter("55556666", address(n), now), Tried::Is(Role::Display));
        }
    }

    #[test]
    fn each_wrong_try_doubles_the_wait_and_even_the_right_code_must_wait() {
        let (mut pairing, _codes, mut now) = pairing();
        for wait_s in [1, 2, 4, 8, 16] {
            assert_eq!(pairing.enter("00000000", address(1), now), Tried::Wrong);
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
    fn many_addresses_together_have_few_tries() {
        let (mut pairing, _codes, now) = pairing();
        let wrong = (0..1_000)
            .filter(|n| pairing.enter("00000000", address(*n), now) == Tried::Wrong)
            .count();
        assert_eq!(wrong, STOCK as usize);
        let later = now + Duration::from_secs(60);
        let wrong = (2_000..3_000)
            .filter(|n| pairing.enter("00000000", address(*n), later) == Tried::Wrong)
            .count();
        assert_eq!(wrong, 6);
        assert!(pairing.tries.len() <= ADDRESSES);
    }

    #[test]
    fn no_text_is_a_code_by_chance() {
        let (mut pairing, _codes, mut now) = pairing();
        for text in ["", " ", "1111", "111122223", "１１１１２２２２", "abc", &"1".repeat(9_000)]
        {
            assert_eq!(pairing.enter(text, address(1), now), Tried::Wrong, "{text}");
            now += LONGEST_WAIT;
        }
    }
}
