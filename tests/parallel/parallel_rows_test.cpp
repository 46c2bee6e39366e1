/// The rows of several threads are those of one, wherever parts cut quotes; so are the errors. Rows that a
/// range may pass before it cuts them are, asked once more, the chosen ones of all rows.
#include <riffle/parallel_rows.hpp>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Without what `riffle::csv` does beside cutting.
constexpr dialect csv{.strip_cr = false, .skip_blank = false};
constexpr dialect strict_csv{.quoting = quoting::strict, .strip_cr = false, .skip_blank = false};

std::string described(const row& from, const std::vector<std::string>& names) {
  std::string text = testing::PrintToString(names) + std::to_string(from.offset()) + '-' +
                     std::to_string(from.offset_behind());
  for (std::size_t i = 0; i != from.size(); ++i) {
    text += '|';
    text += from[i];
    text += '|';
    text += from.unescaped(i);
  }
  return text + '\n';
}

std::string all_of(row_range& part) {
  std::string text;
  for (const row each : part) text += described(each, part.names());
  return text;
}

struct outcome {
  std::string rows = {};  // those before the failure too
  std::string failure = {};
  friend bool operator==(const outcome&, const outcome&) = default;
};

// By a loop if there are no threads.
outcome outcome_of(const input& from, const dialect& rows, const thread_options& splitting,
                   const read_options& reading = {}) {
  outcome found;
  const auto failure = error_of([&] {
    row_range all(from, rows, reading);
    if (splitting.threads != 0)
      return parallel_rows_into(found.rows, std::move(all), all_of, std::plus<>(), splitting);
    for (const row each : all) found.rows += described(each, all.names());
  });
  if (failure) found.failure = failure->what();
  return found;
}

// Compares threads that read parts of each of some sizes with a loop.
void expect_as_one(const std::string& text, const dialect& rows, const read_options& reading = {}) {
  const temporary_file file(text);
  const outcome expected = outcome_of(file.path(), rows, {.threads = 0}, reading);
  for (std::size_t parts = 1; parts <= 9; ++parts) {
    for (const unsigned threads : {1U, 3U}) {
      const thread_options splitting{.threads = threads, .split_size = text.size() / parts + 1};
      ASSERT_EQ(outcome_of(file.path(), rows, splitting, reading), expected)
          << testing::PrintToString(text) << " in " << parts << " parts by " << threads;
    }
  }
  ASSERT_EQ(outcome_of(memory(text), rows, {.threads = 2, .split_size = 7}).rows, expected.rows);
}

// Or text that breaks the rules.
std::string random_text_of_fields(std::mt19937& random, std::size_t fields) {
  constexpr std::string_view pieces[] = {"a", "bc",    "\"",     "\"\"",  ",",  "\n", "\r\n",
                                         "#", "\",\"", "\"\n\"", "d,e\n", "\\", " "};
  if (random() % 3 != 0) return random_csv(random, fields);
  std::string text;
  for (std::size_t i = 0; i < fields; ++i) text += pieces[random() % std::size(pieces)];
  return text;
}

void set_escapes(dialect& rows, unsigned i) {
  if (i % 3 == 1) rows.escape = '\\';
  rows.double_quote = i % 8 < 6;
  rows.skip_initial_space = i % 10 < 3;
  if (i % 9 != 7) return;  // there is an escape
  rows.quote = std::nullopt;
  rows.double_quote = true;
}

TEST(parallel_rows, are_those_of_one_thread_in_random_texts) {
  std::mt19937 random(7);
  for (unsigned i = 0; i < 400; ++i) {
    std::string text = random_text_of_fields(random, random() % 60);
    if (i % 5 == 0) text.insert(0, "\xEF\xBB\xBF");
    dialect rows = i % 4 == 0 ? strict_csv : csv;
    if (i % 3 == 0) rows.comment = '#';
    if (i % 7 == 0) rows.skip_rows = i % 5;
    rows.strip_cr = i % 2 == 0;
    rows.skip_blank = i % 11 == 0;
    rows.header = i % 6 == 1;
    if (i % 13 == 0) rows.max_length = 30;
    set_escapes(rows, i);
    constexpr std::size_t block_sizes[] = {0, 1, 5, 64};
    expect_as_one(text, rows, {.method = method::read, .block_size = block_sizes[i % 4]});
    ASSERT_FALSE(HasFailure()) << "text " << i;
  }
}

// What a guess by the bytes at the start of a part gets wrong, at each place of a border.
TEST(parallel_rows, are_those_of_one_thread_whatever_parts_cut) {
  const std::string quotes(200, '"');
  for (const std::string& text : {
           "a,b\n\"" + std::string(150, '\n') + "\"\nc\n",         // a field larger than a part
           "\"" + std::string(90, 'x') + "\n\"\",\"\"\n" + "y\"",  // a file that is one field
           quotes,                                                 // which are balanced
           quotes + "\"",                                          // and not
           std::string("a,b\nc,d\ne,\"f\ng\nh"),                   // open in the last part
           std::string(
               "5'8\",\"x\ny\"\n6'1\",\"z\nu\"\n5'9\",v\n7'\"\n"),  // stray quotes at the ends of fields
           std::string("a,b\r\n\"c\r\nd\"\r\ne\r\n"),
           std::string("\n\n\n,,\n\n\"\n\"\n"),
           std::string(),
       }) {
    for (const dialect& rows : {csv, strict_csv, plain}) {
      for (std::size_t at = 0; at < std::min<std::size_t>(text.size() + 1, 12); ++at) {
        expect_as_one(std::string(at, 'z') + text, rows);
        ASSERT_FALSE(HasFailure());
      }
    }
  }
}

// The mark alone would be the first part, of which nothing is refused.
TEST(parallel_rows, refuse_a_first_row_of_old_macs_behind_a_mark) {
  for (const char* const mark : {"", "\xEF\xBB\xBF"}) expect_as_one(mark + std::string("a\rb,c\rd,e"), {});
}

TEST(parallel_rows, of_a_large_file_are_read_in_parts) {
  std::string text;
  std::uint64_t expected = 0;
  for (std::uint64_t i = 0; i < 60'000; ++i) {
    text += "\"x,\n" + std::to_string(i % 7) + "\"\"\"," + std::to_string(i) + "\n";
    expected += i;
  }
  const temporary_file file(text);
  std::atomic<int> parts = 0;
  const auto sum_of = [&](row_range& part) {
    ++parts;
    std::uint64_t sum = 0;
    std::uint64_t number = 0;
    for (const row each : part) {
      EXPECT_EQ(each.number(), ++number);
      sum += std::stoull(std::string(each[1]));
    }
    return sum;
  };
  EXPECT_EQ(
      parallel_rows(file.path(), std::uint64_t{0}, sum_of, {}, csv, {.threads = 4, .split_size = 50'000}),
      expected);
  EXPECT_EQ(parts, static_cast<int>(text.size() / 50'000 + 1)) << "no guess is wrong here";
  for (const std::size_t split_size : {50'000U, 1U << 22U}) {
    parts = 0;
    const fed_pipe pipe(text, 5000);
    EXPECT_EQ(parallel_rows(pipe.get(), std::uint64_t{0}, sum_of, {}, csv,
                            {.threads = 4, .split_size = split_size}),
              expected);
    const int of_one = parts.exchange(0);
    EXPECT_EQ(parallel_rows(file.path(), std::uint64_t{0}, sum_of, {}, csv,
                            {.threads = 1, .split_size = split_size}),
              expected);
    EXPECT_EQ(parts, of_one);
    EXPECT_NEAR(of_one, static_cast<double>(text.size()) / static_cast<double>(split_size) + 0.5, 1);
  }
}

// So the results that wait are few.
TEST(parallel_rows, wait_for_a_part_that_is_late) {
  const temporary_file file(repeated("a,b\n", 5000));
  std::atomic<int> others = 0;
  int before_the_first = 0;
  const auto count = [&](row_range& part) {
    const bool first = (*part.begin()).offset() == 0;
    const std::ptrdiff_t rows = 1 + std::ranges::distance(part);
    if (!first) {
      ++others;
      return rows;
    }
    while (others < 4) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    before_the_first = others;
    return rows;
  };
  EXPECT_EQ(parallel_rows(file.path(), std::ptrdiff_t{0}, count, {}, {}, {.threads = 2, .split_size = 1000}),
            5000);
  EXPECT_EQ(before_the_first, 4) << "two for each thread";
}

TEST(parallel_rows, are_read_on_if_the_map_stops) {
  std::string text;
  for (int i = 0; i < 3000; ++i) text += "\"a\nb\"," + std::to_string(i) + "\n";
  const temporary_file file(text);
  const auto first_of = [](row_range& part) { return std::string((*part.begin())[1]) + ' '; };
  const std::string found =
      parallel_rows(file.path(), std::string(), first_of, {}, csv, {.threads = 2, .split_size = 10'000});
  EXPECT_THAT(found, testing::StartsWith("0 "));
  EXPECT_EQ(std::ranges::count(found, ' '), static_cast<int>(text.size() / 10'000 + 1));
}

// Messages count rows from the start of the input, and the first failure wins.
TEST(parallel_rows, fail_for_the_first_part_that_does) {
  const std::string whole = repeated("\"a\n\",b\n", 2000);
  const std::string text = whole + "alone\n" + whole + "alone\n" + whole;
  const temporary_file file(text);
  const auto second = [](row_range& part) {
    std::size_t size = 0;
    for (const row each : part) size += each.at(1).size();
    return size;
  };
  for (const unsigned threads : {1U, 4U}) {
    const error failure = thrown_by([&] {
      (void)parallel_rows(file.path(), std::size_t{0}, second, {}, csv,
                          {.threads = threads, .split_size = 3000});
    });
    EXPECT_THAT(failure, is_error(errc::missing_field, 2000U * 7, "row 2001 has 1 field"));
  }
  const auto throws = [](row_range& part) -> int {
    if ((*part.begin()).offset() > 9000) throw std::runtime_error("of the map");
    return 1;
  };
  EXPECT_THROW((void)parallel_rows(file.path(), 0, throws, {}, csv, {.threads = 3, .split_size = 3000}),
               std::runtime_error);
}

const auto rows_in = [](row_range& part) { return static_cast<std::size_t>(std::ranges::distance(part)); };

// Reading fails in the middle of a part.
TEST(parallel_rows, give_the_rows_before_the_end_of_a_file_that_was_cut) {
  for (const unsigned threads : {1U, 2U, 4U}) {
    const temporary_file file(repeated("a,b\n", 5000));
    std::once_flag once;
    const auto cut = [&] { std::call_once(once, [&] { file.resize(9998); }); };
    std::size_t rows = 0;
    const error failure = thrown_by([&] {
      parallel_rows_into(
          rows,
          riffle::rows(file.path(), csv,
                       {.method = method::read, .block_size = 512, .watch = {.before_block = cut}}),
          rows_in, {}, {.threads = threads, .split_size = 4000});
    });
    EXPECT_THAT(failure, is_error(errc::truncated, 9998U));
    EXPECT_EQ(rows, 2499U);
  }
}

// So what is no sum, such as one of floating-point numbers, does not depend on the threads either.
TEST(parallel_rows, are_the_same_parts_for_each_number_of_threads) {
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += "\"a\n" + std::string(static_cast<std::size_t>(i) % 90, 'b') + "\",c\n";
  text.insert(0, "\"" + std::string(9000, 'd') + "\"\n");  // over several parts
  const temporary_file file(text);
  const auto size_of = [](row_range& part) { return std::to_string(rows_in(part)) + ' '; };
  std::string expected;
  for (const unsigned threads : {1U, 2U, 5U}) {
    const std::string found =
        parallel_rows(file.path(), std::string(), size_of, {}, csv, {.threads = threads, .split_size = 4000});
    if (threads == 1) expected = found;
    EXPECT_EQ(found, expected);
  }
}

// The second part begins inside quotes: it looks as if a quote were opened there, and never closed.
TEST(parallel_rows, leave_a_wrong_guess_after_two_parts) {
  constexpr std::size_t part = 40'000;
  std::string text;
  while (text.size() < part - 100) text += std::string(59, 'a') + '\n';
  text += "b,\"" + std::string(part - text.size(), 'c') + "\n,\"\n";
  while (text.size() < 100 * part) text += std::string(59, 'd') + '\n';
  const temporary_file file(text);
  const auto rows = static_cast<std::size_t>(std::ranges::count(text, '\n')) - 1;
  for (const method each : usable_methods()) {
    std::atomic<std::uint64_t> read = 0;
    const read_options reading{.method = each, .block_size = 4096, .watch = {.progress = &read}};
    EXPECT_EQ(parallel_rows(file.path(), std::size_t{0}, rows_in, {}, csv, {.threads = 2, .split_size = part},
                            reading),
              rows);
    // Each thread may read a block more than its part.
    EXPECT_LT(read, text.size() + 100 * 4096 * 2 + 5 * part) << name_of(each);
  }
}

// The guess is right, but a row of the part is longer than two parts. The part before ends while the map of
// this one still works.
TEST(parallel_rows, take_no_part_that_was_left_before_its_end) {
  constexpr std::size_t part = 2000;
  const auto rows_of = [&](char letter) { return repeated(std::string(59, letter) + '\n', 40); };
  const temporary_file file(rows_of('a') + rows_of('b') + std::string(25 * part, 'c') + '\n' + rows_of('d'));
  std::atomic<bool> left = false;
  std::atomic<bool> taken = false;
  const auto wait_for = [](const std::atomic<bool>& flag, int milliseconds) {
    for (int i = 0; i != milliseconds && !flag; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  };
  const auto map = [&](row_range& rows) {
    std::size_t count = 0;
    char first = '\0';
    for (const row each : rows) {
      if (count++ == 0) first = each[0].front();
    }
    if (first == 'a') wait_for(left, 5000);
    if (first == 'b') {
      left = true;
      wait_for(taken, 500);  // in vain
    }
    return count;
  };
  const auto take = [&](std::size_t all, std::size_t more) {
    taken = true;
    return all + more;
  };
  EXPECT_EQ(parallel_rows(file.path(), std::size_t{0}, map, take, csv, {.threads = 2, .split_size = part},
                          {.method = method::read, .block_size = 4096}),
            121U);
}

// One that is larger than some parts, and a file without rows.
TEST(parallel_rows, have_the_columns_of_one_header) {
  std::string text = "# v1\n\"" + std::string(7000, 'n') + "\nm\",price\n";
  for (int i = 0; i < 5000; ++i) text += "\"a\n\"," + std::to_string(i) + '\n';
  const dialect options{.comment = '#', .header = true};
  const auto sum_of = [](row_range& part) {
    const std::size_t price = part.column("price");
    std::int64_t sum = 0;
    for (const row each : part) sum += each.get<std::int64_t>(price);
    return sum;
  };
  const temporary_file file(text);
  const temporary_file bad(text + "\"b\",x\n");
  const temporary_file none("# v1\n");
  for (const unsigned threads : {1U, 4U}) {
    const thread_options splitting{.threads = threads, .split_size = 3000};
    const auto sum_in = [&](const input& from) {
      return parallel_rows(from, std::int64_t{0}, sum_of, {}, options, splitting);
    };
    EXPECT_EQ(sum_in(file.path()), 4999 * 2500);
    EXPECT_EQ(sum_in(none.path()), 0);
    EXPECT_THAT(thrown_by([&] { (void)sum_in(bad.path()); }),
                is_error(errc::bad_value, text.size() + 4, "column 'price' of row 5001 is no i64: 'x';"));
  }
}

TEST(parallel_rows, refuse_wrong_options) {
  const temporary_file file("a\n");
  const auto count = [](row_range&) { return 1; };
  EXPECT_EQ(code_of([&] { (void)parallel_rows(file.path(), 0, count, {}, {.separator = '\n'}); }),
            errc::invalid_argument);
  EXPECT_EQ(code_of([&] { (void)parallel_rows("/no/such/file", 0, count); }),
            std::errc::no_such_file_or_directory);
}

constexpr std::string_view wanted = "x";

void find_wanted(std::string_view lines, std::vector<row_run>& runs) {
  for (std::size_t at = 0; (at = lines.find(wanted, at)) != std::string_view::npos; at = runs.back().end) {
    runs.push_back({lines.rfind('\n', at) + 1, lines.find('\n', at) + 1});
  }
}

struct chosen {
  std::string rows = {};
  std::size_t cut = 0;
};

chosen operator+(chosen left, const chosen& right) {
  return {std::move(left.rows += right.rows), left.cut + right.cut};
}

chosen chosen_in(row_range& from) {
  chosen found;
  for (const row each : from) {
    ++found.cut;
    if (each.text().find(wanted) != std::string_view::npos) found.rows += described(each, {});
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
    const temporary_file file(random_table(seed));
    for (const dialect& each : dialects) {
      const auto rows_by = [&](std::size_t size, unsigned threads, bool chooses) {
        chosen found;
        const auto failure = error_of([&] {
          row_range from(file.path(), each, {.method = method::read, .block_size = size});
          if (chooses) from.choose(find_wanted);
          const thread_options splitting{.threads = threads, .split_size = 500};
          if (threads == 0) return void(found = chosen_in(from));
          parallel_rows_into(found, std::move(from), chosen_in, std::plus<>(), splitting);
        });
        return failure ? "a failure" : found.rows;
      };
      const std::string expected = rows_by(0, 0, false);
      for (const std::size_t size : {0U, 1U, 64U, 1000U}) {
        for (const unsigned threads : {0U, 1U, 3U}) {
          EXPECT_EQ(rows_by(size, threads, true), expected) << seed << " " << size << " " << threads;
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
  const chosen found = chosen_in(from);
  EXPECT_EQ(std::ranges::count(found.rows, '\n'), 100);
  EXPECT_LE(found.cut, 100U + 2 * 4096 / 4);
  EXPECT_THAT(found.rows, testing::EndsWith("99007|99007\n"));
}

// Each row is in one split, and a split of no row is empty.
TEST(row_splits, hold_each_row_once) {
  std::mt19937 random(3);
  for (unsigned i = 0; i < 120; ++i) {
    const temporary_file file((i % 4 == 0 ? "\xEF\xBB\xBF" : "") +
                              random_text_of_fields(random, 10 + random() % 60));
    dialect options{.strip_cr = i % 2 == 0, .skip_rows = i % 3, .header = i % 5 == 0};
    set_escapes(options, i);
    const outcome expected = outcome_of(file.path(), options, {.threads = 1});
    if (!expected.failure.empty()) {
      EXPECT_EQ(code_of([&] { (void)splits(file.path(), {.size = 30}, options); }), errc::bad_quoting);
      continue;
    }
    for (const std::uint64_t size : {1U, 2U, 3U, 20U, 100U, 0U}) {
      std::string found;
      std::uint64_t end = 0;
      for (const file_split& split : splits(file.path(), {.size = size}, options)) {
        EXPECT_EQ(split.begin, end);
        end = split.end;
        row_range part = rows(read_split(split), options);
        found += all_of(part);
        const input again = read_split(split);
        ASSERT_EQ(outcome_of(again, options, {.threads = 2, .split_size = 16}),
                  outcome_of(again, options, {.threads = 1}));
      }
      ASSERT_EQ(found, expected.rows) << i << ", " << size;
    }
  }
}

}  // namespace
}  // namespace riffle::test
