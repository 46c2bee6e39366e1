/// Little memory, and pages that go bad in the moment they are touched.
#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/support/linux/limits.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// With so much memory.
class memory_group : public control_group {
 public:
  explicit memory_group(std::size_t mib)
      : control_group("memory", {"memory.limit_in_bytes", std::to_string(mib << 20U)},
                      {"memory.max", std::to_string(mib << 20U)}) {}
  // Runs the command in the group.
  shell_result run(const std::string& command) const { return shell(enter() + "exec " + command); }
};

TEST(little_memory, for_a_file_larger_than_that_is_enough_by_every_method) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs more memory than the limit leaves";
  const memory_group group(32);
  if (!group.granted()) GTEST_SKIP() << "no control group of memory can be made here; it takes root";
  const temporary_file file("first line\n");
  file.resize(64 << 20);
  file.append("last line\nend\n");
  for (const method used : usable_methods()) {
    for (const char* const threads : {" --threads 1 ", " --threads 4 "}) {
      const shell_result found =
          group.run("$riffle wc --method " + std::string(name_of(used)) + threads + file.path().string());
      EXPECT_EQ(found.status, 0) << name_of(used) << threads << found.err;
      EXPECT_EQ(found.out, "       3        5 67108878 " + file.path().string() + "\n")
          << name_of(used) << threads;
    }
  }
}

TEST(little_memory, of_16_mib_is_enough_for_the_threads_that_nobody_asked_for) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs more memory than the limit leaves";
  const memory_group group(16);
  if (!group.granted()) GTEST_SKIP() << "no control group of memory can be made here; it takes root";
  const temporary_file file("first line\n");
  file.resize(40 << 20);
  for (const char* const how : {"automatic", "read"}) {
    const shell_result found =
        group.run("$riffle wc -l --method " + std::string(how) + " " + file.path().string());
    EXPECT_EQ(found.status, 0) << how << found.err;
    EXPECT_EQ(found.out, "1 " + file.path().string() + "\n") << how;
  }
}

TEST(little_memory, that_may_be_locked_leaves_another_way_or_a_reason) {
  const temporary_file file("one two\nthree\n");
  for (const method used : usable_methods()) {
    const shell_result found =
        shell("ulimit -l 0; setpriv --reuid=65534 --regid=65534 --clear-groups $riffle wc --method " +
              std::string(name_of(used)) + " < " + file.path().string());
    if (found.err.find("setpriv") != std::string::npos) GTEST_SKIP() << found.err;
    if (used == method::direct && found.status != 0) continue;  // it opens the file again, which is root's
    if (used == method::uring && found.status != 0) {
      EXPECT_NE(found.err.find("raise the limit of locked memory with ulimit -l"), std::string::npos)
          << found.err;
    } else {
      EXPECT_EQ(found.out, " 2  3 14\n") << name_of(used) << found.err;
    }
  }
}

TEST(memory_that_is_refused, ends_a_file_and_leaves_the_others) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer reserves more addresses than the limit leaves";
  const temporary_file good("one two\nthree\n");
  const std::string name = good.path().string();
  const std::string no_memory = std::generic_category().message(ENOMEM);
  const shell_result blocks =
      shell("ulimit -v 60000; $riffle wc --total=never --method read --block-size 64M " + name + " " + name);
  EXPECT_EQ(blocks.status, 1);
  EXPECT_EQ(blocks.out, "");
  const std::string refused = "riffle: cannot read '" + name + "': " + no_memory +
                              "; a block has 67108864 bytes; use a smaller --block-size\n";
  EXPECT_EQ(blocks.err, refused + refused);

  const temporary_file endless("first\n");
  endless.resize(200 << 20);
  const shell_result record =
      shell("ulimit -v 100000; $riffle cat --tsv --columns 1 " + endless.path().string() + " " + name);
  EXPECT_EQ(record.status, 1);
  EXPECT_EQ(record.out, "first\none two\nthree\n");
  EXPECT_THAT(record.err, testing::MatchesRegex("riffle: cannot read '" + endless.path().string() +
                                                "' at byte [0-9]+: " + no_memory +
                                                "; set --max-length to refuse a record this long\n"));
}

// What can be typed there: --max-length needs --rows or --columns in `count` and `freq`.
TEST(memory_that_is_refused, has_a_remedy_that_the_command_has) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer reserves more addresses than the limit leaves";
  constexpr const char* max_length = "; set --max-length to refuse a record this long";
  for (const auto& [command, remedy] :
       {std::pair("sum --tsv --column 1", max_length),
        {"count --fastq", ""},
        {"count --rows --tsv", max_length},
        {"freq", ""},
        {"freq --tsv --columns 1", max_length},
        {"cat --lines", max_length},
        {"cat --tail 1", "; use a smaller --tail or set --max-length"},
        {"cat --tail 1000000000 --delimiter a", "; use a smaller --tail or set --max-length"},
        {"sum --type u8 --method read --block-size 64M",
         "; a block has 67108864 bytes; use a smaller --block-size"}}) {
    const shell_result refused = shell(std::string("ulimit -v 60000; yes aaaaaaa | tr -d '\\n' | $riffle ") +
                                       command + " > /dev/null");
    EXPECT_THAT(refused.err,
                testing::MatchesRegex("riffle: cannot read 'standard input'( at byte [0-9]+)?: " +
                                      std::generic_category().message(ENOMEM) + remedy + "\n"))
        << command;
  }
}

TEST(a_refused_ring, is_told_by_the_table_of_methods) {
  for (const auto& [number, name] :
       {std::pair(SYS_io_uring_setup, "io_uring_setup"), {SYS_io_uring_enter, "io_uring_enter"}}) {
    for (const int code : {EPERM, EACCES, ENOSYS, ENOMEM}) {
      const std::string said = in_child([&, call = number] {
        return refuse_call(call, code) ? shell("$riffle methods").out : std::string("no filter");
      });
      if (said == "no filter") GTEST_SKIP() << "seccomp filters cannot be installed here";
      EXPECT_NE(said.find("not available: " + std::string(name) + ": "), std::string::npos) << said;
      EXPECT_EQ(said.find("from a sandbox") != std::string::npos, code == EPERM || code == EACCES) << said;
    }
  }
}

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

// Made by the first test that needs it, as each test is a process of its own.
const std::string& text() {
  static const std::string made = numbered_lines(100'000);
  return made;
}

// A loop over the lines of a mapping, of which a page is taken out behind the first line.
class each_bad_page : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    const int faults = static_cast<int>(::syscall(SYS_userfaultfd, O_CLOEXEC));
    if (faults < 0) GTEST_SKIP() << "no userfaultfd here: " << std::strerror(errno);
    ::close(faults);
    ::alarm(30);
    line_ = all_.begin();
    const char* const at = (*line_).data();
    start_ = at - reinterpret_cast<std::uintptr_t>(at) % page;
    file_.take_out(hole_);
  }
  void TearDown() override { ::alarm(0); }

  // Those before the bad page are right. In the rest of the part that is checked at once, zeros stand for
  // `size` bytes from there on. Then comes the error.
  void expect_error_behind_right_lines(std::size_t size) {
    const auto before = std::count(text().begin(), text().begin() + static_cast<std::ptrdiff_t>(hole_), '\n');
    const std::vector<std::string> expected =
        naive_lines(std::string(text()).replace(hole_, size, size, '\0'));
    std::size_t count = 0;
    std::size_t bytes = 0;
    const error failure = thrown_by([&] {
      for (; line_ != all_.end(); ++line_) {
        ASSERT_EQ(*line_, expected[count]);
        ++count;
        bytes += (*line_).size() + 1;
      }
    });
    EXPECT_GE(count, static_cast<std::size_t>(before));
    EXPECT_LE(bytes, hole_ + (256 << 10));
    EXPECT_THAT(failure, is_error(std::errc::io_error, {}, "", file_.path()));
    EXPECT_LE(failure.offset().value_or(SIZE_MAX), hole_) << failure.what();
  }

  const std::size_t hole_ = GetParam();
  const paged_file file_{text()};
  line_range all_ = lines(file_.path(), {.method = method::mmap});
  line_range::iterator line_ = {};
  const char* start_ = nullptr;
};
INSTANTIATE_TEST_SUITE_P(pages, each_bad_page, testing::Values(3 * page, 17 * page, 40 * page),
                         [](const auto& tested) { return std::to_string(tested.param / page); });

TEST_P(each_bad_page, in_whose_fault_the_file_is_cut_is_an_error_behind_right_lines) {
  const fault_monitor monitor(start_, 64 * page, [&] { file_.cut(hole_); });
  ASSERT_TRUE(monitor.armed());
  expect_error_behind_right_lines(text().size() - hole_);
  EXPECT_TRUE(monitor.met());
}

TEST_P(each_bad_page, that_is_poisoned_is_an_error_behind_right_lines) {
  if (!poison(start_ + hole_, page)) GTEST_SKIP() << "userfaultfd cannot poison pages here";
  expect_error_behind_right_lines(page);
}

}  // namespace
}  // namespace riffle::test
