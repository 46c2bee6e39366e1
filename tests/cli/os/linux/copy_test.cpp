/// The OS kernel copies between files of all kinds, and what it does not copy can still be read and written.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <riffle/error.hpp>

#include <future>

#include "cli/os/system.hpp"
#include "os/file.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/support.hpp"

namespace riffle::os {
namespace {

using test::fed_pipe;
using test::owned_descriptor;
using test::temporary_file;

// Made by the test that needs it.
const std::string& text() {
  static const std::string made = test::patterned_bytes(300'001);
  return made;
}

// Where the bytes go; a thread reads what would fill up.
class target {
 public:
  enum class kind { file, appended_file, pipe, socket };

  explicit target(kind wanted, int flags = 0) {
    if (wanted == kind::file || wanted == kind::appended_file) {
      const int append = wanted == kind::appended_file ? O_APPEND : 0;
      write_.emplace(::open(file_.path().c_str(), O_WRONLY | append));
      return;
    }
    const auto ends = wanted == kind::pipe ? test::make_pipe() : test::make_sockets().value();
    write_.emplace(ends.second);
    EXPECT_EQ(::fcntl(ends.second, F_SETFL, flags), 0);
    got_ = std::async(std::launch::async, [reading = owned_descriptor(ends.first)] {
      return test::all_of(reading.get(), {.method = method::read});
    });
  }

  file as_file() const { return file::borrow(write_->get(), "the output"); }
  std::string contents() {
    write_->close();
    return got_.valid() ? got_.get() : file_.contents();
  }

 private:
  temporary_file file_;
  std::optional<owned_descriptor> write_;
  std::future<std::string> got_;
};

constexpr std::array targets{target::kind::file, target::kind::pipe, target::kind::socket};

// As the contract has it: the OS kernel first, reading and writing for what is left. Returns what it copied.
std::uint64_t copy_all(const file& from, const file& to, std::uint64_t offset) {
  kernel_copy ahead(from.descriptor(), to.descriptor(), offset);
  const bool seekable = from.seekable();
  while (ahead.next() != 0) {
  }
  std::uint64_t place = ahead.offset();
  char piece[10'000];
  while (const std::size_t count = seekable ? from.read_at(piece, place) : from.read(piece, place)) {
    to.write({piece, count});
    place += count;
  }
  return ahead.offset() - offset;
}

TEST(kernel_copy, copies_files_and_pipes_to_files_pipes_and_sockets) {
  const temporary_file source(text());
  for (const target::kind kind : targets) {
    target of_pipe(kind);
    const fed_pipe pipe(text(), 77'777);
    EXPECT_EQ(copy_all(file::borrow(pipe.get(), "a pipe"), of_pipe.as_file(), 0), text().size());
    EXPECT_TRUE(of_pipe.contents() == text()) << static_cast<int>(kind);
    for (const std::uint64_t offset : {0U, 1U, 150'000U}) {
      target to(kind);
      EXPECT_EQ(copy_all(file::open(source.path()), to.as_file(), offset), text().size() - offset);
      EXPECT_TRUE(to.contents() == text().substr(offset)) << static_cast<int>(kind) << " from " << offset;
    }
  }
  target full(target::kind::pipe, O_NONBLOCK);  // what it has no room for is written
  copy_all(file::open(source.path()), full.as_file(), 0);
  EXPECT_TRUE(full.contents() == text());
}

TEST(kernel_copy, writes_where_the_output_stands) {
  const temporary_file source(text());
  const temporary_file to("0123456789");
  const owned_descriptor output(::open(to.path().c_str(), O_WRONLY));
  ASSERT_EQ(::lseek(output.get(), 4, SEEK_SET), 4);
  copy_all(file::open(source.path()), file::borrow(output.get(), "the output"), 0);
  EXPECT_TRUE(to.contents() == "0123" + text());
}

// Returns how many bytes the OS kernel copied; they must be the first of `bytes`.
std::uint64_t copied_by_kernel(const file& from, target::kind kind, const std::string& bytes) {
  target to(kind);
  kernel_copy ahead(from.descriptor(), to.as_file().descriptor(), 0);
  while (ahead.next() != 0) {
  }
  EXPECT_TRUE(to.contents() == bytes.substr(0, ahead.offset()));
  return ahead.offset();
}

TEST(kernel_copy, leaves_to_reading_what_it_cannot_or_should_not_copy) {
  const temporary_file large(text());
  EXPECT_EQ(copied_by_kernel(file::open(large.path()), target::kind::appended_file, text()), 0U);
  const temporary_file small("a few bytes");
  EXPECT_EQ(copied_by_kernel(file::open("/proc/self/status"), target::kind::pipe, ""), 0U);
  EXPECT_EQ(copied_by_kernel(file::open("/dev/zero"), target::kind::file, ""), 0U);
  for (const target::kind kind : targets) {
    EXPECT_EQ(copied_by_kernel(file::open(small.path()), kind, "a few bytes"), 0U);
    EXPECT_EQ(copied_by_kernel(file::borrow(-1, "none"), kind, ""), 0U);
  }
  const file itself = file::open(large.path(), open_mode::read_write);
  EXPECT_EQ(kernel_copy(file::open(large.path()).descriptor(), itself.descriptor(), 0).next(), 0U);
  EXPECT_TRUE(large.contents() == text());
}

class failing_copy : public testing::TestWithParam<long> {
 protected:
  void SetUp() override {
    if (const auto reason = test::trap::unavailable()) GTEST_SKIP() << *reason;
  }

  // Copies while the n-th call fails; returns whether there was one.
  static bool all_arrives(const test::trap::failure::plan& plan, bool from_pipe, target::kind kind) {
    const temporary_file source(text());
    target to(kind);
    std::optional<fed_pipe> pipe;
    if (from_pipe) pipe.emplace(text(), 50'000);
    const file from = from_pipe ? file::borrow(pipe->get(), "a pipe") : file::open(source.path());
    bool met = false;
    test::trap::run([&] {
      const test::trap::failure failing(plan);
      copy_all(from, to.as_file(), 0);
      met = failing.met();
    });
    EXPECT_TRUE(to.contents() == text()) << "code " << plan.code << " at call " << plan.at;
    return met;
  }
};
INSTANTIATE_TEST_SUITE_P(calls, failing_copy, testing::Values(SYS_splice, SYS_copy_file_range, SYS_sendfile));

TEST_P(failing_copy, loses_and_repeats_nothing) {
  bool met = false;
  for (const int code : {EINVAL, EXDEV, ENOSYS, EPERM, EINTR, EAGAIN, EIO}) {
    for (const std::size_t at : {1U, 2U}) {
      const bool on = code != EINTR && at == 2;
      for (const target::kind kind : targets) {
        for (const bool from_pipe : {false, true}) {
          met |= all_arrives({GetParam(), code, at, on}, from_pipe, kind);
        }
      }
    }
  }
  EXPECT_TRUE(met);
}

}  // namespace
}  // namespace riffle::os
