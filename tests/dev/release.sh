#!/usr/bin/env bash
# ./dev release works from the tag of the version alone, without changes, and writes the checksums of what was made.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
command -v git >/dev/null || { echo "skipped: no git"; exit 77; }

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
mkdir -p "$work"/{packaging,include/riffle}
cp dev "$work"
cp packaging/release packaging/release.sh "$work/packaging"
cp include/riffle/version.hpp "$work/include/riffle"
printf '#!/bin/sh\nmkdir -p build/package\necho made >build/package/made\necho build/package/made >build/package/files\n' >"$work/packaging/all"
chmod +x "$work/packaging/all"
cd "$work"
git init -q .
echo /build/ >.gitignore
commit() { git add . && git -c user.name=test -c user.email=test@invalid -c commit.gpgsign=false commit -q --allow-empty -m "$1"; }
commit first
. packaging/release.sh

# refuses PATTERN: it fails, says so, and makes nothing.
refuses() {
  if said=$(./dev release 2>&1); then echo "released: $1" >&2; exit 1; fi
  grep -q "$1" <<<"$said" || { echo "no '$1' in: $said" >&2; exit 1; }
  [[ ! -e build/package ]] || { echo "made packages: $1" >&2; exit 1; }
}
refuses "no tag names HEAD; git tag v$version"
git tag v99.0.0
refuses "the tag is v99.0.0, but include/riffle/version.hpp says $version"
git tag -d v99.0.0 >/dev/null
git tag "v$version"
echo >>packaging/release.sh
refuses "there are changes; commit them or take them back: M packaging/release.sh"
git checkout -q packaging/release.sh
echo >new
refuses "new"
rm new
./dev release >/dev/null
(cd build/release-files && sha256sum --quiet -c SHA256SUMS)
[[ $(cat build/release-files/made) == made ]]
