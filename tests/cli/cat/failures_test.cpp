/// `riffle cat` while reading or writing fails: what came before is written, once.
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>

#include "cli/cat/copier.hpp"
#include "cli/output.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::cli {
namespace {

using test::owned_descriptor;
using test::shell;
using test::temporary_file;

// Made by the first test that needs it, as each test is a process of its own.
const std::string& text() {
  static const std::string made = test::numbered_lines(60'000);  // 630 KiB
  return made;
}

struct failed_copy {
  std::string written;
  std::optional<error> failure = {};
  bool lost_output = false;
};

failed_copy copy_while(const test::trap::failure::plan& plan, const cat_arguments& given) {
  const temporary_file from(text());
  const temporary_file to;
  const owned_descriptor opened(::open(to.path().c_str(), O_WRONLY));
  failed_copy found;
  test::trap::run([&] {
    cat_output out(opened.get());
    copier copying(given, out, nullptr);
    const test::trap::failure failing(plan);
    try {
      copying.copy(source(from.path(), given.options), {.threads = 1});
    } catch (const output_lost& lost) {
      found.lost_output = true;
      found.failure = lost;
    } catch (const error& failure) {
      found.failure = failure;
    }
  });
  found.written = to.contents();
  return found;
}

std::vector<cat_arguments> ways_to_copy() {
  cat_arguments all;
  cat_arguments by_read;
  by_read.options.method = method::read;
  cat_arguments whole_lines = by_read;
  whole_lines.whole_lines = true;
  cat_arguments head = by_read;
  head.lines.span = line_span{.last = 59'000};
  return {all, by_read, whole_lines, head};
}

TEST(a_failing_copy, writes_what_was_read_before_reading_failed) {
  if (const auto reason = test::trap::unavailable()) GTEST_SKIP() << *reason;
  for (const cat_arguments& given : ways_to_copy()) {
    const bool by_kernel = given.options.method == method::automatic;
    const failed_copy found = copy_while({SYS_pread64, EIO, by_kernel ? 1U : 2U, true}, given);
    ASSERT_TRUE(found.failure);
    EXPECT_FALSE(found.lost_output);
    EXPECT_EQ(found.failure->code(), std::errc::io_error);
    ASSERT_TRUE(found.failure->offset());
    const std::string before = text().substr(0, *found.failure->offset());
    EXPECT_GE(before.size(), 256U * 1024);
    const std::size_t whole = given.whole_lines ? before.rfind('\n') + 1 : before.size();
    EXPECT_TRUE(found.written == before.substr(0, whole)) << found.written.size();
  }
}

TEST(a_failing_copy, tells_lost_output_with_its_reason) {
  if (const auto reason = test::trap::unavailable()) GTEST_SKIP() << *reason;
  for (cat_arguments given : ways_to_copy()) {
    given.options.keep_cache = false;  // by write(2) alone
    const failed_copy found = copy_while({SYS_write, ENOSPC, 2, true}, given);
    ASSERT_TRUE(found.lost_output);
    EXPECT_STREQ(found.failure->what(), "cannot write 'standard output': No space left on device");
    EXPECT_TRUE(!found.written.empty() && text().starts_with(found.written)) << found.written.size();
  }
}

TEST(a_failing_copy, retries_interrupted_calls) {
  if (const auto reason = test::trap::unavailable()) GTEST_SKIP() << *reason;
  for (const cat_arguments& given : ways_to_copy()) {
    for (const long number : {SYS_write, SYS_pread64, SYS_copy_file_range}) {
      for (const int code : {EINTR, EAGAIN}) {
        const failed_copy found = copy_while({number, code, 1}, given);
        EXPECT_FALSE(found.failure) << found.failure->what();
        EXPECT_TRUE(text().starts_with(found.written) && found.written.size() > 630'000);
      }
    }
  }
}

// write(2) finds the page gone, and gives EFAULT.
TEST(a_failing_copy, tells_of_a_file_that_shrinks_while_it_is_mapped) {
  const temporary_file from(text());
  test::open_pipe pipe;
  cat_arguments given;
  given.options.method = method::mmap;
  std::optional<error> failure;
  bool lost_output = false;
  std::jthread writer([&] {
    try {
      cat_output out(pipe.writing.get());
      copier(given, out, nullptr).copy(source(from.path(), given.options), {.threads = 1});
    } catch (const output_lost&) {
      lost_output = true;
    } catch (const error& truncated) {
      failure = truncated;
    }
    pipe.writing.close();
  });
  int waiting = 0;  // until the pipe is full
  while (waiting < 65536 && ::ioctl(pipe.reading.get(), FIONREAD, &waiting) == 0) std::this_thread::yield();
  from.resize(0);
  const std::string got = test::all_of(pipe.reading.get(), {.method = method::read});
  writer.join();
  EXPECT_FALSE(lost_output);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code(), errc::truncated) << failure->what();
  EXPECT_TRUE(text().starts_with(got)) << got.size();
}

TEST(cat, tells_what_failed_and_copies_the_other_files) {
  if (const auto refusal = test::refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const test::slow_file failing(text(), {"--eio-at=282000"});
  const temporary_file good("good\n");
  for (const char* const where : {"> ", "| cat > "}) {
    const temporary_file to;
    const auto found = shell("$riffle cat " + failing.path().string() + " " + good.path().string() + " " +
                             where + to.path().string());
    EXPECT_EQ(found.status, 1);
    EXPECT_EQ(found.err, "riffle: cannot read '" + failing.path().string() +
                             "' at byte 278528: " + std::generic_category().message(EIO) + "\n");
    EXPECT_TRUE(to.contents() == text().substr(0, 278528) + "good\n") << where << to.contents().size();
  }
}

TEST(shell_of_tests, ends_commands_by_a_broken_pipe_though_this_program_ignores_it) {
  const auto before = std::signal(SIGPIPE, SIG_IGN);
  EXPECT_EQ(shell("yes | head -n 1").status, 128 + SIGPIPE);
  EXPECT_EQ(std::signal(SIGPIPE, before), SIG_IGN);
}

}  // namespace
}  // namespace riffle::cli
