/// `riffle bench --latency` measures on the slow file system, and leaves nothing mounted however it ends.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

#include "tests/support/build.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {

namespace {

using testing::HasSubstr;

const std::string quick = " --task gc --size 256K --rounds 1 --time 0.1 --contender riffle/read ";

bool mounted_in(const std::string& directory) {
  std::ostringstream mounts;
  mounts << std::ifstream("/proc/self/mounts").rdbuf();
  return mounts.str().find(directory) != std::string::npos;
}

template <class Condition>
bool becomes_true(Condition holds) {
  for (int i = 0; i < 6000 && !holds(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return holds();
}

pid_t start_bench(const std::string& place) {
  const pid_t child = fork();
  if (child != 0) return child;
  setenv("TMPDIR", place.c_str(), 1);
  for (const int each : {SIGINT, SIGTERM, SIGHUP}) ::signal(each, SIG_DFL);
  for (const int descriptor : {1, 2}) dup2(open("/dev/null", O_WRONLY), descriptor);
  alarm(200);
  execl(build::tool, build::tool, "bench", "--latency", "1ms", "--task", "gc", "--size", "256K", "--rounds",
        "100000", nullptr);
  _exit(127);
}

class bench_latency : public testing::Test {
 protected:
  void SetUp() override {
    if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  }
  std::string place() const { return directory_.path().string(); }
  std::string in_place() const { return "TMPDIR=" + place() + " "; }
  bool left_nothing() const { return !mounted_in(place()) && std::filesystem::is_empty(place()); }

 private:
  temporary_directory directory_;
};

}  // namespace

TEST_F(bench_latency, measures_a_cold_file_on_slow_storage) {
  const shell_result ran = shell(in_place() + "$riffle bench --latency 20ms --served 3 --json -" + quick);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(R"("cache":"cold")"));
  EXPECT_THAT(ran.out, HasSubstr("riffle-slow-fs, 20000 us a request, 3 at once"));
  EXPECT_TRUE(left_nothing());
  const std::size_t at = ran.out.find(R"("median":)", ran.out.find(R"("contender":"read")"));
  ASSERT_NE(at, std::string::npos);
  EXPECT_GE(std::stod(ran.out.substr(at + 9)), 0.04) << "one request to open it, one to read it";
}

TEST_F(bench_latency, unmounts_after_every_signal) {
  std::map<int, std::pair<pid_t, temporary_directory>> runs;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGKILL}) {
    auto& [child, directory] = runs[signal];
    child = start_bench(directory.path().string());
  }
  for (const auto& [signal, run] : runs) {
    const auto& [child, directory] = run;
    const std::string here = directory.path().string();
    EXPECT_TRUE(becomes_true([&] { return mounted_in(here); })) << signal;
    kill(child, signal);
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(WTERMSIG(status), signal) << status;
    EXPECT_TRUE(becomes_true([&] { return !mounted_in(here); })) << signal;
    EXPECT_TRUE(signal == SIGKILL || std::filesystem::is_empty(here)) << signal;
  }
}

TEST(bench_latency_options, are_refused_with_a_remedy) {
  const auto said = [](const std::string& options) { return shell("$riffle bench " + options).err; };
  EXPECT_THAT(said("--served 4"), HasSubstr("--served needs --latency"));
  EXPECT_THAT(said("--latency 1"), HasSubstr("not a time from 1us to 10s; write 100us or 1ms"));
  EXPECT_THAT(said("--latency 11s"), HasSubstr("not a time"));
  EXPECT_THAT(said("--latency 0.1us"), HasSubstr("not a time"));
  if (*build::slow_fs == '\0') GTEST_SKIP() << "riffle-slow-fs is not built: libfuse3 is missing";
  EXPECT_THAT(said("--latency 1ms --cache hot"), HasSubstr("leave out --cache, or use --cache cold"));
  EXPECT_THAT(said("--latency 1ms $riffle $riffle"), HasSubstr("serves one file"));
}

TEST(bench_latency_options, need_the_program_beside_the_tool_or_on_the_path) {
  const temporary_directory lonely;
  const std::string place = lonely.path().string();
  const shell_result alone =
      shell("cp $riffle " + place + "/riffle; PATH=/nowhere " + place + "/riffle bench --latency 1ms");
  EXPECT_EQ(alone.status, 1);
  EXPECT_THAT(alone.err, HasSubstr("cannot find 'riffle-slow-fs'"));
  EXPECT_THAT(alone.err, HasSubstr("libfuse3-dev"));
  if (*build::slow_fs == '\0') GTEST_SKIP() << "riffle-slow-fs is not built: libfuse3 is missing";
  const std::string list = "/riffle bench --latency 1ms --list";
  EXPECT_EQ(shell("PATH=" + std::filesystem::path(build::slow_fs).parent_path().string() + " " + place + list)
                .status,
            0);
  EXPECT_EQ(shell("mkdir -p " + place + "/libexec/riffle " + place + "/bin; mv " + place + "/riffle " +
                  place + "/bin; cp " + build::slow_fs + " " + place + "/libexec/riffle; PATH=/nowhere " +
                  place + "/bin" + list)
                .status,
            0);
}

}  // namespace riffle::test
