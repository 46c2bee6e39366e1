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
    source from(pipe.get(), {.block_size = 1000, .decode = format, .before_read = wait});
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
  EXPECT_EQ(all_of(file.path(), {.before_read = count}), "a\nb\n");
  EXPECT_EQ(all_of(memory("a\n"), {.before_read = count}), "a\n");
  EXPECT_EQ(calls, 0);
  const fed_pipe pipe("a\nb\n");
  EXPECT_EQ(all_of(pipe.get(), {.before_read = count}), "a\nb\n");
  EXPECT_GE(calls, 2);  // the last one for the end
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
