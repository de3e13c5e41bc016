#!/usr/bin/env bash
# Makes what others install without compiling: a tarball and a Debian package, for a Pi and for a PC; and a package of its
# own for evenings at home, annabella-partner, of which neither of them carries anything.
#
#   scripts/release.sh [arm64] [amd64]    into TARGET/packages; both by default, on a Pi its own
#   scripts/release.sh all try            both, where the compiler for the other is here, then as below
#   scripts/release.sh files FOLDER       only puts bin/, lib/ and share/ of the program built here into it
#   scripts/release.sh try                installs the package into a scratch Debian, and takes it away again
#
# ARCH is Debian's name: arm64 or amd64. ANNABELLA_PROFILE=dev takes what the tests have built: to be tried, not given
# away. Dates are those of the last commit: the same sources give the
# same packages.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(realpath -m "${CARGO_TARGET_DIR:-target}")
packages=$target/packages
profile=${ANNABELLA_PROFILE:-release}
# What is only tried is not worth the minutes that small files take.
if [ "$profile" = dev ]; then level=0; else level=6; fi
version=$(sed -n 's/^version = "\(.*\)"/\1/p' Cargo.toml | head -1)
own=$(dpkg --print-architecture 2>/dev/null || uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
# Not for the compilers: they would build everything anew after each commit.
epoch=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || stat -c %Y Cargo.toml)}

say() { echo "release: $*" >&2; }
fail() {
  say "$*"
  exit 1
}

machine() { # arm64: as Rust and libvosk name it
  case $1 in
    arm64) echo aarch64 ;;
    amd64) echo x86_64 ;;
    *) fail "unknown architecture '$1': write arm64 or amd64" ;;
  esac
}
programs="annabella annabella-hall"
program() { # ARCH, which of them
  if [ "$1" = "$own" ]; then echo "$target/${profile/#dev/debug}/$2"; else echo "$target/aarch64/$2"; fi
}
build() {
  if [ "$1" = "$own" ]; then
    scripts/setup.sh build
    # In one go, as for the Pi: what both use is built once.
    cargo build --locked --profile "$profile" -p annabella -p annabella-partner \
      --bin annabella --bin annabella-hall --bin annabella-partner
  elif [ "$1" = arm64 ]; then
    scripts/aarch64.sh build
  else
    fail "a package for $1 is made on such a machine"
  fi
  scripts/fetch-vosk.sh "$(machine "$1")"
}

# What the program needs beside itself; it finds it from its own place.
files() { # ARCH, folder
  local library model
  if [ "$1" = "$own" ]; then library=$(scripts/fetch-vosk.sh where); else library=.cache/vosk/$(machine "$1")/libvosk.so; fi
  local name
  for name in $programs; do install -D -m 755 "$(program "$1" "$name")" "$2/bin/$name"; done
  (cd voices && find model -type f -print0) | while IFS= read -r -d '' model; do
    install -D -m 644 "voices/$model" "$2/share/annabella/$model"
  done
  install -D -m 755 scripts/fetch-model.sh "$2/lib/annabella/fetch-model"
  # Manual pages and completions, as `make manual` keeps them.
  cp -r scripts/release/share/. "$2/share/"
  if [ -f "$library" ]; then
    install -D -m 644 "$library" "$2/lib/annabella/libvosk.so"
  else
    say "libvosk is not here, nothing will be heard: make vosk, then this again"
  fi
}
# Without what only a debugger reads. libvosk stays byte by byte as its makers have it: the program opens no other.
stripped() { # ARCH, folder
  local tool=strip
  [ "$1" = "$own" ] || tool=aarch64-linux-gnu-strip
  "$tool" --remove-section=.comment --remove-section=.note "$2"/bin/*
}

# The licences of everything that is linked into a program, one text for both architectures.
licences() { # ARCH, where to; the program's manifest
  [ "$2" -nt Cargo.lock ] && return
  cargo metadata --locked --format-version 1 --filter-platform "$(machine "$1")-unknown-linux-gnu" --manifest-path "$3" |
    python3 scripts/release/licences.py >"$2.new"
  mv "$2.new" "$2"
}

# What the program was made of, for those who watch for holes in libraries.
bill() { # ARCH, folder with lib/annabella/libvosk.so
  local beside=("$2"/lib/annabella/libvosk.so)
  [ -f "${beside[0]}" ] || beside=()
  cargo metadata --locked --format-version 1 --filter-platform "$(machine "$1")-unknown-linux-gnu" |
    python3 scripts/release/sbom.py "$version" "$epoch" "${beside[@]}"
}

tarball() { # ARCH
  local name folder
  name=annabella-$version-$(machine "$1")
  folder=$packages/work/$name
  rm -rf "$folder"
  files "$1" "$folder"
  stripped "$1" "$folder"
  mkdir "$folder/scripts"
  cp -a scripts/hardware-system.sh "$folder/scripts/"
  install -m 755 scripts/install.sh "$folder/install.sh"
  install -m 644 scripts/release/Makefile "$folder/Makefile"
  cp -a docs hardware pictures README.md README.de.md CHANGELOG.md LICENSE "$folder/"
  cp "$packages/licences.txt" "$folder/"
  bill "$1" "$folder" >"$folder/sbom.cdx.json"
  tar -C "$packages/work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$epoch" \
    --mode=go-w -I "xz -$level" -cf "$packages/$name.tar.xz" "$name"
  rm -rf "$folder"
}

deb() { # ARCH
  local root=$packages/work/deb-$1 doc glibc revision=$version-1
  rm -rf "$root"
  files "$1" "$root/usr"
  stripped "$1" "$root/usr"
  PREFIX=/usr DESTDIR="$root" scripts/hardware-system.sh install
  # A default that is copied once, so that neither an upgrade nor a removal touches the real one.
  mv "$root/var/lib/annabella/annabella.toml" "$root/usr/share/annabella/annabella.toml"
  rm -r "$root/var"
  install -m 755 scripts/hardware-system.sh "$root/usr/share/annabella/hardware-system.sh"

  # As Debian has them: manual pages compressed, and a place of its own for what a package brings to zsh.
  gzip -9n "$root"/usr/share/man/man1/*.1
  mkdir -p "$root/usr/share/zsh"
  mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"

  doc=$root/usr/share/doc/annabella
  mkdir -p "$doc"
  cp -a docs hardware README.md README.de.md "$doc/"
  cp src/program/config/example.toml "$doc/"
  cp scripts/release/copyright "$doc/copyright"
  gzip -9n <CHANGELOG.md >"$doc/changelog.gz"
  gzip -9n <"$packages/licences.txt" >"$doc/licences.txt.gz"
  bill "$1" "$root/usr" | gzip -9n >"$doc/sbom.cdx.json.gz"
  {
    echo "annabella ($revision) unstable; urgency=medium"
    printf '\n  * What is new is told in changelog.gz.\n\n'
    echo " -- Annabella's founders <founders@annabella.invalid>  $(date -R -u -d "@$epoch")"
  } | gzip -9n >"$doc/changelog.Debian.gz"

  # The newest symbols of the C library that programs and libvosk ask for.
  glibc=$(grep -aohE 'GLIBC_2\.[0-9]+' "$root"/usr/bin/* "$root/usr/lib/annabella/libvosk.so" |
    sort -Vu | tail -1)
  mkdir -p "$root/DEBIAN"
  echo /etc/systemd/journald@annabella.conf >"$root/DEBIAN/conffiles"
  sed -e "s/@VERSION@/$revision/" -e "s/@ARCH@/$1/" -e "s/@GLIBC@/${glibc#GLIBC_}/" \
    -e "s/@SIZE@/$(du -sk --exclude=DEBIAN "$root" | cut -f1)/" scripts/release/control >"$root/DEBIAN/control"
  install -m 755 scripts/release/{postinst,prerm,postrm} "$root/DEBIAN/"
  chmod -R u=rwX,go=rX "$root"
  (cd "$root" && find usr etc -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  chmod 644 "$root/DEBIAN/md5sums"
  find "$root" -print0 | xargs -0 touch --no-dereference --date="@$epoch"
  SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group -Zxz -z$level --build "$root" "$packages/annabella_${revision}_$1.deb" >/dev/null
  rm -rf "$root"
}

# Evenings at home: one program and what tells about it. It needs the service's package and an engine.
partner_deb() { # ARCH
  local root=$packages/work/partner-$1 doc revision=$version-1 glibc
  rm -rf "$root"
  install -D -m 755 "$(program "$1" annabella-partner)" "$root/usr/bin/annabella-partner"
  stripped "$1" "$root/usr"
  mkdir -p "$root/usr/share"
  cp -r scripts/release/partner/share/. "$root/usr/share/"
  gzip -9n "$root"/usr/share/man/man1/*.1
  mkdir -p "$root/usr/share/zsh"
  mv "$root/usr/share/zsh/site-functions" "$root/usr/share/zsh/vendor-completions"
  doc=$root/usr/share/doc/annabella-partner
  mkdir -p "$doc"
  cp docs/partner.md docs/first-evening.md "$doc/"
  cp scripts/release/partner/copyright "$doc/copyright"
  gzip -9n <CHANGELOG.md >"$doc/changelog.gz"
  gzip -9n <"$packages/licences-partner.txt" >"$doc/licences.txt.gz"
  {
    echo "annabella-partner ($revision) unstable; urgency=medium"
    printf '\n  * What is new is told in changelog.gz.\n\n'
    echo " -- Annabella's founders <founders@annabella.invalid>  $(date -R -u -d "@$epoch")"
  } | gzip -9n >"$doc/changelog.Debian.gz"
  glibc=$(grep -aohE 'GLIBC_2\.[0-9]+' "$root"/usr/bin/* | sort -Vu | tail -1)
  mkdir -p "$root/DEBIAN"
  sed -e "s/@VERSION@/$revision/g" -e "s/@ARCH@/$1/" -e "s/@GLIBC@/${glibc#GLIBC_}/" \
    -e "s/@SIZE@/$(du -sk --exclude=DEBIAN "$root" | cut -f1)/" scripts/release/partner/control >"$root/DEBIAN/control"
  chmod -R u=rwX,go=rX "$root"
  (cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  chmod 644 "$root/DEBIAN/md5sums"
  find "$root" -print0 | xargs -0 touch --no-dereference --date="@$epoch"
  SOURCE_DATE_EPOCH=$epoch dpkg-deb --root-owner-group -Zxz -z$level --build "$root" \
    "$packages/annabella-partner_${revision}_$1.deb" >/dev/null
  rm -rf "$root"
}

tool() { # command, package
  command -v "$1" >/dev/null && return
  local as_root=()
  [ "$(id -u)" = 0 ] || as_root=(sudo)
  say "installing $2"
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq install --yes --no-install-recommends "$2" >/dev/null ||
    fail "$1 is missing: apt-get install $2"
}

make_all() {
  local arch
  for arch in "$@"; do machine "$arch" >/dev/null; done
  command -v dpkg-deb >/dev/null || fail "dpkg-deb is missing: packages are made on Debian and its like"
  tool xz xz-utils
  tool python3 python3
  mkdir -p "$packages/work"
  for arch in "$@"; do
    build "$arch"
    licences "$arch" "$packages/licences.txt" Cargo.toml
    licences "$arch" "$packages/licences-partner.txt" src/partner/Cargo.toml
    tarball "$arch"
    deb "$arch"
    partner_deb "$arch"
  done
  (cd "$packages" && sha256sum ./*.deb ./*.tar.xz | sed 's|\./||' >SHA256SUMS)
  say "these are in $packages:"
  (cd "$packages" && du -h --apparent-size ./*.deb ./*.tar.xz | sed 's|\./||') >&2
}

case ${1:-} in
  files)
    [ $# = 2 ] || fail "usage: $0 files FOLDER"
    files "$own" "$2"
    ;;
  try) exec scripts/release/try.sh "$packages" "$own" ;;
  all)
    if [ -e "$target/aarch64/annabella" ] && [ "$own" = amd64 ]; then make_all amd64 arm64; else make_all "$own"; fi
    exec scripts/release/try.sh "$packages" "$own"
    ;;
  "") if [ "$own" = amd64 ]; then make_all amd64 arm64; else make_all "$own"; fi ;;
  *) make_all "$@" ;;
esac
