/// Sizes, times and numbers as people read them, and as the command line takes them.
#ifndef RIFFLE_TEXT_NUMBERS_HPP
#define RIFFLE_TEXT_NUMBERS_HPP

#include <cstddef>
#include <cstdint>
#include <string>

namespace riffle::text {

inline constexpr std::size_t kib = 1024;
inline constexpr std::size_t mib = 1024 * kib;

/// "1.0 KiB", "953.7 MiB"
std::string human_size(std::uint64_t bytes);
/// "512", "4K", "64K", "1M": a size as it is written on the command line.
std::string short_size(std::uint64_t bytes);
/// "12.3 us", "4.56 ms", "7.89 s": three figures that matter.
std::string human_seconds(double seconds);
/// "8.00", "12.3", "0.025": three figures that matter, in at most five columns up to 99999.
std::string short_number(double value);
/// "1,030"; "0" for an infinity or a NaN.
std::string with_commas(double whole_number);

}  // namespace riffle::text

#endif
