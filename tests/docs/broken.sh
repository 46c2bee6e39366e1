#!/bin/sh
# The test of the snippets finds each kind of fault, in a page that has them all. Arguments: as snippets.pl.
said=$(perl "$(dirname "$0")/snippets.pl" "$@") && { echo "the broken page passed: $said"; exit 1; }
echo "$said"
for line in 3 12 17 19 22 26 31 36 39 50; do
  echo "$said" | grep -q "^broken.md:$line: " || { echo "the fault in line $line was not found"; exit 1; }
done
count=$(echo "$said" | grep -c '^broken.md:[0-9]*: [^ ]')
[ "$count" = 10 ] || { echo "$count faults were found instead of 10"; exit 1; }
