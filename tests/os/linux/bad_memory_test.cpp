/// Signals as bad memory sends them, by sigqueue to this very process: what they replace, and what they
/// leave.
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/fault_guard.hpp"
#include "os/mapping.hpp"
#include "tests/support/support.hpp"

namespace riffle::os {
namespace {

using test::temporary_file;
using test::thrown_by;

const std::size_t page = page_size();

// A process may queue a signal that looks like a fault to itself only.
bool queue(int code, const char* at, int size_log) {
  siginfo_t info{};
  info.si_signo = SIGBUS;
  info.si_code = code;
  info.si_addr = const_cast<char*>(at);
  info.si_addr_lsb = static_cast<short>(size_log);
  return syscall(SYS_rt_sigqueueinfo, getpid(), SIGBUS, &info) == 0;
}

// The pages that read as zeros, as a picture: '0' or 'x' for each page.
std::string picture_of(std::span<const char> pages) {
  std::string drawn;
  for (; !pages.empty(); pages = pages.subspan(page)) {
    const char first = pages[0];
    const char last = pages[page - 1];
    drawn += first != last ? '?' : first == '\0' ? '0' : first;
  }
  return drawn;
}

// 16 pages of a file, guarded: what is 'x' is as it was.
class bad_memory : public testing::Test {
 protected:
  bad_memory()
      : on_disk_(std::string(16 * page, 'x')),
        file_(file::open(on_disk_.path())),
        mapped_(file_, 0, 16 * page, protection::read, {}, true) {}

  std::string picture() const { return picture_of(mapped_.bytes()); }
  // A page whose address is a multiple of 4 pages, and which is not the first.
  std::size_t aligned_page() const {
    const std::size_t number = reinterpret_cast<std::uintptr_t>(mapped_.bytes().data()) / page;
    return 8 - number % 4;
  }
  const char* at(std::size_t page_number) const { return mapped_.bytes().data() + page_number * page; }

  temporary_file on_disk_;
  file file_;
  mapping mapped_;
};

TEST_F(bad_memory, of_a_page_loses_the_page) {
  ASSERT_TRUE(queue(BUS_MCEERR_AR, at(6) + 5, 12));
  EXPECT_EQ(picture(), "xxxxxx0xxxxxxxxx");
  EXPECT_EQ(mapped_.fault_offset(), 6 * page);
  EXPECT_EQ(test::code_of([&] { mapped_.check(file_); }), std::errc::io_error);
}

TEST_F(bad_memory, of_a_huge_page_loses_all_of_it) {
  for (const int code : {BUS_MCEERR_AR, BUS_MCEERR_AO}) {
    mapped_ = mapping(file_, 0, 16 * page, protection::read, {}, true);
    const std::size_t first = aligned_page();
    ASSERT_TRUE(queue(code, at(first + 1) + 5, 14));
    std::string expected(16, 'x');
    expected.replace(first, 4, "0000");
    EXPECT_EQ(picture(), expected);
    EXPECT_EQ(mapped_.fault_offset(), first * page);
  }
}

TEST_F(bad_memory, loses_nothing_before_the_range_or_behind_it) {
  ASSERT_TRUE(queue(BUS_MCEERR_AR, at(3), 40));
  EXPECT_EQ(picture(), std::string(16, '0'));
  EXPECT_EQ(mapped_.fault_offset(), 0U);
  EXPECT_EQ(on_disk_.contents(), std::string(16 * page, 'x'));
}

TEST_F(bad_memory, loses_nothing_of_a_huge_page_that_is_not_guarded) {
  const std::size_t size = 12 * page;
  char* const memory = map_anonymous(size, 4 * page, false);
  ASSERT_NE(memory, nullptr);
  std::fill_n(memory, size, 'x');
  {
    const guarded_range five_to_nine({memory + 5 * page, 5 * page}, true);
    ASSERT_TRUE(queue(BUS_MCEERR_AR, memory + 5 * page, 14));
    ASSERT_TRUE(queue(BUS_MCEERR_AR, memory + 9 * page, 14));
  }
  EXPECT_EQ(picture_of({memory, size}), "xxxxx00000xx");
  unmap_anonymous(memory, size);
}

TEST_F(bad_memory, smaller_than_a_page_loses_the_page) {
  ASSERT_TRUE(queue(BUS_MCEERR_AR, at(2) + 100, 0));
  EXPECT_EQ(picture(), "xx0xxxxxxxxxxxxx");
}

// Only bad memory says how large it is.
TEST_F(bad_memory, is_not_what_a_lost_page_is) {
  ASSERT_TRUE(queue(BUS_ADRERR, at(15), 14));
  EXPECT_EQ(picture(), "xxxxxxxxxxxxxxx0");
  ASSERT_TRUE(queue(BUS_ADRERR, at(0) + page - 1, 14));
  EXPECT_EQ(picture(), "0xxxxxxxxxxxxxx0");
  EXPECT_EQ(mapped_.fault_offset(), 0U) << "the lowest";
  ASSERT_TRUE(queue(BUS_ADRERR, at(7), 14));
  EXPECT_EQ(mapped_.fault_offset(), 0U) << "the lowest";
}

TEST_F(bad_memory, of_a_window_is_told_at_the_fault_or_behind_what_was_checked) {
  window sliding(page, 8 * page, true, "a file");
  const std::span<char> part = sliding.slide(file_, 4 * page, 8 * page, {});
  ASSERT_TRUE(queue(BUS_ADRERR, part.data() + 2 * page, 0));
  EXPECT_EQ(sliding.fault_offset(), 6 * page);
  for (const std::uint64_t trusted : {4 * page, 6 * page, 7 * page}) {
    EXPECT_THAT(thrown_by([&] { sliding.check(file_, trusted); }),
                test::is_error(std::errc::io_error, std::max<std::uint64_t>(trusted, 6 * page)));
  }
}

// --- Handlers that the guard stands before; each in a child, which it changes for good.

void break_errno(int) {
  errno = EDOM;
}
void handle_by(void (*action)(int)) {
  signal(SIGBUS, action);
  const temporary_file on_disk("x");
  const mapping mapped(file::open(on_disk.path()), 0, 1, protection::read, {}, true);
}

TEST(former_handler, that_returns_leaves_errno_as_it_was) {
  test::expect_in_child([&] {
    handle_by(break_errno);
    errno = EXDEV;
    raise(SIGBUS);
    return errno == EXDEV;
  });
}

struct sigaction guard;
int number_after = -1;
void call_guard(int number, siginfo_t* info, void* context) {
  info->si_errno = 77;
  guard.sa_sigaction(number, info, context);
  number_after = info->si_errno;
}

TEST(former_handler, leaves_the_signal_as_it_was) {
  test::expect_in_child([&] {
    handle_by(break_errno);
    struct sigaction later{};
    later.sa_sigaction = call_guard;
    later.sa_flags = SA_SIGINFO;
    sigaction(SIGBUS, &later, &guard);
    raise(SIGBUS);
    return number_after == 77;
  });
}

}  // namespace
}  // namespace riffle::os
