/// Every kernel ends fields and rows where a plain parser does, and finds the first byte that breaks the
/// rules of quoting, wherever that byte lies.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernels.hpp"
#include "tests/support/guarded.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::test {
namespace {

using kernel::table;

struct found_rows {
  std::vector<std::uint64_t> ends;
  std::vector<std::uint32_t> rows;
  std::optional<std::uint64_t> bad;
  std::vector<std::uint64_t> doubled;  // of each piece
  friend bool operator==(const found_rows&, const found_rows&) = default;
};

// Where fields and rows end in `data`, by calls for pieces of it.
found_rows rows_in_pieces(const table& kernel, std::string_view data, const row_options& options,
                          std::size_t piece) {
  found_rows all;
  kernel::quote_state state;
  const kernel::row_bytes bytes{options.field, options.delimiter, options.quote.value_or('\0'),
                                options.quoting == quoting::lax};
  std::vector<std::uint64_t> ends(piece + kernel::row_slack);
  std::vector<std::uint32_t> rows(piece + kernel::row_slack);
  for (std::size_t at = 0; at < data.size() && !all.bad; at += piece) {
    const std::string_view part = data.substr(at, piece);
    const auto found =
        options.quote
            ? kernel.match_quoted_rows(part.data(), part.size(), bytes, state, at, ends.data(), rows.data())
            : kernel.match_rows(part.data(), part.size(), bytes, at, ends.data(), rows.data());
    if (found.size != part.size()) all.bad = at + found.size;
    for (std::size_t i = 0; i < found.rows; ++i) {
      all.rows.push_back(rows[i] + static_cast<std::uint32_t>(all.ends.size()));
    }
    all.ends.insert(all.ends.end(), ends.data(), ends.data() + found.ends);
    all.doubled.push_back(found.doubled);
  }
  return all;
}

// For each piece the mask of the 64 bytes with a quote that stands behind a closing one.
std::vector<std::uint64_t> naive_doubled(std::string_view data, const row_options& options,
                                         std::size_t piece) {
  std::vector<std::uint64_t> masks;
  bool inside = false;
  for (std::size_t i = 0; i != data.size(); ++i) {
    if (i % piece == 0) masks.push_back(0);
    if (data[i] != options.quote) continue;
    if (!inside && i != 0 && data[i - 1] == options.quote) {
      masks.back() |= std::uint64_t{1} << std::min<std::size_t>(i % piece / 64, 63);
    }
    inside = !inside;
  }
  return masks;
}

void expect_rows(const table& kernel, std::string_view data, std::size_t piece) {
  for (const row_options& options : {row_options{},
                                     {.quote = '"', .quoting = quoting::strict},
                                     {.field = '\r', .quote = '"', .quoting = quoting::strict}}) {
    const naive_table expected = naive_rows(data, options);
    EXPECT_EQ(
        rows_in_pieces(kernel, data, options, piece),
        (found_rows{expected.ends, expected.row_ends, expected.bad,
                    naive_doubled(data.substr(0, expected.bad.value_or(data.size()) + 1), options, piece)}))
        << testing::PrintToString(std::string(data)) << ", in pieces of " << piece;
  }
}

// For each piece the mask of the 64 bytes with a field that goes on behind its closing quote, by strict rules
// for as long as they hold. The kernel may name more behind the first byte that is bad by these.
std::vector<std::uint64_t> lax_changes(std::string_view data, row_options options, std::size_t piece) {
  options.quoting = quoting::strict;
  const std::uint64_t bad = naive_rows(data, options).bad.value_or(data.size());
  std::vector<std::uint64_t> masks = naive_doubled(data.substr(0, bad), options, piece);
  masks.resize((data.size() + piece - 1) / piece);
  if (bad != data.size())
    masks[bad / piece] |= std::uint64_t{1} << std::min<std::size_t>(bad % piece / 64, 63);
  return masks;
}

void expect_lax_rows(const table& kernel, std::string_view data, std::size_t piece) {
  for (const row_options& options : {row_options{.quote = '"'}, {.field = '\r', .quote = '"'}}) {
    const naive_table expected = naive_rows(data, options);
    const found_rows found = rows_in_pieces(kernel, data, options, piece);
    std::vector<std::uint64_t> changed = lax_changes(data, options, piece);
    for (std::size_t i = 0; i != changed.size(); ++i) changed[i] |= found.doubled[i];
    EXPECT_EQ(found, (found_rows{expected.ends, expected.row_ends, std::nullopt, changed}))
        << testing::PrintToString(std::string(data)) << ", in pieces of " << piece;
  }
}

class each_row_kernel : public testing::TestWithParam<const table*> {
 protected:
  const table& kernel() const { return *GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(kernels, each_row_kernel, testing::ValuesIn(kernel::available()),
                         [](const auto& tested) { return tested.param->name; });

// Dense and sparse, well quoted and not; cut at every byte and not at all.
TEST_P(each_row_kernel, ends_fields_and_rows_as_a_plain_parser_does) {
  constexpr std::array<std::string_view, 6> alphabets{
      ",\n",   "a,\n",     "aaaaaaaaaaaaaaaaaaaa,\n",
      ",\n\"", "a,\n\"\r", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa,,\n\r"};
  guarded memory(4096);
  for (unsigned seed = 0; seed < 240; ++seed) {
    const std::size_t size = seed % 300;
    std::string text = random_text(size, seed, alphabets[seed % alphabets.size()]);
    if (seed % 2 == 0 && size > 10) {  // a quoted field in the midst
      const std::size_t from = seed % (size - 8);
      text.replace(from, 8, ",\"b,\"\"\n\"").replace(from + 8, 1, seed % 4 == 0 ? "\n" : "\r");
    }
    const std::span<char> place = memory.last(text.size());
    std::ranges::copy(text, place.begin());
    for (const std::size_t piece : {1U, 7U, 64U, 65U, 1000U}) {
      expect_rows(kernel(), {place.data(), place.size()}, piece);
      expect_lax_rows(kernel(), {place.data(), place.size()}, piece);
      ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
  }
}

// A plain field moves each pattern through all places of two blocks of 64. Doubled quotes stand before and
// behind.
TEST_P(each_row_kernel, finds_bad_quoting_at_each_byte_of_a_block) {
  constexpr std::array<std::string_view, 12> between{
      "b\"",                 // a quote inside an unquoted field
      "\"c\"d",              // a byte behind a closing quote
      "\"c\"\rd",            // a CR behind it that ends no row
      "\"c\"\r,",            // the same before the end of a field
      "\"c\"\r\"",           // and before a quote
      "\"c\"\"",             // a quote that is not closed
      "\"c\"\"\"d",          // a byte behind a doubled quote and a closing one
      "\"\"\"\"\"\"d",       // the same behind an empty field's doubled quotes
      "\"c\",\"\"\"\"\"e",   // a doubled quote, closed and open again
      "\"c\"\r\nf\"",        // a quote inside a field behind a quoted one
      "\"c\"\n\"\"g",        // a byte behind an empty quoted field
      "\"c,\n\"\"\r\"\r\n",  // nothing bad
  };
  guarded memory(4096);
  for (const std::string_view front : {"a", "\"\"\"a\"\"\"", "\"a\"\"b\""}) {
    for (const std::string_view middle : between) {
      for (std::size_t at = 10; at != 10 + 130; ++at) {
        std::string text(front);
        text += ',' + std::string(at - text.size() - 2, 'x') + ',';
        text += std::string(middle) + ",\"\"\"\",h\"i" + std::string(at % 3 * 40, 'y') + "\n";
        const std::span<char> place = memory.last(text.size());
        std::ranges::copy(text, place.begin());
        for (const std::size_t piece : {64U, 67U, 4096U}) {
          expect_rows(kernel(), {place.data(), place.size()}, piece);
          expect_lax_rows(kernel(), {place.data(), place.size()}, piece);
          expect_lax_rows(kernel(), {place.data(), place.size()}, piece);
          ASSERT_FALSE(HasFailure()) << "at byte " << at;
        }
      }
    }
  }
}

}  // namespace
}  // namespace riffle::test
