/// Three figures that matter, whatever the unit.
#include "text/numbers.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace riffle::text {

std::string human_size(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  // From where it would be written as 1024.0 on: made inputs are a few bytes smaller than asked for.
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

}  // namespace riffle::text
