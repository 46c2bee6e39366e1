/// The tool does what its help says, and ends as a well-behaved tool when it cannot.
#include <gmock/gmock.h>

#include <string>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Ne;
using testing::Not;
using testing::StartsWith;

const std::string no_space = "riffle: cannot write 'standard output': No space left on device\n";
const std::string closed_input = "riffle: cannot read 'standard input': Bad file descriptor\n";

TEST(tool, says_what_failed_and_does_the_rest) {
  expect_rows(
      {{"$riffle wc /missing a", " 2  3 10 a\n 2  3 10 total\n",
        "riffle: cannot open '/missing': No such file or directory\n", 1},
       {"printf '\\377%.0s' {1..16} > f; $riffle sum --type u64 f - < /dev/null", "0 -\n0 total\n",
        "riffle: cannot sum 'f': the sum does not fit u64; if the numbers stand as text, name their field by "
        "--column\n",
        1},
       {"$riffle wc <&-", _, closed_input, 1},
       {"echo | $riffle wc --method mmap", _,
        HasSubstr("mmap reads only regular files and block devices; use --method automatic"), 1},
       {"$riffle wc --method mmap /proc/cpuinfo", _, MatchesRegex("[^\n]+\n"), 1},
       {"env --default-signal=PIPE $riffle cat /dev/zero | head -c 10 | $riffle wc -c", "10\n", "", 141},
       {"TMPDIR=/nonexistent $riffle bench --task gc", _,
        "riffle: cannot make files in '/nonexistent': No such file or directory; set TMPDIR to another "
        "directory\n",
        1}});
}

TEST(tool, refuses_a_directory_in_every_command) {
  expect_each({"wc", "count --lines", "sum --type u8", "cat", "cat --lines", "advise"},
              {"$riffle {} /tmp", _, "riffle: cannot read '/tmp': Is a directory\n", 1});
}

TEST(tool, says_that_the_output_is_lost) {
  const temporary_file file(patterned_bytes(1 << 20));
  for (const char* command : {"wc", "cat", "cat --lines", "count --lines", "sum --type u8"})
    expect_each({command}, {"$riffle {} " + file.path().string() + " > /dev/full", "", no_space, 1});
  expect_each({"methods", "--version", "--help", "wc --help", "bench reproduce --help"},
              {"$riffle {} > /dev/full", "", no_space, 1});
  expect_each({"--version", "--help", "wc --help", "bench reproduce --help"},
              {"$riffle {} >&-", "", "riffle: cannot write 'standard output': Bad file descriptor\n", 1});
}

TEST(tool, names_what_is_wrong_with_a_command_line) {
  struct row {
    const char* line;
    const char* error;
    int status = 2;
  };
  for (const row& each : {
           row{"", "no command; name one, such as wc (see riffle --help)"},
           {"foo", "unknown command 'foo' (see riffle --help)"},
           {"wcc", "unknown command 'wcc'; did you mean 'wc'? (see riffle --help)"},
           {"help adivse", "unknown command 'adivse'; did you mean 'advise'? (see riffle help --help)"},
           {"hepl wc", "unknown command 'hepl'; did you mean 'help'? (see riffle --help)"},
           {"cut -f 1", "unknown command 'cut'; use riffle cat --columns (see riffle --help)"},
           {"head x", "unknown command 'head'; use riffle cat --head (see riffle --help)"},
           {"tail x", "unknown command 'tail'; use riffle cat --tail (see riffle --help)"},
           {"zcat x", "unknown command 'zcat'; use riffle cat --decompress (see riffle --help)"},
           {"grep x", "unknown command 'grep'; use riffle cat --containing (see riffle --help)"},
           {"help foo", "unknown command 'foo' (see riffle help --help)"},
           {"sum --column 1,2",
            "--column '1,2': one field only; use --columns for several, or name:1,2 for a name (see riffle "
            "sum --help)"},
           {"sum --column 1-2",
            "--column '1-2': one field only; use --columns for several, or name:1-2 for a name (see riffle "
            "sum --help)"},
           {"--foo wc", "unknown option '--foo' (see riffle --help)"},
           {"sum",
            "option '--type' is missing; for numbers as text, one on each line, use --column 1 (see riffle "
            "sum --help)"},
           {"sum --type u65",
            "--type 'u65': no such type; use one of u8, i8, u16, i16, u32, i32, u64, i64, f32, f64 (see "
            "riffle sum --help)"},
           {"wc --foo", "unknown option '--foo' (see riffle wc --help)", 1},
           {"bench reproduce --foo", "unknown option '--foo' (see riffle bench reproduce --help)"},
           {"wc --lnes", "unknown option '--lnes'; did you mean '--lines'? (see riffle wc --help)", 1},
           {"wc --thread 2", "unknown option '--thread'; did you mean '--threads'? (see riffle wc --help)",
            1},
           {"wc --thrad=2", "unknown option '--thrad'; did you mean '--threads'? (see riffle wc --help)", 1},
           {"wc --meth read", "unknown option '--meth'; did you mean '--method'? (see riffle wc --help)", 1},
           {"wc --me read", "unknown option '--me'; did you mean '--method'? (see riffle wc --help)", 1},
           {"advise --mesure",
            "unknown option '--mesure'; did you mean '--measure'? (see riffle advise --help)"},
           {"--versoin", "unknown option '--versoin'; did you mean '--version'? (see riffle --help)"},
           {"wc -1", "unknown option '-1' (see riffle wc --help)", 1},
           {"methods x", "unexpected argument 'x' (see riffle methods --help)"},
           {"wc --block-size 8T a b", "--block-size '8T': too large; use at most 1G (see riffle wc --help)",
            1},
           {"bench --block-size 8T a",
            "--block-size '8T': not a list of sizes from 1 to 1G; write 64K, 4K,64K,1M or 4K..1G (see riffle "
            "bench --help)"},
           {"wc --threads 2000 a", "--threads '2000': too large; use at most 1024 (see riffle wc --help)", 1},
       }) {
    expect_rows({{std::string("$riffle ") + each.line + " < /dev/null", "",
                  std::string("riffle: ") + each.error + "\n", each.status}});
  }
}

TEST(tool, opens_the_file_of_the_name_given) {
  expect_rows(
      {{"$riffle cat '[x]' '[a,b]' ++ -- -1 --", "122333444455555"},
       {"$riffle wc -c -- '[a,b]'", "2 [a,b]\n"},
       {"$riffle wc -c ''", _, "riffle: invalid zero-length file name\n", 1},
       {"$riffle bench --task gc --rounds 1 '[a]'", _,
        "riffle: cannot open '[a]': No such file or directory\n", 1}},
      "printf 1 > '[x]'; printf 22 > '[a,b]'; printf 333 > ++; printf 4444 > ./-1; printf 55555 > ./--");
}

TEST(tool, ends_with_its_status_when_nobody_hears_its_errors) {
  for (const char* nowhere : {" 2>&-", " 2>/dev/full"}) {
    expect_rows({{std::string("$riffle wc /missing") + nowhere, _, _, 1},
                 {std::string("$riffle bench /missing") + nowhere, _, _, 1},
                 {std::string("$riffle bench --nonsense") + nowhere, _, _, 2}});
  }
}

TEST(tool, prints_no_name_that_a_terminal_would_obey) {
  const std::string setting = "name=$PWD/$'a\\x1b[31m\\n\\xE2\\x80\\xAE'";
  expect_rows({{"$riffle wc \"$name\"", _, EndsWith("/a?[31m?\?': No such file or directory\n"), 1},
               {"$riffle wc --method \"$name\"", _, MatchesRegex("[^\x1b\n]+\n"), 1},
               {"echo > \"$name\"; $riffle advise \"$name\"", HasSubstr("/a?[31m?\?\n")}},
              setting);
  if (shell("command -v script").status != 0)
    GTEST_SKIP() << "script(1), which makes a terminal, is not here";
  expect_rows({{"echo > \"$name\"; export name TERM=xterm NO_COLOR=1; script -qec '$riffle bench --task gc "
                "--rounds 1 --contender riffle/read \"$name\"' /dev/null",
                AllOf(HasSubstr("gc on a?[31m?\?"), Not(HasSubstr("a\x1b[31m"))), _}},
              setting);
}

TEST(tool, lets_no_file_take_the_place_of_a_closed_descriptor) {
  for (int round = 0; round < 5; ++round) {
    expect_rows({{"truncate -s 20M f && $riffle wc -c --threads 3 f - f f f f <&-", HasSubstr("       0 -\n"),
                  closed_input, 1}});
  }
}

TEST(tool, names_its_version_and_kernels) {
  expect_rows({{"$riffle --version",
                AllOf(StartsWith("riffle 0."), HasSubstr(" kernels"), HasSubstr("measured on "))}});
}

TEST(tool, refuses_an_unknown_kernel_once_before_anything) {
  expect_rows(
      {{"RIFFLE_KERNEL=nonsense $riffle wc a b", "", MatchesRegex("[^\n]*nonsense[^\n]*\n"), 1},
       {"RIFFLE_KERNEL=nonsense $riffle wc --help", _},
       {"RIFFLE_KERNEL=scalar $riffle methods | grep active", "  scalar       active     scalar kernels\n"}});
}

TEST(tool, benches_the_files_given) {
  const temporary_file file(patterned_bytes(100000));
  expect_rows(
      {{"$riffle bench --task gc --task lines --contender 'riffle/*' --rounds 1 $name",
        AllOf(HasSubstr("gc:"), HasSubstr("lines:"),
              HasSubstr("\n2 tables in about 100 s, if one run of each contender fits; --time changes it\n")),
        _},
       {"$riffle bench --task ints $name", _, _, 1},  // not in that format
       {"$riffle bench --rounds 1 /missing", _, "riffle: cannot open '/missing': No such file or directory\n",
        1}},
      "name=" + file.path().string());
}

TEST(tool, writes_the_bench_in_every_form) {
  const temporary_file file(patterned_bytes(10000));
  const temporary_directory directory;
  const std::string saved = (directory.path() / "new" / "results").string();
  expect_rows(
      {{"$bench --save $saved $name && [ $(find $saved/bench.{json,md,html} -size +500c | wc -l) = 3 ]",
        EndsWith("The whole report: " + saved + "/bench.html\n"), _},
       {"$bench --json - $name", StartsWith("{\n\"schema\""), _},
       {"$bench --save $saved $name", _, _},          // its own reports it writes anew
       {"$bench --markdown /nowhere/x.md $name", "",  // before anything was measured
        "riffle: cannot write '/nowhere/x.md': No such file or directory\n", 1}},
      "name=" + file.path().string() + " saved=" + saved +
          "; bench=\"$riffle bench --task gc --contender riffle/read,riffle/mmap --rounds 1\"");
}

TEST(tool, overwrites_nothing_that_is_no_report) {
  expect_each(
      {"--json f f", "--html link f", "--json f", "--markdown link", "--save .", "--json - --markdown - f",
       "--json x --markdown ./x f", "--save y --json y/bench.json f"},
      {"$riffle bench --task gc --rounds 1 {}; echo $?; cat bench.md f; ls",
       "2\nkept\nprecious\na\nb\nbench.md\nd\ne\nf\nlink\n", MatchesRegex("[^\n]*name another file[^\n]*\n")},
      "echo precious > f; echo kept > bench.md; ln -s f link");
}

TEST(tool, writes_the_forms_that_it_can) {
  const temporary_file file(patterned_bytes(10000));
  const std::string lost = "riffle: cannot write '/dev/full': No space left on device\n";
  expect_rows({{"$bench --json /dev/full --markdown x.md --html /dev/full $name",
                Not(HasSubstr("The whole report")), lost + lost, 1},
               {"$bench --json /dev/full --markdown x.md --html /dev/full $name > out; find x.md -size +300c",
                "x.md\n", _},
               {"$bench --markdown x.md $name > /dev/full", "", HasSubstr(no_space), 1}},
              "name=" + file.path().string() +
                  "; bench=\"$riffle bench --task gc --contender riffle/read --rounds 1\"");
}

// The signal comes once there is output.
TEST(tool, loses_nothing_when_its_terminal_or_reader_goes) {
  const std::string left = "; grep -c '\"complete\": false' x.json; ls t";
  expect_rows({{"$bench --time 60 > >(read -r; sleep 1; kill -HUP $(cat pid); cat > out) & echo $! > pid; "
                "wait $!; echo $?" +
                    left,
                "129\n1\n", _},
               {"trap '' HUP; $riffle bench --task gc --contender riffle/read --size 1M --rounds 1 > >(read "
                "-r; kill -HUP $(cat pid); cat > out) & echo $! > pid; wait $!",  // as nohup(1) does
                _, _},
               {"$bench --time 1 | head -1 > out; echo ${PIPESTATUS[0]}" + left, "1\n1\n",
                HasSubstr("cannot write 'standard output': Broken pipe")},
               {"$riffle bench reproduce mapped --size 64K --time 1 | true; ls t", "",
                EndsWith("riffle: cannot write 'standard output': Broken pipe\n")}},
              "mkdir t; export TMPDIR=t; bench='env --default-signal=HUP '$riffle' bench --task gc,lines "
              "--size 1M --rounds 100000 --json x.json'");
}

TEST(tool, reports_what_was_measured_until_it_was_interrupted) {
  // A run of a minute at least. timeout(1) signals the program and then its group, which is twice the same.
  expect_rows(
      {{"timeout --preserve-status -s INT 3 $riffle bench --size 1M --time 60 --json x; echo $?; grep -c "
        "'\"complete\": false' x",
        EndsWith("\n130\n1\n"), "riffle bench: not complete: interrupted\n"}});
}

TEST(tool, refuses_bench_options_that_mean_nothing) {
  expect_each({"--size 4K..", "--size 4K,", "--size ..4K", "--size 2TiB", "--size 0", "--size 1M..4K",
               "--block-size x", "--cache warm", "--task x", "--threads 0", "--size 4K /etc/passwd",
               "--contender nonesuch", "--contender scan", "--time nan", "--time 0", "--time inf",
               "--time 1s", "reproduce --time nan"},
              {"$riffle bench {}", "", testing::SizeIs(AllOf(testing::Gt(0U), testing::Lt(250U))), 2});
  expect_rows({{"$riffle bench --task x", _,
                HasSubstr("no such task 'x'; use one of gc, lines, words, ints, primes"), 2},
               {"$riffle bench --time 0", _, HasSubstr("--time '0': not a number of seconds above 0"), 2}});
}

TEST(tool, reproduces_the_programs_named) {
  expect_rows({{"$riffle bench reproduce ioaccess mapped --size 64K --time 1 --seed 7",
                AllOf(HasSubstr("ioaccess:"), HasSubstr("mapped:"), Not(HasSubstr("nvwa"))), _}});
  expect_each({"iozone", "--size 1K,2K"}, {"$riffle bench reproduce {}", "", Not(""), 2});
}

TEST(tool, sweeps_sizes_in_steps_of_four_up_to_the_end) {
  const command_row row{
      "$riffle bench --task primes --contender riffle/read --rounds 1 --json - --size {} | grep -o "
      "'\"bytes\":[0-9]*,\"made' | sort -u | wc -l",
      "3\n", _};
  expect_each({"4K..32K"}, row);
  expect_each({"4K,8K,8K --block-size 4K,4K --threads 1,1"}, {row.command, "2\n", _});
  expect_each({"8..8"}, {row.command, "1\n", _});
}

TEST(tool, colours_nothing_that_is_no_terminal) {
  const std::string bench = "$riffle bench --task gc --contender riffle/read --rounds 1 --size 4K";
  expect_rows({{bench + " | grep -c $'\\033' || true", "0\n", _}});
  const std::string on_terminal = "script -qec \"" + bench + "\" /dev/null | grep -c $'\\033\\[' || true";
  if (shell("command -v script").status != 0)
    GTEST_SKIP() << "script(1), which makes a terminal, is not here";
  expect_rows(
      {{"TERM=xterm " + on_terminal, Ne("0\n"), _}, {"NO_COLOR=1 TERM=xterm " + on_terminal, "0\n", _}});
}

TEST(tool, advises_with_reasons_and_options) {
  expect_rows({{"$riffle advise a; $riffle advise - < <(echo)",
                AllOf(HasSubstr("the file is smaller than 8 MiB"),
                      HasSubstr("{.method = riffle::method::read, .block_size = 256 << 10}"),
                      HasSubstr("--method read --block-size 256K"),
                      HasSubstr("a pipe, socket or device cannot be mapped")),
                _}});
}

TEST(tool, measures_whether_its_advice_is_right) {
  const temporary_file file(patterned_bytes(100000));
  const shell_result result = shell("$riffle advise --measure --time 0.2 " + file.path().string());
  // On a busy machine another method may happen to win, or too few runs fit into the time.
  EXPECT_TRUE(result.status <= 1 || result.status == 3) << result.status << result.err;
  for (const char* part : {"> ", "automatic", "read 64K", "mmap", "\nThe automatic choice "})
    EXPECT_THAT(result.out, HasSubstr(part));
}

TEST(tool, evicts_a_file_before_it_chooses_how_to_read_it_cold) {
  const temporary_file file(patterned_bytes(16 << 20));
  const shell_result result =
      shell("$riffle advise --measure --cache hot,cold --time 0.3 " + file.path().string());
  if (result.err.find("cannot evict") != std::string::npos) GTEST_SKIP() << result.err;
  EXPECT_THAT(result.out, AllOf(HasSubstr("hot: in the page cache"), HasSubstr("in cache     100 %"),
                                HasSubstr("in cache     0 %")));
  const std::size_t cold = result.out.find("cold: evicted");
  ASSERT_NE(cold, std::string::npos) << result.out;
  EXPECT_THAT(result.out.substr(cold), HasSubstr(" mmap ")) << "every method has its row";
}

TEST(tool, says_what_it_cannot_measure) {
  expect_rows({{"$riffle advise --measure --json x a b", "",
                HasSubstr("--json holds what was measured on one FILE; name one"), 2},
               {"$riffle advise --json x a", "", HasSubstr("option '--json' needs '--measure'"), 2},
               {"seq 99999 > n; $riffle advise --measure --time 0.1 --json - n > out; grep -cE '^\"schema\": "
                "\"riffle-bench\"|\"task\":\"lines\".*\"contender\":\"automatic\"' out",
                "2\n", _},
               {"seq 99999 > n; $riffle advise --measure --time 0.1 n > out; head -1 out",
                "1 table in about 0.1 s, if one run of each contender fits; --time changes it\n", _},
               {"$riffle advise --measure - /dev/null < <(echo)", _,
                AllOf(HasSubstr("each contender must open it; name the file\n"),
                      HasSubstr("it is a device, socket or terminal")),
                1},
               {"mkfifo p; $riffle advise --measure p", "", HasSubstr("write it to a file first\n"), 1},
               {"$riffle advise --time 1 /etc/passwd", _, _, 2}});  // of what is not measured
  expect_each({"-", "/dev/null", "/proc/cpuinfo"}, {"$riffle advise --measure {} < /etc/passwd", _, _, 1});
}

TEST(tool, advise_describes_the_machine_when_there_is_no_file) {
  expect_rows({{"$riffle advise < /dev/null", AllOf(Ne(""), Not(HasSubstr("standard input"))), _}});
}

}  // namespace
}  // namespace riffle::test
