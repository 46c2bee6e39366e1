/// Where the system refuses descriptors, addresses or io_uring, there is another way or a reason.
#include <riffle/parallel.hpp>
#include <riffle/parallel_files.hpp>
#include <riffle/scan.hpp>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/file.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/linux/replaced.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// "right", "wrong", or the error's words.
std::string outcome_of(const input& from, std::string_view text, const read_options& reading) {
  const read_outcome found = read_blocks(from, reading);
  if (found.failure) return found.failure->what();
  return found.bytes == text ? "right" : "wrong";
}

bool limit(decltype(RLIMIT_AS) which, rlim_t most) {
  const rlimit wanted{most, most};
  return ::setrlimit(which, &wanted) == 0;
}

// Leaves so many descriptors that are not in use.
void leave_descriptors(int count) {
  const int lowest = ::dup(0);
  ::close(lowest);
  limit(RLIMIT_NOFILE, static_cast<rlim_t>(lowest + count));
}

// The other call that fstat(2) may be made of, by the C library and its version.
#ifdef SYS_newfstatat
constexpr long other_stat_call = SYS_newfstatat;
#else
constexpr long other_stat_call = SYS_statx;
#endif

// Made by the first test that needs it, as each test is a process of its own.
const std::string& text() {
  static const std::string made = numbered_lines(50'000);
  return made;
}

TEST(limits, of_io_uring_are_told_and_leave_all_other_methods) {
  const temporary_file file(text());
  std::vector<method> all = usable_methods();
  if (std::ranges::find(all, method::uring) == all.end()) all.push_back(method::uring);
  for (const long number : {SYS_io_uring_setup, SYS_io_uring_enter}) {
    for (const int code : {EPERM, EACCES, ENOSYS, ENOMEM}) {
      for (const method used : all) {
        const std::string answer = in_child([&] {
          return refuse_call(number, code) ? outcome_of(file.path(), text(), {.method = used})
                                           : std::string("no filter");
        });
        if (answer == "no filter") GTEST_SKIP() << "seccomp filters cannot be installed here";
        if (used == method::uring) {
          EXPECT_NE(answer.find("uring"), std::string::npos) << answer;
          EXPECT_NE(answer.find("use another method"), std::string::npos) << answer;
        } else {
          EXPECT_EQ(answer, "right") << name_of(used);
        }
      }
    }
  }
}

TEST(limits, of_one_call_by_a_sandbox_leave_reading) {
  const temporary_file file(text());
  for (const long number : {SYS_preadv2, SYS_fstat, SYS_lseek, SYS_fadvise64, SYS_fstatfs, SYS_statx}) {
    for (const int code : {EPERM, EACCES}) {
      for (const method used : {method::automatic, method::read, method::stdio, method::iostream}) {
        const std::string answer = in_child([&] {
          const bool refused =
              refuse_call(number, code) && (number != SYS_fstat || refuse_call(other_stat_call, code));
          if (!refused) return std::string("no filter");
          const owned_descriptor opened(test::open_to_read(file.path()));
          return outcome_of(opened.get(), text(), {.method = used, .keep_cache = false});
        });
        if (answer == "no filter") GTEST_SKIP() << "seccomp filters cannot be installed here";
        EXPECT_EQ(answer, "right") << "call " << number << ", code " << code << " by " << name_of(used);
      }
    }
  }
}

TEST(limits, of_faulting_in_are_a_fact_for_the_choice) {
  const temporary_file file(text());
  EXPECT_EQ(
      in_child([&] {
        const injection refused({.which = call::madvise, .code = EINVAL, .at = 1, .from_there_on = true});
        return examine(file.path()).mappable ? "mappable" : "not mappable";
      }),
      "not mappable");
}

TEST(limits, of_descriptors_are_told) {
  if (RIFFLE_SANITIZED) GTEST_SKIP() << "a sanitizer needs descriptors to look at memory";
  const temporary_file file(text());
  const auto expect_told = [](const std::string& answer) {
    EXPECT_NE(answer.find(std::generic_category().message(EMFILE)), std::string::npos) << answer;
    EXPECT_NE(answer.find("with ulimit -n"), std::string::npos) << answer;
  };
  expect_told(in_child([&] {
    leave_descriptors(0);
    return outcome_of(file.path(), text(), {});
  }));
  const owned_descriptor opened(test::open_to_read(file.path()));
  for (const method used : usable_methods()) {
    test::move_to(opened.get(), 0);  // the position is shared with the child
    const std::string answer = in_child([&] {
      leave_descriptors(0);
      return outcome_of(opened.get(), text(), {.method = used});
    });
    const bool needs_none = used == method::automatic || used == method::read || used == method::mmap;
    if (needs_none) {
      EXPECT_EQ(answer, "right") << name_of(used);
    } else {
      expect_told(answer);
      EXPECT_EQ(answer.find("refuses O_DIRECT"), std::string::npos) << answer;
    }
  }
}

// The first look at rings is the child's.
TEST(limits, of_descriptors_leave_io_uring_for_later) {
  if (RIFFLE_SANITIZED) GTEST_SKIP() << "a sanitizer needs descriptors to look at memory";
  const temporary_file file(text());
  const owned_descriptor opened(test::open_to_read(file.path()));
  const std::string answer = in_child([&]() -> std::string {
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    const rlimit little{3, before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &little);
    const std::string first = outcome_of(opened.get(), text(), {.method = method::uring});
    ::setrlimit(RLIMIT_NOFILE, &before);
    if (first == "right") return "not limited";
    return outcome_of(opened.get(), text(), {.method = method::uring});
  });
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  EXPECT_EQ(answer, "right");
}

TEST(limits, of_a_system_without_proc_are_told) {
  const temporary_file file(text());
  const no_reopening without_proc;
  for (const method used : usable_methods()) {
    const std::string answer = outcome_of(file.path(), text(), {.method = used});
    if (used == method::direct) {
      EXPECT_NE(answer.find("needs /proc; use method::read"), std::string::npos) << answer;
    } else {
      EXPECT_EQ(answer, "right") << name_of(used);
    }
  }
}

// A thread needs three at most, so 8 are enough for two threads.
TEST(limits, of_descriptors_bound_the_threads_for_many_files) {
  if (RIFFLE_SANITIZED) GTEST_SKIP() << "a sanitizer needs descriptors to look at memory";
  const temporary_file file(text());
  const std::string answer = in_child([&] {
    leave_descriptors(8);
    const injection threads(injection::plan{.which = call::thread});
    std::uint64_t lines = 0;
    parallel_files(
        std::vector<std::filesystem::path>(100, file.path()), std::uint64_t{0},
        [](std::string_view split) { return scan::count_byte(split, '\n'); }, std::plus<>(),
        [&](std::size_t, std::uint64_t found, const error*) { lines += found; }, {.threads = 16});
    return std::to_string(lines) + " lines, " + std::to_string(threads.calls()) + " threads started";
  });
  EXPECT_EQ(answer, "5000000 lines, 1 threads started");
}

// 0 is a descriptor as any other.
TEST(a_closed_standard_input, lends_its_number_to_files) {
  const temporary_file file(text());
  const std::string answer = in_child([&]() -> std::string {
    const int opened = test::open_to_read(file.path());
    ::close(0);
    for (const method used : usable_methods()) {
      for (const input& from : {input(file.path()), input(opened)}) {
        for (const unsigned threads : {1U, 2U}) {
          test::move_to(opened, 0);
          const auto [bytes, failure] =
              read_splits(source(from, {.method = used}), {.threads = threads, .split_size = 1 << 16});
          if (failure || bytes != text())
            return std::string(name_of(used)) + (failure ? failure->what() : "");
          if (::fcntl(0, F_GETFD) != -1) return std::string(name_of(used)) + " leaves 0 open";
        }
      }
    }
    return "right";
  });
  EXPECT_EQ(answer, "right");
}

TEST(a_closed_standard_input, lends_its_number_to_a_file_opened_again) {
  const temporary_file file(text());
  const std::string answer = in_child([&]() -> std::string {
    const os::file opened = os::file::open(file.path());
    ::close(0);
    for (const auto again : {&os::file::reopen, &os::file::reopen_direct, &os::file::duplicate}) {
      if ((opened.*again)().descriptor() != 0) return "another number";
    }
    return "right";
  });
  EXPECT_EQ(answer, "right");
}

TEST(limits, of_addresses_leave_a_deep_queue_or_a_large_block_in_one_for_a_small_file) {
  if (RIFFLE_SANITIZED) GTEST_SKIP() << "a sanitizer needs more addresses than the limit leaves";
  if (const auto reason = refusal_of_address_limits()) GTEST_SKIP() << *reason;
  constexpr std::size_t large = (std::size_t{1} << 30U) - 1;  // the largest in 32 bits
  const temporary_file file(text());
  for (const method used : usable_methods()) {
    for (const auto& [block_size, depth] : {std::pair(std::size_t{1} << 20U, 1024U), {large, 0U}}) {
      if (block_size == large && used != method::uring && used != method::direct) continue;
      const std::string answer = in_child([&, size = block_size, deep = depth] {
        limit(RLIMIT_AS, 512 << 20U);
        return outcome_of(file.path(), text(),
                          {.method = used, .block_size = size, .queue_depth = queued(used, deep)});
      });
      EXPECT_EQ(answer, "right") << name_of(used) << ", blocks of " << block_size;
    }
  }
}

TEST(limits, of_addresses_leave_reading) {
  if (RIFFLE_SANITIZED) GTEST_SKIP() << "a sanitizer needs more addresses than the limit leaves";
  if (const auto reason = refusal_of_address_limits()) GTEST_SKIP() << *reason;
  const temporary_file file;
  const std::uint64_t size = std::uint64_t{3} << 28U;
  file.resize(size);
  const auto counted = [&](method used) {
    return in_child([&] {
      limit(RLIMIT_AS, 512 << 20U);
      std::uint64_t bytes = 0;
      const read_options reading{.method = used,
                                 .block_size = used == method::read ? 0 : static_cast<std::size_t>(size),
                                 .mapping = {.whole_file = used != method::read}};
      const auto failure = error_of([&] {
        for (const block& part : blocks(file.path(), reading)) bytes += part.size();
      });
      return failure ? std::string(failure->what()) : std::to_string(bytes);
    });
  };
  EXPECT_EQ(counted(method::read), std::to_string(size));
  EXPECT_NE(counted(method::mmap).find("RLIMIT_AS"), std::string::npos);
  // Cached, so that reading it takes no time.
  for (const block& part : blocks(file.path(), {.method = method::read})) (void)part;
  EXPECT_EQ(counted(method::automatic), std::to_string(size));
}

TEST(pipes, are_widened_to_a_mebibyte) {
  for (const int capacity : {64 << 10, 2 << 20}) {
    const fed_pipe pipe("x");
    if (::fcntl(pipe.get(), F_SETPIPE_SZ, 1 << 20) < 0) GTEST_SKIP() << "a pipe of 1 MiB is not allowed here";
    if (::fcntl(pipe.get(), F_SETPIPE_SZ, capacity) < 0) continue;
    const source from(pipe.get());
    EXPECT_EQ(::fcntl(pipe.get(), F_GETPIPE_SZ), std::max(capacity, 1 << 20));
  }
}

}  // namespace
}  // namespace riffle::test
