//! The place where games are written: room, wear, permission.

use std::path::Path;

use super::{Check, Machine, user::User};
use crate::config::Config;
use annabella_records::journal::{JournalError, Records};

/// Below this much free room the record of a game may not fit, and logs neither.
const FULL: u64 = 50 << 20;
const NEARLY_FULL: u64 = 500 << 20;

/// A line of `/proc/self/mounts`.
struct Mount {
    device: String,
    kind: String,
    read_only: bool,
}

impl Mount {
    /// The one that a path is on: the longest that it begins with, the last of several.
    fn of(machine: &dyn Machine, path: &str) -> Option<Mount> {
        let text = machine.text("/proc/self/mounts").ok()?;
        let mut best: Option<(usize, Mount)> = None;
        for line in text.lines() {
            let mut fields = line.split(' ');
            let (device, point) = (fields.next()?, fields.next()?);
            let (kind, options) = (fields.next()?, fields.next()?);
            let longest = best.as_ref().map_or(0, |(length, _)| *length);
            if Path::new(path).starts_with(point) && point.len() >= longest {
                let mount = Mount {
                    device: device.to_owned(),
                    kind: kind.to_owned(),
                    read_only: options.split(',').any(|option| option == "ro"),
                };
                best = Some((point.len(), mount));
            }
        }
        best.map(|(_, mount)| mount)
    }

    /// `mmcblk0` of `/dev/mmcblk0p2`, `sda` of `/dev/sda1`.
    fn disk(&self) -> Option<&str> {
        let name = self.device.strip_prefix("/dev/")?;
        let number = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let of_parts =
            number.strip_suffix('p').filter(|disk| disk.ends_with(|c: char| c.is_ascii_digit()));
        Some(match of_parts {
            Some(disk) if number.len() < name.len() => disk,
            _ if name.starts_with("mmcblk") || name.starts_with("nvme") => name,
            _ => number,
        })
    }
}

pub(super) fn checks(machine: &dyn Machine, config: &Config, who: &User) -> Vec<Check> {
    let journal = &config.journal.path;
    // The working directory is the only thing asked of the system here; without one the path stays.
    let journal = std::path::absolute(journal).unwrap_or_else(|_| journal.clone());
    let folder = journal.parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
    let there = Path::new(&folder).ancestors().filter_map(Path::to_str);
    let nearest =
        there.into_iter().find(|path| machine.owner(path).is_some()).unwrap_or("/").to_owned();
    let mount = Mount::of(machine, &nearest);
    let mut checks = vec![
        data(machine, &folder, &journal.to_string_lossy(), who),
        disk(machine, &nearest, mount.as_ref()),
    ];
    checks.extend(mount.as_ref().and_then(|mount| wear(machine, mount)));
    checks
}

fn data(machine: &dyn Machine, folder: &str, journal: &str, who: &User) -> Check {
    let name = who.name();
    let owns = |path: &str| format!("sudo chown -R {name}: {path}");
    match (machine.owner(folder), machine.owner(journal)) {
        (None, _) => Check::bad("data", format!("there is no folder {folder} for the games"))
            .mend(format!("sudo install -d -o {name} {folder}")),
        (Some(owner), _) if !who.may(owner) => {
            Check::bad("data", format!("user {name} may not write into {folder}"))
                .mend(owns(folder))
        }
        (_, Some(owner)) if !who.may(owner) => {
            Check::bad("data", format!("user {name} may not write {journal}")).mend(owns(journal))
        }
        (_, Some(_)) => Check::good("data", format!("the games are in {journal}")),
        (_, None) => Check::good("data", format!("games will be in {journal}")),
    }
}

/// So much of what is wrong is named. Somebody listens to it.
const MOST_NAMED: usize = 3;

/// What is wrong as one line: a few are named, and the rest is counted.
fn a_few(mut wrong: Vec<String>) -> String {
    let more = wrong.len().saturating_sub(MOST_NAMED);
    // One more is named as quickly as counted.
    if more > 1 {
        wrong.truncate(MOST_NAMED);
        wrong.push(format!("and {more} more"));
    }
    wrong.join("; ")
}

/// Every page and every row of the journal.
pub(super) fn games(config: &Config) -> Check {
    let path = &config.journal.path;
    let found = Records::open(path).and_then(|records| records.check());
    let bad = |what: String| {
        let mend = "annabella games repair NEW.db saves what can be read; the service does it at its next start";
        Check::bad("games", what).mend(mend)
    };
    match found {
        Ok(wrong) if wrong.is_empty() => Check::good("games", "every saved game is whole"),
        Ok(wrong) => bad(format!("{}: {}", path.display(), a_few(wrong))),
        Err(JournalError::Missing { .. }) => Check::good("games", "none is saved yet"),
        Err(error @ JournalError::Damaged { .. }) => bad(error.to_string()),
        // With these the service begins no game; the remedy stands in the line.
        Err(
            error @ (JournalError::Foreign { .. }
            | JournalError::Newer { .. }
            | JournalError::Linked { .. }
            | JournalError::Lost { .. }),
        ) => Check::bad("games", error.to_string()),
        Err(error) => Check::poor("games", error.to_string()),
    }
}

fn disk(machine: &dyn Machine, folder: &str, mount: Option<&Mount>) -> Check {
    if mount.is_some_and(|mount| mount.read_only) {
        return Check::bad("disk", format!("{folder} is read-only: no game can be recorded")).mend(
            "sudo mount -o remount,rw /, or name a folder that can be written in [journal] path",
        );
    }
    let on_pi = machine.owner("/boot/firmware/config.txt").is_some();
    if let Some(mount) =
        mount.filter(|mount| mount.kind == "tmpfs" || (on_pi && mount.kind == "overlay"))
    {
        let found =
            format!("{folder} is in memory ({}): games are lost with the power", mount.kind);
        return Check::poor("disk", found).mend("name a folder on a real disk in [journal] path");
    }
    let Some(space) = machine.space(folder) else {
        return Check::poor("disk", format!("the room at {folder} is not known"))
            .mend(format!("df -h {folder}"));
    };
    let found = format!("{} free of {}", room(space.free), room(space.total));
    let mend = "sudo journalctl --vacuum-size=20M; sudo apt-get clean";
    match space.free {
        free if free < FULL => Check::bad("disk", format!("full: {found}")).mend(mend),
        free if free < NEARLY_FULL => {
            Check::poor("disk", format!("nearly full: {found}")).mend(mend)
        }
        _ => Check::good("disk", found),
    }
}

fn room(bytes: u64) -> String {
    match bytes >> 20 {
        mega if mega < 1000 => format!("{mega} MB"),
        mega => format!("{} GB", (mega + 512) >> 10),
    }
}

/// The disk's own report of its health; `None` without one.
fn wear(machine: &dyn Machine, mount: &Mount) -> Option<Check> {
    let save = "save the games on another disk, then exchange it";
    let part = mount.device.strip_prefix("/dev/")?;
    let errors = machine.line(&format!("/sys/fs/ext4/{part}/errors_count"));
    if let Some(errors) =
        errors.and_then(|text| text.parse::<u64>().ok()).filter(|errors| *errors > 0)
    {
        let found = format!("the file system has {errors} errors on record");
        return Some(Check::bad("disk health", found).mend(save).of_device());
    }
    let disk = mount.disk()?;
    if disk.starts_with("mmcblk") {
        return card(machine, disk);
    }
    let told = machine.tells("smartctl", &["-H", &format!("/dev/{disk}")])?;
    let verdict = told.lines().find(|line| line.contains("overall-health"))?;
    Some(if verdict.ends_with("PASSED") {
        Check::good("disk health", format!("{disk} calls itself healthy"))
    } else {
        Check::bad("disk health", format!("{disk} says that it is failing")).mend(save).of_device()
    })
}

/// SD cards and eMMC. Source: JEDEC JESD84-B51, PRE_EOL_INFO and DEVICE_LIFE_TIME_EST: each step of
/// the estimate is a tenth of the life, 0x0B is past it.
fn card(machine: &dyn Machine, disk: &str) -> Option<Check> {
    let of = |file: &str| machine.line(&format!("/sys/block/{disk}/device/{file}"));
    let hex = |text: &str| u8::from_str_radix(text.trim_start_matches("0x"), 16).ok();
    let name = of("name")?;
    let steps = of("life_time").and_then(|both| both.split_whitespace().filter_map(hex).max());
    let end = of("pre_eol_info").as_deref().and_then(hex).unwrap_or(0);
    let save = "save the games on another disk, then exchange it";
    Some(match steps {
        Some(11..) => {
            Check::bad("disk health", format!("{name} is past its life")).mend(save).of_device()
        }
        Some(9..) => Check::poor("disk health", format!("{name} is nearly worn out")).mend(save),
        _ if end >= 2 => {
            Check::poor("disk health", format!("{name} is short of spare blocks")).mend(save)
        }
        Some(steps @ 1..) => Check::good(
            "disk health",
            format!("{name}, at most {} percent worn", u32::from(steps) * 10),
        ),
        _ => Check::good("disk health", format!("card {name}, which tells nothing of its wear")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_many_damaged_games_a_few_are_named_and_the_rest_is_counted() {
        let damaged = |count: i32| a_few((1..=count).map(|n| format!("game {n}")).collect());
        assert_eq!(damaged(1), "game 1");
        assert_eq!(damaged(4), "game 1; game 2; game 3; game 4");
        let (many, more) = (damaged(800), (800 - MOST_NAMED).to_string());
        assert_eq!(many.split("; ").count(), MOST_NAMED + 1, "{many}");
        assert!(many.starts_with(&damaged(3)) && many.contains(&more), "{many}");
    }
}
