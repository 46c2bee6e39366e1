/// A kernel asked for by name is used or refused in clear words, never replaced.
#include <riffle/error.hpp>
#include <riffle/kernels.hpp>
#include <riffle/scan.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "kernel/kernels.hpp"
#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

/// Prints the active kernel, or the error, as a program that was started with RIFFLE_KERNEL=`name`, and
/// exits: 0 or 1.
[[noreturn]] void report_active(const char* name) {
  ::setenv("RIFFLE_KERNEL", name, 1);
  try {
    if (scan::count_byte("abc", 'b') != 1) std::_Exit(2);  // goes on with the best kernel
    for (const kernel_info& kernel : kernels()) {
      if (kernel.active) std::fprintf(stderr, "active: %s.\n", std::string(kernel.name).c_str());
    }
    std::exit(0);
  } catch (const error& failure) {
    std::fprintf(stderr, "%s\n", failure.what());
    std::exit(failure.code() == make_error_code(errc::invalid_argument) ? 1 : 2);
  }
}

/// The choice is made once a process, so each case runs in a fresh one.
class kernel_choice : public testing::Test {
 protected:
  void SetUp() override { testing::FLAGS_gtest_death_test_style = "threadsafe"; }
};
using kernel_choice_death_test = kernel_choice;

TEST_F(kernel_choice_death_test, obeys_the_environment) {
  for (const kernel::table* const table : kernel::available()) {
    EXPECT_EXIT(report_active(table->name), testing::ExitedWithCode(0),
                "active: " + std::string(table->name) + "\\.");
  }
}

TEST_F(kernel_choice_death_test, takes_the_best_when_nothing_is_asked_for) {
  EXPECT_EXIT(report_active(""), testing::ExitedWithCode(0),
              "active: " + std::string(kernel::available().front()->name) + "\\.");
}

// AVX-512 first only where it does not lower the clock.
TEST(kernel_order, has_avx512_behind_avx2_on_the_first_processors_that_have_both) {
  std::vector<std::string> names;
  for (const kernel::table* const table : kernel::available()) names.emplace_back(table->name);
  EXPECT_EQ(names.back(), "scalar");
  const auto avx2 = std::ranges::find(names, "avx2");
  const auto avx512 = std::ranges::find(names, "avx512");
  if (avx2 == names.end() || avx512 == names.end()) GTEST_SKIP() << "this processor has not both";
  const bool fast = shell("grep -qw avx512_vbmi2 /proc/cpuinfo").status == 0;
  EXPECT_EQ(avx512 < avx2, fast);
}

TEST_F(kernel_choice_death_test, refuses_an_unknown_kernel_and_names_the_known) {
  EXPECT_EXIT(report_active("mmx"), testing::ExitedWithCode(1), "'mmx'.* scalar");
}

TEST(kernel_names, are_found_or_refused_with_a_list) {
  for (const kernel::table* const table : kernel::available()) EXPECT_EQ(&kernel::named(table->name), table);
  try {
    (void)kernel::named("avx");
    FAIL() << "'avx' is only the start of a name";
  } catch (const error& failure) {
    EXPECT_EQ(failure.code(), make_error_code(errc::invalid_argument));
    for (const kernel::table* const table : kernel::available()) {
      EXPECT_THAT(failure.what(), testing::HasSubstr(table->name));
    }
  }
}

TEST(kernel_names, end_with_scalar) {
  EXPECT_EQ(kernel::available().back(), &kernel::scalar());
}

TEST(kernels, one_is_active) {
  EXPECT_EQ(kernels().size(), kernel::available().size());
  int active = 0;
  for (const kernel_info& kernel : kernels()) active += kernel.active ? 1 : 0;
  EXPECT_EQ(active, 1);
}

TEST(scan, stops_where_the_masks_end) {
  const std::string text(200, 'a');
  std::vector<std::uint64_t> masks{7, 7, 7};
  scan::match_byte(text, 'a', std::span(masks).first(2));
  EXPECT_EQ(masks, (std::vector<std::uint64_t>{~std::uint64_t{0}, ~std::uint64_t{0}, 7}));
  scan::match_any_of(text, byte_set("b"), std::span(masks).first(1));
  EXPECT_EQ(masks, (std::vector<std::uint64_t>{0, ~std::uint64_t{0}, 7}));
}

TEST(scan, counts_what_it_says) {
  constexpr std::string_view text = "two  w\xC3\xB6rds\nand\tno more";
  EXPECT_EQ(scan::count_lines(text), 1U);
  EXPECT_EQ(scan::count_words(text), 5U);
  EXPECT_EQ(scan::count_words(text, true), 4U);
  EXPECT_EQ(scan::count_utf8(text), text.size() - 1);
  EXPECT_EQ(scan::count_any_of(text, "od"), 5U);
  EXPECT_EQ(scan::count_byte(text, 'w'), 2U);
}

}  // namespace
}  // namespace riffle::test
