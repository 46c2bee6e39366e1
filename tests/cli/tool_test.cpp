/// The tool does what its help says, and ends as a well-behaved tool when it cannot.
#include <gtest/gtest.h>

#include <bit>
#include <string>
#include <string_view>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

bool one_line(const std::string& text) {
  return !text.empty() && text.find('\n') == text.size() - 1;
}

TEST(tool, names_what_is_missing_and_does_the_others) {
  const temporary_file file("a b\n");
  const std::string name = file.path().string();
  const shell_result result = shell("$riffle wc /missing " + name);
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "riffle: cannot open '/missing': No such file or directory\n");
  EXPECT_EQ(result.out, "1 2 4 " + name + "\n1 2 4 total\n");
}

TEST(tool, refuses_a_directory_in_every_command) {
  for (const char* command : {"wc", "count --lines", "sum --type u8", "cat", "cat --lines", "advise"}) {
    const shell_result result = shell(std::string("$riffle ") + command + " /tmp");
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_EQ(result.err, "riffle: cannot read '/tmp': Is a directory\n") << command;
  }
}

// As of GNU wc, 1; of every other command, 2.
int status_of_wrong_usage(std::string_view command) {
  return command.starts_with("wc") ? 1 : 2;
}

TEST(tool, says_wrong_usage_in_one_line) {
  for (const char* command : {"", "nonsense", "wc --nonsense", "wc --method nonsense", "wc --block-size x",
                              "count", "count --byte ab", "count --lines --byte a", "sum", "sum --type u65",
                              "bench --task x", "wc --threads -1", "cat --delimiter xyz"}) {
    const shell_result result = shell(std::string("$riffle ") + command + " < /dev/null");
    EXPECT_EQ(result.status, status_of_wrong_usage(command)) << command;
    EXPECT_TRUE(one_line(result.err)) << command << ": " << result.err;
    EXPECT_EQ(result.err.rfind("riffle", 0), 0U) << result.err;
  }
}

TEST(tool, help_has_examples_for_every_command) {
  for (const char* command :
       {"wc", "count", "sum", "cat", "bench", "bench compare", "bench reproduce", "advise", "methods"}) {
    const shell_result result = shell(std::string("$riffle ") + command + " --help");
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.out.find("Examples:"), std::string::npos) << command;
    EXPECT_TRUE(result.err.empty());
  }
  EXPECT_EQ(shell("$riffle --version").out.rfind("riffle 0.", 0), 0U);
}

TEST(tool, says_that_the_output_is_lost) {
  const temporary_file file(patterned_bytes(1 << 20));
  for (const char* command : {"wc", "cat", "cat --lines", "count --lines", "sum --type u8", "methods"}) {
    const std::string name = std::string_view(command) == "methods" ? "" : file.path().string();
    const shell_result result = shell(std::string("$riffle ") + command + " " + name + " > /dev/full");
    EXPECT_EQ(result.status, 1) << command;
    EXPECT_EQ(result.err, "riffle: cannot write 'standard output': No space left on device\n") << command;
  }
}

TEST(tool, says_that_the_help_is_lost) {
  for (const char* command : {"--version", "--help", "wc --help", "bench compare --help"}) {
    const shell_result full = shell(std::string("$riffle ") + command + " > /dev/full");
    EXPECT_EQ(full.status, 1) << command;
    EXPECT_EQ(full.err, "riffle: cannot write 'standard output': No space left on device\n") << command;
    const shell_result closed = shell(std::string("$riffle ") + command + " >&-");
    EXPECT_EQ(closed.status, 1) << command;
    EXPECT_EQ(closed.err, "riffle: cannot write 'standard output': Bad file descriptor\n") << command;
  }
}

TEST(tool, names_what_is_wrong_with_a_command_line) {
  struct row {
    const char* line;
    const char* error;
  };
  const row rows[] = {
      {"", "no command; name one, such as wc (see riffle --help)"},
      {"foo", "unknown command 'foo' (see riffle --help)"},
      {"--foo wc", "unknown option '--foo' (see riffle --help)"},
      {"wc --foo", "unknown option '--foo' (see riffle wc --help)"},
      {"bench compare --foo", "unknown option '--foo' (see riffle bench compare --help)"},
      {"wc -1", "unknown option '-1' (see riffle wc --help)"},
      {"methods x", "unexpected argument 'x' (see riffle methods --help)"},
      {"wc --block-size 8T a b", "--block-size '8T': too large; use at most 1G (see riffle wc --help)"},
      {"bench --block-size 8T a",
       "--block-size '8T': not a list of sizes from 1 to 1G; write 64K, 4K,64K,1M or 4K..1G (see riffle "
       "bench "
       "--help)"},
      {"wc --threads 2000 a", "--threads '2000': too large; use at most 1024 (see riffle wc --help)"},
      {"count --byte a --lines",
       "--lines: use only one of --any-of, --none-of, --byte, --lines, --rows, --fasta, --fastq (see riffle "
       "count "
       "--help)"},
      {"count --any-of z-a",
       "--any-of 'z-a': reversed range; write the smaller byte first (see riffle count --help)"},
  };
  for (const row& each : rows) {
    const shell_result result = shell(std::string("$riffle ") + each.line + " < /dev/null");
    EXPECT_EQ(result.status, status_of_wrong_usage(each.line)) << each.line;
    EXPECT_EQ(result.out, "") << each.line;
    EXPECT_EQ(result.err, std::string("riffle: ") + each.error + "\n") << each.line;
  }
}

TEST(tool, opens_the_file_of_the_name_given) {
  const temporary_directory directory;
  const std::string in = "cd " + directory.path().string() +
                         " && printf 1 > '[x]' && printf 22 > '[a,b]' && " +
                         "printf 333 > ++ && printf 4444 > ./-1 && printf 55555 > ./-- && ";
  EXPECT_EQ(shell(in + "$riffle cat '[x]' '[a,b]' ++ -- -1 --").out, "122333444455555");
  EXPECT_EQ(shell(in + "$riffle wc -c -- '[a,b]'").out, "2 [a,b]\n");
  EXPECT_EQ(shell(in + "$riffle wc -c ''").err, "riffle: invalid zero-length file name\n");
  EXPECT_EQ(shell(in + "$riffle bench --task gc --rounds 1 '[a]'").err,
            "riffle: cannot open '[a]': No such file or directory\n");
}

TEST(tool, names_the_file_whose_sum_does_not_fit) {
  const temporary_file file(std::string(16, '\xFF'));
  const std::string name = file.path().string();
  const shell_result result = shell("$riffle sum --type u64 " + name + " - < /dev/null");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "0 -\n0 total\n");
  EXPECT_EQ(result.err, "riffle: cannot sum '" + name + "': the sum does not fit u64\n");
}

TEST(tool, counts_the_bytes_of_escapes_and_ranges) {
  const std::string text = R"(printf 'a\\n-b\nc\n' | $riffle count )";  // a\n-b, then c
  EXPECT_EQ(shell(text + R"(--any-of '\n')").out, "2\n");
  EXPECT_EQ(shell(text + R"(--any-of a-c)").out, "3\n");
  EXPECT_EQ(shell(text + R"(--any-of 'a\-')").out, "2\n");
  EXPECT_EQ(shell(text + R"(--byte '\\')").out, "1\n");
}

TEST(tool, ends_with_its_status_when_nobody_hears_its_errors) {
  for (const char* nowhere : {" 2>&-", " 2>/dev/full"}) {
    EXPECT_EQ(shell(std::string("$riffle wc /missing") + nowhere).status, 1) << nowhere;
    EXPECT_EQ(shell(std::string("$riffle bench /missing") + nowhere).status, 1) << nowhere;
    EXPECT_EQ(shell(std::string("$riffle bench --nonsense") + nowhere).status, 2) << nowhere;
  }
}

TEST(tool, prints_no_name_that_a_terminal_would_obey) {
  const temporary_directory directory;
  const std::string name = "'" + directory.path().string() + "/a\x1b[31m\n\xE2\x80\xAE'";
  const shell_result missing = shell("$riffle wc " + name);
  EXPECT_TRUE(missing.err.ends_with("/a?[31m?\?': No such file or directory\n")) << missing.err;
  const shell_result unknown = shell("$riffle wc --method " + name);
  EXPECT_TRUE(one_line(unknown.err)) << unknown.err;
  EXPECT_EQ(unknown.err.find('\x1b'), std::string::npos) << unknown.err;
  const shell_result advice = shell("echo > " + name + "; $riffle advise " + name);
  EXPECT_NE(advice.out.find("/a?[31m?\?\n"), std::string::npos) << advice.out;
  if (shell("command -v script").status != 0)
    GTEST_SKIP() << "script(1), which makes a terminal, is not here";
  const shell_result progress =
      shell("export name=" + name +
            "; TERM=xterm NO_COLOR=1 script -qec '$riffle bench --task gc --rounds 1 "
            "--contender riffle/read \"$name\"' /dev/null");
  EXPECT_NE(progress.out.find("gc on a?[31m?\?"), std::string::npos) << progress.out;
  EXPECT_EQ(progress.out.find("a\x1b[31m"), std::string::npos);
}

TEST(tool, dies_of_a_closed_pipe_quietly) {
  const shell_result result =
      shell("env --default-signal=PIPE $riffle cat /dev/zero | head -c 10 | $riffle wc -c");
  EXPECT_EQ(result.out, "10\n");
  EXPECT_TRUE(result.err.empty()) << result.err;
}

TEST(tool, says_that_standard_input_is_closed) {
  const shell_result result = shell("$riffle wc <&-");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, "riffle: cannot read 'standard input': Bad file descriptor\n");
}

TEST(tool, lets_no_file_take_the_place_of_a_closed_descriptor) {
  const temporary_directory directory;
  const std::string in = "cd " + directory.path().string() + " && truncate -s 20M f && ";
  for (int round = 0; round < 5; ++round) {
    const shell_result counted = shell(in + "$riffle wc -c --threads 3 f - f f f f <&-");
    EXPECT_EQ(counted.status, 1);
    EXPECT_EQ(counted.err, "riffle: cannot read 'standard input': Bad file descriptor\n");
    EXPECT_NE(counted.out.find("       0 -\n"), std::string::npos) << counted.out;
  }
}

TEST(tool, refuses_a_method_that_cannot_read_the_input) {
  const shell_result result = shell("echo | $riffle wc --method mmap");
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.err.find("mmap reads only regular files and block devices; use --method automatic"),
            std::string::npos)
      << result.err;
  const shell_result proc = shell("$riffle wc --method mmap /proc/cpuinfo");
  EXPECT_EQ(proc.status, 1);
  EXPECT_TRUE(one_line(proc.err)) << proc.err;
}

TEST(tool, refuses_an_unknown_kernel_once_before_anything) {
  const shell_result result = shell("RIFFLE_KERNEL=nonsense $riffle wc /etc/passwd /etc/passwd");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.out, "");
  EXPECT_TRUE(one_line(result.err)) << result.err;
  EXPECT_NE(result.err.find("nonsense"), std::string::npos);
  EXPECT_EQ(shell("RIFFLE_KERNEL=nonsense $riffle wc --help").status, 0);
  EXPECT_EQ(shell("RIFFLE_KERNEL=scalar $riffle methods | grep active").out, "  scalar     active\n");
}

TEST(tool, counts_bytes_and_sets) {
  const temporary_file file(std::string("cCgGatn\0\n\n", 10));
  const std::string name = file.path().string();
  EXPECT_EQ(shell("$riffle count --any-of cCgG " + name).out, "4\n");
  EXPECT_EQ(shell("$riffle count --lines " + name).out, "2\n");
  EXPECT_EQ(shell("$riffle count --byte '\\0' " + name).out, "1\n");
  EXPECT_EQ(shell("$riffle count --byte '\\x61' --threads 2 " + name).out, "1\n");
  EXPECT_EQ(shell("$riffle count --byte a " + name + " " + name + " | tail -1").out, "2 total\n");
}

TEST(tool, sums_numbers) {
  const bool big = std::endian::native == std::endian::big;
  const temporary_file file(big ? std::string("\0\0\0\1\xff\xff\xff\xff", 8)
                                : std::string("\1\0\0\0\xff\xff\xff\xff", 8));
  const std::string numbers = "cat " + file.path().string();
  EXPECT_EQ(shell(numbers + " | $riffle sum --type i32").out, "0\n");
  EXPECT_EQ(shell(numbers + " | $riffle sum --type u32").out, "4294967296\n");
  EXPECT_EQ(shell(numbers + " | $riffle sum --type u16 --block-size 1").out, "131071\n");
  EXPECT_EQ(shell(numbers + " | $riffle sum --type u32 --big-endian").out,
            big ? "4294967296\n" : "4311744511\n");
  EXPECT_EQ(shell("head -c 16 /dev/zero | tr '\\0' '\\377' | $riffle sum --type u64").status, 1);
  const shell_result cut = shell("printf 'abcde' | $riffle sum --type u32");
  EXPECT_EQ(cut.status, 1);
  EXPECT_EQ(cut.err, "riffle: cannot read 'standard input' at byte 4: the input ends inside a value\n");
}

TEST(tool, copies_exactly) {
  const temporary_file file(patterned_bytes(300000) + "no newline at the end");
  const std::string name = file.path().string();
  for (const char* options :
       {"", "--lines", "--delimiter a", "--lines --block-size 100", "--method mmap --lines"}) {
    EXPECT_EQ(shell(std::string("$riffle cat ") + options + " " + name + " | cmp - " + name).status, 0)
        << options;
  }
  EXPECT_EQ(shell("printf 'a\\r\\nb\\r\\n' | $riffle cat --strip-cr").out, "a\nb\n");
  const shell_result bounded = shell("printf 'ab\\nabcdef\\n' | $riffle cat --max-length 3");
  EXPECT_EQ(bounded.status, 1);
  EXPECT_EQ(bounded.out, "ab\n");  // what was right before the failure is still there
  EXPECT_EQ(bounded.err,
            "riffle: cannot read 'standard input' at byte 3: the record is longer than --max-length\n");
}

TEST(tool, benches_the_files_given) {
  const temporary_file file(patterned_bytes(100000));
  const std::string name = file.path().string();
  const shell_result result =
      shell("$riffle bench --task gc --task lines --contender 'riffle/*' --rounds 1 " + name);
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("gc:"), std::string::npos);
  EXPECT_NE(result.out.find("lines:"), std::string::npos);
  EXPECT_NE(
      result.out.find("\n2 tables in about 100 s, if one run of each contender fits; --time changes it\n"),
      std::string::npos)
      << result.out;
  EXPECT_EQ(shell("$riffle bench --task ints " + name).status, 1);  // not in that format
  EXPECT_EQ(shell("$riffle bench --rounds 1 /missing").err,
            "riffle: cannot open '/missing': No such file or directory\n");
}

TEST(tool, writes_the_bench_in_every_form) {
  const temporary_file file(patterned_bytes(10000));
  const temporary_directory directory;
  const std::string name = file.path().string();
  const std::string saved = (directory.path() / "new" / "results").string();
  const std::string bench = "$riffle bench --task gc --contender 'riffle/read,riffle/mmap' --rounds 1 ";
  const shell_result all = shell(bench + "--save " + saved + " " + name);
  EXPECT_EQ(all.status, 0) << all.err;
  EXPECT_TRUE(all.out.ends_with("The whole report: " + saved + "/bench.html\n")) << all.out;
  for (const char* form : {"json", "csv", "md", "html"}) {
    EXPECT_GT(std::filesystem::file_size(saved + "/bench." + form), 500U) << form;
  }
  const shell_result json = shell(bench + "--json - " + name);
  EXPECT_TRUE(json.out.starts_with("{\n\"schema\"")) << json.out;
  EXPECT_EQ(shell("$riffle bench compare " + saved + "/bench.json " + saved + "/bench.json").status, 0);
  EXPECT_EQ(shell(bench + "--save " + saved + " " + name).status, 0);  // its own reports it writes anew
  const shell_result nowhere = shell(bench + "--csv /nowhere/x.csv " + name);
  EXPECT_EQ(nowhere.status, 1);
  EXPECT_EQ(nowhere.out, "");  // before anything was measured
  EXPECT_EQ(nowhere.err, "riffle: cannot write '/nowhere/x.csv': No such file or directory\n");
}

TEST(tool, overwrites_nothing_that_is_no_report) {
  const temporary_file file("precious\n");
  const temporary_directory directory;
  const std::string in = "cd " + directory.path().string() + " && echo kept > bench.md && ln -sf " +
                         file.path().string() + " link && ";
  const std::string bench = in + "$riffle bench --task gc --rounds 1 ";
  for (const char* options :
       {"--json $name $name", "--html link $name", "--json $name", "--csv link", "--save .",
        "--json - --csv - $name", "--json x --csv ./x $name", "--save y --json y/bench.json $name"}) {
    const shell_result refused = shell("name=" + file.path().string() + "; " + bench + options);
    EXPECT_EQ(refused.status, 2) << options;
    EXPECT_TRUE(one_line(refused.err)) << refused.err;
    EXPECT_NE(refused.err.find("name another file"), std::string::npos) << refused.err;
    EXPECT_EQ(file.contents(), "precious\n") << options;
    EXPECT_EQ(shell(in + "cat bench.md; ls").out, "kept\nbench.md\nlink\n") << options;
    std::filesystem::remove(directory.path() / "link");
  }
}

TEST(tool, writes_the_forms_that_it_can) {
  const temporary_file file(patterned_bytes(10000));
  const temporary_directory directory;
  const std::string bench =
      "cd " + directory.path().string() + " && $riffle bench --task gc --contender riffle/read --rounds 1 ";
  const std::string lost = "riffle: cannot write '/dev/full': No space left on device\n";
  const shell_result result =
      shell(bench + "--json /dev/full --csv x.csv --html /dev/full " + file.path().string());
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err, lost + lost);
  EXPECT_GT(std::filesystem::file_size(directory.path() / "x.csv"), 300U);
  EXPECT_EQ(result.out.find("The whole report"), std::string::npos) << result.out;
  const shell_result full = shell(bench + "--csv x.csv " + file.path().string() + " > /dev/full");
  EXPECT_EQ(full.status, 1);
  EXPECT_NE(full.err.find("riffle: cannot write 'standard output': No space left on device\n"),
            std::string::npos)
      << full.err;
}

TEST(tool, loses_nothing_when_its_terminal_or_reader_goes) {
  const temporary_directory directory;
  const std::string bench = "cd " + directory.path().string() +
                            "; mkdir -p t; TMPDIR=t env --default-signal=HUP $riffle bench --task gc,lines "
                            "--size 1M --rounds 100000 --json x.json ";
  const std::string left = "grep -c '\"complete\": false' x.json; ls t";
  const shell_result hung_up =
      shell(bench + "--time 60 > out & sleep 3; kill -HUP $!; wait $!; echo $?; " + left);
  EXPECT_EQ(hung_up.out, "129\n1\n") << hung_up.err;
  const shell_result ignored = shell(
      "trap '' HUP; $riffle bench --task gc --contender riffle/read --size 1M --rounds 1 > /dev/null & "
      "sleep 1; kill -HUP $!; wait $!");  // as nohup(1) does
  EXPECT_EQ(ignored.status, 0) << ignored.err;
  const shell_result unread = shell(bench + "--time 3 | head -1 > out; echo ${PIPESTATUS[0]}; " + left);
  EXPECT_EQ(unread.out, "1\n1\n") << unread.err;
  EXPECT_NE(unread.err.find("cannot write 'standard output': Broken pipe"), std::string::npos) << unread.err;
  const shell_result tables =
      shell("cd " + directory.path().string() +
            "; TMPDIR=t $riffle bench reproduce mapped --size 64K --time 1 | true; ls t");
  EXPECT_EQ(tables.out, "");
  EXPECT_EQ(tables.err, "riffle: cannot write 'standard output': Broken pipe\n");
}

TEST(tool, reports_what_was_measured_until_it_was_interrupted) {
  const temporary_directory directory;
  const std::string json = (directory.path() / "x.json").string();
  // A run of a minute at least. timeout(1) signals the program and then its group, which is twice the same.
  const shell_result result = shell("timeout --preserve-status -s INT 6 $riffle bench --json " + json);
  EXPECT_EQ(result.status, 130) << result.err;
  EXPECT_EQ(result.err, "riffle bench: not complete: interrupted\n");
  EXPECT_EQ(shell("grep -c '\"complete\": false' " + json).out, "1\n");
}

TEST(tool, refuses_bench_options_that_mean_nothing) {
  for (const char* options : {"--size 4K..", "--size 4K,", "--size ..4K", "--size 2TiB", "--size 0",
                              "--size 1M..4K", "--block-size x", "--cache warm", "--task x", "--threads 0",
                              "--size 4K /etc/passwd", "--contender nonesuch", "--contender scan", "compare",
                              "--time nan", "--time 0", "--time inf", "--time 1s", "reproduce --time nan"}) {
    const shell_result result = shell(std::string("$riffle bench ") + options);
    EXPECT_EQ(result.status, 2) << options;
    EXPECT_EQ(result.out, "") << options;
    EXPECT_FALSE(result.err.empty()) << options;
    EXPECT_LT(result.err.size(), 250U) << result.err;
  }
  EXPECT_NE(
      shell("$riffle bench --task x").err.find("no such task 'x'; use one of gc, lines, words, ints, primes"),
      std::string::npos);
  EXPECT_NE(shell("$riffle bench --time 0").err.find("--time '0': not a number of seconds above 0"),
            std::string::npos);
}

TEST(tool, measures_nothing_twice) {
  const auto rows = [](const std::string& sweeps) {
    return shell("$riffle bench --task primes --contender riffle/read --rounds 1 --time 0.5 --csv - " +
                 sweeps + " | grep -c ,riffle,")
        .out;
  };
  EXPECT_EQ(rows("--threads 1,1 --block-size 4K,4K --size 4K,8K,4K"),
            rows("--threads 1 --block-size 4K --size 4K,8K"));
}

TEST(tool, says_where_it_cannot_make_its_files) {
  const shell_result result = shell("TMPDIR=/nonexistent $riffle bench --task gc");
  EXPECT_EQ(result.status, 1);
  EXPECT_EQ(result.err,
            "riffle: cannot make files in '/nonexistent': No such file or directory; set TMPDIR to another "
            "directory\n");
}

TEST(tool, sweeps_sizes_in_steps_of_four_up_to_the_end) {
  const std::string bench = "$riffle bench --task primes --contender riffle/read --rounds 1 --json - --size ";
  const std::string sizes = " | grep -o '\"bytes\":[0-9]*,\"made' | sort -u | wc -l";
  EXPECT_EQ(shell(bench + "4K..32K" + sizes).out, "3\n");
  EXPECT_EQ(shell(bench + "4K,8K,8K" + sizes).out, "2\n");
  EXPECT_EQ(shell(bench + "8..8" + sizes).out, "1\n");
}

TEST(tool, colours_nothing_that_is_no_terminal) {
  const std::string bench = "$riffle bench --task gc --contender riffle/read --rounds 1 --size 4K";
  EXPECT_EQ(shell(bench + " | grep -c $'\\033'").out, "0\n");
  const std::string on_terminal = "TERM=xterm script -qec \"" + bench + "\" /dev/null";
  if (shell("command -v script").status != 0)
    GTEST_SKIP() << "script(1), which makes a terminal, is not here";
  EXPECT_NE(shell(on_terminal + " | grep -c $'\\033\\['").out, "0\n");
  EXPECT_EQ(shell("NO_COLOR=1 " + on_terminal + " | grep -c $'\\033\\['").out, "0\n");
}

TEST(tool, advises_with_reasons_and_options) {
  const shell_result result = shell("$riffle advise /etc/passwd; $riffle advise - < <(echo)");
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("the file is smaller than 8 MiB"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("{.method = riffle::method::read, .block_size = 256 << 10}"), std::string::npos);
  EXPECT_NE(result.out.find("--method read --block-size 256K"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("a pipe, socket or device cannot be mapped"), std::string::npos) << result.out;
}

TEST(tool, measures_whether_its_advice_is_right) {
  const temporary_file file(patterned_bytes(100000));
  const shell_result result = shell("$riffle advise --measure --time 0.2 " + file.path().string());
  // On a busy machine another method may happen to win, or too few runs fit into the time.
  EXPECT_TRUE(result.status <= 1 || result.status == 3) << result.status << result.err;
  for (const char* part : {"> ", "automatic", "read 64K", "mmap", "\nThe automatic choice "})
    EXPECT_NE(result.out.find(part), std::string::npos) << part << " in " << result.out;
}

TEST(tool, evicts_a_file_before_it_chooses_how_to_read_it_cold) {
  const temporary_file file(patterned_bytes(16 << 20));
  const shell_result result =
      shell("$riffle advise --measure --cache hot,cold --time 0.3 " + file.path().string());
  if (result.err.find("cannot evict") != std::string::npos) GTEST_SKIP() << result.err;
  const std::string cold = result.out.substr(std::min(result.out.find("cold: evicted"), result.out.size()));
  EXPECT_NE(result.out.find("hot: in the page cache"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("in cache     100 %"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("in cache     0 %"), std::string::npos) << result.out;
  EXPECT_NE(cold.find(" mmap "), std::string::npos) << "every method has its row: " << result.out;
}

TEST(tool, says_what_it_cannot_measure) {
  const shell_result result = shell("$riffle advise --measure - /dev/null < <(echo)");
  EXPECT_EQ(result.status, 1);
  for (const char* file : {"-", "/dev/null", "/proc/cpuinfo"})
    EXPECT_EQ(shell(std::string("$riffle advise --measure ") + file + " < /etc/passwd").status, 1) << file;
  for (const char* part :
       {"each contender must open it; name the file", "it is a device, socket or terminal"})
    EXPECT_NE(result.err.find(part), std::string::npos) << result.err;
  EXPECT_EQ(shell("$riffle advise --time 1 /etc/passwd").status, 2);  // of what is not measured
}

TEST(tool, advise_describes_the_machine_when_there_is_no_file) {
  const shell_result result = shell("$riffle advise < /dev/null");
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_EQ(result.out.find("standard input"), std::string::npos) << result.out;
  EXPECT_FALSE(result.out.empty());
}

TEST(tool, advise_leaves_nothing_behind_when_it_is_interrupted) {
  const temporary_directory directory;
  const shell_result result =
      shell("TMPDIR=" + directory.path().string() + " timeout --preserve-status -s INT 0.5 $riffle advise");
  EXPECT_EQ(result.status, 130) << result.err;
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

}  // namespace
}  // namespace riffle::test
