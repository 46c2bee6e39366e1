/// What cannot be split, a split of a file that changed, and options that would cut records are errors.
#include <riffle/riffle.hpp>

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <sstream>

#include "tests/support/mounts.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::Test;

void expect_no_split(const input& from, std::string_view reason) {
  const error thrown = thrown_by([&] { static_cast<void>(splits(from)); });
  EXPECT_EQ(thrown.code(), errc::invalid_argument);
  EXPECT_EQ(thrown.operation(), "split");
  EXPECT_EQ(thrown.path(), from.name());
  EXPECT_NE(std::string(thrown.what()).find(reason), std::string::npos) << thrown.what();
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
  const error thrown = thrown_by([&] { static_cast<void>(lines(read_split({.path = fifo}))); });
  EXPECT_EQ(thrown.code(), errc::invalid_argument);
  EXPECT_EQ(thrown.path(), fifo);
}

TEST(unsplittable, files_that_report_a_wrong_size) {
  expect_no_split("/proc/self/status", "it has more bytes than it reports; read it as a whole");
}

TEST(unsplittable, files_without_positions) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const slow_file stream("text\n", {"--no-seek=1"});
  expect_no_split(stream.path(), "its file system serves it in order only; copy it first");
}

TEST(unsplittable, what_cannot_be_opened) {
  const temporary_directory directory;
  EXPECT_EQ(thrown_by([&] { static_cast<void>(splits(directory.path())); }).code(),
            std::errc::is_a_directory);
  EXPECT_EQ(thrown_by([&] { static_cast<void>(splits(directory.path() / "none")); }).code(),
            std::errc::no_such_file_or_directory);
}

void expect_changed(const file_split& split, const std::filesystem::path& file, std::string_view change) {
  const error thrown = thrown_by([&] { static_cast<void>(lines(read_split(split))); });
  EXPECT_EQ(thrown.code(), errc::changed);
  EXPECT_EQ(thrown.path(), file);
  EXPECT_EQ(thrown.offset(), split.begin);
  EXPECT_NE(std::string(thrown.what()).find(change), std::string::npos) << thrown.what();
}

TEST(split_of_a_changed_file, says_what_changed) {
  const temporary_file file("one\ntwo\n");
  const file_split split = splits(file.path(), {.split_size = 4}).at(1);
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
  file_split split = splits(file.path(), {.split_size = 4}).at(1);
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
  EXPECT_EQ(thrown_by([&] { ++line; }).code(), errc::changed);
}

TEST(split, must_lie_in_its_file) {
  const temporary_file file("one\ntwo\n");
  file_split split = splits(file.path()).at(0);
  for (const auto& [begin, end] : {std::pair{0U, 9U}, std::pair{5U, 4U}}) {
    split.begin = begin;
    split.end = end;
    const error thrown = thrown_by([&] { static_cast<void>(lines(read_split(split))); });
    EXPECT_EQ(thrown.code(), errc::invalid_argument);
    EXPECT_EQ(thrown.path(), file.path());
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
  const auto code = [](auto act) { return thrown_by(act).code(); };
  EXPECT_EQ(code([&] { static_cast<void>(lines(read_split(split), {.delimiter = '\0'})); }),
            errc::invalid_argument);
  EXPECT_EQ(code([&] { static_cast<void>(rows(read_split(split), {.delimiter = '\0'})); }),
            errc::invalid_argument);
  EXPECT_EQ(code([&] { static_cast<void>(lines(read_split(split, {.delimiter = std::nullopt}))); }),
            errc::invalid_argument);
}

TEST(split, that_cuts_a_quoted_field_is_an_error) {
  const temporary_file file("a,\"b\nc\"\nd,e\n");
  const file_split split = splits(file.path(), {.split_size = 3}).at(0);
  EXPECT_EQ(thrown_by([&] {
              for (const row fields : rows(read_split(split), {.quote = '"'})) static_cast<void>(fields);
            }).code(),
            errc::bad_quoting);
}

}  // namespace
}  // namespace riffle::test
