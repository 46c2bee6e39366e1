/// A run that is killed cannot clean up, so the next one does, and touches nothing else.
#include "bench/host/temporary_directory.hpp"

#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

class leftovers : public testing::Test {
 protected:
  void TearDown() override { std::filesystem::permissions(place_.path(), std::filesystem::perms(0700)); }

  /// A process makes a directory with one within, as measuring the limits does, and is killed.
  void run_and_kill() const {
    const pid_t child = fork();
    if (child == 0) {
      const temporary_directory made(place_.path());
      const temporary_directory within(made.path());
      std::ofstream(within.path() / "input") << "text";
      raise(SIGKILL);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  /// How many directories there are after another run.
  std::size_t after_next_run() const {
    {
      const temporary_directory next(place_.path());
    }
    return count();
  }
  std::size_t count() const {
    return static_cast<std::size_t>(
        std::ranges::distance(std::filesystem::directory_iterator(place_.path())));
  }
  path only() const { return std::filesystem::directory_iterator(place_.path())->path(); }

  test::temporary_directory place_;
};

}  // namespace

TEST_F(leftovers, go_with_the_next_run) {
  run_and_kill();
  ASSERT_EQ(count(), 1U);
  const path dead = only();
  EXPECT_TRUE(std::filesystem::exists(dead / "in-use"));
  {
    const temporary_directory next(place_.path());
    EXPECT_FALSE(std::filesystem::exists(dead));
    EXPECT_EQ(count(), 1U);
  }
  EXPECT_EQ(count(), 0U);
}

TEST_F(leftovers, are_not_what_another_run_uses) {
  const temporary_directory live(place_.path());
  std::ofstream(live.path() / "input") << "text";
  const temporary_directory next(place_.path());
  EXPECT_TRUE(std::filesystem::exists(live.path() / "input"));
}

TEST_F(leftovers, are_no_directories_without_the_lock) {
  std::filesystem::create_directory(place_.path() / "riffle-bench-my-results");
  std::ofstream(place_.path() / "riffle-bench-my-results" / "precious") << "text";
  const temporary_directory next(place_.path());
  EXPECT_TRUE(std::filesystem::exists(place_.path() / "riffle-bench-my-results" / "precious"));
}

TEST_F(leftovers, are_found_through_no_link) {
  const test::temporary_directory elsewhere;
  run_and_kill();
  std::filesystem::rename(only(), elsewhere.path() / "riffle-bench-dead");
  std::filesystem::create_directory_symlink(elsewhere.path() / "riffle-bench-dead",
                                            place_.path() / "riffle-bench-link");
  EXPECT_EQ(after_next_run(), 1U);
  const std::filesystem::directory_iterator kept(elsewhere.path() / "riffle-bench-dead");
  EXPECT_EQ(std::ranges::distance(kept), 2) << "the lock and a directory";
}

TEST_F(leftovers, with_a_link_in_them_cost_nothing_behind_it) {
  const test::temporary_file precious("text");
  run_and_kill();
  std::filesystem::create_directory_symlink(precious.path().parent_path(), only() / "link");
  const temporary_directory next(place_.path());
  EXPECT_EQ(count(), 1U);
  EXPECT_EQ(precious.contents(), "text");
}

// There another user could give a victim's directory the name of a leftover.
TEST_F(leftovers, stay_where_anybody_may_rename_them) {
  run_and_kill();
  std::filesystem::permissions(place_.path(), std::filesystem::perms(0777));
  EXPECT_EQ(after_next_run(), 1U);
  std::filesystem::permissions(place_.path(), std::filesystem::perms(01777));
  EXPECT_EQ(after_next_run(), 0U);
}

TEST_F(leftovers, of_other_users_stay) {
  run_and_kill();
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file to another user";
  ASSERT_EQ(chown(only().c_str(), 1, 1), 0);
  ASSERT_EQ(after_next_run(), 1U);
  ASSERT_EQ(chown(only().c_str(), 0, 0), 0);
  ASSERT_EQ(chown((only() / "in-use").c_str(), 1, 1), 0);
  ASSERT_EQ(after_next_run(), 1U);
}

}  // namespace riffle::bench
