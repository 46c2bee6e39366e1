/// Rows are those of a plain parser, by every method and block size, also with escapes, with quotes that are
/// not doubled and with spaces before fields; so are the errors of bad quoting.
#include <riffle/rows.hpp>

#include <ranges>

#include "tests/support/guarded.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Without what `riffle::csv` does beside cutting.
constexpr dialect csv{.strip_cr = false, .skip_blank = false, .count_lines = true};
constexpr dialect strict_csv{
    .quoting = quoting::strict, .strip_cr = false, .skip_blank = false, .count_lines = true};
constexpr dialect strict_escaped{.quoting = quoting::strict, .escape = '\\'};
constexpr dialect tsv{.separator = '\t', .quote = std::nullopt, .strip_cr = false, .skip_blank = false};

static_assert(std::default_initializable<row_range::iterator> &&
              std::is_default_constructible_v<row_range::iterator>);
static_assert(std::ranges::forward_range<row> && std::ranges::sized_range<row>);

naive_row copy_of(const row& found) {
  naive_row copied{.raw = {found.begin(), found.end()}, .offset = found.offset()};
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], copied.raw[i]);
    copied.unescaped.emplace_back(found.unescaped(i));
  }
  return copied;
}

void expect_as_naive(const input& from, const std::string& text, const dialect& options,
                     const read_options& reading = {}) {
  const naive_table expected = naive_rows(text, options);
  std::vector<naive_row> found;
  const auto failure = error_of([&] {
    for (const row each : rows(from, options, reading)) {
      found.push_back(copy_of(each));
      ASSERT_EQ(each.number(), found.size());
      const auto end = text.begin() + static_cast<std::ptrdiff_t>(each.offset() + each.text().size());
      ASSERT_EQ(each.line(), options.count_lines ? std::count(text.begin(), end, options.delimiter) + 1 : 0);
    }
  });
  ASSERT_EQ(found, expected.rows) << testing::PrintToString(text);
  ASSERT_EQ(failure && failure->code() == errc::invalid_argument ? failure->offset() : std::nullopt,
            expected.lone_cr)
      << testing::PrintToString(text);
  if (expected.lone_cr) return;
  const std::optional<std::uint64_t> bad = expected.bad ? expected.bad : expected.open;
  ASSERT_EQ(failure.has_value(), bad || expected.too_long) << testing::PrintToString(text);
  if (!failure) return;
  EXPECT_EQ(failure->code(), bad ? errc::bad_quoting : errc::record_too_long) << failure->what();
  EXPECT_EQ(failure->offset(), bad ? bad : expected.too_long) << failure->what();
  if (bad) {
    EXPECT_THAT(failure->what(), testing::HasSubstr(" in row " + std::to_string(found.size() + 1)));
  }
}

const std::vector<dialect>& options_to_try() {
  static const std::vector<dialect> all{
      plain,
      riffle::csv,
      riffle::tsv,
      tsv,
      csv,
      strict_csv,
      {.quoting = quoting::strict},
      {.skip_rows = 2, .comment = 'b', .count_lines = true},
      {.comment = 'a', .count_lines = true},
      {.max_length = 5},
      {.max_length = 6},
      {.quoting = quoting::strict, .max_length = 6},
      {.quoting = quoting::strict, .max_length = 7},
      {.separator = '\r'},
      {.separator = ';', .delimiter = '\r', .count_lines = true},
      {.separator = '\n', .delimiter = ',', .quote = 'a'},
      riffle::whitespace,
      {.whitespace = true, .quote = std::nullopt, .strip_cr = false, .skip_blank = false},
      {.whitespace = true,
       .delimiter = ',',
       .quote = std::nullopt,
       .skip_rows = 1,
       .comment = 'b',
       .count_lines = true},
      {.whitespace = true, .quote = std::nullopt, .max_length = 9},
      {.escape = '\\'},
      {.double_quote = false},
      {.double_quote = false, .escape = '\\'},
      {.skip_initial_space = true},
      {.double_quote = false, .escape = '\\', .skip_initial_space = true},
      {.quote = std::nullopt, .escape = '\\'},
      {.separator = ';', .quote = '\'', .escape = '^', .skip_initial_space = true},
  };
  return all;
}

std::string random_csv(unsigned seed, std::size_t fields) {
  std::mt19937 random(seed);
  return test::random_csv(random, fields);
}

TEST(rows, of_every_block_size_are_those_of_a_plain_parser) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    const std::string text = seed % 5 == 0   ? random_text(seed * 3 / 5, seed, "a,\n\"\r;")
                             : seed % 5 == 1 ? random_text(2 * seed, seed, "ab  \t,\r\n")
                             : seed % 5 == 2 ? random_csv(seed, seed / 7)
                                             : random_text(seed * 2 / 3, seed, "a \\^\"',;\n");
    const temporary_file file(text);
    for (const dialect& options : options_to_try()) {
      for (std::size_t size = 1; size <= std::min<std::size_t>(text.size() + 1, 70);
           size += size < 9 ? 1 : 7) {
        expect_as_naive(file.path(), text, options, {.method = method::read, .block_size = size});
        ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed << ", block size " << size;
      }
      expect_as_naive(memory(text), text, options);
      ASSERT_FALSE(testing::Test::HasFailure()) << "seed " << seed;
    }
  }
}

EACH_METHOD(rows_by_each_method);

TEST_P(rows_by_each_method, are_those_of_a_plain_parser) {
  std::vector<std::string> texts{"", "\n", ",", "a", std::string(4200, ','), std::string(4200, '\n')};
  for (unsigned seed = 1; seed < 4; ++seed) texts.push_back(random_csv(seed, 700));
  std::string widths;  // rows that end right before, at and behind the ends of batches and blocks
  for (const std::size_t size : {63U, 64U, 65U, 4095U, 4096U, 4097U}) {
    widths += std::string(size - 1, 'a') + '\n' + std::string(size - 2, 'b') + "\r\n\"" +
              std::string(size, ',') + "\"\n";
  }
  texts.push_back(widths);
  for (const std::string& text : texts) {
    const temporary_file file(text);
    for (const dialect& options : {plain, csv, {.max_length = 5000}}) {
      for (const std::size_t size : {1U, 64U, 4097U, 65536U, 0U}) {
        if (size == 1 && text.size() > 1000) continue;
        expect_as_naive(file.path(), text, options, {.method = GetParam(), .block_size = size});
        ASSERT_FALSE(testing::Test::HasFailure()) << "block size " << size;
      }
    }
  }
}

// A carry that grows does not cost the ends of its fields again; and each is right at last.
TEST(rows, may_be_long_and_have_many_fields) {
  std::string text = "short,row\n";
  for (int i = 0; i < 200'000; ++i) text += std::to_string(i) + ',';
  text += "\nshort again\n";
  const temporary_file file(text);
  for (const std::size_t size : {700U, 4096U, 65537U, 0U}) {
    std::vector<std::size_t> sizes;
    for (const row each : rows(file.path(), {}, {.block_size = size})) {
      sizes.push_back(each.size());
      if (each.size() < 3) continue;
      for (std::size_t i = 0; i < 200'000; i += 777) ASSERT_EQ(each[i], std::to_string(i));
      EXPECT_EQ(each.offset(), 10U);
    }
    EXPECT_EQ(sizes, (std::vector<std::size_t>{2, 200'001, 1})) << size;
  }
}

TEST(rows, read_nothing_outside_memory) {
  guarded place(8192);
  for (std::size_t size = 0; size < 200; ++size) {
    const std::string text = random_csv(static_cast<unsigned>(size), 60).substr(0, size);
    for (const std::span<char> bytes : {place.first(text.size()), place.last(text.size())}) {
      std::ranges::copy(text, bytes.begin());
      expect_as_naive(memory(bytes), text, csv);
      expect_as_naive(memory(bytes), text, {});
      ASSERT_FALSE(testing::Test::HasFailure()) << size;
    }
  }
}

const std::string bom = "\xEF\xBB\xBF";

struct quoted_case {
  std::string text;
  std::vector<std::vector<std::string>> fields;  // unescaped
  dialect options = csv;
};

// The rules and examples of RFC 4180, and what other readers of CSV test.
TEST(quoted_rows, are_as_the_standard_says) {
  const std::vector<quoted_case> cases{
      {"aaa,bbb,ccc\nzzz,yyy,xxx", {{"aaa", "bbb", "ccc"}, {"zzz", "yyy", "xxx"}}},
      {"\"aaa\",\"b\nbb\",\"ccc\"\nzzz,yyy,xxx", {{"aaa", "b\nbb", "ccc"}, {"zzz", "yyy", "xxx"}}},
      {"\"aaa\",\"b\"\"bb\",\"ccc\"", {{"aaa", "b\"bb", "ccc"}}},
      {"a,b\r\n\"c\",\"d\"\r\n", {{"a", "b"}, {"c", "d"}}, {}},
      {"a,b\r\n\"c\",\"d\"\r\n", {{"a", "b\r"}, {"c", "d"}}},
      {"\"c\"\r", {{"c"}}},
      {"\"c\"\"\"\r\n", {{"c\""}}},
      {"\"c\"\r\r\n", {{"c\r\r"}}},
      {"\"c\"\r\r\n", {{"c\r"}}, {}},
      {"\"c\"\r,d", {{"c\r", "d"}}},
      // What Python's csv reads too: text behind a closing quote, and quotes inside a field.
      {"\"a\"b,c", {{"ab", "c"}}},
      {"\"a\"b\"\"c\",d", {{"ab\"\"c\"", "d"}}},
      {"\"Alex\", \"M\"\n", {{"Alex", " \"M\""}}},
      {"a\",b\n\"c\",\"\n\"\n", {{"a\"", "b"}, {"c", "\n"}}},
      {"\"a\"\"b\"\"\",\"c\"\"\"d,e\n", {{"a\"b\"", "c\"d", "e"}}},
      {"a\rb\r\n\r\n\n", {{"a", "b", ""}, {"", ""}, {""}}, {.separator = '\r', .skip_blank = false}},
      {"\"a\r\nb\",c\r\n", {{"a\r\nb", "c"}}, {}},
      {"a,b\t\"c\r\n\r\n\nd", {{"a,b", "\"c"}, {"d"}}, riffle::tsv},
      {"a,\"b\r\n\r\n\nc", {{"a", "\"b\r"}, {"\r"}, {""}, {"c"}}, plain},
      {"", {}},
      {"\n\n", {{""}, {""}}},
      {"a,\n,b", {{"a", ""}, {"", "b"}}},
      {"\"\",\"\"\n\"\"", {{"", ""}, {""}}},
      {"\"\"\"\"", {{"\""}}},
      {"\",\",\"\n\"", {{",", "\n"}}},
      {"'a,b',c", {{"a,b", "c"}}, {.quote = '\''}},
      {"a\t'b\t\n'\n", {{"a", "b\t\n"}}, {.separator = '\t', .quote = '\''}},
      {"a,b|c,d", {{"a", "b"}, {"c", "d"}}, {.delimiter = '|'}},
      {bom + "a,b\n", {{"a", "b"}}},
      {bom + "a,b\n", {{bom + "a", "b"}}, {.skip_bom = false}},
      {bom + "\"a\",b", {{"a", "b"}}},
      {bom, {}},
      {"\xEF\xBB", {{"\xEF\xBB"}}},
      {bom + bom, {{bom}}},
      {bom + "#\na\n#,\"\nb#\n\n#", {{"a"}, {"b#"}, {""}}, {.comment = '#', .skip_blank = false}},
      {"pre \"\n,\"\na\n", {{"a"}}, {.skip_rows = 2}},
      {"a\n", {}, {.skip_rows = 2}},
      {"\n\r\na\n\"\"\n\r", {{"a"}, {""}}, {.strip_cr = false}},
      {"\r\r\n\r\na\n", {{"\r"}, {"a"}}, {}},
      {"#a\n\n#b\n1\n", {{"#b"}, {"1"}}, {.skip_rows = 2}},
      // What the csv crate and csveee test too.
      {"a,\xEF\xBB\xBF\"b\",c\xEF\xBB\xBF", {{"a", "\xEF\xBB\xBF\"b\"", "c\xEF\xBB\xBF"}}},
      {"\"\\\"A\\\" B\";1\n", {{"\\A\\\" B\"", "1"}}, {.separator = ';'}},
      {"a\n #b\nc#,#d\n#e", {{"a"}, {" #b"}, {"c#", "#d"}}, {.comment = '#', .skip_blank = false}},
      {"K\xF6ln,\"gro\xDF\"\n\xFF\xFE", {{"K\xF6ln", "gro\xDF"}, {"\xFF\xFE"}}},
      {"a\x1F\"b\"\x1E\"\x1F\"\x1F", {{"a", "b"}, {"\x1F", ""}}, {.separator = '\x1F', .delimiter = '\x1E'}},
      {"a\rb,c\r", {{"a\rb", "c\r"}}},
      {"a\\b \r\n", {{"ab"}}, {.escape = '\\', .trim = true}},
      {"#a\n\\#b\n", {{"#b"}}, {.escape = '\\', .comment = '#'}},
      {"\"a\\\"b\",\\\"c\r\n\"d\"\r\n", {{"a\"b", "\"c"}, {"d"}}, strict_escaped},
  };
  for (const quoted_case& each : cases) {
    std::vector<std::vector<std::string>> found;
    for (const row one : rows(memory(each.text), each.options)) {
      found.push_back(copy_of(one).unescaped);
    }
    EXPECT_EQ(found, each.fields) << testing::PrintToString(each.text);
  }
}

// In the middle of a batch, at its end, at the end of the input, and for each form of a field.
TEST(quoted_rows, that_lack_a_field_say_so) {
  for (const dialect& options : {csv, plain}) {
    for (const std::string_view text : {"\"a\"\"b\",c\nd\n", "d\n\"a\",c", "\n\"\"\n"}) {
      for (const row one : rows(memory(text), options)) {
        for (const std::size_t missing : {one.size(), one.size() + 1, std::string_view::npos}) {
          const auto of_raw = error_of([&] { (void)one.at(missing); });
          const auto of_unescaped = error_of([&] { (void)one.unescaped(missing); });
          ASSERT_TRUE(of_raw && of_unescaped) << text;
          EXPECT_EQ(of_unescaped->code(), errc::missing_field);
          EXPECT_STREQ(of_unescaped->what(), of_raw->what());
        }
      }
    }
  }
}

#ifdef _GLIBCXX_ASSERTIONS
constexpr bool asserts = true;
#else
constexpr bool asserts = false;
#endif

TEST(rows, assert_that_there_is_the_field) {
  if (!asserts) GTEST_SKIP() << "this build has no assertions";
  for (const row one : rows(memory(std::string_view("a,b\n")))) EXPECT_DEATH((void)one[2], "");
}

// The kernel says of each 64 bytes of a batch whether a doubled quote is in them.
TEST(quoted_rows, are_unescaped_wherever_they_lie_in_a_batch) {
  for (const std::size_t batch : {0U, 4096U}) {
    for (std::size_t at = batch == 0 ? 0 : batch - 140; at != batch + 140; ++at) {
      const std::string text =
          std::string(at, 'x') + ",\"a\"\"b\",\"\",\"" + std::string(70, 'y') + "\"\"\",\"z\"\n";
      for (const row one : rows(memory(text), csv)) {
        EXPECT_EQ(copy_of(one).unescaped, (std::vector<std::string>{std::string(at, 'x'), "a\"b", "",
                                                                    std::string(70, 'y') + "\"", "z"}));
      }
    }
  }
}

// Also beside other copies of the same row, and when it is asked for again.
TEST(quoted_rows, keep_unescaped_fields_as_long_as_the_row) {
  const std::string text =
      "\"a\"\"1\",\"b\"\"2\",\"plain\"\n\"" + std::string(5000, 'c') + "\"\"\",\"\"\"\"\n";
  row_range all = rows(memory(text), csv);
  auto at = all.begin();
  const row first = *at;
  const std::string_view a = first.unescaped(0);
  const std::string_view b = first.unescaped(1);
  EXPECT_EQ(first.unescaped(0).data(), a.data());
  EXPECT_EQ(first.unescaped(2).data(), first[2].data() + 1) << "no copy without a doubled quote";
  EXPECT_EQ(a, "a\"1");
  EXPECT_EQ(b, "b\"2");
  ++at;
  const std::string_view c = (*at).unescaped(0);
  EXPECT_EQ((*at).unescaped(1), "\"");
  EXPECT_EQ(c, std::string(5000, 'c') + '"');
}

struct bad_case {
  const char* text;
  std::size_t good;  // rows before
  std::uint64_t offset;
  const char* says;
  dialect options = strict_csv;
};

TEST(quoted_rows, that_break_the_rules_are_errors_with_row_and_offset) {
  const std::vector<bad_case> cases{
      {"a,b\"c\n", 0, 3, "a quote stands inside an unquoted field in row 1"},
      {"x\na, \"b\"\n", 1, 5, "a quote stands inside an unquoted field in row 2"},
      {"\xEF\xBB\xBFx\n\"a\"b\n", 1, 8, "a closing quote does not end its field in row 2"},
      {"#\n\nx\n#\n\"a\"b\n",
       1,
       10,
       "a closing quote does not end its field in row 2",
       {.quoting = quoting::strict, .comment = '#'}},
      {"x\ny\n\"a\"b\n", 2, 7, "a closing quote does not end its field in row 3"},
      {"\"a\" ,b\n", 0, 3, "a closing quote does not end its field in row 1"},
      {"\"a\"\rb\n", 0, 4, "a closing quote does not end its field in row 1"},
      {"\"a\"\r\"\n", 0, 4, "a closing quote does not end its field in row 1"},
      {"a\r\"\n", 0, 2, "a quote stands inside an unquoted field in row 1"},
      {"x,y\n1,\"a\nb", 1, 6, "a quote is not closed in row 2"},
      {"\"", 0, 0, "a quote is not closed in row 1"},
      {"\"a\"\"", 0, 0, "a quote is not closed in row 1"},
      {"a\"b\n", 0, 1, "a quote stands inside an unquoted field in row 1", strict_escaped},
      {"\"a\"b\n", 0, 3, "a closing quote does not end its field in row 1", strict_escaped},
      {"\"a\"\rb\n", 0, 4, "a closing quote does not end its field in row 1", strict_escaped},
      {"a\\", 0, 1, "no byte follows an escape in row 1", strict_escaped},
  };
  for (const bad_case& each : cases) {
    const temporary_file file(each.text);
    for (const std::size_t size : {1U, 2U, 100U}) {
      row_range all = rows(file.path(), each.options, {.method = method::read, .block_size = size});
      std::size_t good = 0;
      for (int again = 0; again < 2; ++again) {
        const error failure = thrown_by([&] { for_each(all, [&](const row&) { ++good; }); });
        EXPECT_THAT(failure, is_error(errc::bad_quoting, each.offset, "", file.path().string())) << each.text;
        EXPECT_THAT(failure.what(), testing::EndsWith(each.says));
        EXPECT_EQ(good, each.good) << each.text;
        EXPECT_EQ(failure.operation(), "read");
      }
    }
  }
}

TEST(rows, that_end_in_cr_are_refused_if_no_lf_ends_the_first) {
  struct row_case {
    const char* text;
    std::optional<std::uint64_t> refused;
    dialect options = {};
  };
  for (const row_case& each : {row_case{"a,b\r1,2\r", 3},
                               {"a,b\r1,2", 3},
                               {"\xEF\xBB\xBF\"a\r\",b\r1,2", 9},
                               {"\"a\"\"\r\",b\r1", 8},
                               {"a\r1\r", 1, {.header = true}},
                               {"a\t\"\rb", 3, riffle::tsv},
                               {"a,b\r", {}},
                               {"a,b\r\r", {}},
                               {"\"a\rb\"", {}},
                               {"a\rb\nc\rd", {}},
                               {"\na\rb", {}},
                               {"a\rb", {}, plain},
                               {"a\rb\r", {}, {.delimiter = '\r'}},
                               {"a\rb", {}, {.strip_cr = false}}}) {
    for (const std::size_t size : {1U, 100U}) {
      const temporary_file file(each.text);
      row_range all = rows(file.path(), each.options, {.method = method::read, .block_size = size});
      for (int again = 0; again < 2; ++again) {
        const auto failure = error_of([&] { for_each(all, [](const row&) {}); });
        ASSERT_EQ(failure.has_value(), each.refused.has_value()) << each.text;
        if (!failure) break;
        EXPECT_EQ(failure->offset(), each.refused) << each.text;
        EXPECT_THAT(failure->what(), testing::EndsWith("its delimiter may be '\\r'"));
      }
    }
  }
}

TEST(rows, refuse_rules_that_contradict_each_other) {
  const std::string same = " are the same byte";
  for (const auto& [rules, said] :
       {std::pair(dialect{.separator = '\n'}, same),
        {{.delimiter = ','}, same},
        {{.quote = ','}, same},
        {{.separator = '"'}, same},
        {{.quote = '\n'}, same},
        {{.comment = ','}, same},
        {{.comment = '\n'}, same},
        {{.quote = '#', .comment = '#'}, same},
        {{.escape = ','}, "the escape and the separator" + same},
        {{.escape = '\n'}, "the escape and the delimiter" + same},
        {{.escape = '"'}, "the escape and the quote" + same},
        {{.escape = '#', .comment = '#'}, "the start of comments and the escape" + same},
        {{.quote = std::nullopt, .double_quote = false}, "there is no quote that could be doubled"},
        {{.separator = ' ', .skip_initial_space = true}, "the separator is the space that is skipped"},
        {{.whitespace = true, .quote = std::nullopt, .escape = '\\'},
         "fields between white space are cut by no other rules"}}) {
    EXPECT_THAT(thrown_by([&, rules = rules] { (void)rows("/no/such/file", rules); }),
                is_error(errc::invalid_argument, {}, said));
  }
  EXPECT_EQ(code_of([] { (void)rows("/no/such/file", csv); }), std::errc::no_such_file_or_directory);
}

TEST(rows, stay_valid_when_their_range_moves) {
  row_range all = rows(memory(std::string_view("a,b\nc,d\n")));
  const row first = *all.begin();
  const row_range moved = std::move(all);
  EXPECT_EQ(first[1], "b");
  EXPECT_EQ(first.number(), 1U);
}

}  // namespace
}  // namespace riffle::test
