# Everything here works in a fresh clone with only make and a Python >= 3.10 (PYTHON= to choose).
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.SUFFIXES:

VENV := .venv
READY := $(VENV)/.ready
RUN := $(VENV)/bin/python
TORCH_INDEX ?=
PYTEST_ARGS ?=
PYTEST := OMP_NUM_THREADS=1 MPLBACKEND=Agg $(RUN) -m pytest -n 2 $(PYTEST_ARGS)
PIP := $(RUN) -m pip --disable-pip-version-check install -c constraints-dev.txt

.PHONY: help check test test-full second-env demo bench oracle record clean

help: ## this list
	@grep -hE '^[a-z.-]+:.*##' Makefile | sed -E 's/^([a-z.-]+):.*## /  make \1 | /' | column -t -s '|'
	@echo
	@echo "  PYTHON=python3.12      the Python that .venv is made with"
	@echo "  TORCH_INDEX=URL        where torch comes from (an index with the smaller CPU build)"
	@echo "  PYTEST_ARGS='-k sum'   arguments for pytest"

$(VENV): $(READY) ## the environment that the other targets use; made when needed
.PHONY: $(VENV)

$(READY): pyproject.toml constraints-dev.txt
	@python=$$(sh tools/find_python.sh "$(PYTHON)") && $$python -m venv $(VENV)
	@$(PIP) --quiet --upgrade 'pip>=23'
	@$(RUN) tools/download_size.py torch -c constraints-dev.txt $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX))
	$(PIP) torch $(if $(TORCH_INDEX),--index-url $(TORCH_INDEX))
	$(PIP) --quiet -e '.[image,port,onnx,plot,examples,dev]'
	@touch $@

check: $(READY) ## lint, format, types, layers, size limits, golden files (under 90 s)
	$(VENV)/bin/ruff check .
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/mypy
	$(VENV)/bin/lint-imports
	$(RUN) tools/check_tree.py
	$(RUN) tools/record_golden.py --check

test: $(READY) ## the tests (under 10 minutes)
	$(PYTEST) -m "not full"

test-full: $(READY) ## the long tests (under 45 minutes)
	$(PYTEST) -m full; code=$$?; \
	if [ $$code -ne 5 ] && [ $$code -ne 0 ]; then exit $$code; fi
	$(RUN) tools/second_env.py

second-env: $(READY) ## the old programs of tests/run with NumPy 1.26, pandas and IPython, in .second-env
	$(RUN) tools/second_env.py --strict

demo: $(READY) ## train the digits example beside MXNet's own log; port it, prove the port
	MPLBACKEND=Agg $(RUN) examples/digits/compare.py
	$(RUN) examples/digits/prove.py

bench: $(READY) ## time ratios to hand-written torch, and to real MXNet where the oracle exists
	$(RUN) bench/run.py

oracle: ## .oracle: real MXNet 1.9.1 on Python 3.8, to record from (x86-64 Linux)
	@python=$$(sh tools/find_python.sh "$(PYTHON)") && $$python tools/make_oracle.py

record: $(READY) ## record changed cases from real MXNet; update the list of missing operators
	$(RUN) tools/record_golden.py
	$(RUN) tools/census.py --update

clean: ## remove what the other targets made, except .oracle
	rm -rf $(VENV) .second-env build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
	rm -rf .import_linter_cache src/*.egg-info
	find src tests tools -name __pycache__ -type d -prune -exec rm -rf {} +
