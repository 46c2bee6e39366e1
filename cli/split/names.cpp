/// A suffix is a number to the base 26 or 10.
#include "cli/split/names.hpp"

#include <algorithm>

namespace riffle::cli {

namespace {

constexpr std::size_t shortest = 2;

std::uint64_t base_of(bool numeric) {
  return numeric ? 10 : 26;
}

// Returns the last digits of a number, and what is left of it.
std::string digits_of(std::uint64_t& number, std::size_t length, bool numeric) {
  std::string digits(length, '\0');
  for (std::size_t i = length; i-- != 0; number /= base_of(numeric)) {
    digits[i] = static_cast<char>((numeric ? '0' : 'a') + static_cast<char>(number % base_of(numeric)));
  }
  return digits;
}

}  // namespace

std::string suffix_of(std::uint64_t index, std::size_t length, bool numeric) {
  if (length != 0) {
    std::string digits = digits_of(index, length, numeric);
    return index == 0 ? digits : std::string();
  }
  // The last letter as the first one says that the suffix is two longer.
  const std::uint64_t base = base_of(numeric);
  std::string longer;
  std::uint64_t here = (base - 1) * base;  // suffixes of this length
  for (; index >= here; here *= base) {
    index -= here;
    longer += numeric ? '9' : 'z';
  }
  return longer + digits_of(index, shortest + longer.size(), numeric);
}

std::size_t suffix_length_for(std::uint64_t files, bool numeric) noexcept {
  std::size_t length = 1;
  for (std::uint64_t last = (files - 1) / base_of(numeric); last != 0; last /= base_of(numeric)) ++length;
  return std::max(length, shortest);
}

}  // namespace riffle::cli
