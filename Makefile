# Needs Python 3.11 or newer, pip and make; everything else goes into .venv from the lock files.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check
DEMO   ?=
CHAOS  ?=
CHAOS_TABLES ?=
FUZZ   ?=
FUZZ_CALLS ?=
PYTEST ?= -n 3 --dist loadscope

RUNTIME := $(VENV)/.runtime-installed
DEV     := $(VENV)/.dev-installed
BENCHES := $(sort $(patsubst tests/bench/%.py,tests.bench.%,$(wildcard tests/bench/bench_*.py)))

.DEFAULT_GOAL := help
.PHONY: help demo test sweeps lint format bench fuzz chaos proto lock clean

help:  ## show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## */\t/' | expand -t 10

demo: $(RUNTIME)  ## play a whole tournament; options: make demo DEMO="--entrants 64 --seed 7"
	@$(BIN)/rummy-arena demo $(DEMO)

test: $(DEV)  ## run the tests; options: make test PYTEST="-k solver -x"
	@$(BIN)/python -m pytest $(PYTEST)

sweeps: $(DEV)  ## what the tests try a part of, whole: every size of a field, far more seeds
	@RUMMY_ARENA_SWEEPS=1 $(BIN)/python -m pytest --timeout 1800 -m sweep $(PYTEST)

lint: $(DEV)  ## style, types, import contracts, proto lint, freshness of generated code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/buf lint
	$(BIN)/python proto/generate.py --check

format: $(DEV)  ## put all code in the house's format
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

bench: $(DEV)  ## print each figure beside its reference
	@for bench in $(BENCHES); do echo "== $$bench"; $(BIN)/python -m $$bench || exit 1; done

fuzz: $(DEV)  ## play 100,000 random deals of every rule set, then every RPC at random, then look for leaks
	@$(BIN)/python -m tests.bench.fuzz_deals $(FUZZ)
	@$(BIN)/python -m tests.services.fuzz_rpc $(FUZZ_CALLS)
	@RUMMY_ARENA_LEAK_MOMENTS=200 $(BIN)/python -m pytest -q --timeout 3600 tests/services/test_no_leak.py

chaos: $(DEV)  ## kill processes of a running arena: no result and no action may be lost
	@$(BIN)/python -m tests.chaos.kill_everything $(CHAOS)
	@$(BIN)/python -m tests.chaos.kill_under_tables $(CHAOS_TABLES)
	@$(BIN)/python -m tests.chaos.kill_archivers
	@$(BIN)/python -m tests.chaos.kill_under_ladder $(CHAOS_LADDER)
	@$(BIN)/python -m tests.chaos.kill_events $(CHAOS_EVENTS)

proto: $(DEV)  ## generate the stubs from proto/
	$(BIN)/python proto/generate.py

# One --all-build-deps environment pins the build tools too, so that an install builds nothing
# from an unpinned source. grpcio later than 1.78 answers a quarter fewer calls a second.
LOCK := $(VENV)-lock
COMPILE := $(LOCK)/bin/pip-compile --quiet --generate-hashes --allow-unsafe --no-emit-index-url \
	--no-emit-find-links --no-emit-trusted-host --no-annotate --no-header --all-build-deps \
	--strip-extras --constraint $(LOCK)/constraints.txt --extra server

lock:  ## pin the newest versions that fit pyproject.toml
	@rm -rf $(LOCK)
	@$(PYTHON) -m venv $(LOCK)
	@$(LOCK)/bin/python -m pip --disable-pip-version-check install --quiet pip-tools
	@printf '%s==1.78.0\n' grpcio grpcio-health-checking grpcio-reflection grpcio-status \
		grpcio-tools > $(LOCK)/constraints.txt
	$(COMPILE) --output-file requirements.lock pyproject.toml
	$(COMPILE) --extra dev --constraint requirements.lock \
		--output-file requirements-dev.lock pyproject.toml
	@rm -rf $(LOCK)

clean:  ## remove the environment, caches and the default data directory
	rm -rf $(VENV) .arena build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis \
		.import_linter_cache .grimp_cache
	find rummy_arena services workers tests -name __pycache__ -type d -prune -exec rm -rf {} +

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
		echo "Python 3.11 or newer is needed; name one: make PYTHON=python3.12 ..." >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(RUNTIME): requirements.lock pyproject.toml | $(BIN)/python
	@echo "installing what requirements.lock pins into $(VENV)"
	@$(PIP) install --quiet --require-hashes -r requirements.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@

$(DEV): requirements-dev.lock pyproject.toml | $(BIN)/python
	@echo "installing what requirements-dev.lock pins into $(VENV)"
	@$(PIP) install --quiet --require-hashes -r requirements-dev.lock
	@$(PIP) install --quiet --no-deps --no-build-isolation -e .
	@touch $@ $(RUNTIME)
