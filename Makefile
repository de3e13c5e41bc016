# Rust installed by rustup is found even where the shell does not know of it yet.
export PATH := $(HOME)/.cargo/bin:$(PATH)

PREFIX ?= /usr/local
TARGET_DIR = $(or $(CARGO_TARGET_DIR),target)
# Only the copying needs more rights than building; with DESTDIR the place is the caller's own.
AS_ROOT = $(if $(DESTDIR),,$(shell test -w $(PREFIX)/bin || test "$$(id -u)" = 0 || echo sudo))
# Options for the command that a target runs: make demo ARGS="--silent --speed 20"
ARGS ?=

.PHONY: help demo test pictures bench soak fuzz corpus measure vosk model-de model-ko hardware hardware-boot \
  install uninstall

help: ## list what can be made (default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'ARGS="…" hands options on, as in: make demo ARGS="--silent --speed 20"'

demo: ## a real game on a simulated peg board, spoken
	@scripts/setup.sh build
	cargo run --locked --release -- demo $(if $(findstring --silent,$(ARGS)),,--wav $(TARGET_DIR)/demo.wav) $(ARGS)

test: ## every check: format, lints, documentation, tests
	@scripts/setup.sh test
	@scripts/browser.sh setup
	scripts/test.sh

pictures: ## the README's pictures of the pages, made by the browser tests
	@scripts/setup.sh build
	@scripts/browser.sh pictures

bench: ## measure the budgets of the design
	@scripts/setup.sh build
	cargo bench --locked --bench budgets --bench dgt --bench journal --bench speech_out --bench recognition \
	  --bench reconcile --bench console --bench scan --bench clock
	@$(MAKE) --no-print-directory measure ARGS=

soak: ## thousands of games through clumsy hands; prints the share of moves recovered
	@scripts/setup.sh build
	cargo bench --locked --bench soak -- $(ARGS)

fuzz: ## random input for one reader: make fuzz ARGS="infer_input 60"
	@scripts/setup.sh fuzz
	@scripts/fuzz.sh $(ARGS)

CORPUS = $(TARGET_DIR)/corpus
corpus: ## recordings of every synthetic German voice here, in noisy rooms
	@scripts/setup.sh build
	@rm -rf $(CORPUS)
	cargo run --locked --release -- corpus --out $(CORPUS) $(ARGS)

measure: ## how well they are understood: make measure ARGS=--curve
	@scripts/setup.sh build
	@test -f $(CORPUS)/corpus.tsv || $(MAKE) corpus ARGS=
	cargo run --locked --release -- measure $(CORPUS) $(ARGS)

vosk: ## fetch libvosk, which hears; done by the others too
	@scripts/setup.sh build
	@scripts/fetch-vosk.sh

model-de: ## fetch the official small German speech model (45 MB)
	@scripts/fetch-vosk.sh model-de

model-ko: ## fetch a Korean speech model (83 MB), which a test tries
	@scripts/fetch-vosk.sh model-ko

hardware: ## drawings, netlists, parts list and tables of hardware/ from wiring.toml; checks the circuit
	python3 scripts/hardware/generate.py
	@cat hardware/check.txt
	@python3 scripts/hardware/check.py --spice

hardware-boot: ## boot systemd in QEMU and try the installed service: starts, hangs, upgrades (6 minutes)
	@scripts/hardware-boot.sh

# Packs are part of the binary; what hears lies beside it.
ROOT = $(DESTDIR)$(PREFIX)
# The service at boot: into a package, or where systemd runs and looks below PREFIX.
SYSTEM = $(if $(DESTDIR),yes,$(and $(filter /usr /usr/local,$(PREFIX)),$(wildcard /run/systemd/system)))
AS_SYSTEM = $(AS_ROOT) env PREFIX=$(PREFIX) DESTDIR=$(abspath $(DESTDIR)) scripts/hardware-system.sh
install: ## build and copy the program to PREFIX/bin (/usr/local), and the service for systemd
	@scripts/setup.sh build
	cargo build --locked --release
	$(AS_ROOT) install -D -m 755 $(TARGET_DIR)/release/annabella $(ROOT)/bin/annabella
	@cd voices && find model -type f | while read -r file; do \
	  $(AS_ROOT) install -D -m 644 "$$file" "$(abspath $(ROOT))/share/annabella/$$file" || exit 1; done
	@library=$$(scripts/fetch-vosk.sh where); if [ -f "$$library" ]; then \
	  $(AS_ROOT) install -D -m 644 "$$library" $(ROOT)/lib/annabella/libvosk.so; \
	  else echo "libvosk is not here, nothing will be heard: make vosk, then make install again" >&2; fi
	$(if $(SYSTEM),$(AS_SYSTEM) install)

uninstall: ## take it away again; games and configuration stay
	$(if $(SYSTEM),$(AS_SYSTEM) uninstall)
	$(AS_ROOT) rm -rf $(ROOT)/bin/annabella $(ROOT)/share/annabella/model $(ROOT)/lib/annabella/libvosk.so
	-@$(AS_ROOT) rmdir $(ROOT)/share/annabella $(ROOT)/lib/annabella 2>/dev/null
