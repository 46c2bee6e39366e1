/// Lines have the same matches however a file is cut.
#include <map>

#include "cli/count/per_line.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

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

}  // namespace
}  // namespace riffle::test
