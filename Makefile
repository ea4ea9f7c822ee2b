help: ## Lists the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1	/p' Makefile | expand -t 16

install: ## Installs what is missing: npm packages and Debian's database server
	@sh scripts/install.sh

build: install ## Compiles to dist/
	@echo "forecourt: compiling" >&2
	@node_modules/.bin/tsc

run: build ## Serves on PORT (8080), with a private database unless DATABASE_URL is set
	@echo "forecourt: starting" >&2
	@exec bin/forecourt serve

demo: build ## Runs the main scenario from end to end on a service of its own
	@exec node dist/drills/demo/main.js

dev: build ## Serves like run, and starts again after each change of the sources; ARGS=--inspect opens the debugger's port
	@exec node scripts/dev.mjs $(ARGS)

test: ## Runs the checks and all tests, on their own private database; FILE=test/core/model/list.test.ts NAME=filters runs some only
	@FILE="$(FILE)" NAME="$(NAME)" sh scripts/test.sh

seconds: ## Runs the checks and all tests, and writes how long the slow files take to test/seconds.json
	@FILE= NAME= sh scripts/test.sh --keep-seconds

fix: install ## Formats the sources, and mends what the linter can mend
	@node_modules/.bin/biome check --write

hooks: ## Lets git run the linter before each commit, and the checks before each push
	@git config core.hooksPath scripts/hooks

# Built anew, so that no resource, migration or test runs whose source is gone.
check: install ## Checks types, lint, format, architecture, tables and the OpenAPI document
	@rm -rf dist
	@node_modules/.bin/tsc
	@sh scripts/check.sh

# ARGS="scale garages=10,100,1000 orders=1000" and ARGS="soak minutes=30" (garages=50: random years) run only where they are named.
chaos: build ## Kills processes, stops the database, fills the disk, attacks, and reports (about 35 minutes); ARGS=kill runs one script, ARGS="attack logo" one part of the attack; ARGS=package installs the package in a bare Debian; ARGS=scale and ARGS=soak measure; ARGS=year plays random years
	@DATABASE_URL= FORECOURT_NEEDS="faketime python3 unzip" sh scripts/install.sh
	@sh scripts/database-server.sh mysql >/dev/null
	@PATH="$$PATH:$$PWD/servers/mysql/bin" exec node dist/drills/chaos/main.js $(ARGS)

# The scenes of a MySQL group unpack MySQL by scripts/database-server.sh.
cluster: build ## Runs on three Galera nodes and on a MySQL group and kills some (about 50 minutes); ARGS=pairs runs one scene, ARGS=group those of MySQL
	@DATABASE_URL= FORECOURT_NEEDS="cluster unzip" sh scripts/install.sh
	@exec node dist/drills/cluster/main.js $(ARGS)

bench: build ## Measures speed and compares with baselines; ARGS=--quick is a short run, DATABASE=mysql another server
	@DATABASE_URL= FORECOURT_NEEDS="mysqldump zip" sh scripts/install.sh
	@exec sh scripts/with-database.sh node dist/bench/main.js $(ARGS)

docs: build ## Writes docs/endpoints.md from a running service, and compiles its examples
	@node dist/test/run.js --endpoints
	@node_modules/.bin/tsc

package: install ## Writes package/forecourt-VERSION-PLATFORM.tar.gz, and on Debian a .deb: the last commit, built for a server
	@sh scripts/package.sh

release: build ## Keeps this version for the tests of later ones: its OpenAPI document, a small database of each kind, a backup
	@DATABASE_URL= FORECOURT_NEEDS="mysqldump" sh scripts/install.sh
	@for kind in mariadb mysql; do DATABASE=$$kind sh scripts/with-database.sh node dist/test/releases/keep.js || exit 1; done

# Built anew, for the same reason.
migration: ## Writes the migration of new and changed resources; NAME=courtesycars
	@DATABASE_URL= sh scripts/install.sh
	@rm -rf dist
	@node_modules/.bin/tsc
	@node dist/src/cli/make-migration.js $(NAME)
	@node_modules/.bin/biome format --write --log-level=error migrations >/dev/null
	@node_modules/.bin/tsc

clean: ## Removes all build results
	@rm -rf dist package test-output

.PHONY: help install build run dev demo test seconds fix hooks check chaos cluster bench docs package release migration clean
