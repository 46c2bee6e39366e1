#!/usr/bin/env bash
# Compiles each public header alone by g++, and all together by each compiler and standard that users are promised and this
# machine has.
# usage: headers.sh INCLUDE_DIR
set -uo pipefail
include=$1
headers=("$include"/riffle/*.hpp "$include"/riffle/detail/*.hpp)
options=(-fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Werror -I "$include" -x c++)

failed=0
printf '%s\n' "${headers[@]}" | xargs -P "$(nproc)" -I HEADER g++ -std=c++20 "${options[@]}" -include HEADER /dev/null || failed=1
for compiler in g++ clang++-16 clang++-19; do
  command -v "$compiler" >/dev/null || { echo "headers: skipped $compiler: not installed"; continue; }
  for standard in 20 2b; do
    "$compiler" -std=c++$standard "${options[@]}" "${headers[@]/#/-include}" /dev/null || failed=1
  done
done
exit "$failed"
