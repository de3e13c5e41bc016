//! Small worlds, searched whole: from a few positions every sequence of what people at a table do,
//! and after each of them what the Laws ask, by an oracle that knows them from the facts alone.
//!
//! `make laws` goes deeper: `LAWS_DEPTH` says how many acts, `LAWS_WORLD` in which one. `LAWS_PATH`
//! has the acts of a counter-example, as printed, and shows what the program says to each.

mod facts;
mod search;
mod world;

use search::{Found, search};
use world::worlds;

fn number(name: &str) -> Option<usize> {
    let text = std::env::var(name).ok()?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name}={text}: write a number")))
}

#[test]
fn the_laws_hold_wherever_a_few_acts_lead() {
    let depth = number("LAWS_DEPTH").unwrap_or(4);
    let only = std::env::var("LAWS_WORLD").ok();
    let worlds: Vec<_> = worlds()
        .into_iter()
        .filter(|world| only.as_deref().is_none_or(|only| world.name == only))
        .collect();
    assert!(!worlds.is_empty(), "no world of this name");
    if let Ok(path) = std::env::var("LAWS_PATH") {
        return worlds.iter().for_each(|world| search::shown(world, &path));
    }
    let mut wrong = Vec::new();
    for world in &worlds {
        let Found { states, broken } = search(world, depth);
        println!("{states:>9} states within {depth} acts: {}", world.name);
        for broken in &broken {
            println!("{broken}");
        }
        wrong.extend(broken);
    }
    assert!(wrong.is_empty(), "{} broken, above; the first: {}", wrong.len(), wrong[0]);
}
