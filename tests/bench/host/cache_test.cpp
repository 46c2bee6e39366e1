/// Each state of the page cache is what it says, as mincore sees it.
#include <riffle/error.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include "bench/host/system.hpp"
#include "os/facts.hpp"
#include "os/mapping.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;
using testing::HasSubstr;

// As mincore tells, whatever riffle itself asks.
std::size_t resident(const path& file) {
  const auto size = std::filesystem::file_size(file);
  const test::owned_descriptor opened(test::open_to_read(file));
  void* const start = mmap(nullptr, size, PROT_READ, MAP_SHARED, opened.get(), 0);
  std::vector<unsigned char> states(os::page_count(size));
  EXPECT_EQ(mincore(start, size, states.data()), 0);
  munmap(start, size);
  return static_cast<std::size_t>(
      std::ranges::count_if(states, [](auto state) { return (state & 1U) != 0; }));
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
  return os::file_system_of(os::file::open(file)) == "tmpfs";
}

/// A file of 3 MB, not whole pages, in the system's temporary directory.
class page_cache : public testing::Test {
 protected:
  void SetUp() override {
    if (is_tmpfs(file())) GTEST_SKIP() << "the temporary directory is in memory: nothing can be evicted";
  }
  const path& file() const { return files_.front(); }
  std::uint64_t inode() const { return os::file::open(file()).status().inode; }
  void expect_resident(std::size_t pages) const { EXPECT_EQ(resident(file()), pages); }

  const std::string bytes_ = test::numbered_lines(300000);
  const test::temporary_file made_{bytes_};
  const std::vector<path> files_{made_.path()};
  const std::size_t all_ = os::page_count(bytes_.size());
};

}  // namespace

TEST_F(page_cache, is_filled_from_the_device_no_further_than_is_measured_and_again_where_it_was_evicted) {
  const double before = os::usage_so_far().bytes_read;
  const auto before_each_run = prepare_cache(cache_mode::hot, files_);
  const double read = os::usage_so_far().bytes_read - before;
  const bool counted = before != 0 || read != 0;  // what is read from devices
  EXPECT_GE(read, counted ? static_cast<double>(bytes_.size()) : 0);
  expect_resident(all_);
  evict(files_);
  expect_resident(0);
  before_each_run();
  expect_resident(all_);
  const auto a_page = prepare_cache(cache_mode::hot, files_, 4096);
  evict(files_);
  a_page();
  EXPECT_GE(resident(file()), 1U);
  EXPECT_LT(resident(file()), all_);
}

TEST_F(page_cache, is_empty_before_each_cold_run_of_a_file_that_may_only_be_read) {
  std::filesystem::permissions(file(), std::filesystem::perms::owner_read);
  const auto before_each_run = prepare_cache(cache_mode::cold, files_);
  expect_resident(0);
  ASSERT_EQ(made_.contents(), bytes_);
  ASSERT_GT(resident(file()), 0U);
  before_each_run();
  expect_resident(0);
}

TEST_F(page_cache, is_filled_by_writing_and_again_where_it_was_evicted) {
  const auto before_each_run = prepare_cache(cache_mode::written, files_);
  expect_resident(all_);
  const std::uint64_t first = inode();
  before_each_run();
  EXPECT_EQ(inode(), first) << "what is still there is not written again";
  evict(files_);
  before_each_run();
  EXPECT_NE(inode(), first);
  expect_resident(all_);
  EXPECT_EQ(made_.contents(), bytes_);
  const auto beside = std::filesystem::directory_iterator(file().parent_path());
  EXPECT_EQ(std::distance(begin(beside), end(beside)), 1) << "nothing half written is left";
}

TEST_F(page_cache, that_cannot_be_emptied_or_looked_at_is_not_taken_for_empty) {
  if (geteuid() == 0) {
    std::filesystem::permissions(file().parent_path(), std::filesystem::perms(0755));
    EXPECT_EXIT(evict_as_nobody(files_), testing::ExitedWithCode(1), "use a copy that you own");
  }
  const os::mapping mapped(os::file::open(file()), 0, bytes_.size(), os::protection::read, {}, false);
  // The comparison maps the pages where populating is ignored, as by qemu's user mode.
  ASSERT_EQ(std::string_view(mapped.bytes().data(), bytes_.size()), bytes_);
  give_to_nobody(file());
  EXPECT_EXIT(evict_as_nobody(files_), testing::ExitedWithCode(1),
              "cannot evict '" + file().string() + "'.*use a copy");
}

TEST(cache_state, cold_does_not_exist_in_memory) {
  const path directory = "/dev/shm";
  if (!std::filesystem::is_directory(directory) || !is_tmpfs(directory)) GTEST_SKIP() << "no tmpfs here";
  const path file = directory / ("riffle-cache-" + std::to_string(getpid()));
  std::ofstream(file) << "some bytes";
  const std::vector<path> files{file};
  const error failure = test::thrown_by([&] { prepare_cache(cache_mode::cold, files); });
  EXPECT_NO_THROW(prepare_cache(cache_mode::hot, files)());
  std::filesystem::remove(file);
  EXPECT_EQ(failure.path(), file.string());
  EXPECT_THAT(failure.what(), HasSubstr("use a file on a disk, as tmpfs keeps files in memory"));
}

// On overlay cachestat says 0 of everything, so that hot files would be read before each run and any file
// would pass for evicted.
TEST_F(page_cache, is_seen_through_overlay) {
  if (const auto refusal = test::refusal_of_mounts()) GTEST_SKIP() << *refusal;
  const test::temporary_directory parts;
  const std::string base = parts.path().string();
  for (const char* part : {"/lower", "/upper", "/work"}) std::filesystem::create_directory(base + part);
  const test::mounted layers(
      "riffle-test", "overlay",
      "lowerdir=" + base + "/lower,upperdir=" + base + "/upper,workdir=" + base + "/work");
  const std::vector<path> files{layers.path() / "file"};
  std::ofstream(files[0]) << std::string(100000, 'x');
  const auto seen = [&] { return os::resident_pages(os::file::open(files[0]), 0, 100000); };
  prepare_cache(cache_mode::hot, files);
  EXPECT_EQ(seen(), os::page_count(100000));
  prepare_cache(cache_mode::cold, files);
  EXPECT_EQ(seen(), 0U);
  EXPECT_EQ(resident(files[0]), 0U);
}

TEST(cache_state, of_an_empty_file_can_be_any_and_of_a_missing_one_none) {
  const test::temporary_file empty;
  for (const cache_mode mode : all_cache_modes) {
    EXPECT_NO_THROW(prepare_cache(mode, std::vector{empty.path()})()) << name_of(mode);
    const std::vector<path> missing{"/missing/file"};
    EXPECT_EQ(test::thrown_by([&] { prepare_cache(mode, missing); }).path(), "/missing/file");
  }
}

}  // namespace riffle::bench
