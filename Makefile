# Switchyard. `make help` lists what can be done.
PYTHON ?= python3
VENV := .venv/bin
# Without compiled bytecode every process starts two to four times as slowly, and a start of the system is seven.
unexport PYTHONDONTWRITEBYTECODE
.DEFAULT_GOAL := help
.PHONY: help up dev seed demo test check coverage bench house fuzz torture rehearse pictures lock sbom release-check secrets docs dist cli openapi reference clean

help: ## show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

up: ## run the whole system on this machine: http://localhost:8000, Ctrl-C stops it
	@$(PYTHON) bootstrap.py
	@exec $(VENV)/python manage.py up

dev: ## run the whole system with hot reload of both halves
	@$(PYTHON) bootstrap.py --dev
	@exec $(VENV)/python development.py

seed: ## beside `make dev` or `make up`: fill the example fleet with resources, and upgrades that are planned, wait and switched
	@$(VENV)/python development_fleet.py $(ARGS)

demo: ## migrate a service under live writes, switch, go back; prints a report
	@$(PYTHON) bootstrap.py
	@$(VENV)/python manage.py demo $(ARGS)

test: ## run every test, as CI does
	@$(PYTHON) bootstrap.py --dev
	@$(VENV)/python -m tests.stages $(STAGES)

check: ## the quick part of the tests: lint, types, architecture, unit
	@$(PYTHON) bootstrap.py --dev
	@$(VENV)/python -m tests.stages lint types architecture unit

coverage: ## measure which lines and branches of the domain the tests without servers run; fails below the share in pyproject.toml
	@$(PYTHON) bootstrap.py --dev
	@rm -rf .coverage
	@# While lines are counted a call that waits is left only when its wait ends, so the limit of time is not kept.
	@$(VENV)/coverage run -m pytest -q tests/unit tests/simulation -n 2 \
	    --deselect tests/unit/sync/test_time_limits.py::test_no_more_calls_are_made_while_too_many_hang $(ARGS)
	@$(VENV)/coverage combine -q
	@$(VENV)/coverage report
	@$(VENV)/coverage html -q -d .coverage/html

bench: ## measure, side by side in one run; results as JSON in benchmarks/results
	@$(PYTHON) bootstrap.py --dev
	@$(VENV)/python -m benchmarks $(ARGS)

house: ## print how the code is organised, in figures with their goals; ARGS=--names lists what is counted
	@$(PYTHON) bootstrap.py --dev
	@$(VENV)/python -m tests.structure $(ARGS)

fuzz: ## more seeded hostile input than CI tries: make fuzz COUNT=100000 SEED=7
	@$(PYTHON) bootstrap.py --dev
	@SWITCHYARD_FUZZ_COUNT=$${COUNT:-100000} SWITCHYARD_FUZZ_SEED=$${SEED:-1} $(VENV)/python -m pytest -q tests/fuzz $(ARGS)

torture: ## 1,000 seeded faults on real servers (hours)
	@$(PYTHON) bootstrap.py --dev
	@TORTURE_RUNS=$${TORTURE_RUNS:-1000} $(VENV)/python -m pytest -q tests/acceptance -k torture $(ARGS)

rehearse: ## roll Switchyard over and fail PostgreSQL over in the middle of an upgrade, under WRITES=200 a second; prints what was lost
	@$(PYTHON) bootstrap.py --dev
	@REHEARSAL_WRITES=$${WRITES:-200} $(VENV)/python -m pytest -q -s -p no:xdist tests/integration/base/test_rolling_upgrade.py tests/integration/base/test_failover.py $(ARGS)

lock: ## write the lock files from requirements/*.in; pinned versions stay (ARGS=--upgrade takes newer ones)
	@$(PYTHON) bootstrap.py --dev
	@cd requirements && for part in run dev node docs; do \
	    ../$(VENV)/uv pip compile $(ARGS) --generate-hashes --universal --python-version 3.11 -q --no-config --no-header \
	        --no-emit-index-url --no-emit-find-links $$part.in -o $$part.lock \
	        $$([ $$part != dev ] || echo -c run.lock) || exit 1; \
	done

sbom: ## write what the product consists of as CycloneDX into sbom/: Python and npm packages, from the lock files
	@$(PYTHON) bootstrap.py --dev
	@mkdir -p sbom
	@$(VENV)/cyclonedx-py requirements requirements/run.lock --pyproject pyproject.toml --mc-type application --output-reproducible -o sbom/python.cdx.json
	@cd frontend && npm sbom --package-lock-only --omit dev --sbom-format cyclonedx > ../sbom/npm.cdx.json

release-check: ## refuse a base image that is not named by digest
	@$(PYTHON) -m console.release_check

secrets: ## write the secrets that docker-compose.yml mounts into secrets/
	@$(PYTHON) -m console.compose_secrets

pictures: ## take the pictures of docs/images anew, by the browser test that carries out a whole upgrade
	@$(PYTHON) bootstrap.py --dev
	@SWITCHYARD_SCREENSHOTS=true $(VENV)/python -m pytest -q -p no:xdist tests/browser/test_story.py
	@for picture in docs/images/*.png; do cp tests/browser/screenshots/$$(basename $$picture) $$picture; done

docs: ## build the documentation site; the product serves it under /docs/; VERSIONS="v0.2.0 v0.1.0" adds the pages of tags
	@$(PYTHON) -m docs_site $(VERSIONS)

dist: docs ## write the wheels of the product, of the Python client and of the SDK into dist/, the product's with front end and docs
	@$(PYTHON) bootstrap.py --dev
	@$(VENV)/python distribution.py

cli: ## write the command line as a wheel into dist/, as the console gives it under /cli/
	@$(VENV)/python -m console.wheel dist

openapi: ## write docs/reference/openapi.yaml, api-v1.txt, the types of the front end and the Python client; ARGS=--breaking breaks the promise of /api/v1
	@$(VENV)/python manage.py spectacular --validate --fail-on-warn --file docs/reference/openapi.yaml
	@$(VENV)/python -m tests.structure.frozen $(ARGS)
	@cd frontend && npm run --silent wire
	@$(VENV)/python -m client_generator

reference: ## write the generated pages of docs/reference
	@$(VENV)/python manage.py reference

clean: ## remove what was installed and built; keeps .switchyard
	rm -rf .venv frontend/node_modules frontend/dist
