/// Each state of the page cache is what it says, as mincore sees it.
#include <riffle/error.hpp>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "bench/host/cache.hpp"
#include "bench/host/os/usage.hpp"
#include "os/mapping.hpp"
#include "os/page_cache.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;
using testing::HasSubstr;

struct residency {
  std::size_t pages = 0;
  std::size_t resident = 0;
};

residency seen(const path& file) {
  const auto size = std::filesystem::file_size(file);
  if (size == 0) return {};
  const int descriptor = ::open(file.c_str(), O_RDONLY);
  void* const start = mmap(nullptr, size, PROT_READ, MAP_SHARED, descriptor, 0);
  close(descriptor);
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  std::vector<unsigned char> states((size + page - 1) / page);
  EXPECT_EQ(mincore(start, size, states.data()), 0);
  munmap(start, size);
  residency result{states.size(), 0};
  for (const unsigned char state : states) result.resident += state & 1U;
  return result;
}

void evict(const path& file) {
  const int descriptor = ::open(file.c_str(), O_RDONLY);
  fsync(descriptor);
  posix_fadvise(descriptor, 0, 0, POSIX_FADV_DONTNEED);
  close(descriptor);
}

constexpr int cannot_mount = 77;

[[noreturn]] void look_through_overlay(const path& place) {
  for (const char* name : {"lower", "upper", "work", "merged"})
    std::filesystem::create_directory(place / name);
  const std::string layers = "lowerdir=" + (place / "lower").string() +
                             ",upperdir=" + (place / "upper").string() +
                             ",workdir=" + (place / "work").string();
  const path file = place / "merged/file";
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
      mount("overlay", file.parent_path().c_str(), "overlay", 0, layers.c_str()) != 0) {
    _exit(cannot_mount);
  }
  std::ofstream(file) << std::string(100000, 'x');
  const std::vector<path> files{file};
  prepare_cache(cache_mode::hot, files);
  const bool filled = os::resident_pages(os::file::open(file), 0, 100000) == os::page_count(100000);
  prepare_cache(cache_mode::cold, files);
  const bool emptied = os::resident_pages(os::file::open(file), 0, 100000) == 0U && seen(file).resident == 0;
  _exit(filled && emptied ? 0 : 1);
}

ino_t inode_of(const path& file) {
  struct stat facts{};
  EXPECT_EQ(stat(file.c_str(), &facts), 0);
  return facts.st_ino;
}

std::string contents(const path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

constexpr uid_t nobody = 65534;

// Root would empty the whole machine's cache, under the feet of tests that run beside this one.
void give_to_nobody(const path& file) {
  if (geteuid() != 0) return;
  ASSERT_EQ(chown(file.c_str(), nobody, nobody), 0);
  ASSERT_EQ(chown(file.parent_path().c_str(), nobody, nobody), 0);
}

[[noreturn]] void evict_as_nobody(const std::vector<path>& files) {
  if (geteuid() == 0 && setuid(nobody) != 0) _exit(2);
  const auto failure = test::error_of([&] { prepare_cache(cache_mode::cold, files); });
  if (failure) std::fputs(failure->what(), stderr);
  _exit(failure ? 1 : 0);
}

bool is_tmpfs(const path& file) {
  struct statfs facts{};
  return statfs(file.c_str(), &facts) == 0 && facts.f_type == 0x01021994;  // TMPFS_MAGIC
}

/// A file of 3 MB, not whole pages, in the system's temporary directory.
class page_cache : public testing::Test {
 protected:
  void SetUp() override {
    if (is_tmpfs(file())) GTEST_SKIP() << "the temporary directory is in memory: nothing can be evicted";
  }
  const path& file() const { return files_.front(); }

  const std::string bytes_ = test::numbered_lines(300000);
  const test::temporary_file made_{bytes_};
  const std::vector<path> files_{made_.path()};
};

}  // namespace

TEST_F(page_cache, is_filled_by_reading_and_again_where_it_was_evicted) {
  const auto before_each_run = prepare_cache(cache_mode::hot, files_);
  EXPECT_EQ(seen(file()).resident, seen(file()).pages);
  evict(file());
  ASSERT_LT(seen(file()).resident, seen(file()).pages);
  before_each_run();
  EXPECT_EQ(seen(file()).resident, seen(file()).pages);
}

TEST_F(page_cache, is_filled_no_further_than_is_measured) {
  const auto before_each_run = prepare_cache(cache_mode::hot, files_, 4096);
  evict(file());
  ASSERT_EQ(seen(file()).resident, 0U);
  before_each_run();
  EXPECT_GE(seen(file()).resident, 1U);
  EXPECT_LT(seen(file()).resident, seen(file()).pages);
}

TEST_F(page_cache, of_a_hot_file_was_filled_from_the_device) {
  const double before = os::usage_so_far().bytes_read;
  prepare_cache(cache_mode::hot, files_);
  const double read = os::usage_so_far().bytes_read - before;
  if (before == 0 && read == 0) GTEST_SKIP() << "the system does not count what is read from devices";
  EXPECT_GE(read, static_cast<double>(bytes_.size()));
}

TEST_F(page_cache, is_empty_before_each_cold_run_of_a_file_that_may_only_be_read) {
  std::filesystem::permissions(file(), std::filesystem::perms::owner_read);
  const auto before_each_run = prepare_cache(cache_mode::cold, files_);
  EXPECT_EQ(seen(file()).resident, 0U);
  ASSERT_EQ(contents(file()), bytes_);
  ASSERT_GT(seen(file()).resident, 0U);
  before_each_run();
  EXPECT_EQ(seen(file()).resident, 0U);
}

TEST_F(page_cache, is_filled_by_writing_and_again_where_it_was_evicted) {
  const auto before_each_run = prepare_cache(cache_mode::written, files_);
  EXPECT_EQ(seen(file()).resident, seen(file()).pages);
  const ino_t first = inode_of(file());
  before_each_run();
  EXPECT_EQ(inode_of(file()), first) << "what is still there is not written again";
  evict(file());
  before_each_run();
  EXPECT_NE(inode_of(file()), first);
  EXPECT_EQ(seen(file()).resident, seen(file()).pages);
  EXPECT_EQ(contents(file()), bytes_);
  const auto beside = std::filesystem::directory_iterator(file().parent_path());
  EXPECT_EQ(std::distance(begin(beside), end(beside)), 1) << "nothing half written is left";
}

TEST_F(page_cache, that_is_mapped_by_others_cannot_be_emptied) {
  const int descriptor = ::open(file().c_str(), O_RDONLY);
  void* const mapped = mmap(nullptr, bytes_.size(), PROT_READ, MAP_SHARED | MAP_POPULATE, descriptor, 0);
  close(descriptor);
  ASSERT_NE(mapped, MAP_FAILED);
  EXPECT_EQ(std::string_view(static_cast<const char*>(mapped), bytes_.size()), bytes_);  // maps each page
  give_to_nobody(file());
  EXPECT_EXIT(evict_as_nobody(files_), testing::ExitedWithCode(1),
              "cannot evict '" + file().string() + "'.*use a copy");
  munmap(mapped, bytes_.size());
}

TEST_F(page_cache, that_cannot_be_looked_at_is_not_taken_for_empty) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can read a file as somebody else";
  std::filesystem::permissions(file().parent_path(), std::filesystem::perms(0755));
  EXPECT_EXIT(evict_as_nobody(files_), testing::ExitedWithCode(1), "use a copy that you own");
}

TEST(cache_state, cold_does_not_exist_in_memory) {
  const path directory = "/dev/shm";
  if (!std::filesystem::is_directory(directory) || !is_tmpfs(directory)) GTEST_SKIP() << "no tmpfs here";
  const path file = directory / ("riffle-cache-" + std::to_string(getpid()));
  std::ofstream(file) << "some bytes";
  const std::vector<path> files{file};
  const auto failure = test::error_of([&] { prepare_cache(cache_mode::cold, files); });
  const auto hot = test::error_of([&] { prepare_cache(cache_mode::hot, files)(); });
  std::filesystem::remove(file);
  ASSERT_TRUE(failure);
  EXPECT_EQ(failure->path(), file.string());
  EXPECT_THAT(failure->what(), HasSubstr("as tmpfs keeps files in memory"));
  EXPECT_THAT(failure->what(), HasSubstr("use a file on a disk"));
  EXPECT_FALSE(hot);
}

// On overlay cachestat says 0 of everything, so that hot files would be read before each run and any file
// would pass for evicted.
TEST_F(page_cache, is_seen_through_overlay) {
  const test::temporary_directory place;
  const pid_t child = fork();
  if (child == 0) look_through_overlay(place.path());
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == cannot_mount)
    GTEST_SKIP() << "overlay cannot be mounted here";
  EXPECT_EQ(status, 0);
}

TEST(cache_state, of_an_empty_file_can_be_any) {
  const test::temporary_file empty;
  const std::vector<path> files{empty.path()};
  for (const cache_mode mode : all_cache_modes)
    EXPECT_NO_THROW(prepare_cache(mode, files)()) << name_of(mode);
}

TEST(cache_state, of_a_missing_file_is_an_error_that_names_it) {
  const std::vector<path> files{"/missing/file"};
  for (const cache_mode mode : all_cache_modes) {
    const auto failure = test::error_of([&] { prepare_cache(mode, files); });
    ASSERT_TRUE(failure) << name_of(mode);
    EXPECT_EQ(failure->path(), "/missing/file");
  }
}

}  // namespace riffle::bench
