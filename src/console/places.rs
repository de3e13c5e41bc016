//! Who has a place at the pages, and who goes when there are too many.
//!
//! Everybody who comes is taken: whoever he is shows with his first request. Nobody waits for a
//! place. Instead one goes who is known least: of those who have shown no session the oldest from
//! the address that has most of them, of displays the oldest of the session that has most. Arbiters
//! and assistants are never sent away for others, only for more of their own pages than anybody
//! opens.

use std::{
    collections::BTreeMap,
    net::IpAddr,
    sync::{Arc, Mutex},
};

use tokio::sync::Notify;

use super::{Limits, Role};
use annabella_threads::lock;

/// Who has a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    /// He has shown nothing yet, or nothing that is good.
    Guest,
    /// The session of a display.
    Display(u64),
    /// That of an arbiter or assistant.
    Staff(u64),
}

#[derive(Debug)]
struct Place {
    from: IpAddr,
    who: Who,
    /// Told when he has to go.
    go: Arc<Notify>,
}

#[derive(Debug)]
pub(super) struct Places {
    limits: Limits,
    /// By the order in which they came.
    taken: Mutex<(u64, BTreeMap<u64, Place>)>,
}

/// A connection, counted until it is dropped.
#[derive(Debug)]
pub(super) struct Visit {
    places: Arc<Places>,
    number: u64,
    go: Arc<Notify>,
}

impl Places {
    pub(super) fn new(limits: Limits) -> Places {
        Places { limits, taken: Mutex::default() }
    }

    /// Somebody comes. Answers with his place whether another had to go for it.
    pub(super) fn enter(self: &Arc<Places>, from: IpAddr) -> (Visit, bool) {
        let mut taken = lock(&self.taken);
        let (count, places) = &mut *taken;
        *count += 1;
        let (number, go) = (*count, Arc::new(Notify::new()));
        places.insert(number, Place { from, who: Who::Guest, go: Arc::clone(&go) });
        let guest = |place: &Place| place.who == Who::Guest;
        let here = |place: &Place| place.from == from && !matches!(place.who, Who::Staff(_));
        let mut gone = false;
        if places.values().filter(|place| here(place)).count() > self.limits.connections_each {
            // Of his own address: first those who are nobody, but not himself.
            let first = |wanted: &dyn Fn(&Place) -> bool| {
                let mut all = places.iter().filter(|(n, place)| **n != number && wanted(place));
                all.next().map(|(n, _)| *n)
            };
            let who = first(&|place| here(place) && guest(place)).or_else(|| first(&here));
            gone |= send_away(places, who);
        }
        if places.values().filter(|place| guest(place)).count() > self.limits.guests {
            let who = oldest_of_most(places, guest, |place| place.from);
            gone |= send_away(places, who);
        }
        drop(taken);
        (Visit { places: Arc::clone(self), number, go }, gone)
    }

    /// Whether half of the places for those who have shown nothing are taken.
    pub(super) fn is_crowded(&self) -> bool {
        let taken = lock(&self.taken);
        let guests = taken.1.values().filter(|place| place.who == Who::Guest).count();
        guests > self.limits.guests / 2
    }
}

/// The oldest of the group that has most, among these.
fn oldest_of_most<G: Ord>(
    places: &BTreeMap<u64, Place>,
    among: impl Fn(&Place) -> bool,
    group: impl Fn(&Place) -> G,
) -> Option<u64> {
    let mut groups: BTreeMap<G, (usize, u64)> = BTreeMap::new();
    for (number, place) in places.iter().filter(|(_, place)| among(place)) {
        groups.entry(group(place)).or_insert((0, *number)).0 += 1;
    }
    let most = groups.into_values().max_by_key(|(count, oldest)| (*count, u64::MAX - oldest));
    most.map(|(_, oldest)| oldest)
}

fn send_away(places: &mut BTreeMap<u64, Place>, number: Option<u64>) -> bool {
    let place = number.and_then(|number| places.remove(&number));
    place.inspect(|place| place.go.notify_one()).is_some()
}

impl Visit {
    /// Ends when he has to go.
    pub(super) async fn sent_away(&self) {
        self.go.notified().await;
    }

    /// He has shown a session that is good.
    pub(super) fn known(&self, role: Role, session: u64) {
        let limits = self.places.limits;
        let mut taken = lock(&self.places.taken);
        let places = &mut taken.1;
        let who = if role.acts() { Who::Staff(session) } else { Who::Display(session) };
        // One who was sent away at this moment is not there any more.
        let Some(place) = places.get_mut(&self.number) else { return };
        if std::mem::replace(&mut place.who, who) == who {
            return;
        }
        let same = |place: &Place| place.who == who;
        if places.values().filter(|place| same(place)).count() > limits.session {
            let who = oldest_of_most(places, same, |_| ());
            send_away(places, who);
        }
        let display = |place: &Place| matches!(place.who, Who::Display(_));
        if places.values().filter(|place| display(place)).count() > limits.displays {
            let session = |place: &Place| match place.who {
                Who::Display(session) => session,
                _ => 0,
            };
            let who = oldest_of_most(places, display, session);
            send_away(places, who);
        }
    }
}

impl Drop for Visit {
    fn drop(&mut self) {
        lock(&self.places.taken).1.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    fn places(guests: usize, displays: usize, session: usize, each: usize) -> Arc<Places> {
        let limits =
            Limits { guests, displays, session, connections_each: each, ..Limits::default() };
        Arc::new(Places::new(limits))
    }

    fn at(n: u8) -> IpAddr {
        [10, 0, 0, n].into()
    }

    fn is_gone(visit: &Visit) -> bool {
        visit.sent_away().now_or_never().is_some()
    }

    #[test]
    fn whoever_comes_is_taken_and_the_oldest_of_the_address_with_most_goes() {
        let places = places(4, 9, 9, 9);
        let (early, _) = places.enter(at(1));
        let crowd: Vec<Visit> = (0..3).map(|_| places.enter(at(2)).0).collect();
        let (late, gone) = places.enter(at(3));
        assert!(gone && is_gone(&crowd[0]));
        assert!(!is_gone(&early) && !is_gone(&crowd[1]) && !is_gone(&late));
    }

    #[test]
    fn an_arbiter_stays_whatever_comes_after_him() {
        let places = places(3, 3, 9, 5);
        let (arbiter, _) = places.enter(at(1));
        arbiter.known(Role::Arbiter, 1);
        let (assistant, _) = places.enter(at(1));
        assistant.known(Role::Assistant, 2);
        let mut others = Vec::new();
        for n in 0..100_u64 {
            let (visit, _) = places.enter(at(1 + n as u8 % 3));
            if n % 2 == 0 {
                visit.known(Role::Display, n % 7);
            }
            others.push(visit);
        }
        assert!(!is_gone(&arbiter) && !is_gone(&assistant));
        let left = others.iter().filter(|visit| !is_gone(visit)).count();
        assert!(left <= 6, "{left}");
    }

    #[test]
    fn an_address_that_has_too_many_loses_its_own_and_a_newcomer_there_is_taken() {
        let places = places(100, 100, 100, 3);
        let crowd: Vec<Visit> = (0..3).map(|_| places.enter(at(1)).0).collect();
        let (newcomer, gone) = places.enter(at(1));
        assert!(gone && is_gone(&crowd[0]) && !is_gone(&newcomer));
        let (elsewhere, gone) = places.enter(at(2));
        assert!(!gone && !is_gone(&elsewhere));
    }

    #[test]
    fn one_session_has_so_many_and_displays_together_too() {
        let places = places(100, 4, 2, 100);
        let open = |role, session| {
            let (visit, _) = places.enter(at(1));
            visit.known(role, session);
            visit
        };
        let staff: Vec<Visit> = (0..3).map(|_| open(Role::Arbiter, 1)).collect();
        assert!(is_gone(&staff[0]) && !is_gone(&staff[1]) && !is_gone(&staff[2]));
        let displays: Vec<Visit> = [1, 1, 2, 3, 4].map(|n| open(Role::Display, n)).into();
        let gone: Vec<bool> = displays.iter().map(is_gone).collect();
        assert_eq!(gone, [true, false, false, false, false], "of the session with most");
    }

    #[test]
    fn a_place_is_free_when_its_connection_is_dropped() {
        let places = places(1, 1, 1, 1);
        for _ in 0..10 {
            let (_visit, gone) = places.enter(at(1));
            assert!(!gone);
        }
    }
}
