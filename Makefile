# The front door for people and for CI. `make help` lists what there is.
# Everything is installed inside this folder (.venv*, frontend/node_modules, .cache); a second run
# of a target only does what has changed.

SHELL := /bin/sh
.SHELLFLAGS := -euc
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

PYTHON ?=
VENV := .venv
STAMPS := .cache/stamps
PY := $(VENV)/bin/python
PIP := -m pip --disable-pip-version-check --no-input install --quiet --quiet
PORT ?= 6006
PYTEST_ARGS ?=

# pip and npm keep their caches here where there is no home to keep them in.
ifneq ($(shell test -n "$$HOME" && test -w "$$HOME" && echo yes),yes)
export HOME := $(CURDIR)/.cache/home
$(shell mkdir -p "$(HOME)")
endif
export PYTHONDONTWRITEBYTECODE := 1

.PHONY: help
help: ## list the targets
	@sed -n 's/^\([a-z][a-z-]*\):.*## \(.*\)/\1|\2/p' $(MAKEFILE_LIST) | \
	  while IFS='|' read -r name text; do printf '  %-18s %s\n' "$$name" "$$text"; done

# ---- for people ------------------------------------------------------------

.PHONY: demo
demo: $(STAMPS)/runtime ## serve the bundled captures in TensorBoard and print the address of the tab
	@exec $(PY) -m scripts.demo --port $(PORT)

.PHONY: test
test: check test-page test-oldest pytest ## set everything up and run every test, the browser's included

.PHONY: check
check: $(STAMPS)/test ## format, lint and types
	@echo '== ruff, mypy'
	@$(PY) -m ruff format --check --quiet . || { echo 'run: make fix' >&2; exit 1; }
	@$(PY) -m ruff check --quiet .
	@$(PY) -m mypy --no-error-summary

.PHONY: fix
fix: $(STAMPS)/test $(STAMPS)/node ## format and mend what can be mended by machine
	@$(PY) -m ruff check --fix --quiet .
	@$(PY) -m ruff format --quiet .
	@cd frontend && npm run --silent fix

.PHONY: test-page
test-page: $(STAMPS)/node ## the page: types, lint, unit tests, and the committed build is the source's
	@echo '== frontend'
	@cd frontend && npm run --silent check && npm run --silent test
	@scripts/rebuild_page.sh

.PHONY: pytest
pytest: $(STAMPS)/test $(STAMPS)/node ## the Python tests, contract and browser tests included
	@echo '== pytest'
	@chromium="$$(scripts/find_browser.sh)" || $(if $(PYTEST_ARGS),chromium=,exit 1); \
	MEMLEAK_CHROMIUM="$$chromium" MEMLEAK_REQUIRE_BROWSER=1 $(PY) -m pytest $(PYTEST_ARGS)

.PHONY: test-oldest
test-oldest: $(STAMPS)/oldest ## unit and contract tests with the oldest versions that setup.py claims
	@echo '== oldest supported versions'
	@if test -x .venv-oldest/bin/python; then \
	  .venv-oldest/bin/python -m pytest -q tests/unit tests/contract -p no:cacheprovider; \
	else echo 'skipped: the oldest numpy needs Python 3.10 or 3.11'; fi

.PHONY: accuracy
accuracy: $(STAMPS)/test ## precision and recall on real, simulated and third-party captures; writes docs/accuracy.md
	@$(PY) -m tests.accuracy

.PHONY: bench
bench: $(STAMPS)/test ## our speed and memory beside XProf's on a large capture; writes docs/performance.md
	@$(PY) -m bench

.PHONY: screenshots
screenshots: $(STAMPS)/test ## drive each view and take the pictures in docs/images
	@chromium="$$(scripts/find_browser.sh)"; \
	MEMLEAK_CHROMIUM="$$chromium" $(PY) -m tests.e2e.screenshots

.PHONY: build
build: $(STAMPS)/node ## build the page into tensorboard_memleak/static, and for report files into onefile
	@cd frontend && npm run --silent build

.PHONY: record
record: $(STAMPS)/record $(STAMPS)/record-frames ## record the bundled captures again (NAMES="a b" for some)
	@TF_CPP_MIN_LOG_LEVEL=3 .venv-record/bin/python -m tests.captures.record $(NAMES)

.PHONY: lock
lock: $(STAMPS)/test ## renew the pins in requirements/*.txt from the *.in beside them
	@scripts/lock.sh $(PY)

.PHONY: clean
clean: ## remove everything that was installed or built here
	@rm -rf $(VENV) .venv-* .cache frontend/node_modules build dist *.egg-info

# ---- set-up, each step once ------------------------------------------------

# The pins are complete, so nothing is left for pip to resolve.
$(PY):
	@mkdir -p $(STAMPS)
	@python="$$(scripts/find_python.sh $(PYTHON))"; "$$python" -m venv $(VENV)

$(STAMPS)/runtime: requirements/runtime.txt setup.py pyproject.toml | $(PY)
	@echo '== setting up $(VENV)'
	@mkdir -p $(STAMPS)
	@$(PY) $(PIP) --no-deps -r requirements/runtime.txt
	@$(PY) $(PIP) --no-deps --no-build-isolation --editable .
	@touch $@

$(STAMPS)/test: requirements/test.txt $(STAMPS)/runtime
	@echo '== installing the test tools'
	@$(PY) $(PIP) --no-deps -r requirements/test.txt
	@touch $@

$(STAMPS)/node: frontend/package-lock.json frontend/package.json
	@scripts/need_node.sh
	@echo '== installing the page tools'
	@mkdir -p $(STAMPS)
	@cd frontend && npm ci --silent --no-audit --no-fund
	@touch $@

$(STAMPS)/oldest: requirements/oldest.txt setup.py pyproject.toml
	@echo '== setting up .venv-oldest'
	@mkdir -p $(STAMPS)
	@rm -rf .venv-oldest
	@python="$$(scripts/find_python.sh $(PYTHON) python3.10 python3.11)"; \
	if "$$python" -c 'import sys; sys.exit(sys.version_info >= (3, 12))'; then \
	  "$$python" -m venv .venv-oldest; \
	  .venv-oldest/bin/python $(PIP) --no-deps -r requirements/oldest.txt; \
	  .venv-oldest/bin/python $(PIP) --no-deps --no-build-isolation --editable .; \
	fi
	@touch $@

$(STAMPS)/record $(STAMPS)/record-frames: $(STAMPS)/%: requirements/%.txt
	@echo '== setting up .venv-$*'
	@mkdir -p $(STAMPS)
	@python="$$(scripts/find_python.sh $(PYTHON))"; "$$python" -m venv --clear .venv-$*
	@.venv-$*/bin/python $(PIP) --no-deps -r requirements/$*.txt
	@touch $@
