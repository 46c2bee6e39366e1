/// Files over 4 GiB, of which a program of 32 bits has to read parts.
#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <limits>

#include "tests/support/build.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr std::uint64_t border = std::uint64_t{4} << 30U;
constexpr bool narrow = sizeof(std::size_t) == 4;

/// Numbered lines on both sides of the border, behind a hole.
class a_file_over_4_gibibytes : public testing::Test {
 protected:
  const std::string text = numbered_lines(2000);
  const std::uint64_t start = border - text.size() / 2;
  const std::uint64_t size = start + text.size();
  const temporary_file file;

  void SetUp() override {
    std::ofstream out(file.path(), std::ios::binary);
    out.seekp(static_cast<std::streamoff>(start));
    out << text;
    if (!out.flush()) GTEST_SKIP() << "no file of 4 GiB can be made here";
  }

  /// The lines that start at or behind the border.
  std::string behind_border() const {
    const auto from = static_cast<std::size_t>(border - start);
    return text.substr(text.find('\n', from - 1) + 1);
  }
};

TEST_F(a_file_over_4_gibibytes, has_its_lines_in_one_split_each) {
  const auto all = splits(file.path(), {.split_size = border});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.back().begin, border);
  EXPECT_EQ(all.back().end, size);
  EXPECT_EQ(read_all(read_split(all.back())), behind_border());
}

TEST_F(a_file_over_4_gibibytes, is_counted_by_several_threads) {
  for (const method way : usable_methods()) {
    SCOPED_TRACE(name_of(way));
    const owned_descriptor opened(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(::lseek(opened.get(), static_cast<off_t>(start), SEEK_SET), static_cast<off_t>(start));
    std::uint64_t last = 0;
    const auto lines_of = [](const block& split) {
      return std::pair(scan::count_lines(split.bytes), split.offset + split.size());
    };
    const auto add = [&last](std::uint64_t total, const auto& part) {
      last = part.second;
      return total + part.first;
    };
    EXPECT_EQ(parallel_reduce(opened.get(), std::uint64_t{0}, lines_of, add,
                              {.threads = 3, .split_size = 4096}, {.method = way}),
              2000U);
    EXPECT_EQ(last, size);
  }
}

TEST_F(a_file_over_4_gibibytes, is_skipped_to_its_end_by_a_reader) {
  reader in(file.path());
  in.skip(start);
  EXPECT_EQ(in.line(), "line 0");
  in.skip(size - in.offset() - 5);
  EXPECT_EQ(in.bytes(5), "1999\n");
  EXPECT_TRUE(in.at_end());
}

TEST_F(a_file_over_4_gibibytes, is_mapped_in_parts_and_whole_if_there_are_addresses) {
  const mapped_file part(file.path(), {.offset = border, .length = 100});
  EXPECT_EQ(part.view(), text.substr(static_cast<std::size_t>(border - start), 100));
  if (!narrow) {
    const mapped_file whole(file.path());
    EXPECT_EQ(whole.size(), size);
    EXPECT_EQ(whole.view(whole.size() - 5), "1999\n");
    return;
  }
  const error failure = thrown_by([&] { mapped_file whole(file.path()); });
  EXPECT_EQ(failure.code(), std::errc::not_enough_memory);
  const std::string_view what = failure.what();
  EXPECT_NE(what.find("a program of 32 bits cannot map " + std::to_string(size) + " bytes"), what.npos)
      << what;
}

// No block from there on has an offset that a system call takes.
TEST(a_file_of_8_exbibytes, is_refused_where_riffle_cannot_read_it) {
  const owned_descriptor file(::memfd_create("riffle", MFD_CLOEXEC));
  if (::ftruncate(file.get(), std::numeric_limits<off_t>::max()) != 0)
    GTEST_SKIP() << "no file of 8 EiB can be made here";
  source from(file.get());
  constexpr std::uint64_t furthest = std::uint64_t{1} << 62U;
  from.seek(furthest);
  EXPECT_FALSE(from.next().empty());
  for (const std::uint64_t at : {furthest + 1, 2 * furthest - 2}) {
    EXPECT_EQ(thrown_by([&] { from.seek(at); }).code(), std::errc::file_too_large);
  }
  from.seek(2 * furthest);
  EXPECT_TRUE(from.next().empty()) << "after the end";
}

// In 64 bits the memory is too small, in 32 bits a string is.
TEST_F(a_file_over_4_gibibytes, is_refused_by_read_all_without_memory) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs more addresses than the limit leaves";
  if (const auto refusal = refusal_of_address_limits()) GTEST_SKIP() << *refusal;
  expect_in_child([&] {
    rlimit limit{};
    limit.rlim_cur = limit.rlim_max = std::numeric_limits<std::uint32_t>::max();
    setrlimit(RLIMIT_AS, &limit);
    const error thrown = thrown_by([&] { static_cast<void>(read_all(file.path())); });
    const bool told = std::string_view(thrown.what()).find("by blocks or by lines") != std::string_view::npos;
    return thrown.code() == std::errc::not_enough_memory && told;
  });
}

}  // namespace
}  // namespace riffle::test
