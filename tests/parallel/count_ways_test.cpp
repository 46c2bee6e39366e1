/// Each count that is faster than a loop over records gives what the loop gives, and fails as it does.
#include <gtest/gtest.h>
#include <riffle/count.hpp>
#include <riffle/count_text.hpp>
#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/rows.hpp>
#include <riffle/value_counts.hpp>
#include <riffle/words.hpp>

#include <algorithm>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// The number, or the failure.
template <class Count>
std::string outcome(Count count) {
  try {
    return std::to_string(count());
  } catch (const error& failed) {
    return failed.what();
  }
}

template <class Records, class Weight>
std::uint64_t total(Records&& records, Weight weight) {
  std::uint64_t sum = 0;
  for (const auto& each : records) sum += static_cast<std::uint64_t>(weight(each));
  return sum;
}

void expect_same_counts(const std::string& bytes, const read_options& reading, unsigned threads) {
  const memory in(bytes);
  const count_options by{.threads = threads};
  const parallel_options splitting{.threads = threads, .split_size = 3};
  const auto all_lines = [&] { return lines(in, {.keep_delimiter = true}, reading); };
  const auto one = [](const auto&) { return std::uint64_t{1}; };
  const auto size = [](std::string_view line) { return std::uint64_t{line.size()}; };
  const auto ended = [](std::string_view line) { return line.ends_with('\n') ? 1U : 0U; };
  const auto has_seven = [](std::string_view line) { return line.find('7') != line.npos ? 1U : 0U; };
  const auto sevens = [](std::string_view line) { return std::ranges::count(line, '7'); };
  const auto rows_of = [&](row_range& part) { return total(part, one); };
  const auto with = [&](auto function) {
    std::uint64_t found = 0;
    function(found, source(in, reading));
    return found;
  };
  struct row {
    std::string fast;
    std::string slow;
  };
  const std::vector<row> table{{outcome([&] { return count_lines(in, by, reading); }),
                                outcome([&] { return total(all_lines(), ended); })},
                               {outcome([&] { return count_byte(in, '7', by, reading); }),
                                outcome([&] { return total(all_lines(), sevens); })},
                               {outcome([&] { return count_occurrences(in, "7", by, reading); }),
                                outcome([&] { return total(all_lines(), sevens); })},
                               {outcome([&] { return count_lines_with(in, "7", by, reading); }),
                                outcome([&] { return total(all_lines(), has_seven); })},
                               {outcome([&] {
                                  return with([&](auto& found, source from) {
                                    count_lines_with_into(found, std::move(from), "7", splitting);
                                  });
                                }),
                                outcome([&] { return total(all_lines(), has_seven); })},
                               {outcome([&] { return count_words(in, by, reading); }),
                                outcome([&] { return total(words(in, {}, reading), one); })},
                               {outcome([&] { return count_text(in, {.threads = threads}, reading).words; }),
                                outcome([&] { return total(words(in, {}, reading), one); })},
                               {outcome([&] { return count_text(in, {.threads = threads}, reading).bytes; }),
                                outcome([&] { return total(all_lines(), size); })},
                               {outcome([&] {
                                  const byte_counts counts = count_bytes(in, by, reading);
                                  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
                                }),
                                outcome([&] { return total(all_lines(), size); })},
                               {outcome([&] {
                                  return parallel_rows(in, std::uint64_t{0}, rows_of, std::plus<>(), csv,
                                                       splitting, reading);
                                }),
                                outcome([&] { return total(rows(in, csv, reading), one); })},
                               {outcome([&] {
                                  return total(value_counts(in, {.threads = threads}, reading),
                                               [](const auto& each) { return each.count; });
                                }),
                                outcome([&] { return total(all_lines(), one); })}};
  for (std::size_t i = 0; i != table.size(); ++i) {
    EXPECT_EQ(table[i].fast, table[i].slow)
        << "count " << i << " of " << testing::PrintToString(bytes.substr(0, 80));
  }
}

TEST(counts, are_those_of_loops_over_records) {
  const auto gzip = std::ranges::find(containers(), decoding::gzip, &container::format);
  for (const char* const text : {"", "\n", "7", "a 7\nb",
                                 "\xEF\xBB\xBF"
                                 "7,a\n7\n",
                                 "\xEF\xBB\xBF", "\xEF\xBB", "\r\r\r", "7\ra\r7\r", "7\r\n\r\na 7\r\n",
                                 "a\n\r7\n\r", "\"7\n7\",a\nb,7\n", "a\n\"7\n", "7\v7\f\n 7",
                                 "\xFF\xFE"
                                 "7\n"}) {
    for (const unsigned threads : {1U, 3U}) {
      expect_same_counts(text, {}, threads);
      if (missing(*gzip)) continue;
      const read_options decode{.decode = decoding::automatic};
      const std::string whole = gzip->member(text);
      std::string damaged = whole;
      damaged[whole.size() - 6] ^= 1;
      for (const std::string& each : {whole, whole + whole, damaged, whole.substr(0, whole.size() - 5)})
        expect_same_counts(each, decode, threads);
    }
  }
}

}  // namespace
}  // namespace riffle::test
