/// `mapped_file` gives the bytes of a file in every mode, or an error; `anonymous_memory` serves a pool.
#include <riffle/anonymous_memory.hpp>
#include <riffle/count.hpp>
#include <riffle/mapped_file.hpp>

#include <new>

#include "os/mapping.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle {
namespace {

using test::patterned_bytes;
using test::temporary_file;
using test::thrown_by;

const std::size_t page = os::page_size();

TEST(mapped_file, has_the_bytes_of_the_file) {
  const std::string bytes = patterned_bytes(3 * page + 17);
  const temporary_file on_disk(bytes);
  for (const bool populate : {false, true}) {
    const mapped_file file(on_disk.path(),
                           {.sequential = populate, .will_need = populate, .populate = populate});
    EXPECT_EQ(file.size(), bytes.size());
    EXPECT_TRUE(std::ranges::equal(file, bytes));
    EXPECT_EQ(file[page + 1], bytes[page + 1]);
    EXPECT_EQ(file.view(page - 1, 10), std::string_view(bytes).substr(page - 1, 10));
    EXPECT_EQ(file.view(bytes.size() - 3, 10), std::string_view(bytes).substr(bytes.size() - 3));
    EXPECT_EQ(file.view(bytes.size()), "");
    EXPECT_NO_THROW(file.check());
  }
}

TEST(mapped_file, maps_ranges_at_any_offset) {
  const std::string bytes = patterned_bytes(4 * page);
  const temporary_file on_disk(bytes);
  for (const std::size_t offset :
       {std::size_t{0}, std::size_t{1}, page - 1, page, page + 1, 4 * page - 1, 4 * page}) {
    const mapped_file rest(on_disk.path(), {.offset = offset, .populate = true});
    EXPECT_EQ(rest.view(), std::string_view(bytes).substr(offset));
    for (const std::size_t length : {std::size_t{0}, std::size_t{1}, page, page + 1}) {
      if (offset + length > bytes.size()) continue;
      const mapped_file part(on_disk.path(), {.offset = offset, .length = length});
      EXPECT_EQ(part.view(), std::string_view(bytes).substr(offset, length));
      EXPECT_NO_THROW(part.check());
    }
  }
}

TEST(mapped_file, refuses_a_range_the_file_does_not_have) {
  const temporary_file on_disk("12345");
  for (const mapping_options& options :
       {mapping_options{.offset = 6}, mapping_options{.offset = 2, .length = 4},
        mapping_options{.offset = 1, .length = ~std::uint64_t{0}},
        mapping_options{.offset = ~std::uint64_t{0}}}) {
    EXPECT_THAT(thrown_by([&] { mapped_file(on_disk.path(), options); }),
                test::is_error(errc::unexpected_end, 5U, "", on_disk.path().string()));
  }
  const mapped_file file(on_disk.path());
  EXPECT_EQ(test::code_of([&] { (void)file.view(6); }), errc::unexpected_end);
}

TEST(mapped_file, empty_files_and_no_files_are_empty_ranges) {
  const temporary_file on_disk("");
  const mapped_file empty(on_disk.path());
  const mapped_file none;
  for (const mapped_file* file : {&empty, &none}) {
    EXPECT_TRUE(file->empty());
    EXPECT_EQ(file->begin(), file->end());
    EXPECT_EQ(file->view(0), "");
    EXPECT_EQ(file->as<double>().size(), 0U);
    EXPECT_EQ(count_words(*file), 0U);
    EXPECT_NO_THROW(file->check());
  }
}

TEST(mapped_file, refuses_what_has_no_mapping) {
  EXPECT_EQ(test::code_of([] { mapped_file("/no/such/file"); }), std::errc::no_such_file_or_directory);
  const error directory = thrown_by([] { const mapped_file file(std::filesystem::temp_directory_path()); });
  EXPECT_EQ(directory.code(), std::errc::is_a_directory);

  for (const std::filesystem::path& path : std::initializer_list<std::filesystem::path>{
           "/proc/cpuinfo", "/sys/kernel/mm/transparent_hugepage/enabled", test::null_device}) {
    if (path != test::null_device && (!path.is_absolute() || !std::ifstream(path))) continue;
    EXPECT_THAT(thrown_by([&] { mapped_file file(path); }),
                test::is_error(std::errc::no_such_device, {}, "riffle::blocks", path.string()));
  }
}

TEST(mapped_file, refuses_pipes_and_does_not_wait_for_them) {
  const temporary_file place("");
  const std::string fifo = place.path().string() + ".fifo";
  if (test::make_fifo(fifo)) {
    EXPECT_EQ(test::code_of([&] { mapped_file{std::filesystem::path(fifo)}; }), std::errc::no_such_device);
    std::filesystem::remove(fifo);
  }
  const test::fed_pipe pipe("x");
  EXPECT_EQ(test::code_of([&] { mapped_file{pipe.get()}; }), std::errc::no_such_device);
  EXPECT_EQ(test::code_of([] { mapped_file{-1}; }), std::errc::bad_file_descriptor);
}

TEST(mapped_file, outlives_the_descriptor_it_was_made_from) {
  const std::string bytes = patterned_bytes(page);
  const temporary_file on_disk(bytes);
  os::file opened = os::file::open(on_disk.path());
  const mapped_file file(opened.descriptor());
  opened = os::file();
  EXPECT_EQ(file.view(), bytes);
  EXPECT_NO_THROW(file.check());
}

TEST(mapped_file, private_writes_stay_private) {
  const temporary_file on_disk("hello");
  mapped_file file(on_disk.path(), {.mode = mapping_mode::copy_on_write});
  file.writable()[0] = 'J';
  EXPECT_EQ(file.view(), "Jello");
  EXPECT_EQ(on_disk.contents(), "hello");
}

TEST(mapped_file, shared_writes_are_seen_by_every_view) {
  const temporary_file on_disk(patterned_bytes(2 * page));
  mapped_file writer(on_disk.path(), {.mode = mapping_mode::shared, .offset = 5});
  const mapped_file other = writer.share();
  const mapped_file part = writer.share({.offset = page, .length = 2});
  writer.writable()[page - 5] = '#';
  EXPECT_EQ(other[page], '#');
  EXPECT_EQ(part[0], '#');
  writer.flush();
  EXPECT_EQ(on_disk.contents()[page], '#');
}

TEST(mapped_file, read_only_refuses_writing) {
  const temporary_file on_disk("hello");
  mapped_file file(on_disk.path());
  EXPECT_EQ(test::code_of([&] { (void)file.writable(); }), errc::invalid_argument);
  EXPECT_EQ(test::code_of([&] { file.resize(9); }), errc::invalid_argument);
  EXPECT_EQ(test::code_of([&] { (void)mapped_file().writable(); }), errc::invalid_argument);
  EXPECT_EQ(test::code_of([&] { (void)file.share({.mode = mapping_mode::shared}); }),
            std::errc::permission_denied);
  for (const mapping_options& options :
       {mapping_options{.create = true}, mapping_options{.minimum_size = 1}}) {
    EXPECT_EQ(test::code_of([&] { mapped_file(on_disk.path(), options); }), errc::invalid_argument);
  }
  // The system maps nothing of an empty file, and so refuses nothing.
  const temporary_file empty("");
  const os::file opened = os::file::open(empty.path());
  const mapping_options shared{.mode = mapping_mode::shared};
  EXPECT_EQ(test::code_of([&] { mapped_file(opened.descriptor(), shared); }), std::errc::permission_denied);
  EXPECT_EQ(test::code_of([&] { (void)mapped_file(empty.path()).share(shared); }),
            std::errc::permission_denied);
}

TEST(mapped_file, creates_and_keeps_what_is_there) {
  const temporary_file place("");
  std::filesystem::remove(place.path());
  const mapping_options options{.mode = mapping_mode::shared, .create = true, .minimum_size = 10};
  {
    mapped_file file(place.path(), options);
    EXPECT_EQ(file.view(), std::string(10, '\0'));
    file.writable()[9] = 'x';
  }
  const mapped_file again(place.path(), options);
  EXPECT_EQ(again.size(), 10U);
  EXPECT_EQ(again[9], 'x');
}

TEST(mapped_file, that_fails_leaves_no_file_that_it_created) {
  for (const bool there : {false, true}) {
    const temporary_file place("");
    if (!there) std::filesystem::remove(place.path());
    const mapping_options past_the_end{
        .mode = mapping_mode::shared, .offset = 11, .create = true, .minimum_size = 10};
    EXPECT_EQ(test::code_of([&] { mapped_file(place.path(), past_the_end); }), errc::unexpected_end);
    EXPECT_EQ(std::filesystem::exists(place.path()), there);
  }
}

TEST(mapped_file, resizes_file_and_mapping) {
  const std::string bytes = patterned_bytes(page);
  const temporary_file on_disk(bytes);
  mapped_file file(on_disk.path(), {.mode = mapping_mode::shared, .offset = 3});
  file.resize(4 * page);
  ASSERT_EQ(file.size(), 4 * page);
  EXPECT_EQ(file.view(0, page - 3), std::string_view(bytes).substr(3));
  EXPECT_EQ(file[4 * page - 1], '\0');
  file.writable()[4 * page - 1] = 'z';
  EXPECT_EQ(on_disk.contents().size(), 4 * page + 3);
  EXPECT_EQ(on_disk.contents().back(), 'z');

  file.resize(7);
  EXPECT_EQ(file.view(), std::string_view(bytes).substr(3, 7));
  EXPECT_EQ(on_disk.contents(), bytes.substr(0, 10));
  EXPECT_NO_THROW(file.check());
  file.resize(0);
  EXPECT_TRUE(file.empty());

  EXPECT_THROW(file.resize(~std::size_t{0}), error);
  EXPECT_EQ(on_disk.contents().size(), 3U);
  mapped_file part(on_disk.path(), {.mode = mapping_mode::shared, .length = 1});
  EXPECT_EQ(test::code_of([&] { part.resize(9); }), errc::invalid_argument);
}

TEST(mapped_file, leaves_a_file_as_it_was_if_it_cannot_be_mapped) {
  const temporary_file on_disk("abc");
  const mapping_options options{.mode = mapping_mode::shared, .offset = 30'000, .minimum_size = 20'000};
  EXPECT_EQ(test::code_of([&] { mapped_file(on_disk.path(), options); }), errc::unexpected_end);
  EXPECT_EQ(on_disk.contents(), "abc");
}

TEST(mapped_file, moves_its_bytes_along) {
  const temporary_file one("one");
  const temporary_file two("two");
  mapped_file file(one.path());
  const char* const data = file.data();
  mapped_file moved(std::move(file));
  EXPECT_EQ(moved.data(), data);
  moved = mapped_file(two.path());
  EXPECT_EQ(moved.view(), "two");
}

TEST(mapped_file, gives_values_in_place) {
  const temporary_file on_disk(std::string_view("\1\0\0\0\2\0\0\0\3", 9));
  const mapped_file whole(on_disk.path(), {.length = 8});
  EXPECT_THAT(whole.as<std::uint32_t>(), ::testing::SizeIs(2));
  EXPECT_EQ(whole.as<char>()[4], '\2');
  EXPECT_THAT(thrown_by([&] { (void)mapped_file(on_disk.path()).as<std::uint32_t>(); }),
              test::is_error(errc::partial_value, 8U));
  const mapped_file shifted(on_disk.path(), {.offset = 1});
  EXPECT_EQ(test::code_of([&] { (void)shifted.as<std::uint32_t>(); }), errc::invalid_argument);
}

TEST(mapped_file, holds_a_header_and_an_array) {
  struct header {
    std::uint32_t version;
    std::uint32_t count;
  };
  const temporary_file on_disk(std::string(8 + 3 * page, '\0'));
  mapped_file file(on_disk.path(), {.mode = mapping_mode::shared, .random = true});
  file.writable_as<header>(0, 1)[0] = {.version = 1, .count = 3};
  const std::span<std::uint64_t> records = file.writable_as<std::uint64_t>(8, 3 * page / 8);
  records[0] = 5;
  records.back() = 7;
  file.flush(0, 8);
  file.flush(3 * page, 100 * page);
  file.flush(file.size(), 1);
  file.flush(file.size() + 9, 1);
  const mapped_file seen(on_disk.path());
  EXPECT_EQ(seen.as<header>(0, 1)[0].count, 3);
  EXPECT_EQ(seen.as<std::uint64_t>(8, 3 * page / 8).back(), 7);
  EXPECT_EQ(seen.as<std::uint64_t>(16, 0).size(), 0);
  struct wrong {
    std::size_t position;
    std::size_t count;
    errc code;
  };
  constexpr auto most = std::numeric_limits<std::size_t>::max();
  for (const auto& [position, count, code] :
       {wrong{8, 3 * page / 8 + 1, errc::unexpected_end}, wrong{seen.size() + 1, 0, errc::unexpected_end},
        wrong{0, most / 4, errc::unexpected_end}, wrong{most - 7, 1, errc::unexpected_end},
        wrong{2, 1, errc::invalid_argument}}) {
    EXPECT_EQ(test::code_of([&] { (void)seen.as<std::uint64_t>(position, count); }), code) << position;
    EXPECT_EQ(test::code_of([&] { (void)file.writable_as<std::uint64_t>(position, count); }), code)
        << position;
  }
  EXPECT_EQ(test::code_of([&] { (void)mapped_file().as<char>(0, 1); }), errc::invalid_argument);
  EXPECT_EQ(test::code_of([&] { mapped_file(on_disk.path(), {.sequential = true, .random = true}); }),
            errc::invalid_argument);
}

TEST(mapped_file, scans_like_memory) {
  // Longer than one window, with a word across the border of two.
  std::string bytes = patterned_bytes((std::size_t{8} << 20) + 12345);
  const temporary_file on_disk(bytes);
  const mapped_file file(on_disk.path());
  EXPECT_EQ(count_byte(file, 'a'), scan::count_byte(bytes, 'a'));
  EXPECT_EQ(count_lines(file), scan::count_lines(bytes));
  EXPECT_EQ(count_any_of(file, "cCgG"), scan::count_any_of(bytes, "cCgG"));
  EXPECT_EQ(count_utf8(file), scan::count_utf8(bytes));
  EXPECT_EQ(read_all(file), bytes);
  for (const std::string_view border : {"ab", "a ", " b", "  "}) {
    std::ranges::copy(border, bytes.begin() + (std::ptrdiff_t{8} << 20) - 1);
    const temporary_file other(bytes);  // Windows cuts no file that is mapped
    const mapped_file mapped(other.path());
    EXPECT_EQ(count_words(mapped), scan::count_words(bytes)) << border;
  }
}

TEST(mapped_file, says_when_addresses_run_out) {
  if (test::build::instrumented) GTEST_SKIP() << "a sanitizer needs more addresses than are left here";
  if (const auto reason = test::refusal_of_address_limits()) GTEST_SKIP() << *reason;
  constexpr std::size_t addresses =
      std::numeric_limits<std::size_t>::max() / (sizeof(void*) == 8 ? 1 << 30 : 8);
  const temporary_file on_disk("");
  on_disk.resize(2 * addresses);
  test::expect_in_child([&] {
    if (!test::bound_addresses(addresses)) return false;
    const auto refused = test::is_error(std::errc::not_enough_memory, {}, "RLIMIT_AS");
    for (const std::uint64_t size : {2 * addresses, 3 * addresses}) {
      const error thrown = thrown_by(
          [&] { mapped_file file(on_disk.path(), {.mode = mapping_mode::shared, .minimum_size = size}); });
      if (!testing::Matches(refused)(thrown)) return false;
    }
    return std::filesystem::file_size(on_disk.path()) == 2 * addresses;
  });
}

TEST(anonymous_memory, is_zeroed_aligned_and_writable) {
  for (const bool huge_pages : {false, true}) {
    anonymous_memory memory({.huge_pages = huge_pages});
    for (const std::size_t alignment :
         {std::size_t{1}, std::size_t{64}, os::page_size(), std::size_t{1} << 21}) {
      for (const std::size_t size :
           {std::size_t{0}, std::size_t{1}, os::page_size(), 3 * os::page_size() + 1}) {
        auto* const bytes = static_cast<char*>(memory.allocate(size, alignment));
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(bytes) % alignment, 0U);
        EXPECT_TRUE(std::all_of(bytes, bytes + size, [](char byte) { return byte == 0; }));
        std::fill(bytes, bytes + size, 'x');
        memory.deallocate(bytes, size, alignment);
      }
    }
  }
}

TEST(anonymous_memory, gives_everything_back) {
  const auto pages_mapped = [] {
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages;
  };
  anonymous_memory memory;
  constexpr std::size_t size = std::size_t{64} << 20;  // and as aligned: cut out of twice that
  const std::size_t before = pages_mapped();
  for (int i = 0; i < 10; ++i) memory.deallocate(memory.allocate(size - 1, size), size - 1, size);
  EXPECT_LT(pages_mapped(), before + size / os::page_size());
}

TEST(anonymous_memory, says_when_there_is_none) {
  anonymous_memory memory;
  const volatile std::size_t all =
      std::numeric_limits<std::size_t>::max();  // or gcc warns of the size at -O0
  EXPECT_THROW((void)memory.allocate(all, 1), std::bad_alloc);
  EXPECT_THROW((void)memory.allocate(all - (std::size_t{1} << 20), std::size_t{1} << 31), std::bad_alloc);
}

TEST(anonymous_memory, carries_pools_and_containers) {
  anonymous_memory memory;
  anonymous_memory another;
  EXPECT_EQ(memory, another);
  EXPECT_NE(memory, *std::pmr::new_delete_resource());
  std::pmr::unsynchronized_pool_resource pool(&memory);
  std::pmr::map<int, std::pmr::string> map(&pool);
  for (int i = 0; i < 10000; ++i) map[i].assign(static_cast<std::size_t>(i % 300), 'a');
  EXPECT_EQ(map.at(9999).size(), 99U);
}

}  // namespace
}  // namespace riffle
