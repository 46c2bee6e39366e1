/// Compressed files in parts: splits that begin at members, and many files at once.
#include <riffle/riffle.hpp>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// A split carries its format.
std::string lines_of(const input& from) {
  std::string all;
  for (const std::string_view line : lines(from)) all.append(line).append("\n");
  return all;
}

// What `read` gives of each split, joined.
template <class Read>
std::string joined(const std::vector<file_split>& all, Read read) {
  std::string found;
  std::uint64_t end = 0;
  for (const file_split& split : all) {
    EXPECT_EQ(split.begin, end);
    end = split.end;
    found += read(read_split(split));
  }
  EXPECT_EQ(end, all.front().size);
  return found;
}

EACH_CONTAINER(each_split_container);

// Members end in the middle of lines, a line covers several of them, and some have none. What is decoded from
// its start only is one split.
TEST_P(each_split_container, holds_each_line_once) {
  const std::string text =
      numbered_lines(3000) + std::string(5000, 'x') + "\n\n" + numbered_lines(2000) + "no end";
  for (const std::size_t member : {700U, 4096U, 20'000U}) {
    const temporary_file file(in_members(GetParam(), text, member));
    const bool named = GetParam().format == decoding::zlib;  // `automatic` does not know it
    const decoding format = named ? decoding::zlib : decoding::automatic;
    for (const std::uint64_t size : {1U, 500U, 3000U, 1'000'000U}) {
      const auto parts = splits(file.path(), {.size = size, .decode = format});
      ASSERT_FALSE(parts.empty());
      EXPECT_EQ(parts.front().decode, GetParam().format);
      EXPECT_TRUE(joined(parts, lines_of) == text + "\n") << member << " " << size;
      if (!can_be_split(GetParam())) {
        EXPECT_EQ(parts.size(), 1U);
      } else if (size == 1) {
        EXPECT_GT(parts.size(), text.size() / member / 5);
      }
    }
  }
}

// Of quotes too, also if members begin inside them.
TEST_P(each_split_container, holds_each_row_once) {
  const dialect csv{.header = true};
  const auto rows_of = [&](const input& from) {
    std::string all;
    for (const row each : rows(from, csv, {.decode = GetParam().format})) {
      for (std::size_t i = 0; i != each.size(); ++i) all.append(each.unescaped(i)).append("|");
    }
    return all;
  };
  std::string text = "name,\"of\ntwo\"\n";
  for (int i = 0; i < 2000; ++i)
    text += std::to_string(i) + ",\"" +
            std::string(static_cast<std::size_t>(i) % 50, i % 3 == 0 ? '\n' : 'x') + "\"\n";
  text += "\"" + std::string(5000, '\n') + "\",end";
  for (const std::size_t member : {700U, 4096U}) {
    const temporary_file file(in_members(GetParam(), text, member));
    const auto split = [&](std::uint64_t size) {
      return splits(file.path(), {.size = size, .decode = GetParam().format}, csv);
    };
    const std::string expected = rows_of(file.path());
    for (const std::uint64_t size : {1U, 500U, 3000U, 1'000'000U}) {
      const std::vector<file_split> parts = split(size);
      EXPECT_TRUE(joined(parts, rows_of) == expected) << member << " " << size;
      if (size < 3000 && can_be_split(GetParam())) {
        EXPECT_GT(parts.size(), 2U) << member << " " << size;
      }
    }
  }
}

TEST(splits_of_compressed_files, need_streams_of_xz_with_checksums_of_one_kind) {
  std::string both;
  for (const container& each : containers()) {
    if (each.format != decoding::xz) continue;
    if (const auto reason = missing(each)) GTEST_SKIP() << *reason;
    if (each.name != "xz_without_sizes") both += each.member(numbered_lines(3000));
  }
  const temporary_file file(both);
  const std::vector<file_split> parts = splits(file.path(), {.size = 1, .decode = decoding::xz});
  ASSERT_EQ(parts.size(), 1U);
  EXPECT_EQ(count_lines(read_split(parts[0])), 6000U);
}

TEST(splits_of_compressed_files, cannot_be_found_in_damaged_xz) {
  const container& xz = container_named("xz");
  if (const auto reason = missing(xz)) GTEST_SKIP() << *reason;
  const auto expect = [&](std::size_t place, char byte, errc code) {
    std::string damaged = xz.member("content");
    damaged[place] = byte;
    const temporary_file file(damaged);
    EXPECT_EQ(code_of([&] { (void)splits(file.path(), {.decode = decoding::xz}); }), code);
  };
  expect(12, '\xff', errc::unexpected_end);                       // so large is the header of the block
  const std::size_t checksum = xz.member("content").size() - 13;  // of the index, its last byte
  expect(checksum, static_cast<char>(xz.member("content")[checksum] ^ 1), errc::bad_compression);
}

TEST(splits_of_compressed_files, need_the_format_and_records_that_end_at_a_delimiter) {
  const container& bgzf = container_named("bgzf");
  if (const auto reason = missing(bgzf)) GTEST_SKIP() << *reason;
  const std::string text = numbered_lines(3000);
  const temporary_file file(in_members(bgzf, text, 2000));
  const auto parts = splits(file.path(), {.size = 1000, .decode = decoding::gzip});
  EXPECT_EQ(code_of([&] { (void)count_lines(read_split(parts[1], {.delimiter = {}, .record_size = 8})); }),
            errc::invalid_argument);
  EXPECT_THAT(thrown_by([&] { (void)read_all(read_split(parts[1]), {.decode = decoding::xz}); }),
              is_error(errc::invalid_argument, {}, "the decode of the split is gzip"));
  // Of a split that was cut of compressed bytes, these are read.
  const auto raw = splits(file.path(), {.size = 1000});
  EXPECT_EQ(parts[0].decode, decoding::gzip);
  EXPECT_EQ(raw[0].decode, decoding::none);
  const std::string first = lines_of(read_split(raw[0]));
  EXPECT_EQ(first, read_all(read_split(raw[0]), {.decode = decoding::automatic}));
  const temporary_file plain(text);
  EXPECT_EQ(code_of([&] { (void)splits(plain.path(), {.decode = decoding::gzip}); }), errc::bad_compression);
  EXPECT_EQ(splits(plain.path(), {.size = 1000, .decode = decoding::automatic}).size(),
            (text.size() + 999) / 1000);
}

// The thread that reads decodes, until the reader takes its time.
TEST_P(each_split_container, is_decoded_ahead_of_a_slow_reader) {
  const std::string text = numbered_lines(900'000);
  const std::string bytes = in_members(GetParam(), text, 3'000'000);
  std::string found;
  const auto read_slowly = [&](std::string_view compressed) {
    found.clear();
    for (const block& part : blocks(memory(compressed), {.decode = GetParam().format})) {
      found += part.bytes;
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
  };
  read_slowly(bytes);
  EXPECT_TRUE(found == text);
  std::string damaged = bytes;
  damaged[damaged.size() - 30] = static_cast<char>(damaged[damaged.size() - 30] ^ 1);
  const error failure = thrown_by([&] { read_slowly(damaged); });
  EXPECT_EQ(failure.offset(), found.size());
  EXPECT_TRUE(failure.compressed_offset().has_value());
}

TEST_P(each_split_container, is_read_beside_others_by_several_threads) {
  const std::string text = numbered_lines(5000);
  const temporary_file packed(in_members(GetParam(), text, 9000));
  const temporary_file plain(text);
  const std::vector<std::filesystem::path> files(9, packed.path());
  for (const unsigned threads : {1U, 4U}) {
    std::size_t done = 0;
    parallel_files(
        files, std::uint64_t{0}, [](std::string_view part) { return scan::count_byte(part, '\n'); },
        std::plus<>(),
        [&](std::size_t index, std::uint64_t count, const error* failure) {
          EXPECT_EQ(index, done++);
          EXPECT_EQ(failure, nullptr);
          EXPECT_EQ(count, 5000U);
        },
        {.threads = threads}, {.decode = GetParam().format});
    EXPECT_EQ(done, files.size());
  }
}

}  // namespace
}  // namespace riffle::test
