/// An input is opened once, many files are read in parallel, and results come out in order with failures
/// beside them.
#include <riffle/detail/ordered.hpp>
#include <riffle/parallel.hpp>
#include <riffle/parallel_files.hpp>
#include <riffle/scan.hpp>

#include <set>

#include "parallel/sharing.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(ordered, delivers_in_order) {
  detail::ordered<int> results;
  std::vector<int> seen;
  const auto deliver = [&](int result) { seen.push_back(result); };
  EXPECT_TRUE(results.add(2, 20, deliver));
  EXPECT_TRUE(results.add(1, 10, deliver));
  EXPECT_TRUE(seen.empty());
  EXPECT_TRUE(results.add(0, 0, deliver));
  EXPECT_TRUE(results.add(3, 30, deliver));
  EXPECT_EQ(seen, (std::vector{0, 10, 20, 30}));
}

TEST(ordered, stops_when_a_delivery_fails) {
  detail::ordered<int> results;
  int delivered = 0;
  const auto deliver = [&](int result) {
    ++delivered;
    if (result == 1) throw std::runtime_error("one");
  };
  EXPECT_TRUE(results.add(2, 2, deliver));
  EXPECT_TRUE(results.add(1, 1, deliver));
  std::jthread waiting([&] { EXPECT_FALSE(results.wait_for(3)); });
  EXPECT_THROW(results.add(0, 0, deliver), std::runtime_error);
  EXPECT_FALSE(results.add(3, 3, deliver));
  EXPECT_EQ(delivered, 2);
}

TEST(ordered, lets_a_thread_wait_for_its_turn) {
  detail::ordered<int> results;
  std::vector<int> seen;
  const auto deliver = [&](int result) { seen.push_back(result); };
  std::jthread waiting([&] {
    EXPECT_TRUE(results.wait_for(2));
    seen.push_back(-1);  // no one else delivers now
    results.add(2, 2, deliver);
  });
  results.add(1, 1, deliver);
  results.add(0, 0, deliver);
  waiting.join();
  EXPECT_EQ(seen, (std::vector{0, 1, -1, 2}));
}

TEST(threads, run_at_least_one) {
  std::atomic<unsigned> count = 0;
  run_on_threads(3, [&] { ++count; });
  EXPECT_GE(count, 1U);
  EXPECT_LE(count, 3U);
  EXPECT_GE(thread_count(0), 1U);
  EXPECT_EQ(thread_count(7), 7U);
}

TEST(delimiters, are_found_from_both_ends) {
  const auto behind = [](std::size_t place) {
    return place == std::string_view::npos ? std::nullopt : std::optional(place + 1);
  };
  for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 4095U, 4096U, 4097U, 10'000U}) {
    for (const char* alphabet :
         {"a", "\n", "ab\n", "abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGHIJKLMNOP\n"}) {
      const std::string bytes = random_text(size, static_cast<unsigned>(size), alphabet);
      for (std::size_t start = 0; start <= size; start += 1 + size / 50) {
        const std::string_view part = std::string_view(bytes).substr(start);
        ASSERT_EQ(behind_first(part, '\n'), behind(part.find('\n'))) << size << " from " << start;
        ASSERT_EQ(behind_last(part, '\n'), behind(part.rfind('\n'))) << size << " from " << start;
      }
    }
  }
}

// Made by the test that needs it.
const std::string& text() {
  static const std::string made = numbered_lines(20'000);
  return made;
}

EACH_METHOD(each_sharing_method);

TEST_P(each_sharing_method, opens_a_path_once_and_reads_that_file_when_the_path_is_replaced) {
  if (const auto reason = interposition_unavailable()) GTEST_SKIP() << *reason;
  for (const unsigned threads : {1U, 3U}) {
    const temporary_file file(text());
    const temporary_file other(std::string(text().size(), 'x'));
    const noted_opens opens(file.path().string(),
                            [&] { std::filesystem::rename(other.path(), file.path()); });
    ASSERT_TRUE(joined(file.path(), {.threads = threads, .split_size = 10'000}, {.method = GetParam()}) ==
                text())
        << threads << " threads";
    EXPECT_EQ(file.contents().front(), 'x');
    EXPECT_EQ(opens.count(), 1U) << threads << " threads";
  }
}

TEST_P(each_sharing_method, reads_a_file_without_a_name) {
  const temporary_file file(text());
  const owned_descriptor opened(test::open_to_read(file.path()));
  std::filesystem::remove(file.path());
  EXPECT_TRUE(joined(opened.get(), {.threads = 3, .split_size = 10'000}, {.method = GetParam()}) == text());
}

TEST_P(each_sharing_method, reads_by_one_thread_where_it_cannot_open_again) {
  if (const auto reason = interposition_unavailable()) GTEST_SKIP() << *reason;
  if (GetParam() == method::direct) return;  // which has to open again
  const temporary_file file(text());
  const no_reopening no_proc;
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::size_t size = 0;
  parallel_for_each(file.path(),
                    [&](std::string_view split) {
                      const std::lock_guard lock(mutex);
                      threads.insert(std::this_thread::get_id());
                      size += split.size();
                    },
                    {.threads = 3, .split_size = 10'000}, {.method = GetParam()});
  EXPECT_EQ(size, text().size());
  if (GetParam() == method::stdio || GetParam() == method::iostream) {
    EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
  }
}

TEST_P(each_sharing_method, goes_on_with_an_open_source) {
  const temporary_file file(text());
  source opened(input(file.path()), {.method = GetParam()});
  std::filesystem::remove(file.path());
  EXPECT_TRUE(read_splits(std::move(opened), {.threads = 3, .split_size = 10'000}).bytes == text());
}

// GNU wc leaves standard input where it stands, too.
TEST_P(each_sharing_method, leaves_a_descriptor_beyond_the_end) {
  const temporary_file file(text());
  const auto beyond = static_cast<std::int64_t>(text().size() + 100'000);
  const owned_descriptor opened = open_at(file.path(), static_cast<std::uint64_t>(beyond));
  source from(opened.get(), {.method = GetParam()});
  EXPECT_TRUE(from.next().empty());
  EXPECT_EQ(test::position_of(opened.get()), beyond);
  for (const unsigned threads : {1U, 3U}) {
    EXPECT_EQ(joined(opened.get(), {.threads = threads, .split_size = 10'000}, {.method = GetParam()}), "");
    EXPECT_EQ(test::position_of(opened.get()), beyond) << threads << " threads";
  }
}

std::uint64_t words_in(std::string_view part) {
  return scan::count_words(part);
}

TEST(parallel_files, gives_results_in_order) {
  const temporary_directory directory;
  std::vector<std::filesystem::path> files;
  for (std::size_t number = 0; number != 200; ++number) {
    files.push_back(directory.path() / std::to_string(number));
    std::ofstream(files.back()) << numbered_lines(number);
  }
  std::ofstream(files[100]) << std::string(std::size_t{17} << 20U, ' ') << "one two\nthree";  // shared by all
  for (const unsigned threads : {1U, 2U, 7U}) {
    std::vector<std::uint64_t> counts;
    parallel_files(files, std::uint64_t{0}, words_in, std::plus<>(),
                   [&](std::size_t index, std::uint64_t words, const error* failure) {
                     EXPECT_EQ(index, counts.size());
                     EXPECT_EQ(failure, nullptr);
                     counts.push_back(words);
                   },
                   {.threads = threads});
    ASSERT_EQ(counts.size(), files.size());
    for (std::size_t number = 0; number != files.size(); ++number) {
      EXPECT_EQ(counts[number], number == 100 ? 3U : words_in(numbered_lines(number))) << number;
    }
  }
}

TEST(parallel_files, gives_each_result_before_one_thread_reads_the_next_file) {
  const temporary_file one("one\n");
  const temporary_file two("two\n");
  std::string events;
  parallel_files(
      std::vector{one.path(), two.path()}, 0,
      [&](std::string_view text) {
        events += text.substr(0, 3);
        return 1;
      },
      std::plus<>(), [&](std::size_t, int, const error*) { events += " told, "; }, {.threads = 1});
  EXPECT_EQ(events, "one told, two told, ");
}

TEST(parallel_files, tells_of_one_that_fails_and_reads_the_others) {
  const temporary_file good("one two\n");
  const std::vector<std::string> files{good.path().string(), "/no/such/file", good.path().string()};
  for (const unsigned threads : {1U, 2U}) {
    std::vector<std::uint64_t> counts;
    std::vector<std::string> failures;
    parallel_files(files, std::uint64_t{0}, words_in, std::plus<>(),
                   [&](std::size_t, std::uint64_t words, const error* failure) {
                     counts.push_back(words);
                     if (failure != nullptr) failures.push_back(failure->path());
                   },
                   {.threads = threads});
    EXPECT_EQ(counts, (std::vector<std::uint64_t>{2, 0, 2}));
    EXPECT_EQ(failures, std::vector<std::string>{"/no/such/file"});
  }
}

TEST(parallel_files, passes_on_what_the_caller_throws) {
  const temporary_file good("one two\n");
  const std::vector<input> files(20, input(good.path()));
  const auto nothing = [](std::size_t, int, const error*) {};
  const auto fails = [](std::string_view) -> int { throw std::logic_error("map"); };
  EXPECT_THROW(parallel_files(files, 0, fails, std::plus<>(), nothing, {.threads = 3}), std::logic_error);
  std::size_t done = 0;
  EXPECT_THROW(parallel_files(
                   files, 0, [](std::string_view) { return 1; }, std::plus<>(),
                   [&](std::size_t, int, const error*) {
                     if (++done == 3) throw std::logic_error("done");
                   },
                   {.threads = 3}),
               std::logic_error);
  EXPECT_EQ(done, 3U);
}

TEST(parallel_files, takes_none) {
  parallel_files(
      std::vector<std::string>(), 0, [](std::string_view) { return 1; }, std::plus<>(),
      [](std::size_t, int, const error*) { FAIL(); });
}

}  // namespace
}  // namespace riffle::test
