# The two main commands are `make serve`, which serves the site, and `make test`, which checks everything.
# Each creates the virtual environment if it is missing.

# The newest version that runs: a command of pyenv may exist for a version that is not selected.
PYTHON ?= $(shell for version in 3.14 3.13 3.12 3.11 3; do python$$version -c '' 2>/dev/null && command -v python$$version && break; done)
BIN := .venv/bin
SITE := .venv/.site
TEST := .venv/.test
# constraints.txt has the exact version of each package (`make lock` writes it). Without --no-compile, pip would compile
# all modules; Python compiles those that it imports.
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt
ADDRESS ?= 127.0.0.1:8000
# Starting one more worker takes about 20 CPU seconds.
WORKERS ?= $(shell getconf _NPROCESSORS_ONLN)
# The option that keeps runs of examples: an example is run again only if the example, its engine or the harness has changed.
KEPT ?= --snippet-cache

# Dates in built files are the date of the commit, so that two builds of one commit have the same bytes.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
export NO_MKDOCS_2_WARNING := 1
# If it were set, each of the hundred or so processes of `make test` would spend a second on compiling the harness again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: bench help venv serve build publish quick test nightly processors lint labs evidence tables runtime editor zip browser-tools cupy lighthouse lock coverage clean

help:
	@echo 'make serve          build the site, serve it at http://$(ADDRESS)/, and rebuild pages whose files change'
	@echo 'make quick          check pages, examples and exercises after an edit; no tests of browser, engine and harness'
	@echo 'make test           run lint, every test and every snippet'
	@echo 'make nightly        run make test on all samples, pages and programs, and on new random ones'
	@echo 'make processors     run engine tests, snippets and exercises as on other processors; PROCESSORS=zen3 selects one'
	@echo 'make build          build the site into site/, for this machine; any dead link or bad fence is an error'
	@echo 'make coverage       measure which lines of the project the tests and examples execute'
	@echo 'make zip            pack the built site as site.zip, which works without a server'
	@echo 'make publish        run every example and build the site for GRADNOTES_SITE_URL; stop if an example fails'
	@echo 'make evidence       run every snippet on both engines, and renew verdicts and recordings in docs/evidence'
	@echo 'make tables         renew the tables of docs/evidence that depend on the engine, its tests or the examples'
	@echo 'make labs           execute the notebooks of docs/labs and store their outputs in them'
	@echo 'make runtime        fetch Pyodide and its NumPy for the Run button (about 14 MB)'
	@echo 'make editor         bundle CodeMirror into docs/assets/codemirror.js again (npm)'
	@echo 'make browser-tools  install axe-core for the browser tests (npm)'
	@echo 'make cupy           install CuPy (140 MB): the engine on a GPU and, even without a GPU, tests of CuPy arguments'
	@echo 'make lighthouse     run Lighthouse on the main pages (npm)'
	@echo 'make bench          time the engine and other engines, and write ratios to docs/evidence/engine_bench.json'
	@echo 'make lock           write the newest versions that the project allows into constraints.txt'
	@echo 'make clean          remove built files, but not the virtual environment'

venv: $(TEST)

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo 'no Python found: install Python 3.11 or newer, or set PYTHON' >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo '$(PYTHON) is not Python 3.11 or newer: install one, or set PYTHON' >&2; exit 1; }
	$(PYTHON) -m venv .venv || { rm -rf .venv; exit 1; }

# The packages that a build of the site needs: without PyTorch, and without those that only execute notebooks.
$(SITE): pyproject.toml harness/pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable harness --editable '.[site]'
	touch $@

$(TEST): pyproject.toml harness/pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable harness --editable '.[site,labs,test]'
	$(BIN)/python -c 'import torch._dynamo, sklearn.datasets'  # compile once, or each test worker compiles them
	touch $@ $(SITE)

serve: $(SITE)
	$(BIN)/python -m gradnotes.serve $(ADDRESS)

build: $(SITE)
	$(BIN)/python -m gradnotes.site.build

# Run every example at the commit that is published, without using cached or committed runs.
publish: $(TEST)
	$(BIN)/python -m gradnotes.site.publication host
	$(BIN)/python -m pytest snippets -n $(WORKERS) --dist worksteal --snippet-evidence .cache/evidence.json
	$(BIN)/python -m gradnotes.site.publication examples
	rm -f .cache/site/recorded.pickle  # draw figures from runs at this commit too
	$(MAKE) build

test: $(TEST) lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -rsR $(KEPT)
	@$(BIN)/python -c 'import cupy' 2>/dev/null || echo 'skipped the tests that need CuPy: run `make cupy` (no GPU needed), then `make test` again'
	@test -f .cache/runtime/pyodide.mjs || echo 'skipped the tests of Run in the browser: run `make runtime`, then `make test` again'

# conftest.py describes the tiers.
nightly: export GRADNOTES_TIER = full
nightly: KEPT =
nightly: test

# tests/processors.py lists the processors. All of them together take an hour and a half of CPU time.
PROCESSORS ?=
processors: $(TEST)
	$(BIN)/python -m tests.processors --workers $(WORKERS) $(PROCESSORS)

quick: $(TEST)
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --tier quick $(KEPT)

lint: $(TEST)
	! git grep -nE '^(<{7}|>{7})( |$$)' -- . # conflict marks of a merge
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/zizmor --offline --quiet .github
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[ab]-*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff

evidence: $(TEST)
	$(BIN)/python -m pytest snippets -n $(WORKERS) --dist worksteal --snippet-evidence docs/evidence/snippets.json
	$(BIN)/python -m gradnotes.site.recordings

# The tables without timings, which take minutes on any machine. Timings come from `make bench`, `make lighthouse` and bench/harness/run.py.
tables: coverage
	$(BIN)/python -m tests.engine.make_tables.op
	$(BIN)/python -m tests.engine.make_tables.module
	$(BIN)/python -m tests.engine.make_tables.optim docs/evidence/optim_table.json
	! $(BIN)/python -c 'import cupy' 2>/dev/null || $(BIN)/python -m tests.engine.make_tables.device
	$(BIN)/python -m pytest snippets -n $(WORKERS) --dist worksteal --snippet-mutate --snippet-mutation-evidence docs/evidence/mutation.json
	$(BIN)/python -m pytest exercises -n $(WORKERS) --dist worksteal --exercise-mutate --exercise-evidence docs/evidence/exercises.json
	$(BIN)/python -m bench.mutation.run

# Measure which lines each test executes, including its child processes; bench/mutation/run.py uses this. Some tests fail
# meanwhile, because they check what a program finds in its process, and it finds coverage.py.
coverage: $(TEST)
	rm -rf .cache/coverage/data* .cache/coverage/*.xml
	$(BIN)/python -m bench.mutation.witnesses
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal --cov --cov-context=test --cov-report= \
		--junit-xml=.cache/coverage/tests.xml -o junit_family=xunit1; \
	$(BIN)/coverage report

zip: build
	$(BIN)/python -m gradnotes.site.offline site site.zip

labs: $(TEST)
	$(BIN)/python -m gradnotes.notebooks.labs docs/labs/*.ipynb

runtime: $(SITE)
	$(BIN)/python -m gradnotes.site.runtime .cache/runtime $(if $(NUMPY_WHEEL),--numpy $(NUMPY_WHEEL))

editor:
	npm ci --prefix editor --no-audit --no-fund
	npm run --prefix editor bundle

browser-tools:
	npm ci --prefix tests/site --no-audit --no-fund

cupy: $(TEST)
	$(INSTALL) --editable '.[gpu]'

lighthouse: $(SITE)
	$(BIN)/python tests/site/lighthouse.py

# Each peer is installed in a separate virtual environment below $$PEERS (~/.cache/bench-peers); a peer that cannot be installed is skipped.
ROUNDS ?= 2
BUDGET ?= 2
BENCH_ENGINES ?= torch,numpy-manual,autograd,mygrad,chainer,dezero,pydynet,reference_impl
BENCH_OPTIONS ?=
bench: $(TEST)
	sh bench/engine/setup_venvs.sh autograd mygrad chainer m_dezero m_pydynet
	test -f bench/engine/refs/W4.npz || $(BIN)/python bench/engine/make_refs.py >/dev/null
	rm -f bench/engine/results/run.jsonl
	$(BIN)/python bench/engine/evidence.py begin bench/engine/results/run.jsonl
	env -u OPENBLAS_CORETYPE -u OPENBLAS_L2_SIZE PYTHONPATH=$(CURDIR) $(BIN)/python bench/engine/run_all.py --rounds $(ROUNDS) --budget $(BUDGET) --engines $(BENCH_ENGINES) \
		$(BENCH_OPTIONS) \
		--add torch=$(CURDIR)/$(BIN)/python:bench_torch.py \
		--add numpy-manual=$(CURDIR)/$(BIN)/python:bench_numpy_manual.py \
		--add reference_impl=$(CURDIR)/$(BIN)/python:bench_reference_impl.py
	$(BIN)/python bench/engine/evidence.py bench/engine/results/run.jsonl docs/evidence/engine_bench.json

# A new environment gets the newest versions that pyproject.toml allows. PyTorch is pinned there, since its builds of one version differ by machine.
lock:
	rm -rf .cache/lock && $(PYTHON) -m venv .cache/lock
	.cache/lock/bin/python -m pip install --quiet --no-compile --editable harness --editable '.[site,labs,test]'
	{ echo '# The versions of all that is installed here. Written by `make lock`.'; \
	  .cache/lock/bin/python -m pip freeze --exclude-editable | grep -Ev '^(torch|torchvision|triton|nvidia|cuda)[a-z0-9-]*(==|\[| @)'; } > constraints.txt
	rm -rf .cache/lock

clean:
	rm -rf site site.zip .cache/site
