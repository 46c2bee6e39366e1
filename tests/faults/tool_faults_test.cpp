/// The tool between files that fail, disks that are full and slow, and signals that end it.
#include <riffle/riffle.hpp>

#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

const std::string text = numbered_lines(15'000);  // 160 KiB and some

std::string wc_of(std::string_view bytes) {
  return std::to_string(std::count(bytes.begin(), bytes.end(), '\n')) + " " +
         std::to_string(naive_words(bytes).size()) + " " + std::to_string(bytes.size());
}

class each_tool_method : public testing::TestWithParam<method> {
 protected:
  void SetUp() override { ::alarm(110); }
  void TearDown() override { ::alarm(0); }
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
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const slow_file failing(text, {"--eio-at=82000"});
  const temporary_file good("one two\nthree\n");
  const std::string name = good.path().string();
  const std::string bad = failing.path().string();
  for (const char* const threads : {" --threads 1 ", " --threads 3 "}) {
    SCOPED_TRACE(threads);
    std::string command = "$riffle wc" + by_method() + threads;
    std::string rows;
    for (int i = 0; i != 10; ++i) command += i == 4 ? bad + " " : name + " ";
    const shell_result found = shell(command);
    EXPECT_EQ(found.status, 1);
    EXPECT_EQ(found.err, "riffle: cannot read '" + bad +
                             "' at byte 81920: " + std::generic_category().message(EIO) + "\n");
    // A window of a mapping is read before it is handed out.
    const std::string_view before = std::string_view(text).substr(0, 81920);
    const bool whole_window = squeezed(found.out).find("0 0 0 " + bad) != std::string::npos;
    for (int i = 0; i != 9; ++i) {
      if (i == 4) rows += (whole_window ? "0 0 0" : wc_of(before)) + " " + bad + "\n";
      rows += "2 3 14 " + name + "\n";
    }
    const std::string read = whole_window ? std::string() : std::string(before);
    std::string all = read;
    for (int i = 0; i != 9; ++i) all += "\none two\nthree\n";
    rows += std::to_string(std::count(read.begin(), read.end(), '\n') + 18) + " " +
            std::to_string(naive_words(read).size() + 27) + " " + std::to_string(read.size() + 126) +
            " total\n";
    EXPECT_EQ(squeezed(found.out), rows);
    EXPECT_TRUE(!whole_window || GetParam() == method::mmap);
  }
}

TEST(many_files, of_which_one_fails_are_told_one_by_one) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
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
    EXPECT_EQ(failures[0].path(), failing.path().string());
    EXPECT_EQ(failures[0].offset(), 81920U);
    EXPECT_EQ(failures[0].code(), std::errc::io_error);
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
    std::ifstream in(to, std::ios::binary);
    const std::string copied{std::istreambuf_iterator<char>(in), {}};
    EXPECT_GT(copied.size(), 500'000U);
    EXPECT_TRUE(large.contents().starts_with(copied));
  }
}

// In the middle of a read that does not end.
TEST_P(each_tool_method, dies_of_the_signal_that_ends_it) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
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
