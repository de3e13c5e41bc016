//! The checksums of a game's rows, each over its row and the one before it: a row that was changed,
//! taken out or put in breaks the chain.

use rusqlite::{Connection, OptionalExtension as _, params};
use sha2::{Digest as _, Sha256};

use super::GameId;

/// Half of a SHA-256.
pub(super) type Sum = [u8; 16];

/// The last row of a game: its number and its checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Tip {
    pub(super) game: i64,
    pub(super) inputs: i64,
    pub(super) sum: Sum,
}

impl Tip {
    pub(super) fn of(game: GameId) -> Tip {
        Tip { game: game.number, ..Tip::default() }
    }

    /// The tip as the game's row has it; `None` without such a game.
    pub(super) fn kept(db: &Connection, game: GameId) -> rusqlite::Result<Option<Tip>> {
        db.prepare_cached("SELECT inputs, sum FROM game WHERE id = ?1")?
            .query_row([game.number], |row| {
                Ok(Tip { game: game.number, inputs: row.get(0)?, sum: row.get(1)? })
            })
            .optional()
    }

    /// The tip after one more row.
    pub(super) fn then(self, at_ms: i64, json: &str) -> Tip {
        let inputs = self.inputs + 1;
        let mut sum = Sha256::new();
        sum.update(self.sum);
        for number in [self.game, inputs, at_ms] {
            sum.update(number.to_be_bytes());
        }
        let whole = sum.chain_update(json).finalize();
        let mut sum = Sum::default();
        sum.copy_from_slice(&whole[..size_of::<Sum>()]);
        Tip { inputs, sum, ..self }
    }

    /// Writes a row, and the game's new tip.
    pub(super) fn append(self, db: &Connection, at_ms: i64, json: &str) -> rusqlite::Result<Tip> {
        let tip = self.then(at_ms, json);
        db.prepare_cached(
            "INSERT INTO input (game, number, at_ms, json, sum) VALUES (?1, ?2, ?3, ?4, ?5)",
        )?
        .execute(params![tip.game, tip.inputs, at_ms, json, tip.sum])?;
        db.prepare_cached("UPDATE game SET inputs = ?2, sum = ?3 WHERE id = ?1")?
            .execute(params![tip.game, tip.inputs, tip.sum])?;
        Ok(tip)
    }

    /// As it stands in the lock file.
    pub(super) fn to_text(self) -> String {
        let hex: String = self.sum.iter().map(|byte| format!("{byte:02x}")).collect();
        // Always as long, so that a shorter one leaves nothing of a longer one.
        format!("{:>20} {:>20} {hex}\n", self.game, self.inputs)
    }

    /// `None`: something else stands there.
    pub(super) fn from_text(text: &str) -> Option<Tip> {
        let mut words = text.split_whitespace();
        let (game, inputs, hex) = (words.next()?, words.next()?, words.next()?);
        let mut sum = Sum::default();
        for (n, byte) in sum.iter_mut().enumerate() {
            *byte = u8::from_str_radix(hex.get(2 * n..2 * n + 2)?, 16).ok()?;
        }
        Some(Tip { game: game.parse().ok()?, inputs: inputs.parse().ok()?, sum })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tip_is_read_back_from_its_text() {
        let tip = Tip::of(GameId { number: 7 }).then(5, "{}").then(9, "\"x\"");
        assert_eq!(Tip::from_text(&tip.to_text()), Some(tip));
        for other in ["", "1 2", "1 2 zz", "x 2 00112233445566778899aabbccddeeff"] {
            assert_eq!(Tip::from_text(other), None, "{other}");
        }
    }

    #[test]
    fn any_change_gives_another_sum() {
        let tip = Tip::of(GameId { number: 7 });
        let sums = [
            tip.then(5, "a"),
            tip.then(6, "a"),
            tip.then(5, "b"),
            tip.then(5, "a").then(5, "a"),
            Tip::of(GameId { number: 8 }).then(5, "a"),
        ];
        for (n, one) in sums.iter().enumerate() {
            assert!(sums[n + 1..].iter().all(|other| other.sum != one.sum));
        }
    }
}
