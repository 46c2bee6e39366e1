/// Many files in parallel: results in order, each as one thread would give it, failures beside them.
#include <gtest/gtest.h>
#include <riffle/parallel_files.hpp>
#include <riffle/scan.hpp>

#include <stdexcept>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

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
