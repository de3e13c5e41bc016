//! What the own server has taken of each board, counted where it comes in: a flood is told before
//! anybody has to read it.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    time::{Duration, Instant},
};

use http_body_util::{BodyExt as _, Full, Limited};
use hyper::{Request, body::Bytes};
use serde::Deserialize;

use crate::{
    budget::{Budget, Budgets},
    http::HttpLine,
    rights::board_of,
};

/// The server is asked so often.
const LOOK: Duration = Duration::from_millis(250);
/// How long it may take to answer.
const PATIENCE: Duration = Duration::from_secs(5);
/// Longest answer, bytes: 9,999 boards with 300 each.
const LONGEST: usize = 4 * 1_024 * 1_024;

/// How much may come in over a board's key: its rows, and what it answers when its pages are looked
/// at from the hall.
const LINE: Budget =
    Budget { rows: 400_000, bytes: 192 * 1_024 * 1_024, rows_s: 500, bytes_s: 256 * 1_024 };

/// What a server says of its accounts. Source: NATS documentation, monitoring, `/accstatz`.
#[derive(Debug, Deserialize)]
struct Accounts {
    account_statz: Vec<Account>,
}

#[derive(Debug, Deserialize)]
struct Account {
    acc: String,
    received: Received,
}

/// From the server's start, or from when its configuration was read last.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
struct Received {
    msgs: u64,
    bytes: u64,
}

/// The counts of one server.
#[derive(Debug)]
pub struct Meter {
    address: SocketAddr,
    began: Instant,
    seen: BTreeMap<u32, Received>,
    budgets: Budgets,
}

impl Meter {
    pub(crate) fn new(address: SocketAddr) -> Meter {
        let (seen, budgets) = (BTreeMap::new(), Budgets::new(LINE));
        Meter { address, began: Instant::now(), seen, budgets }
    }

    /// Names boards that have sent more than a board can. A server that does not answer is asked
    /// again.
    pub async fn watch(mut self, mut over: impl FnMut(u32)) {
        loop {
            if let Some(accounts) = self.ask().await {
                self.counts(&accounts, self.began.elapsed().as_secs());
                self.budgets.over().into_iter().for_each(&mut over);
            }
            tokio::time::sleep(LOOK).await;
        }
    }

    async fn ask(&self) -> Option<Accounts> {
        let request = Request::get("/accstatz?unused=1")
            .header("host", self.address.to_string())
            .body(Full::<Bytes>::default())
            .ok()?;
        let answer = async {
            let mut line = HttpLine::open(self.address).await?;
            let response = line.sender.send_request(request).await.ok()?;
            let body = Limited::new(response.into_body(), LONGEST).collect().await.ok()?;
            serde_json::from_slice(&body.to_bytes()).ok()
        };
        tokio::time::timeout(PATIENCE, answer).await.ok().flatten()
    }

    fn counts(&mut self, accounts: &Accounts, now_s: u64) {
        for Account { acc, received } in &accounts.account_statz {
            let Some(board) = board_of(acc) else { continue };
            // What has come before this was asked first, the reader of the rows counts.
            let Some(before) = self.seen.insert(board, *received) else { continue };
            // Counts begin anew with a configuration.
            let since = |now: u64, before: u64| now.checked_sub(before).unwrap_or(now);
            let [msgs, bytes] =
                [since(received.msgs, before.msgs), since(received.bytes, before.bytes)];
            self.budgets.sends(board, msgs, bytes, now_s);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(board_1: (u64, u64)) -> Accounts {
        let text = serde_json::json!({ "server_id": "N", "account_statz": [
            { "acc": "HALL", "conns": 1, "received": { "msgs": u64::MAX, "bytes": u64::MAX } },
            { "acc": "BOARD_2", "conns": 0, "received": { "msgs": 7, "bytes": 700 } },
            { "acc": "BOARD_1", "conns": 1, "received": { "msgs": board_1.0, "bytes": board_1.1 } },
        ]});
        serde_json::from_value(text).expect("as the server says it")
    }

    #[test]
    fn a_board_is_named_once_by_what_the_server_has_taken_of_it_since() {
        let mut meter = Meter::new(([127, 0, 0, 1], 1).into());
        let mut over = |now_s, board_1| {
            meter.counts(&said(board_1), now_s);
            meter.budgets.over()
        };
        assert_eq!(over(0, (90, 2 * LINE.bytes)), [] as [u32; 0], "that was before");
        assert_eq!(over(0, (91, 3 * LINE.bytes)), [] as [u32; 0], "as much as a board may send");
        assert_eq!(over(0, (91, 3 * LINE.bytes)), [] as [u32; 0], "nothing has come since");
        assert_eq!(over(1, (5, LINE.bytes_s)), [] as [u32; 0], "a configuration was read anew");
        assert_eq!(over(1, (6, LINE.bytes_s + 1)), [1]);
        assert_eq!(over(1, (7, 2 * LINE.bytes)), [] as [u32; 0], "it is said once");
    }

    #[test]
    fn many_small_messages_are_a_flood_too() {
        let mut meter = Meter::new(([127, 0, 0, 1], 1).into());
        meter.counts(&said((0, 0)), 0);
        meter.counts(&said((LINE.rows + 1, 0)), 0);
        assert_eq!(meter.budgets.over(), [1]);
    }
}
