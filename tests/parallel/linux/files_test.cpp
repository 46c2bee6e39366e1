/// Threads that take many files, opened ahead if storage is slow, write what one thread writes.
#include <riffle/parallel_files.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
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

class far_files : public test_of_slow_files<testing::TestWithParam<unsigned>> {
 protected:
  void SetUp() override {
    test_of_slow_files::SetUp();
    if (!IsSkipped())
      served_.emplace(text, std::vector<std::string>{"--latency=2000", "--served=32", "--files=400"});
  }
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
      .finish = [](std::size_t, const std::exception_ptr& failure) { EXPECT_FALSE(failure); }};
  detail::each_file(files, work, 2, {}, true);
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
        .finish = [](std::size_t, const std::exception_ptr& failure) { EXPECT_FALSE(failure); }};
    detail::each_file(files, work, 2, {.method = how}, true);
    EXPECT_EQ(sizes, std::vector<std::size_t>(6, std::filesystem::file_size(file.path()))) << name_of(how);
  }
}

namespace fs = std::filesystem;

// Lines of text whose number and length differ from file to file.
std::string text_of(std::size_t number) {
  return std::string(number % 7, '\n') + std::string(number % 301, 'x') + " y\tz\n" +
         std::to_string(number * number);
}

// A folder that the tests run in, filled once.
class folder : not_copied {
 public:
  static constexpr std::size_t small_files = 700;  // more than are looked at before the first is read

  folder() : path_(fs::temp_directory_path() / ("riffle-files-" + std::to_string(::getpid()))) {
    fs::create_directories(path_ / "folder");
    add("empty", "");
    add("middle", patterned_bytes(5U << 20U));
    add("large", patterned_bytes(20U << 20U));
    for (std::size_t number = 0; number < small_files; ++number) {
      add("small" + std::to_string(1000 + number), text_of(number));
    }
    // What takes long comes first, so that what comes next is done before it.
    add("falling1", patterned_bytes(15U << 20U));
    add("falling2", patterned_bytes(1U << 20U));
    add("falling3", "a\n");
  }
  ~folder() { fs::remove_all(path_); }

  /// Runs a command there, its errors among its output.
  static shell_result run(const std::string& command) {
    static const folder made;
    return shell("cd " + made.path_.string() + " && { " + command + "; } 2>&1");
  }

 private:
  void add(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  fs::path path_;
};

constexpr const char* thread_counts[] = {"2", "5", "0"};

// One of each kind, and some of them in between others.
constexpr const char* mixed =
    " small1000 missing small1001 folder empty large small1002 - /proc/version missing small1003 middle - "
    "large"
    " small1004 /dev/null small1005 folder small1006 < small1100";

TEST(files, threads_write_what_one_thread_writes) {
  for (const char* command : {"wc", "wc -l", "wc -lm", "count --lines", "count --any-of xyz"}) {
    const std::string tool = std::string("$riffle ") + command;
    const shell_result expected = folder::run(tool + mixed);
    EXPECT_EQ(expected.status, 1);
    EXPECT_NE(expected.out.find("cannot open 'missing'"), std::string::npos) << expected.out;
    for (const char* threads : thread_counts) {
      const shell_result ours = folder::run(tool + " --threads " + threads + mixed);
      EXPECT_EQ(ours.out, expected.out) << command << " " << threads;
      EXPECT_EQ(ours.status, 1);
    }
  }
}

TEST(files, equal_gnu) {
  for (const std::string files : {"small1000 missing large empty /proc/version - small1001 - < middle",
                                  "missing empty", "empty /dev/null small1000", "small* missing small* empty",
                                  "small* /dev/null large - /proc/version < empty", "small* folder",
                                  "falling1 falling2 falling3 missing small* missing falling3"}) {
    for (const char* columns : {"", "-l", "-w", "-lc"}) {
      const std::string arguments = std::string(columns) + " " + files;
      // A folder has a row of zeros there; errors are worded otherwise.
      const std::string rows = " 2>/dev/null | grep -v ' folder$'";
      const shell_result expected = folder::run("wc " + arguments + rows);
      for (const char* threads : {"1", "2", "5", "0"}) {
        const shell_result ours =
            folder::run(std::string("$riffle wc --threads ") + threads + " " + arguments + rows);
        EXPECT_TRUE(ours.out == expected.out) << arguments << " by " << threads << " threads:\n" << ours.out;
      }
    }
  }
}

// What a pipe holds belongs to the first that names it, however many threads there are.
TEST(files, read_pipes_in_their_turn) {
  for (const char* threads : {"1", "2", "5"}) {
    const std::string tool = std::string("timeout 20 $riffle wc -l --threads ") + threads;
    EXPECT_EQ(folder::run("seq 200000 | " + tool + " - empty /dev/stdin - empty").out,
              " 200000 -\n      0 empty\n      0 /dev/stdin\n      0 -\n      0 empty\n 200000 total\n")
        << threads;
    EXPECT_EQ(folder::run(tool + " <(seq 3) small1000 <(seq 100000) | tr -s ' ' | sed 's/^ //; s: .*::'").out,
              "3\n1\n100000\n100004\n")
        << threads;
    // The writer of the second waits until the first is read.
    EXPECT_EQ(folder::run("rm -f fifo; mkfifo fifo; { seq 100000; exec >&-; seq 5 > fifo; } | " + tool +
                          " small1000 - fifo | tr -s ' ' | sed 's/^ //'")
                  .out,
              "1 small1000\n100000 -\n5 fifo\n100006 total\n")
        << threads;
  }
}

// The reader of the first row keeps the pipe open until it has it.
TEST(files, hold_no_row_back_before_a_pipe) {
  for (const char* threads : {"1", "2"}) {
    const shell_result result =
        folder::run(std::string("rm -f fifo; mkfifo fifo; timeout 20 $riffle wc -l --threads ") + threads +
                    " small* fifo | { exec 9>fifo; head -n 1; exec 9>&-; cat > /dev/null; } | tr -s ' '");
    EXPECT_EQ(result.out, " 1 small1000\n") << threads;
    EXPECT_EQ(result.status, 0) << threads;
  }
}

TEST(files, are_opened_once) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer opens files of its own";
  if (shell("strace -o /dev/null true").status != 0) GTEST_SKIP() << "strace cannot run here";
  for (const char* method : {"automatic", "read", "mmap", "stdio", "iostream"}) {
    for (const char* files : {"large", "small1000 large middle"}) {
      const std::string traced =
          std::string("strace -f -e trace=?open,openat -o calls $riffle wc --threads 2 --method ") + method +
          " " + files;
      EXPECT_EQ(folder::run(traced + " > /dev/null; grep -c '\"large\"' calls").out, "1\n") << traced;
    }
  }
}

// Several threads ask once more at the end, as none of them may have met it.
TEST(files, are_asked_once_for_their_size_by_one_thread_and_twice_by_several) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer makes system calls of its own";
  if (shell("strace -o /dev/null true").status != 0) GTEST_SKIP() << "strace cannot run here";
  for (const char* times : {"1", "2"}) {
    const std::string traced =
        std::string(
            "strace -f -y -e trace=openat,newfstatat,fstat,stat,statx -o calls $riffle wc --method read ") +
        "--threads " + times + " large";
    EXPECT_EQ(folder::run(traced + " > /dev/null; grep stat calls | grep -c large").out,
              std::string(times) + "\n")
        << traced;
  }
}

// All large, all opened before the first is finished: but few at a time.
TEST(files, wait_for_their_turn_without_piling_up) {
  const std::string many = " falling1 $(yes large | head -n 60)";
  const shell_result expected = folder::run("$riffle wc -l" + many);
  EXPECT_EQ(folder::run("ulimit -n 24; $riffle wc -l --threads 5" + many).out, expected.out);
}

TEST(files, counted_up_to_a_failure_have_their_row) {
  for (const char* files : {"/proc/self/mem", "small1000 /proc/self/mem small1001"}) {
    const shell_result expected = folder::run(std::string("$riffle wc ") + files);
    EXPECT_NE(expected.out.find("at byte 0"), std::string::npos) << expected.out;
    EXPECT_NE(expected.out.find(" 0 /proc/self/mem\n"), std::string::npos) << expected.out;
    EXPECT_EQ(folder::run(std::string("$riffle wc --threads 2 ") + files).out, expected.out);
  }
}

TEST(files, stop_when_the_output_is_lost) {
  for (const char* command : {"wc", "wc --threads 5", "count --lines --threads 5"}) {
    for (const char* files : {"small*", "small1000 missing", "large small*"}) {
      const shell_result result =
          folder::run(std::string("$riffle ") + command + " " + files + " 2>&1 >/dev/full | grep -v missing");
      EXPECT_EQ(result.out, "riffle: cannot write 'standard output': No space left on device\n")
          << command << " " << files;
    }
  }
}

}  // namespace
}  // namespace riffle::test
