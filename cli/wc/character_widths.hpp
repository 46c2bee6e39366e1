/// How many columns each character takes, asked of the C library once.
#ifndef RIFFLE_CLI_WC_CHARACTER_WIDTHS_HPP
#define RIFFLE_CLI_WC_CHARACTER_WIDTHS_HPP

#include <array>
#include <atomic>
#include <cstdint>

#include "kernel/kernels.hpp"

namespace riffle::cli {

/// The widths of the characters in the locale of the program. Several threads may share one.
class character_widths {
 public:
  character_widths();
  ~character_widths();
  character_widths(const character_widths&) = delete;
  character_widths& operator=(const character_widths&) = delete;

  /// Returns how many columns a character takes on a terminal: 0 for what cannot be printed.
  std::uint64_t of(char32_t character) const {
    if (character > last) return of_library(character);
    const unsigned known = at(character).load(std::memory_order_relaxed);
    return known != 0 ? known - 1 : ask(character);
  }

  /// Adds the first bytes of characters that all take one column, or two, as far as it is known.
  void add_leads(kernel::column_rules& rules) const;

 private:
  static constexpr char32_t last = 0x10FFFF;

  static std::uint64_t of_library(char32_t character);
  std::atomic_ref<std::uint8_t> at(char32_t character) const {
    return std::atomic_ref<std::uint8_t>(known_[character]);
  }
  std::uint64_t ask(char32_t character) const;
  bool ask_all(char32_t first, char32_t count, std::uint64_t width) const;

  std::uint8_t* known_;                                    // the width and 1, or 0
  mutable std::atomic<std::uint32_t> one_column_ = 0;      // bit i for first byte 0xC0 + i
  mutable std::atomic<std::uint32_t> two_columns_ = 0;     // bit i for first byte 0xE0 + i
  mutable std::array<std::atomic<unsigned>, 16> asked_{};  // characters with first byte 0xE0 + i
};

}  // namespace riffle::cli

#endif
