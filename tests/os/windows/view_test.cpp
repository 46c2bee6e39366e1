/// A page of a view that cannot be read becomes an error, and nobody else's exception changes.
#include "os/windows/calls.hpp"

#include <riffle/count.hpp>
#include <riffle/mapped_file.hpp>

#include <barrier>

#include "os/mapping.hpp"
#include "tests/support/support.hpp"

namespace riffle::os {
namespace {

using test::patterned_bytes;
using test::temporary_file;
using test::thrown_by;

const std::size_t unit = page_size();
constexpr std::size_t page = 4096;

// A page that may not be touched raises what a lost page raises in Wine.
void lose(const char* at) {
  DWORD before = 0;
  ASSERT_NE(VirtualProtect(const_cast<char*>(at), page, PAGE_NOACCESS, &before), 0);
}

char touch(const char& byte) {
  return *static_cast<const volatile char*>(&byte);
}

TEST(view, that_loses_a_page_becomes_zeros_and_an_error) {
  for (const mapping_mode mode :
       {mapping_mode::read_only, mapping_mode::copy_on_write, mapping_mode::shared}) {
    const temporary_file on_disk(patterned_bytes(8 * page));
    {
      const mapped_file file(on_disk.path(), {.mode = mode});
      lose(file.data() + 3 * page);
      EXPECT_EQ(touch(file[3 * page + 7]), '\0');
      EXPECT_EQ(touch(file[7 * page]), '\0') << "all of the view is lost";
      EXPECT_EQ(test::code_of([&] { file.check(); }), std::errc::io_error);
      EXPECT_EQ(test::code_of([&] { (void)count_lines(file); }), std::errc::io_error);
    }
    EXPECT_EQ(on_disk.contents(), patterned_bytes(8 * page));
  }
}

TEST(view, is_probed_with_the_place_of_the_first_bad_page) {
  const temporary_file on_disk(patterned_bytes(2 * unit + 5));
  const file opened = file::open(on_disk.path());
  for (const bool guarded : {true, false}) {
    for (const std::size_t bad : {std::size_t{0}, page, unit + 3 * page, 2 * unit}) {
      const mapping mapped(opened, 0, 2 * unit + 5, protection::read, {.populate = false}, guarded);
      lose(mapped.bytes().data() + bad);
      EXPECT_THAT(thrown_by([&] { mapped.populate(opened, 0, 2 * unit + 5); }),
                  test::is_error(std::errc::io_error, bad));
    }
  }
}

TEST(view, that_was_lost_once_is_never_taken_for_the_file) {
  for (const bool guarded : {true, false}) {
    const temporary_file on_disk(patterned_bytes(2 * unit));
    const mapped_file file(on_disk.path(), {.populate = false, .fault_guard = guarded});
    lose(file.data() + page);
    for (int i = 0; i != 2; ++i) {
      EXPECT_EQ(test::code_of([&] { (void)count_lines(file); }), std::errc::io_error) << guarded;
    }
    EXPECT_EQ(test::code_of([&] { file.check(); }), std::errc::io_error) << guarded;
  }
}

TEST(view, that_is_read_only_may_be_flushed) {
  const temporary_file on_disk("abc");
  mapped_file file(on_disk.path());
  EXPECT_NO_THROW(file.flush());
}

TEST(view, whose_zeros_replace_a_writable_page_can_be_written) {
  const temporary_file on_disk(patterned_bytes(2 * page));
  mapped_file file(on_disk.path(), {.mode = mapping_mode::shared});
  lose(file.data());
  file.writable()[page] = 'x';
  EXPECT_NO_THROW(file.check()) << "no page was missed yet";
  file.writable()[0] = 'y';
  EXPECT_EQ(file[0], 'y');
  EXPECT_EQ(test::code_of([&] { file.check(); }), std::errc::io_error);
}

TEST(view, stays_if_another_one_keeps_its_file_from_being_cut) {
  const temporary_file on_disk(patterned_bytes(2 * page));
  mapped_file file(on_disk.path(), {.mode = mapping_mode::shared});
  {
    const mapped_file other(on_disk.path());
    EXPECT_EQ(test::code_of([&] { file.resize(page); }), std::errc::device_or_resource_busy);
  }
  EXPECT_TRUE(file.view() == patterned_bytes(2 * page));
  file.resize(page);
  EXPECT_TRUE(file.view() == patterned_bytes(page));
  EXPECT_EQ(on_disk.contents().size(), page);
}

TEST(view, that_faults_is_the_only_one_marked) {
  const temporary_file on_disk(patterned_bytes(page));
  const mapped_file before(on_disk.path());
  const mapped_file between(on_disk.path());
  const mapped_file after(on_disk.path());
  lose(between.data());
  EXPECT_EQ(touch(between[0]), '\0');
  EXPECT_NO_THROW(before.check());
  EXPECT_NO_THROW(after.check());
  EXPECT_THROW(between.check(), error);
}

TEST(view, may_be_missed_by_several_threads_at_once) {
  const temporary_file on_disk(patterned_bytes(64 * page));
  for (int round = 0; round < 20; ++round) {
    const mapped_file common(on_disk.path());
    for (std::size_t i = 1; i < 64; ++i) lose(common.data() + i * page);
    constexpr int count = 4;
    std::barrier start(count);
    std::atomic<int> not_zero{0};
    const auto work = [&](bool upwards) {
      start.arrive_and_wait();
      for (std::size_t i = 1; i < 64; ++i) not_zero += touch(common[(upwards ? i : 64 - i) * page]) != 0;
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < count; ++i) threads.emplace_back(work, i % 2 == 0);
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(not_zero, 0);
    EXPECT_THROW(common.check(), error);
  }
}

const char* foreign = nullptr;
int foreign_faults = 0;
LONG CALLBACK mend_foreign(EXCEPTION_POINTERS* raised) {
  const auto* const at = reinterpret_cast<const char*>(raised->ExceptionRecord->ExceptionInformation[1]);
  if (at != foreign) return EXCEPTION_CONTINUE_SEARCH;
  ++foreign_faults;
  DWORD before = 0;
  VirtualProtect(const_cast<char*>(foreign), page, PAGE_READONLY, &before);
  return EXCEPTION_CONTINUE_EXECUTION;
}

TEST(foreign_exception, goes_to_the_handlers_behind_the_guard) {
  const temporary_file on_disk(patterned_bytes(page));
  const mapped_file guarded(on_disk.path());  // the guard is installed
  void* const later = AddVectoredExceptionHandler(0, mend_foreign);
  foreign = static_cast<const char*>(VirtualAlloc(nullptr, page, MEM_RESERVE | MEM_COMMIT, PAGE_NOACCESS));
  foreign_faults = 0;
  EXPECT_EQ(touch(*foreign), '\0');
  EXPECT_EQ(foreign_faults, 1);
  RemoveVectoredExceptionHandler(later);
  VirtualFree(const_cast<char*>(foreign), 0, MEM_RELEASE);
  EXPECT_NO_THROW(guarded.check());
}

TEST(view_window, shows_one_part_after_the_other) {
  const std::string bytes = patterned_bytes(10 * unit + 77);
  const temporary_file on_disk(bytes);
  const file opened = file::open(on_disk.path());
  for (const bool guarded : {false, true}) {
    for (const mapping_hints& hints :
         {mapping_hints{}, mapping_hints{.will_need = true}, mapping_hints{.populate = false}}) {
      window sliding(16 * unit, 4 * unit, guarded, "a file");
      EXPECT_EQ(sliding.size(), 4 * unit);
      for (std::size_t offset = 0; offset < bytes.size(); offset += 4 * unit) {
        const std::size_t length = std::min(4 * unit, bytes.size() - offset);
        const std::span<char> part = sliding.slide(opened, offset, length, hints);
        EXPECT_TRUE(std::string_view(part.data(), part.size()) ==
                    std::string_view(bytes).substr(offset, length));
        EXPECT_NO_THROW(sliding.check(opened, 0));
      }
    }
  }
}

TEST(view_window, tells_a_fault_behind_what_was_checked) {
  const temporary_file on_disk(patterned_bytes(8 * unit));
  const file opened = file::open(on_disk.path());
  window sliding(0, 4 * unit, true, "a file");
  const std::span<char> part = sliding.slide(opened, 4 * unit, 4 * unit, {});
  lose(part.data() + 2 * unit);
  EXPECT_NO_THROW(sliding.check(opened, 4 * unit));
  EXPECT_EQ(touch(part[2 * unit]), '\0');
  for (const std::uint64_t trusted : {4 * unit, 6 * unit}) {
    EXPECT_THAT(thrown_by([&] { sliding.check(opened, trusted); }),
                test::is_error(std::errc::io_error, trusted));
  }
  EXPECT_EQ(sliding.slide(opened, 0, unit, {}).front(), patterned_bytes(1).front());
  EXPECT_NO_THROW(sliding.check(opened, 0));
}

TEST(view_window, refuses_what_lies_behind_the_end) {
  const temporary_file on_disk(patterned_bytes(unit + 3));
  const file opened = file::open(on_disk.path());
  window sliding(0, 4 * unit, true, "a file");
  EXPECT_THAT(thrown_by([&] { sliding.slide(opened, unit, unit, {}); }),
              test::is_error(errc::truncated, unit + 3));
  EXPECT_EQ(sliding.slide(opened, unit, 3, {}).size(), 3U);
}

}  // namespace
}  // namespace riffle::os
