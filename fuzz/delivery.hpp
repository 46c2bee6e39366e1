/// The same bytes by any kind of input and in pieces that the fuzzer chooses, and the end of a fuzz target at
/// a wrong answer.
#pragma once

#include <riffle/riffle.hpp>

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/inputs.hpp"
#include "tests/support/reading.hpp"

namespace riffle::fuzz {

inline void require(bool holds, const std::string& claim) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", claim.c_str());
  std::abort();
}

/// Requires an error at this place, or none if there is no place.
inline void require_failure(const std::optional<error>& found, const std::optional<std::uint64_t>& place,
                            std::optional<errc> code = {}) {
  require(found.has_value() == place.has_value(), found ? found->what() : "the expected error comes");
  if (!found) return;
  require(found->offset() == *place, found->what());
  require(!code || found->code() == *code, found->what());
}

/// The text of a run: bytes of the fuzzer, over and over, so that a few of them fill several pages.
inline std::string text_of(FuzzedDataProvider& from, std::size_t longest) {
  const std::size_t times = from.ConsumeIntegralInRange<std::size_t>(1, 64);
  const std::size_t before = from.ConsumeIntegralInRange<std::size_t>(0, 4200);
  const bool long_before = from.ConsumeIntegralInRange(0, 3) == 0;
  const std::string bytes = from.ConsumeRemainingBytesAsString();
  std::string text(long_before ? before : before % 70, 'x');
  for (std::size_t i = 0; i < times && text.size() < longest; ++i) text += bytes;
  return text.substr(0, longest);
}

/// The kinds of input that need nothing of the system.
inline const std::vector<const test::kind_of_input*>& kinds_in_memory() {
  static const std::vector<const test::kind_of_input*> all = [] {
    std::vector<const test::kind_of_input*> made;
    for (const test::kind_of_input& each : test::kinds_of_input()) {
      if (each.made_of == test::kind_of_input::memory) made.push_back(&each);
    }
    return made;
  }();
  return all;
}

/// A text, delivered as an input of one of these kinds.
class delivery {
 public:
  /// Takes the parameters from the back of the fuzzer's bytes, and what is left as the text.
  explicit delivery(FuzzedDataProvider& from)
      : kind_(*kinds_in_memory()[from.ConsumeIntegralInRange<std::size_t>(0, kinds_in_memory().size() - 1)]),
        reading_{.block_size = from.PickValueInArray(block_sizes)},
        sizes_(piece_sizes(from)),
        text_(text_of(from, std::min<std::size_t>(40'000, most_in_a_block() * 100))) {}

  /// Calls `f` with the input. Returns the error that it throws.
  template <class F>
  std::optional<error> open(F f) const {
    return test::error_of([&] {
      kind_.open({.bytes = text_, .front = {}, .pieces = sizes_},
                 [&](const input& from, std::uint64_t) { f(from); });
    });
  }
  const read_options& reading() const { return reading_; }
  /// What is to be read.
  std::string_view text() const { return text_; }

 private:
  static constexpr std::size_t block_sizes[] = {1, 2, 3, 7, 16, 63, 64, 65, 512, 4096, 5000, 8192, 0};

  std::size_t most_in_a_block() const {
    return reading_.block_size == 0 ? std::size_t{256} << 10U : reading_.block_size;
  }
  std::vector<std::size_t> piece_sizes(FuzzedDataProvider& from) const {
    std::vector<std::size_t> sizes(from.ConsumeIntegralInRange<std::size_t>(1, 5));
    for (std::size_t& size : sizes)
      size = from.ConsumeIntegralInRange<std::size_t>(1, std::min<std::size_t>(most_in_a_block(), 5000));
    return sizes;
  }

  const test::kind_of_input& kind_;
  read_options reading_;
  std::vector<std::size_t> sizes_;
  std::string text_;
};

inline std::size_t step_of(FuzzedDataProvider& from) {
  return from.ConsumeBool() ? from.ConsumeIntegralInRange<std::size_t>(1, 100) : SIZE_MAX;
}

/// Reads a range in loops of at most `step` records.
template <class Range, class Take>
void read_in_steps(Range range, std::size_t step, Take take) {
  while (test::take_some(range, step, take)) continue;
}

}  // namespace riffle::fuzz
