# Two commands matter: `make serve` shows the site, `make test` checks everything.
# Both make the virtual environment themselves.

PYTHON ?= $(shell command -v python3.11 || command -v python3)
BIN := .venv/bin
SITE := .venv/.site
TEST := .venv/.test
# The exact versions of all that is installed (`make lock` writes them). Python compiles what it imports; not all of it is.
INSTALL := $(BIN)/python -m pip install --quiet --no-compile --constraint constraints.txt
ADDRESS ?= 127.0.0.1:8000
# One more than processors: a third of the tests' time is spent waiting, most of it for Chromium. Each worker costs some 20 CPU seconds to start.
WORKERS ?= $(shell expr $$(getconf _NPROCESSORS_ONLN) + 1)
# What an example printed is kept, with all that decides it: what has not changed is compared and not run again.
KEPT ?= --snippet-cache

# Two builds of one commit are the same bytes: the date in them is the commit's.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)
export NO_MKDOCS_2_WARNING := 1
# Where it is set, each of the some hundred processes of `make test` compiles the harness anew, a second each.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: bench help venv serve build publish quick test nightly processors lint labs evidence tables runtime editor zip browser-tools cupy lighthouse lock coverage clean

help:
	@echo 'make serve          build the site and serve it at http://$(ADDRESS)/, again at each change'
	@echo 'make quick          after an edit of a page, an example or an exercise: all but browser, engine and harness'
	@echo 'make test           lint, and run every test and every snippet'
	@echo 'make nightly        the same on all samples, pages and programs, and on new random ones'
	@echo 'make processors     engine tests, snippets and exercises as they run on other processors; PROCESSORS=zen3 on one'
	@echo 'make build          build the site into site/, for this machine; any dead link or bad fence is an error'
	@echo 'make coverage       which lines of ours the tests and examples execute'
	@echo 'make zip            the built site as site.zip, to be read without a server'
	@echo 'make publish        run every example, then build the site for GRADNOTES_SITE_URL; refused if an example is red'
	@echo 'make evidence       run every snippet on both engines into docs/evidence/snippets.json, and record what pages draw'
	@echo 'make tables         make the tables of docs/evidence anew that the engine, its judges or the examples decide'
	@echo 'make labs           execute the notebooks of docs/labs and keep their outputs'
	@echo 'make runtime        fetch Pyodide and its NumPy for the Run button (about 14 MB)'
	@echo 'make editor         bundle CodeMirror into docs/assets/codemirror.js again (npm)'
	@echo 'make browser-tools  axe-core for the browser tests (npm)'
	@echo 'make cupy           CuPy (140 MB), for a GPU; without one, for the tests that ask it what it would take'
	@echo 'make lighthouse     Lighthouse on the pages that matter (npm)'
	@echo 'make bench          time the engine against torch and its peers; ratios into docs/evidence/engine_bench.json'
	@echo 'make lock           write the newest versions that the project allows into constraints.txt'
	@echo 'make clean          remove what was built; the virtual environment stays'

venv: $(TEST)

$(BIN)/python:
	@test -n "$(PYTHON)" || { echo 'Python 3.11 or newer is needed: none found' >&2; exit 1; }
	$(PYTHON) -m venv .venv

# What the site needs: no PyTorch, and nothing that only executes notebooks.
$(SITE): pyproject.toml harness/pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable harness --editable '.[site]'
	touch $@

$(TEST): pyproject.toml harness/pyproject.toml constraints.txt | $(BIN)/python
	$(INSTALL) --editable harness --editable '.[site,labs,test]'
	$(BIN)/python -c 'import torch._dynamo, sklearn.datasets'  # compiled once, and not by every worker of the tests
	touch $@ $(SITE)

serve: $(SITE)
	$(BIN)/python -m gradnotes.serve $(ADDRESS)

build: $(SITE)
	$(BIN)/python -m gradnotes.site.build

# Every example runs at the commit that is published, whatever is cached or committed.
publish: $(TEST)
	$(BIN)/python -m gradnotes.site.publication host
	$(BIN)/python -m pytest snippets -n $(WORKERS) --dist worksteal --snippet-evidence .cache/evidence.json
	$(BIN)/python -m gradnotes.site.publication examples
	rm -f .cache/site/recorded.pickle  # figures too are drawn from runs at this commit
	$(MAKE) build

test: $(TEST) lint
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -rsR $(KEPT)
	@$(BIN)/python -c 'import cupy' 2>/dev/null || echo 'CuPy was not asked what it takes of the engine: `make cupy` installs it (no GPU needed), then `make test` again'
	@test -f .cache/runtime/pyodide.mjs || echo 'Run in the page was not tested: `make runtime` fetches what it needs, then `make test` again'

# How much each asks stands in conftest.py.
nightly: export GRADNOTES_TIER = full
nightly: KEPT =
nightly: test

# The list is in tests/processors.py; an hour and a half of CPU time for all.
PROCESSORS ?=
processors: $(TEST)
	$(BIN)/python -m tests.processors --workers $(WORKERS) $(PROCESSORS)

quick: $(TEST)
	$(BIN)/ruff check --quiet .
	$(BIN)/ruff format --quiet --check .
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal --tier quick $(KEPT)

lint: $(TEST)
	! git grep -nE '^(<{7}|>{7})( |$$)' -- . # what a merge has left
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

# What takes minutes and no quiet machine; what is timed is made by `make bench`, `make lighthouse` and bench/harness/run.py.
tables: coverage
	$(BIN)/python -m tests.engine.make_tables.op
	$(BIN)/python -m tests.engine.make_tables.module
	$(BIN)/python -m tests.engine.make_tables.optim docs/evidence/optim_table.json
	! $(BIN)/python -c 'import cupy' 2>/dev/null || $(BIN)/python -m tests.engine.make_tables.device
	$(BIN)/python -m pytest snippets -n $(WORKERS) --dist worksteal --snippet-mutate --snippet-mutation-evidence docs/evidence/mutation.json
	$(BIN)/python -m pytest exercises -n $(WORKERS) --dist worksteal --exercise-mutate --exercise-evidence docs/evidence/exercises.json
	$(BIN)/python -m bench.mutation.run

# Which lines of ours the tests and examples execute, with their child processes; test by test, for bench/mutation/run.py.
# Five tests of what a program sees are red then: it sees coverage.py.
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

# The peers live in virtual environments of their own under $$PEERS (~/.cache/bench-peers); one that cannot be installed is left out.
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

# A fresh environment takes the newest that pyproject.toml allows. PyTorch is pinned there: its builds for one version differ by machine.
lock:
	rm -rf .cache/lock && $(PYTHON) -m venv .cache/lock
	.cache/lock/bin/python -m pip install --quiet --no-compile --editable harness --editable '.[site,labs,test]'
	{ echo '# The versions of all that is installed here. Written by `make lock`.'; \
	  .cache/lock/bin/python -m pip freeze --exclude-editable | grep -Ev '^(torch|torchvision|triton|nvidia|cuda)[a-z0-9-]*(==|\[| @)'; } > constraints.txt
	rm -rf .cache/lock

clean:
	rm -rf site site.zip .cache/site
