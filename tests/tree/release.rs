//! Who installs a release needs no compiler, and loses neither games nor configuration by it.

use std::{
    fs,
    os::unix::fs::PermissionsExt,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to.parent().expect("a folder")).expect("made");
    fs::copy(from, to).unwrap_or_else(|err| panic!("{}: {err}", from.display()));
}

/// A folder as it comes out of the tarball, with a program that only says that it is one.
fn unpacked() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let there = |name: &str| folder.path().join(name);
    copy(&root().join("scripts/install.sh"), &there("install.sh"));
    copy(&root().join("scripts/hardware-system.sh"), &there("scripts/hardware-system.sh"));
    copy(&root().join("scripts/release/Makefile"), &there("Makefile"));
    for entry in fs::read_dir(root().join("hardware")).expect("hardware/") {
        let path = entry.expect("an entry").path();
        if path.is_file() {
            copy(&path, &there("hardware").join(path.file_name().expect("a name")));
        }
    }
    for name in [
        "bin/annabella",
        "bin/annabella-hall",
        "lib/annabella/libvosk.so",
        "share/annabella/model/am/final.mdl",
    ] {
        fs::create_dir_all(there(name).parent().expect("a folder")).expect("made");
        fs::write(there(name), "#!/bin/sh\necho here\n").expect("written");
    }
    folder
}

fn run(folder: &Path, call: &[&str], destination: &Path) -> Output {
    let output = Command::new(folder.join(call[0]))
        .args(&call[1..])
        .env("PREFIX", "/usr/local")
        .env("DESTDIR", destination)
        .env_remove("FILES")
        .output()
        .expect("bash runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{call:?}: {said}");
    output
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file)
        .unwrap_or_else(|err| panic!("{}: {err}", file.display()))
        .permissions()
        .mode()
        & 0o777
}

#[test]
fn an_unpacked_release_installs_itself_and_takes_itself_away() {
    let (release, destination) = (unpacked(), tempfile::tempdir().expect("a folder"));
    let there = |name: &str| destination.path().join(name);
    run(release.path(), &["install.sh"], destination.path());
    assert_eq!(mode(&there("usr/local/bin/annabella")), 0o755);
    assert_eq!(mode(&there("usr/local/bin/annabella-hall")), 0o755);
    assert_eq!(mode(&there("usr/local/lib/annabella/libvosk.so")), 0o644);
    assert_eq!(mode(&there("usr/local/share/annabella/model/am/final.mdl")), 0o644);
    let unit = there("usr/local/lib/systemd/system/annabella.service");
    let shown = fs::read_to_string(&unit).expect("the unit");
    assert!(shown.contains("ExecStart=/usr/local/bin/annabella play"), "{shown}");
    // The bus of the expanders is there without anybody's help.
    let modules =
        fs::read_to_string(there("usr/local/lib/modules-load.d/annabella.conf")).expect("modules");
    assert!(modules.lines().any(|line| line == "i2c-dev"), "{modules}");

    let config = there("var/lib/annabella/annabella.toml");
    fs::write(&config, "[game]\nblind = \"black\"\n").expect("written");
    run(release.path(), &["install.sh", "install"], destination.path());
    run(release.path(), &["install.sh", "uninstall"], destination.path());
    for name in ["bin/annabella", "bin/annabella-hall", "lib/annabella", "share/annabella"] {
        let name = &format!("usr/local/{name}");
        assert!(!there(name).exists(), "{name}");
    }
    assert!(!unit.exists());
    assert!(fs::read_to_string(&config).expect("the configuration").contains("black"));
}

#[test]
fn a_wrong_word_installs_nothing() {
    let (release, destination) = (unpacked(), tempfile::tempdir().expect("a folder"));
    let output = Command::new(release.path().join("install.sh"))
        .arg("instal")
        .env("DESTDIR", destination.path())
        .output()
        .expect("bash runs");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_dir(destination.path()).expect("a folder").count(), 0);
}

#[test]
fn the_package_asks_for_what_the_program_is_linked_with() {
    let control = fs::read_to_string(root().join("scripts/release/control")).expect("control");
    let line = |field: &str| {
        let line = control.lines().find_map(|line| line.strip_prefix(field)).expect("the field");
        line.trim().to_owned()
    };
    let depends = line("Depends:");
    // Sound, the system's own voice, and what libvosk wants.
    for package in [
        "libc6 (>= @GLIBC@)",
        "libasound2 | libasound2t64",
        "libspeechd2",
        "libatomic1",
        "libstdc++6",
    ] {
        assert!(depends.split(", ").any(|there| there == package), "{package}: {depends}");
    }
    // The voice that the default configuration asks for.
    assert!(line("Recommends:").split(", ").any(|there| there == "espeak-ng"));
    for script in ["postinst", "prerm", "postrm"] {
        let path = root().join("scripts/release").join(script);
        let checked = Command::new("sh").arg("-n").arg(&path).status().expect("sh runs");
        assert!(checked.success() && mode(&path) & 0o111 != 0, "{script}");
    }
}

#[test]
fn what_plays_at_home_is_a_package_of_its_own() {
    let read = |name: &str| fs::read_to_string(root().join(name)).expect(name);
    let control = read("scripts/release/partner/control");
    let depends = control.lines().find_map(|line| line.strip_prefix("Depends: ")).expect("Depends");
    let needed: Vec<&str> = depends.split(", ").collect();
    assert!(
        needed.contains(&"annabella (>= @VERSION@)") && needed.contains(&"stockfish"),
        "{depends}"
    );
    // The service's package and tarball bring these programs, and no manual of another.
    let script = read("scripts/release.sh");
    assert!(script.contains("\nprograms=\"annabella annabella-hall\"\n"));
    assert!(!read("scripts/release/control").contains("stockfish"));
    let pages = root().join("scripts/release/share/man/man1");
    let names = fs::read_dir(pages).expect("pages").map(|page| page.expect("an entry").file_name());
    let partners = names.filter(|name| name.to_string_lossy().contains("partner")).count();
    assert_eq!(partners, 0);
}

/// Runs a script of the package with its folder elsewhere.
fn scripted(script: &str, word: &str, folder: &Path) {
    let text = fs::read_to_string(root().join("scripts/release").join(script)).expect("the script");
    let text = text.replace("/var/lib/annabella", &folder.display().to_string());
    let ended = Command::new("sh").args(["-c", &text, script, word]).output().expect("sh runs");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
}

#[test]
fn removing_keeps_all_and_purging_keeps_the_games() {
    let place = tempfile::tempdir().expect("a folder");
    let folder = place.path().join("annabella");
    fs::create_dir(&folder).expect("made");
    for name in ["annabella.toml", "annabella.db"] {
        fs::write(folder.join(name), "x").expect("written");
    }
    let left = || {
        let mut names: Vec<String> = fs::read_dir(&folder)
            .expect("the folder")
            .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
            .collect();
        names.sort();
        names
    };
    scripted("postrm", "upgrade", &folder);
    assert_eq!(left(), ["annabella.db", "annabella.toml"]);
    scripted("postrm", "purge", &folder);
    assert_eq!(left(), ["annabella.db"]);
    // Where nobody has played nothing is left.
    fs::remove_file(folder.join("annabella.db")).expect("removed");
    scripted("postrm", "purge", &folder);
    assert!(!folder.exists());
}

/// What `cargo` and a script of the release print together, run in the repository.
fn printed(script: &str) -> Option<String> {
    let output =
        Command::new("bash").args(["-c", script]).current_dir(root()).output().expect("bash runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    String::from_utf8(output.stdout).ok()
}

#[test]
fn the_bill_of_materials_lists_what_is_linked_and_nothing_else() {
    let script = "set -o pipefail; cargo metadata --locked --format-version 1 \
                  --filter-platform x86_64-unknown-linux-gnu |\
                  python3 scripts/release/sbom.py 0.2.0 1700000000 LICENSE";
    let text = printed(script).expect("text");
    assert_eq!(printed(script).as_deref(), Some(&*text), "the same sources, the same bytes");
    let bill: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(bill["bomFormat"], "CycloneDX");
    assert_eq!(bill["metadata"]["timestamp"], "2023-11-14T22:13:20Z");
    let components = bill["components"].as_array().expect("a list");
    let named = |name: &str| components.iter().find(|one| one["name"] == name);
    let lock = fs::read_to_string(root().join("Cargo.lock")).expect("Cargo.lock");
    let shakmaty = named("shakmaty").expect("the rules of chess are linked");
    let checksum = shakmaty["hashes"][0]["content"].as_str().expect("a checksum");
    assert!(lock.contains(checksum) && checksum.len() == 64, "{checksum}");
    assert!(named("rusqlite").is_some() && named("proptest").is_none(), "tests are not shipped");
    assert!(named("LICENSE").expect("beside it")["hashes"][0]["content"].is_string());
    let known: Vec<&str> = components.iter().filter_map(|one| one["bom-ref"].as_str()).collect();
    for row in bill["dependencies"].as_array().expect("a list") {
        for on in row["dependsOn"].as_array().expect("a list") {
            assert!(known.contains(&on.as_str().expect("a name")), "{on}");
        }
    }
}

#[test]
fn everything_that_is_linked_comes_from_here_or_from_crates_io() {
    let text = fs::read_to_string(root().join("Cargo.lock")).expect("there");
    let lock: toml::Table = toml::from_str(&text).expect("TOML");
    for package in lock["package"].as_array().expect("a list") {
        let name = package["name"].as_str().expect("a name");
        match package.get("source") {
            None => assert!(name.starts_with("annabella"), "{name} is not of the house"),
            Some(source) => {
                let crates_io = "registry+https://github.com/rust-lang/crates.io-index";
                assert_eq!(source.as_str(), Some(crates_io), "{name}");
                let sum = package.get("checksum").and_then(toml::Value::as_str);
                assert!(sum.is_some_and(|sum| sum.len() == 64), "{name} has no checksum");
            }
        }
    }
}
