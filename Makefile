PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PACKAGES := $(wildcard engine bots red_november_client service)
# More for pytest: make test PYTEST_ARGS="-x -k fire"
PYTEST_ARGS ?=
# As on a machine that is several times slower: make test thorough SLOW=1
SLOW ?=
BESIDE := $(if $(SLOW),$(BIN)/python -m tests.support.busy)

TARGETS := help serve test thorough soak drills generators vendor bench tune lessons fit duel missed silliness reliability humans ladder openapi recorded contract-changes contract-release lint clean
.PHONY: $(TARGETS)
.DEFAULT_GOAL := help

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## /  make \1\t/p' Makefile | expand -t 26

# More for the server: make serve SERVE_ARGS="--port 9000"
SERVE_ARGS ?=

serve: $(VENV)/.service ## the whole service on this machine, until Ctrl-C
	@$(BIN)/red-november serve $(SERVE_ARGS)

SPREAD := -n auto --maxprocesses=4 --dist loadfile --no-loadscope-reorder

test: $(VENV)/.installed ## the tests, in some minutes
	$(BESIDE) $(BIN)/python -m pytest -m "not thorough and not soak" $(SPREAD) $(PYTEST_ARGS)

thorough: $(VENV)/.installed ## as many minutes more: browsers, services whose processes die, a compiler that begins anew
	$(BESIDE) $(BIN)/python -m pytest -m "thorough and not soak" $(SPREAD) $(PYTEST_ARGS)

soak: $(VENV)/.installed ## the tests that take minutes each
	$(BIN)/python -m pytest -m soak -n 2 --dist loadfile --no-loadscope-reorder $(PYTEST_ARGS)

# A longer or shorter run, or one as it was: make drills DRILLS_SECONDS=120 DRILLS_ARGS="--seed 1a2b3c4d"
DRILLS_SECONDS ?= 600
DRILLS_ARGS ?=

drills: $(VENV)/.installed ## faults, attacks and bad input at random for ten minutes, while games are played and checked
	$(BIN)/python -m tests.drills $(DRILLS_SECONDS) $(DRILLS_ARGS)

generators: $(VENV)/.generators ## clients that generators make of the contract; `make generators NAMES="orval hey"`
	$(BIN)/python -m tests.generators $(NAMES)

# The playing client's only library, from the version that the lock file pins; a test compares.
vendor: ## copy the library of the playing client anew from npm
	npm --prefix tests/clients ci --ignore-scripts --no-audit --no-fund
	cp tests/clients/node_modules/htm/preact/standalone.module.js service/pages/assets/play/vendor/preact.js

tune: $(VENV)/.service ## find the sailor's weights by self-play; takes hours
	$(BIN)/python -m bots.training.tune

lessons: $(VENV)/.service ## play games of mixed crews for the network to learn from; takes hours, goes on where it was stopped
	$(BIN)/python -m bots.training.lessons

# The network that tells chances: make fit FIT_ARGS="--file bots/search/chances.npz --start bots/search/network.npz"
FIT_ARGS ?=
fit: $(VENV)/.service ## teach the network how games end; takes some minutes
	$(BIN)/python -m bots.training.fit $(FIT_ARGS)

# Playouts, candidates, wide candidates and minutes of two ways to decide; 0 is a sailor.
DUEL_ARGS ?= --one 100,8,0,2 --other 100,8,0,8 --gnomes 4,6 --games 1000

duel: $(VENV)/.service ## compare two ways of deciding in games on the same seeds; goes on where it was stopped
	$(BIN)/python -m bots.training.duel $(DUEL_ARGS)

missed: $(VENV)/.service ## count what bots lose by turns that they never think of, from the ladder's log; takes hours
	$(BIN)/python -m bots.training.missed

# Other crews, or other trees' games: make silliness SILLINESS_ARGS="--games build/before.ndjson"
SILLINESS_ARGS ?=

silliness: $(VENV)/.service ## count idle turns, pacing to and fro and the like in a thousand games of captains
	$(BIN)/python -m bots.training.silliness $(SILLINESS_ARGS)

# Fewer or more of them: make reliability RELIABILITY_ARGS="--crews sailors captains --gnomes 4 6 --games 20"
RELIABILITY_ARGS ?=

reliability: $(VENV)/.service ## measure how honest chances of a rescue are; takes hours, goes on where it was stopped
	$(BIN)/python -m bots.training.reliability $(RELIABILITY_ARGS)

humans: $(VENV)/.service ## count whom captains let die for a rescue, beside humans and beside bots; goes on where it was stopped
	$(BIN)/python -m bots.training.humans

ladder: $(VENV)/.service ## measure how strong the bots are; takes hours, goes on where it was stopped
	$(BIN)/python -m bots.training.ladder

bench: $(VENV)/.peers ## our speed beside our peers'; `make bench engine` runs one suite
	$(BIN)/python -m tests.bench $(SUITES)

openapi: $(VENV)/.service ## write the contract anew, openapi.yaml
	$(BIN)/python -m service.contract.openapi

recorded: $(VENV)/.service ## record decisions anew, for `red-november bot check`
	$(BIN)/python -m service.client.recorded

CONTRACTS := tests/contract/released.yaml openapi.yaml

contract-changes: $(VENV)/.service ## tell what changed since the last release's contract; fails if it breaks clients
	@$(BIN)/python -m service.contract.changes $(CONTRACTS)

contract-release: $(VENV)/.service ## take today's contract as released, and write the changes down for clients
	@$(BIN)/python -m service.contract.changes $(CONTRACTS) --release service/pages/guide/changes.md

lint: $(VENV)/.installed ## style, types and the floors' order of imports
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy $(PACKAGES) tests
	$(BIN)/lint-imports --no-logo

clean: ## remove the virtual environment and every cache
	rm -rf $(VENV) tests/clients/node_modules tests/generators/node_modules build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# `make bench engine api`: the words beside bench name suites, which have nothing to build.
ifneq (,$(filter bench,$(MAKECMDGOALS)))
SUITES := $(filter-out $(TARGETS),$(MAKECMDGOALS))
.PHONY: $(SUITES)
$(SUITES): ; @:
endif

$(VENV)/.service: pyproject.toml
	@echo "Installing into $(VENV), once; this takes a minute or two ..."
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable .
	touch $@

$(VENV)/.installed: $(VENV)/.service
	@echo "Installing what tests need into $(VENV), once ..."
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	touch $@

$(VENV)/.generators: $(VENV)/.installed
	@echo "Installing generators of clients into $(VENV), once ..."
	$(BIN)/python -m pip install --quiet --editable '.[generators]'
	touch $@

# Without the peers the benchmark still runs, and says what is missing.
$(VENV)/.peers: $(VENV)/.installed
	$(BIN)/python -m pip install --quiet --editable '.[bench]' && touch $@ || echo "The peers could not be installed."
