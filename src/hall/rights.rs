//! Who may write, hear and fetch what in the hall: one declaration, from which the server's
//! configuration is made.
//!
//! Each key has an account of its own, and the hall has the one with the streams. Between accounts
//! a server passes on only what one exports and the other imports, and an answer comes to the
//! account that asked: wherever a key wants it, it goes no further than what that key may write
//! itself. So no key needs `allow_responses`, and nobody both writes and hears a subject. Source:
//! NATS documentation, accounts.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{names::EventName, role::KeyRole};

/// Whose key it is, whatever its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Arbiter,
    Reader,
    Board,
    Spare,
}

use Kind::{Arbiter, Board, Reader, Spare};

/// So many subscriptions one connection of a key may have; the hall's any number.
const SUBSCRIPTIONS: u32 = 256;

/// No message is longer, bytes. The first row of a game has both language packs, 200 KB with the
/// longest of ours. All that a reader asks for at one time is less than a server holds for a line
/// before it cuts it ([`MAX_PENDING`]).
pub(crate) const LONGEST_ROW: i32 = 512 * 1_024;
/// Nor longer messages, bytes: somewhat more than a row may have, which the stream then refuses.
const PAYLOAD: i32 = LONGEST_ROW + 128 * 1_024;

/// So much a server holds for a line that does not read, bytes, before it cuts it. A key's lines
/// together must not fill its memory.
pub(crate) const MAX_PENDING: usize = 16 * 1_024 * 1_024;

impl Kind {
    /// So many connections a key may have at one time. A board has one, and a few for moments;
    /// those of a cable that was pulled count until the server has noticed.
    fn connections(self) -> u32 {
        match self {
            Board | Spare => 12,
            Arbiter | Reader => 256,
        }
    }
}

/// How what is written comes to those who hear it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    /// Into a stream of the hall, which acknowledges it.
    Kept,
    /// To whoever listens at the time.
    Live,
}

/// A subject below `hall.EVENT.`, `BOARD` the number of a board. The hall may write and hear all of
/// them.
struct Subject {
    name: &'static str,
    how: How,
    writes: &'static [Kind],
    hears: &'static [Kind],
}

const SUBJECTS: [Subject; 7] = [
    Subject { name: "board.BOARD.game.*.*", how: How::Kept, writes: &[Board, Spare], hears: &[] },
    Subject { name: "board.BOARD.here", how: How::Kept, writes: &[Board, Spare], hears: &[] },
    Subject { name: "board.BOARD.room", how: How::Kept, writes: &[Board, Spare], hears: &[] },
    Subject { name: "board.BOARD.owner", how: How::Kept, writes: &[Spare], hears: &[] },
    Subject {
        name: "board.BOARD.answer.*.*",
        how: How::Live,
        writes: &[Board, Spare],
        hears: &[Arbiter],
    },
    Subject { name: "board.BOARD.ask", how: How::Live, writes: &[Arbiter], hears: &[Board, Spare] },
    Subject { name: "pairing.BOARD", how: How::Live, writes: &[], hears: &[Board, Spare] },
];

/// What the server answers: the last message of a subject, or any message of a stream.
struct Fetch {
    /// As it is asked for; `EVENT` the name of the event.
    ask: &'static str,
    /// As the server of the hall knows it.
    at: &'static str,
    may: &'static [Kind],
}

/// A message as JSON, so that no byte of its header reaches a reader's line. It has a name of its
/// own: an account without streams has the server's own answer at the other.
const FETCHES: [Fetch; 5] = [
    Fetch {
        ask: "$JS.API.DIRECT.GET.hall-EVENT.hall.EVENT.board.BOARD.game.*.*",
        at: "$JS.API.DIRECT.GET.hall-EVENT.hall.EVENT.board.BOARD.game.*.*",
        may: &[Board, Spare],
    },
    Fetch {
        ask: "$JS.API.DIRECT.GET.hall-EVENT.hall.EVENT.board.BOARD.owner",
        at: "$JS.API.DIRECT.GET.hall-EVENT.hall.EVENT.board.BOARD.owner",
        may: &[Board, Spare],
    },
    Fetch {
        ask: "$JS.API.DIRECT.GET.hall-EVENT.hall.EVENT.pairing.BOARD",
        at: "$JS.API.DIRECT.GET.hall-EVENT.hall.EVENT.pairing.BOARD",
        may: &[Board, Spare],
    },
    Fetch {
        ask: "hall.EVENT.read",
        at: "$JS.API.STREAM.MSG.GET.hall-EVENT",
        may: &[Arbiter, Reader, Spare],
    },
    Fetch {
        ask: "hall.EVENT.signs",
        at: "$JS.API.STREAM.MSG.GET.hallhere-EVENT",
        may: &[Arbiter, Reader, Spare],
    },
];

impl KeyRole {
    fn kind(self) -> Option<Kind> {
        match self {
            KeyRole::Hall => None,
            KeyRole::Arbiter => Some(Arbiter),
            KeyRole::Reader => Some(Reader),
            KeyRole::Board(_) => Some(Board),
            KeyRole::Spare(_) => Some(Spare),
        }
    }

    /// The board as it stands in this key's subjects.
    fn board(self) -> String {
        match self {
            KeyRole::Board(board) => board.to_string(),
            _ => "*".to_owned(),
        }
    }

    fn account(self) -> String {
        self.to_string().to_uppercase().replace('-', "_")
    }
}

/// The board whose key an account is for.
pub(crate) fn board_of(account: &str) -> Option<u32> {
    match account.to_lowercase().replace('_', "-").parse() {
        Ok(KeyRole::Board(board)) if KeyRole::Board(board).account() == account => Some(board),
        _ => None,
    }
}

fn subject(event: &EventName, name: &str, board: &str) -> String {
    format!("hall.{event}.{}", name.replace("BOARD", board))
}

fn fetch(event: &EventName, name: &str, board: &str) -> String {
    name.replace("EVENT", event.as_str()).replace("BOARD", board)
}

/// Replies to the holder of a key come below this.
pub(crate) fn inbox(public: &str) -> String {
    format!("_INBOX_{public}")
}

/// The accounts of the server's configuration. `users` are the public keys.
pub(crate) fn accounts(event: &EventName, users: &BTreeMap<KeyRole, String>) -> Value {
    let all = users.iter().filter(|(role, _)| **role != KeyRole::Hall);
    let mut accounts: serde_json::Map<String, Value> =
        all.map(|(role, public)| (role.account(), account(event, users, *role, public))).collect();
    accounts.insert(KeyRole::Hall.account(), hall(event, users));
    Value::Object(accounts)
}

/// The account of the hall itself: it has the streams.
fn hall(event: &EventName, users: &BTreeMap<KeyRole, String>) -> Value {
    let kept = SUBJECTS.iter().filter(|subject| subject.how == How::Kept);
    let kept = kept.map(|kept| json!({ "service": subject(event, kept.name, "*") }));
    let fetched = FETCHES.iter().map(|one| json!({ "service": fetch(event, one.at, "*") }));
    let heard = SUBJECTS.iter().filter(|subject| subject.how == How::Live);
    let heard = heard.map(|heard| json!({ "stream": subject(event, heard.name, "*") }));
    let exports: Vec<Value> = kept.chain(fetched).chain(heard).collect();
    let users_here: Vec<Value> = users
        .get(&KeyRole::Hall)
        .map(|public| {
            let all = format!("hall.{event}.>");
            let hears = json!([all, format!("{}.>", inbox(public))]);
            let allow = json!({ "publish": { "allow": [all, "$JS.API.>"] }, "subscribe": { "allow": hears } });
            json!({ "nkey": public, "permissions": allow })
        })
        .into_iter()
        .collect();
    let imports = streams_from(event, users, |_| true, "*");
    json!({ "jetstream": "enabled", "users": users_here, "exports": exports, "imports": imports })
}

/// What an account hears of those that write it: each exports its own.
fn streams_from(
    event: &EventName,
    users: &BTreeMap<KeyRole, String>,
    hears: impl Fn(&Subject) -> bool,
    board: &str,
) -> Vec<Value> {
    let mut imports = Vec::new();
    for heard in SUBJECTS.iter().filter(|subject| subject.how == How::Live && hears(subject)) {
        for role in users.keys() {
            let writes = role.kind().is_some_and(|kind| heard.writes.contains(&kind));
            if writes {
                // Of a board its own alone.
                let board = if role.board() == "*" { board.to_owned() } else { role.board() };
                let from = json!({ "account": role.account(), "subject": subject(event, heard.name, &board) });
                imports.push(json!({ "stream": from }));
            }
        }
    }
    imports
}

fn account(
    event: &EventName,
    users: &BTreeMap<KeyRole, String>,
    role: KeyRole,
    public: &str,
) -> Value {
    // The hall has its own.
    let Some(kind) = role.kind() else { return Value::Null };
    let board = role.board();
    let (mut publish, mut exports, mut imports) = (Vec::new(), Vec::new(), Vec::new());
    let mut subscribe = vec![format!("{}.>", inbox(public))];
    let hall = |subject: &str| json!({ "account": KeyRole::Hall.account(), "subject": subject });
    for one in &SUBJECTS {
        let name = subject(event, one.name, &board);
        if one.writes.contains(&kind) {
            publish.push(name.clone());
            match one.how {
                How::Kept => imports.push(json!({ "service": hall(&name) })),
                How::Live => exports.push(json!({ "stream": name })),
            }
        }
        if one.hears.contains(&kind) {
            // An answer is for the one who asked.
            subscribe.push(name.replace("answer.*.", &format!("answer.{public}.")));
            imports.push(json!({ "stream": hall(&name) }));
        }
    }
    imports.extend(streams_from(event, users, |subject| subject.hears.contains(&kind), &board));
    for one in FETCHES.iter().filter(|one| one.may.contains(&kind)) {
        let (ask, at) = (fetch(event, one.ask, &board), fetch(event, one.at, &board));
        let mut import = json!({ "service": hall(&at) });
        if ask != at {
            import["to"] = json!(ask);
        }
        imports.push(import);
        publish.push(ask);
    }
    // Whoever may write nothing may not write everything: an empty list would say so.
    let publish = match publish.is_empty() {
        true => json!({ "deny": [">"] }),
        false => json!({ "allow": publish }),
    };
    let allow = json!({ "publish": publish, "subscribe": { "allow": subscribe } });
    let users = json!([{ "nkey": public, "permissions": allow }]);
    let limits = json!({ "max_connections": kind.connections(), "max_subscriptions": SUBSCRIPTIONS, "max_payload": PAYLOAD });
    json!({ "users": users, "exports": exports, "imports": imports, "limits": limits })
}
