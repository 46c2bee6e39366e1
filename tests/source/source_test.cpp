/// Every kind of input becomes a source, and what cannot be read is an error that says so.
#include <riffle/count.hpp>
#include <riffle/lines.hpp>
#include <riffle/mapped_file.hpp>

#include "os/mapping.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::string text = numbered_lines(3000);

EACH_METHOD(each_file_method);

EACH_METHOD(each_stream_method, input_kind::stream);

TEST_P(each_file_method, reads_a_descriptor_from_where_it_stands) {
  const temporary_file file(text);
  for (const std::size_t at :
       {std::size_t{0}, std::size_t{1}, std::size_t{4096}, std::size_t{5001}, text.size()}) {
    const owned_descriptor opened = open_at(file.path(), at);
    source from(opened.get(), {.method = GetParam(), .block_size = 4096});
    EXPECT_EQ(from.start(), at);
    std::string found;
    for (block part = from.next(); !part.empty(); part = from.next()) {
      EXPECT_EQ(part.offset, at + found.size());
      found += part.bytes;
    }
    EXPECT_TRUE(found == text.substr(at)) << "from " << at;
    EXPECT_EQ(test::position_of(opened.get()), static_cast<std::int64_t>(text.size())) << "stands at the end";
  }
}

TEST_P(each_file_method, seeks) {
  const temporary_file file(text);
  source from(file.path(), {.method = GetParam(), .block_size = 4096});
  ASSERT_TRUE(from.seekable());
  for (const std::size_t at :
       {std::size_t{5001}, std::size_t{0}, std::size_t{4096}, text.size() - 1, std::size_t{1}}) {
    from.seek(at);
    const block part = from.next();
    EXPECT_EQ(part.offset, at);
    ASSERT_FALSE(part.empty());
    EXPECT_EQ(part.bytes, std::string_view(text).substr(at, part.size()));
  }
  for (const std::uint64_t at :
       {std::uint64_t{text.size()}, std::uint64_t{text.size() + 1}, std::uint64_t{1} << 40U}) {
    from.seek(at);
    EXPECT_TRUE(from.next().empty()) << at;
  }
  from.seek(7);
  EXPECT_EQ(from.next().offset, 7U) << "the end is not for ever";
}

TEST(source, stands_where_it_went_behind_the_end) {
  const temporary_file file("some bytes");
  const mapped_file mapped(file.path());
  for (const input& from : {input(file.path()), input(memory("some bytes")), input(mapped)}) {
    source opened(from);
    opened.seek(100);
    for (int turn = 0; turn != 2; ++turn) {
      const block end = opened.next();
      EXPECT_TRUE(end.empty());
      EXPECT_EQ(end.offset, 100U) << from.name();
    }
  }
}

TEST_P(each_file_method, keeps_nothing_across_a_seek) {
  const temporary_file file(text);
  source from(file.path(), {.method = GetParam()});
  ASSERT_FALSE(from.next().empty());
  from.seek(7);
  EXPECT_EQ(code_of([&] { (void)from.next(1); }), errc::invalid_argument);
  EXPECT_EQ(from.next().offset, 7U) << "nothing is lost by the mistake";
}

TEST_P(each_file_method, leaves_a_descriptor_at_the_end_after_a_seek_beyond_it) {
  for (const std::size_t size : {std::size_t{1}, text.size()}) {
    const temporary_file file(text.substr(0, size));
    const owned_descriptor opened = open_at(file.path());
    source from(opened.get(), {.method = GetParam()});
    from.seek(size + 100'000);
    EXPECT_TRUE(from.next().empty());
    EXPECT_EQ(test::position_of(opened.get()), static_cast<std::int64_t>(size));
  }
}

TEST_P(each_file_method, keeps_what_it_is_asked_to) {
  const std::string long_text = random_text(300'000, 5);
  const temporary_file file(long_text);
  for (const std::size_t size : {4096U, 65536U}) {
    for (const std::size_t keep : {0U, 1U, 100U, 4096U}) {
      source from(file.path(), {.method = GetParam(), .block_size = size});
      block part = from.next();
      while (true) {
        const std::size_t kept = std::min(keep, part.size());
        const std::uint64_t end = part.offset + part.size();
        part = from.next(kept);
        ASSERT_EQ(part.offset, end - kept);
        ASSERT_TRUE(part.bytes == std::string_view(long_text).substr(part.offset, part.size()));
        if (part.size() == kept) break;
      }
      ASSERT_EQ(part.offset + part.size(), long_text.size());
    }
    source whole(file.path(), {.method = GetParam(), .block_size = size});  // far beyond the headroom
    block part = whole.next();
    for (std::size_t had = 0; had != part.size();) {
      had = part.size();
      part = whole.next(had);
      ASSERT_TRUE(part.bytes == std::string_view(long_text).substr(0, part.size()));
    }
    ASSERT_EQ(part.size(), long_text.size());
  }
}

TEST_P(each_file_method, tells_that_a_file_was_cut) {
  if (!os::cuts_mapped_files && GetParam() == method::mmap)
    GTEST_SKIP() << "the system cuts no file that is mapped";
  const std::string long_text = numbered_lines(40'000);  // more than any method reads ahead
  for (const std::uint64_t left :
       {std::uint64_t{0}, std::uint64_t{4096}, std::uint64_t{5000}, std::uint64_t{20'000}}) {
    const temporary_file file(long_text);
    source from(file.path(), {.method = GetParam(), .block_size = 4096});
    std::string found(from.next().bytes);
    file.resize(left);
    const error failure = thrown_by([&] { read_on(from, found); });
    EXPECT_THAT(failure, is_error(errc::truncated)) << "cut to " << left;
    EXPECT_TRUE(long_text.starts_with(found)) << "what was delivered is right";
    EXPECT_LE(failure.offset().value_or(SIZE_MAX), std::max<std::uint64_t>(found.size(), left));
    EXPECT_STREQ(thrown_by([&] { from.next(); }).what(), failure.what()) << "the error stays";
  }
}

// The OS kernel looks at the size before it copies, so the last block may hold zeros in place of what was
// cut.
TEST_P(each_file_method, tells_that_a_file_was_cut_after_its_last_block) {
  if (!os::cuts_mapped_files && GetParam() == method::mmap)
    GTEST_SKIP() << "the system cuts no file that is mapped";
  for (const bool borrowed : {false, true}) {
    for (const std::size_t size : {std::size_t{100}, std::size_t{4096}, text.size()}) {
      for (const bool grown : {false, true}) {
        const std::string before = text.substr(0, size);
        const temporary_file file(before);
        const owned_descriptor opened = open_at(file.path());
        source from(borrowed ? input(opened.get()) : input(file.path()),
                    {.method = GetParam(), .block_size = 4096});
        std::string found;
        while (found.size() != size) found += from.next().bytes;
        std::size_t handed = size;
        if (grown) {
          file.append("more\n");
          handed += from.next().size();
        }
        file.resize(50);
        const error failure = thrown_by([&] { (void)from.next(); });
        EXPECT_THAT(failure, is_error(errc::truncated))
            << size << " bytes" << (borrowed ? ", borrowed" : "") << (grown ? ", grown" : "");
        EXPECT_LE(failure.offset().value_or(SIZE_MAX), handed);
        EXPECT_TRUE(error_of([&] { (void)from.next(); })) << "the error stays";
      }
    }
  }
}

TEST_P(each_file_method, reads_on_in_a_file_that_grows) {
  const temporary_file file("first\n");
  source from(file.path(), {.method = GetParam(), .block_size = 4096});
  const std::string first(from.next().bytes);
  file.append("second\n" + std::string(10'000, 'x'));
  EXPECT_EQ(first + rest_of(from), "first\nsecond\n" + std::string(10'000, 'x'));
}

TEST_P(each_file_method, does_not_read_on_behind_the_end_it_met) {
  const temporary_file file("abc");
  source from(file.path(), {.method = GetParam()});
  while (!from.next().empty()) continue;
  file.append("def");
  EXPECT_TRUE(from.next().empty());
  from.seek(3);
  EXPECT_EQ(from.next().bytes, "def");
}

TEST_P(each_file_method, keeps_the_end_of_the_last_block_in_a_file_that_grows) {
  const temporary_file file("first");
  source from(file.path(), {.method = GetParam(), .block_size = 4096});
  EXPECT_EQ(from.next().bytes, "first");
  file.append(" line\n");
  EXPECT_EQ(from.next(5).bytes, "first line\n");
}

TEST_P(each_file_method, takes_every_hint) {
  const temporary_file file(text);
  for (unsigned bits = 0; bits < 64; ++bits) {
    read_options reading{.method = GetParam(),
                         .block_size = 4096,
                         .queue_depth = queued(GetParam(), bits),
                         .sequential = (bits & 1U) != 0,
                         .will_need = (bits & 2U) != 0,
                         .keep_cache = (bits & 32U) != 0};
    if (const method_info* named = find_method(GetParam()); named == nullptr || named->maps) {
      reading.mapping = {
          .populate = (bits & 4U) != 0, .shared = (bits & 8U) != 0, .whole_file = (bits & 16U) != 0};
    }
    ASSERT_TRUE(all_of(file.path(), reading) == text) << bits;
    reading.method = method::automatic;
    reading.queue_depth = bits;
    reading.mapping.fault_guard = false;
    ASSERT_TRUE(all_of(file.path(), reading) == text) << bits;
  }
}

TEST_P(each_file_method, tells_the_progress_block_by_block) {
  const temporary_file file(text);
  std::atomic<std::uint64_t> progress = 0;
  const read_options reading{.method = GetParam(), .block_size = 4096, .watch = {.progress = &progress}};
  std::uint64_t handed_out = 0;
  for (const block& part : blocks(file.path(), reading)) {
    handed_out += part.size();
    EXPECT_EQ(progress, handed_out);
  }
  EXPECT_EQ(progress, text.size());
  EXPECT_EQ(count_lines(file.path(), {.threads = 2}, reading), 3000U);
  EXPECT_EQ(progress, 2 * text.size());
}

TEST(progress, adds_up_memory_and_carried_bytes_once) {
  std::atomic<std::uint64_t> progress = 0;
  EXPECT_EQ(count_lines(memory(text), {}, {.watch = {.progress = &progress}}), 3000U);
  EXPECT_EQ(progress, text.size());
  const temporary_file file(text);
  for_each(lines(file.path(), {.block_size = 64, .watch = {.progress = &progress}}), [](std::string_view) {});
  EXPECT_EQ(progress, 2 * text.size());
}

TEST_P(each_file_method, calls_a_function_before_each_block) {
  const temporary_file file(text);
  int calls = 0;
  const auto count = [&] { ++calls; };
  int handed_out = 0;
  for (const block& part : blocks(file.path(), {.method = GetParam(), .watch = {.before_block = count}})) {
    EXPECT_EQ(calls, ++handed_out);
    EXPECT_FALSE(part.empty());
  }
  EXPECT_EQ(calls, handed_out + 1);  // the call that met the end
}

TEST(before_block, cancels_a_count_by_an_exception) {
  struct cancellation {};
  const std::string long_text(std::size_t{9} << 20U, '\n');
  const temporary_file file(long_text);
  for (const unsigned threads : {1U, 3U}) {
    for (const input& from : {input(file.path()), input(memory(long_text))}) {
      std::atomic<int> calls = 0;
      const auto cancel = [&] {
        if (++calls == 3) throw cancellation();
      };
      std::uint64_t counted = 0;
      const read_options reading{.block_size = 65536, .watch = {.before_block = cancel}};
      EXPECT_THROW(count_lines_into(counted, source(from, reading), {.threads = threads}), cancellation)
          << from.name() << ", " << threads;
      EXPECT_LT(counted, long_text.size());
    }
  }
}

void write_late(int to, std::initializer_list<std::string_view> parts) {
  for (const std::string_view part : parts) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    write_some(to, part);
  }
}

TEST_P(each_stream_method, waits_for_what_comes_late_to_a_pipe_that_does_not_block) {
  open_pipe pipe;
  ASSERT_TRUE(never_wait(pipe.reading.get()));
  const std::jthread writer(
      [end = std::move(pipe.writing)] { write_late(end.get(), {"late", " and", " later"}); });
  EXPECT_EQ(all_of(pipe.reading.get(), {.method = GetParam()}), "late and later");
}

TEST(a_pipe_that_does_not_block, is_not_asked_again_before_there_is_something) {
  if (const auto reason = interposition_unavailable()) GTEST_SKIP() << *reason;
  open_pipe pipe;
  ASSERT_TRUE(never_wait(pipe.reading.get()));
  const std::jthread writer([end = std::move(pipe.writing)] { write_late(end.get(), {"late"}); });
  const injection counting({.which = call::read});
  EXPECT_EQ(all_of(pipe.reading.get(), {.method = method::read}), "late");
  EXPECT_LE(counting.calls(), 4U);
}

TEST_P(each_stream_method, reads_a_socket_and_its_failure) {
  const auto ends = make_sockets();
  if (!ends) GTEST_SKIP() << "sockets are no descriptors here";
  owned_descriptor ours(ends->first);
  owned_descriptor other(ends->second);
  ASSERT_EQ(write_some(other.get(), "hello"), 5);
  ASSERT_EQ(write_some(ours.get(), "unread"), 6);
  other.close();  // with bytes unread: the connection is reset after what was sent
  const read_outcome found = read_blocks(ours.get(), {.method = GetParam(), .block_size = 3});
  EXPECT_THAT(found.failure, testing::Optional(is_error(std::errc::connection_reset, found.bytes.size())));
  EXPECT_TRUE(std::string_view("hello").starts_with(found.bytes));
}

TEST_P(each_stream_method, waits_for_what_comes_late_to_a_terminal_that_does_not_block) {
  const auto ends = make_terminal();
  if (!ends) GTEST_SKIP() << "no terminal can be made here";
  const owned_descriptor terminal(ends->first);
  const owned_descriptor line(ends->second);
  ASSERT_TRUE(never_wait(line.get()));
  const std::jthread typist([&terminal] { write_late(terminal.get(), {"typed\n", "late\n", "\x04"}); });
  EXPECT_EQ(all_of(line.get(), {.method = GetParam()}), "typed\nlate\n");
}

TEST_P(each_stream_method, finds_nothing_in_dev_null) {
  EXPECT_EQ(all_of(null_device, {.method = GetParam()}), "");
}

TEST_P(each_stream_method, reads_files_whose_size_is_a_lie) {
  for (const char* path : {"/proc/self/limits", "/sys/kernel/mm/transparent_hugepage/enabled"}) {
    const std::string expected = contents_of(path);
    if (expected.empty()) GTEST_SKIP() << path << " is not there";
    for (const std::size_t size : {1U, 100U, 0U}) {
      EXPECT_EQ(all_of(path, {.method = GetParam(), .block_size = size}), expected) << path << ", " << size;
    }
  }
}

// Once a byte took 19 seconds for 200 KB.
TEST_P(each_file_method, gives_the_page_cache_back_a_mebibyte_at_a_time) {
  if (const auto reason = interposition_unavailable()) GTEST_SKIP() << *reason;
  const std::string three_mib = patterned_bytes((std::size_t{3} << 20U) + 77);
  const temporary_file file(three_mib);
  for (const std::size_t size : {std::size_t{1}, std::size_t{100}, std::size_t{4096}, std::size_t{100'000}}) {
    const std::size_t expected = size == 1 ? 200'000 : three_mib.size();
    if (GetParam() == method::direct && size < 4096) continue;
    const injection counting({.which = call::drop});
    {
      source from(file.path(), {.method = GetParam(), .block_size = size, .keep_cache = false});
      std::size_t seen = 0;
      while (seen < expected) seen += from.next().size();
    }
    EXPECT_GE(counting.calls(), 1U) << size;
    EXPECT_LE(counting.calls(), expected / (std::size_t{1} << 20U) + 1) << size;
  }
}

TEST(inputs, have_no_positions_where_the_system_has_none) {
  const fed_pipe pipe(text);
  source from(pipe.get());
  EXPECT_FALSE(from.seekable());
  EXPECT_EQ(code_of([&] { from.seek(1); }), std::errc::invalid_seek);
}

TEST(inputs, of_five_gigabytes_are_counted) {
  constexpr std::uint64_t size = std::uint64_t{5} << 30U;
  const temporary_file file;
  file.resize(size);
  file.append("end");
  for (const method used : {method::automatic, method::read, method::mmap}) {
    std::uint64_t end = 0;
    std::string last;
    source from(file.path(), {.method = used});
    from.seek((std::uint64_t{1} << 32U) - 10);
    for (block part = from.next(); !part.empty(); part = from.next()) {
      if (end != 0) {
        ASSERT_EQ(part.offset, end);
      }
      end = part.offset + part.size();
      last = part.bytes.substr(part.size() - std::min<std::size_t>(part.size(), 3));
    }
    EXPECT_EQ(end, size + 3);
    EXPECT_EQ(last, "end");
  }
}

TEST(inputs, can_be_moved_while_they_are_read) {
  const temporary_file file(text);
  source first(file.path(), {.block_size = 4096});
  std::string found(first.next().bytes);
  source second = std::move(first);
  found += second.next().bytes;
  first = std::move(second);
  EXPECT_TRUE(found + rest_of(first) == text);
}

}  // namespace
}  // namespace riffle::test
