#!/bin/sh
# Checks types, lint, format, imports between the rooms, links of the documents, tables against fields, and the OpenAPI document: by itself, and
# against the documents of earlier releases.
set -eu
cd "$(dirname "$0")/.."
node_modules/.bin/biome check --error-on-warnings
sh scripts/with-database.sh node_modules/.bin/mocha dist/test/architecture.test.js dist/test/docs.test.js dist/test/model/schema.test.js dist/test/api/breaking.test.js --reporter dot
description=$(mktemp -d)
trap 'rm -rf "$description"' EXIT
node dist/src/cli/main.js openapi >"$description/openapi.json"
# A warning fails like an error.
report=$(REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true \
  node_modules/.bin/redocly lint --format=json "$description/openapi.json" 2>/dev/null) || true
echo "$report" | node -e '
  const { totals, problems } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  for (const { ruleId, message, location } of problems) console.error(`openapi: ${ruleId}: ${message} at ${location[0]?.pointer}`);
  process.exit(totals.errors + totals.warnings > 0 ? 1 : 0);'
