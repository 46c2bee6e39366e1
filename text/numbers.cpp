/// Writes numbers with three significant figures.
#include "text/numbers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace riffle::text {

namespace {

// The digits at the start of the text, which are removed from it. Nothing if there is none, the largest
// number of all if there are too many.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc::invalid_argument) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return failure == std::errc() ? number : any_size;
}

std::uint64_t within(std::uint64_t value, std::uint64_t least, std::uint64_t most,
                     std::string (*shown)(std::uint64_t)) {
  if (value < least) throw usage_error("too small; use at least " + shown(least));
  if (value > most) throw usage_error("too large; use at most " + shown(most));
  return value;
}

// Of ASCII alone: a unit is the same in every locale.
std::string upper(std::string_view text) {
  std::string changed(text);
  for (char& each : changed) each = each >= 'a' && each <= 'z' ? static_cast<char>(each - 'a' + 'A') : each;
  return changed;
}

// The power of 1024 of a unit; nothing if it is none.
std::optional<unsigned> power_of(std::string_view unit) {
  const std::string name = upper(unit);
  if (name.empty() || name == "B") return 0;
  constexpr std::string_view letters = "KMGTPE";
  const std::size_t letter = letters.find(name.front());
  const std::string_view rest = std::string_view(name).substr(1);
  const bool known = rest.empty() || rest == "B" || rest == "I" || rest == "IB";
  if (letter == std::string_view::npos || !known) return std::nullopt;
  return static_cast<unsigned>(letter) + 1;
}

}  // namespace

std::string human_size(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  // From 1023.95 on, as that would be written as 1024.0. Generated inputs are a few bytes smaller than asked.
  for (; size >= (unit == 0 ? 1024 : 1023.95) && unit + 1 < units.size(); ++unit) size /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", size, units.at(unit));
}

std::string short_size(std::uint64_t bytes) {
  constexpr std::array units{"", "K", "M", "G", "T"};
  std::size_t unit = 0;
  for (; bytes != 0 && bytes % 1024 == 0 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return fmt::format("{}{}", bytes, units.at(unit));
}

std::string human_seconds(double seconds) {
  struct scale {
    double least;
    double factor;
    const char* unit;
  };
  constexpr std::array scales{scale{1, 1, "s"}, scale{1e-3, 1e3, "ms"}, scale{1e-6, 1e6, "us"}};
  for (const scale& each : scales) {
    if (seconds < each.least) continue;
    const double value = seconds * each.factor;
    return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : (value < 100 ? 1 : 0), each.unit);
  }
  return fmt::format("{:.0f} ns", seconds * 1e9);
}

std::string short_number(double value) {
  const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.0995 || value <= 0 ? 2 : 3;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string with_commas(double whole_number) {
  std::string digits = fmt::format("{:.0f}", std::isfinite(whole_number) ? whole_number : 0);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::uint64_t parse_number(std::string_view text, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::uint64_t> number = take_number(text);
  if (!number || !text.empty()) throw usage_error("not a whole number; write digits alone, such as 64");
  return within(*number, least, most, [](std::uint64_t value) { return fmt::format("{}", value); });
}

std::uint64_t parse_size(std::string_view text, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::uint64_t> number = take_number(text);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  const std::optional<unsigned> power = power_of(text);
  if (!number || !power) throw usage_error("not a size; write digits and a unit, such as 512, 64K or 1MiB");
  const unsigned shift = 10 * *power;
  const bool fits = *number <= any_size >> shift;
  return within(fits ? *number << shift : any_size, least, most, short_size);
}

double parse_seconds(std::string_view text) {
  double seconds = 0;
  const char* const last = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), last, seconds);
  if (failure != std::errc() || end != last || !(seconds > 0) || !std::isfinite(seconds)) {
    throw usage_error("not a number of seconds above 0; write 10 or 0.5");
  }
  return seconds;
}

}  // namespace riffle::text
