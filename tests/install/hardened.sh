#!/usr/bin/env bash
# The tool was built with what RIFFLE_HARDEN promises: `hardened.sh TOOL`.
set -euo pipefail

tool=$1
facts=$(readelf --file-header --program-headers --dynamic --symbols --wide "$tool")

# expect WHAT PATTERN
expect() { grep -qE "$2" <<<"$facts" || { echo "not hardened: $1" >&2; exit 1; }; }

expect "read-only relocations" 'GNU_RELRO'
expect "a stack that holds no code" 'GNU_STACK .* RW '
expect "a stack protector" '__stack_chk_fail'
expect "checked functions of the C library" '__[a-z]+_chk'
if grep -q INTERP <<<"$facts"; then
  expect "a position-independent program" 'Type: +DYN'
  expect "functions bound at the start" 'FLAGS.*NOW'
else
  expect "a static program at a fixed address, as SECURITY.md says" 'Type: +EXEC'
fi
echo "hardened"
