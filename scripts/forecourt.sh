#!/bin/sh
# The command line from a checkout; builds first where nothing is built yet. Only its own words go to
# standard output.
set -eu
cd "$(dirname "$0")/.."
[ -f dist/src/cli/main.js ] || make -s build >&2
exec node dist/src/cli/main.js "$@"
