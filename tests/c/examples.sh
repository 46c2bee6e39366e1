#!/usr/bin/env bash
# Compiles examples/c as C99, Rust and Go, and compares what the programs print with what tools print.
# usage: examples.sh SOURCES WORK LIBRARIES CXX
set -uo pipefail
sources=$1 work=$2 libraries=$3 cxx=$4
command -v gcc >/dev/null || { echo "skipped: no gcc"; exit 77; }
[[ $(gcc -dumpmachine) == "$($cxx -dumpmachine)" ]] || { echo "skipped: gcc compiles for another machine"; exit 77; }
rm -rf "$work" && mkdir -p "$work" && cd "$work" || exit 1
failed=0
for program in lines rows parallel_count; do
  # shellcheck disable=SC2086
  gcc -std=c99 -Wall -Wextra -pedantic -Werror -O2 -I "$sources/include" -c "$sources/examples/c/$program.c" &&
    $cxx $program.o $libraries -pthread -o $program || exit 1
done
seq 1 7 2000000 >numbers
printf 'item,"the ""price"""\n"a,b",1.5\nc,"2"\n' >prices.csv

# expect WORDS COMMAND..
expect() {
  local said
  said=$("${@:2}" 2>&1)
  [[ $said == "$1" ]] || { echo "${*:2} printed '$said' instead of '$1'"; failed=1; }
}
expect "$(wc -l <numbers) lines, the longest of 7 bytes" ./lines numbers
expect "lines: cannot open 'missing': No such file or directory" ./lines missing
expect 3.5 ./rows prices.csv 'the "price"'
expect "rows: cannot read 'prices.csv': no column 'x'; the columns are 'item', 'the \"price\"'" ./rows prices.csv x
expect "$(grep -c '^12' numbers)" ./parallel_count numbers 12

# counts COMMAND..: counts as the program of examples/c in another language does.
counts() {
  expect "$(grep -c 77 numbers)" "$@" numbers 77
  expect "count: cannot open 'missing': No such file or directory" "$@" missing 77
}
if [[ $cxx$libraries == *-fsanitize* ]]; then exit $failed; fi
if rustc --version >/dev/null 2>&1; then
  rustc -O "$sources/examples/c/count.rs" -C link-args="$libraries -lstdc++" -o count-rust && counts ./count-rust || failed=1
else
  echo "skipped: no rustc that runs"
fi
if go version >/dev/null 2>&1; then
  printf '%s\n' 'Name: riffle' 'Description: this build' 'Version: 0' "Cflags: -I$sources/include" \
    "Libs: $libraries -lstdc++" >riffle.pc
  PKG_CONFIG_PATH=$work go build -o count-go "$sources/examples/c/count.go" && counts ./count-go || failed=1
else
  echo "skipped: no go that runs"
fi
exit $failed
