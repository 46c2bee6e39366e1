/// Pages of a mapping that go bad in the moment they are touched: userfaultfd stops the reader there.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <riffle/riffle.hpp>

#include <cstring>
#include <functional>
#include <thread>

#include "tests/support/linux/poison.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr std::size_t page = 4096;

// A file in memory. A page of it that is taken out makes the next touch of a mapping wait for the monitor.
class paged_file {
 public:
  explicit paged_file(std::string_view bytes) : file_(::memfd_create("riffle", MFD_CLOEXEC)) {
    EXPECT_EQ(::write(file_.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }
  int descriptor() const { return file_.get(); }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_.get()); }
  void take_out(std::size_t offset) const {
    ASSERT_EQ(::fallocate(file_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(offset),
                          page),
              0);
  }
  void cut(std::size_t size) const { ASSERT_EQ(::ftruncate(file_.get(), static_cast<off_t>(size)), 0); }

 private:
  owned_descriptor file_;
};

// Watches the missing pages of a range; does `then` inside the first fault, before the reader goes on.
class fault_monitor {
 public:
  fault_monitor(const void* at, std::size_t size, std::function<void()> then)
      : faults_(static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK))),
        then_(std::move(then)) {
    uffdio_api api{};
    api.api = UFFD_API;
    range_.range = {reinterpret_cast<std::uintptr_t>(at), size};
    range_.mode = UFFDIO_REGISTER_MODE_MISSING;
    armed_ = ::ioctl(faults_.get(), UFFDIO_API, &api) == 0 &&
             ::ioctl(faults_.get(), UFFDIO_REGISTER, &range_) == 0;
    if (armed_) watcher_ = std::jthread([this](const std::stop_token& stopping) { watch(stopping); });
  }
  bool armed() const { return armed_; }
  bool met() const { return met_; }

 private:
  void watch(const std::stop_token& stopping) {
    uffd_msg message{};
    while (!stopping.stop_requested()) {
      if (::read(faults_.get(), &message, sizeof message) != sizeof message) {
        ::usleep(1000);
        continue;
      }
      if (!met_) then_();
      met_ = true;
      ::ioctl(faults_.get(), UFFDIO_UNREGISTER, &range_.range);  // which wakes the reader too
    }
  }

  owned_descriptor faults_;
  std::function<void()> then_;
  uffdio_register range_{};
  bool armed_ = false;
  std::atomic<bool> met_{false};
  std::jthread watcher_;
};

const char* page_start(const char* at) {
  return at - reinterpret_cast<std::uintptr_t>(at) % page;
}

// Reads the lines from `line` on: those before the bad page are right. In the rest of the part that is
// checked at once, zeros stand for `size` bytes from there on. Then comes the error.
template <class Lines, class Iterator>
void expect_error_behind_right_lines(Lines& all, Iterator& line, std::string text, std::size_t bad,
                                     std::size_t size, const std::string& path) {
  const auto before = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(bad), '\n');
  text.replace(bad, size, size, '\0');
  const std::vector<std::string> expected = naive_lines(text);
  std::size_t count = 0;
  std::size_t bytes = 0;
  const auto failure = error_of([&] {
    for (; line != all.end(); ++line) {
      ASSERT_EQ(*line, expected[count]);
      ++count;
      bytes += (*line).size() + 1;
    }
  });
  EXPECT_GE(count, static_cast<std::size_t>(before));
  EXPECT_LE(bytes, bad + (256 << 10));
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->code(), std::errc::io_error) << failure->what();
  EXPECT_EQ(failure->path(), path);
  EXPECT_TRUE(failure->offset() && *failure->offset() <= bad) << failure->what();
}

// Made by the first test that needs it, as each test is a process of its own.
const std::string& text() {
  static const std::string made = numbered_lines(100'000);
  return made;
}

class each_bad_page : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    const int faults = static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC));
    if (faults < 0) GTEST_SKIP() << "no userfaultfd here: " << std::strerror(errno);
    ::close(faults);
    ::alarm(30);
  }
  void TearDown() override { ::alarm(0); }
};
INSTANTIATE_TEST_SUITE_P(pages, each_bad_page, testing::Values(3 * page, 17 * page, 40 * page),
                         [](const auto& tested) { return std::to_string(tested.param / page); });

TEST_P(each_bad_page, in_whose_fault_the_file_is_cut_is_an_error_behind_right_lines) {
  const std::size_t hole = GetParam();
  const paged_file file(text());
  auto all = lines(file.path(), {.method = method::mmap});
  auto line = all.begin();
  const char* const start = page_start((*line).data());
  file.take_out(hole);
  const fault_monitor monitor(start, 64 * page, [&] { file.cut(hole); });
  ASSERT_TRUE(monitor.armed());
  expect_error_behind_right_lines(all, line, text(), hole, text().size() - hole, file.path());
  EXPECT_TRUE(monitor.met());
}

TEST_P(each_bad_page, that_is_poisoned_is_an_error_behind_right_lines) {
  const std::size_t hole = GetParam();
  const paged_file file(text());
  auto all = lines(file.path(), {.method = method::mmap});
  auto line = all.begin();
  const char* const start = page_start((*line).data());
  file.take_out(hole);
  if (!poison(start + hole, page)) GTEST_SKIP() << "userfaultfd cannot poison pages here";
  expect_error_behind_right_lines(all, line, text(), hole, page, file.path());
}

}  // namespace
}  // namespace riffle::test
