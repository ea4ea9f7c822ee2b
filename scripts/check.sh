#!/bin/sh
# Checks types, lint, format, imports between the rooms, links of the documents, tables against fields, and the OpenAPI document: by itself, and
# against the documents of earlier releases. First: no file is in Git that .gitignore names.
set -eu
cd "$(dirname "$0")/.."
# Sources without Git have no such files.
ignored=$([ ! -e .git ] || git ls-files --cached --ignored --exclude-standard)
[ -z "$ignored" ] || { echo "Git ignores these files, but has them: $ignored" >&2; exit 1; }
node_modules/.bin/biome check --error-on-warnings
sh scripts/with-database.sh node_modules/.bin/mocha dist/test/architecture.test.js dist/test/docs.test.js dist/test/core/model/schema.test.js dist/test/api/breaking.test.js dist/test/api/lint.test.js --reporter dot
