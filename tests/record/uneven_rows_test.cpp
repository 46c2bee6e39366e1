/// Rows that are short or long, fields that are blank or stand for no value: as a plain parser and a loop
/// over its rows have them, by every block size and number of threads.
#include <riffle/columns.hpp>
#include <riffle/parallel_rows.hpp>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct seen {
  std::vector<std::vector<std::string>> rows = {};
  std::vector<std::uint64_t> bad = {};  // the offsets of rows that failed
  friend bool operator==(const seen&, const seen&) = default;
};

seen operator+(seen left, const seen& right) {
  std::ranges::copy(right.rows, std::back_inserter(left.rows));
  std::ranges::copy(right.bad, std::back_inserter(left.bad));
  return left;
}

// The loop of the cookbook, which goes on after an error.
seen read_all(row_range& from) {
  seen all;
  for (bool ended = false; !ended;) {
    try {
      for (const row each : from) {
        std::vector<std::string> fields;
        for (std::size_t i = 0; i != each.size(); ++i) fields.emplace_back(each.unescaped(i));
        EXPECT_EQ(each.size(), std::size_t(std::distance(each.begin(), each.end())));
        all.rows.push_back(fields);
      }
      ended = true;
    } catch (const error& failure) {
      if (failure.code() != errc::wrong_field_count) throw;
      all.bad.push_back(failure.offset().value());
    }
  }
  return all;
}

std::string without_blanks(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

seen expected(const std::string& text, const dialect& options) {
  naive_table table = naive_rows(text, options);
  seen all;
  std::optional<std::size_t> width;
  bool header = options.header;
  for (naive_row& each : table.rows) {
    if (!width) width = each.unescaped.size();
    if (std::exchange(header, false)) continue;
    for (std::size_t i = 0; options.trim && i != each.raw.size(); ++i) {
      const bool is_quoted = options.quote && each.raw[i].starts_with(*options.quote);
      if (!is_quoted) each.unescaped[i] = without_blanks(each.unescaped[i]);
    }
    if (options.ragged == ragged::fail && each.unescaped.size() != *width) {
      all.bad.push_back(each.offset);
      continue;
    }
    if (options.ragged == ragged::pad) each.unescaped.resize(std::max(*width, each.unescaped.size()));
    all.rows.push_back(each.unescaped);
  }
  return all;
}

// Quotes are closed, so that the tables have no other errors.
std::string random_table(unsigned seed) {
  std::mt19937 random(seed);
  std::string text;
  for (std::size_t rows = random() % 40 + 1; rows != 0; --rows) {
    for (std::size_t fields = random() % 4 + 1; fields != 0; --fields) {
      constexpr std::array parts{
          "", "a", " b ", "\t", "\"\"", "\"c\"\"d\"", "\"e,\nf\"", "\" g \"", "long text here", "\r"};
      text += parts[random() % parts.size()];
      if (fields != 1) text += ',';
    }
    text += random() % 3 == 0 ? "\r\n" : "\n";
  }
  if (random() % 3 == 0) text.pop_back();
  return text;
}

TEST(uneven_rows, are_kept_refused_or_padded_by_every_block_size_and_thread) {
  for (unsigned seed = 0; seed != 40; ++seed) {
    const std::string text = random_table(seed);
    const temporary_file file(text);
    for (const ragged what : {ragged::keep, ragged::fail, ragged::pad}) {
      for (const bool flag : {false, true}) {
        for (const bool header : {false, true}) {
          const dialect each{.strip_cr = seed % 2 == 0, .ragged = what, .trim = flag, .header = header};
          const seen right = expected(text, each);
          for (const std::size_t size : {1U, 7U, 64U, 0U}) {
            row_range all = rows(file.path(), each, {.method = method::read, .block_size = size});
            ASSERT_EQ(read_all(all), right) << testing::PrintToString(text) << size;
          }
          for (std::size_t parts = 1; parts <= 9; parts += 2) {
            for (const unsigned threads : {1U, 3U}) {
              const seen found = parallel_rows(file.path(), seen(), read_all, std::plus<>(), each,
                                               {.threads = threads, .split_size = text.size() / parts + 1});
              ASSERT_EQ(found, right) << testing::PrintToString(text) << parts << ' ' << threads;
            }
          }
          seen joined;  // of the splits that other processes read
          for (const file_split& split : splits(file.path(), {.size = text.size() / 3 + 1}, each)) {
            row_range part = rows(read_split(split), each);
            joined = joined + read_all(part);
          }
          ASSERT_EQ(joined, right) << testing::PrintToString(text);
        }
      }
    }
  }
}

TEST(uneven_rows, say_both_numbers_of_fields) {
  for (const auto& [text, header, offset, says] :
       {std::tuple("a,b\n1,2\n1,2,3\n", true, 8U, ": row 2 has 3 fields, the header 2"),
        {"a,b\n1\n", true, 4U, ": row 1 has 1 field, the header 2"},
        {"a,b\n\n1\r\n", false, 5U, ": row 2 has 1 field, the first row 2"}}) {
    for (const unsigned threads : {1U, 2U}) {
      const dialect options{.ragged = ragged::fail, .header = header};
      const auto pass = [](row_range& part) { return std::ranges::distance(part); };
      const error failure = thrown_by([&, in = memory(std::string_view(text))] {
        (void)parallel_rows(in, std::ptrdiff_t{0}, pass, {}, options, {.threads = threads, .split_size = 1});
      });
      EXPECT_THAT(failure, is_error(errc::wrong_field_count, offset));
      EXPECT_THAT(failure.what(), testing::EndsWith(says));
      EXPECT_EQ(failure.code(), std::errc::bad_message);
    }
  }
}

// A failure that the map did not ask for is none.
TEST(uneven_rows, that_a_map_leaves_do_not_fail) {
  const auto first = [](row_range& part) { return std::string((*part.begin())[0]); };
  EXPECT_EQ(parallel_rows(memory(std::string_view("a,b\nc\n")), std::string(), first, std::plus<>(),
                          {.ragged = ragged::fail}, {.threads = 1}),
            "a");
}

TEST(uneven_rows, give_columns_without_a_value) {
  std::vector<std::optional<int>> found;
  const std::string text = "a, b \n1,2\n3\n4, NA \n\"\", \"\"\n5,null\n6,\n";
  for (const auto [a, b] : columns<std::optional<int>, std::optional<int>>(
           memory(text), {"a", "b"}, {.ragged = ragged::pad, .trim = true, .null = {"NA", "null", "\"\""}})) {
    found.insert(found.end(), {a, b});
  }
  EXPECT_EQ(found, (std::vector<std::optional<int>>{1, 2, 3, {}, 4, {}, {}, {}, 5, {}, 6, {}}));
}

struct null_case {
  const char* field;
  bool is_null;
  std::optional<std::optional<double>> value;  // none: an error
};

TEST(null_texts, are_those_of_the_dialect) {
  for (const null_case& each : {null_case{"NA", true, std::optional<double>()},
                                {"\"NA\"", true, std::optional<double>()},
                                {"", false, std::optional<double>()},
                                {"1.5", false, 1.5},
                                {"-9", true, std::optional<double>()},
                                {"na", false, {}},
                                {" NA", false, {}}}) {
    const std::string text = "x," + std::string(each.field) + "\n";
    for (const row one : rows(memory(text), {.null = {"NA", "-9"}})) {
      EXPECT_EQ(one.is_null(1), each.is_null) << each.field;
      std::optional<std::optional<double>> value;
      const auto failure = error_of([&] { value = one.get<std::optional<double>>(1); });
      EXPECT_EQ(value, each.value) << each.field;
      if (!failure) continue;
      EXPECT_THAT(failure->what(),
                  testing::HasSubstr("is no number: '" + std::string(each.field) +
                                     "'; if it stands for no value, name it in dialect::null"));
    }
  }
  for (const row one : rows(memory(std::string_view(",NA\n")), {.null = {""}})) {
    EXPECT_TRUE(one.is_null(0));
    EXPECT_FALSE(one.is_null(1));
    EXPECT_EQ(code_of([&] { (void)one.is_null(2); }), errc::missing_field);
  }
}

// By the rule of CSV in PostgreSQL's COPY.
TEST(null_texts, are_values_in_quotes_if_the_dialect_says_so) {
  using text = std::optional<std::string_view>;
  for (const auto& [field, is_null, value] : {std::tuple{"NA", true, text()},
                                              {"\"NA\"", false, text("NA")},
                                              {"", false, text()},
                                              {"\"\"", false, text("")},
                                              {"  \"\"", false, text("")},
                                              {"\"\"NA", false, text("NA")},
                                              {"\"a\"\"b\"", false, text("a\"b")},
                                              {"x", false, text("x")}}) {
    const std::string row_of = "y," + std::string(field) + "\n";
    for (const row one :
         rows(memory(row_of), {.skip_initial_space = true, .null = {"NA"}, .quoted_null = false})) {
      EXPECT_EQ(one.is_null(1), is_null) << field;
      EXPECT_EQ(one.get<text>(1), value) << field;
      const auto failure = error_of([&] { (void)one.get<std::optional<double>>(1); });
      ASSERT_EQ(failure.has_value(), value.has_value()) << field;
      EXPECT_EQ(failure && failure->remedy().what == advice::name_null,
                value && std::string_view(field).find('"') == std::string_view::npos)
          << field;
    }
  }
  for (const row one : rows(memory(std::string_view("\"\",1\n")),
                            {.quote = std::nullopt, .null = {"\"\""}, .quoted_null = false})) {
    EXPECT_TRUE(one.is_null(0));
  }
  for (const row one : rows(memory(std::string_view("\"\"\n")), {.null = {""}, .quoted_null = false})) {
    EXPECT_FALSE(one.is_null(0));
    EXPECT_EQ(code_of([&] { (void)one.is_null(1); }), errc::missing_field);
  }
}

TEST(null_texts, name_a_padded_field_at_the_end_of_its_row) {
  for (const row one :
       rows(memory(std::string_view("a,b,c\n1\n")), {.ragged = ragged::pad, .header = true})) {
    const error failure = thrown_by([&] { (void)one.get<int>(2); });
    EXPECT_EQ(failure.offset(), 7U);
    EXPECT_EQ(one.offset_behind(), 8U);
  }
}

}  // namespace
}  // namespace riffle::test
