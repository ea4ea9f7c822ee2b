#!/bin/sh
# Runs everything that CI runs: the checks, then the tests. Installs the tools of the tests first, because a test
# without its tool fails. FILE and NAME choose some tests, and leave out the checks: FILE=test/core/model/list.test.ts
# NAME=filters. The last command takes the place of this shell, so that it gets the signals of `make`.
set -eu
cd "$(dirname "$0")/.."
DATABASE_URL='' FORECOURT_NEEDS="unzip python3 pdftoppm chromium curl openssl sqlite3 miller hledger faketime" sh scripts/install.sh
if [ -n "${FILE:-}${NAME:-}" ]; then
  node_modules/.bin/tsc
  for file in ${FILE:-}; do
    [ -e "$file" ] || { echo "forecourt: there is no $file" >&2; exit 1; }
    set -- "$@" "dist/${file%.ts}.js"
  done
  [ -z "${NAME:-}" ] || set -- "$@" -g "$NAME"
else
  rm -rf dist
  node_modules/.bin/tsc
  set -- --check "$@"
fi
exec sh scripts/with-database.sh node dist/test/run.js "$@"
