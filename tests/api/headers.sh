#!/usr/bin/env bash
# Compiles each public header alone by g++, and all together by each compiler and standard that users are promised and this
# machine has.
# usage: headers.sh INCLUDE_DIR
set -uo pipefail
include=$1
headers=("$include"/riffle/*.hpp "$include"/riffle/detail/*.hpp)
door=$include/riffle/riffle17.hpp  # for C++17
options=(-fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast -Werror -I "$include" -x c++)

failed=0
printf '%s\n' "${headers[@]}" | xargs -P "$(nproc)" -I HEADER g++ -std=c++20 "${options[@]}" -include HEADER /dev/null || failed=1
for compiler in g++ clang++-14 clang++-16 clang++-19; do
  command -v "$compiler" >/dev/null || { echo "headers: skipped $compiler: not installed"; continue; }
  for standard in 20 2b; do
    "$compiler" -std=c++$standard "${options[@]}" "${headers[@]/#/-include}" /dev/null || failed=1
  done
done

# What these include decides how long a program takes to compile: with <filesystem> and <memory>, twice as long.
for header in lines words; do
  heavy=$(g++ -std=c++20 -M -I "$include" -x c++ -include "$include/riffle/$header.hpp" /dev/null | tr ' ' '\n' |
    grep -E '/(filesystem|memory|ranges|functional|algorithm|chrono)$')
  [[ -z $heavy ]] || { echo "headers: $header.hpp includes"$'\n'"$heavy"; failed=1; }
done

# g++ reads C++17 unless told otherwise: one error says so, and a second one stops it.
for header in "$include"/riffle/*.hpp; do
  [[ $header == "$door" ]] && continue
  errors=$(g++ -std=c++17 -fsyntax-only -I "$include" -x c++ -include "$header" /dev/null 2>&1 | grep ' error: ')
  [[ $errors == *'compile with -std=c++20'*riffle/riffle17.hpp*see_the_error_above* && $(wc -l <<< "$errors") == 2 ]] ||
    { echo "headers: $header does not say first that it needs C++20:"$'\n'"$errors"; failed=1; }
done
for compiler in g++ clang++-14 clang++-19; do
  command -v "$compiler" >/dev/null || continue
  "$compiler" -std=c++17 "${options[@]}" -include "$door" /dev/null || failed=1
done
errors=$(g++ -std=c++14 -fsyntax-only -I "$include" -x c++ -include "$door" /dev/null 2>&1 | grep ' error: ' | head -n 1)
[[ $errors == *'compile with -std=c++17'* ]] || { echo "headers: $door does not say that it needs C++17: $errors"; failed=1; }
exit "$failed"
