/// A page that cannot be read becomes an error of its mapping, and nobody else's business changes.
#include "os/fault_guard.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <riffle/count.hpp>
#include <riffle/mapped_file.hpp>

#include <barrier>

#include "os/mapping.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle {
namespace {

using test::patterned_bytes;
using test::temporary_file;
using test::thrown_by;

const std::size_t page = os::page_size();

char touch(const char& byte) {
  return *static_cast<const volatile char*>(&byte);
}

TEST(fault_guard, truncation_becomes_zeros_and_an_error) {
  const std::string bytes = patterned_bytes(8 * page);
  for (const mapping_mode mode :
       {mapping_mode::read_only, mapping_mode::copy_on_write, mapping_mode::shared}) {
    const temporary_file on_disk(bytes);
    const mapped_file file(on_disk.path(), {.mode = mode, .offset = 100});
    on_disk.resize(3 * page + 5);
    EXPECT_EQ(touch(file[6 * page]), '\0');
    EXPECT_EQ(touch(file[5 * page]), '\0');
    EXPECT_EQ(file.view(0, 3 * page - 100), std::string_view(bytes).substr(100, 3 * page - 100));
    EXPECT_THAT(thrown_by([&] { file.check(); }), test::is_error(errc::truncated, 3 * page + 5));
  }
}

TEST(fault_guard, truncation_without_a_fault_is_seen_too) {
  const temporary_file on_disk(patterned_bytes(page));
  const mapped_file file(on_disk.path());
  on_disk.resize(7);  // the rest of the page reads as zeros, without a signal
  EXPECT_EQ(touch(file[8]), '\0');
  EXPECT_EQ(thrown_by([&] { file.check(); }).offset(), 7U);
  EXPECT_EQ(test::code_of([&] { (void)count_words(file); }), errc::truncated);
  EXPECT_EQ(thrown_by([&] { (void)count_byte(file, 'a'); }).offset(), 0U)
      << "nothing was checked after its use";
  const mapped_file byte(on_disk.path(), {.offset = 6});
  on_disk.resize(6);
  EXPECT_EQ(test::code_of([&] { byte.check(); }), errc::truncated);
}

TEST(fault_guard, a_regrown_file_does_not_hide_the_fault) {
  const temporary_file on_disk(patterned_bytes(4 * page));
  const mapped_file file(on_disk.path());
  on_disk.resize(0);
  EXPECT_EQ(touch(file[2 * page + 1]), '\0');
  on_disk.resize(4 * page);
  EXPECT_THAT(thrown_by([&] { file.check(); }), test::is_error(std::errc::io_error, 2 * page));
}

TEST(fault_guard, zeros_of_a_writable_mapping_can_be_written) {
  const temporary_file on_disk(patterned_bytes(2 * page));
  mapped_file file(on_disk.path(), {.mode = mapping_mode::shared});
  on_disk.resize(0);
  file.writable()[page] = 'x';
  EXPECT_EQ(file[page], 'x');
  EXPECT_EQ(test::code_of([&] { file.check(); }), errc::truncated);
}

TEST(fault_guard, marks_only_the_mapping_that_faulted) {
  const temporary_file good(patterned_bytes(page));
  const temporary_file bad(patterned_bytes(page));
  const mapped_file before(good.path());
  const mapped_file between(bad.path());
  const mapped_file after(good.path());
  bad.resize(0);
  EXPECT_EQ(touch(between[0]), '\0');
  EXPECT_NO_THROW(before.check());
  EXPECT_NO_THROW(after.check());
  EXPECT_THROW(between.check(), error);
}

TEST(fault_guard, follows_a_moved_mapping_and_forgets_a_destroyed_one) {
  const temporary_file on_disk(patterned_bytes(2 * page));
  const os::file opened = os::file::open(on_disk.path());
  os::mapping outer;
  {
    os::mapping inner(opened, 0, 2 * page, os::protection::read, {.populate = false}, true);
    outer = std::move(inner);
  }
  on_disk.resize(page);
  EXPECT_FALSE(outer.faulted());
  EXPECT_EQ(touch(outer.bytes()[page + 9]), '\0');
  EXPECT_EQ(outer.fault_offset(), page);
  // The slot is free again, and starts without a fault.
  outer = os::mapping();
  const os::mapping next(opened, 0, page, os::protection::read, {}, true);
  EXPECT_FALSE(next.faulted());
}

TEST(fault_guard, follows_the_input_of_a_mapped_file_that_was_moved) {
  const temporary_file on_disk(patterned_bytes(8 * page));
  mapped_file file(on_disk.path());
  const input from = file;
  const mapped_file moved = std::move(file);
  on_disk.resize(page);
  EXPECT_EQ(test::code_of([&] { (void)count_byte(from, 'a'); }), errc::truncated);
}

TEST(fault_guard, takes_no_disk_for_a_file_that_was_cut) {
  const temporary_file on_disk(patterned_bytes(2 * page));
  const mapped_file file(on_disk.path(), {.mode = mapping_mode::shared});
  on_disk.resize(0);
  EXPECT_EQ(touch(file[page]), 0);
  EXPECT_EQ(test::code_of([&] { file.check(); }), errc::truncated);
  struct stat status{};
  ASSERT_EQ(::stat(on_disk.path().c_str(), &status), 0);
  EXPECT_EQ(status.st_blocks, 0);
}

TEST(mapped_file, that_cannot_be_read_leaves_the_file_as_it_was) {
  const temporary_file on_disk("abc");
  const test::owned_descriptor written(open(on_disk.path().c_str(), O_WRONLY | O_CLOEXEC));
  const mapping_options options{.mode = mapping_mode::shared, .minimum_size = 20'000};
  EXPECT_EQ(test::code_of([&] { mapped_file(written.get(), options); }), std::errc::permission_denied);
  EXPECT_EQ(on_disk.contents(), "abc");
}

TEST(fault_guard, populating_finds_the_first_bad_page_without_a_fault) {
  if (const auto reason = test::refusal_of_populate()) GTEST_SKIP() << *reason;
  const temporary_file on_disk(patterned_bytes(9 * page));
  const os::file opened = os::file::open(on_disk.path());
  for (const std::size_t good : {0U, 1U, 4U, 8U}) {
    on_disk.resize(good * page);
    EXPECT_THAT(
        thrown_by([&] { os::mapping(opened, 0, 9 * page, os::protection::read, {.populate = true}, true); }),
        test::is_error(errc::truncated, good * page));
  }
}

TEST(fault_guard, threads_may_fault_at_once) {
  const temporary_file on_disk(patterned_bytes(64 * page));
  for (int round = 0; round < 20; ++round) {
    on_disk.resize(64 * page);
    const mapped_file common(on_disk.path());
    on_disk.resize(page);
    constexpr int count = 4;
    std::barrier start(count);
    std::atomic<int> not_zero{0};
    const auto work = [&](bool upwards) {
      start.arrive_and_wait();
      for (std::size_t i = 1; i < 64; ++i) not_zero += touch(common[(upwards ? i : 64 - i) * page]) != 0;
      const mapped_file own(on_disk.path());  // slots come and go while others fault
      not_zero += own.size() != page;
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(work, i % 2 == 0);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(not_zero, 0);
    EXPECT_EQ(thrown_by([&] { common.check(); }).offset(), page);
  }
}

TEST(fault_guard, survives_more_faults_than_there_may_be_mappings) {
  // A mapping for every second page would be more than vm.max_map_count (65530 by default).
  constexpr std::size_t pages = 150000;
  const temporary_file on_disk("");
  on_disk.resize(pages * page);
  const mapped_file file(on_disk.path());
  on_disk.resize(page);
  for (std::size_t i = 1; i < pages; i += 2) ASSERT_EQ(touch(file[i * page]), '\0');
  EXPECT_EQ(thrown_by([&] { file.check(); }).offset(), page);
}

// Every second page of a large range gets a protection of its own, which takes a mapping, until none is left.
class no_more_mappings : test::not_copied {
 public:
  no_more_mappings() {
    std::size_t limit = 0;
    std::ifstream("/proc/sys/vm/max_map_count") >> limit;
    size_ = 2 * (limit + 1) * page;
    begin_ = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (begin_ == MAP_FAILED) return;
    std::size_t at = page;
    while (at < size_ && mprotect(static_cast<char*>(begin_) + at, page, PROT_READ) == 0) at += 2 * page;
    left_ = at >= size_;
    // One more can be mapped, but none can be split any more.
    if (!left_) last_ = mmap(nullptr, page, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  }
  ~no_more_mappings() {
    munmap(begin_, size_);
    if (last_ != MAP_FAILED) munmap(last_, page);
  }
  bool left() const { return left_; }

 private:
  std::size_t size_ = 0;
  void* begin_ = nullptr;
  void* last_ = MAP_FAILED;
  bool left_ = true;
};

TEST(fault_guard, replaces_the_whole_mapping_where_the_OS_grants_no_more) {
  if (test::build::instrumented) GTEST_SKIP() << "a sanitizer needs mappings of its own meanwhile";
  test::expect_in_child([&] {
    const temporary_file on_disk(patterned_bytes(9 * page));
    std::vector<mapped_file> files;
    for (int i = 0; i != 4; ++i) files.emplace_back(on_disk.path());
    on_disk.resize(2 * page);
    std::atomic<int> mended{0};
    std::barrier start(5);
    std::vector<std::thread> threads;  // all lose pages at once
    for (const mapped_file& file : files) {
      threads.emplace_back([&] {
        start.arrive_and_wait();
        mended += touch(file[5 * page]) == '\0' ? 1 : 0;
      });
    }
    {
      const no_more_mappings taken;
      if (taken.left()) return false;
      start.arrive_and_wait();
      for (std::thread& thread : threads) thread.join();
    }
    for (const mapped_file& file : files) mended += test::code_of([&] { file.check(); }) ? 1 : 0;
    return mended == 8;
  });
}

}  // namespace
}  // namespace riffle
