/// Many files: the next ones are opened ahead where the storage is far, and threads have descriptors of their
/// own.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>
#include <riffle/parallel_files.hpp>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <thread>

#include "tests/support/mounts.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::string text = numbered_lines(1000);

// The lengths of the inputs, in order; no value for one that fails.
std::vector<std::optional<std::size_t>> lengths(const std::vector<input>& inputs, unsigned threads) {
  std::vector<std::optional<std::size_t>> found;
  parallel_files(
      inputs, std::size_t{0}, [](std::string_view part) { return part.size(); }, std::plus<>(),
      [&](std::size_t index, std::size_t length, const error* failure) {
        EXPECT_EQ(index, found.size());
        found.push_back(failure == nullptr ? std::optional(length) : std::nullopt);
      },
      {.threads = threads});
  return found;
}

class far_files : public testing::TestWithParam<unsigned> {
 protected:
  void SetUp() override {
    if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
    ::alarm(60);
    served_.emplace(text, std::vector<std::string>{"--latency=2000", "--served=32", "--files=400"});
  }
  void TearDown() override { ::alarm(0); }
  std::optional<slow_file> served_;

  // They are listed, so that the OS kernel need not look up each name.
  std::vector<input> all() const {
    std::vector<std::filesystem::path> paths;
    for (const auto& entry : std::filesystem::directory_iterator(served_->path().parent_path())) {
      paths.push_back(entry.path());
    }
    return {paths.begin(), paths.end()};
  }
};
INSTANTIATE_TEST_SUITE_P(threads, far_files, testing::Values(1U, 2U, 5U));

TEST_P(far_files, are_opened_many_at_once) {
  const std::vector<input> inputs = all();
  ASSERT_EQ(inputs.size(), 400U);
  const auto found = lengths(inputs, GetParam());
  EXPECT_EQ(std::count(found.begin(), found.end(), text.size()), 400);
  EXPECT_GE(requests_of(served_->end()).most_at_once, 16U) << "a thread alone has one or two in flight";
}

TEST_P(far_files, among_others_are_read_in_order) {
  std::vector<input> inputs = all();
  const temporary_directory directory;
  const auto fifo = directory.path() / "fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  inputs[50] = "/no/such/file";
  inputs[100] = fifo;
  inputs[101] = memory("bytes");
  inputs[102] = directory.path();
  std::jthread writer([&] { std::ofstream(fifo) << "of the fifo"; });
  const auto found = lengths(inputs, GetParam());
  ASSERT_EQ(found.size(), inputs.size());
  EXPECT_EQ(found[50], std::nullopt);
  EXPECT_EQ(found[100], 11U);
  EXPECT_EQ(found[101], 5U);
  EXPECT_EQ(found[102], std::nullopt);
  EXPECT_EQ(std::count(found.begin(), found.end(), text.size()), 396);
}

TEST_P(far_files, are_no_longer_opened_once_the_caller_throws) {
  std::size_t done = 0;
  EXPECT_THROW(parallel_files(
                   all(), 0, [](std::string_view) { return 1; }, std::plus<>(),
                   [&](std::size_t, int, const error*) {
                     if (++done == 60) throw std::logic_error("done");
                   },
                   {.threads = GetParam()}),
               std::logic_error);
  EXPECT_LT(requests_of(served_->end()).bytes, 400 * text.size());
}

// --- Threads with descriptors of their own

// Calls `read` for each of `count` files by two threads that separate their descriptors.
void read_separately(const std::vector<input>& files, const std::function<void(std::size_t index)>& read) {
  const file_work work{
      .read =
          [&](std::size_t index, source opened, unsigned) {
            while (!opened.next().empty()) {
            }
            read(index);
          },
      .finish = [](std::size_t, const std::exception_ptr& failure) { EXPECT_FALSE(failure); },
      .separate_descriptors = true};
  parallel_files(files, work, 2);
}

TEST(threads_with_descriptors_of_their_own, let_a_pipe_end_that_the_caller_closes) {
  const temporary_file file(text);
  const std::vector<input> files(200, input(file.path()));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> started = false, closed = false;
  ssize_t got = -1;
  read_separately(files, [&](std::size_t) {
    if (std::this_thread::get_id() != caller) {
      started = true;
      while (!closed) std::this_thread::yield();
    } else if (!closed) {
      while (!started) std::this_thread::yield();
      close(ends[1]);
      char byte = 0;
      ::alarm(20);
      got = ::read(ends[0], &byte, 1);  // would wait for a thread that has a copy
      ::alarm(0);
      closed = true;
    }
  });
  EXPECT_EQ(got, 0);
  close(ends[0]);
}

TEST(threads_with_descriptors_of_their_own, have_the_standard_ones_and_no_other) {
  const temporary_file file(text);
  const std::vector<input> files(200, input(file.path()));
  const owned_descriptor other(fcntl(2, F_DUPFD_CLOEXEC, 500));  // no file that is opened gets its number
  const auto caller = std::this_thread::get_id();
  std::atomic<int> separate = 0, shared = 0;
  std::atomic<bool> started = false;
  read_separately(files, [&](std::size_t) {
    if (std::this_thread::get_id() == caller) {
      while (!started) std::this_thread::yield();
      return;
    }
    started = true;
    EXPECT_GE(fcntl(2, F_GETFD), 0);
    (fcntl(other.get(), F_GETFD) < 0 ? separate : shared)++;
  });
  if (shared != 0) GTEST_SKIP() << "the OS kernel has no close_range, or a sandbox refuses it";
  EXPECT_GT(separate, 0);
}

TEST(threads_with_descriptors_of_their_own, read_by_each_method) {
  const temporary_file file(numbered_lines(2'000'000));  // 17 MB or more: by all threads
  for (const method how : usable_methods()) {
    const std::vector<input> files(6, input(file.path()));
    std::mutex lock;
    std::vector<std::size_t> sizes;
    const file_work work{
        .read =
            [&](std::size_t, source opened, unsigned threads) {
              std::size_t size = 0;
              parallel_reduce_into(size, std::move(opened), [](std::string_view part) { return part.size(); },
                                   std::plus<>(), {.threads = threads});
              const std::lock_guard held(lock);
              sizes.push_back(size);
            },
        .finish = [](std::size_t, const std::exception_ptr& failure) { EXPECT_FALSE(failure); },
        .separate_descriptors = true};
    parallel_files(files, work, 2, {.method = how});
    EXPECT_EQ(sizes, std::vector<std::size_t>(6, std::filesystem::file_size(file.path()))) << name_of(how);
  }
}

}  // namespace
}  // namespace riffle::test
