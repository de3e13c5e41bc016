//! The user whose rights count, and the devices he may open.

use super::{Check, Machine, Owner};

/// The service's own user.
const SERVICE: &str = "annabella";

/// A user and his groups.
#[derive(Clone, Debug, Default)]
pub(super) struct User {
    name: String,
    uid: u32,
    groups: Vec<u32>,
    /// The groups after the next login.
    member: Vec<u32>,
}

impl User {
    /// The caller; for root, the service's user.
    pub(super) fn of(machine: &dyn Machine) -> User {
        let status = machine.text("/proc/self/status").unwrap_or_default();
        let numbers = |field: &str| -> Vec<u32> {
            let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap_or("");
            line.split_whitespace().filter_map(|number| number.parse().ok()).collect()
        };
        // Real, effective, saved, of the file system.
        let effective = |field| numbers(field).get(1).copied().unwrap_or(0);
        let uid = effective("Uid:");
        let passwd = machine.text("/etc/passwd").unwrap_or_default();
        if uid == 0
            && let Some(service) = User::named(machine, &passwd, SERVICE)
        {
            return service;
        }
        let name = passwd.lines().find(|line| line.split(':').nth(2) == Some(&uid.to_string()));
        let name = name.and_then(|line| line.split(':').next()).unwrap_or("root").to_owned();
        let mut groups = numbers("Groups:");
        groups.push(effective("Gid:"));
        let member = groups_of(machine, &name);
        User { name, uid, groups, member }
    }

    fn named(machine: &dyn Machine, passwd: &str, name: &str) -> Option<User> {
        let line = passwd.lines().find(|line| line.split(':').next() == Some(name))?;
        let number = |n: usize| line.split(':').nth(n)?.parse::<u32>().ok();
        let mut groups = groups_of(machine, name);
        groups.push(number(3)?);
        Some(User { name: name.to_owned(), uid: number(2)?, member: groups.clone(), groups })
    }

    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Whether he may read and write this.
    pub(super) fn may(&self, owner: Owner) -> bool {
        let shift = match () {
            () if self.uid == 0 => return true,
            () if self.uid == owner.uid => 6,
            () if self.groups.contains(&owner.gid) => 3,
            () => 0,
        };
        owner.mode >> shift & 0o6 == 0o6
    }

    /// The reason why the user can't open a device, if any.
    pub(super) fn kept_from(
        &self,
        machine: &dyn Machine,
        check: &'static str,
        device: &str,
        owner: Owner,
    ) -> Option<Check> {
        if self.may(owner) {
            return None;
        }
        let name = &self.name;
        if owner.gid == 0 || owner.mode & 0o060 != 0o060 {
            let found = format!("{device} is root's alone: a udev rule is missing");
            let rule = "put 60-annabella.rules of hardware/ into /etc/udev/rules.d, then sudo udevadm trigger";
            return Some(Check::bad(check, found).mend(rule).of_device());
        }
        let group = group_name(machine, owner.gid);
        let check = if self.member.contains(&owner.gid) {
            let found = format!("user {name} is in group {group} only from the next login on");
            Check::bad(check, found).mend("log out and in again")
        } else {
            let found = format!("user {name} may not open {device}: not in group {group}");
            Check::bad(check, found)
                .mend(format!("sudo usermod -aG {group} {name}, then log out and in again"))
        };
        Some(check.of_device())
    }
}

/// Group number and members, line by line.
fn groups_of(machine: &dyn Machine, user: &str) -> Vec<u32> {
    let text = machine.text("/etc/group").unwrap_or_default();
    let of_line = |line: &str| {
        let mut fields = line.split(':');
        let gid = fields.nth(2)?.parse().ok()?;
        fields.next()?.split(',').any(|member| member.trim() == user).then_some(gid)
    };
    text.lines().filter_map(of_line).collect()
}

fn group_name(machine: &dyn Machine, gid: u32) -> String {
    let text = machine.text("/etc/group").unwrap_or_default();
    let line = text.lines().find(|line| line.split(':').nth(2) == Some(&gid.to_string()));
    line.and_then(|line| line.split(':').next()).map_or(gid.to_string(), str::to_owned)
}
