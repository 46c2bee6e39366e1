/// The whole answer in one call, of any input: counts, sums, and all the bytes.
#ifndef RIFFLE_COUNT_HPP
#define RIFFLE_COUNT_HPP

#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/scan.hpp>
#include <riffle/sum.hpp>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace riffle::inline v0 {

/// How a whole input is counted.
struct count_options {
  /// 0: as many as the machine runs at once. A thread takes the memory of one block: 4 MiB and 16 KiB for
  /// each of several, the method's own size for a single one, or `read_options::block_size`.
  unsigned threads = 1;
  /// If not null, it receives the count, also if reading fails: then that of the bytes before the failure, or
  /// of the whole splits of 4 MiB before it if there are several threads.
  std::uint64_t* counted = nullptr;
};

// Each of these reads the input to its end and returns the count. Throws `riffle::error` if the input cannot
// be opened or read. Regular files and memory are read by all threads at once, anything else by one at a
// time.

/// Returns how many newlines ('\n') there are, which is what `wc -l` calls lines:
/// `count_lines("access.log")`.
[[nodiscard]] RIFFLE_API std::uint64_t count_lines(const input& from, const count_options& options = {},
                                                   const read_options& reading = {});
/// Returns how many words there are: runs of bytes that are not white space of the C locale.
[[nodiscard]] RIFFLE_API std::uint64_t count_words(const input& from, const count_options& options = {},
                                                   const read_options& reading = {});
/// Returns how many UTF-8 characters there are: the bytes except the continuation bytes 0x80 to 0xBF.
[[nodiscard]] RIFFLE_API std::uint64_t count_utf8(const input& from, const count_options& options = {},
                                                  const read_options& reading = {});
/// Returns how often `byte` occurs.
[[nodiscard]] RIFFLE_API std::uint64_t count_byte(const input& from, char byte,
                                                  const count_options& options = {},
                                                  const read_options& reading = {});
/// Returns how many bytes are members of `set`.
[[nodiscard]] RIFFLE_API std::uint64_t count_any_of(const input& from, const byte_set& set,
                                                    const count_options& options = {},
                                                    const read_options& reading = {});
/// Returns how many bytes occur in `set`: `count_any_of("genome.fa", "cCgG")`.
[[nodiscard]] inline std::uint64_t count_any_of(const input& from, std::string_view set,
                                                const count_options& options = {},
                                                const read_options& reading = {}) {
  return count_any_of(from, byte_set(set), options, reading);
}

/// How the numbers of a whole input are summed.
struct sum_options {
  /// The byte order in the input; `std::endian::big` for network order.
  std::endian order = std::endian::native;
  /// As `count_options::threads`. Floats are added by one thread, because their sum depends on the order.
  unsigned threads = 1;
};

namespace detail {

RIFFLE_API sum_state sum_input(element kind, const input& from, const sum_options& options,
                               const read_options& reading);

}  // namespace detail

/// Returns the sum of the numbers of type `T` that the input consists of, as `summer<T>` defines it; 0 if it
/// is empty: `sum<std::uint64_t>("primes.dat")`.
///
/// Throws `riffle::error`: errc::sum_overflow if an integer sum does not fit sum_t<T>; errc::partial_value,
/// with the offset, if the input ends inside a number; and if the input cannot be opened or read.
template <summable T>
[[nodiscard]] sum_t<T> sum(const input& from, const sum_options& options = {},
                           const read_options& reading = {}) {
  return summer<T>(detail::sum_input(detail::element_of<T>, from, options, reading)).result();
}

/// Returns all the bytes of the input. It takes their size in memory, and one block.
///
/// Throws `riffle::error` if the input cannot be opened or read, or if the bytes do not fit into memory.
[[nodiscard]] RIFFLE_API std::string read_all(const input& from, const read_options& reading = {});

}  // namespace riffle::inline v0

#endif
