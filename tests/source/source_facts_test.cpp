/// What a source says of its input.
#include <riffle/source.hpp>

#include <gtest/gtest.h>

#include <sstream>
#include <utility>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(a_source, tells_its_kind_and_its_descriptor) {
  const temporary_file file("text\n");
  const owned_descriptor opened(open_to_read(file.path()));
  const source of_path(file.path());
  EXPECT_EQ(of_path.kind(), input_kind::regular_file);
  EXPECT_GE(of_path.descriptor(), 0);
  EXPECT_NE(of_path.descriptor(), opened.get());
  source of_descriptor(opened.get());
  EXPECT_EQ(of_descriptor.kind(), input_kind::regular_file);
  EXPECT_EQ(of_descriptor.descriptor(), opened.get());
  std::istringstream stream("text\n");
  const source of_stream(stream);
  EXPECT_EQ(of_stream.kind(), input_kind::istream);
  EXPECT_EQ(of_stream.descriptor(), -1);
  const source of_memory(memory("text\n"));
  EXPECT_EQ(of_memory.kind(), input_kind::memory);
  EXPECT_EQ(of_memory.descriptor(), -1);
  const source moved = std::move(of_descriptor);
  EXPECT_EQ(of_descriptor.kind(), input_kind::memory);
  EXPECT_EQ(of_descriptor.descriptor(), -1);
}

}  // namespace
}  // namespace riffle::test
