/// The table of formats, and the bytes that could be taken for something else.
#include <riffle/count.hpp>
#include <riffle/decoders.hpp>
#include <riffle/source.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(decoders, are_found_by_id_and_name) {
  EXPECT_EQ(decoders().size(), 6U);
  for (const decoder_info& each : decoders()) {
    EXPECT_EQ(find_decoder(each.id), &each);
    EXPECT_EQ(decoding_named(each.name), each.id);
    EXPECT_EQ(name_of(each.id), each.name);
    EXPECT_NE(each.library.empty(), each.unavailable.empty()) << each.name;
  }
  for (const decoding none : {decoding::none, decoding::automatic}) {
    EXPECT_EQ(find_decoder(none), nullptr);
    EXPECT_EQ(decoding_named(name_of(none)), none);
  }
  for (const char* name : {"", "gz", "GZIP", "gzip ", "bgzf"})
    EXPECT_EQ(decoding_named(name), std::nullopt) << name;
}

TEST(decoders, refuse_a_number_that_is_no_format) {
  const error failure =
      thrown_by([] { const source opened(memory("x"), {.decode = static_cast<decoding>(99)}); });
  EXPECT_EQ(failure.code(), errc::invalid_argument);
  EXPECT_EQ(find_decoder(static_cast<decoding>(99)), nullptr);
}

TEST(decoders, need_a_member_in_a_file_that_is_named_as_one) {
  for (const decoder_info& each : decoders()) {
    if (!each.unavailable.empty()) continue;
    const error failure = thrown_by([&] { static_cast<void>(read_all(memory(""), {.decode = each.id})); });
    EXPECT_EQ(failure.code(), errc::bad_compression) << each.name;
  }
}

// No format but those that have such frames begins with one, wherever the bytes that are looked at end.
TEST(decoders, see_the_same_format_in_a_stream_as_in_memory) {
  for (std::size_t size = 0; size != 80; ++size) {
    const std::string bytes = skippable_frame(std::string(size, 's')) + "\x1f\x8b\x08 no member of gzip";
    std::istringstream stream(bytes);
    const auto failure = [](const input& from) {
      return error_of([&] { static_cast<void>(read_all(from, {.decode = decoding::automatic})); });
    };
    const std::optional<error> of_memory = failure(memory(bytes));
    const std::optional<error> of_stream = failure(stream);
    ASSERT_EQ(of_memory.has_value(), of_stream.has_value()) << size;
    if (of_memory) {
      EXPECT_EQ(of_memory->detail(), of_stream->detail()) << size;
      EXPECT_EQ(of_memory->detail().find("gzip"), std::string::npos) << of_memory->what();
    }
  }
}

// The bytes of the content, of which a block of bzip2 has a map, are chosen so that the map is the first bits
// of a block, or of the end of a stream.
TEST(bzip2, survives_what_only_looks_like_the_first_bits_of_a_block) {
  const container& bzip2 = *std::ranges::find(containers(), "bzip2", &container::name);
  if (const auto reason = missing(bzip2)) GTEST_SKIP() << *reason;
  for (const std::uint64_t magic : {std::uint64_t{0x314159265359}, std::uint64_t{0x177245385090}}) {
    std::string alphabet;
    for (unsigned bit = 0; bit != 48; ++bit) {
      if ((magic >> (47 - bit) & 1U) != 0) alphabet += static_cast<char>(0x40 + bit);
    }
    const std::string content = random_text(350'000, 3, alphabet);
    const std::string compressed = bzip2.member(content);
    for (const unsigned threads : {1U, 2U, 4U}) {
      EXPECT_TRUE(read_all(memory(compressed), {.decode = decoding::bzip2, .decode_threads = threads}) ==
                  content)
          << threads;
    }
  }
}

}  // namespace
}  // namespace riffle::test
