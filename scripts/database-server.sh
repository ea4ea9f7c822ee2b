#!/bin/sh
# Unpacks a database server for the tests and prints the folder of its programs. Nothing is installed: apt downloads the
# packages of another Debian suite with all their libraries, and each program starts by the C library that it came with.
# Usage: sh scripts/database-server.sh mysql|mariadb-11.8
set -eu
cd "$(dirname "$0")/.."

fail() {
  echo "forecourt: $*" >&2
  exit 1
}

case ${1-} in
  mysql) suite=sid version=9.7 packages="mysql-server-core mysql-client-core" ;;
  mariadb-11.8) suite=trixie version=11.8 packages="mariadb-server-core mariadb-client-core" ;;
  *) fail "DATABASE is mariadb, mysql or mariadb-11.8, not \"${1-}\"" ;;
esac
servers=$PWD/servers
if [ ! -e "$servers/$1" ]; then
  command -v apt-get >/dev/null || fail "a database server is unpacked from Debian's packages, which are not to be had here: put its programs into $servers/$1/bin"
  echo "forecourt: unpacking a database server ($packages of Debian $suite)" >&2
  mkdir -p "$servers"
  # Renamed at the end, so that a folder is always complete.
  dir=$(mktemp -d "$servers/part-XXXXXX")
  trap 'rm -rf "$dir"' EXIT
  apt=$dir/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$dir/root" "$dir/bin"
  : >"$apt/status"
  # The address that this machine's apt uses for Debian.
  mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep '/debian/\{0,1\}$' | head -n 1)
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] ${mirror:-http://deb.debian.org/debian} $suite main" >"$apt/sources.list"
  # An empty status file makes apt bring every library, the C library too.
  name=$1
  set -- -o "Dir::Etc::sourcelist=$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o "Dir::State::lists=$apt/lists" -o "Dir::Cache=$apt/cache" -o "Dir::State::status=$apt/status" \
    -o APT::Install-Recommends=false -o Debug::NoLocking=1 -o APT::Sandbox::User=root
  apt-get "$@" -qq update >&2 || fail "Debian's packages of $suite can't be had"
  apt-get "$@" -qq -y --download-only install $packages >&2 || fail "$packages can't be had"
  for package in "$apt"/cache/archives/*.deb; do dpkg -x "$package" "$dir/root"; done
  rm -rf "$apt"

  root=$servers/$name/root
  usr=$root/usr
  loader=$root/$(cd "$dir/root" && ls usr/lib*/ld-linux-*.so.? | head -n 1)
  libraries=$usr/lib/$(ls "$dir/root/usr/lib" | grep -- '-linux-gnu$' | head -n 1)
  # wrap PATH OPTION...: a script takes the place of the program, so that other scripts of the package find it there.
  wrap() {
    program=$1
    shift
    mv "$dir/root/usr/$program" "$dir/root/usr/$program.real"
    {
      printf '#!/bin/sh\nexec "%s" --library-path "%s" "%s" "$@"' "$loader" "$libraries" "$usr/$program.real"
      [ $# = 0 ] || printf ' "%s"' "$@"
      echo
    } >"$dir/root/usr/$program"
    chmod +x "$dir/root/usr/$program"
    ln -s "../root/usr/$program" "$dir/bin/"
  }
  share=$usr/share/${name%-*}
  set -- "--lc-messages-dir=$share" "--character-sets-dir=$share/charsets" "--plugin-dir=$usr/lib/mysql/plugin"
  case $name in
    mysql)
      wrap sbin/mysqld "$@"
      for client in mysql mysqldump; do wrap "bin/$client"; done
      ;;
    *)
      wrap sbin/mariadbd "$@"
      for client in mariadb my_print_defaults resolveip; do wrap "bin/$client"; done
      printf '#!/bin/sh\nexec "%s/bin/mariadb-install-db" "$@" --basedir="%s"\n' "$usr" "$usr" >"$dir/bin/mariadb-install-db"
      chmod +x "$dir/bin/mariadb-install-db"
      ;;
  esac
  mv "$dir" "$servers/$name"
  trap - EXIT
  set -- "$name"
fi
bin=$servers/$1/bin
found=$(for program in mariadbd mysqld; do [ ! -e "$bin/$program" ] || "$bin/$program" --no-defaults --version; done)
echo "forecourt: $found" >&2
case $found in
  *" Ver $version."*) ;;
  *) echo "forecourt: README promises version $version, and Debian $suite has another one now" >&2 ;;
esac
echo "$bin"
