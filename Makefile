# Lawstone. `make` alone says what there is. Needed: Python 3.11 or newer, make and pip; never a compiler.
# Another Python: make report PYTHON=python3.12

PYTHON ?= python3
GAMES ?= xxung gomoku wugun oxono
WORKERS ?= 2

VENV := .venv
BIN := $(VENV)/bin
PY := $(BIN)/python
# Written last, so that a broken-off set-up starts afresh; it names the folder, since an environment cannot be moved.
READY := $(VENV)/ready
PIP_INSTALL := $(PY) -m pip install -qq --disable-pip-version-check

ifneq ($(shell cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
endif

.DEFAULT_GOAL := help
.PHONY: help setup report test test-browser prove recheck suites lint format bench lock schema docs drawings clean

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | \
	  while IFS="$$(printf '\t')" read -r name text; do printf '  make %-8s  %s\n' "$$name" "$$text"; done

setup: $(READY) ## make .venv from the lock file, if it is missing or out of date

report: $(READY) ## check the four games, print the findings with their boards, write them under build/
	$(BIN)/lawstone check $(GAMES) --out build
	$(BIN)/lawstone publish $(GAMES) --out build/site

test: lint ## lint, then all tests
	$(PY) -m pytest -n $(WORKERS) --dist worksteal

test-browser: $(READY) ## the site in an installed Chromium (apt: chromium fonts-noto-cjk; npm)
	$(PIP_INSTALL) playwright
	npm install --silent --no-audit --no-fund --prefix build/browser axe-core
	$(PY) -m pytest tests/browser

prove: $(READY) ## settle every question and claim again, and record it; takes long
	$(BIN)/lawstone prove $(GAMES) --record
	for game in $(GAMES); do $(BIN)/lawstone claims $$game --record; done

recheck: $(READY) ## check every recorded proof again, without a solver
	$(BIN)/lawstone recheck proofs

suites: $(READY) ## write the published suites again; takes some minutes
	for game in $(GAMES); do $(BIN)/lawstone cases $$game --out tests/suites; done

lint: $(READY) ## ruff, the format and mypy
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(READY) ## bring all Python files into the project's format
	$(BIN)/ruff check --fix-only .
	$(BIN)/ruff format .

bench: $(READY) ## measure the speed of play, compiled (beside C where gcc is there) and not; takes some minutes
	$(PY) tests/benchmarks/kernels.py
	$(PY) tests/benchmarks/speed.py

schema: $(READY) ## write the JSON Schema of the language to spec/schema/
	$(BIN)/lawstone schema --out spec/schema

docs: schema ## write what is taken from the code: language reference, pictures, shown output, published ids
	$(PY) tests/documents.py
	$(PY) tests/published.py

drawings: $(READY) ## write the golden drawings again; look at every one that changed before you keep it
	$(PY) tests/golden.py

# UPGRADE=--upgrade takes the newest versions; without it, pins change only where pyproject.toml asks for it.
lock: ## write requirements.lock from pyproject.toml
	@$(CHECK_PYTHON)
	$(PYTHON) -m venv build/lock
	build/lock/bin/python -m pip install -qq --disable-pip-version-check uv
	build/lock/bin/uv pip compile pyproject.toml --extra test --universal --python-version 3.11 $(UPGRADE) \
	  --generate-hashes --no-annotate \
	  --custom-compile-command 'make lock' --quiet --output-file requirements.lock
	@if grep -n '://' requirements.lock; then echo 'requirements.lock must not name an address' >&2; exit 1; fi

clean: ## remove build/, .venv and caches
	rm -rf build dist $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .benchmarks
	find rules tests -name __pycache__ -type d -prune -exec rm -rf {} +

define CHECK_PYTHON
command -v "$(PYTHON)" >/dev/null 2>&1 || \
  { echo 'Lawstone needs Python 3.11 or newer, and "$(PYTHON)" was not found. Name yours: make PYTHON=python3.12' >&2; exit 1; }; \
"$(PYTHON)" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
  { echo "Lawstone needs Python 3.11 or newer; \"$(PYTHON)\" is $$("$(PYTHON)" --version 2>&1). Name another: make PYTHON=python3.12" >&2; exit 1; }
endef

# Where the Python has no ensurepip (Debian without python3-venv), its own pip fills the environment.
$(READY): requirements.lock pyproject.toml
	@$(CHECK_PYTHON)
	@[ "$$(cat $(READY) 2>/dev/null)" = "$(CURDIR)" ] || rm -rf $(VENV)
	@echo 'Setting up $(VENV) (once; about half a minute) ...'
	@$(PYTHON) -m venv $(VENV) >/dev/null 2>&1 || { rm -rf $(VENV) && $(PYTHON) -m venv --without-pip $(VENV) \
	  && $(PYTHON) -m pip --python $(PY) install -qq --require-hashes --only-binary :all: -r requirements.lock; } || \
	  { echo 'Could not make $(VENV): "$(PYTHON)" has neither venv with ensurepip nor pip (Debian: apt install python3-venv).' >&2; exit 1; }
	@$(PIP_INSTALL) --require-hashes --only-binary :all: -r requirements.lock
	@$(PIP_INSTALL) --no-deps --no-build-isolation --editable .
	@printf '%s' '$(CURDIR)' > $(READY)
