/// Files without an end, files that grow or change their name while they are read, and offsets beyond 32
/// bits.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <stdio.h>
#include <unistd.h>

#include <riffle/riffle.hpp>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "tests/support/build.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class each_special : public testing::TestWithParam<method> {
 protected:
  void SetUp() override { ::alarm(110); }
  void TearDown() override { ::alarm(0); }
};
INSTANTIATE_TEST_SUITE_P(methods, each_special, testing::ValuesIn(usable_methods()), method_name);

TEST(a_stream_of_c, that_has_no_descriptor_and_no_bytes_now_is_an_error) {
  const auto refuse = [](void*, char*, std::size_t) -> ssize_t {
    errno = EAGAIN;
    return -1;
  };
  std::FILE* const stream =
      ::fopencookie(nullptr, "r", {.read = refuse, .write = {}, .seek = {}, .close = {}});
  ASSERT_NE(stream, nullptr);
  ::alarm(20);
  {
    source from(stream);
    EXPECT_EQ(error_of([&] { from.next(); })->code(), std::errc::resource_unavailable_try_again);
  }
  ::alarm(0);
  std::fclose(stream);
}

TEST_P(each_special, log_that_grows_is_read_up_to_an_end_it_had) {
  const std::string text = numbered_lines(20'000);
  for (const std::size_t block_size : {std::size_t{4096}, std::size_t{0}}) {
    const temporary_file log(std::string_view(text).substr(0, 20'000));
    const owned_descriptor writer(::open(log.path().c_str(), O_WRONLY | O_APPEND | O_CLOEXEC));
    std::string found;
    {
      const std::jthread writing(
          [&] { write_slowly(writer.get(), std::string_view(text).substr(20'000), 700); });
      found = all_of(log.path(), {.method = GetParam(), .block_size = block_size});
    }
    EXPECT_GE(found.size(), 20'000U);
    EXPECT_TRUE(text.starts_with(found));
  }
}

// Each path is renamed over another all the time; the lines are those of one file.
TEST_P(each_special, path_that_is_replaced_all_the_time_gives_one_file) {
  const temporary_directory place;
  const std::string path = (place.path() / "file").string();
  const std::string other = (place.path() / "other").string();
  const std::string one(60'000, 'a');
  const std::string two(90'000, 'b');
  std::ofstream(path) << one;
  std::atomic<bool> stop{false};
  const std::jthread replacing([&] {
    for (bool which = false; !stop; which = !which) {
      std::ofstream(other) << (which ? one : two);
      ::rename(other.c_str(), path.c_str());
    }
  });
  for (int round = 0; round != 20; ++round) {
    std::string joined;
    parallel_reduce_into(joined, path, [](std::string_view split) { return std::string(split); },
                         std::plus<>(), {.threads = 3, .split_size = 10'000, .delimiter = std::nullopt},
                         {.method = GetParam()});
    EXPECT_TRUE(joined == one || joined == two) << joined.size();
  }
  stop = true;
}

// Text of its own where an offset no longer fits 31, 32 or 36 bits; the rest is a hole.
TEST_P(each_special, file_of_64_gibibytes_has_exact_lines_at_every_border) {
  const temporary_file file;
  const owned_descriptor opened(::open(file.path().c_str(), O_RDWR | O_CLOEXEC));
  for (const unsigned bits : {31U, 32U, 36U}) {
    SCOPED_TRACE(bits);
    std::string text;
    for (int i = 0; i != 1000; ++i) text += std::to_string(bits) + " bits, line " + std::to_string(i) + "\n";
    std::uint64_t offset = (std::uint64_t{1} << bits) - 9'000;
    if (::pwrite(opened.get(), text.data(), text.size(), static_cast<off_t>(offset)) < 0) {
      GTEST_SKIP() << "no file of 64 GiB can be made here: " << std::strerror(errno);
    }
    ASSERT_EQ(::lseek(opened.get(), static_cast<off_t>(offset), SEEK_SET), static_cast<off_t>(offset));
    const std::vector<std::string> expected = naive_lines(text);
    std::size_t count = 0;
    for (const numbered_line line : riffle::numbered_lines(opened.get(), {.max_length = 1 << 20},
                                                           {.method = GetParam(), .block_size = 4096})) {
      EXPECT_EQ(line.text, expected[count]);
      EXPECT_EQ(line.offset, offset);
      offset += expected[count].size() + 1;
      if (++count == expected.size()) break;  // the next line would be the hole
    }
    EXPECT_EQ(count, expected.size());
  }
}

class each_endless : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_endless, testing::ValuesIn(usable_methods(input_kind::stream)),
                         method_name);

TEST_P(each_endless, device_gives_records_of_at_most_max_length) {
  ::alarm(20);
  const read_options reading{.method = GetParam()};
  const auto line =
      error_of([&] { static_cast<void>(lines("/dev/zero", {.max_length = 1 << 20}, reading).begin()); });
  const auto word =
      error_of([&] { static_cast<void>(words("/dev/zero", {.max_length = 1 << 20}, reading).begin()); });
  ASSERT_TRUE(line && word);
  EXPECT_EQ(line->code(), errc::record_too_long);
  EXPECT_EQ(word->code(), errc::record_too_long);
  reader in("/dev/zero", reading);
  EXPECT_EQ(in.bytes(1'000'000), std::string(1'000'000, '\0'));
  ::alarm(0);
}

TEST(a_bomb, without_a_newline_is_refused_in_bounded_memory) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer takes memory of its own";
  const shell_result found =
      shell("yes | tr -d '\\n' | $programs/riffle-peak-memory $riffle cat --lines --max-length 1M");
  EXPECT_EQ(found.status, 1);
  EXPECT_LT(std::stol(found.out), 100 * 1024);
  EXPECT_EQ(
      found.err,
      "riffle: cannot read 'standard input' at byte 0: the record is longer than the limit; use a larger "
      "--max-length\n");
}

}  // namespace
}  // namespace riffle::test
