/// Lists every SIMD kernel as a call whose whole output can be compared: for the tests and a fuzz target.
#pragma once

#include <riffle/detail/place_scan.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "cli/kernel/kernels.hpp"
#include "tests/support/guarded.hpp"

namespace riffle::test {

using library_kernels = kernel::table;

/// Holds the tables of one instruction set.
struct kernel_tables {
  explicit kernel_tables(const library_kernels& of) : library(of), tool(cli::kernel::beside(of)) {}
  const library_kernels& library;
  const cli::kernel::table& tool;
};

/// Holds what a call gets. Each call takes what it needs.
struct arguments {
  std::string_view text;
  byte_set set = {};
  char byte = 'a';
  bool in_word = false;
  std::size_t number = 66;  // columns, bytes in a piece, or which white space
  std::string_view start = "a";

  const char* data() const { return text.data(); }
  std::size_t size() const { return text.size(); }
};

using output = std::vector<std::uint64_t>;

struct kernel_call {
  std::string_view name;
  output (*make)(const kernel_tables& by, const arguments& of);
};

inline constexpr std::u32string_view wide_spaces =
    U"\u0085\u00A0\u1680\u2000\u2001\u2006\u2007\u2008\u2009\u200A\u2028\u2029\u202F\u205F\u2060\u3000";

namespace calls {

/// Returns what `write` writes to `size` elements, and the one past them, which it must not touch.
template <class T = std::uint64_t, class Write>
output written(std::size_t size, Write write) {
  std::vector<T> all(size + 1, static_cast<T>(0x5A5A5A5A5A5A5A5A));
  write(all.data());
  return {all.begin(), all.end()};
}

template <auto function, auto... more>
output masks(const kernel_tables& by, const arguments& of) {
  return written(detail::mask_words(of.size()),
                 [&](std::uint64_t* to) { (by.library.*function)(of.data(), of.size(), of.*more..., to); });
}

template <auto function, auto... more>
output count(const kernel_tables& by, const arguments& of) {
  return {(by.library.*function)(of.data(), of.size(), of.*more...)};
}

inline output places(const kernel_tables& by, const arguments& of) {
  std::size_t count = 0;
  const std::string_view batch = of.text.substr(0, 4096);
  output all = written<std::uint16_t>(batch.size() + detail::place_slack, [&](std::uint16_t* to) {
    count = by.library.match_delimiter(batch.data(), batch.size(), of.byte, to);
  });
  all.erase(all.begin() + static_cast<std::ptrdiff_t>(count), all.end() - 1);
  return all;
}

inline output word_edges(const kernel_tables& by, const arguments& of) {
  const std::string_view batch = of.text.substr(0, 4096);
  bool in_word = of.in_word;
  std::uint64_t occupied = 0;
  output all = written((detail::mask_words(batch.size()) + 7) / 8 * 8, [&](std::uint64_t* to) {
    occupied = by.library.match_word_edges(batch.data(), batch.size(), in_word, to);
  });
  all.insert(all.end(), {occupied, std::uint64_t{in_word}});
  return all;
}

/// Matches pieces of `of.number` bytes. Returns the place of the first bad byte, how many ends of fields and
/// rows there are, these ends, and for each piece which 64 bytes have doubled quotes.
template <kernel::row_bytes bytes>
output rows(const kernel_tables& by, const arguments& of) {
  const std::size_t piece = std::max<std::size_t>(of.number, 1);
  output ends;
  output row_ends;
  output doubled;
  std::vector<std::uint64_t> to(std::min(piece, of.size()) + kernel::row_slack);
  std::vector<std::uint32_t> rows_to(to.size());
  kernel::quote_state state;
  std::size_t at = 0;
  for (std::size_t begin = 0; at == begin && begin < of.size(); begin += piece) {
    const std::string_view part = of.text.substr(begin, piece);
    const auto found =
        bytes.quote == '\0'
            ? by.library.match_rows(part.data(), part.size(), bytes, begin, to.data(), rows_to.data())
            : by.library.match_quoted_rows(part.data(), part.size(), bytes, state, begin, to.data(),
                                           rows_to.data());
    for (std::size_t i = 0; i < found.rows; ++i) row_ends.push_back(rows_to[i] + ends.size());
    ends.insert(ends.end(), to.data(), to.data() + found.ends);
    doubled.push_back(found.doubled);
    at += found.size;
  }
  output all{at, ends.size(), row_ends.size()};
  for (const output& part : {ends, row_ends, doubled}) all.insert(all.end(), part.begin(), part.end());
  return all;
}

inline output valid_utf8(const kernel_tables& by, const arguments& of) {
  const kernel::utf8_prefix prefix = by.library.valid_utf8(of.data(), of.size());
  return {prefix.size, prefix.characters};
}

/// Looks for each of some parts of the text, and for one that is not there.
template <bool any_case>
output found(const kernel_tables& by, const arguments& of) {
  output all;
  for (std::size_t size = 1; size <= std::min<std::size_t>(of.size(), 300); size += 1 + size * 3 / 4) {
    const std::size_t place = (of.size() - size) * (of.number % 4) / 4;
    std::string text(of.text.substr(place, size));
    for (const char last : {text.back(), of.byte}) {
      text.back() = last;
      if (any_case) std::ranges::transform(text, text.begin(), cli::kernel::lower);
      const auto find = any_case ? by.tool.find_any_case : by.library.find_text;
      all.push_back(find(of.data(), of.size(), kernel::plan(std::string_view(text))));
    }
  }
  return all;
}

template <class T, auto function>
output sum(const kernel_tables& by, const arguments& of) {
  const kernel::wide total = (by.library.*function)(of.data(), of.size() / sizeof(T));
  return {total.low, total.high};
}

/// Of floats, 0 and -0 are equal, and so are all NaNs.
template <class T>
std::uint64_t bits_of(T value) {
  if constexpr (std::is_integral_v<T>) return static_cast<std::uint64_t>(value);
  return value == value ? std::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0) : ~std::uint64_t{0};
}

template <class T, auto function>
output float_lanes(const kernel_tables& by, const arguments& of) {
  std::array<double, kernel::float_lanes> lanes{};
  lanes.fill(0.1);
  (by.library.*function)(of.data(), of.size() / sizeof(T), lanes.data());
  output all;
  for (const double lane : lanes) all.push_back(bits_of(lane));
  return all;
}

/// Writes beside a guard page.
template <std::size_t element, auto function>
output reversed(const kernel_tables& by, const arguments& of) {
  constexpr std::size_t most = std::size_t{1} << 16U;
  static guarded memory(most);
  const std::size_t size = std::min(of.size(), most) / element * element;
  const std::span<char> to = of.in_word ? memory.first(size) : memory.last(size);
  (by.library.*function)(of.data(), size, to.data());
  return {to.begin(), to.end()};
}

/// The first half of the text is the bits, and the second their ends.
inline output between(const kernel_tables& by, const arguments& of) {
  const std::size_t words = of.size() / 16;
  std::vector<std::uint64_t> bits(2 * words + 1);
  std::ranges::copy(of.text.substr(0, words * 16), reinterpret_cast<char*>(bits.data()));
  const std::uint64_t* const ends = bits.data() + words;
  std::size_t parts = 1;
  for (std::size_t i = 0; i != words; ++i) parts += static_cast<std::size_t>(std::popcount(ends[i]));
  std::size_t found = 0;
  output all = written<std::uint32_t>(
      parts, [&](std::uint32_t* to) { found = by.tool.count_between(bits.data(), ends, words, to); });
  all.push_back(found);
  return all;
}

inline output words_of_set(const kernel_tables& by, const arguments& of) {
  bool in_word = of.in_word;
  const std::uint64_t count = by.library.count_words_of_set(of.data(), of.size(), of.set, in_word);
  return {count, std::uint64_t{in_word}};
}

/// White space is all that is known, every third character of a group, or that of glibc.
inline output words_of_utf8(const kernel_tables& by, const arguments& of) {
  static const auto some = [] {
    std::array<kernel::utf8_white_space, 3> made;
    for (const char32_t character : wide_spaces) made[0].add(character);
    for (char32_t character = 0x80; character < 0x3010; character += 3) made[1].add(character);
    for (const char32_t character :
         {U'\u00A0', U'\u1680', U'\u2000', U'\u2028', U'\u205F', U'\u2060', U'\u3000'})
      made[2].add(character);
    return made;
  }();
  bool in_word = of.in_word;
  const auto& white = some.at(of.number % some.size());
  const std::uint64_t count = by.library.count_words_utf8(of.data(), of.size(), white, in_word);
  return {count, std::uint64_t{in_word}};
}

template <bool utf8>
output wide_line(const kernel_tables& by, const arguments& of) {
  byte_set others = ~of.set;
  for (const char apart : {'\t', '\n'}) others.add(apart);
  return {by.library.find_wide_line(of.data(), of.size(), {kernel::plan(~others), utf8}, of.number)};
}

inline output extremes(const kernel_tables& by, const arguments& of) {
  output all;
  const auto find = [&]<class T>(cli::kernel::min_max<T> (*kernel)(const char*, std::size_t)) {
    const auto found = kernel(of.data(), of.size() / sizeof(T));
    all.insert(all.end(), {bits_of(found.min), bits_of(found.max)});
  };
  std::apply([&](auto... kernels) { (find(kernels), ...); }, by.tool.min_max);
  return all;
}

/// Looks for `of.start` after each delimiter, for the first texts of some sizes that follow one, and for some
/// that do not.
inline output line_starts(const kernel_tables& by, const arguments& of) {
  output all;
  const auto count = [&](std::string_view text) {
    const auto found = by.tool.count_line_starts(of.data(), of.size(), of.byte, text);
    all.insert(all.end(), {found.ends, found.starts});
  };
  const char other = static_cast<char>(of.byte + 1);
  for (const std::string& text :
       {std::string(1, other), std::string(1, '\0') + other, std::string(3, other)}) {
    if (text.find(of.byte) == std::string::npos) count(text);
  }
  if (of.start.find(of.byte) == std::string_view::npos) count(of.start);
  const std::string_view line = of.text.substr(std::min(of.text.find(of.byte) + 1, of.size()));
  for (const std::size_t size : {1U, 2U, 7U, 63U, 64U, 65U}) {
    const std::string_view text = line.substr(0, std::min(size, line.find(of.byte)));
    if (!text.empty()) count(text);
  }
  return all;
}

}  // namespace calls

inline constexpr auto kernel_calls = std::to_array<kernel_call>({
    {"match_byte", calls::masks<&library_kernels::match_byte, &arguments::byte>},
    {"match_set", calls::masks<&library_kernels::match_set, &arguments::set>},
    {"match_delimiter", calls::places},
    {"match_word_edges", calls::word_edges},
    {"match_rows", calls::rows<{',', '\n'}>},
    {"match_rows strict", calls::rows<{',', '\n', '"'}>},
    {"match_rows strict by CR", calls::rows<{'\r', '\n', '"'}>},
    {"match_rows lax", calls::rows<{',', '\n', '"', true}>},
    {"match_rows lax by CR", calls::rows<{'\r', '\n', '"', true}>},
    {"count_byte", calls::count<&library_kernels::count_byte, &arguments::byte>},
    {"count_set", calls::count<&library_kernels::count_set, &arguments::set>},
    {"count_words", calls::count<&library_kernels::count_words, &arguments::in_word>},
    {"count_utf8", calls::count<&library_kernels::count_utf8>},
    {"valid_utf8", calls::valid_utf8},
    {"find_text", calls::found<false>},
    {"find_any_case", calls::found<true>},
    {"sum_i8", calls::sum<std::int8_t, &library_kernels::sum_i8>},
    {"sum_u8", calls::sum<std::uint8_t, &library_kernels::sum_u8>},
    {"sum_i16", calls::sum<std::int16_t, &library_kernels::sum_i16>},
    {"sum_u16", calls::sum<std::uint16_t, &library_kernels::sum_u16>},
    {"sum_i32", calls::sum<std::int32_t, &library_kernels::sum_i32>},
    {"sum_u32", calls::sum<std::uint32_t, &library_kernels::sum_u32>},
    {"sum_i64", calls::sum<std::int64_t, &library_kernels::sum_i64>},
    {"sum_u64", calls::sum<std::uint64_t, &library_kernels::sum_u64>},
    {"add_f32", calls::float_lanes<float, &library_kernels::add_f32>},
    {"add_f64", calls::float_lanes<double, &library_kernels::add_f64>},
    {"reverse_16", calls::reversed<2, &library_kernels::reverse_16>},
    {"reverse_32", calls::reversed<4, &library_kernels::reverse_32>},
    {"reverse_64", calls::reversed<8, &library_kernels::reverse_64>},
    {"between", calls::between},
    {"count_words_of_set", calls::words_of_set},
    {"words_of_utf8", calls::words_of_utf8},
    {"find_wide_line of bytes", calls::wide_line<false>},
    {"find_wide_line of UTF-8", calls::wide_line<true>},
    {"min_max", calls::extremes},
    {"line_starts", calls::line_starts},
});

}  // namespace riffle::test
