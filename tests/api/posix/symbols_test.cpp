/// What the shared library exports is a list that changes only on purpose, symbols.txt, also for Debian.
/// Debian.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "tests/support/build.hpp"
#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

class shared_library : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(build::shared_library))
      GTEST_SKIP() << "this build has no shared library: set RIFFLE_SHARED=ON";
  }
  static std::string nm(const std::string& how) {
    return shell(std::string("nm '") + build::shared_library + "' " + how).out;
  }
};

// Without weak tables of virtual functions: a compiler writes those where it needs them, also in a user's
// program. To accept a change, run the command below on the new library and write its output to symbols.txt.
TEST_F(shared_library, exports_what_the_list_says) {
  const std::string found =
      nm("-DC --defined-only | grep -v ' V vtable' | sed -n 's/^[0-9a-f]* [A-Z] //p' | "
         "grep '^riffle::\\|^vtable for riffle\\|^typeinfo for riffle' | LC_ALL=C sort -u");
  std::ifstream list(std::string(build::sources) + "/tests/api/symbols.txt");
  EXPECT_EQ(found, std::string(std::istreambuf_iterator<char>(list), {}));
}

// Which version each function of riffle.h has, and that a program in C calls each.
TEST_F(shared_library, has_the_functions_of_c_in_the_versions_of_the_map) {
  const std::string sources = build::sources;
  const auto listed =
      shell("sed -n 's/^\\(RIFFLE_C_[0-9]*\\) {/\\1/p; s/^ *\\(riffle_.*\\);/\\1/p' '" + sources +
            "/src/c/exports.map' | awk '/^RIFFLE/ {version = $0; next} {print $0 \"@@\" version}' | sort");
  EXPECT_EQ(nm("-D --defined-only | sed -n 's/.* T \\(riffle_.*\\)/\\1/p' | sort"), listed.out);
  EXPECT_EQ(shell("sed -n 's/^ *\\(riffle_.*\\);/\\1/p' '" + sources +
                  "/src/c/exports.map' | while read name; do grep -q \"$name(\" '" + sources +
                  "/tests/c/interface.c' || echo \"$name is not called\"; done")
                .out,
            "");
  EXPECT_GE(std::ranges::count(listed.out, '\n'), 36);
}

// A static local variable that is computed has such a guard. While one thread computes it, others wait; and a
// child that was forked meanwhile waits for ever. `remembered` takes its place.
TEST_F(shared_library, has_no_guard_that_the_child_of_a_fork_could_wait_for) {
  if (nm("-C").find("page_size") == std::string::npos)
    GTEST_SKIP() << "the library has no table of its own symbols";
  EXPECT_EQ(nm("-C | grep 'guard variable for riffle'"), "");
}

}  // namespace
}  // namespace riffle::test
