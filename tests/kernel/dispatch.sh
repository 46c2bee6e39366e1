#!/usr/bin/env bash
# Each kernel is chosen on the processors that have it, and right there, and a benchmark names the emulator:
# `dispatch.sh QEMU TOOL TESTS MODEL=KERNEL..`.
set -euo pipefail

qemu=$1 tool=$2 tests=$3
# shellcheck disable=SC2206 # qemu and its options
emulator=($qemu)
command -v "${emulator[0]}" >/dev/null || { echo "${emulator[0]} is not installed: install qemu-user"; exit 77; }
text=$(mktemp)
trap 'rm "$text"' EXIT
seq -f 'line %.0f of a text with words' 20000 >"$text"
expected=$(wc <"$text" | awk '{ print $1, $2, $3 }')
fail() { echo "$*" >&2; exit 1; }

for pair in "${@:4}"; do
  model=${pair%=*}
  on_model() { "${emulator[@]}" -cpu "$model" "$@"; }
  listed=$(on_model "$tool" methods | sed -n '/^SIMD kernels/,$p' | tail -n +2)
  active=$(awk '$2 == "active" { print $1 }' <<<"$listed")
  [[ $active == "${pair#*=}" ]] || fail "$model: the kernel is $active, not ${pair#*=}"
  while read -r kernel _; do
    found=$(RIFFLE_KERNEL=$kernel on_model "$tool" wc <"$text" | awk '{ print $1, $2, $3 }')
    [[ $found == "$expected" ]] || fail "$model, $kernel: $found, not $expected"
  done <<<"$listed"
  for kernel in avx512 avx2 sse4 ssse3 neon; do
    if grep -q "^ *$kernel " <<<"$listed"; then continue; fi
    status=0
    said=$(RIFFLE_KERNEL=$kernel on_model "$tool" wc "$text" 2>&1) || status=$?
    [[ $status == 1 && $said == *"'$kernel'"* ]] || fail "$model, $kernel, which it lacks: status $status: $said"
  done
  # All tests of each kernel run without an emulator. It shows that a kernel takes no instruction that its model lacks: these
  # call all of the kernel, with short texts and with those that it reads in four places at once.
  which="kernels/*.answers_the_same_at_every_size/$active"
  [[ $active == scalar ]] || which+=":kernels/*.counts_each_byte_once_where_four_places_meet/$active:sum.*:summer.*:utf8*.*"
  on_model "$tests" --gtest_brief=1 --gtest_filter="$which" || fail "$model: the tests of the kernels fail"
done

# No speed of an emulator counts, so a report names it.
report=$("${emulator[@]}" "$tool" bench --size 64K --task primes --contender riffle/read --rounds 1 --time 0.1)
[[ $report == *"(${emulator[0]})"* ]] || fail "the report does not name ${emulator[0]}: $report"
