#!/usr/bin/env bash
# Runs riffle.exe as a user of Windows does: names in UTF-8, CRLF, pipes, redirection, statuses.
# usage: tool.sh RIFFLE.EXE [EMULATOR]
set -uo pipefail
tool=$(realpath "$1")
run=("${@:2}" "$tool")
failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

riffle() { "${run[@]}" "$@" 2>errors; }

# is NAME EXPECTED FOUND
is() {
  [[ $2 == "$3" ]] && return
  printf 'failed: %s\n  expected: %q\n  found:    %q\n' "$1" "$2" "$3"
  sed 's/^/  error:    /' errors
  failed=$((failed + 1))
}

printf 'one two\r\nthree\r\n' >crlf.txt
printf 'h\xc3\xa9llo \xe4\xb8\xad\xe6\x96\x87\n' >utf8.txt
cp utf8.txt 'ü €.txt'
seq 1 2000000 >large.txt # 14.9 MB, which is read in several blocks and splits

is 'a CR is a byte of its line' ' 2  3 16 crlf.txt' "$(riffle wc crlf.txt)"
is 'the locale is UTF-8' ' 1  2  9 14 10 utf8.txt' "$(LC_ALL='' LC_CTYPE='' LANG='' riffle wc -lwmcL utf8.txt)"
is 'LC_ALL=C makes each byte a character' '14 utf8.txt' "$(LC_ALL=C riffle wc -m utf8.txt)"
is 'a name in Unicode' '1 ü €.txt' "$(LC_ALL=C.UTF-8 riffle wc -l 'ü €.txt')" # Wine takes names by the locale
is 'cat changes no byte' "$(md5sum <large.txt)" "$(riffle cat large.txt | md5sum)"
is 'cat keeps CRLF of a pipe' "$(md5sum <crlf.txt)" "$(riffle cat <crlf.txt | md5sum)"
is 'a redirected file' 2000000 "$(riffle wc -l <large.txt | tr -d ' ')"
is 'a pipe' 2000000 "$(cat large.txt | riffle wc -l)"
is 'several files' ' 2000002  2000003 14888912 total' "$(riffle wc crlf.txt large.txt | tail -n 1)"
is 'bytes of a set' "$(tr -cd 78 <large.txt | wc -c)" "$(riffle count --any-of 78 large.txt)"
is 'values' 0 "$(head -c 8000 /dev/zero >zeros && riffle sum --type u64 zeros >sum; echo $?)"
for method in read stdio iostream mmap direct; do
  is "--method $method" '2000000 large.txt' "$(riffle wc -l --method $method large.txt)"
  is "--method $method by threads" '2000000 large.txt' "$(riffle wc -l --method $method --threads 3 large.txt)"
done
for kernel in scalar ssse3 sse4 avx2; do
  is "RIFFLE_KERNEL=$kernel" '2000000 large.txt' "$(RIFFLE_KERNEL=$kernel riffle wc -l large.txt)"
done
is 'the reason of a method that is not there' 1 "$(riffle wc --method uring large.txt >out; grep -c IoRing errors)"
is 'what advise says' 1 "$(riffle advise large.txt | grep -c '^  method  *read$')"
is 'what methods lists' 6 "$(riffle methods | grep -cE '^  (read|stdio|iostream|mmap|uring|direct) ')"
is 'the status of a file that is missing' 1 "$(riffle wc missing >out; echo $?)"
is 'the message of it' "riffle: cannot open 'missing': No such file or directory" "$(cat errors)"
is 'the status of a wrong command line' 2 "$(riffle bogus >out; echo $?)"
is 'the name wc' '2 crlf.txt' "$(cp "$tool" wc.exe && "${run[@]:0:${#run[@]}-1}" ./wc.exe -l crlf.txt)"
[[ $failed == 0 ]] && echo "riffle.exe: all as expected"
exit "$((failed != 0))"
