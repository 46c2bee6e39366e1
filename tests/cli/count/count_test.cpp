/// `riffle count` counts what `tr -dc SET | wc -c` counts, and lines have the same matches however a file is
/// cut.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "cli/count/per_line.hpp"
#include "tests/support/oracles.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;

// The number that riffle prints of the file, or of the bytes that tr leaves of it.
std::string of_file(const std::string& command, const std::string& set, const temporary_file& file) {
  const std::string counted = command.starts_with("tr") ? " | wc -c" : "";
  return shell(command + " '" + set + "' < " + file.path().string() + counted).out;
}

TEST(count, counts_what_tr_leaves) {
  const temporary_file file(random_text(20'000, 1) + patterned_bytes(20'000));
  for (const char* set : {"a-z", "\\n", "\\0", "[:digit:]", "[:space:][:punct:]", "\\001-\\037",
                          "\\200-\\377", "[=a=]-", "a\\-z"}) {
    EXPECT_EQ(of_file("$riffle count --any-of", set, file), of_file("tr -dc", set, file)) << set;
    EXPECT_EQ(of_file("$riffle count --none-of", set, file), of_file("tr -d", set, file)) << set;
  }
}

TEST(count, takes_one_byte_by_the_same_syntax) {
  expect_rows({{"printf 'a\\nb\\n' | $riffle count --byte '\\012'", "2\n"},
               {"printf 'a b' | $riffle cat --delimiter '\\040' --lines", "a b"},
               {"$riffle count --byte '[:digit:]' < /dev/null", _,
                "riffle: --byte '[:digit:]': not one byte; write a character, or \\n \\r \\t \\\\ \\NNN "
                "(octal) \\xHH (see riffle count --help)\n",
                2}});
}

TEST(count, counts_rows_by_any_number_of_threads) {
  std::string text = "\xEF\xBB\xBF";
  for (int i = 0; i < 300'000; ++i) text += "\"a,\n\"\"\",b\"\n";
  const temporary_file file(text + "last");
  const std::string name = file.path().string();
  for (const char* threads : {"", " --threads 1", " --threads 3"}) {
    EXPECT_EQ(shell("$riffle count --rows --separator , --quote '\"' " + name + threads).out, "300001\n");
    EXPECT_EQ(shell("$riffle count --tsv --rows " + name + threads).out, "600001\n");
  }
  expect_rows(
      {{"printf '#\\n\\na\\n' | $riffle count --tsv --rows --comment '#'", "1\n"},
       {"printf 'a\\n\"b\\n' | $riffle count --rows --quote '\"'", _,
        "riffle: cannot read 'standard input' at byte 2: malformed quoting; a quote is not closed in row 2\n",
        1}});
}

TEST(count, prints_rows_as_wc_does_or_as_lines_of_json) {
  const std::string quoted = "2 'x'$'\\n''y'\n1 b c\n3 total\n";
  expect_rows({{"printf aa > $'x\\ny'; printf a > 'b c'; $riffle count --byte a $'x\\ny' 'b c'; command wc "
                "-c $'x\\ny' 'b c'",
                quoted + quoted},
               {"$riffle count --byte a --json x y",
                "{\"file\":\"x\",\"count\":2}\n{\"file\":\"y\",\"count\":0}\n{\"total\":true,\"files\":2,"
                "\"count\":2}\n"},
               {"$riffle count --byte a --per-line --json x x",
                "{\"file\":\"x\",\"count\":0,\"lines\":1}\n{\"file\":\"x\",\"count\":2,\"lines\":1}\n"
                "{\"file\":\"x\",\"count\":0,\"lines\":1}\n{\"file\":\"x\",\"count\":2,\"lines\":1}\n"
                "{\"total\":true,\"files\":2,\"count\":0,\"lines\":2}\n{\"total\":true,\"files\":2,\"count\":"
                "2,\"lines\":2}\n"},
               {"$riffle count --fasta --json y",
                "{\"file\":\"y\",\"name\":\"s\uFFFD\",\"length\":1,\"A\":0,\"C\":0,\"G\":1,\"T\":0,\"N\":0,"
                "\"gc\":100}\n"},
               {"printf '@\\nA\\n+\\n#' | $riffle count --fastq --json",
                "{\"file\":\"-\",\"reads\":1,\"bases\":1}\n{\"file\":\"-\",\"quality\":2,\"bases\":1}\n"}},
              "printf 'aa\\n\\n' > x; printf '>s\\xff\\nG' > y");
}

TEST(count, counts_a_text) {
  expect_rows({{"$riffle count --containing aa f g", "2 f\n0 g\n2 total\n"},
               {"$riffle count --occurrences aa f", "3\n"},
               {"$riffle count --occurrences 'a\\na' f", "1\n"},
               {"$riffle count --occurrences aa --per-line f", "0\t1\n1\t1\n2\t1\n"},
               {"$riffle count --containing aa --per-line f", "0\t1\n1\t1\n2\t1\n"},
               {"$riffle count --containing '\\xFF\\0' g", "1\n"},
               {"$riffle count --containing aa -v f g", "1 f\n1 g\n2 total\n"},
               {"$riffle count --starting-with a f", "3\n"},
               {"$riffle count --starting-with aaaa f", "1\n"},
               {"$riffle count --every 2~2 f g", "1 f\n0 g\n1 total\n"},
               {"$riffle count --containing aa --json f", "{\"file\":\"f\",\"count\":2}\n"},
               {"gzip -k f; $riffle count -z --containing aa --threads 2 f.gz", "2\n"}},
              "printf 'aaa\\na\\naaaa' > f; printf '\\377\\0' > g");
}

TEST(count, counts_in_every_so_many_lines_up_to_a_failure) {
  expect_rows({{"$riffle count --every 2~4 --byte a g /nowhere g; :", "2 g\n2 g\n4 total\n", _},
               {"gzip -c f | head -c 100000 > cut.gz; cmp <($riffle count --every 1~1 --lines cut.gz 2>&1) "
                "<($riffle count --lines -z cut.gz 2>&1)"}},
              "seq 1 99999 > f; printf 100000 >> f; printf 'a\naa\na\na\na\n' > g");
}

TEST(count, counts_each_byte) {
  expect_rows({{"$riffle count --bytes f", "\\x00\t1\n\\x0A\t1\nA\t2\n\\x5C\t1\n\\xFF\t1\n"},
               {"$riffle count --bytes --threads 2 g g", "b\t1\tg\nb\t1\tg\nb\t2\ttotal\n"},
               {"$riffle count --bytes --json g", "{\"file\":\"g\",\"byte\":98,\"count\":1}\n"},
               {"$riffle count --bytes < /dev/null"}},
              "printf 'A\\n\\0A\\\\\\377' > f; printf b > g");
}

TEST(count, adds_up_what_an_option_that_is_repeated_names) {
  expect_rows({{"$riffle count --lines --lines f", "4\n"},
               {"$riffle count --byte a --byte b f", "5\n"},
               {"$riffle count --any-of ab --any-of c f", "8\n"},
               {"$riffle count --none-of ab --none-of c f", "4\n"},
               {"$riffle count --byte a --byte b --per-line f", "0\t1\n1\t1\n2\t2\n"},
               {"$riffle count --every 1~1 --every 2~4 f", "1\n"},  // one value: the last one
               {"grep -o -e ab -e b f | wc -l; $riffle count --occurrences ab --occurrences b f", "3\n3\n"},
               {"grep -o -e cc -e c f | wc -l; $riffle count --occurrences c --occurrences cc f", "2\n2\n"},
               {"$riffle count --containing a --containing b --per-line f", "0\t1\n1\t1\n2\t2\n"},
               {"$riffle count --occurrences 'b\\n' --occurrences 'b\\n' f", "2\n"},
               {"$riffle count --occurrences a --occurrences 'b\\n' f", "",
                "riffle: --occurrences: no line holds a newline; leave out the options that choose lines, "
                "and other texts (see riffle count --help)\n",
                2}},
              "printf 'a\\nbb\\nccc\\nab\\n' > f");
}

TEST(count, finds_a_newline_in_the_quotes_of_a_row) {
  expect_rows(
      {{"$riffle count --rows --containing 'a\\nb' f", "1\n"},
       {"$riffle count --rows --plain --quote '\"' --starting-with '\"a\\n' f", "1\n"},
       {"$riffle cat --csv --containing 'a\\nb' f", "x,y\n\"a\nb\",2\n"},
       {"$riffle cat --csv --to-delimiter ';' --containing 'a\\nb' f", "x,y;\"a\nb\",2;"},
       {"$riffle cat --plain --containing 'a\\nb' f", "",
        "riffle: --containing: no line holds the byte that ends it; use a text without it (see riffle cat "
        "--help)\n",
        2},
       {"$riffle count --rows --tsv --containing 'a\\nb' f", "", testing::HasSubstr("no line holds"), 2}},
      "printf 'x,y\\n\"a\\nb\",2\\na,3\\n' > f");
}

TEST(count, takes_one_kind_of_thing_to_count) {
  const std::string help = " (see riffle count --help)\n";
  const std::string all =
      "--any-of, --none-of, --byte, --bytes, --lines, --occurrences, --rows, --fasta, --fastq, or of the "
      "options that choose lines" +
      help;
  const std::string one =
      "use only one of --any-of, --none-of, --byte, --bytes, --lines, --occurrences, --rows, --fasta, "
      "--fastq" +
      help;
  const std::string in_lines =
      "riffle: --occurrences: no line holds a newline; leave out the options that choose lines, and other "
      "texts" +
      help;
  const std::string newline =
      ": no line holds the byte that ends it; add --rows for the quotes of rows, or use --occurrences" + help;
  const std::string bytes =
      "riffle: --per-line counts bytes or a text; use it with --any-of, --none-of, --byte or --occurrences" +
      help;
  expect_rows(
      {{"$riffle count < e", _, "riffle: nothing to count; use one of " + all, 2},
       {"$riffle count --any-of a --none-of b < e", _, "riffle: --none-of 'b': " + one, 2},
       {"$riffle count --fasta --fastq < e", _, "riffle: --fastq: " + one, 2},
       {"$riffle count --per-line < e", _, bytes, 2},
       {"$riffle count --fasta --per-line < e", _, bytes, 2},
       {"$riffle count --starting-with a --per-line < e", _, bytes, 2},
       {"$riffle count --every 1~2 --bytes < e", _,
        "riffle: --bytes looks at all of a file; write riffle cat --every ... | riffle count" + help, 2},
       {"$riffle count --every 1~2 --per-line < e", _, bytes, 2},
       {"$riffle count --every 1~2 --occurrences 'a\\n' < e", _, in_lines, 2},
       {"$riffle count --fasta --containing a < e", _,
        "riffle: --fasta looks at all of a file; write riffle cat --containing ... | riffle count" + help, 2},
       {"$riffle count --occurrences 'a\\n' --containing a < e", _, in_lines, 2},
       {"$riffle count --fasta --total=only < e", _,
        "riffle: --fasta has no total; add --stats or --records" + help, 2},
       {"$riffle count --starting-with 'a\\n' < e", _, "riffle: --starting-with" + newline, 2},
       {"$riffle count --occurrences '' < e", _,
        "riffle: --occurrences '': an empty text; name at least one byte" + help, 2},
       {"$riffle count --containing 'a\\n' < e", _, "riffle: --containing" + newline, 2},
       {"$riffle count --none-of '[:digit' < e", _,
        "riffle: --none-of '[:digit': unclosed class; write [:digit:]" + help, 2}});
}

using histogram = std::map<std::uint64_t, std::uint64_t>;

histogram expected_lines(std::string_view text, const byte_set& set) {
  histogram lines;
  for (const std::string& line : naive_lines(text)) {
    ++lines[static_cast<std::uint64_t>(
        std::ranges::count_if(line, [&](char byte) { return set.contains(byte); }))];
  }
  return lines;
}

histogram found_lines(const cli::part_lines& found) {
  histogram lines;
  found.lines().for_each([&](std::uint64_t matches, std::uint64_t number) { lines[matches] = number; });
  return lines;
}

// The parts of that size, joined in the order of the input.
cli::part_lines in_parts(std::string_view text, const byte_set& set, std::size_t size) {
  const cli::line_counter count(set);
  cli::part_lines all;
  for (; !text.empty(); text.remove_prefix(std::min(size, text.size()))) {
    all = cli::line_counter::join(std::move(all), count(text.substr(0, size)));
  }
  return all;
}

TEST(per_line, is_the_same_for_every_cut) {
  for (const std::string_view alphabet : {"a\n", "ab\n", "aaaaaaaaaaaaaaab\n", "ab", "\n"}) {
    const std::string text = random_text(300, 1, alphabet);
    for (const std::string& each : {text, text + "\n", "\n" + text, std::string("\n"), std::string()}) {
      const histogram expected = expected_lines(each, byte_set("a"));
      for (std::size_t size = 1; size <= each.size() + 1; ++size) {
        ASSERT_EQ(found_lines(in_parts(each, byte_set("a"), size)), expected) << "parts of " << size;
      }
    }
  }
}

TEST(per_line, joins_parts_in_any_order_of_joining) {
  const std::string text = random_text(3000, 2, "aaaab\n");
  const byte_set set("a");
  const cli::line_counter count(set);
  for (std::size_t cut = 1; cut < text.size() - 1; cut += 41) {
    for (std::size_t other = cut + 1; other < text.size(); other += 300) {
      const std::string_view all = text;
      cli::part_lines right =
          cli::line_counter::join(count(all.substr(cut, other - cut)), count(all.substr(other)));
      ASSERT_EQ(found_lines(cli::line_counter::join(count(all.substr(0, cut)), right)),
                expected_lines(text, set));
    }
  }
}

TEST(per_line, crosses_batches_and_holds_many_matches) {
  std::string text;
  for (const std::size_t size : {0U, 1023U, 1024U, 1025U, 4095U, 4096U, 4097U, 1024U, 20000U}) {
    text += std::string(size, 'a') + "b\n";
  }
  text += "aa";
  for (const std::size_t size : {1U, 4095U, 4096U, 4097U, 100000U}) {
    EXPECT_EQ(found_lines(in_parts(text, byte_set("a"), size)), expected_lines(text, byte_set("a"))) << size;
  }
}

TEST(per_line, counts_no_newline) {
  EXPECT_EQ(found_lines(in_parts("a\n\nab\n", byte_set("a\n"), 9)), (histogram{{0, 1}, {1, 2}}));
}

TEST(per_line, prints_a_histogram) {
  expect_rows({{"printf 'a,b\\n\\nc,d,e\\nf,g' | $riffle count --byte , --per-line", "0\t1\n1\t2\n2\t1\n"},
               {"$riffle count --any-of a --per-line < /dev/null"},
               {"printf 'a\\nb' > x; printf 'aa\\nb\\n' > y; $riffle count --any-of a --per-line x y",
                "0\t1\tx\n1\t1\tx\n0\t1\ty\n2\t1\ty\n0\t2\ttotal\n1\t1\ttotal\n2\t1\ttotal\n"}});
}

TEST(per_line, equals_awk_for_all_block_sizes_and_threads) {
  const temporary_file file(random_text(100'000, 3, "aaab \n"));
  const std::string name = file.path().string();
  const std::string expected =
      shell("awk '{++lines[gsub(/a/, \"\")]} END {for (n in lines) print n \"\\t\" lines[n]}' " + name +
            " | sort -n")
          .out;
  ASSERT_FALSE(expected.empty());
  for (const char* options : {"", "--block-size 1K", "--block-size 4097 --method read", "--threads 3",
                              "--threads 2 --block-size 5000 --method read"}) {
    EXPECT_EQ(shell("$riffle count --byte a --per-line " + std::string(options) + " " + name).out, expected)
        << options;
  }
  EXPECT_EQ(shell("cat " + name + " | $riffle count --byte a --per-line --threads 2").out, expected);
}

}  // namespace

}  // namespace riffle::test
