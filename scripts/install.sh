#!/bin/sh
# Installs what is missing: npm packages if the lock file changed, and Debian's database server if there is neither
# DATABASE_URL nor a server. Quick if nothing is missing. Never starts or changes a system service.
set -eu
cd "$(dirname "$0")/.."

fail() {
  echo "forecourt: $*" >&2
  exit 1
}

# Debian 13 has packages that are new enough; those of Debian 12 are too old.
where="see \"Node.js\" in docs/operations.md"
command -v node >/dev/null || fail "Node.js 20.19 or newer is needed: $where"
node -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
  fail "Node.js 20.19 or newer is needed, this is $(node --version): $where"
command -v npm >/dev/null || fail "npm is needed: $where"

if ! cmp -s package-lock.json node_modules/.forecourt-lock 2>/dev/null; then
  echo "forecourt: installing npm packages (up to a minute)" >&2
  npm ci --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >&2
  cp package-lock.json node_modules/.forecourt-lock
fi

# Installs Debian packages: install_debian WHAT PACKAGE...
install_debian() {
  what=$1
  shift
  command -v apt-get >/dev/null || fail "$what is needed; install it (Debian's packages: $*)"
  [ "$(id -u)" = 0 ] || fail "$what is needed; as root: apt-get install --no-install-recommends $*"
  echo "forecourt: installing $what ($*)" >&2
  export DEBIAN_FRONTEND=noninteractive
  apt-get install -y -qq --no-install-recommends "$@" >/dev/null 2>&1 ||
    { apt-get update -qq >/dev/null && apt-get install -y -qq --no-install-recommends "$@" >/dev/null; } ||
    fail "$what could not be installed"
}

# The same for packages that bring system services: new ones are neither started nor enabled.
install_without_services() {
  policy=/usr/sbin/policy-rc.d
  if [ "$(id -u)" = 0 ] && [ ! -e "$policy" ]; then
    trap 'rm -f "$policy"' EXIT
    printf '#!/bin/sh\nexit 101\n' >"$policy"
    chmod +x "$policy"
  fi
  new=
  for service in mariadb haproxy rsync; do
    [ -e "/lib/systemd/system/$service.service" ] || new="$new $service"
  done
  install_debian "$@"
  [ -z "$new" ] || [ ! -d /run/systemd/system ] || systemctl disable --quiet $new || true
}

has_cluster() {
  [ -e /usr/lib/galera/libgalera_smm.so ] && command -v wsrep_sst_rsync >/dev/null &&
    command -v rsync >/dev/null && PATH="$PATH:/usr/sbin" command -v haproxy >/dev/null
}

has_server() {
  PATH="$PATH:/usr/sbin:/usr/local/sbin:/usr/libexec" command -v mariadbd >/dev/null ||
    PATH="$PATH:/usr/sbin:/usr/local/sbin:/usr/libexec" command -v mysqld >/dev/null
}

has_browser() {
  command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null
}

if [ -z "${DATABASE_URL:-}" ] && ! has_server; then
  # These packages install no system service: Forecourt starts the server in its own folder.
  install_debian "a database server" mariadb-server-core mariadb-client-core
fi

for need in ${FORECOURT_NEEDS:-}; do
  case $need in
    unzip) command -v unzip >/dev/null || install_debian "unzip" unzip ;;
    python3) python3 -c 'import zipfile' 2>/dev/null || install_debian "python3" python3 ;;
    chromium) has_browser || install_debian "chromium" chromium ;;
    mysqldump) command -v mysqldump >/dev/null || install_debian "mysqldump" mariadb-client ;;
    curl) command -v curl >/dev/null || install_debian "curl" curl ca-certificates ;;
    openssl) command -v openssl >/dev/null || install_debian "openssl" openssl ;;
    sqlite3) command -v sqlite3 >/dev/null || install_debian "sqlite3" sqlite3 ;;
    miller) command -v mlr >/dev/null || install_debian "miller" miller ;;
    hledger) command -v hledger >/dev/null || install_debian "hledger" hledger ;;
    faketime) command -v faketime >/dev/null || install_debian "faketime" faketime ;;
    zip) command -v zip >/dev/null || install_debian "zip" zip ;;
    cluster) has_cluster || install_without_services "Galera with a proxy" galera-4 mariadb-server rsync haproxy ;;
    pdftoppm) command -v pdftoppm >/dev/null || install_debian "pdftoppm" poppler-utils ;;
  esac
done
