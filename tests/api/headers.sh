#!/bin/sh
# Compiles each public header alone, by every compiler and standard that users are promised and this machine has.
# usage: headers.sh INCLUDE_DIR [COMPILER...]     default: g++ clang++-16 clang++-19
set -u
include=$1
shift
[ $# -gt 0 ] || set -- g++ clang++-16 clang++-19

warnings="-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Werror"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for compiler; do
  command -v "$compiler" >/dev/null || { echo "headers: skipped $compiler: not installed"; continue; }
  for standard in 20 2b; do
    for header in "$include"/riffle/*.hpp "$include"/riffle/detail/*.hpp; do
      echo "$compiler" -x c++ -std=c++$standard $warnings -fsyntax-only -I "$include" -include "$header" /dev/null
    done
  done
done >"$work/all"
grep '^headers:' "$work/all"
grep -v '^headers:' "$work/all" >"$work/commands"
xargs -P "$(nproc)" -I COMMAND sh -c 'COMMAND 2>&1 || echo "headers: fails: COMMAND"' <"$work/commands" >"$work/output"
cat "$work/output"
[ ! -s "$work/output" ]
