#!/bin/sh
# All that CI runs: the checks, then the tests. What the tests use is installed here; a test that can't run
# fails.
set -eu
cd "$(dirname "$0")/.."
DATABASE_URL='' FORECOURT_NEEDS="unzip python3 pdftoppm chromium" sh scripts/install.sh
rm -rf dist
node_modules/.bin/tsc
sh scripts/check.sh
exec node dist/test/run.js "$@"
