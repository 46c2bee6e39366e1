/// Rows with escapes, with quotes that are not doubled and with spaces before fields are those of a plain
/// parser, by every block size and number of threads.
#include <riffle/columns.hpp>
#include <riffle/parallel_rows.hpp>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using table = std::vector<std::vector<std::string>>;

table read_all(row_range& from) {
  table all;
  for (const row each : from) {
    std::vector<std::string> fields;
    for (std::size_t i = 0; i != each.size(); ++i) fields.emplace_back(each.unescaped(i));
    all.push_back(fields);
  }
  return all;
}

table joined(table left, const table& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

const std::vector<dialect>& dialects() {
  static const std::vector<dialect> all{
      {.escape = '\\'},
      {.double_quote = false},
      {.double_quote = false, .escape = '\\'},
      {.skip_initial_space = true},
      {.double_quote = false, .escape = '\\', .skip_initial_space = true},
      {.quote = std::nullopt, .escape = '\\'},
      {.separator = ';', .quote = '\'', .escape = '^', .skip_initial_space = true}};
  return all;
}

TEST(escaped_fields, are_those_of_a_plain_parser) {
  std::mt19937 random(3);
  std::size_t whole = 0;
  for (int round = 0; round != 600; ++round) {
    const dialect& rules = dialects()[random() % dialects().size()];
    const std::string text = random_text(random() % 40, static_cast<unsigned>(random()), "a \\^\"',;\n");
    const naive_table naive = naive_rows(text, rules);
    table expected;
    for (const naive_row& each : naive.rows) expected.push_back(each.unescaped);
    const bool right = !naive.bad && !naive.open;
    const temporary_file file(text);
    const std::string shown = testing::PrintToString(text);
    for (const std::size_t size : {1U, 2U, 7U, 0U}) {
      row_range found = rows(file.path(), rules, {.method = method::read, .block_size = size});
      if (right) {
        ASSERT_EQ(read_all(found), expected) << shown << size;
      } else {
        ASSERT_EQ(code_of([&] { read_all(found); }), errc::bad_quoting) << shown << size;
      }
    }
    if (!right) continue;
    ++whole;
    for (const unsigned threads : {1U, 3U}) {
      const std::size_t size = random() % 9 + 1;
      ASSERT_EQ(parallel_rows(file.path(), table(), read_all, joined, rules,
                              {.threads = threads, .split_size = size}),
                expected)
          << shown << size;
      table all;
      for (const file_split& split : splits(file.path(), {.size = size}, rules)) {
        row_range part = rows(read_split(split), rules);
        all = joined(all, read_all(part));
      }
      ASSERT_EQ(all, expected) << shown << size;
    }
  }
  EXPECT_GT(whole, 200U);
}

TEST(escaped_fields, are_values_and_names_too) {
  const std::string text = "\\\"a, \"b\\\"c\"\n1\\2, x\\,y\n";
  const dialect rules{.escape = '\\', .skip_initial_space = true};
  for (const auto& [number, name] : columns<int, std::string_view>(memory(text), {"\"a", "b\"c"}, rules)) {
    EXPECT_EQ(number, 12);
    EXPECT_EQ(name, "x,y");
  }
  row_range all = rows(memory(text), rules);
  const row first = *all.begin();
  EXPECT_EQ(first[1], " \"b\\\"c\"");  // as it stands in the input
}

TEST(escaped_fields, follow_the_other_rules) {
  const auto read = [](std::string_view text, const dialect& rules) {
    row_range all = rows(memory(text), rules);
    return read_all(all);
  };
  EXPECT_EQ(read("a\\b \r\n", {.escape = '\\', .trim = true}), (table{{"ab"}}));
  EXPECT_EQ(read("#a\n\\#b\n", {.escape = '\\', .comment = '#'}), (table{{"#b"}}));
  constexpr dialect strict{.quoting = quoting::strict, .escape = '\\'};
  EXPECT_EQ(read("\"a\\\"b\",\\\"c\r\n\"d\"\r\n", strict), (table{{"a\"b", "\"c"}, {"d"}}));
  for (const auto& [text, offset] :
       {std::pair("a\"b\n", 1U), {"\"a\"b\n", 3U}, {"\"a\"\rb\n", 4U}, {"a\\", 1U}}) {
    const error failure = thrown_by([&, text = std::string_view(text)] { read(text, strict); });
    EXPECT_EQ(failure.code(), errc::bad_quoting);
    EXPECT_EQ(failure.offset(), offset) << text;
  }
}

TEST(escaped_fields, need_bytes_of_their_own) {
  for (const auto& [rules, said] :
       {std::pair(dialect{.escape = ','}, "the escape and the separator are the same byte"),
        {dialect{.escape = '\n'}, "the escape and the delimiter are the same byte"},
        {dialect{.escape = '"'}, "the escape and the quote are the same byte"},
        {dialect{.escape = '#', .comment = '#'}, "the start of comments and the escape are the same byte"},
        {dialect{.quote = std::nullopt, .double_quote = false}, "there is no quote that could be doubled"},
        {dialect{.separator = ' ', .skip_initial_space = true}, "the separator is the space that is skipped"},
        {dialect{.whitespace = true, .quote = std::nullopt, .escape = '\\'},
         "fields between white space are cut by no other rules"}}) {
    const error failure =
        thrown_by([&, rules = rules] { static_cast<void>(rows(memory(std::string_view("a")), rules)); });
    EXPECT_EQ(failure.code(), errc::invalid_argument);
    EXPECT_EQ(failure.detail(), said);
  }
}

}  // namespace
}  // namespace riffle::test
