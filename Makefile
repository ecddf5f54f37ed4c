# book: build the pages    test: run everything    serve: live preview
# refresh: the one that writes; execute, export (ONLY=02: one chapter)
# PIP_ARGS: handed to pip, to choose a CPU build of torch for example

PYTHON ?= python3
BIN = .venv/bin
PARTS = tools/node_modules/ready

book: .venv/ready $(PARTS)
	$(BIN)/python -m tools.refresh --check
	$(BIN)/jupyter-book build . -W -n --keep-going

test: .venv/ready $(PARTS)
	$(BIN)/pytest -n 2

serve: book
	$(BIN)/python -m tools.site

weigh: book
	$(BIN)/python -m tools.weigh

refresh: .venv/ready
	$(BIN)/python -m tools.refresh --only "$(ONLY)"

.venv/ready: requirements.txt pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install $(PIP_ARGS) -r requirements.txt
	$(BIN)/pip install $(PIP_ARGS) --no-deps -e .
	touch $@

# What the built pages load, by the npm and the node of the environment.
$(PARTS): tools/package-lock.json tools/stdlib.mjs .venv/ready
	cd tools && PATH="$(CURDIR)/$(BIN):$$PATH" && npm ci && node stdlib.mjs
	touch $@

# The long checks, not part of the suite: random programs against PyTorch
# (N=100000 SEED=1), the suite itself again and again (N=20), functions
# taken out, operators changed, exercises in an environment without the
# project, speed.
fuzz: .venv/ready
	$(BIN)/python -m tools.fuzz $(or $(N),10000) $(if $(SEED),--seed $(SEED))

flake: .venv/ready $(PARTS)
	$(BIN)/python -m tools.flake $(or $(N),5)

alone: .venv/ready
	$(BIN)/python -m tools.alone

removals: .venv/ready
	$(BIN)/python -m tools.mutants removals

mutants: .venv/ready
	$(BIN)/python -m tools.mutants operators

bench: .venv/ready
	$(BIN)/python -m tools.bench $(if $(ROUNDS),--rounds $(ROUNDS))

home: .venv/ready
	$(BIN)/python -m tools.home "$(URL)" $(SITE)
	$(BIN)/python -m tools.refresh --check

.PHONY: book test refresh serve weigh alone fuzz flake bench removals mutants home
