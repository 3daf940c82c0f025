# The one door to everything: people, CI and packagers use the same targets. `make help` lists them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
BUILD := .build
# Tests see the internals of the modules they test; warnings are errors there as everywhere.
TEST_BUILD := swift build -c release --build-tests -Xswiftc -enable-testing -Xswiftc -warnings-as-errors
# gold cannot link libFuzzer.
FUZZ_BUILD := HOMING_FUZZ=1 swift build -c release --product HomingFuzz --scratch-path $(BUILD)/fuzz \
  -Xswiftc -enable-testing -Xswiftc -warnings-as-errors -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=lld
THREADS := --sanitize=thread --scratch-path $(BUILD)/threads
PYTEST := /usr/bin/python3 -m pytest -q --durations=8
SOURCES := Package.swift Sources Tests Fuzz

.PHONY: help deps build test test-build test-unit test-rigs test-fuzz test-end-to-end check check-long fuzz fuzz-build \
  fuzz-long test-threads demo bench clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

deps: ## Install the Debian packages that are missing
	@scripts/install-dependencies build test

build: ## Build the daemon and the command as they are shipped: .build/static/release
	@scripts/install-dependencies build
	@swift build -c release --static-swift-stdlib --scratch-path $(BUILD)/static --product homingd
	@swift build -c release --static-swift-stdlib --scratch-path $(BUILD)/static --product homing

test: ## Run every check and every test, with each part's time
	@scripts/run-parts "dependencies:make deps" "checks:make check" "test build:make test-build" \
	  "unit tests:make test-unit" "rig tests:make test-rigs" "fuzzing:make test-fuzz" \
	  "end-to-end tests:make test-end-to-end"

test-build:
	@$(TEST_BUILD) 2>&1 | scripts/quiet-build

test-unit: test-build ## Run the Swift tests, each target in a process of its own
	@scripts/unit-tests

test-rigs: ## Run the tests of the rigs that need no Home Assistant
	@$(PYTEST) Tests/rigs/tests -k "not home_assistant"

test-end-to-end: test-build ## Run the real daemon against real Home Assistants
	@scripts/install-home-assistant
	@$(PYTEST) Tests/EndToEnd

fuzz-build:
	@$(FUZZ_BUILD) 2>&1 | scripts/quiet-build

test-fuzz: fuzz-build ## Run each fuzz target for ten seconds, and show that each can fail
	@scripts/fuzz --jobs 2 --seconds 10
	@scripts/tests/fuzz

fuzz: fuzz-build ## Fuzz what reads bytes from outside: make fuzz SECONDS=600 [TARGET=gpsd]
	@scripts/fuzz --record --seconds $(or $(SECONDS),60) $(TARGET)

check-long: ## A million inputs for each fuzz target, and the tests under the thread sanitizer; takes hours
	@scripts/run-parts "thread sanitizer:make test-threads" "fuzzing:make fuzz-long"

fuzz-long: fuzz-build
	@scripts/fuzz --record --inputs 1000000 $(TARGET)

test-threads:
	@$(TEST_BUILD) $(THREADS) 2>&1 | scripts/quiet-build
	@TSAN_OPTIONS=suppressions=$(CURDIR)/scripts/thread-sanitizer.supp scripts/unit-tests $(THREADS)

check: ## Format, import rules, words, sizes; and that each check can fail
	@swift format lint --strict --recursive $(SOURCES)
	@scripts/check-imports
	@scripts/check-words
	@scripts/check-sizes
	@scripts/tests/run

demo: ## Watch a car drive from home to work in a real Home Assistant
	@scripts/install-dependencies build test
	@$(MAKE) --no-print-directory build
	@scripts/install-home-assistant demo
	@HOMING_BINARIES=$(CURDIR)/$(BUILD)/static/release Tests/rigs/demo

bench: ## Measure Homing beside a plain C client
	@scripts/install-dependencies build test bench
	@Benchmarks/bench

clean: ## Remove what was built
	rm -rf $(BUILD)
