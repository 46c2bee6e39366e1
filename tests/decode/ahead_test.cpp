/// Threads that decode ahead end with their range, live bytes come at once, and members survive lost bytes.
#include <riffle/riffle.hpp>

#include "decode/members.hpp"
#include "os/mapping.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/shell.hpp"
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
    reading.watch.before_block = before;
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
    reading.watch.progress = &progress;
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
    const error failure = thrown_by([&] { read_on(from, found); });
    EXPECT_THAT(failure, is_error(std::errc::io_error, found.size()));
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
      EXPECT_THAT(failure, is_error(errc::truncated, found));
      EXPECT_TRUE(failure.compressed_offset()) << failure.what();
    });
  }
}

// A test that waits for ever is ended by its time-out.
EACH_CONTAINER(each_live_container);

TEST_P(each_live_container, hands_out_a_member_before_the_next_one_comes) {
  for (const decoding format : {GetParam().format, decoding::automatic}) {
    if (format == decoding::automatic && GetParam().format == decoding::zlib) continue;
    open_pipe pipe;
    const auto write_member = [&](std::string_view line) {
      const std::string bytes = GetParam().member(line);
      ASSERT_EQ(write_some(pipe.writing.get(), bytes), static_cast<std::ptrdiff_t>(bytes.size()));
    };
    write_member("a\n");
    source from(pipe.reading.get(), {.decode = format});
    EXPECT_EQ(from.next().bytes, "a\n");
    write_member("b\n");
    write_member("c\n");
    std::string found(from.next().bytes);
    if (found == "b\n") found += from.next().bytes;
    EXPECT_EQ(found, "b\nc\n");
    pipe.writing.close();
    EXPECT_EQ(from.next().bytes, "");
  }
}

// Many reads give one block. An exception before any of them leaves nothing out.
TEST_P(each_live_container, can_be_left_before_each_read_and_gone_on_with) {
  struct interruption {};
  const std::string text = random_text(40'000, 1);
  const std::string bytes = GetParam().member(text);
  for (const decoding format : {GetParam().format, decoding::automatic}) {
    if (format == decoding::automatic && GetParam().format == decoding::zlib) continue;
    const fed_pipe pipe(bytes, 1000);
    std::size_t calls = 0;
    const auto wait = [&calls] {
      if (++calls % 3 == 1) throw interruption();  // the end is read twice
    };
    std::string found;
    source from(pipe.get(), {.block_size = 1000, .decode = format, .watch = {.before_read = wait}});
    for (bool more = true; more;) try {
        const block next = from.next();
        found += next.bytes;
        more = !next.empty();
      } catch (const interruption&) {
      }
    EXPECT_TRUE(found == text);
    EXPECT_GT(calls, bytes.size() / 1000);
  }
}

TEST(a_live_stream, alone_is_waited_for_before_each_read) {
  int calls = 0;
  const auto count = [&calls] { ++calls; };
  const temporary_file file("a\nb\n");
  EXPECT_EQ(all_of(file.path(), {.watch = {.before_read = count}}), "a\nb\n");
  EXPECT_EQ(all_of(memory("a\n"), {.watch = {.before_read = count}}), "a\n");
  EXPECT_EQ(calls, 0);
  const fed_pipe pipe("a\nb\n");
  EXPECT_EQ(all_of(pipe.get(), {.watch = {.before_read = count}}), "a\nb\n");
  EXPECT_GE(calls, 2);  // the last one for the end
}

TEST(a_live_stream, that_is_not_compressed_is_handed_on_at_once) {
  for (const std::string_view line : {"a\n", "\n", "B\n", "BZ\n", "(\n", "P\n", "\x1f\n", "BZh\n",
                                      "BZh9 is text\n", "LZIP\n", "]\n", "PK\n"}) {
    const open_pipe pipe;
    ASSERT_EQ(write_some(pipe.writing.get(), line), static_cast<std::ptrdiff_t>(line.size()));
    source from(pipe.reading.get(), {.decode = decoding::automatic});
    EXPECT_EQ(from.next().bytes, line);
  }
}

// Hands out half of the bytes, and then finds that its file was cut: they may have been lost by then.
class lost_file final : public active_method {
 public:
  explicit lost_file(std::string_view bytes) : half_(bytes.substr(0, bytes.size() / 2)) {}

  std::span<char> next() override { return half_; }
  void check(std::uint64_t trusted) const override {
    if (lost) throw error(errc::truncated, "read", "a file", trusted, "");
  }
  void seek(std::uint64_t /*offset*/) override {}

  bool lost = false;

 private:
  std::string half_;
};

// Calls `f` with a reader of members, their file and their format.
template <class F>
void for_each_container(std::size_t copies, F f) {
  int tried = 0;
  for (const container& each : containers()) {
    if (missing(each)) continue;
    SCOPED_TRACE(each.name);
    lost_file file(repeated(each.member(patterned_bytes(300'000)), copies));
    decode::compressed_input from(file, 0);
    const decode::format& of = *decode::find_format(each.format);
    const auto codec = of.open(1);
    from.fetch();
    f(decode::member_reader(of, from, *codec, true), file, each);
    ++tried;
  }
  if (tried == 0) GTEST_SKIP() << "this build decodes nothing";
}

TEST(members, give_no_bytes_that_were_made_of_lost_ones) {
  for_each_container(1, [](decode::member_reader reader, lost_file& file, const container&) {
    file.lost = true;
    std::vector<char> space(1'000'000);
    EXPECT_THROW((void)reader.read(space), error);
  });
}

// What was read before may have been no bytes of the file either.
TEST(members, say_how_many_bytes_had_a_checksum_before_a_read_failed) {
  for_each_container(3, [](decode::member_reader reader, lost_file& file, const container& each) {
    if (each.name == "bgzf") return;  // whose blocks are members
    std::vector<char> space(1'000'000);
    EXPECT_GE(reader.read(space), 300'000U);
    file.lost = true;
    try {
      while (reader.read(space) != 0) continue;
      ADD_FAILURE() << "no error was thrown";
    } catch (const decode::read_failure& failure) {
      EXPECT_EQ(failure.verified(), 300'000U);
    }
  });
}

}  // namespace
}  // namespace riffle::test
