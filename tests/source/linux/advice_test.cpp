/// The OS kernel is told what the hints say, and gives back exactly the pages that were read.
#include <riffle/count.hpp>
#include <riffle/source.hpp>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "os/page_cache.hpp"
#include "tests/support/inject.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::size_t page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
constexpr std::size_t mib = std::size_t{1} << 20U;

std::vector<advice> given_at_opening(const std::filesystem::path& path, const read_options& reading) {
  const noted_advice noted;
  source from(path, reading);
  static_cast<void>(from.next());
  return noted.all();
}

TEST(advice, follows_the_hints) {
  const std::string text = patterned_bytes(3 * page);
  const temporary_file file(text);
  const advice sequential{POSIX_FADV_SEQUENTIAL, false, 0, 0};
  const advice will_need{POSIX_FADV_WILLNEED, false, 0, 0};
  const advice sequential_pages{POSIX_MADV_SEQUENTIAL, true, 0, 3 * page};
  const advice pages_needed{POSIX_MADV_WILLNEED, true, 0, 3 * page};
  using all = std::vector<advice>;
  for (const method used : {method::read, method::stdio, method::iostream}) {
    const auto given = [&](bool one, bool two) {
      return given_at_opening(file.path(), {.method = used, .sequential = one, .will_need = two});
    };
    EXPECT_EQ(given(false, false), all{}) << name_of(used);
    EXPECT_EQ(given(true, false), all{sequential}) << name_of(used);
    EXPECT_EQ(given(false, true), all{will_need}) << name_of(used);
  }
  const auto given = [&](bool one, bool two) {
    return given_at_opening(file.path(), {.method = method::mmap, .sequential = one, .will_need = two});
  };
  EXPECT_EQ(given(false, false), all{});
  EXPECT_EQ(given(true, false), (all{sequential, sequential_pages}));
  EXPECT_EQ(given(false, true), (all{will_need, pages_needed}));
}

class each_caching_method : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_caching_method, testing::ValuesIn(usable_methods()), method_name);

// The pages that were given back, as one range; fails if a page was given back twice or before its time.
struct given_back {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  void add(const noted_advice& noted, std::size_t from, std::uint64_t done) {
    for (std::size_t i = from; i != noted.all().size(); ++i) {
      const advice& one = noted.all()[i];
      if (one.code != POSIX_FADV_DONTNEED) continue;
      EXPECT_EQ(one.begin % page, 0U);
      EXPECT_EQ(one.size % page, 0U);
      if (begin != end) {
        EXPECT_EQ(one.begin, end);
      } else {
        begin = one.begin;
      }
      end = one.begin + one.size;
      EXPECT_LE(end, done);
    }
  }
};

TEST_P(each_caching_method, gives_back_each_page_once_after_its_use) {
  const std::size_t size = 3 * mib + 77;
  const temporary_file file(patterned_bytes(size));
  const noted_advice noted;
  given_back pages;
  std::size_t seen = 0;
  {
    source from(file.path(), {.method = GetParam(), .block_size = 64 * 1024, .keep_cache = false});
    for (block part = from.next(); !part.empty(); part = from.next()) {
      pages.add(noted, std::exchange(seen, noted.all().size()), part.offset);
      // A step at a time, and not much behind what was used.
      EXPECT_LT(part.offset, pages.end + 2 * mib + 64 * 1024) << part.offset;
    }
  }
  pages.add(noted, seen, size + page);
  EXPECT_EQ(pages.begin, 0U);
  EXPECT_EQ(pages.end, size / page * page + page);
}

// Puts the whole file into the page cache, by requests of that size.
void fill_cache(const std::filesystem::path& path, std::size_t request, bool sequential) {
  const owned_descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::fsync(opened.get()), 0);
  ASSERT_EQ(::posix_fadvise(opened.get(), 0, 0, POSIX_FADV_DONTNEED), 0);
  if (sequential) {
    ASSERT_EQ(::posix_fadvise(opened.get(), 0, 0, POSIX_FADV_SEQUENTIAL), 0);
  }
  std::string bytes(request, '\0');
  while (::read(opened.get(), bytes.data(), bytes.size()) > 0) {
  }
}

// Linux drops a folio only as a whole. Large requests make folios of up to 2 MiB.
TEST_P(each_caching_method, leaves_nothing_in_the_cache) {
  const std::size_t size = 32 * mib;
  const temporary_file file(patterned_bytes(size));
  for (const bool whole_file : {false, true}) {
    SCOPED_TRACE(whole_file);
    fill_cache(file.path(), mib, true);
    {
      source from(file.path(), {.method = GetParam(), .whole_file = whole_file, .keep_cache = false});
      while (!from.next().empty()) {
      }
    }
    const auto left = os::resident_share(os::file::open(file.path()), size);
    if (!left) GTEST_SKIP() << "the OS does not tell what is cached";
    EXPECT_EQ(*left, 0.0);
  }
}

// Parts of the window before the last one would stay mapped.
TEST(a_mapped_file, whose_last_window_is_short_leaves_nothing_in_the_cache) {
  const std::size_t size = 19 * mib;
  const temporary_file file(patterned_bytes(size));
  fill_cache(file.path(), 128 * 1024, false);
  static_cast<void>(count_lines(file.path(), {.threads = 1}, {.method = method::mmap, .keep_cache = false}));
  const auto left = os::resident_pages(os::file::open(file.path()), 0, size);
  if (!left) GTEST_SKIP() << "the OS does not tell what is cached";
  EXPECT_EQ(*left, 0U);
}

TEST_P(each_caching_method, gives_back_only_what_was_read_before_a_seek_and_after_it) {
  const temporary_file file(patterned_bytes(8 * mib));
  const noted_advice noted;
  std::uint64_t first_end = 0;
  std::uint64_t last_end = 0;
  const std::uint64_t place = 5 * mib + 5;
  {
    source from(file.path(), {.method = GetParam(), .block_size = 64 * 1024, .keep_cache = false});
    first_end = from.next().size();
    from.seek(place);
    static_cast<void>(from.next());
    const block part = from.next();
    last_end = part.offset + part.size();
    from.seek(6 * mib + 6);  // and nothing is read there,
    from.seek(7 * mib + 7);  // nor there
  }
  const auto rounded = [](std::uint64_t offset) { return (offset + page - 1) / page * page; };
  std::vector<advice> expected{{POSIX_FADV_DONTNEED, false, 0, rounded(first_end)},
                               {POSIX_FADV_DONTNEED, false, 5 * mib, rounded(last_end) - 5 * mib}};
  std::vector<advice> dropped;
  std::ranges::copy_if(noted.all(), std::back_inserter(dropped),
                       [](const advice& one) { return one.code == POSIX_FADV_DONTNEED; });
  EXPECT_EQ(dropped, expected);
}

}  // namespace
}  // namespace riffle::test
