/// `riffle wc` gives GNU wc's answer by every method, and what the manual of GNU wc and POSIX say, row by
/// row.
#include <riffle/methods.hpp>

#include <gtest/gtest.h>

#include <fstream>
#include <random>
#include <string>
#include <string_view>

#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr const char* try_help = "Try 'wc --help' for more information.\n";
const std::string wrong_totals =
    " for '--total'\nValid arguments are:\n  - 'auto'\n  - 'always'\n  - 'only'\n  - 'never'\n";

TEST(wc_table, columns_and_their_order) {
  expect_rows(
      {{"wc a  # newlines, words, bytes by default", " 2  3 10 a\n"},
       {"wc -Lcmwl a  # newline, word, character, byte, width, in this order", " 2  3 10 10  7 a\n"},
       {"wc -l a", "2 a\n"},
       {"wc -w a", "3 a\n"},
       {"wc -c a", "10 a\n"},
       {"wc -m a", "10 a\n"},
       {"wc -L a", "7 a\n"},
       {"wc --lines --words --chars --bytes --max-line-length a  # long options", " 2  3 10 10  7 a\n"},
       {"wc -l -l a  # an option given twice", "2 a\n"},
       {"wc --bytes --words a; wc -cm a  # options do not undo others", " 3 10 a\n10 10 a\n"},
       {"wc -lw a  # POSIX: letters in one word", " 2  3 a\n"},
       {"printf 'x' | wc -l  # POSIX: a newline is counted, not a line", "0\n"},
       {"printf 'a\\tb\\vc\\fd\\re f' | wc -w  # a word ends at white space or at the end", "6\n"},
       {"wc e  # an empty input", "0 0 0 e\n"},
       {"printf 'a\\0b \\0' | wc -wmL  # a NUL byte is no white space and takes no column",
        "      2       5       3\n"}});
}

TEST(wc_table, width_of_lines) {
  expect_rows(
      {{"printf 'a\\tb\\n1234567\\t' | wc -L; printf '12345678\\t9' | wc -L  # tabs are set at every 8th "
        "column",
        "9\n17\n"},
       {"printf 'abc\\rd\\fefgh\\n' | wc -L  # a carriage return and a form feed end a line too", "4\n"},
       {"printf 'a\\vb\\bc' | wc -L  # a vertical tab and a backspace take no column", "3\n"},
       {"printf ' a  \\n' | wc -L  # spaces do, at the end of a line too", "4\n"},
       {"printf 'a\\nbcd' | wc -L  # a last line without a newline", "3\n"},
       {"printf 'caf\\303\\251' | LC_ALL=C wc -L  # bytes above 0x7F take none in the C locale", "3\n"}});
}

TEST(wc_table, locales) {
  if (shell("LC_ALL=C.UTF-8 locale charmap").out != "UTF-8\n") GTEST_SKIP() << "no locale C.UTF-8";
  expect_rows(
      {{"printf 'na\\303\\257ve' > c; LC_ALL=C.UTF-8 wc -m c; LC_ALL=C wc -m c  # characters as in the "
        "locale",
        "5 c\n6 c\n"},
       {"printf 'a\\351\\303' | LC_ALL=C.UTF-8 wc -m  # encoding errors are no characters", "1\n"},
       {"printf '\\351 \\303 a\\200b' | LC_ALL=C.UTF-8 wc -w  # but are parts of words", "3\n"},
       {"printf '\\346\\227\\245x' | LC_ALL=C.UTF-8 wc -L  # wide characters take two columns", "3\n"},
       {"printf 'e\\314\\201x' | LC_ALL=C.UTF-8 wc -L  # combining ones none", "2\n"},
       {"printf 'a\\351\\303' | LC_ALL=C.UTF-8 wc -L  # errors none", "1\n"},
       {"printf 'a\\343\\200\\200b' > c; LC_ALL=C.UTF-8 wc -w c; LC_ALL=C wc -w c  # white space as in the "
        "locale",
        "2 c\n1 c\n"},
       {"for c in '\\302\\240' '\\342\\200\\207' '\\342\\200\\257' '\\342\\201\\240'; do printf \"a${c}b\" | "
        "LC_ALL=C.UTF-8 wc -w; done  # no-break spaces too",
        "2\n2\n2\n2\n"},
       {"printf 'a\\302\\240b' | POSIXLY_CORRECT=1 LC_ALL=C.UTF-8 wc -w  # unless POSIXLY_CORRECT is set",
        "1\n"},
       {"printf 'a\\240b' > c; LC_ALL=C wc -w c; POSIXLY_CORRECT=1 LC_ALL=C wc -w c  # byte 0xA0 in the C "
        "locale",
        "2 c\n1 c\n"},
       {"export LC_ALL= LC_CTYPE=C.UTF-8 LANG=C; printf '\\303\\251' > c; wc -m c; LC_ALL=C wc -m c; "
        "LC_CTYPE= LANG=C.UTF-8 wc -m c  # POSIX: LC_ALL wins over LC_CTYPE, and that over LANG",
        "1 c\n2 c\n1 c\n"}});
}

// GNU wc 9.10 takes the last byte of such a character for another one, so it counts a word more: 3.
TEST(wc_table, characters_that_a_block_of_256_KiB_cuts) {
  if (shell("LC_ALL=C.UTF-8 locale charmap").out != "UTF-8\n") GTEST_SKIP() << "no locale C.UTF-8";
  for (const char* const white : {"\\302\\240", "\\343\\200\\200"}) {
    expect_each({"262143", "262142"},
                {std::string("export LC_ALL=C.UTF-8; { head -c {} /dev/zero | tr '\\0' x; printf '") + white +
                     " y'; } > z; wc -w z; wc -w < z; cat z | wc -w; wc -w --method read --block-size 256KiB "
                     "z; wc -w --block-size 4KiB --threads 2 z",
                 "2 z\n2\n2\n2 z\n2 z\n"});
  }
}

TEST(wc_table, widths) {
  expect_rows({{"wc < /dev/null  # 7 for an input that is no regular file", "      0       0       0\n"},
               {"wc -l < /dev/null  # one number of one input is not padded", "0\n"},
               {"wc -l a b  # as wide as all sizes together", " 2 a\n 1 b\n 3 total\n"},
               {"wc -l b /dev/null  # 7 if one of them is no regular file",
                "      1 b\n      0 /dev/null\n      1 total\n"},
               {"wc < d  # a directory on standard input", "      0       0       0\n",
                "wc: 'standard input': Is a directory\n", 1},
               {"wc - < a  # as wide as the file of standard input", " 2  3 10 -\n"},
               {"wc --total=always x  # a missing file has no width", "0 0 0 total\n",
                "wc: x: No such file or directory\n", 1},
               {"wc --total=only a b /dev/null  # totals alone are not padded", "3 4 13\n"}});
}

TEST(wc_table, operands) {
  expect_rows(
      {{"wc < b  # no operand: standard input, without a name", "1 1 3\n"},
       {"wc - < b  # -: standard input", "1 1 3 -\n"},
       {"wc -c a - < b  # - among files", "10 a\n 3 -\n13 total\n"},
       {"{ wc -w; wc -w; } < a  # from where the descriptor stands", "3\n0\n"},
       {"wc -l - - < b  # - twice: the second is at the end", "1 -\n0 -\n1 total\n"},
       {"wc a -l  # options behind operands", "2 a\n"},
       {"wc -l -- -c  # -- ends the options", "", "wc: -c: No such file or directory\n", 1},
       {"POSIXLY_CORRECT=1 wc -l a -c  # POSIXLY_CORRECT ends them at an operand", " 2 a\n 2 total\n",
        "wc: -c: No such file or directory\n", 1},
       {"wc ''  # an empty name", "", "wc: invalid zero-length file name\n", 1},
       {"cp b $'o\\np'; wc $'o\\np'  # a name with a newline is quoted in its row", "1 1 3 'o'$'\\n''p'\n"},
       {"cp b \"o p's\"; wc \"o p's\"  # other names are not", "1 1 3 o p's\n"}});
}

TEST(wc_table, failures_of_files) {
  expect_rows({{"wc x a  # a missing file has no row", " 2  3 10 a\n 2  3 10 total\n",
                "wc: x: No such file or directory\n", 1},
               {"wc d a  # a directory has one",
                "      0       0       0 d\n      2       3      10 a\n      2       3      10 total\n",
                "wc: d: Is a directory\n", 1},
               {"wc -l a x b 2>&1  # rows stand before the message",
                " 2 a\nwc: x: No such file or directory\n 1 b\n 3 total\n", "", 1},
               {"wc \"it's\" $'x\\ny' 'a:b' a,b  # names are quoted in messages", "0 0 0 total\n",
                "wc: \"it's\": No such file or directory\nwc: 'x'$'\\n''y': No such file or directory\n"
                "wc: 'a:b': No such file or directory\nwc: a,b: No such file or directory\n",
                1},
               {"wc <&-  # standard input is closed", "0 0 0\n",
                "wc: 'standard input': Bad file descriptor\nwc: -: Bad file descriptor\n", 1},
               {"echo | wc --method mmap  # what only riffle refuses", "",
                "wc: cannot read 'standard input': mmap reads only regular files and block devices; use "
                "--method automatic\n",
                1},
               {"wc x a y > /dev/full  # standard output is full", "",
                "wc: x: No such file or directory\nwc: write error: No space left on device\n", 1},
               {"wc a >&-  # standard output is closed", "", "wc: write error: Bad file descriptor\n", 1}});
}

TEST(wc_table, options) {
  const std::string none = "wc: invalid argument 'x'" + wrong_totals + try_help;
  const std::string several = "wc: ambiguous argument 'a'" + wrong_totals + try_help;
  expect_rows({{"wc --li --wo a  # abbreviated", " 2  3 a\n"},
               {"wc --m --b a  # GNU's names win an abbreviation", "10  7 a\n"},
               {"wc -l --method read --threads=2 a  # riffle's options work in full", "2 a\n"},
               {"wc a --block-size 16 -l b  # and behind an operand", " 2 a\n 1 b\n 3 total\n"},
               {"wc --method=read --meth=read a  # but not abbreviated", "",
                "wc: unrecognized option '--meth=read'\nTry 'wc --help' for more information.\n", 1},
               {"wc --foo=3 a  # unknown", "",
                "wc: unrecognized option '--foo=3'\nTry 'wc --help' for more information.\n", 1},
               {"wc -lx a  # unknown letter", "",
                "wc: invalid option -- 'x'\nTry 'wc --help' for more information.\n", 1},
               {"wc -h  # no short form of --help", "",
                "wc: invalid option -- 'h'\nTry 'wc --help' for more information.\n", 1},
               {"wc --line=3 a  # an argument too many", "",
                "wc: option '--lines' doesn't allow an argument\nTry 'wc --help' for more information.\n", 1},
               {"wc --tot  # an argument missing", "",
                "wc: option '--total' requires an argument\nTry 'wc --help' for more information.\n", 1},
               {"wc --total=x --foo  # the first error counts", "", none, 1},
               {"wc --total=a  # an ambiguous word", "", several, 1},
               {"RIFFLE_KERNEL=scalar wc -l --debug a  # --debug names the SIMD kernel on standard error",
                "2 a\n", "wc: SIMD kernel: scalar\n"},
               {"wc --help --foo | head -1  # --help ends the options",
                "Count lines, words, characters and bytes.\n"},
               {"wc --version | cut -d' ' -f1,2  # --version names the program", "wc (riffle)\n"}});
}

// Its own messages begin with the name alone, those of getopt_long as the program was called.
TEST(wc_table, called_by_a_path) {
  const std::string none =
      "wc: invalid argument 'x'" + wrong_totals + "Try './wc --help' for more information.\n";
  expect_rows({{"./wc x  # a file", "", "wc: x: No such file or directory\n", 1},
               {"./wc a > /dev/full  # a lost output", "", "wc: write error: No space left on device\n", 1},
               {"./wc --files0-from=e a  # an operand", "",
                "wc: extra operand 'a'\nfile operands cannot be combined with --files0-from\n"
                "Try './wc --help' for more information.\n",
                1},
               {"./wc --total=x  # an argument", "", none, 1},
               {"./wc --foo  # an option", "",
                "./wc: unrecognized option '--foo'\nTry './wc --help' for more information.\n", 1},
               {"./wc -l-  # a letter", "",
                "./wc: invalid option -- '-'\nTry './wc --help' for more information.\n", 1},
               {"./wc --=  # every long option", "",
                "./wc: option '--=' is ambiguous; possibilities: '--bytes' '--chars' '--lines' '--words' "
                "'--debug' '--files0-from' '--max-line-length' '--total' '--help' '--version'\n"
                "Try './wc --help' for more information.\n",
                1}},
              "ln -s \"$riffle\" wc");
}

TEST(wc_table, totals) {
  expect_rows(
      {{"wc --total=auto -l a; wc --total=au -l a b  # auto: of two and more", "2 a\n 2 a\n 1 b\n 3 total\n"},
       {"wc -l --total=always a  # always", "2 a\n2 total\n"},
       {"wc --total=o a b  # only: a row of numbers alone", "3 4 13\n"},
       {"wc --total=never -l a b  # never", " 2 a\n 1 b\n"},
       {"wc -l b x  # a missing file counts for auto", "1 b\n1 total\n", "wc: x: No such file or directory\n",
        1},
       {"wc -L a b  # the widest of all files", " 7 a\n 2 b\n 7 total\n"}});
}

TEST(wc_table, totals_that_are_too_large) {
  if (shell("f=/dev/shm/riffle-$$; truncate -s 6E $f; s=$?; rm -f $f; exit $s").status != 0)
    GTEST_SKIP() << "no file system here holds a file of 6 EiB";
  const shell_result result = shell(
      "f=/dev/shm/riffle-$$; truncate -s 6E $f; (exec -a wc \"$riffle\" -c --total=only $f $f $f); s=$?; rm "
      "-f $f; exit $s");
  EXPECT_EQ(result.out, "18446744073709551615\n");
  EXPECT_EQ(result.err, "wc: total bytes: " + std::generic_category().message(EOVERFLOW) + "\n");
  EXPECT_EQ(result.status, 1);
}

TEST(wc_table, lists_of_files) {
  expect_rows(
      {{"printf 'a\\0b' > l; wc --files0-from=l  # names that end with a zero byte, the last too or not",
        " 2  3 10 a\n 1  1  3 b\n 3  4 13 total\n"},
       {"printf 'b\\0b\\0' > l; wc -l --files0-from=- < l  # of standard input", "1 b\n1 b\n2 total\n"},
       {"printf 'a\\0b\\0' | wc --files0-from=-  # of a pipe: columns as narrow as they can be",
        "2 3 10 a\n1 1 3 b\n3 4 13 total\n"},
       {"printf 'a\\0-' > l; wc -l --files0-from=l < b  # - is a file of a list that is not on standard "
        "input",
        " 2 a\n 1 -\n 3 total\n"},
       {"printf -- '-' | wc --files0-from=-  # but not of one that is", "",
        "wc: when reading file names from standard input, no file name of '-' allowed\n", 1},
       {"printf -- 'b\\0-\\0no such file\\0' > l; wc --files0-from=- < l  # which then is no file",
        "1 1 3 b\n1 1 3 total\n",
        "wc: when reading file names from standard input, no file name of '-' allowed\n"
        "wc: 'no such file': No such file or directory\n",
        1},
       {"cp a x.c; cp b y.h; find . -name '*.[ch]' -print0 | wc -L --files0-from=- | tail -n1  # the "
        "manual's example: the longest line of all",
        "7 total\n"},
       {"wc --files0-from=e; wc --total=always --files0-from=e  # an empty list", "0 0 0 total\n"},
       {"printf '\\0b\\0\\0' > l; wc --files0-from=l  # empty names have a number", "1 1 3 b\n1 1 3 total\n",
        "wc: l:1: invalid zero-length file name\nwc: l:3: invalid zero-length file name\n", 1},
       {"wc --files0-from=e a  # operands cannot be combined with it", "",
        "wc: extra operand 'a'\nfile operands cannot be combined with --files0-from\n"
        "Try 'wc --help' for more information.\n",
        1},
       {"wc --files0-from=e max_length  # of any name", "",
        "wc: extra operand 'max_length'\nfile operands cannot be combined with --files0-from\n"
        "Try 'wc --help' for more information.\n",
        1},
       {"wc --files0-from=x  # a list that is missing", "",
        "wc: cannot open 'x' for reading: No such file or directory\n", 1},
       {"wc --files0-from=/proc/self/mem  # a list that the system does not read", "",
        "wc: cannot read file names from '/proc/self/mem'\n", 1},
       {"printf 'b\\0-' > l; wc -l --files0-from=l <&-  # - is closed, and the list takes its number",
        "1 b\n0 -\n1 total\n", "wc: -: Bad file descriptor\nwc: -: Bad file descriptor\n", 1},
       {"printf x > f; printf 'f\\0./f\\0././f\\0-' > l; wc -l --files0-from=l <&-  # its size says nothing "
        "of the rows then",
        "0 f\n0 ./f\n0 ././f\n0 -\n0 total\n", "wc: -: Bad file descriptor\nwc: -: Bad file descriptor\n", 1},
       {"wc --files0-from=d --total=always  # a list that cannot be read", "0 0 0 total\n",
        "wc: d: read error: Is a directory\n", 1}});
}

// The writer of the second name waits for the row of the first.
TEST(wc_table, names_are_read_as_they_come) {
  expect_rows(
      {{"mkfifo names rows; (wc -l --files0-from=- < names > rows) & exec 3> names 4< rows; printf 'a\\0' "
        ">&3; read -t 10 -r first <&4; printf 'b\\0' >&3; exec 3>&-; echo \"$first\"; cat <&4",
        "2 a\n1 b\n3 total\n"}});
}

// The name that the bad block cuts is none: another file may have it.
TEST(wc_table, names_before_a_bad_block_are_counted) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  std::string names;
  for (int i = 0; i != 1000; ++i) {
    for (int j = 0; j != 49; ++j) names += "./";
    names += std::string_view("b\0", 2);
  }
  const slow_file failing(names, {"--eio-at=82000"});
  const std::string list = failing.path().string();
  expect_rows({{"wc -l --total=only --files0-from=" + list, "819\n",
                "wc: " + list + ": read error: Input/output error\n", 1}});
}

TEST(wc_table, bytes_alone_are_taken_from_the_size) {
  expect_rows({{"{ wc -c; wc -c; } < a  # the descriptor is moved to the end", "10\n0\n"},
               {"{ head -c 4 > /dev/null; wc -c; wc -c; } < a  # from where it stands", "6\n0\n"},
               {"truncate -s 1M z; { wc -c; wc -c; } < z  # a whole number of pages", "1048576\n0\n"},
               {"truncate -s 262144 z; { head -c 1 > /dev/null; wc -c; } < z  # from within a whole number "
                "of pages, where GNU wc 9.10 counts one too few",
                "262143\n"},
               {"{ dd bs=1 skip=100 count=0 status=none; wc -c; } < a  # behind the end", "0\n"},
               {"[ $(wc -c < /proc/version) = $(cat /proc/version | wc -c) ] && echo ok  # a size of 0 is "
                "not believed",
                "ok\n"},
               {"truncate -s 1T z && timeout 10 bash -c 'exec -a wc $riffle -c z'  # a terabyte of nothing "
                "is not read",
                "1099511627776 z\n"}});
}

TEST(wc_table, rows_of_several_processes_do_not_mix) {
  expect_rows(
      {{"for i in {1..600}; do : > n$i; done; ls n* n* n* | xargs -n 600 -P 3 $riffle wc | grep -vx '0 0 0 "
        "[nt][0-9otal]*' | command wc -l",
        "0\n", testing::_, 1}});
}

TEST(wc_table, riffle_says_it_in_its_own_words) {
  expect_rows({{"$riffle wc --total=x  # a wrong word", "",
                "riffle: --total 'x': no such time to print a total; use one of auto, always, only, never "
                "(see riffle wc --help)\n",
                1},
               {"RIFFLE_KERNEL=scalar $riffle wc -l --debug b  # the SIMD kernel", "1 b\n",
                "riffle: SIMD kernel: scalar\n"}});
}

// A folder with a few hundred inputs, made once: printable text and white space of every kind, from all
// sparse to all dense.
std::string inputs() {
  static const temporary_directory folder;
  static int number = 0;
  if (number != 0) return folder.path().string();
  std::mt19937 random(20261121);
  const auto add = [](std::string_view text) {
    std::ofstream(folder.path() / ("input" + std::to_string(1000 + number++)), std::ios::binary) << text;
  };
  const auto add_drawn = [&](std::size_t size) {
    constexpr std::string_view white = "\n \t\r\v\f";
    const auto share = random() % 100;
    std::string text(size, '\0');
    for (char& byte : text)
      byte = random() % 100 < share ? white[random() % white.size()] : static_cast<char>('!' + random() % 94);
    add(text);
  };
  for (const std::string_view text :
       {"", "\n", "a", "a\n", " ", "a b", "a  b\n", "\n\n\n", "\r\n", "a\rb", "\va\fb\t"})
    add(text);
  for (std::size_t size = 0; size < 200; ++size) add_drawn(size);
  for (const unsigned size :
       {4095U, 4096U, 4097U, 65535U, 65536U, 65537U, 262143U, 262144U, 262145U, 300000U}) {
    for (int i = 0; i < 5; ++i) add_drawn(size);
  }
  add(std::string(100000, 'x'));
  add(std::string(100000, '\n'));
  return folder.path().string();
}

void expect_as_gnu(const std::string& columns, const std::string& options, const std::string& files) {
  const shell_result ours = shell("$riffle wc " + columns + options + files);
  EXPECT_TRUE(ours.out == shell("wc " + columns + files).out) << columns << options << ours.err;
  EXPECT_EQ(ours.status, 0) << columns << options << ours.err;
}

class each_wc_method : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_wc_method, testing::ValuesIn(usable_methods()), method_name);

TEST_P(each_wc_method, equals_gnu_by_every_block_size) {
  const std::string by = "--method " + std::string(name_of(GetParam())) + " --block-size ";
  // Blocks of a few bytes have the same borders in all files, and take a system call each.
  for (const char* const size : {"1", "3"})
    expect_as_gnu("", by + size, " $(find " + inputs() + " -type f -size -4098c | sort)");
  for (const char* const size : {"0", "64", "100", "4096", "5000", "64K"})
    expect_as_gnu("", by + size, " " + inputs() + "/*");
}

TEST(wc, equals_gnu_by_automatic_and_threads) {
  for (const char* const columns : {"", "-l", "-w", "-c", "-lw", "-wc", "-lwc"}) {
    for (const char* const threads : {"1", "2", "5", "0"})
      expect_as_gnu(columns, std::string(" --threads ") + threads, " " + inputs() + "/*");
  }
}

}  // namespace

}  // namespace riffle::test
