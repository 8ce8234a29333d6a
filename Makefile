# Everything runs in .venv, which every target makes for itself; only Python 3.11+ and the package registries are needed.
PYTHON ?= python3
PIP := .venv/bin/python -m pip --disable-pip-version-check --quiet
# Tests start the program a thousand times; without its bytecode each start takes nearly twice as long.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help demo serve test check lowest matrix screenshots bench bench-scale arena load mutants attack clean
help:
	@echo "make demo     the product at work on a ledger in a temporary folder"
	@echo "make serve    play in the browser: the service on loopback, on your own ledger; HOST= PORT= change where"
	@echo "make test     lint, types, import contracts and all tests"
	@echo "make check    lint, types, import contracts and the tests of events, projections and rules: two minutes"
	@echo "make lowest   the wheel with every dependency at its lower bound, through every door; TRY=typer==0.27 tries another version"
	@echo "make matrix   all tests on every Python from 3.11 to 3.14 that is found; ONLY=3.12 TESTS= limit it"
	@echo "make screenshots  every page for every game into docs/pictures, with chromium"
	@echo "make bench    speed, as ratios measured in one run"
	@echo "make bench-scale  a ledger of 1k, 10k and 100k matches, a quarter of an hour; SIZES= says how many"
	@echo "make arena    how strong our bots are, into docs/bots.md; MATCHES= BOTS= say how many and which"
	@echo "make load     200 matches at once through the service, on both databases; MATCHES= says how many"
	@echo "make mutants  small wrong changes that no test notices; ONLY= TESTS= COUNT= SECONDS= JOBS= SEED= AGAIN= limit it"
	@echo "make attack   an adversary with the database, the files and time; ONLY= COUNT= SECONDS= SEED= limit it"
	@echo "make clean    remove .venv and caches"

.venv/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("matchledger needs Python 3.11 or newer, this is " + sys.version.split()[0] if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv .venv

# The package itself is copied by an editable install: a change to it is a reason to install again.
.venv/run.stamp: .venv/bin/python pyproject.toml constraints.txt $(wildcard service/shell/package/*.py)
	$(PIP) install --constraint constraints.txt --editable .
	@touch $@

.venv/dev.stamp: .venv/run.stamp
	$(PIP) install --constraint constraints.txt --editable '.[dev]'
	@touch $@

demo: .venv/run.stamp
	@.venv/bin/matchledger demo

serve: .venv/run.stamp
	@.venv/bin/matchledger serve --demo $(if $(HOST),--host $(HOST)) $(if $(PORT),--port $(PORT))

# What reads the code and runs nothing of it.
define read_code
.venv/bin/ruff check .
.venv/bin/ruff format --check .
.venv/bin/mypy
.venv/bin/lint-imports --no-cache
endef

test: .venv/dev.stamp
	$(read_code)
	.venv/bin/pytest --numprocesses auto

check: .venv/dev.stamp
	$(read_code)
	.venv/bin/pytest --numprocesses auto tests/events tests/projections tests/rules

lowest: .venv/dev.stamp
	@.venv/bin/python -m tests.lowest $(TRY)

# Makes an environment for each version, so it needs none of its own.
matrix:
	@$(PYTHON) -m tests.matrix $(if $(ONLY),--only $(ONLY)) $(TESTS)

bench: .venv/dev.stamp
	@.venv/bin/python -m benchmarks

arena: .venv/dev.stamp
	@nice .venv/bin/python -m benchmarks.arena $(if $(MATCHES),--matches $(MATCHES)) $(if $(BOTS),--bots $(BOTS))

bench-scale: .venv/dev.stamp
	@.venv/bin/python -m benchmarks.scale $(if $(SIZES),--sizes $(SIZES))

screenshots: .venv/dev.stamp
	@.venv/bin/python -m tests.web.screenshots

load: .venv/dev.stamp
	@.venv/bin/python -m tests.http.load $(if $(MATCHES),--matches $(MATCHES))

# An empty variable leaves the tool's own choice; docs/testing.md tells what it does.
mutants: .venv/dev.stamp
	@nice .venv/bin/python -m tests.mutants $(if $(ONLY),--only $(ONLY)) $(if $(TESTS),--tests $(TESTS)) \
		$(if $(COUNT),--count $(COUNT)) $(if $(SECONDS),--seconds $(SECONDS)) $(if $(JOBS),--jobs $(JOBS)) $(if $(SEED),--seed $(SEED)) $(if $(AGAIN),--again)

# docs/attacks.md tells what is attacked, and what cannot be seen.
attack: .venv/dev.stamp
	@nice .venv/bin/python -m tests.attack $(if $(ONLY),--only $(ONLY)) $(if $(COUNT),--count $(COUNT)) \
		$(if $(SECONDS),--seconds $(SECONDS)) $(if $(SEED),--seed $(SEED))

clean:
	rm -rf .venv .venv-3.* .mypy_cache .ruff_cache .pytest_cache .hypothesis dist
