#!/bin/sh
# All that CI runs: types, lint and format, then the tests. What the tests use is installed here; a test
# that can't run fails.
set -eu
cd "$(dirname "$0")/.."
DATABASE_URL='' FORECOURT_NEEDS="unzip python3" sh scripts/install.sh
node_modules/.bin/tsc --noEmit
node_modules/.bin/biome check --error-on-warnings
rm -rf dist && node_modules/.bin/tsc
exec node dist/test/run.js "$@"
