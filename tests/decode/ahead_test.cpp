/// Threads that decode ahead end with the range that they decode for, whatever ends it.
#include <riffle/riffle.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "os/mapping.hpp"
#include "tests/support/build.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/inject.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Of several blocks, and of several parts. Made by the test that needs it, as each is a process of its own.
const std::string& text() {
  static const std::string made = numbered_lines(200'000);
  return made;
}

class each_ahead : public of_container {
 protected:
  void SetUp() override {
    of_container::SetUp();
    if (!IsSkipped()) compressed_ = in_members(GetParam(), text(), 300'000);
  }
  input compressed() const { return memory(compressed_); }
  const std::string& bytes() const { return compressed_; }

 private:
  std::string compressed_;
};
INSTANTIATE_TEST_SUITE_P(formats, each_ahead, testing::ValuesIn(containers()), container_name);

std::string rest_of(source& from) {
  std::string found;
  for (block part = from.next(); !part.empty(); part = from.next()) found += part.bytes;
  return found;
}

TEST_P(each_ahead, ends_with_a_range_that_is_dropped_or_an_exception_of_the_loop) {
  for_each_threads([&](const read_options& reading) {
    const source unread(compressed(), reading);
    for (int wanted = 1; wanted != 1000; wanted *= 10) {
      int found = 0;
      for (const std::string_view line : lines(compressed(), reading)) {
        EXPECT_EQ(line, "line " + std::to_string(found));
        if (++found == wanted) break;
      }
    }
    const auto leave = [](std::string_view line) {
      if (line == "line 1000") throw std::runtime_error("enough");
    };
    EXPECT_THROW(for_each(lines(compressed(), reading), leave), std::runtime_error);
  });
}

TEST_P(each_ahead, goes_on_behind_an_exception_of_before_block) {
  struct interruption {};
  for_each_threads([&](read_options reading) {
    bool interrupt = false;
    const auto before = [&] {
      if (interrupt) throw interruption();
    };
    reading.before_block = before;
    source from(compressed(), reading);
    std::string found(from.next().bytes);
    interrupt = true;
    EXPECT_THROW(from.next(), interruption);
    interrupt = false;
    EXPECT_TRUE(found + rest_of(from) == text());
  });
}

TEST_P(each_ahead, lets_two_sources_take_turns) {
  for_each_threads([&](const read_options& reading) {
    source one(compressed(), reading);
    source other(compressed(), reading);
    std::string of_one;
    std::string of_other;
    for (bool more = true; more;) {
      const block next = one.next();
      of_one += next.bytes;
      more = !next.empty();
      of_other += other.next().bytes;
    }
    EXPECT_TRUE(of_one == text());
    EXPECT_TRUE(of_other + rest_of(other) == text());
  });
}

TEST_P(each_ahead, adds_up_the_decoded_bytes_as_progress) {
  for_each_threads([&](read_options reading) {
    std::atomic<std::uint64_t> progress = 0;
    reading.progress = &progress;
    EXPECT_EQ(count_lines(compressed(), {}, reading), 200'000U);
    EXPECT_EQ(progress, text().size());
  });
}

// The system refuses the threads that would decode, or all but a few. 0: those of a library too.
TEST_P(each_ahead, decodes_with_the_threads_that_it_gets) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer starts the threads itself";
  if (const auto reason = interposition_unavailable()) GTEST_SKIP() << *reason;
  for (const unsigned threads : {0U, 4U}) {
    for (const std::size_t at : {1U, 2U, 3U}) {
      const injection refused({.which = call::thread, .code = EAGAIN, .at = at, .from_there_on = true});
      EXPECT_TRUE(read_all(compressed(), decoded(threads)) == text()) << threads << ", " << at;
      EXPECT_TRUE(threads == 0 || refused.calls() != 0);
    }
  }
}

// By the thread that reads, where reads can be made to fail.
TEST_P(each_ahead, tells_both_offsets_of_a_read_that_fails) {
  if (const auto reason = interposition_unavailable()) GTEST_SKIP() << *reason;
  const temporary_file file(bytes());
  for (const std::size_t at : {1U, 2U, 5U}) {
    read_options reading = decoded(1);
    reading.method = method::read;
    reading.block_size = 4096;
    source from(file.path(), reading);
    std::string found;
    const injection failing({.which = call::read, .code = EIO, .at = at});
    const error failure = thrown_by([&] {
      for (block part = from.next(); !part.empty(); part = from.next()) found += part.bytes;
    });
    EXPECT_EQ(failure.code(), std::errc::io_error);
    EXPECT_EQ(failure.offset(), found.size());
    EXPECT_EQ(failure.compressed_offset(), (at - 1) * 4096);
    EXPECT_TRUE(text().starts_with(found));
    EXPECT_STREQ(thrown_by([&] { from.next(); }).what(), failure.what()) << "the error stays";
  }
}

TEST_P(each_ahead, tells_that_the_file_was_cut) {
  std::string longer = bytes();  // more than is decoded ahead
  while (longer.size() < std::size_t{16} << 20U) longer += longer;
  for (const method used : usable_methods()) {
    if (!os::cuts_mapped_files && (used == method::mmap || used == method::automatic)) continue;
    for_each_threads([&](read_options reading) {
      SCOPED_TRACE(name_of(used));
      const temporary_file file(longer);
      reading.method = used;
      source from(file.path(), reading);
      std::size_t found = from.next().size();
      file.resize(5000);
      const error failure = thrown_by([&] {
        for (block part = from.next(); !part.empty(); part = from.next()) found += part.size();
      });
      EXPECT_EQ(failure.code(), errc::truncated) << failure.what();
      EXPECT_EQ(failure.offset(), found);
      EXPECT_TRUE(failure.compressed_offset()) << failure.what();
    });
  }
}

}  // namespace
}  // namespace riffle::test
