# Everything runs in .venv, which holds exactly what requirements.lock names; node and npm come from there too.
# Paths are relative, so the clone may lie anywhere. What is set up ends with a stamp, written last: an interrupted set-up
# is done again, a finished one costs nothing.

SHELL := /bin/bash
BIN := .venv/bin
VENDOR := book/_assets/vendor
HTML_MANAGER := @jupyter-widgets/html-manager/dist
MATHJAX := output/chtml/fonts/woff-v2
NOTEBOOKS := $(shell find notebooks -name '*.md')
# Further witnesses of CVT-Bench; that of the frozen set has another seed.
OTHER_SEEDS := 20261201 20261202
PAGES := $(shell find book -type f -not -name '.*')

.PHONY: help book run test notebooks ledger verify bench lab data responders witness ranges lock clean

help:
	@echo 'make book        execute what is stale, build _build/html   [PREDICTIONS="a b": with these prediction sets]'
	@echo 'make test        run every test, those in a browser too'
	@echo 'make ledger      compare every printed number, write _build/ledger.csv'
	@echo 'make verify      compute CVT-Bench from the reconstructed set in two ways, hold it against the print'
	@echo 'make bench       time what is fast against the plain way, write _build/bench.json'
	@echo 'make notebooks   derive _build/notebooks/**/*.ipynb, for papermill and for Jupyter'
	@echo 'make lab         open JupyterLab on them'
	@echo 'make data        make the items anew'
	@echo 'make responders  run responders and baselines anew       [ARGS=--stale: only where the items changed or a set is missing]'
	@echo 'make witness     solve for the reconstructed sets anew    [ARGS="--to FOLDER": below this folder]'
	@echo 'make ranges      find anew how far the print leaves other numbers open, with further witnesses'
	@echo 'make lock        resolve the exact versions anew, where pyproject.toml or package.json changed'
	@echo 'make clean       remove what was built; .venv and node_modules stay'

# The pages are listed only once the notebooks have run, hence the second make.
book: run
	@$(MAKE) --silent _build/html/index.html
	@echo 'The book is at _build/html/index.html'

run: .venv/.ready
	@$(BIN)/vantage run $(if $(PREDICTIONS),--predictions $(PREDICTIONS))

# Built beside and moved into place: a failed build leaves the earlier book.
_build/html/index.html: _config.yml $(PAGES) $(VENDOR)/.ready
	@echo 'Building the book'
	@$(BIN)/jupyter-book build book --config _config.yml --path-output _build/next --all --quiet -W --keep-going >/dev/null
	@rm -rf _build/html && mv _build/next/_build/html _build/html && rm -rf _build/next

# Two workers: a file of tests each at a time.
test: .venv/.ready $(VENDOR)/.ready
	@$(BIN)/python -m pytest --numprocesses 2 --dist loadfile $(ARGS)

ledger: .venv/.ready
	@$(BIN)/vantage ledger

verify: .venv/.ready
	@$(BIN)/python -m benchmarks.verify $(ARGS)

bench: .venv/.ready
	@$(BIN)/python -m benchmarks

notebooks: _build/notebooks/.made

# Those that changed, in one go: starting the program takes longer than its work.
_build/notebooks/.made: $(NOTEBOOKS) .venv/.ready
	@$(BIN)/jupytext --quiet --from notebooks///md:myst --to _build/notebooks///ipynb $(or $(filter %.md,$?),$(NOTEBOOKS))
	@touch $@

lab: notebooks
	$(BIN)/jupyter lab _build/notebooks

data: .venv/.ready
	@$(BIN)/python -m vantage_workshop.stimuli

responders: .venv/.ready
	@$(BIN)/python -m vantage_workshop.responders $(ARGS)

witness: .venv/.ready
	@$(BIN)/python -m vantage_workshop.witness $(ARGS)
	@$(BIN)/python -m vantage_workshop.witness.cvt $(ARGS)

ranges: .venv/.ready
	@$(BIN)/python -m vantage_workshop.witness.ranges
	@for seed in $(OTHER_SEEDS); do $(BIN)/python -m vantage_workshop.witness.cvt --seed $$seed --to _build/witnesses/$$seed || exit 1; done
	@$(BIN)/python -m vantage_workshop.witness.cvt.ranges reconstructed_cvt $(OTHER_SEEDS:%=_build/witnesses/%/reconstructed_cvt)

lock: .venv/.ready
	$(BIN)/pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --all-extras --python-version 3.11 --python-platform linux --no-annotate \
	    --custom-compile-command 'make lock' --quiet --output-file requirements.lock
	@{ printf '%s\n' '# For users of conda; written by make lock, with the versions of requirements.lock.' 'name: vantage' \
	    'channels: [conda-forge]' 'dependencies:' '  - python=3.11' '  - pip' '  - pip:'; \
	    sed -n 's/^[^#].*/      - &/p' requirements.lock; echo '      - --editable .'; } > environment.yml
	$(BIN)/npm install --package-lock-only

clean:
	rm -rf _build book/results

# This stamp is a copy of what was installed, so that only another content costs a minute, not another date.
.venv/.locked: requirements.lock
	@if ! cmp --silent $< $@; then \
	    for python in python3.11 python3 none; do \
	        $$python -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))' 2>/dev/null && break; \
	    done; \
	    test $$python != none || { echo 'Vantage needs Python 3.11; put it on the PATH as python3.11' >&2; exit 1; }; \
	    echo 'Setting up .venv (a minute or two)'; \
	    $$python -m venv --clear .venv && \
	    $(BIN)/pip install --quiet --disable-pip-version-check --requirement $<; \
	fi
	@cp $< $@

.venv/.ready: .venv/.locked pyproject.toml
	@$(BIN)/pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	@touch $@

node_modules/.ready: package-lock.json | .venv/.ready
	@$(BIN)/npm ci
	@touch $@

# What a page loads, so that a reader needs no network, under the names by which pages ask for it.
$(VENDOR)/.ready: node_modules/.ready .venv/.locked
	@rm -rf $(VENDOR) && mkdir -p $(VENDOR)/$(HTML_MANAGER) $(VENDOR)/mathjax/$(MATHJAX)
	@cp node_modules/requirejs/require.js node_modules/$(HTML_MANAGER)/embed-amd.js $(VENDOR)
	@cp node_modules/$(HTML_MANAGER)/*.woff2 $(VENDOR)/$(HTML_MANAGER)
	@cp .venv/lib/python3.11/site-packages/anywidget/nbextension/index.js $(VENDOR)/anywidget.js
	@cp node_modules/mathjax/es5/tex-chtml-full.js $(VENDOR)/mathjax
	@cp node_modules/mathjax/es5/$(MATHJAX)/* $(VENDOR)/mathjax/$(MATHJAX)
	@touch $@
