#!/usr/bin/env bash
# The runner of cases passes what is right, and fails at what is wrong: `cases_test.sh RIFFLE`.
set -uo pipefail

export riffle=$1 riffle_grace=1
runner=$(dirname "${BASH_SOURCE[0]}")/cases.pl failed=0
folder=$(mktemp -d)
trap '' PIPE  # the runner does not pass it on
trap 'rm -rf "$folder"' EXIT

# expect STATUS TEXT WORDS: the exit status of the runner for a file with this text, and words that it prints.
expect() {
  local said status
  printf "$2" >"$folder/x.rows"
  said=$("$runner" "$folder/x.rows" 2>&1) && status=0 || status=$?
  [[ $status == "$1" && $said == *"$3"* ]] && return
  printf 'failed: expected status %s and "%s", not %s and:\n%s\nfor\n%s\n' "$1" "$3" "$status" "$said" "$(<"$folder/x.rows")"
  failed=1
}

expect 0 '== a\n$ echo x\n  x\n' '1 cases, 0 failed'
expect 0 '== a\n$ echo x  #> x\n$ printf "x\\n\\ny"  #> x↵↵y (no newline at the end)\n' '0 failed'
expect 0 '== a\n$ printf "x\\n\\ny\\n"\n  x\n\n  y\n\n== b\n$ true\n' '2 cases'
expect 0 '== a\nfile x\n  1\n  2 (no newline at the end)\n$ cat x  #> 1↵2 (no newline at the end)\n' '0 failed'
expect 0 '== a\n$ seq 5\n  1\n  ...\n  [0-9] (regex)\n$ printf "\\xff\\t\\n"  #> \\xFF\\t (escaped)\n' '0 failed'
expect 0 'first x=1\n== a\nform y=2\nform y=2;\n$ echo $x$y\n> exit 3\n  12\n3!\n' '0 failed'
expect 0 '== a\nonce echo >>../made; echo 1 >x\nfirst cat ../made\neach 1 | 2\n$ cat x; echo {} >>x\n\n  1\n' '0 failed'
expect 2 '== a\nonce echo no; false\n$ true\n' "'once' ended with status 1"
expect 0 '== a\neach 1 |\n  2\n$ seq {}; echo no {} >&2; exit 1\n  1\n  ...\n1! no {}\n' '0 failed'
expect 0 '== a\n$ yes | head -n 1  #> y\n141!\n' '0 failed'
expect 77 '== a\nneeds no-such-command\n$ false\n' 'no-such-command is not here'
expect 77 '== a\nneeds false  # it is false\n$ false\n' 'it is false'
expect 77 '== a\n$ echo riffle was built without zlib >&2; false\n' 'Skipped'
expect 1 '== a\n$ echo x  #> y\n' 'x.rows:2: the case expects'
expect 0 '== a\n$ echo  #>\n$ echo >&2  #!\n$ printf "a\\n\\n"  #> a↵\n' '0 failed'
expect 1 '== a\n$ echo x\n' '1 failed'
expect 1 '== a\n$ true  #>\n' '1 failed'
expect 1 '== a\n$ true  #!\n' '1 failed'
expect 1 '== a\n$ true  #> x\n' '1 failed'
expect 1 '== a\n$ printf x  #> x\n' '1 failed'
expect 1 '== a\n$ echo x  #> x (no newline at the end)\n' '1 failed'
expect 1 '== a\n$ echo x >&2\n' '1 failed'
expect 1 '== a\n$ true  #! x\n' '1 failed'
expect 1 '== a\n$ echo x >&2  #! y\n' '1 failed'
expect 1 '== a\n$ exit 1\n' '1 failed'
expect 1 '== a\n$ exit 1  #2!\n' '1 failed'
expect 1 '== a\n$ true  #1!\n' '1 failed'
expect 1 '== a\nform x=1\nform x=2\n$ echo $x  #> 1\n' 'form x=2'
expect 1 '== a\neach 1 | 2\n$ echo {}  #> 1\n' '1 failed'
expect 1 '== a\n$ (sleep 20 >&- 2>&- &)\n' 'leaves processes behind'
expect 2 '== a\n$ true  #> \\q (escaped)\n' 'no such escape'
expect 2 '' 'there is no case'
expect 2 '== a\n' 'has no command'
expect 2 '== a\n== b\n$ true\n' "the case 'a' has no command"
expect 2 '== a\n$ true\n== a\n$ true\n' "there are two cases 'a'"
expect 2 '$ true\n' 'a command needs a title'
expect 2 '== a\nrun x\n$ true\n' 'neither a title'
expect 2 '== a\n$ true\nx\n' 'neither a title'
expect 2 '== a\n  x\n$ true\n' 'belongs to nothing'
expect 2 '== a\n$ true\n# x\n  x\n' 'belongs to nothing'
expect 2 '== a\n1! x\n$ true\n' 'no command stands before'
expect 2 '== a\n> x\n$ true\n' 'no command stands before'
expect 2 '== a\n$ true\n1! x\n1! y\n' 'before the first error'
expect 2 '== a\n$ true\nfirst x=1\n' 'stands before the commands'
expect 2 '== a\nfile x\n$ true\n' 'the file x has no lines'
expect 2 '== a\neach 1 | 2\n$ true\n' "no command has the '{}'"

printf '# x\n== a\n$ echo x\n  y\n\n$ echo z >&2; exit 1  #> x\n== b\n$ seq 6  #> 6\n' >"$folder/x.rows"
"$runner" --update "$folder/x.rows" >"$folder/said"
expected=$'# x\n== a\n$ echo x  #> x\n\n$ echo z >&2; exit 1  #1! z\n== b\n$ seq 6\n  1\n  2\n  3\n  4\n  5\n  6'
[[ $(<"$folder/x.rows") == "$expected" ]] || { echo "--update wrote"; cat "$folder/x.rows"; failed=1; }
"$runner" "$folder/x.rows" >"$folder/said" || { cat "$folder/said"; failed=1; }
"$runner" "$folder/x.rows" b | grep -q '1 cases' && ! "$runner" "$folder/x.rows" c 2>&1 | grep -qv "no case 'c'" || failed=1
exit "$failed"
