# The one door to everything: people, CI and packagers use the same targets. `make help` lists them.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := build
BUILD := .build
# gpsd, nginx and avahi-daemon are there, which an ordinary user's PATH leaves out.
export PATH := $(PATH):/usr/sbin:/sbin
PREFIX ?= /usr/local
# Tests see the internals of the modules they test, and may have them die at failpoints; warnings are errors there as
# everywhere.
TEST_BUILD := swift build -c release --build-tests -Xswiftc -enable-testing -Xswiftc -warnings-as-errors \
  -Xswiftc -DHOMING_FAILPOINTS
# As it is shipped: Swift's runtime is linked in, and the table of libraries' addresses is read-only (-z now). The linker
# is the toolchain's own: the default of Debian 13's Swift cannot do that to Swift's sections. All shared
# libraries are the system's, so the programs have no RUNPATH.
# SWIFT_SDK names what programs for another architecture are built with: packaging/debian/rules sets it.
STATIC_BUILD := swift build $(SWIFT_SDK) -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld \
  -Xlinker -z -Xlinker now --scratch-path $(BUILD)/static
# Addresses that are to be set at the start take a bit each in place of 24 bytes (DT_RELR, glibc 2.36): 0.7 MB of each
# program's file, all of which is read at each start.
STATIC_BUILD += -Xlinker -z -Xlinker pack-relative-relocs
# The programs export what the libraries call back, which are free and realloc. Swift would have them export all that is
# public in a module of ours: half a megabyte of names that nobody looks up.
STATIC_BUILD += -Xlinker --no-export-dynamic
# libstdc++ is linked in as Swift's runtime is, which alone needs it: 50 kB of it, in place of 0.9 MiB of memory. The
# linker finds nothing but the archive in this folder, which comes before the system's.
# The shared libraries of the others have another name in each release of Debian and elsewhere. So Package.swift takes the
# archives in this folder (docs/decisions/0060-linked-in.md). With `LINKED_IN=` the system's shared libraries are used.
LINKED_IN ?= $(foreach name,libstdc++ libgps libhiredis libsodium,$(shell g++ -print-file-name=$(name).a))
LINKED_IN_FOLDER := $(CURDIR)/$(BUILD)/static/linked-in
STATIC_BUILD += -Xlinker -L$(LINKED_IN_FOLDER)
# The linker puts functions that run together side by side, of which each has a section of its own. For all of these:
# docs/decisions/0047-what-is-loaded.md
STATIC_BUILD += -Xswiftc -Xfrontend -Xswiftc -function-sections
STATIC_BUILD += -Xlinker --symbol-ordering-file=$(CURDIR)/packaging/code-order -Xlinker --no-warn-symbol-ordering
# The same bytes in whichever folder it is built: debug information has neither its path nor the compiled C modules that
# lay there, and the programs keep no hashes for a quicker build next time.
STATIC_BUILD += -Xswiftc -file-prefix-map -Xswiftc "$(CURDIR)=." -Xcc "-ffile-prefix-map=$(CURDIR)=." \
  -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs \
  -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen
# Where each program's linker writes of which archives it took a part: the bill of materials reads it.
ARCHIVES := $(CURDIR)/$(BUILD)/static/archives
# GNU ld: gold cannot link libFuzzer, and lld cannot link the libFuzzer of Debian 13.
export HOMING_FUZZ_BUILD ?= $(CURDIR)/$(BUILD)/fuzz
FUZZ_BUILD := HOMING_FUZZ=1 swift build -c release --product HomingFuzz --scratch-path $(HOMING_FUZZ_BUILD) \
  -Xswiftc -enable-testing -Xswiftc -warnings-as-errors -Xswiftc -sanitize=fuzzer,address -Xswiftc -use-ld=bfd
THREADS := --sanitize=thread --scratch-path $(BUILD)/threads
# They measure time and memory, which the thread sanitizer multiplies.
MEASURING := HomingBoundTests HomingCostTests
PYTEST := /usr/bin/python3 -m pytest -q --durations=8
# These tests wait most of the time: for timers, for Home Assistant. Each process has its own parts and ports. Fewer
# run at a time where times are measured.
AT_ONCE := -n 6 --dist loadfile
MEASURED_AT_ONCE := -n 4 --dist loadfile
SOURCES := Package.swift Sources Tests Fuzz

.PHONY: help deps build binaries link-again code-order install uninstall documents deb tarball release quick \
  test test-build test-unit test-rigs \
  test-packaging test-fuzz \
  test-end-to-end test-packages test-emulated test-reproducible test-newcomer test-hour test-threads test-trixie test-trixie-short \
  test-release costs faults soak fuzz fuzz-build fuzz-long fuzz-slow fuzz-trixie check check-long demo bench bench-relay clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 18

deps: ## Install the Debian packages that are missing
	@scripts/install-dependencies build test

build: ## Build the daemon and the command as they are shipped: .build/static/release
	@scripts/install-dependencies build
	@$(MAKE) --no-print-directory binaries

binaries:
	@[[ "$(CURDIR)" != *" "* ]] || \
	  { echo "the path of this folder has a space: build in a folder without: $(CURDIR)" >&2; exit 64; }
	@mkdir -p $(ARCHIVES) $(LINKED_IN_FOLDER)
	@rm -f $(BUILD)/static/linked-in/*.a
	@for archive in $(LINKED_IN); do ln -s $$archive $(LINKED_IN_FOLDER); done
	@for name in $(if $(LINKED_IN),libstdc++ libgps libhiredis libsodium); do test -f $(LINKED_IN_FOLDER)/$$name.a || \
	  { echo "$$name.a is missing: run make deps, or build with LINKED_IN= and the shared libraries" >&2; exit 1; }; done
	@$(MAKE) --no-print-directory link-again
	@$(if $(LINKED_IN),export HOMING_LINKED_IN=$(LINKED_IN_FOLDER);) \
	for program in homingd homing homing-relay homing-session; do \
	  $(STATIC_BUILD) --product $$program -Xlinker --print-archive-stats=$(ARCHIVES)/$$program \
	  2> >(scripts/quiet-build flags >&2); \
	done

# SwiftPM does not see that an archive or the list of functions has changed.
link-again:
	@cat $(BUILD)/static/linked-in/*.a packaging/code-order </dev/null 2>/dev/null | sha256sum >$(BUILD)/static/linked-in.new || true
	@cmp -s $(BUILD)/static/linked-in.new $(BUILD)/static/linked-in.sum || \
	  rm -f $(BUILD)/static/release/homing{,d,-relay,-session}
	@mv $(BUILD)/static/linked-in.new $(BUILD)/static/linked-in.sum

code-order: ## List again which functions the relay and the daemon use, as the linker puts those together; after make build
	@scripts/install-dependencies bench
	@scripts/order-code

install: ## Install what was built, with services, manual pages, completions: PREFIX=/usr/local DESTDIR=
	@PREFIX=$(PREFIX) DESTDIR=$(DESTDIR) ZSH_COMPLETIONS=$(ZSH_COMPLETIONS) STRIP=$(STRIP) scripts/install-files

uninstall: ## Remove what make install put below PREFIX; configuration, queue and registration stay
	@PREFIX=$(PREFIX) scripts/uninstall-files

documents: test-build ## Make manual pages and the journal's catalogue again, from the tables in the code
	@HOMING_UPDATE_GOLDEN=1 scripts/unit-tests HomingDocumentsTests

deb: ## Build the Debian packages for this machine, or for ARCH=arm64: .build/packages
	@scripts/install-dependencies build
	@scripts/make-deb "$(RELEASE)" "$(ARCH)"

tarball: deb ## Pack the programs of the packages with an installer, for distributions without a package: .build/packages
	@scripts/make-tarball "$(ARCH)"

release: ## Build everything twice, and sign it: make release VERSION=… KEY=… URL=… VCS=… [HOMEPAGE=…] [UNTESTED=yes]
	@scripts/install-dependencies build package cross release
	@scripts/make-release "$(VERSION)" --key "$(KEY)" --url "$(URL)" --vcs "$(VCS)" --homepage "$(HOMEPAGE)" \
	  $(if $(filter yes,$(UNTESTED)),--untested)

rehearse-release: ## Make a release with a key of nobody, and delete it
	@scripts/install-dependencies build package cross release
	@scripts/make-release --rehearse

test: ## Run every check and every test, with each part's time
	@scripts/run-parts "dependencies:make deps" "checks:make check" "test build:make test-build" \
	  "unit tests:make test-unit" "Debian 13:make test-trixie-short" "rig tests:make test-rigs" \
	  "packaging tests:make test-packaging" "fuzzing:make test-fuzz" "end-to-end tests:make test-end-to-end"

quick: ## Build what has changed, in debug, and run one suite: make quick T=CourierTests
	@scripts/install-dependencies build
	@scripts/quick-test $(T)

test-build:
	@scripts/install-dependencies build
	@$(TEST_BUILD) 2>&1 | scripts/quiet-build

test-unit: test-build ## Run the Swift tests, each target in a process of its own
	@scripts/unit-tests

test-rigs: ## Run the tests of the rigs that need no Home Assistant
	@scripts/install-dependencies build test
	@$(PYTEST) $(AT_ONCE) Tests/rigs/tests -k "not home_assistant"

test-end-to-end: test-build ## Run the real daemon against real Home Assistants
	@scripts/install-dependencies test
	@scripts/install-home-assistant
	@$(PYTEST) $(AT_ONCE) Tests/EndToEnd

test-packaging: ## Check services, manual pages, completions, catalogue and lists, without building a package
	@scripts/install-dependencies build test
	@$(PYTEST) $(AT_ONCE) Tests/Packaging

test-packages: ## Build the packages for amd64 and arm64, and live with them on machines of Debian 12 and 13 that boot
	@scripts/install-dependencies build test package release emulation
	@scripts/install-home-assistant demo
	@scripts/make-deb
	@scripts/make-tarball
	@[ "$$(dpkg --print-architecture)" != amd64 ] || { scripts/make-deb trixie arm64 && scripts/make-tarball arm64; }
	@HOMING_PACKAGES_RECORD=$(CURDIR)/docs/measurements/packages.jsonl \
	  HOMING_MEASUREMENTS=$(CURDIR)/docs/measurements/first-minutes.jsonl $(PYTEST) Tests/Packages
	@rm -rf $(BUILD)/packages/programs
	@dpkg-deb --extract $(BUILD)/packages/homing_*_$$(dpkg --print-architecture).deb $(BUILD)/packages/programs
	@HOMING_BINARIES=$(CURDIR)/$(BUILD)/packages/programs/usr/bin HOMING_LONG=1 $(PYTEST) Tests/EndToEnd/test_receivers_page.py
	@[ "$$(dpkg --print-architecture)" != amd64 ] || scripts/test-emulated end-to-end
	@scripts/measured-figures

test-emulated: ## Have qemu run the Swift tests for arm64, and the packages' programs against a real Home Assistant
	@scripts/install-dependencies test emulation
	@scripts/install-home-assistant
	@scripts/test-emulated

test-reproducible: ## Build the packages twice, in other folders and surroundings, and compare them byte by byte
	@scripts/install-dependencies build package
	@scripts/test-reproducible

test-trixie: ## On a fresh Debian 13, with its compiler: make deb, make demo and make test, as its user with sudo; takes hours
	@scripts/install-dependencies test
	@scripts/test-trixie whole || [ $$? = 77 ]

test-trixie-short: ## Compile the tests with Debian 13's compiler, in a tree, and run the Swift tests there
	@scripts/test-trixie short || [ $$? = 77 ]

test-release: ## All long parts that a release needs; a second run goes on where the first one ended
	@scripts/test-release

test-newcomer: test-build ## Add a sensor to a copy of this repository by docs/adding-a-sensor.md alone
	@$(PYTEST) Tests/Newcomer

test-hour: test-build ## Use Homing for an hour, and read the log of each Home Assistant for warnings
	@scripts/install-dependencies test
	@scripts/install-home-assistant
	@HOMING_LONG=1 $(PYTEST) -n 3 --dist load Tests/EndToEnd/test_home_assistant_log.py

costs: test-build ## Measure what the most expensive 64 kB cost each entry point
	@rm -f $(BUILD)/costs
	@HOMING_COSTS=$(CURDIR)/$(BUILD)/costs scripts/unit-tests HomingCostTests
	@while IFS=$$'\t' read -r entry figure; do scripts/record costs "$$figure" "$$entry"; done <$(BUILD)/costs
	@scripts/measured-figures

faults: test-build ## Run the fault list with its long figures; a second run goes on where the first one ended
	@scripts/install-dependencies test
	@scripts/install-home-assistant
	@HOMING_LONG=1 HOMING_MEASUREMENTS=$(CURDIR)/docs/measurements/faults.jsonl $(PYTEST) -v $(MEASURED_AT_ONCE) Tests/EndToEnd/faults
	@scripts/measured-figures

soak: test-build ## Keep a daemon in bad weather: make soak HOURS=72; hours add up over runs
	@scripts/install-dependencies test
	@HOMING_MEASUREMENTS=$(CURDIR)/docs/measurements/soak.jsonl Tests/rigs/soak $(or $(HOURS),1)
	@scripts/measured-figures

fuzz-build:
	@scripts/install-dependencies build
	@$(FUZZ_BUILD) 2>&1 | scripts/quiet-build

test-fuzz: fuzz-build ## Run each fuzz target for ten seconds, and show that each can fail
	@scripts/fuzz --jobs 2 --seconds 10
	@scripts/tests/fuzz

fuzz: fuzz-build ## Fuzz what reads bytes from outside: make fuzz SECONDS=600 [TARGET=gpsd]
	@scripts/fuzz --record --seconds $(or $(SECONDS),60) $(TARGET)
	@scripts/measured-figures

check-long: ## A million inputs for each fuzz target, the tests under the thread sanitizer, a newcomer; takes hours
	@scripts/run-parts "newcomer:make test-newcomer" "thread sanitizer:make test-threads" "fuzzing:make fuzz-long" \
	  "slow fuzz targets:make fuzz-slow"

fuzz-long: fuzz-build ## A million inputs for each fuzz target but the slow ones, within 200 commits of the fuzzed code; a second run goes on
	@scripts/fuzz --record --jobs 2 --inputs 1000000 $(or $(TARGET),--without-slow)
	@scripts/measured-figures

fuzz-slow: fuzz-build ## The same for the targets of which each input opens a queue; takes more than an hour
	@scripts/fuzz --record --jobs 2 --inputs 1000000 --only-slow
	@scripts/measured-figures

fuzz-trixie: ## make fuzz-long with Debian 13's compiler, in a tree of Debian 13
	@scripts/test-trixie fuzz-long || [ $$? = 77 ]

test-threads:
	@$(TEST_BUILD) $(THREADS) 2>&1 | scripts/quiet-build
	@TSAN_OPTIONS=suppressions=$(CURDIR)/scripts/thread-sanitizer.supp scripts/unit-tests $(THREADS) \
	  $(filter-out $(MEASURING),$(notdir $(wildcard Tests/*Tests)))
	@TSAN_OPTIONS=suppressions=$(CURDIR)/scripts/thread-sanitizer.supp scripts/tests/threads $(THREADS)
	@scripts/record threads "all Swift tests: no race"
	@scripts/measured-figures

check: ## Format, import rules, Swift 6.0, words, sizes, state, names in Python, figures in documents, age of the release's tests; and that each check can fail
	@scripts/check-format $(SOURCES)
	@scripts/check-imports
	@scripts/check-language
	@scripts/check-words
	@scripts/check-sizes
	@scripts/check-state
	@scripts/check-python
	@scripts/measured-figures --check
	@scripts/check-release
	@scripts/tests/run

demo: ## Watch a car drive from home to work in a real Home Assistant
	@scripts/install-dependencies build test
	@$(MAKE) --no-print-directory build
	@scripts/install-home-assistant demo
	@HOMING_BINARIES=$(CURDIR)/$(BUILD)/static/release Tests/rigs/demo

bench: test-build ## Measure Homing as it ships beside two plain C clients: half an hour of a machine that does nothing else
	@scripts/install-dependencies build test bench
	@$(MAKE) --no-print-directory binaries
	@rm -f $(BUILD)/still-day
	@HOMING_BENCH_DAY=$(CURDIR)/$(BUILD)/still-day swift test --skip-build -c release --filter StillDayTests \
	  >$(BUILD)/still-day.log 2>&1 || { cat $(BUILD)/still-day.log; exit 1; }
	@Benchmarks/bench --day $(BUILD)/still-day --keep docs/measurements/bench.json
	@scripts/measured-figures
	@scripts/install-home-assistant
	@Benchmarks/carriers

bench-relay: ## Measure the push relay beside a plain C program, beside ntfy and beside Redis alone
	@scripts/install-dependencies build test bench
	@$(MAKE) --no-print-directory binaries
	@scripts/install-home-assistant
	@Benchmarks/bench-relay

clean: ## Remove what was built
	rm -rf $(BUILD)
