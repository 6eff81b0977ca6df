.DEFAULT_GOAL := help
.PHONY: help setup build release test test-sanitize test-fuzz test-web test-matrix matrix-cluster docs diagrams lint format demo web network processes kills crashes simulate hunt measure bench mutants mutants-today mutants-by-rule clean

SEEDS ?= 1000
FROM ?= 1
HOURS ?= 1
TIMES ?= 200
EVERY ?= 1
COUNT ?= 100
DRAW ?= 1

quietly := Scripts/quietly
sources := Sources Examples Tests Benchmarks/Sources Package.swift Benchmarks/Package.swift

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup: ## Check what the build needs, and install what is missing
	@Scripts/setup

build: setup ## Build everything for debugging
	@$(quietly) "Building" build swift build

release: setup ## Build everything optimized
	@$(quietly) "Building for release" release swift build -c release

# A few at a time, if the toolchain has the option: tests wait with deadlines, and hundreds that start together on a busy
# machine all run late.
few = $(shell swift test --help-hidden | grep -o -- '--[a-z-]*maximum-parallelization-width' | head -n 1)

test: setup ## Run every test
	@$(quietly) "Building the tests" build-tests swift build --build-tests
	@[ -t 1 ] || echo "Running the tests, which print nothing for some minutes …"
	@Scripts/tests test $(if $(few),$(few) 8)

# The rules only read source files, so a sanitizer finds nothing in them. One test at a time, since a sanitizer makes
# everything several times slower and tests wait with deadlines.
test-sanitize: setup ## Run the tests under the thread, then the address sanitizer
	@set -e; export ASAN_OPTIONS=detect_leaks=0; \
	export TSAN_OPTIONS=suppressions=$(CURDIR)/Scripts/thread-sanitizer.supp; for sanitizer in thread address; do \
	  options="--sanitize=$$sanitizer --scratch-path .build/sanitize-$$sanitizer"; \
	  $(quietly) "Building the tests, $$sanitizer sanitizer" sanitize-$$sanitizer swift build --build-tests $$options; \
	  Scripts/tests test-$$sanitizer --no-parallel --skip ArchitectureTests $$options; \
	done

test-fuzz: setup ## Damage the syncs of a Matrix homeserver at random, under the address sanitizer (SEEDS=1000 FROM=1)
	@set -e; export ASAN_OPTIONS=detect_leaks=0; export SKEIN_FUZZ=$(SEEDS) SKEIN_FUZZ_FROM=$(FROM); \
	options="--sanitize=address --scratch-path .build/sanitize-address"; \
	$(quietly) "Building the tests, address sanitizer" sanitize-address swift build --build-tests $$options; \
	Scripts/tests test-fuzz $(if $(few),$(few) 4) --filter SyncFuzzTests $$options

test-web: setup ## Run the tests in a real browser, Chromium; pictures are written to .build/pictures
	@Scripts/setup chromium python3-venv fonts-noto-cjk fonts-noto-color-emoji
	@$(quietly) "Building skein" build-demo swift build --product skein
	@Scripts/test-web "$$(swift build --show-bin-path)/skein"

test-matrix: setup ## Run the checks of the contract and whole engines on a real Matrix homeserver, Synapse (SKEIN_CHECK='read mark')
	@Scripts/setup python3-venv
	@$(quietly) "Building the tests" build-tests swift build --build-tests
	@Scripts/synapse -- Scripts/tests test-matrix --filter SkeinMatrixTests
	@grep -h ' checks in .*passed' .build/logs/test-matrix.log

matrix-cluster: setup ## Measure Skein on a Synapse of several processes, which are killed, and on two homeservers (SHORT=1: in minutes)
	@Scripts/setup python3-venv postgresql redis-server nginx openssl
	@$(quietly) "Building the benchmarks" bench-matrix swift build -c release --package-path Benchmarks --product bench-matrix
	@for servers in cluster pair; do \
	  Scripts/synapse-$$servers -- "$$(swift build -c release --package-path Benchmarks --show-bin-path)/bench-matrix" \
	    $(if $(SHORT),--short) || exit; \
	done

docs: setup ## Build the documentation as a static site, and check every link in it
	@Scripts/docs

diagrams: ## Draw the diagrams of the handbook anew
	@Scripts/setup graphviz fonts-dejavu-core
	@Scripts/diagrams

lint: setup ## Check the formatting and the house rules
	@swift format lint --strict --recursive $(sources)
	@$(quietly) "Building the rules" build-tests swift build --build-tests
	@Scripts/tests rules --filter ArchitectureTests

format: ## Format every source file
	@swift format --in-place --recursive $(sources)

demo: setup ## See it work: a server and two clients on this machine
	@$(quietly) "Building skein" build-demo swift build --product skein
	@"$$(swift build --show-bin-path)/skein" demo

web: setup ## Serve two people's pages, to open in your browser, with a chat that shows every kind of message
	@$(quietly) "Building skein" build-demo swift build --product skein
	@"$$(swift build --show-bin-path)/skein" pages

network: setup ## Cut the network of a client, and show which messages wait, why and how long
	@$(quietly) "Building skein" build-demo swift build --product skein
	@"$$(swift build --show-bin-path)/skein" network

processes: setup ## Run two clients on one folder, and kill or halt the one with the connection
	@$(quietly) "Building skein" build-demo swift build --product skein
	@"$$(swift build --show-bin-path)/skein" processes

kills: setup ## Kill a sending client TIMES=200 times on a bad network, and compare both clients with the server
	@$(quietly) "Building skein" build-demo swift build --product skein
	@"$$(swift build --show-bin-path)/skein" kills --times $(TIMES)

crashes: setup ## Kill a client at each statement of each step of its work (EVERY=10: at every tenth)
	@$(quietly) "Building for release" simulate swift build -c release --product skein
	@"$$(swift build -c release --show-bin-path)/skein" crashes --every $(EVERY)

simulate: setup ## Play seeded worlds in which everything fails (SEEDS=1000 FROM=1, or today; ORDER=tokens)
	@$(quietly) "Building for release" simulate swift build -c release --product skein
	@"$$(swift build -c release --show-bin-path)/skein" simulate --seeds $(SEEDS) $(if $(ORDER),--order $(ORDER)) \
	  --from $(if $(filter today,$(FROM)),$(shell date -u +%Y%m%d)000,$(FROM))

hunt: setup ## Play seeds that nobody has played, until one breaks a promise or HOURS=1 are over
	@$(quietly) "Building for release" simulate swift build -c release --product skein
	@"$$(swift build -c release --show-bin-path)/skein" hunt --hours $(HOURS)

measure: setup ## Measure the cards of a screen, with 5 kinds of message and with 150
	@$(quietly) "Building for release" measure swift build -c release --product skein
	@"$$(swift build -c release --show-bin-path)/skein" measure

bench: setup ## Measure Skein, some figures against C in the same run, in minutes (SHORT=1: in seconds, against stored limits; JSON=1: one object per figure)
	@$(quietly) "Building the benchmarks" bench swift build -c release --package-path Benchmarks
	@"$$(swift build -c release --package-path Benchmarks --show-bin-path)/bench" $(if $(SHORT),--short --limits Benchmarks/limits.json) $(if $(JSON),--json)

mutants: setup ## Break the engine in many places, one at a time, and check that the simulator notices (ONLY='52 79')
	@Scripts/setup python3 patch
	@Scripts/mutants $(ONLY)

mutants-today: setup ## Check that every mutant still fits, and play twenty of them, others every day
	@Scripts/setup python3 patch
	@CHECK=1 Scripts/mutants
	@Scripts/mutants today

mutants-by-rule: setup ## Break the engine by rule in COUNT=100 places that DRAW=1 draws, and print the share that is noticed
	@Scripts/setup python3
	@Scripts/mutants-by-rule $(COUNT) $(DRAW)

clean: ## Remove what was built
	@rm -rf .build
