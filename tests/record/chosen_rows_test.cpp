/// Rows that a range may pass before it cuts them: asked once more, they are the chosen ones of all rows, for
/// every block size and number of threads.
#include <riffle/parallel_rows.hpp>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr std::string_view wanted = "x";

void find_wanted(std::string_view lines, std::vector<row_run>& runs) {
  for (std::size_t at = 0; (at = lines.find(wanted, at)) != std::string_view::npos; at = runs.back().end) {
    runs.push_back({lines.rfind('\n', at) + 1, lines.find('\n', at) + 1});
  }
}

struct chosen {
  std::vector<std::pair<std::uint64_t, std::vector<std::string>>> rows = {};  // each with its offset
  std::size_t cut = 0;
  bool operator==(const chosen& other) const { return rows == other.rows; }
};

chosen operator+(chosen left, const chosen& right) {
  left.rows.insert(left.rows.end(), right.rows.begin(), right.rows.end());
  left.cut += right.cut;
  return left;
}

chosen all_in(row_range& from) {
  chosen found;
  for (const row each : from) {
    ++found.cut;
    if (each.text().find(wanted) == std::string_view::npos) continue;
    found.rows.push_back({each.offset(), {}});
    for (std::size_t i = 0; i != each.size(); ++i) found.rows.back().second.emplace_back(each.unescaped(i));
  }
  return found;
}

std::string random_table(unsigned seed) {
  std::mt19937 random(seed);
  const std::string_view parts = seed % 3 == 0 ? "aa,,  #\r\n" : "aa,,  #\r\n\"";
  std::string text = "\xEF\xBB\xBFh,x\n";
  for (int i = 0; i < 3000; ++i) {
    if (random() % 40 == 0) text += 'x';
    if (random() % 90 == 0) text += "\"x\n#\",";
    text += std::string(random() % 9 == 0 ? 9 : 1,
                        parts[random() % (parts.size() - (random() % 8 == 0 ? 0 : 1))]);
  }
  return text + (random() % 2 == 0 ? "\n\"x\"" : "\n");
}

TEST(chosen_rows, are_those_of_all_rows) {
  const std::vector<dialect> dialects{
      {},
      {.header = true},
      {.quote = std::nullopt, .skip_rows = 2, .comment = '#', .header = true},
      {.comment = '#', .ragged = ragged::pad, .count_lines = true},
      {.separator = ' ', .whitespace = true, .quote = std::nullopt},
      {.quote = std::nullopt, .strip_cr = false, .skip_bom = false, .skip_blank = false},
      {.escape = '\r', .strip_cr = false}};
  for (unsigned seed = 0; seed != 30; ++seed) {
    const std::string text = random_table(seed);
    const temporary_file file(text);
    for (const dialect& each : dialects) {
      const auto outcome = [&](std::size_t size, unsigned threads, bool chooses) {
        std::pair<chosen, std::string> result;
        try {
          row_range from(file.path(), each, {.method = method::read, .block_size = size});
          if (chooses) from.choose(find_wanted);
          if (threads == 0) {
            result.first = all_in(from);
          } else {
            parallel_rows_into(result.first, std::move(from), all_in, std::plus<>(),
                               {.threads = threads, .split_size = 500});
          }
        } catch (const error& failure) {
          result = {{}, std::string(failure.what())};
        }
        return result;
      };
      const auto expected = outcome(0, 0, false);
      for (const std::size_t size : {0U, 1U, 64U, 1000U}) {
        for (const unsigned threads : {0U, 1U, 3U}) {
          SCOPED_TRACE(std::to_string(seed) + " " + std::to_string(size) + " " + std::to_string(threads));
          const auto found = outcome(size, threads, true);
          EXPECT_EQ(found.first, expected.first);
          EXPECT_EQ(found.second.empty(), expected.second.empty()) << found.second << expected.second;
        }
      }
    }
  }
}

// Of lines without quotes no other is cut, but for those at the front.
TEST(chosen_rows, are_cut_alone) {
  std::string text = "h,h\n";
  for (int i = 0; i < 100'000; ++i) text += (i % 1000 == 7 ? "x," : "a,") + std::to_string(i) + "\n";
  row_range from(memory(text), {.header = true}, {});
  from.choose(find_wanted);
  const chosen found = all_in(from);
  EXPECT_EQ(found.rows.size(), 100U);
  EXPECT_LE(found.cut, 100U + 2 * 4096 / 4);
  EXPECT_EQ(found.rows.back().second.back(), "99007");
}

}  // namespace
}  // namespace riffle::test
