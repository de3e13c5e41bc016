# Rust installed by rustup is found even where the shell does not know of it yet.
export PATH := $(HOME)/.cargo/bin:$(PATH)

PREFIX ?= /usr/local
TARGET_DIR = $(or $(CARGO_TARGET_DIR),target)
# Only the copying needs more rights than building; with DESTDIR the place is the caller's own.
AS_ROOT = $(if $(DESTDIR),,$(shell test -w $(PREFIX)/bin || test "$$(id -u)" = 0 || echo sudo))
# Options for the command that a target runs: make demo ARGS="--silent --speed 20"
ARGS ?=

.PHONY: help demo test bench soak fuzz install uninstall

help: ## list what can be made (default)
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo 'ARGS="…" hands options on, as in: make demo ARGS="--silent --speed 20"'

demo: ## a real game on a simulated peg board, spoken
	@scripts/setup.sh build
	cargo run --locked --release -- demo $(if $(findstring --silent,$(ARGS)),,--wav $(TARGET_DIR)/demo.wav) $(ARGS)

test: ## every check: format, lints, documentation, tests
	@scripts/setup.sh test
	scripts/test.sh

bench: ## measure the budgets of the design
	@scripts/setup.sh build
	cargo bench --locked --bench budgets --bench journal --bench speech_out

soak: ## thousands of games through clumsy hands; prints the share of moves recovered
	@scripts/setup.sh build
	cargo bench --locked --bench soak -- $(ARGS)

fuzz: ## random input for one reader: make fuzz ARGS="infer_input 60"
	@scripts/setup.sh fuzz
	@scripts/fuzz.sh $(ARGS)

# Packs are part of the binary, so one file is the whole program.
install: ## build and copy the program to PREFIX/bin (/usr/local)
	@scripts/setup.sh build
	cargo build --locked --release
	$(AS_ROOT) install -D -m 755 $(TARGET_DIR)/release/annabella $(DESTDIR)$(PREFIX)/bin/annabella

uninstall: ## take it away again
	$(AS_ROOT) rm -f $(DESTDIR)$(PREFIX)/bin/annabella
