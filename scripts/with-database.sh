#!/bin/sh
# Runs a command with the database server that DATABASE names: mariadb, which is the installed one, or one that
# scripts/database-server.sh unpacks. Usage: DATABASE=mysql sh scripts/with-database.sh COMMAND…
set -eu
DATABASE=${DATABASE:-mariadb}
if [ "$DATABASE" = mariadb ]; then
  DATABASE_URL='' sh "$(dirname "$0")/install.sh"
else
  programs=$(sh "$(dirname "$0")/database-server.sh" "$DATABASE")
  PATH=$programs:$PATH
fi
export PATH DATABASE DATABASE_SERVER="${DATABASE%%-*}"
exec "$@"
