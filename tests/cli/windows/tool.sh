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
for method in read stdio iostream mmap; do
  is "--method $method" '2000000 large.txt' "$(riffle wc -l --method $method large.txt)"
  is "--method $method by threads" '2000000 large.txt' "$(riffle wc -l --method $method --threads 3 large.txt)"
done
for kernel in scalar ssse3 sse4 avx2; do
  is "RIFFLE_KERNEL=$kernel" '2000000 large.txt' "$(RIFFLE_KERNEL=$kernel riffle wc -l large.txt)"
done
is 'the reason of a method that is not there' 1 "$(riffle wc --method direct large.txt >out; grep -c 'page cache of Windows' errors)"
is 'what advise says' 1 "$(riffle advise large.txt | grep -c '^  method  *read$')"
is 'what methods lists' 6 "$(riffle methods | grep -cE '^  (read|stdio|iostream|mmap|uring|direct) ')"
is 'the status of a file that is missing' 1 "$(riffle wc missing >out; echo $?)"
is 'the message of it' "riffle: cannot open 'missing': No such file or directory" "$(cat errors)"
is 'the status of a wrong command line' 2 "$(riffle bogus >out; echo $?)"
is 'the name wc' '2 crlf.txt' "$(cp "$tool" wc.exe && "${run[@]:0:${#run[@]}-1}" ./wc.exe -l crlf.txt)"

# Every other command and option, by the examples of docs/cli.md; `tabs` shows rows in one line.
tabs() { tr '\t\n' '|;'; }
printf 'a,b\n\nc,d,e\nf,g\n' >table.csv
printf 'item,price\napple,120\n"pear, ripe",95\n' >items.csv
printf 'a\t3\nb\t5\nc\t-1\n' >scores.tsv
printf '>chr1 first\r\nACGTNacg\r\nGC\r\n' >genome.fa
printf '@r1\nACGT\n+\n!!IJ\n' >reads.fq
is 'rows as JSON' '{"file":"crlf.txt","lines":2,"words":3,"bytes":16}' "$(riffle wc --json crlf.txt)"
is 'a list of names' '3 5 30' "$(printf 'crlf.txt\0utf8.txt\0' | riffle wc --files0-from=- --total=only)"
is 'a byte in each file' '4 crlf.txt;1 items.csv;5 total;' "$(riffle count --any-of ot crlf.txt items.csv | tabs)"
is 'a byte per line' '0|1;1|2;2|1;' "$(riffle count --byte , --per-line table.csv | tabs)"
is 'FASTA with CR LF' 'chr1|10|2|3|3|1|1|66.67;' "$(riffle count --fasta genome.fa | tabs)"
is 'FASTQ' 'reads|1;bases|4;Q0|2;Q40|1;Q41|1;' "$(riffle count --fastq reads.fq | tabs)"
is 'big-endian numbers of a pipe' 3 "$(printf '\0\0\0\1\0\0\0\2' | riffle sum --type u32 --big-endian)"
is 'numbers in a CSV' 215 "$(riffle sum --column 2 --header --type i64 --separator , --quote '"' items.csv)"
is 'statistics' 'count|min|max|sum|mean;3|-1|5|7|2.3333333333333335;' "$(riffle sum --stats --tsv --column 2 scores.tsv | tabs)"
is 'numbered lines' '     3|12;     4|13;' "$(seq 10 20 | riffle cat --range 3:4 --number | tabs)"
is 'the last lines of a file' '1999999;2000000;' "$(riffle cat --tail 2 large.txt | tabs)"
is 'the last lines of a pipe' '19;20;' "$(seq 20 | riffle cat --tail 2 | tabs)"
is 'CR LF becomes LF' 'one two;three;' "$(riffle cat --strip-cr crlf.txt | tabs)"
is 'other delimiters' 'one;two;' "$(printf 'one\0two\0' | riffle cat --delimiter '\0' --to-delimiter '\n' | tabs)"
is 'fields' '3|a;5|b;-1|c;' "$(riffle cat --tsv --columns 2,1 scores.tsv | tabs)"
is 'fields in quotes' '95,"pear, ripe";' "$(riffle cat --columns 2,1 --separator , --quote '"' items.csv | tail -n 1 | tabs)"
is 'a line that is too long' 1 "$(riffle cat --max-length 2 crlf.txt >out; echo $?)"
is 'the next program goes on behind the last line' 3 "$(seq 9 >nine.txt; { riffle cat --head 2 >out; head -n 1; } <nine.txt)"
is 'progress is not in a pipe' '' "$(riffle wc large.txt >out; cat errors)"
is 'the help of each command' 5 "$(for each in wc count sum cat advise; do riffle "$each" --help; done | grep -c '^Usage: ')"
is 'the version' 1 "$(riffle --version | grep -c '^riffle ')"
is 'completion' 1 "$(riffle --generate bash | grep -c '^complete ')"
[[ $failed == 0 ]] && echo "riffle.exe: all as expected"
exit "$((failed != 0))"
