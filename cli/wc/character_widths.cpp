/// Asks for widths by wcwidth(3), or what stands for it.
#include "cli/wc/character_widths.hpp"

#include <riffle/anonymous_memory.hpp>

#include <bit>

#include "text/os/locale.hpp"

namespace riffle::cli {

// Pages of zeros, of which a text touches few.
character_widths::character_widths()
    : known_(static_cast<std::uint8_t*>(anonymous_memory().allocate(last + 1))) {}

character_widths::~character_widths() {
  anonymous_memory().deallocate(known_, last + 1);
}

std::uint64_t character_widths::of_library(char32_t character) {
  const int width = os::columns_of(character);
  return width > 0 ? static_cast<std::uint64_t>(width) : 0;
}

bool character_widths::ask_all(char32_t first, char32_t count, std::uint64_t width) const {
  bool same = true;
  for (char32_t character = first; character < first + count; ++character) {
    const std::uint64_t found = of_library(character);
    at(character).store(static_cast<std::uint8_t>(found + 1), std::memory_order_relaxed);
    same = same && found == width;
  }
  return same;
}

// Of two bytes, the 64 characters with the same first byte are asked for at once. Of three they are 4096,
// which takes 20 us: so riffle waits until a text has had many of them. E0 and ED start wrong sequences too.
std::uint64_t character_widths::ask(char32_t character) const {
  constexpr unsigned many = 128;
  const char32_t lead = character >> 12U;
  if (character < 0x800) {
    if (ask_all(character & ~char32_t{63}, 64, 1)) one_column_ |= std::uint32_t{1} << (character >> 6U);
  } else if (lead < 16 && lead != 0 && lead != 0xD && ++asked_[lead] == many) {
    if (ask_all(lead << 12U, 4096, 2)) two_columns_ |= std::uint32_t{1} << lead;
  } else {
    ask_all(character, 1, 0);
  }
  return at(character).load(std::memory_order_relaxed) - 1U;
}

// What would start with C0 and C1 is ASCII, which has a shorter form.
void character_widths::add_leads(kernel::column_rules& rules) const {
  for (std::uint32_t left = one_column_ & ~std::uint32_t{3}; left != 0; left &= left - 1) {
    rules.ones.add_to_rows(static_cast<char>(0xC0 + std::countr_zero(left)));
  }
  for (std::uint32_t left = two_columns_; left != 0; left &= left - 1) {
    rules.twos.add_to_rows(static_cast<char>(0xE0 + std::countr_zero(left)));
  }
}

}  // namespace riffle::cli
