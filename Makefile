# PYTHON=... chooses the interpreter for a new .venv; PYTEST_ARGS=... is passed on to pytest.
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?=
PYTEST_ARGS ?=

export PYTHON

.DEFAULT_GOAL := help
.PHONY: help test demo lint audit format bench proto clean distclean

help: ## Show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | column -t -s '|' 2>/dev/null \
		|| sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1 - \2/p' $(MAKEFILE_LIST)

$(STAMP): pyproject.toml
	@sh tools/venv.sh $(VENV)
	@touch $@

test: $(STAMP) ## Run the whole test suite on all cores
	$(BIN)/pytest -p no:benchmark -n auto --dist worksteal $(PYTEST_ARGS)

demo: $(STAMP) ## Solve the example positions
	$(BIN)/trunkline solve examples/demo.jsonl

lint: $(STAMP) ## Check style, types, architecture and protocol buffers
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict router engine
	$(BIN)/lint-imports
	$(BIN)/python tools/genproto.py --check
	$(BIN)/buf lint
	$(BIN)/buf format -d --exit-code
	$(BIN)/python tools/apidoc.py --check

audit: $(STAMP) ## Look for known vulnerabilities in the dependencies
	$(BIN)/python tools/audit.py --online

format: $(STAMP) ## Format the code and the protocol buffers
	$(BIN)/ruff check --fix --select I
	$(BIN)/ruff format
	$(BIN)/buf format -w

bench: $(STAMP) ## Run the benchmarks
	$(BIN)/pytest benchmarks --benchmark-only --timeout=0 $(PYTEST_ARGS)

proto: $(STAMP) ## Generate router/v1, engine/v1 and the reference in docs/api.md from proto/
	$(BIN)/python tools/genproto.py
	$(BIN)/python tools/apidoc.py

clean: ## Remove build results and caches, keep .venv
	rm -rf build dist .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .benchmarks .nox
	find router engine tests benchmarks tools -name __pycache__ -type d -prune -exec rm -rf {} +

distclean: clean ## Remove .venv too
	rm -rf $(VENV)
