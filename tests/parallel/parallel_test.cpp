/// Splits read by several threads give every record once, whole and in order.
#include <riffle/count.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>
#include <riffle/splits.hpp>

#include <streambuf>

#include "os/mapping.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::vector<std::string>& texts() {
  static const std::vector<std::string> all{"",
                                            "x",
                                            "\n",
                                            std::string(500, '\n'),
                                            "few\nrecords",
                                            std::string(100'000, 'h') + "\n",
                                            "short\n" + std::string(40'000, 'h') + "\nshort",
                                            random_text(3000, 7, "a\n"),
                                            random_text(3000, 8, "abcdefghijklmnopqrstuvw\n")};
  return all;
}

std::vector<std::size_t> split_sizes(std::size_t size) {
  if (size > 10'000) return {1000, 4096, 65536, std::size_t{4} << 20U};
  return {1, 2, 7, 64, 1000, std::size_t{4} << 20U};
}

EACH_METHOD(each_parallel_method);

TEST_P(each_parallel_method, gives_the_file_back_in_order) {
  for (const std::string& text : texts()) {
    const temporary_file file(text);
    for (const std::size_t size : split_sizes(text.size())) {
      if (size < 7 && text.size() > 1000 && GetParam() == method::direct)
        continue;  // a slow device, a split a byte
      for (const unsigned threads : {1U, 2U, 3U, 8U}) {
        ASSERT_TRUE(joined(file.path(), {.threads = threads, .split_size = size}, {.method = GetParam()}) ==
                    text)
            << text.size() << " bytes, " << size << " a split, " << threads << " threads";
      }
    }
  }
}

TEST_P(each_parallel_method, cuts_between_records_only) {
  for (const std::string& text : texts()) {
    const temporary_file file(text);
    for (const auto& [size, end] : {std::pair(64U, '\n'), {1000U, '\n'}, {50U, 'a'}}) {
      const line_options records_of{.delimiter = end};
      std::atomic<std::size_t> records = 0;
      std::atomic<std::size_t> bytes = 0;
      std::mutex failing;
      parallel_for_each(file.path(),
                        [&](const block& split) {
                          const std::lock_guard lock(failing);
                          EXPECT_FALSE(split.empty());
                          EXPECT_EQ(split.bytes, std::string_view(text).substr(split.offset, split.size()));
                          EXPECT_TRUE(split.offset == 0 || text[split.offset - 1] == records_of.delimiter);
                          EXPECT_TRUE(split.offset + split.size() == text.size() ||
                                      split.bytes.back() == records_of.delimiter);
                          records += naive_lines(split.bytes, records_of).size();
                          bytes += split.size();
                        },
                        {.threads = 3, .split_size = size, .delimiter = end},
                        {.method = GetParam(), .block_size = 4096});
      ASSERT_EQ(records, naive_lines(text, records_of).size());
      ASSERT_EQ(bytes, text.size());
    }
  }
}

// A record may start where a split and the block it was read in both end.
TEST_P(each_parallel_method, loses_no_record_that_starts_where_a_block_ends) {
  if (GetParam() == method::direct) GTEST_SKIP() << "its blocks are those of the device";
  for (const std::string& text : texts()) {
    if (text.size() > 10'000) continue;
    const temporary_file file(text);
    for (const std::size_t block : {7U, 64U, 1000U}) {
      for (const std::size_t blocks : {1U, 2U}) {
        ASSERT_TRUE(joined(file.path(), {.threads = 2, .split_size = block * blocks},
                           {.method = GetParam(), .block_size = block}) == text)
            << text.size() << " bytes, " << blocks << " blocks of " << block;
      }
    }
  }
}

TEST_P(each_parallel_method, shares_a_descriptor_among_threads) {
  const std::string text = numbered_lines(20'000);
  const temporary_file file(text);
  const owned_descriptor opened(test::open_to_read(file.path()));
  for (const std::size_t start : {std::size_t{0}, std::size_t{7}}) {
    for (int round = 0; round < 20; ++round) {
      ASSERT_EQ(test::move_to(opened.get(), static_cast<std::int64_t>(start)),
                static_cast<std::int64_t>(start));
      ASSERT_TRUE(joined(opened.get(), {.threads = 4, .split_size = 1000}, {.method = GetParam()}) ==
                  text.substr(start))
          << "round " << round;
      EXPECT_EQ(test::position_of(opened.get()), static_cast<std::int64_t>(text.size()))
          << "stands at the end";
    }
  }
}

TEST_P(each_parallel_method, keeps_values_whole) {
  const std::string text = random_text(10'001, 9);
  const temporary_file file(text);
  for (const std::size_t record : {1U, 3U, 8U, 100U, 20'000U}) {
    for (const std::size_t size : {1U, 64U, 1000U, 100'000U}) {
      const parallel_options splitting{
          .threads = 3, .split_size = size, .delimiter = std::nullopt, .record_size = record};
      if (size < 64 && record < 8) continue;
      ASSERT_TRUE(joined(file.path(), splitting, {.method = GetParam()}) == text);
      std::atomic<bool> whole = true;
      parallel_for_each(file.path(),
                        [&](const block& split) {
                          if (split.offset % record != 0) whole = false;
                          if (split.size() % record != 0 && split.offset + split.size() != text.size())
                            whole = false;
                        },
                        splitting, {.method = GetParam()});
      ASSERT_TRUE(whole) << record << " bytes a record, " << size << " a split";
    }
  }
}

TEST(parallel, splits_memory_and_streams_alike) {
  for (const std::string& text : texts()) {
    const temporary_file file(text);
    for (const std::size_t size : split_sizes(text.size())) {
      for (const unsigned threads : {1U, 2U, 8U}) {
        const parallel_options splitting{.threads = threads, .split_size = size};
        const fed_pipe pipe(text, 900);
        const stdio_file stream = open_stdio(file.path());
        for (const input& from : {input(memory(text)), input(pipe.get()), input(stream.get())}) {
          ASSERT_TRUE(joined(from, splitting, {.block_size = 100}) == text)
              << from.name() << ", " << text.size() << " bytes, " << size << " a split";
        }
      }
    }
  }
}

TEST(parallel, tells_where_a_split_of_a_stream_stands) {
  const temporary_file file("first\nsecond\nthird\n");
  const stdio_file stream = open_stdio(file.path());
  ASSERT_EQ(std::fseek(stream.get(), 6, SEEK_SET), 0);
  std::uint64_t least = 1000;
  parallel_for_each(stream.get(), [&](const block& split) { least = std::min(least, split.offset); },
                    {.threads = 1});
  EXPECT_EQ(least, 6U);
}

TEST(parallel, passes_on_what_a_worker_throws) {
  const std::string text = numbered_lines(1000);
  const temporary_file file(text);
  const fed_pipe pipe(text);
  for (const input& from : {input(file.path()), input(memory(text)), input(pipe.get())}) {
    std::atomic<int> calls = 0;
    const auto fail = [&](std::string_view) {
      if (++calls == 3) throw std::runtime_error("third");
    };
    EXPECT_THROW(parallel_for_each(from, fail, {.threads = 4, .split_size = 100}, {.block_size = 100}),
                 std::runtime_error);
    EXPECT_LT(calls, 100) << "the others stopped";
  }
}

TEST(parallel, gives_no_split_behind_the_failure_of_a_stream) {
  const std::string text = numbered_lines(300);
  for (int round = 0; round < 100; ++round) {
    std::istringstream stream(text);
    int blocks = 10 + round % 10;
    const auto fail = [&] {
      if (--blocks == 0) throw std::runtime_error("enough");
    };
    const read_options failing{.block_size = 64, .watch = {.before_block = fail}};
    std::atomic<bool> right = true;
    const auto look = [&](const block& split) {
      if (split.bytes.empty() || split.bytes != text.substr(split.offset, split.size())) right = false;
    };
    EXPECT_THROW(parallel_for_each(stream, look, {.threads = 8, .split_size = 64}, failing),
                 std::runtime_error);
    ASSERT_TRUE(right) << "in round " << round;
  }
}

TEST(parallel, passes_on_what_the_combination_throws) {
  const std::string text = numbered_lines(1000);
  const auto combine = [](int, int) -> int { throw std::logic_error("combined"); };
  EXPECT_THROW((void)parallel_reduce(memory(text), 0, [](std::string_view) { return 1; }, combine,
                                     {.threads = 3, .split_size = 100}),
               std::logic_error);
}

// A file that is cut before a byte was read. All of what is left counts, to the last byte.
TEST_P(each_parallel_method, counts_up_to_the_failure) {
  if (GetParam() == method::mmap) GTEST_SKIP() << "a window with a lost page is not handed out";
  const std::string text = numbered_lines(20'000);
  const std::string_view left = std::string_view(text).substr(0, 123'456);
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const bool lines : {false, true}) {
      for (const std::size_t block : {1000U, 4096U, 40'000U}) {
        const temporary_file file(text);
        std::once_flag once;
        const auto cut = [&] { std::call_once(once, [&] { file.resize(left.size()); }); };
        parallel_options splitting{.threads = threads, .split_size = 10'000};
        if (!lines) splitting.delimiter = std::nullopt;
        const read_options reading{.method = GetParam(), .block_size = block, .watch = {.before_block = cut}};
        const auto [found, failure] = read_splits(source(file.path(), reading), splitting);
        ASSERT_TRUE(failure);
        EXPECT_EQ(failure->code(), errc::truncated);
        EXPECT_TRUE(found == (lines ? left.substr(0, left.rfind('\n') + 1) : left))
            << found.size() << " bytes by " << threads << " threads, blocks of " << block << ", lines "
            << lines;
      }
    }
  }
}

TEST(parallel, counts_no_split_of_a_file_that_shrank) {
  if (!os::cuts_mapped_files) GTEST_SKIP() << "the system cuts no file that is mapped";
  constexpr std::size_t split_size = 1 << 20;
  const temporary_file file(std::string(4 * split_size, '\n'));
  std::vector<std::size_t> counted;
  const auto count_and_truncate = [&](std::string_view split) {
    file.resize(split_size / 2);
    return split.size();
  };
  const auto note = [&](std::size_t total, std::size_t size) {
    counted.push_back(size);
    return total + size;
  };
  EXPECT_THROW((void)parallel_reduce(file.path(), std::size_t{0}, count_and_truncate, note,
                                     {.threads = 1, .split_size = split_size}, {.method = method::mmap}),
               error);
  EXPECT_TRUE(counted.empty());
}

TEST(parallel, takes_splits_of_any_size) {
  const std::string text = numbered_lines(100);
  const temporary_file file(text);
  for (const std::size_t size : {std::size_t{0}, std::numeric_limits<std::size_t>::max() / 2,
                                 std::numeric_limits<std::size_t>::max()}) {
    EXPECT_EQ(joined(file.path(), {.threads = 2, .split_size = size}, {.method = method::read}), text);
    EXPECT_EQ(joined(file.path(), {.threads = 2, .split_size = size, .delimiter = std::nullopt}), text);
  }
  EXPECT_EQ(parallel_reduce(file.path(), std::uint64_t{0},
                            [](std::string_view split) { return scan::count_words(split); }),
            naive_words(text).size());
}

TEST(parallel, refuses_records_of_no_bytes_and_a_size_beside_a_delimiter) {
  const temporary_file file(numbered_lines(100));
  for (const record_options& records : {record_options{'\n', 0}, {std::nullopt, 0}, {'\n', 8}, {'\0', 8}}) {
    EXPECT_EQ(code_of([&] {
                parallel_for_each(file.path(), [](std::string_view) {},
                                  {.delimiter = records.delimiter, .record_size = records.record_size});
              }),
              errc::invalid_argument);
    EXPECT_EQ(code_of([&] { (void)read_all(read_split(splits(file.path())[0], records)); }),
              errc::invalid_argument);
  }
}

TEST(parallel, reads_files_whose_size_is_a_lie) {
  const std::string expected = contents_of("/proc/self/limits");
  if (expected.empty()) GTEST_SKIP() << "/proc is not there";
  EXPECT_EQ(joined("/proc/self/limits", {.threads = 4, .split_size = 100}), expected);
}

// Gives bytes by xsgetn alone, as a stream may do, and then fails. Says so before.
class cut_bytes : public std::streambuf {
 public:
  cut_bytes(std::string_view bytes, std::size_t piece) : rest_(bytes), piece_(piece) {}
  std::atomic<bool> failed = false;

 private:
  std::streamsize xsgetn(char* into, std::streamsize size) override {
    failed = rest_.empty();
    if (failed) throw std::runtime_error("no more");
    const std::size_t some = std::min({static_cast<std::size_t>(size), rest_.size(), piece_});
    std::copy_n(rest_.data(), some, into);
    rest_.remove_prefix(some);
    return static_cast<std::streamsize>(some);
  }
  std::string_view rest_;
  std::size_t piece_;
};

TEST(a_stream_in_splits, counts_up_to_the_failure) {
  const std::string text = numbered_lines(2000);
  const std::string_view left = std::string_view(text).substr(0, 12'345);
  for (const unsigned threads : {1U, 2U, 4U}) {
    for (const bool lines : {false, true}) {
      cut_bytes bytes(left, 700);
      std::istream in(&bytes);
      parallel_options splitting{.threads = threads, .split_size = 5000};
      if (!lines) splitting.delimiter = std::nullopt;
      const auto [found, failure] = read_splits(source(in), splitting);
      EXPECT_TRUE(failure);
      EXPECT_TRUE(found == (lines ? left.substr(0, left.rfind('\n') + 1) : left))
          << found.size() << " bytes by " << threads << ", lines " << lines;
    }
  }
}

// The earlier failure counts, although it comes later.
TEST(a_stream_in_splits, throws_the_failure_of_the_first_split_that_failed) {
  const std::string text(2 * 65'536, '\n');
  cut_bytes bytes(text, 65'536);
  std::istream in(&bytes);
  const auto map = [&](const block& split) {
    if (split.offset == 0) return 0;
    while (!bytes.failed) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    throw std::logic_error("split 1");
  };
  const parallel_options splitting{.threads = 2, .split_size = 65'536};
  EXPECT_THROW((void)parallel_reduce(in, 0, map, std::plus<>(), splitting, {.block_size = 65'536}),
               std::logic_error);
}

}  // namespace
}  // namespace riffle::test
