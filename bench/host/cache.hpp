/// Whether a file is in the page cache, and how it got there, changes the
/// answer; so the state of the cache is made, and checked, before every run.
#ifndef RIFFLE_BENCH_HOST_CACHE_HPP
#define RIFFLE_BENCH_HOST_CACHE_HPP

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>

#include "bench/data/contender.hpp"

namespace riffle::bench {

/// Where the bytes are when a run begins.
enum class cache_mode : std::uint8_t {
  hot,      ///< in the page cache, put there by reading: readahead makes large folios
  written,  ///< in the page cache, put there by writing
  cold,     ///< on the device: evicted before every run
  uncached  ///< as cold, and riffle's rows leave nothing in the cache either
};

inline constexpr std::array all_cache_modes{cache_mode::hot, cache_mode::written, cache_mode::cold,
                                            cache_mode::uncached};

/// Whether the bytes are in the page cache when a run begins; else each run waits for the device.
constexpr bool is_cached(cache_mode mode) noexcept {
  return mode == cache_mode::hot || mode == cache_mode::written;
}

/// "hot", "written", "cold" or "uncached".
std::string_view name_of(cache_mode mode) noexcept;
/// The mode of that name; nothing when there is none.
std::optional<cache_mode> cache_mode_named(std::string_view name) noexcept;
/// One clause for headings: "in the page cache, filled by reading".
std::string_view description_of(cache_mode mode) noexcept;

/// Brings the files into the state, once: written files are written anew, by themselves. Returns what has to
/// be called before each run: it evicts the files, or looks whether they are still in the cache and fills it
/// again where the system has evicted some; it may do so while a run lasts, which its `bytes_read` shows.
/// Both throw riffle::error, which names the file, where that state cannot be had: a file that stays in the
/// cache (on tmpfs, or mapped or dirty elsewhere) cannot be cold; and where someone else changed the file, as
/// what was measured before and after cannot be compared.
std::function<void()> prepare_cache(cache_mode mode, input_files files);

}  // namespace riffle::bench

#endif
