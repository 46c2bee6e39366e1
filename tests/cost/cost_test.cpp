/// What a file, a buffer or a loop must not cost, counted instead of timed.
#include <riffle/riffle.hpp>

#include <sys/resource.h>

#include "tests/support/faults.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

long page_faults() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  return used.ru_minflt;
}

std::size_t size_by(method by, const std::filesystem::path& file) {
  std::size_t size = 0;
  for (const block part : blocks(file, {.method = by})) size += part.size();
  return size;
}

// A fresh buffer would fault in each of the file's 60 pages again.
TEST(cost, a_thread_uses_the_buffer_of_the_file_before) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer's memory has page faults of its own";
  const temporary_file file(std::string(240 * 1024, 'x'));
  for (const method by : {method::read, method::stdio, method::iostream}) {
    ASSERT_EQ(size_by(by, file.path()), 240U * 1024);
    const long before = page_faults();
    for (int i = 0; i < 20; ++i) ASSERT_EQ(size_by(by, file.path()), 240U * 1024);
    EXPECT_LT(page_faults() - before, 20 * 20) << name_of(by);
  }
}

TEST(cost, two_open_files_do_not_share_a_buffer) {
  const temporary_file first(std::string(1000, 'a'));
  const temporary_file second(std::string(1000, 'b'));
  (void)size_by(method::read, first.path());  // leaves a buffer behind
  source a(input(first.path()), {.method = method::read});
  source b(input(second.path()), {.method = method::read});
  const block from_a = a.next();
  const block from_b = b.next();
  EXPECT_EQ(from_a.bytes, std::string(1000, 'a'));
  EXPECT_EQ(from_b.bytes, std::string(1000, 'b'));
}

// musl sets O_CLOEXEC by another call.
#ifdef __GLIBC__
constexpr int calls_for_each_file = 5;
#else
constexpr int calls_for_each_file = 6;
#endif

// openat, fstat, read, read, close. strace makes files open late. So riffle asks ahead for them by other
// threads (stat) and asks whether the page cache has them (fstatfs, cachestat). Neither that nor what a
// thread takes is counted.
TEST(cost, a_small_file_takes_five_system_calls) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer makes system calls of its own";
  if (shell("strace -o /dev/null true").status != 0) GTEST_SKIP() << "strace cannot run here";
  const temporary_directory folder;
  const std::string in = folder.path().string();
  ASSERT_EQ(shell("cd " + in + " && for i in $(seq 600); do echo $i > $i; done").status, 0);
  const std::string resumed_or_ended = "resumed>|[+]{3}";
  const std::string of_late_files = R"(stat[a-z]*\((AT_FDCWD|")|fstatfs|cachestat|syscall_0x1c3)";
  const std::string of_threads = "clone|exit|futex|rt_sig|rseq|set_robust|mmap|munmap|mprotect|madvise";
  const std::string left_out = resumed_or_ended + "|" + of_late_files + "|" + of_threads;
  const auto calls = [&](int files) {
    const auto run = shell("cd " + in + " && strace -f -o calls $riffle wc -l --threads 1 $(seq " +
                           std::to_string(files) + ") > /dev/null && grep -vcE '" + left_out + "' calls");
    EXPECT_EQ(run.status, 0) << run.err;
    return std::stoi(run.out);
  };
  const int few = calls(300);  // above the number of files whose sizes are asked for
  EXPECT_LE(calls(600) - few, 300 * calls_for_each_file + 20);
}

// lseek, which takes a third of the time, looks at the 16 parts of 256 KiB after their use.
TEST(cost, a_mapped_file_is_asked_for_its_status_when_it_is_opened_and_mapped_and_at_its_end) {
  const temporary_file file(std::string(std::size_t{4} << 20, 'x'));
  constexpr int most = 5;
  if (const auto reason = interposition_unavailable()) GTEST_SKIP() << *reason;
  const injection counting({.which = call::fstat});
  EXPECT_EQ(count_lines(file.path(), {.threads = 1}, {.method = method::mmap}), 0U);
  EXPECT_LE(counting.calls(), most);
  if (shell("strace -o /dev/null true").status != 0) GTEST_SKIP() << "strace cannot run here";
  const auto run =
      shell("strace -y -e trace=fstat,newfstatat -o /dev/stdout $riffle wc -l --method mmap --threads 1 " +
            file.path().string() + " | grep -c " + file.path().string() + "'>'");
  EXPECT_LE(std::stoi(run.out), most) << run.err;
}

TEST(cost, a_cached_window_is_touched_and_not_populated) {
  if (shell("strace -o /dev/null true").status != 0) GTEST_SKIP() << "strace cannot run here";
  const temporary_file file(std::string(std::size_t{1} << 20, 'x'));
  const auto populated = [&] {
    return std::stoi(shell("strace -e trace=madvise -o /dev/stdout $riffle wc -l --method mmap " +
                           file.path().string() + " | grep -cE 'MADV_POPULATE_READ|0x16'")
                         .out);
  };
  // The OS kernel may take a page from a busy machine between the touch and the question whether it is there.
  EXPECT_TRUE(populated() == 0 || populated() == 0 || populated() == 0);
}

// As /proc reports no size, and serves read(2) better than pread(2).
TEST(cost, a_file_without_a_size_is_read_where_its_descriptor_stands) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer reads files of /proc too";
  if (shell("strace -o /dev/null true").status != 0) GTEST_SKIP() << "strace cannot run here";
  const auto calls = [](const std::string& name) {
    return std::stoi(
        shell("strace -y -e trace=read,pread64 -o /dev/stdout $riffle wc -l /proc/self/smaps | grep -c '^" +
              name + "(.*smaps'")
            .out);
  };
  EXPECT_GT(calls("read"), 2);
  EXPECT_EQ(calls("pread64"), 0);
}

// glibc looks for a locale by two names. To load one for each category takes a dozen files.
TEST(cost, a_locale_is_loaded_for_characters_alone) {
  if (shell("strace -o /dev/null true").status != 0) GTEST_SKIP() << "strace cannot run here";
  if (shell("LC_ALL=C.UTF-8 locale charmap").out != "UTF-8\n") GTEST_SKIP() << "no locale C.UTF-8";
  for (const char* const variables :
       {"LANG=C.UTF-8", "LC_CTYPE=C.UTF-8 LC_TIME=C", "LC_ALL=C.UTF-8 LANG=xx"}) {
    const auto run = shell("unset LC_ALL LC_CTYPE LANG; export " + std::string(variables) +
                           "; strace -e trace=openat -o /dev/stdout $riffle wc -w /dev/null | grep -c /LC_");
    EXPECT_LE(std::stoi(run.out), 2) << variables << run.err;
  }
}

// A file of 100 MB in the page cache, and one of a line.
class two_sizes {
 public:
  two_sizes() {
    EXPECT_EQ(shell("echo > " + path("small") + "; seq 1 12000000 > " + path("large")).status, 0);
  }
  // How much more memory the large one takes, in KiB.
  long more_memory(const std::string& how) const {
    return peak_memory("wc " + how + " " + path("large")) - peak_memory("wc " + how + " " + path("small"));
  }

 private:
  std::string path(const char* name) const { return (folder_.path() / name).string(); }

  temporary_directory folder_;
};

TEST(cost, memory_stays_bounded) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const two_sizes files;
  for (const std::string how : {"-l", "-w", "-l --threads 2", "-l --method mmap", "-l --method read"})
    EXPECT_LT(files.more_memory(how), 12 * 1024) << how;
}

// A queue keeps one block in flight while it does not wait: more would only displace each other. On overlay
// each request waits for a thread of the OS kernel, so 12 are in flight.
TEST(cost, memory_stays_bounded_for_large_blocks_in_a_queue) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer takes memory of its own";
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  const bool waits = shell("stat -f -c %T ${TMPDIR:-/tmp}").out == "overlayfs\n";
  EXPECT_LT(two_sizes().more_memory("-l --method uring --block-size 4M"), (waits ? 64 : 12) * 1024);
}

// 40 blocks of 4 MiB, of which 12 are in flight.
TEST(cost, memory_stays_bounded_for_large_blocks_of_far_storage) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer takes memory of its own";
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const slow_file far(std::string(std::size_t{160} << 20U, 'x'), {"--latency=20000", "--served=32"});
  const std::string path = far.path().string();
  EXPECT_LT(peak_memory("wc -l --method direct --block-size 4M " + path), 64 * 1024);
}

}  // namespace
}  // namespace riffle::test
