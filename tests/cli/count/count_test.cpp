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

TEST(count, counts_rows_by_any_number_of_threads) {
  std::string text = "\xEF\xBB\xBF";
  for (int i = 0; i < 300'000; ++i) text += "\"a,\n\"\"\",b\"\n";
  const temporary_file file(text + "last");
  const std::string name = file.path().string();
  for (const char* threads : {"", " --threads 1", " --threads 3"}) {
    EXPECT_EQ(shell("$riffle count --rows --separator , --quote '\"' " + name + threads).out, "300001\n");
    EXPECT_EQ(shell("$riffle count --tsv --rows " + name + threads).out, "600001\n");
  }
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
