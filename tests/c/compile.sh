#!/usr/bin/env bash
# Compiles a program in C against riffle.h, as C99 by gcc and clang and as C++17 without exceptions, and runs each.
# usage: compile.sh INCLUDE PROGRAM.c WORK FLAGS LIBRARIES CXX
set -uo pipefail
include=$1 program=$2 work=$3 libraries=$5 cxx=$6
# The warnings of FLAGS are those of C++; clang has sanitizers of its own.
read -ra flags < <(tr ' ' '\n' <<<"$4" | grep -- '^-f\|^-m\|^--sysroot' | tr '\n' ' ')
mkdir -p "$work"
failed=0
[[ $(gcc -dumpmachine) == "$($cxx -dumpmachine)" ]] || { echo "skipped: no gcc, or it compiles for another machine"; exit 77; }

# tries NAME COMPILER FLAG..
tries() {
  local name=$1
  shift
  command -v "$1" >/dev/null || { echo "skipped $1: not installed"; return; }
  # shellcheck disable=SC2086
  "$@" -Wall -Wextra -pedantic -Werror -I "$include" -c "$program" -o "$work/$name.o" &&
    $cxx "${flags[@]}" "$work/$name.o" $libraries -pthread -o "$work/$name" && timeout 300 "$work/$name" ||
    { echo "failed: $*"; failed=1; }
}
tries c gcc -std=c99 "${flags[@]}"
tries clang clang-19 -std=c99
tries cxx "$cxx" -x c++ -std=c++17 -fno-exceptions -fno-rtti "${flags[@]}"
exit "$failed"
