# Two commands on a fresh machine do everything: `make run` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --constraint constraints.txt --editable
APP := $(VENV)/.app-installed
STAMP := $(VENV)/.installed

.PHONY: install run test lint types layers check bench reports clean

install: $(STAMP)

# What the app needs, and nothing else: nobody waits for test tools to ask a question.
$(APP): pyproject.toml constraints.txt
	@echo 'Installing into $(VENV), once; this takes a minute or two.'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(PIP) .
	touch $(APP)

$(STAMP): $(APP)
	$(PIP) '.[dev]'
	touch $(STAMP)

# make run                 the bundled planet notes
# make run DOCS=~/notes    a folder of yours
run: $(APP)
	$(BIN)/planet-tui $(if $(DOCS),"$(DOCS)",--sample)

test: install
	$(BIN)/pytest -n auto

lint: install
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: install
	$(BIN)/mypy

layers: install
	$(BIN)/lint-imports

check: lint types layers test

# make bench               planet-tui beside its peers, with tables; minutes (docs/performance.md)
# make bench BENCH='--sizes 1000 --rounds 1'
bench: install
	$(PIP) '.[bench]'
	$(BIN)/python -m tests.benchmarks $(BENCH)

# make reports             the tables and figures of docs/evaluation.md; minutes, needs PLANET_TUI_DATA
reports: install
	$(BIN)/python docs/make_reports.py $(REPORT)

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
