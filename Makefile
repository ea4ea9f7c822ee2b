help: ## What there is to make
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 16

install: ## Installs what is missing: npm packages and Debian's database server
	@sh scripts/install.sh

build: install ## Compiles to dist/
	@echo "forecourt: compiling" >&2
	@node_modules/.bin/tsc

# With two arenas for all its threads, malloc keeps a tenth less memory than it would with eight a core.
run: build ## Serves on PORT (8080), with a private database where DATABASE_URL is not set
	@echo "forecourt: starting" >&2
	@MALLOC_ARENA_MAX=2 exec node dist/src/main.js

demo: build ## Plays the main job from end to end on a service of its own
	@exec node dist/src/cli/demo.js

test: ## Checks, then all tests, on a private database of their own
	@sh scripts/test.sh

check: build ## Types, lint, format, architecture and the OpenAPI document
	@sh scripts/check.sh

chaos: build ## Kills, stops, fills and attacks things, and prints what came of it (about 12 minutes)
	@node dist/test/chaos/main.js

bench: build ## Measures speed against baselines that run beside it; ARGS=--quick is a short run
	@DATABASE_URL= FORECOURT_NEEDS="mysqldump zip" sh scripts/install.sh
	@exec node dist/bench/main.js $(ARGS)

docs: build ## Writes docs/endpoints.md from a run
	@node dist/test/run.js --endpoints

# Built anew, so that no resource or migration counts whose source is gone.
migration: ## NAME=tyresets: writes the migration of new and changed resources
	@DATABASE_URL= sh scripts/install.sh
	@rm -rf dist
	@node_modules/.bin/tsc
	@node dist/src/cli/make-migration.js $(NAME)
	@node_modules/.bin/biome format --write --log-level=error migrations >/dev/null

clean: ## Removes what was built
	@rm -rf dist coverage test-output

.PHONY: help install build run demo test check chaos bench docs migration clean
