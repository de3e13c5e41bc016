//! The game goes on whatever hands, voices and power do. `make soak` plays thousands of these.

#[path = "mayhem/mod.rs"]
mod table;

/// The same where a board sees what the sighted player does.
#[test]
fn a_sighted_player_whose_board_is_seen_goes_on_too() {
    let only = std::env::var("SEED").ok().map(|seed| seed.parse::<u64>().expect("a number"));
    let count =
        std::env::var("MAYHEM").map_or(60, |count: String| count.parse().expect("a number"));
    let seeds = only.map_or(0..count, |seed| seed..seed + 1);
    let (mut plies, mut failed) = (0, Vec::new());
    for seed in seeds {
        match table::play_seen(seed) {
            Ok(played) => plies += played,
            Err(why) => failed.push(why),
        }
    }
    let first: Vec<&str> = failed.iter().filter_map(|why| why.lines().next()).collect();
    let why = failed.first().map_or("", String::as_str);
    assert!(failed.is_empty(), "{} of {count}:\n{}\n{why}", failed.len(), first.join("\n"));
    assert!(only.is_some() || plies > 6 * count as usize, "only {plies} half-moves");
    println!("{plies} half-moves");
}

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
