# Fergus: `make` alone says what there is.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PORT ?= 8000
SECONDS ?= 600
# Modules stay compiled, whatever the environment says: every command below starts Python anew, the tests hundreds of times.
export PYTHONDONTWRITEBYTECODE :=
EXAMPLE := estimate(there was no cost for(phase(the second)))

.DEFAULT_GOAL := help
.PHONY: help run study test bench fuzz docs pictures clean clean-compiled

help:
	@echo "make run     set up $(VENV) and realize a few trees with the shipped model"
	@echo "make study   set up $(VENV) and open a rating study on this machine (PORT=$(PORT)); answers are kept in fergus.db"
	@echo "make test    set up $(VENV) with the development tools; lint, types, contracts, tests, coverage"
	@echo "make bench   quality and speed of everything beside papers and peers (needs the data: FERGUS_DATA); QUICK=1 for a short run"
	@echo "make fuzz    broken files for every reader, broken requests for every address of the server, SECONDS=$(SECONDS) each"
	@echo "make docs    build the documentation's site into build/docs; make pictures makes its pictures anew"
	@echo "make clean   remove everything that these commands made, but for answers; make clean-compiled only compiled inner loops"
	@echo
	@echo "PYTHON=python3.12 and VENV=folder choose another interpreter or another folder."

run: $(VENV)/.installed
	@echo '$$ fergus realize <<< "$(EXAMPLE)"'
	@echo '$(EXAMPLE)' | $(BIN)/fergus realize -
	@echo
	@echo '$$ fergus realize examples/trees.txt'
	@$(BIN)/fergus realize examples/trees.txt

study: $(VENV)/.installed-web
	@$(BIN)/fergus serve --example bangalore-2000 --port $(PORT)

# Three workers on two cores: tests of servers and browsers mostly wait.
test: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python tests/compile_first.py
	$(BIN)/python -m pytest -n 3 --dist worksteal --cov --cov-report=term --durations=40

bench: $(VENV)/.installed-dev
	$(BIN)/python benchmarks/bench.py $(if $(QUICK),--quick)

fuzz: $(VENV)/.installed-fuzz
	$(BIN)/python -m fuzz.readers --seconds $(SECONDS)
	$(BIN)/python -m fuzz.http_api --seconds $(SECONDS)

docs: $(VENV)/.installed-docs
	$(BIN)/mkdocs build --strict --quiet
	@echo "build/docs/index.html"

pictures: $(VENV)/.installed-dev
	$(BIN)/python docs/tools/pictures.py

clean-compiled:
	find src benchmarks -name '*.nb[ic]*' -delete

clean:
	rm -rf $(VENV) build dist src/*.egg-info .coverage .coverage.*
	rm -rf .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find src tests benchmarks examples -name __pycache__ -type d -prune -exec rm -rf {} +

# Set-up is done again only when pyproject.toml changes; the sources are installed as links. Python compiles a module when
# it is imported; pip would compile every module of every library, which takes a third of the time.
INSTALL = $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable
$(VENV)/.installed: pyproject.toml
	@$(MAKE) --no-print-directory $(BIN)/python
	$(INSTALL) .
	@touch $@

$(VENV)/.installed-web: pyproject.toml
	@$(MAKE) --no-print-directory $(BIN)/python
	$(INSTALL) '.[web]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml
	@$(MAKE) --no-print-directory $(BIN)/python
	$(INSTALL) '.[docs]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-dev: pyproject.toml
	@$(MAKE) --no-print-directory $(BIN)/python
	$(INSTALL) '.[dev]'
	@touch $@ $(VENV)/.installed $(VENV)/.installed-docs $(VENV)/.installed-web

$(VENV)/.installed-fuzz: pyproject.toml
	@$(MAKE) --no-print-directory $(VENV)/.installed-dev
	$(INSTALL) '.[dev,fuzz]'
	@touch $@

$(BIN)/python:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not there: install Python 3.11 or later, or say make PYTHON=..."; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Fergus needs Python 3.11 or later; $(PYTHON) is $$($(PYTHON) -V 2>&1). Say make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -c 'import venv, ensurepip' 2>/dev/null || { \
	  echo "$(PYTHON) cannot make virtual environments. On Debian and Ubuntu: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
