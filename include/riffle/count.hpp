/// Offers the answer for a whole input in one call: counts, sums, and all its bytes.
///
/// Each `count_*` reads the input to its end and returns a count. It throws `riffle::error` if the input
/// cannot be opened or read. All threads read a regular file, a block device or memory at once; other inputs
/// are read by one thread at a time.
///
/// Each `count_*_into` counts a source from which no block was taken, in splits that may be cut anywhere. Its
/// first argument receives the counts, also if reading fails: they are then those of the splits before the
/// failure, or with one thread, of the blocks before it.
#pragma once

#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>
#include <riffle/source.hpp>
#include <riffle/sum.hpp>

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace riffle::inline v0 {

/// Says how a whole input is counted. Use designated initialisers: `{.threads = 0}`.
struct count_options {
  /// Threads that count; 0: as many as the process runs at once. A single thread takes the memory of one
  /// block of the method. Each of several takes 4 MiB and 16 KiB, or `read_options::block_size`.
  unsigned threads = 1;
};

/// Returns the number of newlines ('\n'), which `wc -l` calls lines: `count_lines("access.log")`.
[[nodiscard]] RIFFLE_API std::uint64_t count_lines(const input& from, const count_options& options = {},
                                                   const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] std::uint64_t count_lines(const input& from, const Options& reading) {
  return count_lines(from, {}, reading);
}
/// Counts the newlines of a source into `total`.
RIFFLE_API void count_lines_into(std::uint64_t& total, source from, const thread_options& splitting = {});
/// Returns the number of words: runs of bytes that are not white space of the C locale.
[[nodiscard]] RIFFLE_API std::uint64_t count_words(const input& from, const count_options& options = {},
                                                   const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] std::uint64_t count_words(const input& from, const Options& reading) {
  return count_words(from, {}, reading);
}
/// Counts the words of a source into `total`.
RIFFLE_API void count_words_into(std::uint64_t& total, source from, const thread_options& splitting = {});
/// Returns the number of UTF-8 characters: the bytes except the continuation bytes 0x80 to 0xBF.
/// Exact for valid UTF-8.
[[nodiscard]] RIFFLE_API std::uint64_t count_utf8(const input& from, const count_options& options = {},
                                                  const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] std::uint64_t count_utf8(const input& from, const Options& reading) {
  return count_utf8(from, {}, reading);
}
/// Counts the UTF-8 characters of a source into `total`.
RIFFLE_API void count_utf8_into(std::uint64_t& total, source from, const thread_options& splitting = {});
/// Returns how often `byte` occurs.
[[nodiscard]] RIFFLE_API std::uint64_t count_byte(const input& from, char byte,
                                                  const count_options& options = {},
                                                  const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] std::uint64_t count_byte(const input& from, char byte, const Options& reading) {
  return count_byte(from, byte, {}, reading);
}
/// Counts the occurrences of `byte` of a source into `total`.
RIFFLE_API void count_byte_into(std::uint64_t& total, source from, char byte,
                                const thread_options& splitting = {});
/// Returns the number of bytes that are members of `set`: `count_any_of("genome.fa", "cCgG")`.
[[nodiscard]] RIFFLE_API std::uint64_t count_any_of(const input& from, const byte_set& set,
                                                    const count_options& options = {},
                                                    const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] std::uint64_t count_any_of(const input& from, const byte_set& set, const Options& reading) {
  return count_any_of(from, set, {}, reading);
}
/// Counts the members of `set` of a source into `total`.
RIFFLE_API void count_any_of_into(std::uint64_t& total, source from, const byte_set& set,
                                  const thread_options& splitting = {});

/// Holds how often each byte occurs: element 65 is the number of 'A'.
using byte_counts = std::array<std::uint64_t, 256>;

/// Returns how often each byte occurs, in one pass: `count_bytes("genome.fa")['A']`. If at most
/// eight different bytes occur, as in a genome, it takes half the time, or less.
[[nodiscard]] RIFFLE_API byte_counts count_bytes(const input& from, const count_options& options = {},
                                                 const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] byte_counts count_bytes(const input& from, const Options& reading) {
  return count_bytes(from, {}, reading);
}
/// Counts each byte of a source into `counts`.
RIFFLE_API void count_bytes_into(byte_counts& counts, source from, const thread_options& splitting = {});

/// Returns the number of lines that contain `text`: `count_lines_with("access.log", "timeout")`. Bytes are
/// compared as bytes. A last line without a newline counts too. Memory: a line of any length takes none.
///
/// Throws `riffle::error`: `errc::invalid_argument` if `text` is empty or holds a newline; another code if
/// the input cannot be opened or read.
[[nodiscard]] RIFFLE_API std::uint64_t count_lines_with(const input& from, std::string_view text,
                                                        const count_options& options = {},
                                                        const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] std::uint64_t count_lines_with(const input& from, std::string_view text,
                                             const Options& reading) {
  return count_lines_with(from, text, {}, reading);
}
/// Counts the lines that contain `text` of a source into `total`.
RIFFLE_API void count_lines_with_into(std::uint64_t& total, source from, std::string_view text,
                                      const thread_options& splitting = {});

/// Returns how often `text` occurs. Occurrences do not overlap: riffle searches on after the end of the last
/// one, so "aa" occurs once in "aaa", with any number of threads. `text` may hold newlines. Memory: 8 bytes
/// for each place of `text` in a split, but only where these overlap from its start on.
///
/// Throws `riffle::error`: `errc::invalid_argument` if `text` is empty; another code if the input cannot be
/// opened or read.
[[nodiscard]] RIFFLE_API std::uint64_t count_occurrences(const input& from, std::string_view text,
                                                         const count_options& options = {},
                                                         const read_options& reading = {});
template <std::same_as<read_options> Options = read_options>
[[nodiscard]] std::uint64_t count_occurrences(const input& from, std::string_view text,
                                              const Options& reading) {
  return count_occurrences(from, text, {}, reading);
}
/// Counts the occurrences of `text` of a source into `total`.
RIFFLE_API void count_occurrences_into(std::uint64_t& total, source from, std::string_view text,
                                       const thread_options& splitting = {});

/// Says how the numbers of a whole input are summed. Use designated initialisers.
struct sum_options {
  /// The byte order of the numbers in the input; `std::endian::big` is network order.
  std::endian order = std::endian::native;
  /// How many threads sum, as `count_options::threads`. One thread adds floats, because their sum depends on
  /// the order.
  unsigned threads = 1;
};

namespace detail {

RIFFLE_API sum_state sum_input(element kind, const input& from, const sum_options& options,
                               const read_options& reading);

}  // namespace detail

/// Returns the sum of the numbers of type `T` in an input: `sum<std::uint64_t>("primes.dat")`. An empty input
/// gives 0. `summer<T>` says how floats are rounded.
///
/// Throws `riffle::error`: `errc::sum_overflow` if an integer sum does not fit `sum_t<T>`;
/// `errc::partial_value`, with the offset of the number, if the input ends inside a number; another code if
/// the input cannot be opened or read.
template <summable T>
[[nodiscard]] sum_t<T> sum(const input& from, const sum_options& options = {},
                           const read_options& reading = {}) {
  return summer<T>(detail::sum_input(detail::element_of<T>, from, options, reading)).result();
}
template <summable T, std::same_as<read_options> Options = read_options>
[[nodiscard]] sum_t<T> sum(const input& from, const Options& reading) {
  return sum<T>(from, {}, reading);
}

/// Returns all bytes of an input. If its size is known beforehand, as for a file, this takes memory of that
/// size and one block. Else the string grows as it is read.
///
/// Throws `riffle::error` if the input cannot be opened or read, or with `std::errc::not_enough_memory` if
/// the bytes do not fit into memory.
[[nodiscard]] RIFFLE_API std::string read_all(const input& from, const read_options& reading = {});

}  // namespace riffle::inline v0
