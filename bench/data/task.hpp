/// A task is the work done; every contender of a task must give the same answer.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>

#include "bench/data/enum_names.hpp"

namespace riffle::bench {

/// The work done. Every task adds over several files: its answer is the sum of the files' answers.
enum class task : std::uint8_t {
  gc,      ///< count the bytes c, C, g and G; no sum
  lines,   ///< count lines (a last one without a newline too) and sum their lengths without the newline
  words,   ///< count runs of bytes that are not C-locale white space; no sum
  ints,    ///< Lemire's arrays (an int32 length, then so many int32): count arrays; even elements added once,
           ///< odd twice
  primes,  ///< count 64-bit values and sum them, modulo 2^64
  commands  ///< run commands of the user's: the bytes of their output, and its digest
};

/// Those that the benchmark has contenders for.
inline constexpr std::array all_tasks{task::gc, task::lines, task::words, task::ints, task::primes};

template <>
inline constexpr std::array<named_value, all_tasks.size() + 1> named_values<task>{{
    {"gc", "count c, C, g and G"},
    {"lines", "count lines and sum their lengths"},
    {"words", "count words"},
    {"ints", "weigh arrays of 32-bit integers"},
    {"primes", "count and sum 64-bit values"},
    {"commands", "run each from its start to its end"},
}};

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

struct answer {
  std::uint64_t count = 0;
  std::uint64_t sum = 0;
  friend bool operator==(const answer&, const answer&) = default;
  answer& operator+=(const answer& other) noexcept {
    count += other.count;
    sum += other.sum;
    return *this;
  }
  friend answer operator+(answer a, const answer& b) noexcept { return a += b; }
};

using input_files = std::span<const std::filesystem::path>;

}  // namespace riffle::bench
