#!/bin/sh
# Writes the packages of the last commit: a tarball that runs with Node.js alone, and a .deb if dpkg-deb is there. The
# same commit gives the same bytes: entries are sorted, owned by root and dated like the commit.
# Usage: sh scripts/package.sh [FOLDER]
set -eu
cd "$(dirname "$0")/.."
out=$(mkdir -p "${1:-package}" && cd "${1:-package}" && pwd)
export LC_ALL=C TZ=UTC

fail() {
  echo "forecourt: $*" >&2
  exit 1
}
say() { echo "forecourt: $*" >&2; }

SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null) || fail "make package needs a git checkout: it packs the last commit"
export SOURCE_DATE_EPOCH
[ -z "$(git status --porcelain)" ] || say "changes that are not committed are not in the package"
version=$(git show HEAD:package.json | sed -n 's/^  "version": "\(.*\)",$/\1/p')
# Such as linux-x64; the prebuilt parts of some packages fit this platform only.
platform=$(node -p '`${process.platform}-${process.arch}${process.report.getReport().header.glibcVersionRuntime ? "" : "-musl"}`')
name=forecourt-$version-$platform
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

say "compiling"
mkdir "$work/source" "$work/npm"
git archive HEAD | tar -x -C "$work/source"
ln -s "$PWD/node_modules" "$work/source/node_modules"
# With the checkout's settings: a database keeps digests of compiled migrations.
node_modules/.bin/tsc -p "$work/source" --outDir "$work/compiled" --incremental false

say "installing npm packages without those of development"
cp "$work/source/package.json" "$work/source/package-lock.json" "$work/npm/"
npm ci --prefix "$work/npm" --omit=dev --ignore-scripts --no-audit --no-fund --no-update-notifier --loglevel=error >&2

root=$work/$name
mkdir -p "$root/dist"
for part in src workers migrations package.json; do mv "$work/compiled/$part" "$root/dist/"; done
mv "$work/npm/node_modules" "$root/"
mv "$work/source/deploy/debian" "$work/"
for part in bin deploy docs package.json README.md CHANGELOG.md LICENSE; do mv "$work/source/$part" "$root/"; done
# Maps and types are for developers. The rest names the machine that packed it.
find "$root" -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete
rm -rf "$root/node_modules/.bin" "$root/node_modules/.package-lock.json"
find "$root" -type d -empty -delete

# settle FOLDER: modes and times that hang on the commit alone.
settle() {
  chmod -R u=rwX,go=rX "$1"
  find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}
# Packages of npm have executable files that nobody runs.
find "$root" -type f -exec chmod 644 {} +
chmod 755 "$root/bin/forecourt" "$root/deploy/forecourt"
settle "$root"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --format=gnu -cf - "$name" | gzip -n -9 >"$out/$name.tar.gz"
say "written: $out/$name.tar.gz"

# The .deb brings no Node.js: it depends on the one of the system, which gets its corrections from there. On Debian 12
# this means a foreign source of packages.
if command -v dpkg-deb >/dev/null; then
  architecture=$(dpkg --print-architecture)
  tree=$work/deb
  mkdir -p "$tree/DEBIAN" "$tree/usr/lib/forecourt" "$tree/usr/lib/systemd/system" "$tree/usr/bin" "$tree/etc/forecourt" \
    "$tree/etc/logrotate.d" "$tree/usr/share/doc/forecourt"
  # The files of deploy/ name the folder of a tarball.
  placed() { sed 's#/opt/forecourt#/usr/lib/forecourt/current#g' "$1"; }
  for unit in "$root"/deploy/*.service; do placed "$unit" >"$tree/usr/lib/systemd/system/${unit##*/}"; done
  placed "$root/deploy/forecourt" >"$tree/usr/bin/forecourt"
  cp "$root/deploy/forecourt.env.example" "$tree/etc/forecourt/forecourt.env"
  cp "$root/deploy/logrotate" "$tree/etc/logrotate.d/forecourt"
  cp "$root/LICENSE" "$tree/usr/share/doc/forecourt/copyright"
  mv "$root" "$tree/usr/lib/forecourt/package"
  cp "$work/debian"/* "$tree/DEBIAN/"
  (cd "$tree" && find . -type f ! -path './DEBIAN/*' | sort | cut -c3- | xargs -d '\n' md5sum) >"$tree/DEBIAN/md5sums"
  size=$(find "$tree" -type f ! -path '*/DEBIAN/*' -printf '%s\n' | awk '{ kib += int(($1 + 1023) / 1024) } END { print kib }')
  sed -i -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@SIZE@/$size/" "$tree/DEBIAN/control"
  settle "$tree"
  chmod 755 "$tree/usr/bin/forecourt" "$tree/DEBIAN/postinst" "$tree/DEBIAN/prerm" "$tree/DEBIAN/postrm"
  # One thread: the number of threads changes the bytes.
  DPKG_DEB_THREADS_MAX=1 dpkg-deb --root-owner-group -Zxz --build "$tree" "$out/forecourt_${version}_$architecture.deb" >/dev/null
  say "written: $out/forecourt_${version}_$architecture.deb"
fi
