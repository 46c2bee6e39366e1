/// The child of a fork has none of the threads that decode: it gets an error, and its parent reads on.
#include <gtest/gtest.h>
#include <unistd.h>
#include <riffle/blocks.hpp>
#include <riffle/source.hpp>

#include <optional>
#include <string>
#include <utility>

#include "tests/support/compress.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class each_forked_container : public of_container {};
INSTANTIATE_TEST_SUITE_P(formats, each_forked_container, testing::ValuesIn(containers()), container_name);

// How a child that was forked after `before` blocks ends: 0 if it can destroy the source, or reads on without
// a wrong byte, or gets the error that says what to do.
int child_of(source& from, std::string found, const std::string& text, bool reads_on) {
  return forked([&] {
    ::alarm(20);  // or it would wait for a thread that it has not
    const auto failure = !reads_on ? std::nullopt : error_of([&] {
      for (block part = from.next(); !part.empty(); part = from.next()) found += part.bytes;
    });
    const bool clear = failure && failure->code() == std::errc::operation_not_permitted &&
                       failure->remedy().what == advice::one_decode_thread &&
                       failure->offset() == found.size() && !failure->compressed_offset();
    {
      const source destroyed = std::move(from);
    }
    if (reads_on && !clear && (failure || found != text)) ::_exit(1);
    if (failure && !text.starts_with(found)) ::_exit(2);
  });
}

TEST_P(each_forked_container, goes_on_in_the_parent_and_fails_or_goes_on_in_the_child) {
  const std::string text = numbered_lines(200'000);
  const temporary_file file(in_members(GetParam(), text, 600'000));
  for (const unsigned threads : {0U, 1U, 2U, 8U}) {
    for (const std::size_t blocks : {0U, 1U, 3U, 100U}) {  // before the fork
      SCOPED_TRACE(std::to_string(threads) + " threads, block " + std::to_string(blocks));
      source from(file.path(), {.decode = GetParam().format, .decode_threads = threads});
      std::string found;
      for (std::size_t i = 0; i != blocks; ++i) found += from.next().bytes;
      EXPECT_EQ(child_of(from, found, text, false), 0) << "a child that destroys the source";
      EXPECT_EQ(child_of(from, found, text, true), 0) << "a child that reads on";
      for (block part = from.next(); !part.empty(); part = from.next()) found += part.bytes;
      EXPECT_TRUE(found == text);
    }
    EXPECT_EQ(forked([&] {
                const read_options reading{.decode = GetParam().format, .decode_threads = threads};
                if (all_of(file.path(), reading) != text) ::_exit(1);
              }),
              0)
        << "a child that opens it again";
  }
}

}  // namespace
}  // namespace riffle::test
