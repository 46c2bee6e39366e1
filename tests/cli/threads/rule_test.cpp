/// How many threads the tool takes if it is not told: none for little input, few for much of it.
#include <gtest/gtest.h>

#include <riffle/mapped_file.hpp>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "os/machine.hpp"
#include "tests/support/build.hpp"
#include "tests/support/linux/control_group.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

class threads_unasked : public testing::Test {
 protected:
  void SetUp() override {
    if (build::instrumented) GTEST_SKIP() << "a sanitizer starts threads of its own";
    if (shell("strace --seccomp-bpf -f -o /dev/null true").status != 0)
      GTEST_SKIP() << "strace cannot run here";
  }

  // A file that is in the page cache: of others, riffle opens many ahead. It is mapped, so that no program
  // that empties the cache meanwhile takes it out.
  std::string cached(const std::string& name, std::uint64_t size) {
    const std::filesystem::path path = folder_.path() / name;
    std::ofstream(path, std::ios::binary) << std::string(size, '\0') << std::flush;
    held_.emplace_back(path, mapping_options{.populate = true});
    return path.string();
  }
  std::string small_files(std::size_t count) {
    std::string names;
    for (std::size_t i = 0; i != count; ++i) names += " " + cached("small" + std::to_string(i), 100);
    return names;
  }

  // How many threads the command starts; `around` is a shell's prefix for it. An emulator starts some of its
  // own.
  // The least of three runs counts: riffle opens files ahead if the OS kernel was late for them.
  int started_by(const std::string& command, const std::string& around = {}) const {
    int least = seen_by_strace(command, around);
    for (int again = 0; again != 2 && least != 0; ++again)
      least = std::min(least, seen_by_strace(command, around));
    return least - seen_by_strace("--version", around);
  }

  // Besides the main thread.
  static int all_that_help() { return static_cast<int>(std::min(os::usable_processors(), 4U)) - 1; }

 private:
  int seen_by_strace(const std::string& command, const std::string& around) const {
    const std::string calls = (folder_.path() / "calls").string();
    const shell_result found =
        shell(around + " strace --seccomp-bpf -f -o " + calls + " -e trace=clone,clone3 $riffle " + command +
              " > /dev/null && grep -cE 'clone3?[(].*CLONE_THREAD' " + calls + " || true");
    EXPECT_EQ(found.err, "");
    return std::stoi(found.out);
  }

  temporary_directory folder_;
  std::vector<mapped_file> held_;
};

TEST_F(threads_unasked, are_not_started_for_small_files) {
  EXPECT_EQ(started_by("wc -l " + cached("one", 100 * 1024)), 0);
  EXPECT_EQ(started_by("wc -l" + small_files(255)), 0);
}

TEST_F(threads_unasked, share_a_large_file) {
  EXPECT_EQ(started_by("wc -l " + cached("large", 33 * mib)), all_that_help());
  EXPECT_EQ(started_by("wc -l " + cached("medium", 4 * mib)), 0);
  EXPECT_EQ(started_by("cat --tsv --columns 1 " + cached("large", 33 * mib)), all_that_help());
  EXPECT_EQ(started_by("cat --tsv --columns 1 --number " + cached("large", 33 * mib)), 0);
}

TEST_F(threads_unasked, are_not_started_for_a_few_names_on_slow_storage) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const slow_file far("x", {"--latency=1000"});
  std::string names;
  for (int i = 0; i != 9; ++i)
    names += " " + far.path().parent_path().string() + "/missing" + std::to_string(i);
  EXPECT_EQ(started_by("wc -l" + names + " > /dev/null 2>&1 || true"), 0);
}

TEST_F(threads_unasked, leave_a_queue_of_reads_to_one) {
  const std::vector<method> usable = usable_methods();
  if (std::ranges::find(usable, method::uring) == usable.end())
    GTEST_SKIP() << "io_uring cannot be used here";
  EXPECT_EQ(started_by("wc -l --method uring " + cached("large", 33 * mib)), 0);
}

TEST_F(threads_unasked, share_many_files_and_large_ones) {
  EXPECT_EQ(started_by("wc -l" + small_files(256)), all_that_help());
  std::string names;
  for (int i = 0; i != 9; ++i) names += " " + cached("medium" + std::to_string(i), 4 * mib);
  EXPECT_EQ(started_by("wc -l" + names), all_that_help());
}

TEST_F(threads_unasked, are_as_many_as_asked_for) {
  EXPECT_EQ(started_by("wc -l --threads 1 " + cached("large", 33 * mib)), 0);
  EXPECT_EQ(started_by("wc -l --threads 3 " + cached("large", 33 * mib)), 2);
}

TEST_F(threads_unasked, are_no_more_than_the_affinity_mask_allows) {
  EXPECT_EQ(started_by("wc -l " + cached("large", 33 * mib), "taskset -c 0"), 0);
  EXPECT_EQ(started_by("wc -l --threads 0 " + cached("large", 33 * mib), "taskset -c 0"), 0);
}

TEST_F(threads_unasked, are_no_more_than_the_quota_of_the_control_group_allows) {
  if (os::usable_processors() == 1) GTEST_SKIP() << "there is one processor";
  const control_group group("cpu", {"cpu.cfs_quota_us", "100000"}, {"cpu.max", "100000 100000"});
  if (!group.granted()) GTEST_SKIP() << "no control group with a CPU quota can be made here; it takes root";
  const std::string inside = group.enter();
  EXPECT_EQ(started_by("wc -l " + cached("large", 33 * mib), inside), 0);
  EXPECT_EQ(started_by("wc -l --threads 0 " + cached("large", 33 * mib), inside), 0);
}

}  // namespace
}  // namespace riffle::test
