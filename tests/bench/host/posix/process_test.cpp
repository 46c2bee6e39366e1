/// A program is found where a shell finds it.
#include "bench/host/os/process.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "tests/support/support.hpp"

namespace riffle::test {

TEST(a_program, is_no_directory_of_that_name) {
  const auto shell = os::find_program("sh");
  const temporary_directory directory;
  std::filesystem::create_directory(directory.path() / "sh");
  const std::string path = ::getenv("PATH");
  ::setenv("PATH", (directory.path().string() + ":" + path).c_str(), 1);
  EXPECT_EQ(os::find_program("sh"), shell);
  ::setenv("PATH", path.c_str(), 1);
}

}  // namespace riffle::test
