/// Columns are found by their names, and given as values of the types that were named.
#include <riffle/columns.hpp>

#include <ranges>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

static_assert(std::default_initializable<column_range<std::string_view, double>::iterator>);
static_assert(field_value<std::optional<std::uint8_t>> && field_value<bool>);
static_assert(!field_value<char> && !field_value<long double> && !field_value<std::string> &&
              !field_value<int*>);

// Empty rows are rows.
constexpr dialect csv{.skip_blank = false, .header = true};

const std::string prices =
    "\"item\",\"unit \"\"list\"\" price\",n\r\napple,1.5,3\r\n\"pear, \"\"big\"\"\",\"0.25\",\r\n";
constexpr std::string_view unit = "unit \"list\" price";

TEST(header, gives_each_column_its_index) {
  const temporary_file file(prices);
  for (const std::size_t size : {1U, 7U, 4096U}) {
    row_range all = rows(file.path(), csv, {.method = method::read, .block_size = size});
    EXPECT_EQ(all.column("n"), 2U);
    EXPECT_EQ(all.column(unit), 1U);
    EXPECT_EQ(all.names(), (std::vector<std::string>{"item", std::string(unit), "n"}));
    std::vector<std::string> found;
    for (const row each : all) {
      found.push_back(std::to_string(each.number()) + ':' + std::string(each.unescaped(0)));
      EXPECT_EQ(each.offset(), found.size() == 1 ? 32U : 45U);
    }
    EXPECT_EQ(found, (std::vector<std::string>{"1:apple", "2:pear, \"big\""}));
    EXPECT_EQ(all.column("item"), 0U) << "after the rows too";
  }
}

TEST(header, is_no_row) {
  for (const auto& [text, count] :
       {std::pair{"", 0}, {"\n", 0}, {"a", 0}, {"a\n", 0}, {"a\n\n", 1}, {"a\nb", 1}}) {
    EXPECT_EQ(std::ranges::distance(rows(memory(std::string_view(text)), csv)), count) << text;
  }
  for (const std::size_t size :
       {4094U, 4095U, 4096U, 8191U, 8192U, 70000U}) {  // the header ends a batch or a block
    const std::string text = std::string(size, 'x') + "\n1\n2\n";
    const temporary_file file(text);
    for (const std::size_t block_size : {4096U, 65536U}) {
      row_range all = rows(file.path(), csv, {.method = method::read, .block_size = block_size});
      int sum = 0;
      for (const row each : all) sum += each.get<int>(0);
      EXPECT_EQ(sum, 3) << size;
    }
  }
}

// For a program that copies it.
TEST(header, is_the_record_before_the_first_one) {
  row_range all = rows(memory(prices), {.header = true});
  auto at = detail::steps::resume(all);
  EXPECT_EQ(at.record.number(), 0U);
  EXPECT_EQ(at.record[0], "\"item\"");
  EXPECT_EQ(at.record.offset_behind(), 32U);
  ASSERT_TRUE(detail::steps::advance(all, at));
  EXPECT_EQ(at.record[0], "apple");
  row_range none = rows(memory(std::string_view()), csv);
  EXPECT_EQ(detail::steps::resume(none).record.size(), 0U);
}

// A CR inside quotes is a part of the name. The rows behind the header stay where they are.
TEST(header, drops_the_cr_that_ends_it) {
  for (const auto& [text, last] : {std::pair{"a,b\r\n", "b"},
                                   {"a,\"b\"\r\n", "b"},
                                   {"a,\"b\"x\r\n", "bx"},
                                   {"a,\"b\r\"\r\n", "b\r"},
                                   {"a,\"b\r\"\n", "b\r"},
                                   {"a,b\r\r\n", "b\r"},
                                   {"a,\r\n", ""}}) {
    const std::string all_text = std::string(text) + "1,2\n";
    for (const bool strip_cr : {false, true}) {
      row_range all = rows(memory(all_text), {.strip_cr = strip_cr, .header = true});
      EXPECT_EQ(all.names().back(), last) << testing::PrintToString(text) << strip_cr;
      auto at = detail::steps::resume(all);
      EXPECT_TRUE(strip_cr || "a," + std::string(at.record[1]) + '\n' == text) << "as it stands";
      EXPECT_EQ(at.record.offset_behind(), all_text.size() - 4) << testing::PrintToString(text);
      ASSERT_TRUE(detail::steps::advance(all, at));
      EXPECT_EQ(at.record[0], "1");
    }
  }
}

struct name_case {
  std::string text;
  dialect options;
  std::string_view name;
  std::string says;
};

TEST(header, knows_what_it_lacks) {
  std::string many;
  for (int i = 0; i < 10000; ++i) many += std::to_string(i) + ",";
  for (const name_case& each : std::vector<name_case>{
           {"a,b\n", csv, "c", "no column 'c'; the columns are 'a', 'b'"},
           {"a, b\n", csv, "b", "no column 'b'; the columns are 'a', ' b'"},
           {"a\n", csv, "A", "no column 'A'; the columns are 'a'"},
           {"b,a,b,b\n", csv, "b", "the columns 1 and 3 are both named 'b'"},
           {"", csv, "a", "no column 'a', as the input has no rows"},
           {"a\n", {}, "a", "no column 'a', as the rows have no names; set header"},
       }) {
    const temporary_file file(each.text);
    row_range all = rows(file.path(), each.options);
    for (int again = 0; again < 2; ++again) {
      const error failure = thrown_by([&] { (void)all.column(each.name); });
      EXPECT_EQ(failure.code(), errc::no_such_column);
      EXPECT_EQ(failure.what(), "cannot read '" + file.path().string() + "': " + each.says);
    }
  }
  row_range all = rows(memory(many), csv);
  const auto failure = error_of([&] { (void)all.column("x"); });
  EXPECT_THAT(failure->what(), testing::EndsWith(", ..."));
  EXPECT_LT(std::string_view(failure->what()).size(), 1200U);
  EXPECT_EQ(all.column("9999"), 9999U);
  row_range moved = std::move(all);
  EXPECT_EQ(code_of([&] { (void)all.column("x"); }), errc::invalid_argument);
}

TEST(header, names_the_field_that_a_row_lacks) {
  row_range all = rows(memory(std::string_view("a,b\n1\n")), csv);
  const std::size_t b = all.column("b");
  for (const row each : all) {
    const error failure = thrown_by([&] { (void)each.at(b); });
    EXPECT_THAT(failure, is_error(errc::missing_field, 4U));
    EXPECT_THAT(failure.what(), testing::EndsWith("row 1 has 1 field, and no column 'b'"));
  }
}

// The error comes again, and the row that failed is not taken for the header.
TEST(header, that_cannot_be_read_is_an_error_each_time) {
  struct header_case {
    const char* text;
    dialect options;
    errc code;
    const char* says;
  };
  for (const auto& [text, options, code, says] :
       {header_case{"too long,b\n1,2\n",
                    {.header = true, .max_length = 9},
                    errc::record_too_long,
                    "use a larger max_length"},
        header_case{"\"open\n1,2\n", csv, errc::bad_quoting, "a quote is not closed in the header"}}) {
    row_range all = rows(memory(std::string_view(text)), options);
    for (int again = 0; again < 2; ++again) {
      const auto failure = error_of([&] { (void)all.column("b"); });
      EXPECT_EQ(failure->code(), code);
      EXPECT_THAT(failure->what(), testing::EndsWith(says));
      EXPECT_EQ(code_of([&] { (void)all.begin(); }), code);
    }
  }
}

TEST(columns, are_the_values_of_each_row) {
  const temporary_file file(prices);
  std::vector<std::tuple<std::string, double, std::optional<int>>> found;
  for (auto [item, price, count] :
       columns<std::string_view, double, std::optional<int>>(file.path(), {"item", unit, "n"})) {
    found.emplace_back(item, price, count);
  }
  EXPECT_EQ(found, (decltype(found){{"apple", 1.5, 3}, {"pear, \"big\"", 0.25, std::nullopt}}));
}

TEST(columns, take_options_of_rows_and_of_reading) {
  const temporary_file file("x\ty\n1\t\"2\n3\t\"4\n");
  int sum = 0;
  for (auto [x] : columns<int>(file.path(), {"x"}, tsv, {.method = method::read, .block_size = 1})) sum += x;
  EXPECT_EQ(sum, 4);
  const temporary_file other("x,y\n1,2\n");
  for (auto [y, x] : columns<int, int>(other.path(), {"y", "x"}, {.method = method::read})) {
    EXPECT_EQ(y, 2);
    EXPECT_EQ(x, 1);
  }
}

TEST(columns, are_read_by_for_each_and_ranges) {
  const std::string text = "a,b\n1,2\n3,4\n5,6\n";
  int sum = 0;
  for_each(columns<int>(memory(text), {"b"}), [&](const auto& values) {
    sum += std::get<0>(values);
    return sum < 6;
  });
  EXPECT_EQ(sum, 6);
  EXPECT_EQ(std::ranges::distance(columns<int, int>(memory(text), {"a", "b"})), 3);
}

TEST(columns, have_escapes_in_names_and_values) {
  const std::string text = "\\\"a, \"b\\\"c\"\n1\\2, x\\,y\n";
  const dialect rules{.escape = '\\', .skip_initial_space = true};
  for (const auto& [number, name] : columns<int, std::string_view>(memory(text), {"\"a", "b\"c"}, rules)) {
    EXPECT_EQ(number, 12);
    EXPECT_EQ(name, "x,y");
  }
  row_range all = rows(memory(text), rules);
  EXPECT_EQ((*all.begin())[1], " \"b\\\"c\"");  // as it stands in the input
}

TEST(columns, go_on_behind_the_row_that_failed) {
  auto all = columns<int>(memory(std::string_view("a,b\n1,x\n2\nx,3\n\"4\",x\n")), {"b"});
  std::vector<std::string> failures;
  int rows_read = 0;
  for (int again = 0; again < 5; ++again) {
    if (const auto failure = error_of([&] {
          for (auto [b] : all) rows_read += b;
        })) {
      failures.push_back(failure->code().message());
    }
  }
  EXPECT_EQ(rows_read, 3);
  EXPECT_EQ(failures, (std::vector<std::string>{"bad value", "missing field", "bad value"}));
  EXPECT_EQ(all.from().name(), "memory");
}

TEST(columns, refuse_names_that_are_not_there) {
  EXPECT_EQ(code_of([] { static_cast<void>(columns<int>(memory(std::string_view("a,b\n")), {"c"})); }),
            errc::no_such_column);
  EXPECT_EQ(code_of([] { static_cast<void>(columns<int>("/no/such/file", {"c"})); }),
            std::errc::no_such_file_or_directory);
}

}  // namespace
}  // namespace riffle::test
