/// The states of the page cache in which a task can be measured.
#ifndef RIFFLE_BENCH_DATA_CACHE_MODE_HPP
#define RIFFLE_BENCH_DATA_CACHE_MODE_HPP

#include <array>
#include <cstdint>

#include "bench/data/enum_names.hpp"

namespace riffle::bench {

/// Where the bytes are when a run begins.
enum class cache_mode : std::uint8_t {
  hot,      ///< in the page cache, put there by reading: readahead makes large folios
  written,  ///< in the page cache, put there by writing
  cold      ///< on the device: evicted before every run
};

inline constexpr std::array all_cache_modes{cache_mode::hot, cache_mode::written, cache_mode::cold};

/// Whether the bytes are in the page cache when a run begins; else each run waits for the device.
constexpr bool is_cached(cache_mode mode) noexcept {
  return mode == cache_mode::hot || mode == cache_mode::written;
}

template <>
inline constexpr std::array<named_value, all_cache_modes.size()> named_values<cache_mode>{{
    {"hot", "in the page cache, filled by reading"},
    {"written", "in the page cache, filled by writing"},
    {"cold", "evicted from the page cache before every run"},
}};

}  // namespace riffle::bench

#endif
