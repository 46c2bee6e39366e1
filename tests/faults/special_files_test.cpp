/// Files that grow, are cut, change their name or cannot be split give all their bytes or an error.
#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class each_special : public timed_test<testing::TestWithParam<method>> {};
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
    EXPECT_EQ(code_of([&] { from.next(); }), std::errc::resource_unavailable_try_again);
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
    const std::string found =
        joined(path, {.threads = 3, .split_size = 10'000, .delimiter = std::nullopt}, {.method = GetParam()});
    EXPECT_TRUE(found == one || found == two) << found.size();
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

EACH_METHOD(each_endless, input_kind::stream);

TEST_P(each_endless, device_gives_records_of_at_most_max_length) {
  ::alarm(20);
  const read_options reading{.method = GetParam()};
  const auto expect_too_long = [&](auto read, auto options) {
    options.max_length = 1 << 20;
    EXPECT_EQ(code_of([&] { (void)read("/dev/zero", options, reading).begin(); }), errc::record_too_long);
  };
  expect_too_long([](auto... given) { return lines(given...); }, line_options());
  expect_too_long([](auto... given) { return words(given...); }, word_options());
  expect_too_long([](auto... given) { return fasta(given...); }, sequence_options());
  expect_too_long([](auto... given) { return fastq(given...); }, sequence_options());
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

EACH_METHOD(each_method_of_a_regrown_file);

// A race: of 3,000 readings by `direct` 36 ended early without an error, before riffle looked for it.
TEST_P(each_method_of_a_regrown_file, tells_that_it_was_shorter) {
  const std::string text = patterned_bytes(std::size_t{64} << 10U);
  const temporary_file file(text);
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    while (!done) {
      file.resize(100);
      file.write(text, std::ios::in);  // over the old bytes, without a cut
      std::this_thread::yield();
    }
  });
  for (int i = 0; i < 400; ++i) {
    std::size_t size = 0;
    std::size_t expected = 0;
    const auto failure = error_of([&] {
      source from(file.path(), {.method = GetParam(), .block_size = 4096});
      expected = from.size_hint();
      for (block next = from.next(); !next.empty(); next = from.next()) size += next.size();
    });
    EXPECT_TRUE(failure || size >= expected);
    if (failure) {
      EXPECT_EQ(failure->code(), errc::truncated) << failure->what();
    }
  }
  done = true;
}

// As a database or a disk image is: its size stays.
TEST_P(each_method_of_a_regrown_file, delivers_what_is_written_in_place) {
  constexpr std::size_t size = std::size_t{9} << 20U;  // the automatic choice maps it
  const std::string states[] = {std::string(size, 'a'), std::string(size, 'b')};
  const temporary_file file(states[0]);
  std::atomic<bool> done = false;
  std::jthread writer([&] {
    for (std::size_t i = 1; !done; ++i) file.write(states[i % 2], std::ios::in);
  });
  for (const method by : {GetParam(), method::automatic}) {
    for (int i = 0; i < 5; ++i) {
      const auto length = [](std::string_view part) { return std::uint64_t{part.size()}; };
      EXPECT_EQ(parallel_reduce(file.path(), std::uint64_t{0}, length, std::plus<>(), {.threads = 2},
                                {.method = by}),
                size);
      source from(file.path(), {.method = by});
      std::size_t right = 0;
      for (block next = from.next(); !next.empty(); next = from.next()) {
        const std::string once(next.bytes);  // a SIMD kernel may look twice at a byte that changes meanwhile
        right += scan::count_any_of(once, "ab");
      }
      EXPECT_EQ(right, size);
    }
  }
  done = true;
}

void expect_no_split(const input& from, std::string_view reason) {
  const error thrown = thrown_by([&] { (void)splits(from); });
  EXPECT_THAT(thrown, is_error(errc::invalid_argument, {}, reason, from.name()));
  EXPECT_EQ(thrown.operation(), "split");
}

TEST(unsplittable, inputs_without_a_path) {
  const std::string_view reason = "another process cannot open it; pass the path of a file";
  std::istringstream stream("text\n");
  const temporary_file file("text\n");
  const mapped_file mapped(file.path());
  expect_no_split(0, reason);
  expect_no_split(stdin, reason);
  expect_no_split(stream, reason);
  expect_no_split(memory("text\n"), reason);
  expect_no_split(mapped, reason);
  expect_no_split(read_split(splits(file.path()).at(0)), reason);
}

TEST(unsplittable, pipes_and_devices_without_waiting_for_them) {
  const std::string_view reason = "it can be read only once, by one process; write its bytes to a file first";
  const temporary_directory directory;
  const std::filesystem::path fifo = directory.path() / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  expect_no_split(fifo, reason);
  const fed_pipe pipe("text\n");
  expect_no_split("/proc/self/fd/" + std::to_string(pipe.get()), reason);
  expect_no_split("/dev/zero", reason);
  EXPECT_THAT(thrown_by([&] { (void)lines(read_split({.path = fifo})); }),
              is_error(errc::invalid_argument, {}, "", fifo.string()));
  expect_no_split("/proc/self/status", "it has more bytes than it reports; read it as a whole");
}

using far_file = test_of_slow_files<>;

TEST_F(far_file, without_positions_is_not_split) {
  const slow_file stream("text\n", {"--no-seek=1"});
  expect_no_split(stream.path(), "its file system serves it in order only; copy it first");
}

TEST(unsplittable, what_cannot_be_opened) {
  const temporary_directory directory;
  EXPECT_EQ(code_of([&] { (void)splits(directory.path()); }), std::errc::is_a_directory);
  EXPECT_EQ(code_of([&] { (void)splits(directory.path() / "none"); }), std::errc::no_such_file_or_directory);
}

void expect_changed(const file_split& split, const std::filesystem::path& file, std::string_view change) {
  EXPECT_THAT(thrown_by([&] { (void)lines(read_split(split)); }),
              is_error(errc::changed, split.begin, change, file.string()));
}

TEST(split_of_a_changed_file, says_what_changed) {
  const temporary_file file("one\ntwo\n");
  const file_split split = splits(file.path(), {.size = 4}).at(1);
  EXPECT_EQ(read_all(read_split(split)), "two\n");

  file.append("three\n");
  expect_changed(split, file.path(), "its size was 8 when it was split, and is 14 now");
  file.resize(4);
  expect_changed(split, file.path(), "its size was 8 when it was split, and is 4 now");
  file.write("six\nten\n");
  std::filesystem::last_write_time(file.path(), std::filesystem::file_time_type::clock::now());
  expect_changed(split, file.path(), "its time of modification was ");
}

TEST(split_of_a_changed_file, compares_the_inode_unless_it_is_zero) {
  const temporary_file file("one\ntwo\n");
  const temporary_file copy("one\ntwo\n");
  std::filesystem::last_write_time(copy.path(), std::filesystem::last_write_time(file.path()));
  file_split split = splits(file.path(), {.size = 4}).at(1);
  split.path = copy.path();
  expect_changed(split, copy.path(), "its inode was ");
  split.inode = 0;
  EXPECT_EQ(read_all(read_split(split)), "two\n");
}

TEST(split_of_a_changed_file, is_noticed_at_the_end_of_the_reading) {
  const temporary_file file("one\ntwo\n");
  line_range lines = riffle::lines(read_split(splits(file.path()).at(0)), {.method = method::read});
  auto line = lines.begin();
  EXPECT_EQ(*line, "one");
  file.append("three\n");
  EXPECT_EQ(*++line, "two");
  EXPECT_EQ(code_of([&] { ++line; }), errc::changed);
}

TEST(split, must_lie_in_its_file) {
  const temporary_file file("one\ntwo\n");
  file_split split = splits(file.path()).at(0);
  for (const auto& [begin, end] : {std::pair{0U, 9U}, std::pair{5U, 4U}}) {
    split.begin = begin;
    split.end = end;
    EXPECT_THAT(thrown_by([&] { (void)lines(read_split(split)); }),
                is_error(errc::invalid_argument, {}, "", file.path().string()));
  }
}

TEST(split, of_no_bytes_has_no_records) {
  const temporary_file file("one\ntwo\n");
  for (const std::uint64_t place : {0U, 4U, 5U, 8U}) {
    file_split split = splits(file.path()).at(0);
    split.begin = split.end = place;
    EXPECT_EQ(read_all(read_split(split)), "") << place;
    EXPECT_EQ(read_all(read_split(split, {.delimiter = std::nullopt, .record_size = 3})), "") << place;
  }
}

TEST(split, refuses_lines_and_rows_that_end_elsewhere) {
  const temporary_file file("one\ntwo\n");
  const file_split split = splits(file.path()).at(0);
  const auto refused = [](auto act) { EXPECT_EQ(code_of(act), errc::invalid_argument); };
  refused([&] { (void)lines(read_split(split), {.delimiter = '\0'}); });
  refused([&] { (void)rows(read_split(split), {.delimiter = '\0'}); });
  refused([&] { (void)lines(read_split(split, {.delimiter = std::nullopt})); });
}

TEST(split, that_cuts_a_quoted_field_is_an_error) {
  const temporary_file file("a,\"b\nc\"\nd,e\n");
  const file_split split = splits(file.path(), {.size = 3}).at(0);
  EXPECT_EQ(code_of([&] { for_each(rows(read_split(split), {}), [](const row&) {}); }), errc::bad_quoting);
}

}  // namespace
}  // namespace riffle::test
