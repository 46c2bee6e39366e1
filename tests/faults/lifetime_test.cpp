/// Reading where other objects have gone already, and the tool between failing files, full disks and signals.
#include <riffle/riffle.hpp>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

std::uint64_t lines_of(const std::string& path) {
  return count_lines(path, {}, {.method = method::read});
}

struct reads_when_destroyed {
  std::string path;
  ~reads_when_destroyed() {
    if (!path.empty() && lines_of(path) != 100) std::_Exit(1);
    if (!path.empty() && lines_of(path) != 100) std::_Exit(1);
  }
};

thread_local reads_when_destroyed of_thread;

TEST(a_destructor, of_a_static_or_thread_local_object_may_read) {
  expect_exit(0, [] {
    static reads_when_destroyed at_exit;
    {
      const temporary_file file(numbered_lines(100));
      at_exit.path = of_thread.path = file.path().string();
      std::thread([&] {
        of_thread.path = file.path().string();
        (void)lines_of(of_thread.path);
      }).join();
      (void)lines_of(at_exit.path);
      // The file must outlive the exit.
      const std::string kept = (std::filesystem::temp_directory_path() / "riffle-test-exit-").string() +
                               std::to_string(::getpid());
      std::filesystem::copy_file(file.path(), kept);
      at_exit.path = of_thread.path = kept;
    }
    std::exit(0);
  });
  for (const auto& each : std::filesystem::directory_iterator(std::filesystem::temp_directory_path())) {
    if (each.path().filename().string().starts_with("riffle-test-exit-"))
      std::filesystem::remove(each.path());
  }
}

EACH_METHOD(each_forked);

// The blocks of 1000 bytes are no multiple of a stream's own buffer, so that some bytes wait there.
TEST_P(each_forked, child_takes_nothing_from_its_parent) {
  for (const auto& [count, block_size, depth] :
       {std::tuple(5'000, 1000U, 0U), std::tuple(200'000, 65536U, 8U)}) {
    const std::string text = numbered_lines(static_cast<std::size_t>(count));
    const temporary_file file(text);
    for (const bool waits : {true, false}) {  // for the child, before it reads on
      auto from =
          std::make_unique<source>(file.path(), read_options{.method = GetParam(),
                                                             .block_size = block_size,
                                                             .queue_depth = queued(GetParam(), depth)});
      std::string bytes(from->next().bytes);
      const pid_t child = ::fork();
      if (child == 0) {
        from.reset();
        std::_Exit(0);
      }
      ::alarm(20);  // a parent whose completions were taken waits for ever
      int status = -1;
      if (waits) ::waitpid(child, &status, 0);
      read_on(*from, bytes);
      ::alarm(0);
      if (!waits) ::waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
      EXPECT_TRUE(bytes == text);
    }
  }
}

TEST(a_ring, that_was_inherited_is_an_error) {
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  const temporary_file file(numbered_lines(200'000));
  source from(file.path(), {.method = method::uring, .block_size = 65536});
  (void)from.next();
  expect_in_child([&] {
    ::alarm(20);
    return code_of([&] { rest_of(from); }) == errc::method_unavailable;
  });
}

TEST_P(each_forked, goes_on_when_a_child_reads_on) {
  if (GetParam() == method::stdio || GetParam() == method::iostream) return;  // they share one position
  const temporary_file file(numbered_lines(5'000));
  source from(file.path(), {.method = GetParam(), .block_size = 1000});
  const std::string bytes(from.next().bytes);
  EXPECT_EQ(in_child([&] {
              const auto failure = error_of([&] { rest_of(from); });
              const bool has_ring = GetParam() == method::uring || GetParam() == method::direct;
              return std::string(failure && !has_ring ? failure->what() : "");
            }),
            "");
  EXPECT_TRUE(bytes + rest_of(from) == file.contents());
}

// The bytes that the child took are missing, but the file has not shrunk.
TEST_P(each_forked, says_who_moved_a_position_that_it_shares) {
  if (GetParam() != method::stdio && GetParam() != method::iostream) return;
  const temporary_file file(numbered_lines(50'000));
  source from(file.path(), {.method = GetParam(), .block_size = 1000});
  (void)from.next();
  EXPECT_TRUE(file.contents().ends_with(in_child([&] { return rest_of(from); })));
  const error failure = thrown_by([&] { rest_of(from); });
  EXPECT_THAT(failure, is_error(std::errc::io_error, {}, "moved the position that it shares"));
  EXPECT_EQ(failure.remedy().value, "read");
}

// What a thread that is not in the child had begun, the child does again. A lock it would wait for in vain.
TEST(a_fork, while_threads_map_their_first_file_gives_a_child_that_reads) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer has locks of its own, which a child inherits";
  const temporary_file file(numbered_lines(1'000));
  const auto read = [&] {
    const mapped_file mapped(file.path());
    return count_lines(mapped) == 1'000 && count_lines(file.path(), {}, {.method = method::mmap}) == 1'000;
  };
  std::atomic<bool> stop = false;
  std::vector<std::thread> threads;
  for (int i = 0; i != 3; ++i) {
    threads.emplace_back([&] {
      while (!stop) {
        ::signal(SIGBUS, SIG_DFL);  // so that the next file is the first again
        (void)read();
      }
    });
  }
  int failed = 0;
  for (int i = 0; i != 1'000 && failed == 0; ++i)
    failed += in_child([&] { return std::string(read() ? "right" : "wrong"); }) != "right";
  stop = true;
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(failed, 0) << "SIGALRM ends a child that waits";
}

const std::string text = numbered_lines(15'000);  // 160 KiB and some

std::string wc_of(std::string_view bytes) {
  return std::to_string(std::count(bytes.begin(), bytes.end(), '\n')) + " " +
         std::to_string(naive_words(bytes).size()) + " " + std::to_string(bytes.size());
}

class each_tool_method : public test_of_slow_files<testing::TestWithParam<method>> {
 protected:
  static std::string by_method() { return " --method " + std::string(name_of(GetParam())) + " "; }
};
INSTANTIATE_TEST_SUITE_P(methods, each_tool_method, testing::ValuesIn(usable_methods()), method_name);

// The columns of the tool are as wide as its numbers: one blank between two is enough here.
std::string squeezed(const std::string& rows) {
  std::string result;
  for (const char byte : rows) {
    if (byte == ' ' && (result.empty() || result.back() == ' ' || result.back() == '\n')) continue;
    result += byte;
  }
  return result;
}

TEST_P(each_tool_method, reads_nine_files_of_ten_and_what_it_can_of_the_one_that_fails) {
  const slow_file failing(text, {"--eio-at=82000"});
  const temporary_file good("one two\nthree\n");
  const std::string name = good.path().string();
  const std::string bad = failing.path().string();
  for (const char* const threads : {" --threads 1 ", " --threads 3 "}) {
    SCOPED_TRACE(threads);
    std::string command = "$riffle wc" + by_method() + threads;
    for (int i = 0; i != 10; ++i) command += i == 4 ? bad + " " : name + " ";
    const shell_result found = shell(command);
    EXPECT_EQ(found.status, 1);
    EXPECT_EQ(found.err, "riffle: cannot read '" + bad +
                             "' at byte 81920: " + std::generic_category().message(EIO) + "\n");
    // A window of a mapping is read before it is handed out.
    const bool whole_window = squeezed(found.out).find("0 0 0 " + bad) != std::string::npos;
    const std::string read = text.substr(0, whole_window ? 0 : 81920);
    std::string rows;
    std::string all;
    for (int i = 0; i != 9; ++i) {
      if (i == 4) rows += wc_of(read) + " " + bad + "\n";
      rows += "2 3 14 " + name + "\n";
      all += good.contents();
    }
    EXPECT_EQ(squeezed(found.out), rows + wc_of(all + read) + " total\n");
    EXPECT_TRUE(!whole_window || GetParam() == method::mmap);
  }
}

using many_files = test_of_slow_files<>;

TEST_F(many_files, of_which_one_fails_are_told_one_by_one) {
  const slow_file failing(text, {"--eio-at=82000"});
  const temporary_file good("one two\n");
  std::vector<std::string> files(10, good.path().string());
  files[4] = failing.path().string();
  for (const unsigned threads : {1U, 3U}) {
    std::vector<std::uint64_t> sizes;
    std::vector<error> failures;
    parallel_files(
        files, std::uint64_t{0}, [](std::string_view part) { return std::uint64_t{part.size()}; },
        std::plus<>(),
        [&](std::size_t, std::uint64_t size, const error* failure) {
          sizes.push_back(size);
          if (failure != nullptr) failures.push_back(*failure);
        },
        {.threads = threads}, {.method = method::read, .block_size = 4096});
    EXPECT_EQ(sizes, (std::vector<std::uint64_t>{8, 8, 8, 8, 81920, 8, 8, 8, 8, 8}));
    ASSERT_EQ(failures.size(), 1U);
    EXPECT_THAT(failures[0], is_error(std::errc::io_error, 81920U, "", failing.path().string()));
  }
}

TEST(a_full_disk, is_told_after_what_fitted) {
  if (const auto refusal = refusal_of_mounts()) GTEST_SKIP() << *refusal;
  const mounted place("riffle-test", "tmpfs", "size=1m");
  const temporary_file large(patterned_bytes(3 << 20));
  const std::string to = (place.path() / "copy").string();
  for (const char* const command : {"cat", "cat --lines"}) {
    const shell_result found =
        shell(std::string("$riffle ") + command + " " + large.path().string() + " > " + to);
    EXPECT_EQ(found.status, 1) << command;
    EXPECT_EQ(found.err, "riffle: cannot write 'standard output': No space left on device\n") << command;
    const std::string copied = contents_of(to);
    EXPECT_GT(copied.size(), 500'000U);
    EXPECT_TRUE(large.contents().starts_with(copied));
  }
}

// In the middle of a read that does not end.
TEST_P(each_tool_method, dies_of_the_signal_that_ends_it) {
  // request_wait_answer in fs/fuse/dev.c of Linux; a ring reads in threads of the OS kernel.
  if (GetParam() == method::direct && find_method(method::uring)->unavailable())
    GTEST_SKIP() << "past the page cache, even SIGKILL waits until a FUSE file system has answered";
  const slow_file stalled(text, {"--stall-at=50000"});
  struct ending {
    const char* signal;
    const char* threads;
    const char* status;
  };
  for (const ending& each : {ending{"INT", "1", "130"}, {"TERM", "3", "143"}}) {
    const shell_result found =
        shell("env --default-signal=" + std::string(each.signal) + " $riffle wc" + by_method() +
              "--threads " + each.threads + " " + stalled.path().string() + " & sleep 0.1; kill -" +
              each.signal + " $!; wait $!; echo $?");
    EXPECT_EQ(found.out, std::string(each.status) + "\n");
  }
}

}  // namespace
}  // namespace riffle::test
