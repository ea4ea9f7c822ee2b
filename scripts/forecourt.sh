#!/bin/sh
# Runs the command line from a checkout, and builds first if nothing is built. Only the command prints to standard
# output.
set -eu
cd "$(dirname "$0")/.."
[ -f dist/src/cli/main.js ] || make -s build >&2
exec bin/forecourt "$@"
