/// Whole answers by every method and number of threads are those of plain loops, and fail as they do.
#include <riffle/count.hpp>
#include <riffle/count_text.hpp>
#include <riffle/lines.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/rows.hpp>
#include <riffle/scan.hpp>
#include <riffle/value_counts.hpp>
#include <riffle/words.hpp>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

byte_counts naive_counts(std::string_view bytes) {
  byte_counts counts{};
  for (const char byte : bytes) ++counts[static_cast<unsigned char>(byte)];
  return counts;
}

EACH_METHOD(each_counting_method);

TEST_P(each_counting_method, counts_as_the_kernels_do) {
  // Several splits of 4 MiB, with words across their borders.
  std::string text = patterned_bytes((std::size_t{9} << 20U) + 17);
  text.replace((std::size_t{4} << 20U) - 3, 6, "across");
  const temporary_file file(text);
  const read_options reading{.method = GetParam()};
  for (const unsigned threads : {1U, 2U, 5U, 0U}) {
    const count_options options{.threads = threads};
    EXPECT_EQ(count_lines(file.path(), options, reading), scan::count_lines(text));
    EXPECT_EQ(count_words(file.path(), options, reading), scan::count_words(text));
    EXPECT_EQ(count_utf8(file.path(), options, reading), scan::count_utf8(text));
    EXPECT_EQ(count_byte(file.path(), 'a', options, reading), scan::count_byte(text, 'a'));
    EXPECT_EQ(count_any_of(file.path(), "cCgG", options, reading), scan::count_any_of(text, "cCgG"));
    EXPECT_EQ(count_bytes(file.path(), options, reading), naive_counts(text));
  }
  EXPECT_TRUE(read_all(file.path(), reading) == text);
}

TEST(whole_answers, take_the_memory_for_a_file_once) {
  const std::size_t size = (std::size_t{3} << 20U) + 5;
  const temporary_file file(patterned_bytes(size));
  EXPECT_LT(read_all(file.path()).capacity(), size + 100);
  const std::size_t start = std::size_t{1} << 20U;
  const owned_descriptor opened = open_at(file.path(), start);
  EXPECT_LT(read_all(opened.get()).capacity(), size - start + 100);
}

// Few different bytes, then many, then others: each of these is counted in its own way.
TEST(whole_answers, of_bytes_count_each_of_them) {
  std::string text;
  for (const std::size_t size : {std::size_t{1}, std::size_t{100'000}, std::size_t{600'001}}) {
    for (const std::string_view alphabet : {"ACGT\n", "x", "abcdefgh", "abcdefghi", "\x80\xFF"}) {
      text += random_text(size, 3, alphabet);
      text += random_text(size / 3, 4);
      ASSERT_EQ(count_bytes(memory(text)), naive_counts(text)) << size << alphabet;
    }
  }
  EXPECT_EQ(count_bytes(memory(text), {.threads = 2}), naive_counts(text));
  EXPECT_EQ(count_bytes(memory("")), byte_counts());
}

// Each function that counts into a variable: all, and what came before a failure. A word goes on in `x`.
TEST(counts_into_a_variable, leave_what_was_counted_before_a_failure) {
  using counted_into = void (*)(std::uint64_t&, source, const thread_options&);
  const counted_into functions[] = {
      count_lines_into,
      count_utf8_into,
      count_words_into,
      [](auto& total, source from, auto& by) { count_byte_into(total, std::move(from), '\n', by); },
      [](auto& total, source from, auto& by) {
        count_any_of_into(total, std::move(from), byte_set("\n"), by);
      },
      [](auto& total, source from, auto& by) { count_occurrences_into(total, std::move(from), "\n", by); },
      [](auto& total, source from, auto& by) { count_lines_with_into(total, std::move(from), "x", by); }};
  // A stream that fails in the middle.
  struct failing : std::stringbuf {
    using std::stringbuf::stringbuf;
    std::streamsize xsgetn(char* to, std::streamsize size) override {
      if (++reads == 3) throw std::runtime_error("broken");
      return std::stringbuf::xsgetn(to, size);
    }
    int reads = 0;
  };
  const std::string text = repeated("x\n", 2500);
  for (std::size_t index = 0; index != std::size(functions); ++index) {
    for (const unsigned threads : {1U, 2U}) {
      std::uint64_t all = 7;
      functions[index](all, source(memory(text)), {.threads = threads, .split_size = 999});
      EXPECT_EQ(all, index == 1 ? 5000U : 2500U) << index;
    }
    failing buffer(text);
    std::istream stream(&buffer);
    std::uint64_t counted = 7;
    EXPECT_TRUE(
        error_of([&] { functions[index](counted, source(stream, {.block_size = 1000}), {.threads = 1}); }));
    EXPECT_EQ(counted, index == 1 ? 2000U : 1000U) << index;
  }
}

TEST(sum_of_an_input, is_that_of_its_values) {
  std::vector<std::int32_t> values(3'000'000);
  std::iota(values.begin(), values.end(), -1'000'000);
  const std::int64_t expected = scan::sum(values);
  const std::string_view bytes = memory(std::as_bytes(std::span(values))).bytes();
  const temporary_file file(bytes);
  for (const unsigned threads : {1U, 2U, 3U}) {
    EXPECT_EQ(sum<std::int32_t>(file.path(), {.threads = threads}), expected);
    EXPECT_EQ(
        sum<std::int32_t>(file.path(), {.threads = threads}, {.method = method::read, .block_size = 1001}),
        expected);
  }
  EXPECT_EQ(sum<float>(memory("")), 0);
}

TEST(sum_of_an_input, takes_the_other_byte_order) {
  std::string text;
  std::uint64_t expected = 0;
  for (unsigned value = 0; value != 5000; ++value) {
    text += {static_cast<char>(value & 0xFFU), static_cast<char>(value >> 8U)};
    expected += value;
  }
  constexpr std::endian little = std::endian::little;
  EXPECT_EQ(sum<std::uint16_t>(memory(text), {.order = little}), expected);
  const std::string swapped = naive_values(text, 2, true);
  EXPECT_EQ(sum<std::uint16_t>(memory(swapped), {.order = std::endian::big, .threads = 2}), expected);
  EXPECT_EQ(sum<std::uint8_t>(memory("\1\2"), {.order = other_order}), 3U);
}

TEST(sum_of_an_input, adds_floats_in_order_whatever_the_threads) {
  std::vector<double> values(2'000'000);
  for (std::size_t i = 0; i != values.size(); ++i) values[i] = 1.0 / static_cast<double>(i + 1);
  const temporary_file file(memory(std::as_bytes(std::span(values))).bytes());
  const double expected = scan::sum(values);
  for (const unsigned threads : {1U, 4U}) EXPECT_EQ(sum<double>(file.path(), {.threads = threads}), expected);
}

TEST(sum_of_an_input, is_an_error_where_it_ends_inside_a_value_or_overflows) {
  const temporary_file file(std::string(4003, 'x'));
  for (const unsigned threads : {1U, 2U}) {
    EXPECT_THAT(thrown_by([&] { (void)sum<std::uint32_t>(file.path(), {.threads = threads}); }),
                is_error(errc::partial_value, 4000U));
  }
  const std::string most(16, '\xFF');
  EXPECT_EQ(code_of([&] { (void)sum<std::uint64_t>(memory(most)); }), errc::sum_overflow);
  EXPECT_EQ(sum<std::int64_t>(memory(most)), -2);
}

TEST(sum_of_an_input, of_parts_that_overflow_is_exact) {
  std::vector<std::int64_t> values(std::size_t{1} << 20U, std::numeric_limits<std::int64_t>::max());
  for (std::size_t i = values.size() / 2; i != values.size(); ++i) values[i] = -values[i];
  EXPECT_EQ(sum<std::int64_t>(memory(std::as_bytes(std::span(values))), {.threads = 2}), 0);
}

std::uint64_t naive_occurrences(std::string_view bytes, std::string_view text) {
  std::uint64_t count = 0;
  for (std::size_t at = 0; (at = bytes.find(text, at)) != std::string_view::npos; at += text.size()) ++count;
  return count;
}

std::uint64_t naive_lines_with(std::string_view bytes, std::string_view text) {
  std::uint64_t count = 0;
  for (const std::string& line : naive_lines(bytes)) count += line.find(text) != std::string::npos ? 1U : 0U;
  return count;
}

// Counts by splits of that size, and by as many threads.
void expect_counts(std::string_view bytes, std::string_view text, std::size_t split, unsigned threads) {
  const thread_options splitting{.threads = threads, .split_size = split};
  std::uint64_t total = 7;
  count_occurrences_into(total, source(memory(bytes)), text, splitting);
  ASSERT_EQ(total, naive_occurrences(bytes, text))
      << testing::PrintToString(text) << " in splits of " << split;
  if (text.find('\n') != std::string_view::npos) return;
  count_lines_with_into(total, source(memory(bytes)), text, splitting);
  ASSERT_EQ(total, naive_lines_with(bytes, text))
      << testing::PrintToString(text) << " in splits of " << split;
}

TEST(count_found, is_the_same_for_every_cut) {
  for (const std::string_view alphabet : {"a", "ab", "ab\n", "aaaaab\n", "a\n"}) {
    const std::string bytes = random_text(120, 5, alphabet);
    for (const std::string_view text :
         {"a", "aa", "aaa", "ab", "aba", "abab", "abaab", "\n", "\n\n", "a\na"}) {
      for (std::size_t split = 1; split <= bytes.size() + 1; ++split) {
        expect_counts(bytes, text, split, 1 + split % 2);
      }
    }
  }
}

// A text of each length stands across the first border of splits, at each distance from it; others overlap
// it.
TEST(count_found, finds_texts_of_1_to_300_bytes_across_a_border) {
  constexpr std::size_t split = 400;
  for (std::size_t length = 1; length <= 300; ++length) {
    const std::string text =
        random_text(length, static_cast<unsigned>(length), std::string_view("ab\0\xFF\xC3", 5));
    for (std::size_t before = 0; before <= length; before += length < 20 ? 1 : 37) {
      std::string bytes(1000, '.');
      bytes.replace(split - before, length, text);
      bytes.replace(split - before + length, length, text);
      if (before % 2 == 1) bytes[split - before + length / 2] = '\n';
      expect_counts(bytes, text, split, 2);
      expect_counts(bytes, text, 3, 1);  // most splits are shorter than the text
    }
    expect_counts(std::string(1000, 'a'), std::string(length, 'a'), split, 2);
  }
}

TEST(count_found, is_that_of_every_method_and_block) {
  std::string text = random_text(300'000, 9, "aab \n");
  text += std::string(400'000, 'a');  // a line that is longer than a block
  const temporary_file file(text);
  for (const method by : usable_methods()) {
    for (const std::size_t block_size : {0U, 4096U, 70'001U}) {
      const read_options reading{.method = by, .block_size = block_size};
      for (const std::string_view wanted : {"aba", "aa", "b aab"}) {
        EXPECT_EQ(count_occurrences(file.path(), wanted, {.threads = 2}, reading),
                  naive_occurrences(text, wanted));
        EXPECT_EQ(count_lines_with(file.path(), wanted, {}, reading), naive_lines_with(text, wanted));
      }
    }
  }
}

TEST(count_found, takes_any_bytes_and_refuses_no_text) {
  const std::string bytes("\0\0\xFF\0\n\xC3\0\0", 8);
  EXPECT_EQ(count_occurrences(memory(bytes), std::string_view("\0\0", 2)), 2U);
  EXPECT_EQ(count_lines_with(memory(bytes), std::string_view("\xFF\0", 2)), 1U);
  EXPECT_EQ(count_lines_with(memory(""), "a"), 0U);
  EXPECT_EQ(count_occurrences(memory("a\n"), "a\n\n"), 0U);
  const auto refused = [](auto call) { EXPECT_EQ(code_of(call), errc::invalid_argument); };
  refused([&] { (void)count_occurrences(memory("a"), ""); });
  refused([&] { (void)count_lines_with(memory("a"), ""); });
  refused([&] { (void)count_lines_with(memory("a"), "a\nb"); });
}

TEST(find, a_text_of_every_length_at_every_place) {
  EXPECT_EQ(scan::find("abc", "", 2), 2U);
  EXPECT_EQ(scan::find("abc", "", 4), std::string_view::npos);
  EXPECT_EQ(scan::find({}, "a"), std::string_view::npos);
  for (const std::string_view alphabet : {"ab", "aaaaaaaab", " e", "xyz\x80"}) {
    const std::string bytes = random_text(700, 4, alphabet);
    for (std::size_t size = 1; size <= 300; ++size) {
      for (std::size_t place = 0; place + size <= bytes.size(); place += 1 + size % 41) {
        const std::string text = bytes.substr(place, size);
        ASSERT_EQ(scan::find(bytes, text, place / 2), bytes.find(text, place / 2)) << size << ' ' << place;
        ASSERT_EQ(scan::find(bytes, text + "Q"), std::string_view::npos);
      }
    }
  }
}

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
  const thread_options splitting{.threads = threads, .split_size = 3};
  const auto all_lines = [&] { return lines(in, {.keep_delimiter = true}, reading); };
  const auto one = [](const auto&) { return std::uint64_t{1}; };
  const auto size = [](std::string_view line) { return std::uint64_t{line.size()}; };
  const auto ended = [](std::string_view line) { return line.ends_with('\n') ? 1U : 0U; };
  const auto has_seven = [](std::string_view line) { return line.find('7') != line.npos ? 1U : 0U; };
  const auto sevens = [](std::string_view line) { return std::ranges::count(line, '7'); };
  int number = 0;
  const auto expect = [&](auto fast, auto slow) {
    ++number;
    EXPECT_EQ(outcome(fast), outcome(slow))
        << "count " << number << " of " << testing::PrintToString(bytes.substr(0, 80));
  };
  const auto by_weight = [&](auto weight) { return [&, weight] { return total(all_lines(), weight); }; };
  const auto all_words = [&] { return total(words(in, {}, reading), one); };
  expect([&] { return count_lines(in, by, reading); }, by_weight(ended));
  expect([&] { return count_byte(in, '7', by, reading); }, by_weight(sevens));
  expect([&] { return count_occurrences(in, "7", by, reading); }, by_weight(sevens));
  expect([&] { return count_lines_with(in, "7", by, reading); }, by_weight(has_seven));
  expect(
      [&] {
        std::uint64_t found = 0;
        count_lines_with_into(found, source(in, reading), "7", splitting);
        return found;
      },
      by_weight(has_seven));
  expect([&] { return count_words(in, by, reading); }, all_words);
  expect([&] { return count_text(in, {.threads = threads}, reading).words; }, all_words);
  expect([&] { return count_text(in, {.threads = threads}, reading).bytes; }, by_weight(size));
  expect(
      [&] {
        const byte_counts counts = count_bytes(in, by, reading);
        return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
      },
      by_weight(size));
  expect(
      [&] {
        const auto rows_of = [&](row_range& part) { return total(part, one); };
        return parallel_rows(in, std::uint64_t{0}, rows_of, std::plus<>(), csv, splitting, reading);
      },
      [&] { return total(rows(in, csv, reading), one); });
  expect(
      [&] {
        return total(value_counts(in, {.threads = threads}, reading),
                     [](const auto& each) { return each.count; });
      },
      by_weight(one));
}

TEST(counts, are_those_of_loops_over_records) {
  const container& gzip = container_named("gzip");
  for (const char* const text : {"", "\n", "7", "a 7\nb",
                                 "\xEF\xBB\xBF"
                                 "7,a\n7\n",
                                 "\xEF\xBB\xBF", "\xEF\xBB", "\r\r\r", "7\ra\r7\r", "7\r\n\r\na 7\r\n",
                                 "a\n\r7\n\r", "\"7\n7\",a\nb,7\n", "a\n\"7\n", "7\v7\f\n 7",
                                 "\xFF\xFE"
                                 "7\n"}) {
    for (const unsigned threads : {1U, 3U}) {
      expect_same_counts(text, {}, threads);
      if (missing(gzip)) continue;
      const read_options decode{.decode = decoding::automatic};
      const std::string whole = gzip.member(text);
      std::string damaged = whole;
      damaged[whole.size() - 6] ^= 1;
      for (const std::string& each : {whole, whole + whole, damaged, whole.substr(0, whole.size() - 5)})
        expect_same_counts(each, decode, threads);
    }
  }
}

}  // namespace
}  // namespace riffle::test
