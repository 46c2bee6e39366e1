/// What was compressed is read as the plain bytes, by every number of threads.
#include <riffle/riffle.hpp>

#include <gtest/gtest.h>

#include <string>

#include "method/block_size.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::string text = numbered_lines(3000) + "a last line without an end";

class each_container : public of_container {};
INSTANTIATE_TEST_SUITE_P(formats, each_container, testing::ValuesIn(containers()), container_name);

// The content ends at a block of riffle's own, or a byte from there.
TEST_P(each_container, ends_at_any_byte_around_a_block) {
  const std::string longer = patterned_bytes(2 * copied_block + 1);
  for (const std::size_t size : {copied_block - 1, copied_block, copied_block + 1, 2 * copied_block - 1,
                                 2 * copied_block, 2 * copied_block + 1}) {
    const std::string_view content = std::string_view(longer).substr(0, size);
    const std::string compressed = member(content);
    for_each_threads([&](const read_options& reading) {
      EXPECT_TRUE(all_of(memory(compressed), reading) == content) << size;
    });
  }
}

TEST_P(each_container, may_be_empty) {
  const std::string once = member({});
  const std::string twice = once + once;
  const std::string between = once + member("some") + once + once + member(" bytes") + once;
  for_each_threads([&](const read_options& reading) {
    EXPECT_EQ(all_of(memory(once), reading), "");
    EXPECT_EQ(all_of(memory(twice), reading), "");
    EXPECT_EQ(all_of(memory(between), reading), "some bytes");
    EXPECT_EQ(count_lines(memory(once), {}, reading), 0U);
  });
}

TEST_P(each_container, may_be_incompressible) {
  const std::string noise = random_text(1'000'000, 1);
  const temporary_file whole(member(noise));
  const temporary_file pieces(in_members(GetParam(), noise, 70'000));
  for_each_threads([&](const read_options& reading) {
    EXPECT_TRUE(all_of(whole.path(), reading) == noise);
    EXPECT_TRUE(all_of(pieces.path(), reading) == noise);
  });
}

TEST_P(each_container, is_found_by_its_first_bytes) {
  const std::string compressed = member(text);
  const bool found = GetParam().format != decoding::zlib;
  for (const unsigned threads : {1U, 2U}) {
    const read_options reading{.decode = decoding::automatic, .decode_threads = threads};
    EXPECT_TRUE(all_of(memory(compressed), reading) == (found ? text : compressed));
  }
  const std::string small = member(text.substr(0, 1000));
  const fed_pipe pipe(small, 1);
  EXPECT_TRUE(all_of(pipe.get(), {.decode = decoding::automatic}) == (found ? text.substr(0, 1000) : small));
  EXPECT_TRUE(all_of(memory(compressed), {}) == compressed) << "by default nothing is decoded";
}

// As one that is decoded twice would be a surprise, a member of the format inside stays as it is.
TEST_P(each_container, keeps_a_second_layer) {
  const std::string inner = member(text);
  const std::string outer = member(inner);
  for_each_threads(
      [&](const read_options& reading) { EXPECT_TRUE(all_of(memory(outer), reading) == inner); });
}

TEST_P(each_container, has_the_offsets_of_its_decoded_bytes) {
  const temporary_file file(in_members(GetParam(), text, 5000));
  for_each_threads([&](const read_options& reading) {
    std::uint64_t place = 0;
    for (const numbered_line line : numbered_lines(file.path(), {}, reading)) {
      EXPECT_EQ(line.offset, place);
      place += line.text.size() + 1;
    }
    reader in(file.path(), reading);
    in.skip(text.size() / 2);
    EXPECT_EQ(in.bytes(100), text.substr(text.size() / 2, 100));
  });
}

// Empty and plain files are read as they are.
TEST(automatic, hands_on_what_is_not_compressed) {
  for (const std::string& plain : {std::string(), std::string("\n"), text, std::string("\x1f"),
                                   std::string(100'000, '\0'), random_text(100'000, 7)}) {
    const temporary_file file(plain);
    for (const method used : usable_methods()) {
      const read_options reading{.method = used, .decode = decoding::automatic};
      EXPECT_TRUE(all_of(file.path(), reading) == plain) << name_of(used) << ", " << plain.size();
      EXPECT_EQ(count_lines(file.path(), {}, reading), naive_lines(plain + "x").size() - 1);
    }
    for (const std::size_t piece : {1U, 7U, 100'000U}) {
      if (plain.size() > 1000 * piece) continue;
      const fed_pipe pipe(plain, piece);
      EXPECT_TRUE(all_of(pipe.get(), {.decode = decoding::automatic}) == plain) << piece;
    }
  }
}

TEST(automatic, leaves_a_plain_file_its_offsets) {
  const temporary_file file(text);
  source from(file.path(), {.decode = decoding::automatic});
  EXPECT_EQ(from.size_hint(), text.size());
  EXPECT_TRUE(from.seekable());
}

// A decoded input of unknown size has no positions.
TEST_P(each_container, has_no_positions) {
  const temporary_file file(member(text));
  source from(file.path(), decoded(2));
  EXPECT_EQ(from.size_hint(), 0U);
  EXPECT_FALSE(from.seekable());
  EXPECT_EQ(error_of([&] { from.seek(1); })->code(), std::errc::invalid_seek);
}

}  // namespace
}  // namespace riffle::test
