#!/usr/bin/env bash
# Compiles a file in C++17 and one in C++20 into one program, and lets both read.
# usage: cpp17.sh INCLUDE WORK CXX FLAGS LIBRARIES [EMULATOR]
set -uo pipefail
include=$1 work=$2 cxx=$3 libraries=$5
sources=$(dirname "$0")/cpp17
read -ra flags <<<"$4"
mkdir -p "$work"
seq 1 3000 | paste -d ' ' - - - >"$work/file"
printf 'no newline' >>"$work/file"

# shellcheck disable=SC2086
compile() { "$cxx" "$@" "${flags[@]}" -Wall -Wextra -Wpedantic -Werror -I "$include" -I "$sources/../../.."; }
compile -std=c++17 -c "$sources/part17.cpp" -o "$work/part17.o" || exit 1
compile -std=c++20 -c "$sources/main20.cpp" -o "$work/main20.o" || exit 1
# shellcheck disable=SC2086
"$cxx" "${flags[@]}" "$work/part17.o" "$work/main20.o" $libraries -pthread -o "$work/both" || exit 1
# shellcheck disable=SC2086
$6 "$work/both" "$work/file"
