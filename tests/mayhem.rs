//! The game goes on whatever hands, voices and power do. `make soak` plays thousands of these.

#[path = "mayhem/mod.rs"]
mod table;

/// Seeds in which something was found once, and others.
#[test]
fn whatever_happens_a_sensible_player_goes_on() {
    let only = std::env::var("SEED").ok().map(|seed| seed.parse::<u64>().expect("a number"));
    let seeds = only.map_or(0..80, |seed| seed..seed + 1);
    let failed: Vec<String> = seeds.filter_map(|seed| table::play(seed).err()).collect();
    let first: Vec<&str> = failed.iter().filter_map(|why| why.lines().next()).collect();
    assert!(
        failed.is_empty(),
        "{} of 80:\n{}\nthe first:\n{}\nagain: SEED=<number> cargo nextest run --test mayhem",
        failed.len(),
        first.join("\n"),
        failed[0]
    );
}
