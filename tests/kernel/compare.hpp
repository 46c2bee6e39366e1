/// Compares each SIMD kernel with the scalar one, wherever its text lies. The suites choose the texts.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>
#include <vector>

#include "tests/kernel/calls.hpp"

namespace riffle::test {

class each_kernel : public testing::TestWithParam<const kernel::table*> {
 protected:
  /// Compares the calls whose names start with `name`, with the text where it is.
  void compare(const arguments& of, std::string_view name = {}) const {
    if (!HasFailure()) expect_outputs(of, scalar_outputs(of, name), name);
  }

  /// The same with the text before a guard page, behind one, and some bytes from them: in so many places.
  void compare_beside_guard_pages(const arguments& of, std::string_view name = {},
                                  std::size_t places = 4) const {
    static guarded memory(std::size_t{1} << 20U);
    if (HasFailure()) return;
    const std::vector<output> expected = scalar_outputs(of, name);
    const std::size_t size = of.size();
    const std::array all{memory.last(size), memory.first(size), memory.first(size + 1).last(size),
                         memory.last(size + 31).first(size)};
    for (const std::span<char> place : std::span(all).first(places)) {
      std::ranges::copy(of.text, place.begin());
      arguments placed = of;
      placed.text = {place.data(), size};
      expect_outputs(placed, expected, name);
    }
  }

  /// Whether another table, which is tested too, has the very function: a test of this one alone need not
  /// repeat it.
  template <class Function, class Walks>
  static bool is_tested_with_another(Function Walks::* function) {
    const auto all = kernel::available();
    const auto first = std::ranges::find_if(
        all, [&](const kernel::table* each) { return each->*function == GetParam()->*function; });
    return *first != GetParam();
  }

  const kernel_tables kernels{*GetParam()};

 private:
  static std::vector<output> scalar_outputs(const arguments& of, std::string_view name) {
    static const kernel_tables scalar(kernel::scalar());
    std::vector<output> all;
    for (const kernel_call& call : kernel_calls) {
      if (call.name.starts_with(name)) all.push_back(call.make(scalar, of));
    }
    return all;
  }

  void expect_outputs(const arguments& of, const std::vector<output>& expected, std::string_view name) const {
    auto next = expected.begin();
    for (const kernel_call& call : kernel_calls) {
      if (!call.name.starts_with(name)) continue;
      ASSERT_EQ(call.make(kernels, of), *next++)
          << call.name << ", " << of.size() << " bytes at " << static_cast<const void*>(of.data()) << ", '"
          << of.byte << "', in a word: " << of.in_word << ", " << of.number << ", "
          << testing::PrintToString(std::string(of.text.substr(0, 300)));
    }
  }
};

}  // namespace riffle::test
