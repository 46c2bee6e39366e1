/// A window slides over a file with its headroom kept, and every bad page is an error.
#include <sys/mman.h>
#include <unistd.h>
#include <riffle/count.hpp>
#include <riffle/mapped_file.hpp>

#include "os/mapping.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/linux/limits.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::os {
namespace {

using test::patterned_bytes;
using test::temporary_file;
using test::thrown_by;

const std::size_t page = page_size();

std::string_view text(std::span<const char> bytes) {
  return {bytes.data(), bytes.size()};
}

TEST(window, shows_one_part_after_the_other) {
  const std::string bytes = patterned_bytes(10 * page + 77);
  const temporary_file on_disk(bytes);
  const file opened = file::open(on_disk.path());
  for (const bool guarded : {false, true}) {
    for (const mapping_hints& hints : {mapping_hints{}, mapping_hints{.sequential = true, .will_need = true},
                                       mapping_hints{.populate = false, .shared = true}}) {
      window sliding(16 * page, 4 * page, guarded, "a file");
      EXPECT_EQ(sliding.size(), 4 * page);
      const char* const place = sliding.headroom().data() + sliding.headroom().size();
      for (std::size_t offset = 0; offset < bytes.size(); offset += 4 * page) {
        const std::size_t length = std::min(4 * page, bytes.size() - offset);
        const std::span<char> part = sliding.slide(opened, offset, length, hints);
        EXPECT_EQ(part.data(), place);
        EXPECT_EQ(text(part), std::string_view(bytes).substr(offset, length));
        EXPECT_NO_THROW(sliding.check(opened, 0));
      }
    }
  }
}

TEST(window, keeps_the_carry_before_it) {
  const temporary_file on_disk("world");
  const file opened = file::open(on_disk.path());
  window sliding(page, 4 << 20, true, "a file");
  std::ranges::copy(std::string_view("hello "), sliding.headroom().end() - 6);
  const std::span<char> part = sliding.slide(opened, 0, 5, {});
  EXPECT_EQ(std::string_view(part.data() - 6, 11), "hello world");
}

TEST(window, of_2_mib_or_more_starts_at_a_huge_page) {
  for (const std::size_t mib : {2U, 4U, 6U}) {
    const window aligned(page, mib << 20U, false, "a file");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(aligned.headroom().data() + page) % (2 << 20), 0U) << mib;
  }
}

TEST(window, takes_one_call_a_slide_and_one_more_at_first) {
  const temporary_file on_disk(patterned_bytes(4 * page));
  const file opened = file::open(on_disk.path());
  window sliding(page, page, true, "a file");
  const test::injection counting({.which = test::call::mmap});
  sliding.slide(opened, 0, page, {});
  EXPECT_EQ(counting.calls(), 2U);
  sliding.slide(opened, page, page, {});
  EXPECT_EQ(counting.calls(), 3U);
}

TEST(window, keeps_its_addresses_after_a_refusal) {
  const temporary_file on_disk("fine");
  window sliding(page, page, true, "a file");
  char* const at = sliding.slide(file::open(on_disk.path()), 0, 4, {}).data();
  EXPECT_THROW(sliding.slide(file::open("/"), 0, 1, {}), error);
  void* const other = mmap(at, page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);  // there, if it is free
  ASSERT_NE(other, MAP_FAILED);
  EXPECT_NE(other, at);
  munmap(other, page);
}

TEST(window, truncation_between_slides) {
  const temporary_file on_disk(patterned_bytes(12 * page));
  const file opened = file::open(on_disk.path());
  for (const bool populate : {true, false}) {
    on_disk.resize(12 * page);
    window sliding(page, 4 * page, true, "a file");
    const mapping_hints hints{.populate = populate};
    sliding.slide(opened, 0, 4 * page, hints);
    on_disk.resize(5 * page + 3);
    EXPECT_NO_THROW(sliding.check(opened, 0));  // the part mapped is still there
    EXPECT_THAT(thrown_by([&] { sliding.slide(opened, 4 * page, 4 * page, hints); }),
                test::is_error(errc::truncated, 5 * page + 3));
    EXPECT_THAT(thrown_by([&] { sliding.slide(opened, 8 * page, 4 * page, hints); }),
                test::is_error(errc::truncated, 8 * page));
    EXPECT_EQ(sliding.slide(opened, 4 * page, page + 3, hints).size(), page + 3);
    EXPECT_NO_THROW(sliding.check(opened, 0));
  }
}

TEST(window, truncation_while_it_is_read) {
  const temporary_file on_disk(patterned_bytes(8 * page));
  const file opened = file::open(on_disk.path());
  window sliding(page, 4 * page, true, "a file");
  const std::span<char> part = sliding.slide(opened, 4 * page, 4 * page, {});
  on_disk.resize(5 * page);
  EXPECT_EQ(*static_cast<volatile char*>(&part[2 * page + 1]), '\0');
  EXPECT_TRUE(sliding.faulted());
  EXPECT_EQ(sliding.fault_offset(), 6 * page);
  EXPECT_THAT(thrown_by([&] { sliding.check(opened, 4 * page); }), test::is_error(errc::truncated, 4 * page));
  // The next slide starts clean.
  sliding.slide(opened, 0, page, {});
  EXPECT_FALSE(sliding.faulted());
  EXPECT_NO_THROW(sliding.check(opened, 0));
}

TEST(window, refused_mappings_leave_it_usable) {
  const temporary_file on_disk("fine");
  window sliding(page, page, true, "a file");
  EXPECT_EQ(test::code_of([&] { sliding.slide(file::open("/proc/self/status"), 0, 1, {}); }),
            std::errc::no_such_device);
  EXPECT_EQ(test::code_of([&] { sliding.slide(file::open("/"), 0, 1, {}); }), std::errc::no_such_device);
  const file opened = file::open(on_disk.path());
  EXPECT_EQ(text(sliding.slide(opened, 0, 4, {})), "fine");
  EXPECT_EQ(test::code_of([&] { sliding.slide(file::open("/"), 0, 1, {}); }), std::errc::no_such_device);
  EXPECT_EQ(test::code_of([&] { sliding.slide(opened, 1, 1, {}); }), std::errc::invalid_argument);
  EXPECT_EQ(test::code_of([&] { sliding.slide(opened, 0, page + 1, {}); }), std::errc::invalid_argument);
  EXPECT_EQ(test::code_of([&] { sliding.slide(opened, ~std::uint64_t{0} / page * page, 1, {}); }),
            std::errc::value_too_large);
  EXPECT_TRUE(sliding.slide(opened, 0, 0, {}).empty());
  EXPECT_EQ(text(sliding.slide(opened, 0, 4, {})), "fine");
}

TEST(window, gives_its_addresses_back) {
  const temporary_file on_disk(patterned_bytes(page));
  const file opened = file::open(on_disk.path());
  const auto mappings = [] {
    std::ifstream maps("/proc/self/maps");
    return std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
  };
  {
    window(page, 8 << 20, true, "a file").slide(opened, 0, page, {});
  }
  const auto before = mappings();
  for (int i = 0; i < 100; ++i) {
    window sliding(page, 8 << 20, true, "a file");
    sliding.slide(opened, 0, page, {});
    EXPECT_THROW(sliding.slide(file::open("/"), 0, 1, {}), error);
  }
  EXPECT_LT(mappings(), before + 10);
}

TEST(window, says_when_addresses_run_out) {
  if (test::build::instrumented) GTEST_SKIP() << "a sanitizer needs more addresses than are left here";
  constexpr std::size_t addresses =
      std::numeric_limits<std::size_t>::max() / (sizeof(void*) == 8 ? 1 << 30 : 8);
  test::expect_in_child([&] {
    test::bound_addresses(addresses);
    const error thrown = thrown_by([&] { window(0, 2 * addresses, true, "a file"); });
    return thrown.code() == std::errc::not_enough_memory;
  });
  EXPECT_THROW(window(0, ~std::size_t{0}, false, "a file"), error);
}

TEST(poisoned_page, becomes_zeros_and_an_error_with_its_offset) {
  const file memory = file::borrow(memfd_create("riffle", MFD_CLOEXEC), "memory");
  memory.resize(8 * page);
  const mapping mapped(memory, 0, 8 * page, protection::shared_write, {.populate = false}, true);
  if (!test::poison(mapped.bytes().data() + 3 * page, page))
    GTEST_SKIP() << "userfaultfd cannot poison pages here";
  EXPECT_THAT(thrown_by([&] { mapped.populate(memory, 0, 8 * page); }),
              test::is_error(std::errc::io_error, 3 * page));
  EXPECT_FALSE(mapped.faulted());
  EXPECT_EQ(*static_cast<volatile char*>(&mapped.bytes()[3 * page + 5]), '\0');
  EXPECT_THAT(thrown_by([&] { mapped.check(memory); }), test::is_error(std::errc::io_error, 3 * page));
  close(memory.descriptor());
}

// A write changes the time of the file before its size, so that the time of the look is that of the end.
TEST(a_lost_page, of_a_file_that_was_growing_when_it_was_mapped_was_cut) {
  const file memory = file::borrow(memfd_create("riffle", MFD_CLOEXEC), "memory");
  memory.resize(2 * page);
  file_status before = memory.status();
  EXPECT_FALSE(was_cut(memory, page, before));
  before.size = page;
  EXPECT_TRUE(was_cut(memory, page, before));
  before.size = 0;
  EXPECT_EQ(test::code_of([&] { check_mapped(memory, 0, 2 * page, 0, before); }), errc::truncated);
  close(memory.descriptor());
}

// The OS kernel would map more than a part, over what lies behind the window.
TEST(a_file_of_huge_pages, is_read_and_never_mapped) {
  const int descriptor = memfd_create("huge", MFD_HUGETLB);
  if (descriptor < 0) GTEST_SKIP() << "memfd_create with MFD_HUGETLB: " << std::strerror(errno);
  const file opened = file::borrow(descriptor, "huge");
  const std::size_t size = opened.status().io_size;  // of one such page
  opened.resize(size);
  EXPECT_EQ(read_all(descriptor), std::string(size, '\0'));
  opened.set_position(0);
  EXPECT_EQ(test::code_of([&] { (void)read_all(descriptor, {.method = method::mmap}); }),
            errc::method_unavailable);
  EXPECT_EQ(test::code_of([&] { const mapped_file map(descriptor); }), errc::method_unavailable);
  ::close(descriptor);
}

}  // namespace
}  // namespace riffle::os
