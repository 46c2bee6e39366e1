#!/usr/bin/env bash
# Every test that docs/reliability.md names exists: `reliability.sh PAGE PROGRAM`, which has the tests beside the cases of the tool and
# those of its terminal.
set -euo pipefail

page=$1 missing=0
tests=$("$2" --gtest_list_tests | awk '/^[^ ]/ { suite = $1 } /^ / { print suite $1 }'
  cd "$(dirname "${BASH_SOURCE[0]}")/../cli" && grep -r '^== ' --include='*.rows' | sed 's|^.*/||; s/[.]rows:== /./; s/ /_/g'
  sed -n 's/^    def \(test_.*\)(self):$/terminal.\1/p' progress/terminal.py)
mapfile -t named < <(perl -0777 -ne 'print "$_\n" for map { /^- \*\*.*\((`[^()]+`)\)$/s ? $1 : () } split /\n(?=- |\n)/' "$page" |
  grep -o '`[^`]*`' | tr -d '`')
[[ ${#named[@]} -ge 30 ]] || { echo "only ${#named[@]} tests found in $page" >&2; exit 1; }
for name in "${named[@]}"; do
  pattern=$(sed 's/[.]/[.]/g; s/[*]/.*/g' <<<"$name")
  grep -qE "(^|/)$pattern(/|\$)" <<<"$tests" || { echo "$page names a test that does not exist: $name" >&2; missing=1; }
done
exit "$missing"
