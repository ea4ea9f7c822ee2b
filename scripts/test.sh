#!/bin/sh
# Runs everything that CI runs: the checks, then the tests. Installs the tools of the tests first, because a test
# without its tool fails. The last command takes the place of this shell, so that it gets the signals of `make`.
set -eu
cd "$(dirname "$0")/.."
DATABASE_URL='' FORECOURT_NEEDS="unzip python3 pdftoppm chromium curl openssl sqlite3 miller hledger faketime" sh scripts/install.sh
rm -rf dist
node_modules/.bin/tsc
exec sh scripts/with-database.sh node dist/test/run.js --check "$@"
