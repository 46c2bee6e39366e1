/// Every record type gives the same answer as a naive loop, by every method and block size.
#include <riffle/blocks.hpp>
#include <riffle/bytes.hpp>
#include <riffle/lines.hpp>
#include <riffle/values.hpp>
#include <riffle/words.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <memory>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct sample {
  std::string name;
  std::string text;
  std::unique_ptr<temporary_file> file = {};
};

std::vector<sample> make_samples() {
  const std::string white = " \t\n\v\f\r";
  std::string blocks;  // lines that end right before, at and after the ends of blocks
  for (const std::size_t size : {1U, 2U, 3U, 5U, 7U, 13U, 63U, 64U, 65U, 127U, 4095U, 4096U, 4097U}) {
    blocks += std::string(size - 1, 'a') + '\n' + std::string(size, 'b') + '\n';
  }
  std::vector<sample> all;
  const auto add = [&](std::string name, std::string text) {
    all.push_back({std::move(name), std::move(text)});
  };
  add("empty", "");
  add("one byte", "x");
  add("one newline", "\n");
  add("newlines only", std::string(200, '\n'));
  add("white space only", white + white + "  \n \n");
  add("no final newline", "first\nsecond\n\nlast without end");
  add("crlf", "a\r\n\r\nbb\r\nccc\r\r\n\rd\r\ne\r");
  add("crlf cut at every place", [] {
    std::string text;
    for (std::size_t size = 0; size < 90; ++size) text += std::string(size, 'x') + "\r\n";
    return text;
  }());
  add("nul bytes", std::string("a\0b\nc\0\0\n\0\n \0 \n", 15));
  add("utf-8 and high bytes",
      "\xEF\xBB\xBF"
      "caf\xC3\xA9 \xE2\x82\xAC\n\xFF\xFE\x80\x85\xA0 x\n\xF0\x9F\x98\x80");
  add("ends of blocks", blocks);
  add("random text", random_text(9000, 1, "abc de\n fg\r\n\thi"));
  add("random bytes", random_text(9000, 2));
  add("long line", "short\n" + std::string(200'000, 'y') + "\nshort again\n");
  add("very long line", std::string(3'000'000, 'z') + "\nend");
  add("large text", random_text(700'000, 3, "abcdefgh ijk\nlmno pqr\r\n"));
  for (sample& each : all) each.file = std::make_unique<temporary_file>(each.text);
  return all;
}

const std::vector<sample>& samples() {
  static const std::vector<sample> all = make_samples();
  return all;
}

// Small blocks are for small files; and mmap and direct round them up, so that one small size says it all.
std::vector<std::size_t> block_sizes(method used, std::size_t size) {
  if (used == method::mmap || used == method::direct) return {1, 4096, 4097, 65536, 0};
  if (size > 500'000) return {4095, 4097, 65536, 0};
  if (size > 50'000) return {127, 4096, 65536, 0};
  return {1, 2, 3, 5, 7, 13, 63, 64, 65, 127, 4095, 4096, 4097, 65536, 0};
}

class each_method : public testing::TestWithParam<method> {
 protected:
  using check = std::function<void(const sample&, const read_options&)>;

  // Stops at the first sample and block size that fail, and names them.
  static void for_every_reading(const check& f) {
    for (const sample& each : samples()) {
      for (const std::size_t size : block_sizes(GetParam(), each.text.size())) {
        f(each, {.method = GetParam(), .block_size = size});
        ASSERT_FALSE(HasFailure()) << each.name << ", block size " << size;
      }
    }
  }
};
INSTANTIATE_TEST_SUITE_P(methods, each_method, testing::ValuesIn(usable_methods()), method_name);

// Without printing megabytes.
void expect_same(const std::vector<std::string>& found, const std::vector<std::string>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_TRUE(found[i] == expected[i])
        << "record " << i << ": '" << found[i].substr(0, 60) << "' for '" << expected[i].substr(0, 60) << "'";
  }
}

template <class Range>
std::vector<std::string> collect(Range&& records) {
  std::vector<std::string> all;
  for (const std::string_view record : records) all.emplace_back(record);
  return all;
}

TEST_P(each_method, cuts_lines_by_every_option) {
  const std::vector<line_options> all{{},
                                      {.keep_delimiter = true},
                                      {.strip_cr = true},
                                      {.keep_delimiter = true, .strip_cr = true},
                                      {.delimiter = ' '},
                                      {.delimiter = '\0', .keep_delimiter = true},
                                      {.delimiter = '\xFF'}};
  for_every_reading([&](const sample& each, const read_options& reading) {
    for (const line_options& options : all) {
      expect_same(collect(lines(each.file->path(), options, reading)), naive_lines(each.text, options));
      if (each.text.size() > 250'000) break;  // the usual ones only
    }
    std::vector<std::string> called;
    for_each(lines(each.file->path(), reading), [&](std::string_view line) { called.emplace_back(line); });
    expect_same(called, naive_lines(each.text));
  });
}

TEST_P(each_method, cuts_words) {
  for_every_reading([](const sample& each, const read_options& reading) {
    const std::vector<std::string> expected = naive_words(each.text);
    expect_same(collect(words(each.file->path(), reading)), expected);
    std::vector<std::string> all;
    for_each(words(each.file->path(), reading), [&](std::string_view word) { all.emplace_back(word); });
    expect_same(all, expected);
  });
}

TEST_P(each_method, bounds_lines_at_max_length) {
  for_every_reading([](const sample& each, const read_options& reading) {
    if (each.text.size() > 100'000) return;
    for (const std::size_t most : {0U, 1U, 63U, 64U, 4096U}) {
      for (const auto& [strip, keep] :
           {std::pair(false, false), {true, false}, {false, true}, {true, true}}) {
        const line_options options{.keep_delimiter = keep, .strip_cr = strip, .max_length = most};
        const auto [expected, offsets, offset] = naive_bounded_lines(each.text, options);
        std::vector<std::string> found;
        const auto failure = error_of([&] {
          for (const std::string_view line : lines(each.file->path(), options, reading)) {
            found.emplace_back(line);
          }
        });
        expect_same(found, expected);
        ASSERT_EQ(failure.has_value(), offset.has_value()) << "max_length " << most;
        if (!failure) continue;
        ASSERT_EQ(failure->code(), make_error_code(errc::record_too_long));
        ASSERT_EQ(failure->offset(), offset) << "max_length " << most;
      }
    }
  });
}

TEST_P(each_method, stops_when_the_function_says_so) {
  const temporary_file file("a b c\nd e f\ng");
  for (const std::size_t size : {1U, 4096U}) {
    const read_options reading{.method = GetParam(), .block_size = size};
    int seen = 0;
    for_each(lines(file.path(), reading), [&](std::string_view) { return ++seen < 2; });
    EXPECT_EQ(seen, 2);
    for_each(words(file.path(), reading), [&](std::string_view) { return ++seen < 5; });
    EXPECT_EQ(seen, 5);
    for_each(bytes(file.path(), reading), [&](char) { return ++seen < 9; });
    EXPECT_EQ(seen, 9);
    for_each(values<char>(file.path(), reading), [&](char) { return ++seen < 12; });
    EXPECT_EQ(seen, 12);
    for_each(blocks(file.path(), reading), [&](const block&) { return ++seen < 13; });
    EXPECT_EQ(seen, 13);
  }
}

// Memory goes through the same scanners.
TEST(memory, gives_the_same_lines_and_words) {
  for (const sample& each : samples()) {
    const std::string_view text = each.text;
    for (const line_options& options :
         {line_options{}, {.keep_delimiter = true}, {.strip_cr = true}, {.delimiter = ' '}}) {
      expect_same(collect(lines(memory(text), options)), naive_lines(text, options));
      expect_same(collect(line_range(memory(text), options, {})), naive_lines(text, options));
    }
    expect_same(collect(words(memory(text))), naive_words(text));
    expect_same(collect(word_range(memory(text), {}, {})), naive_words(text));
    std::size_t seen = 0;
    for_each(words(memory(text)), [&](std::string_view) { ++seen; });
    EXPECT_EQ(seen, naive_words(text).size());
    ASSERT_FALSE(testing::Test::HasFailure()) << each.name;
  }
}

}  // namespace
}  // namespace riffle::test
