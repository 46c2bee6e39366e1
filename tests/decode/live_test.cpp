/// Bytes of a stream are handed out when they can be decoded, while its writer waits.
#include <riffle/blocks.hpp>
#include <riffle/source.hpp>

#include <gtest/gtest.h>

#include <string>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// A test that waits for ever is ended by its time-out.
class each_live_container : public of_container {};
INSTANTIATE_TEST_SUITE_P(formats, each_live_container, testing::ValuesIn(containers()), container_name);

TEST_P(each_live_container, hands_out_a_member_before_the_next_one_comes) {
  for (const decoding format : {GetParam().format, decoding::automatic}) {
    if (format == decoding::automatic && GetParam().format == decoding::zlib) continue;
    const auto [reading, writing] = make_pipe();
    const owned_descriptor pipe(reading);
    owned_descriptor writer(writing);
    const auto write_member = [&](std::string_view line) {
      const std::string bytes = GetParam().member(line);
      ASSERT_EQ(write_some(writer.get(), bytes), static_cast<std::ptrdiff_t>(bytes.size()));
    };
    write_member("a\n");
    source from(pipe.get(), {.decode = format});
    EXPECT_EQ(from.next().bytes, "a\n");
    write_member("b\n");
    write_member("c\n");
    std::string found(from.next().bytes);
    if (found == "b\n") found += from.next().bytes;
    EXPECT_EQ(found, "b\nc\n");
    writer.close();
    EXPECT_EQ(from.next().bytes, "");
  }
}

TEST(a_live_stream, that_is_not_compressed_is_handed_on_at_once) {
  for (const std::string_view line : {"a\n", "\n", "B\n", "BZ\n", "(\n", "P\n", "\x1f\n", "BZh\n",
                                      "BZh9 is text\n", "LZIP\n", "]\n", "PK\n"}) {
    const auto [reading, writing] = make_pipe();
    const owned_descriptor pipe(reading);
    const owned_descriptor writer(writing);
    ASSERT_EQ(write_some(writer.get(), line), static_cast<std::ptrdiff_t>(line.size()));
    source from(pipe.get(), {.decode = decoding::automatic});
    EXPECT_EQ(from.next().bytes, line);
  }
}

}  // namespace
}  // namespace riffle::test
