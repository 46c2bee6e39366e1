/// The names of the states of the page cache, in the order of their enumeration.
#include "bench/data/cache_mode.hpp"

namespace riffle::bench {

namespace {

struct mode_info {
  std::string_view name;
  std::string_view description;
};

constexpr std::array<mode_info, all_cache_modes.size()> modes{{
    {"hot", "in the page cache, filled by reading"},
    {"written", "in the page cache, filled by writing"},
    {"cold", "evicted from the page cache before every run"},
}};

const mode_info& info_of(cache_mode mode) noexcept {
  return modes[static_cast<std::size_t>(mode)];
}

}  // namespace

std::string_view name_of(cache_mode mode) noexcept {
  return info_of(mode).name;
}

std::optional<cache_mode> cache_mode_named(std::string_view name) noexcept {
  for (const cache_mode mode : all_cache_modes) {
    if (name_of(mode) == name) return mode;
  }
  return std::nullopt;
}

std::string_view description_of(cache_mode mode) noexcept {
  return info_of(mode).description;
}

}  // namespace riffle::bench
