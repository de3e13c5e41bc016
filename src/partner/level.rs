//! Ten levels, from a beginner's to all that the engine has.

use std::str::FromStr;

use crate::uci::{EngineOption, OptionKind};

/// How strong the partner plays: 1 is a beginner, 10 the engine's full strength.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// The Elo that is asked for where the engine offers one; below its least, fewer nodes besides.
const ELO: [i64; 9] = [800, 1_000, 1_200, 1_400, 1_600, 1_800, 2_000, 2_250, 2_500];
/// Nodes where nothing else makes the engine weaker.
const NODES: [u64; 9] = [30, 80, 200, 500, 1_500, 5_000, 20_000, 100_000, 500_000];

/// What makes an engine as strong as a level.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strength {
    /// Names and values, in the order in which they are set.
    pub options: Vec<(String, String)>,
    /// The most nodes of a search.
    pub nodes: Option<u64>,
}

impl Level {
    pub const ALL: std::ops::RangeInclusive<u8> = 1..=10;
    /// All that the engine has.
    pub const FULL: Level = Level(10);

    /// `None`: there is no such level.
    pub fn new(number: u8) -> Option<Level> {
        Level::ALL.contains(&number).then_some(Level(number))
    }

    pub fn number(self) -> u8 {
        self.0
    }

    pub fn is_full(self) -> bool {
        self.0 == *Level::ALL.end()
    }

    /// By what the engine offers: its own Elo, else its skill, else the nodes of a search.
    pub fn strength(self, offers: &[EngineOption]) -> Strength {
        let spin = |name: &str| {
            let option = offers.iter().find(|option| option.name == name)?;
            match option.kind {
                OptionKind::Spin { min, max } if min <= max => Some((min, max)),
                _ => None,
            }
        };
        let limits = offers
            .iter()
            .any(|option| option.name == "UCI_LimitStrength" && option.kind == OptionKind::Check);
        let elo = spin("UCI_Elo").filter(|_| limits);
        let skill = spin("Skill Level");
        let set = |name: &str, value: String| (name.to_owned(), value);
        let mut strength = Strength::default();
        let Some(n) = usize::from(self.0).checked_sub(1).filter(|n| *n < ELO.len()) else {
            // An engine may keep from another program what was set there.
            strength.options.extend(elo.map(|_| set("UCI_LimitStrength", "false".to_owned())));
            strength.options.extend(skill.map(|(_, most)| set("Skill Level", most.to_string())));
            return strength;
        };
        match (elo, skill) {
            (Some((least, most)), _) => {
                strength.options = vec![
                    set("UCI_LimitStrength", "true".to_owned()),
                    set("UCI_Elo", ELO[n].clamp(least, most).to_string()),
                ];
                strength.nodes = Some(NODES[n]).filter(|_| ELO[n] < least);
            }
            (None, Some((least, most))) => {
                let part = (most - least).saturating_mul(n as i64) / ELO.len() as i64;
                strength.options = vec![set("Skill Level", (least + part).to_string())];
                strength.nodes = Some(NODES[n]).filter(|_| n < 3);
            }
            (None, None) => strength.nodes = Some(NODES[n]),
        }
        strength
    }
}

impl FromStr for Level {
    type Err = String;

    fn from_str(text: &str) -> Result<Level, String> {
        let level = text.parse().ok().and_then(Level::new);
        level.ok_or_else(|| {
            format!("'{text}' is no level: write 1 (a beginner) to 10 (all that the engine has)")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offered(names: &[(&str, OptionKind)]) -> Vec<EngineOption> {
        names
            .iter()
            .map(|(name, kind)| EngineOption { name: (*name).into(), kind: *kind })
            .collect()
    }

    fn told(level: u8, offers: &[EngineOption]) -> String {
        let Strength { options, nodes } = Level::new(level).expect("a level").strength(offers);
        let options = options.iter().map(|(name, value)| format!("{name}={value}"));
        let nodes = nodes.map(|nodes| format!("nodes {nodes}"));
        options.chain(nodes).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_level_is_what_the_engine_has_for_it() {
        let stockfish = offered(&[
            ("UCI_LimitStrength", OptionKind::Check),
            ("UCI_Elo", OptionKind::Spin { min: 1350, max: 2850 }),
            ("Skill Level", OptionKind::Spin { min: 0, max: 20 }),
        ]);
        assert_eq!(told(1, &stockfish), "UCI_LimitStrength=true, UCI_Elo=1350, nodes 30");
        assert_eq!(told(4, &stockfish), "UCI_LimitStrength=true, UCI_Elo=1400");
        assert_eq!(told(9, &stockfish), "UCI_LimitStrength=true, UCI_Elo=2500");
        assert_eq!(told(10, &stockfish), "UCI_LimitStrength=false, Skill Level=20");
        let skilled = offered(&[("Skill Level", OptionKind::Spin { min: 0, max: 20 })]);
        assert_eq!(told(1, &skilled), "Skill Level=0, nodes 30");
        assert_eq!(told(9, &skilled), "Skill Level=17");
        assert_eq!(told(3, &[]), "nodes 200");
        assert_eq!(told(10, &[]), "");
        // An Elo that nothing switches on is none.
        let elo = offered(&[("UCI_Elo", OptionKind::Spin { min: 1350, max: 2850 })]);
        assert_eq!(told(3, &elo), "nodes 200");
    }

    #[test]
    fn what_is_no_level_is_refused_with_those_there_are() {
        assert_eq!("3".parse::<Level>().map(Level::number), Ok(3));
        for text in ["0", "11", "", "drei", "-1", "1000"] {
            let line = text.parse::<Level>().expect_err("no level");
            assert!(line.contains("write 1 (a beginner) to 10"), "{line}");
        }
    }
}
