/// Picks the two bytes of a text that a search compares first: those that are rarest in most files.
#pragma once

#include <riffle/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace riffle::inline v0::kernel {

/// Says how to search for a text. `bytes` is not empty; `one` and `other` are places in it.
struct text_plan {
  std::string_view bytes;
  std::size_t one = 0;
  std::size_t other = 0;
};

/// Returns how frequent each byte is in text, logs and code: 0 for a rare one.
constexpr std::array<std::uint8_t, 256> byte_frequencies() noexcept {
  constexpr char most_first[] = " e0ta1on2isr3l5d46789c\n.-:u/pm\",gf=\0yhbw_v'kx;";
  constexpr std::size_t size = sizeof most_first - 1;
  std::array<std::uint8_t, 256> frequencies{};
  for (std::size_t i = 0; i != size; ++i) {
    frequencies[static_cast<unsigned char>(most_first[i])] = static_cast<std::uint8_t>(size - i);
  }
  return frequencies;
}

/// Returns the plan for a text that is not empty. It looks at a few bytes only, so that a plan takes less
/// time than the shortest search.
constexpr text_plan plan(std::string_view text) noexcept {
  constexpr std::array<std::uint8_t, 256> frequencies = byte_frequencies();
  const std::size_t looked_at = text.size() < 32 ? text.size() : 32;
  const auto frequency = [&](std::size_t place) {
    return frequencies[static_cast<unsigned char>(text[place])];
  };
  text_plan made{text, 0, text.size() - 1};
  for (std::size_t i = 1; i < looked_at; ++i) {
    if (frequency(i) < frequency(made.one)) made.one = i;
  }
  if (made.one == made.other) made.other = 0;
  for (std::size_t i = 0; i < looked_at; ++i) {
    const bool differs = text[i] != text[made.one];
    if (differs && (text[made.other] == text[made.one] || frequency(i) < frequency(made.other)))
      made.other = i;
  }
  return made;
}

}  // namespace riffle::inline v0::kernel
