#!/usr/bin/env bash
# ./dev installs packages for root and for `./dev setup` alone; anyone else is told which are missing.
# The commands that would change the machine are replaced by ones that write down how they were called.
set -euo pipefail

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
calls=$work/calls
dev=$(dirname "${BASH_SOURCE[0]}")/../../dev

# stub NAME SCRIPT: a command of this name that runs the script.
stub() {
  printf '#!/bin/sh\n%s\n' "$2" >"$work/$1"
  chmod +x "$work/$1"
}
stub apt-get 'echo "apt-get $*" >>"$calls"'
stub sudo 'echo "sudo $*" >>"$calls"'
stub cmake 'echo "cmake $*" >>"$calls"'
# Not installed are these, and apt has no zsh.
stub dpkg-query 'for last; do case $last in -*|libhwy-dev|clang-tidy-19|zsh) ;; *) echo "installed $last" ;; esac; done'
stub apt-cache 'for last; do case $last in -*|show|zsh) ;; *) echo "Package: $last" ;; esac; done'

# run USER ARGUMENTS: ./dev as the user of that number; leaves $status, $said and the calls.
run() {
  : >"$calls"
  stub id "echo $1"
  status=0
  said=$(calls=$calls PATH=$work:$PATH "$dev" "${@:2}" 2>&1) || status=$?
}
expect() { "$@" || { echo "failed: $*; status $status; said: $said; calls: $(cat "$calls")" >&2; exit 1; }; }

# Whoever is no root is told what this command needs, and no more.
run 1000 build
expect test "$status" -ne 0
expect grep -qx 'dev: not installed: libhwy-dev' <<<"$said"
expect grep -qx 'dev: run as root: apt-get install --no-install-recommends libhwy-dev' <<<"$said"
expect test ! -s "$calls"

run 1000 setup
expect test "$status" -eq 0
expect grep -qx 'sudo apt-get .*DPkg::Lock::Timeout=300 update.*' "$calls"
expect grep -qx 'sudo env .*DPkg::Lock::Timeout=300 install .* clang-tidy-19 libhwy-dev' "$calls"
expect grep -q 'apt has no package zsh here' <<<"$said"

run 0 build
expect test "$status" -eq 0
expect grep -qx 'apt-get .* install .* libhwy-dev' "$calls"
expect grep -q '^cmake --build --preset release' "$calls"
expect test "$(grep -c sudo "$calls")" -eq 0

# A package that apt has not stops nobody, but one that the build needs does.
stub dpkg-query 'for last; do case $last in -*|zsh) ;; *) echo "installed $last" ;; esac; done'
stub ctest 'echo "ctest $*" >>"$calls"'
for user in 0 1000; do
  run "$user" test
  expect test "$status" -eq 0
  expect grep -q 'apt has no package zsh here: what needs it is skipped' <<<"$said"
  expect test "$(grep -c ' install ' "$calls")" -eq 0
  expect grep -q '^ctest --preset dev' "$calls"
done
stub dpkg-query 'for last; do case $last in -*|libhwy-dev) ;; *) echo "installed $last" ;; esac; done'
stub apt-cache 'echo "E: No packages found" >&2; exit 100'
stub apt-get 'echo "apt-get $*" >>"$calls"; case $* in *install*) exit 100 ;; esac'
run 0 build
expect test "$status" -ne 0
expect grep -q 'dev: could not install libhwy-dev ' <<<"$said"
