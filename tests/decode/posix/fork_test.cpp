/// The child of a fork has none of the threads that decode: it gets an error, and its parent reads on.
#include <gtest/gtest.h>
#include <unistd.h>
#include <riffle/blocks.hpp>
#include <riffle/source.hpp>

#include <memory>
#include <string>

#include "tests/support/compress.hpp"
#include "tests/support/in_child.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

class each_forked_container : public of_container {};
INSTANTIATE_TEST_SUITE_P(formats, each_forked_container, testing::ValuesIn(containers()), container_name);

TEST_P(each_forked_container, goes_on_in_the_parent_and_fails_in_the_child) {
  const std::string text = numbered_lines(200'000);
  const temporary_file file(in_members(GetParam(), text, 300'000));
  for (const unsigned threads : {2U, 4U}) {
    auto from = std::make_unique<source>(
        file.path(), read_options{.decode = GetParam().format, .decode_threads = threads});
    std::string found(from->next().bytes);
    EXPECT_EQ(forked([&] { from.reset(); }), 0) << "a child that destroys the source";
    EXPECT_EQ(forked([&] {
                const auto failure = error_of([&] { static_cast<void>(from->next()); });
                const bool clear = failure && failure->code() == std::errc::operation_not_permitted &&
                                   failure->detail().find("open it again") != std::string::npos &&
                                   failure->offset() == found.size() && !failure->compressed_offset();
                from.reset();
                if (!clear) ::_exit(1);
              }),
              0)
        << "a child that reads on";
    EXPECT_EQ(forked([&] {
                const read_options reading{.decode = GetParam().format, .decode_threads = threads};
                if (all_of(file.path(), reading) != text) ::_exit(1);
              }),
              0)
        << "a child that opens it again";
    for (block part = from->next(); !part.empty(); part = from->next()) found += part.bytes;
    EXPECT_TRUE(found == text);
  }
}

}  // namespace
}  // namespace riffle::test
