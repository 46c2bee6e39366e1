/// Compresses bytes in this process, by the libraries that riffle decodes with.
#pragma once

#include <riffle/options.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

namespace riffle::test {

/// One way to write a format.
struct container {
  std::string_view name;  // an identifier
  decoding format;
  /// Makes one member, with every checksum that the format has; null if its library is missing.
  std::string (*member)(std::string_view bytes);
};

/// All of them, whether their library is there or not.
std::span<const container> containers();
const container& container_named(std::string_view name);
/// Returns why a container cannot be made or read here; nothing if it can.
std::optional<std::string> missing(const container& which);

/// Returns whether a file of several members can be split: whether they can be decoded alone.
bool can_be_split(const container& which);

/// Makes members of so many bytes each.
std::string in_members(const container& which, std::string_view bytes, std::size_t size);
/// A frame that a reader of zstd and lz4 skips.
std::string skippable_frame(std::string_view content);

/// A stream of xz whose header has another code for the size of its dictionary. `stream` is one
/// of the container `xz` with less than 100 bytes.
std::string with_dictionary(std::string stream, std::uint8_t code);

inline void PrintTo(const container& which, std::ostream* out) {
  *out << which.name;
}
/// Tests of what holds for every container that can be made here.
class of_container : public testing::TestWithParam<container> {
 protected:
  void SetUp() override {
    if (const auto reason = missing(GetParam())) GTEST_SKIP() << *reason;
  }
  static std::string member(std::string_view bytes) { return GetParam().member(bytes); }
  static read_options decoded(unsigned threads) {
    return {.decode = GetParam().format, .decode_threads = threads};
  }
  /// Calls `f` with the options of each number of threads.
  template <class F>
  static void for_each_threads(F f) {
    for (const unsigned threads : {1U, 2U, 4U}) {
      SCOPED_TRACE(threads);
      f(decoded(threads));
    }
  }
};

/// A suite whose tests run for each container.
#define EACH_CONTAINER(suite)           \
  class suite : public of_container {}; \
  INSTANTIATE_TEST_SUITE_P(formats, suite, testing::ValuesIn(containers()), container_name)

/// As the suffix of a test's name.
inline std::string container_name(const testing::TestParamInfo<container>& tested) {
  return std::string(tested.param.name);
}

}  // namespace riffle::test
