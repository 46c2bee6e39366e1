/// What the manual of GNU wc and POSIX say of wc, row by row: riffle called as wc.
#include <gtest/gtest.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct row {
  const char* says;     // what is documented
  const char* command;  // `wc` is riffle called as wc
  const char* out;
  const char* err = "";
  int status = 0;
};

// In a folder with `a` (2 lines, 3 words, 10 bytes), `b` (1 line, 1 word, 3 bytes), an empty `e`, a folder
// `d`.
shell_result run(const temporary_directory& folder, const std::string& command) {
  return shell("cd " + folder.path().string() + " && mkdir -p d && printf 'one two\nx\n' > a && " +
               "printf 'hi\n' > b && : > e && " + "wc() { (exec -a wc \"$riffle\" \"$@\"); } && " + command);
}

template <std::size_t size>
void expect(const row (&rows)[size]) {
  for (const row& each : rows) {
    const temporary_directory folder;
    const shell_result result = run(folder, each.command);
    EXPECT_EQ(result.out, each.out) << each.says << ": " << each.command;
    EXPECT_EQ(result.err, each.err) << each.says << ": " << each.command;
    EXPECT_EQ(result.status, each.status) << each.says << ": " << each.command;
  }
}

constexpr const char* try_help = "Try 'wc --help' for more information.\n";
const std::string wrong_totals =
    " for '--total'\nValid arguments are:\n  - 'auto'\n  - 'always'\n  - 'only'\n  - 'never'\n";

TEST(wc_table, columns_and_their_order) {
  const row rows[] = {
      {"newlines, words, bytes by default", "wc a", " 2  3 10 a\n"},
      {"newline, word, character, byte, width, in this order", "wc -Lcmwl a", " 2  3 10 10  7 a\n"},
      {"-l", "wc -l a", "2 a\n"},
      {"-w", "wc -w a", "3 a\n"},
      {"-c", "wc -c a", "10 a\n"},
      {"-m", "wc -m a", "10 a\n"},
      {"-L", "wc -L a", "7 a\n"},
      {"long options", "wc --lines --words --chars --bytes --max-line-length a", " 2  3 10 10  7 a\n"},
      {"an option given twice", "wc -l -l a", "2 a\n"},
      {"options do not undo others", "wc --bytes --words a; wc -cm a", " 3 10 a\n10 10 a\n"},
      {"POSIX: letters in one word", "wc -lw a", " 2  3 a\n"},
      {"POSIX: a newline is counted, not a line", "printf 'x' | wc -l", "0\n"},
      {"a word ends at white space or at the end", "printf 'a\\tb\\vc\\fd\\re f' | wc -w", "6\n"},
      {"an empty input", "wc e", "0 0 0 e\n"},
      {"a NUL byte is no white space and takes no column", "printf 'a\\0b \\0' | wc -wmL",
       "      2       5       3\n"},
  };
  expect(rows);
}

TEST(wc_table, width_of_lines) {
  const row rows[] = {
      {"tabs are set at every 8th column",
       "printf 'a\\tb\\n1234567\\t' | wc -L; printf '12345678\\t9' | wc -L", "9\n17\n"},
      {"a carriage return and a form feed end a line too", "printf 'abc\\rd\\fefgh\\n' | wc -L", "4\n"},
      {"a vertical tab and a backspace take no column", "printf 'a\\vb\\bc' | wc -L", "3\n"},
      {"spaces do, at the end of a line too", "printf ' a  \\n' | wc -L", "4\n"},
      {"a last line without a newline", "printf 'a\\nbcd' | wc -L", "3\n"},
      {"bytes above 0x7F take none in the C locale", "printf 'caf\\303\\251' | LC_ALL=C wc -L", "3\n"},
  };
  expect(rows);
}

TEST(wc_table, locales) {
  if (shell("LC_ALL=C.UTF-8 locale charmap").out != "UTF-8\n") GTEST_SKIP() << "no locale C.UTF-8";
  const row rows[] = {
      {"characters as in the locale", "printf 'na\\303\\257ve' > c; LC_ALL=C.UTF-8 wc -m c; LC_ALL=C wc -m c",
       "5 c\n6 c\n"},
      {"encoding errors are no characters", "printf 'a\\351\\303' | LC_ALL=C.UTF-8 wc -m", "1\n"},
      {"but are parts of words", "printf '\\351 \\303 a\\200b' | LC_ALL=C.UTF-8 wc -w", "3\n"},
      {"wide characters take two columns", "printf '\\346\\227\\245x' | LC_ALL=C.UTF-8 wc -L", "3\n"},
      {"combining ones none", "printf 'e\\314\\201x' | LC_ALL=C.UTF-8 wc -L", "2\n"},
      {"errors none", "printf 'a\\351\\303' | LC_ALL=C.UTF-8 wc -L", "1\n"},
      {"white space as in the locale",
       "printf 'a\\343\\200\\200b' > c; LC_ALL=C.UTF-8 wc -w c; LC_ALL=C wc -w c", "2 c\n1 c\n"},
      {"no-break spaces too",
       "for c in '\\302\\240' '\\342\\200\\207' '\\342\\200\\257' '\\342\\201\\240'; do "
       "printf \"a${c}b\" | LC_ALL=C.UTF-8 wc -w; done",
       "2\n2\n2\n2\n"},
      {"unless POSIXLY_CORRECT is set", "printf 'a\\302\\240b' | POSIXLY_CORRECT=1 LC_ALL=C.UTF-8 wc -w",
       "1\n"},
      {"byte 0xA0 in the C locale",
       "printf 'a\\240b' > c; LC_ALL=C wc -w c; POSIXLY_CORRECT=1 LC_ALL=C wc -w c", "2 c\n1 c\n"},
      {"POSIX: LC_ALL wins over LC_CTYPE, and that over LANG",
       "export LC_ALL= LC_CTYPE=C.UTF-8 LANG=C; printf '\\303\\251' > c; wc -m c; LC_ALL=C wc -m c; "
       "LC_CTYPE= LANG=C.UTF-8 wc -m c",
       "1 c\n2 c\n1 c\n"},
  };
  expect(rows);
}

// GNU wc 9.10 takes the last byte of such a character for another one, so it counts a word more: 3.
TEST(wc_table, characters_that_a_block_of_256_KiB_cuts) {
  if (shell("LC_ALL=C.UTF-8 locale charmap").out != "UTF-8\n") GTEST_SKIP() << "no locale C.UTF-8";
  for (const char* const white : {"\\302\\240", "\\343\\200\\200"}) {
    for (const char* const before : {"262143", "262142"}) {
      const temporary_directory folder;
      const shell_result result =
          run(folder, std::string("export LC_ALL=C.UTF-8; { head -c ") + before +
                          " /dev/zero | tr '\\0' x; printf '" + white +
                          " y'; } > z; wc -w z; wc -w < z; cat z | wc -w; "
                          "wc -w --method read --block-size 256KiB z; wc -w --block-size 4KiB --threads 2 z");
      EXPECT_EQ(result.out, "2 z\n2\n2\n2 z\n2 z\n") << white << ' ' << before << result.err;
    }
  }
}

TEST(wc_table, widths) {
  const row rows[] = {
      {"7 for an input that is no regular file", "wc < /dev/null", "      0       0       0\n"},
      {"one number of one input is not padded", "wc -l < /dev/null", "0\n"},
      {"as wide as all sizes together", "wc -l a b", " 2 a\n 1 b\n 3 total\n"},
      {"7 if one of them is no regular file", "wc -l b /dev/null",
       "      1 b\n      0 /dev/null\n      1 total\n"},
      {"a directory on standard input", "wc < d", "      0       0       0\n",
       "wc: 'standard input': Is a directory\n", 1},
      {"as wide as the file of standard input", "wc - < a", " 2  3 10 -\n"},
      {"a missing file has no width", "wc --total=always x", "0 0 0 total\n",
       "wc: x: No such file or directory\n", 1},
      {"totals alone are not padded", "wc --total=only a b /dev/null", "3 4 13\n"},
  };
  expect(rows);
}

TEST(wc_table, operands) {
  const row rows[] = {
      {"no operand: standard input, without a name", "wc < b", "1 1 3\n"},
      {"-: standard input", "wc - < b", "1 1 3 -\n"},
      {"- among files", "wc -c a - < b", "10 a\n 3 -\n13 total\n"},
      {"- twice: the second is at the end", "wc -l - - < b", "1 -\n0 -\n1 total\n"},
      {"options behind operands", "wc a -l", "2 a\n"},
      {"-- ends the options", "wc -l -- -c", "", "wc: -c: No such file or directory\n", 1},
      {"POSIXLY_CORRECT ends them at an operand", "POSIXLY_CORRECT=1 wc -l a -c", " 2 a\n 2 total\n",
       "wc: -c: No such file or directory\n", 1},
      {"an empty name", "wc ''", "", "wc: invalid zero-length file name\n", 1},
      {"a name with a newline is quoted in its row", "cp b $'o\\np'; wc $'o\\np'", "1 1 3 'o'$'\\n''p'\n"},
      {"other names are not", "cp b \"o p's\"; wc \"o p's\"", "1 1 3 o p's\n"},
  };
  expect(rows);
}

TEST(wc_table, failures_of_files) {
  const row rows[] = {
      {"a missing file has no row", "wc x a", " 2  3 10 a\n 2  3 10 total\n",
       "wc: x: No such file or directory\n", 1},
      {"a directory has one", "wc d a",
       "      0       0       0 d\n      2       3      10 a\n      2       3      10 total\n",
       "wc: d: Is a directory\n", 1},
      {"rows stand before the message", "wc -l a x b 2>&1",
       " 2 a\nwc: x: No such file or directory\n 1 b\n 3 total\n", "", 1},
      {"names are quoted in messages", "wc \"it's\" $'x\\ny' 'a:b' a,b", "0 0 0 total\n",
       "wc: \"it's\": No such file or directory\nwc: 'x'$'\\n''y': No such file or directory\n"
       "wc: 'a:b': No such file or directory\nwc: a,b: No such file or directory\n",
       1},
      {"standard input is closed", "wc <&-", "0 0 0\n",
       "wc: 'standard input': Bad file descriptor\nwc: -: Bad file descriptor\n", 1},
      {"what only riffle refuses", "echo | wc --method mmap", "",
       "wc: cannot read 'standard input': mmap reads only regular files and block devices; "
       "use --method automatic\n",
       1},
      {"standard output is full", "wc x a y > /dev/full", "",
       "wc: x: No such file or directory\nwc: write error: No space left on device\n", 1},
      {"standard output is closed", "wc a >&-", "", "wc: write error: Bad file descriptor\n", 1},
  };
  expect(rows);
}

TEST(wc_table, options) {
  const std::string none = "wc: invalid argument 'x'" + wrong_totals + try_help;
  const std::string several = "wc: ambiguous argument 'a'" + wrong_totals + try_help;
  const row rows[] = {
      {"abbreviated", "wc --li --wo a", " 2  3 a\n"},
      {"GNU's names win an abbreviation", "wc --m --b a", "10  7 a\n"},
      {"riffle's options work in full", "wc -l --method read --threads=2 a", "2 a\n"},
      {"and behind an operand", "wc a --block-size 16 -l b", " 2 a\n 1 b\n 3 total\n"},
      {"but not abbreviated", "wc --method=read --meth=read a", "",
       "wc: unrecognized option '--meth=read'\nTry 'wc --help' for more information.\n", 1},
      {"unknown", "wc --foo=3 a", "",
       "wc: unrecognized option '--foo=3'\nTry 'wc --help' for more information.\n", 1},
      {"unknown letter", "wc -lx a", "", "wc: invalid option -- 'x'\nTry 'wc --help' for more information.\n",
       1},
      {"no short form of --help", "wc -h", "",
       "wc: invalid option -- 'h'\nTry 'wc --help' for more information.\n", 1},
      {"an argument too many", "wc --line=3 a", "",
       "wc: option '--lines' doesn't allow an argument\nTry 'wc --help' for more information.\n", 1},
      {"an argument missing", "wc --tot", "",
       "wc: option '--total' requires an argument\nTry 'wc --help' for more information.\n", 1},
      {"the first error counts", "wc --total=x --foo", "", none.c_str(), 1},
      {"an ambiguous word", "wc --total=a", "", several.c_str(), 1},
      {"--debug names the SIMD kernel on standard error", "RIFFLE_KERNEL=scalar wc -l --debug a", "2 a\n",
       "wc: SIMD kernel: scalar\n"},
      {"--help ends the options", "wc --help --foo | head -1", "Count lines, words, characters and bytes.\n"},
      {"--version names the program", "wc --version | cut -d' ' -f1,2", "wc (riffle)\n"},
  };
  expect(rows);
}

// Its own messages begin with the name alone, those of getopt_long as the program was called.
TEST(wc_table, called_by_a_path) {
  const std::string none =
      "wc: invalid argument 'x'" + wrong_totals + "Try './wc --help' for more information.\n";
  const row rows[] = {
      {"a file", "./wc x", "", "wc: x: No such file or directory\n", 1},
      {"a lost output", "./wc a > /dev/full", "", "wc: write error: No space left on device\n", 1},
      {"an operand", "./wc --files0-from=e a", "",
       "wc: extra operand 'a'\nfile operands cannot be combined with --files0-from\n"
       "Try './wc --help' for more information.\n",
       1},
      {"an argument", "./wc --total=x", "", none.c_str(), 1},
      {"an option", "./wc --foo", "",
       "./wc: unrecognized option '--foo'\nTry './wc --help' for more information.\n", 1},
      {"a letter", "./wc -l-", "", "./wc: invalid option -- '-'\nTry './wc --help' for more information.\n",
       1},
      {"every long option", "./wc --=", "",
       "./wc: option '--=' is ambiguous; possibilities: '--bytes' '--chars' '--lines' '--words' '--debug' "
       "'--files0-from' '--max-line-length' '--total' '--help' '--version'\n"
       "Try './wc --help' for more information.\n",
       1},
  };
  for (const row& each : rows) {
    const temporary_directory folder;
    const shell_result result = run(folder, std::string("ln -s \"$riffle\" wc; ") + each.command);
    EXPECT_EQ(result.out, each.out) << each.says;
    EXPECT_EQ(result.err, each.err) << each.says;
    EXPECT_EQ(result.status, each.status) << each.says;
  }
}

TEST(wc_table, totals) {
  const row rows[] = {
      {"auto: of two and more", "wc --total=auto -l a; wc --total=au -l a b", "2 a\n 2 a\n 1 b\n 3 total\n"},
      {"always", "wc -l --total=always a", "2 a\n2 total\n"},
      {"only: a row of numbers alone", "wc --total=o a b", "3 4 13\n"},
      {"never", "wc --total=never -l a b", " 2 a\n 1 b\n"},
      {"a missing file counts for auto", "wc -l b x", "1 b\n1 total\n", "wc: x: No such file or directory\n",
       1},
      {"the widest of all files", "wc -L a b", " 7 a\n 2 b\n 7 total\n"},
  };
  expect(rows);
}

TEST(wc_table, totals_that_are_too_large) {
  if (shell("f=/dev/shm/riffle-$$; truncate -s 6E $f; s=$?; rm -f $f; exit $s").status != 0)
    GTEST_SKIP() << "no file system here holds a file of 6 EiB";
  const shell_result result = shell(
      "f=/dev/shm/riffle-$$; truncate -s 6E $f; (exec -a wc \"$riffle\" -c --total=only $f $f $f); s=$?; "
      "rm -f $f; exit $s");
  EXPECT_EQ(result.out, "18446744073709551615\n");
  EXPECT_EQ(result.err, "wc: total bytes: " + std::generic_category().message(EOVERFLOW) + "\n");
  EXPECT_EQ(result.status, 1);
}

TEST(wc_table, lists_of_files) {
  const row rows[] = {
      {"names that end with a zero byte, the last too or not", "printf 'a\\0b' > l; wc --files0-from=l",
       " 2  3 10 a\n 1  1  3 b\n 3  4 13 total\n"},
      {"of standard input", "printf 'b\\0b\\0' > l; wc -l --files0-from=- < l", "1 b\n1 b\n2 total\n"},
      {"of a pipe: columns as narrow as they can be", "printf 'a\\0b\\0' | wc --files0-from=-",
       "2 3 10 a\n1 1 3 b\n3 4 13 total\n"},
      {"- is a file of a list that is not on standard input", "printf 'a\\0-' > l; wc -l --files0-from=l < b",
       " 2 a\n 1 -\n 3 total\n"},
      {"but not of one that is", "printf -- '-' | wc --files0-from=-", "",
       "wc: when reading file names from standard input, no file name of '-' allowed\n", 1},
      {"which then is no file", "printf -- 'b\\0-\\0no such file\\0' > l; wc --files0-from=- < l",
       "1 1 3 b\n1 1 3 total\n",
       "wc: when reading file names from standard input, no file name of '-' allowed\n"
       "wc: 'no such file': No such file or directory\n",
       1},
      {"the manual's example: the longest line of all",
       "cp a x.c; cp b y.h; find . -name '*.[ch]' -print0 | wc -L --files0-from=- | tail -n1", "7 total\n"},
      {"an empty list", "wc --files0-from=e; wc --total=always --files0-from=e", "0 0 0 total\n"},
      {"empty names have a number", "printf '\\0b\\0\\0' > l; wc --files0-from=l", "1 1 3 b\n1 1 3 total\n",
       "wc: l:1: invalid zero-length file name\nwc: l:3: invalid zero-length file name\n", 1},
      {"operands cannot be combined with it", "wc --files0-from=e a", "",
       "wc: extra operand 'a'\nfile operands cannot be combined with --files0-from\n"
       "Try 'wc --help' for more information.\n",
       1},
      {"of any name", "wc --files0-from=e max_length", "",
       "wc: extra operand 'max_length'\nfile operands cannot be combined with --files0-from\n"
       "Try 'wc --help' for more information.\n",
       1},
      {"a list that is missing", "wc --files0-from=x", "",
       "wc: cannot open 'x' for reading: No such file or directory\n", 1},
      {"a list that the system does not read", "wc --files0-from=/proc/self/mem", "",
       "wc: cannot read file names from '/proc/self/mem'\n", 1},
      {"- is closed, and the list takes its number", "printf 'b\\0-' > l; wc -l --files0-from=l <&-",
       "1 b\n0 -\n1 total\n", "wc: -: Bad file descriptor\nwc: -: Bad file descriptor\n", 1},
      {"its size says nothing of the rows then",
       "printf x > f; printf 'f\\0./f\\0././f\\0-' > l; wc -l --files0-from=l <&-",
       "0 f\n0 ./f\n0 ././f\n0 -\n0 total\n", "wc: -: Bad file descriptor\nwc: -: Bad file descriptor\n", 1},
      {"a list that cannot be read", "wc --files0-from=d --total=always", "0 0 0 total\n",
       "wc: d: read error: Is a directory\n", 1},
  };
  expect(rows);
}

// The writer of the second name waits for the row of the first.
TEST(wc_table, names_are_read_as_they_come) {
  const temporary_directory folder;
  const shell_result result = run(
      folder,
      "mkfifo names rows; (wc -l --files0-from=- < names > rows) & exec 3> names 4< rows; printf 'a\\0' >&3; "
      "read -t 10 -r first <&4; printf 'b\\0' >&3; exec 3>&-; echo \"$first\"; cat <&4");
  EXPECT_EQ(result.out, "2 a\n1 b\n3 total\n") << result.err;
}

TEST(wc_table, bytes_alone_are_taken_from_the_size) {
  const row rows[] = {
      {"the descriptor is moved to the end", "{ wc -c; wc -c; } < a", "10\n0\n"},
      {"from where it stands", "{ head -c 4 > /dev/null; wc -c; wc -c; } < a", "6\n0\n"},
      {"a whole number of pages", "truncate -s 1M z; { wc -c; wc -c; } < z", "1048576\n0\n"},
      {"from within a whole number of pages, where GNU wc 9.10 counts one too few",
       "truncate -s 262144 z; { head -c 1 > /dev/null; wc -c; } < z", "262143\n"},
      {"behind the end", "{ dd bs=1 skip=100 count=0 status=none; wc -c; } < a", "0\n"},
      {"a size of 0 is not believed",
       "[ $(wc -c < /proc/version) = $(cat /proc/version | wc -c) ] && echo ok", "ok\n"},
      {"a terabyte of nothing is not read",
       "truncate -s 1T z && timeout 10 bash -c 'exec -a wc $riffle -c z'", "1099511627776 z\n"},
  };
  expect(rows);
}

TEST(wc_table, rows_of_several_processes_do_not_mix) {
  const temporary_directory folder;
  const shell_result result =
      run(folder,
          "for i in {1..600}; do : > n$i; done; ls n* n* n* | xargs -n 600 -P 3 $riffle wc "
          "| grep -vx '0 0 0 [nt][0-9otal]*' | wc -l");
  EXPECT_EQ(result.out, "0\n");
}

TEST(wc_table, riffle_says_it_in_its_own_words) {
  const row rows[] = {
      {"a missing file", "$riffle wc x", "", "riffle: cannot open 'x': No such file or directory\n", 1},
      {"a wrong option", "$riffle wc --foo", "", "riffle: unknown option '--foo' (see riffle wc --help)\n",
       1},
      {"a wrong word", "$riffle wc --total=x", "",
       "riffle: --total 'x': no such time to print a total; use one of auto, always, only, never "
       "(see riffle wc --help)\n",
       1},
      {"the SIMD kernel", "RIFFLE_KERNEL=scalar $riffle wc -l --debug b", "1 b\n",
       "riffle: SIMD kernel: scalar\n"},
  };
  expect(rows);
}

}  // namespace
}  // namespace riffle::test
