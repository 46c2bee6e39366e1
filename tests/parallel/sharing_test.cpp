/// An input is opened once, however many threads read it, and what its path leads to later does not matter.
#include <riffle/parallel.hpp>

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>

#include "tests/support/inject.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Made by the test that needs it.
const std::string& text() {
  static const std::string made = numbered_lines(20'000);
  return made;
}

std::string joined(const input& from, unsigned threads, method by) {
  return parallel_reduce(from, std::string(), [](std::string_view split) { return std::string(split); },
                         std::plus<>(), {.threads = threads, .split_size = 10'000}, {.method = by});
}

class each_sharing_method : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_sharing_method, testing::ValuesIn(usable_methods()), method_name);

TEST_P(each_sharing_method, opens_a_path_once_and_reads_that_file_when_the_path_is_replaced) {
  if (const auto reason = interposition_unavailable()) GTEST_SKIP() << *reason;
  for (const unsigned threads : {1U, 3U}) {
    const temporary_file file(text());
    const temporary_file other(std::string(text().size(), 'x'));
    const noted_opens opens(file.path().string(),
                            [&] { std::filesystem::rename(other.path(), file.path()); });
    ASSERT_TRUE(joined(file.path(), threads, GetParam()) == text()) << threads << " threads";
    EXPECT_EQ(file.contents().front(), 'x');
    EXPECT_EQ(opens.count(), 1U) << threads << " threads";
  }
}

TEST_P(each_sharing_method, reads_a_file_without_a_name) {
  const temporary_file file(text());
  const owned_descriptor opened(test::open_to_read(file.path()));
  std::filesystem::remove(file.path());
  EXPECT_TRUE(joined(opened.get(), 3, GetParam()) == text());
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
  std::string found;
  parallel_reduce_into(found, std::move(opened), [](std::string_view split) { return std::string(split); },
                       std::plus<>(), {.threads = 3, .split_size = 10'000});
  EXPECT_TRUE(found == text());
}

// GNU wc leaves standard input where it stands, too.
TEST_P(each_sharing_method, leaves_a_descriptor_beyond_the_end) {
  const temporary_file file(text());
  const owned_descriptor opened(test::open_to_read(file.path()));
  const auto beyond = static_cast<std::int64_t>(text().size() + 100'000);
  ASSERT_EQ(test::move_to(opened.get(), beyond), beyond);
  source from(opened.get(), {.method = GetParam()});
  EXPECT_TRUE(from.next().empty());
  EXPECT_EQ(test::position_of(opened.get()), beyond);
  for (const unsigned threads : {1U, 3U}) {
    EXPECT_EQ(joined(opened.get(), threads, GetParam()), "");
    EXPECT_EQ(test::position_of(opened.get()), beyond) << threads << " threads";
  }
}

}  // namespace
}  // namespace riffle::test
