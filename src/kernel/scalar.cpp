/// Plain loops: tests compare every SIMD kernel with them, and a processor without a SIMD kernel runs them.
#include <algorithm>
#include <concepts>
#include <cstring>

#include "kernel/kernels.hpp"

namespace riffle::inline v0::kernel {

namespace {

template <class Matches>
void match(const char* data, std::size_t size, std::uint64_t* masks, Matches matches) {
  std::fill_n(masks, (size + 63) / 64, std::uint64_t{0});
  for (std::size_t i = 0; i < size; ++i) masks[i / 64] |= std::uint64_t{matches(data[i])} << (i % 64);
}

template <class Matches>
std::uint64_t count(const char* data, std::size_t size, Matches matches) {
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < size; ++i) total += std::uint64_t{matches(data[i])};
  return total;
}

void match_byte(const char* data, std::size_t size, char byte, std::uint64_t* masks) {
  match(data, size, masks, [byte](char c) { return c == byte; });
}

void match_set(const char* data, std::size_t size, const byte_set& set, std::uint64_t* masks) {
  match(data, size, masks, [&set](char c) { return set.contains(c); });
}

// Returns which masks of a batch are not 0, and writes zeros after them up to a multiple of 8.
std::uint64_t occupied(std::uint64_t* masks, std::size_t count) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < count; ++i) bits |= std::uint64_t{masks[i] != 0} << i;
  for (; count % 8 != 0; ++count) masks[count] = 0;
  return bits;
}

std::size_t match_delimiter(const char* data, std::size_t size, char byte, std::uint16_t* places) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < size; ++i) {
    places[count] = static_cast<std::uint16_t>(i);  // without a branch, which would be mispredicted often
    count += std::size_t{data[i] == byte};
  }
  return count;
}

std::uint64_t match_word_edges(const char* data, std::size_t size, bool& in_word, std::uint64_t* masks) {
  match(data, size, masks, [&in_word](char c) {
    const bool before = in_word;
    in_word = !word_separators.contains(c);
    return in_word != before;
  });
  return occupied(masks, detail::mask_words(size));
}

// Notes the end of a field, and of a row if `bytes` says so.
void note_end(row_matches& found, char c, std::uint64_t end, row_bytes bytes, std::uint64_t* ends,
              std::uint32_t* rows) {
  ends[found.ends++] = end;
  if (c == bytes.row) rows[found.rows++] = static_cast<std::uint32_t>(found.ends);
}

row_matches match_rows(const char* data, std::size_t size, row_bytes bytes, std::uint64_t base,
                       std::uint64_t* ends, std::uint32_t* rows) {
  row_matches found{size, 0, 0};
  for (std::size_t i = 0; i < size; ++i) {
    if (data[i] == bytes.field || data[i] == bytes.row) note_end(found, data[i], base + i, bytes, ends, rows);
  }
  return found;
}

// Whether `c` may follow the bytes that `state` tells of.
bool may_follow(const quote_state& state, char c, row_bytes bytes) {
  const bool delimiter = c == bytes.field || c == bytes.row;
  if (state.cr != 0) return c == bytes.row;
  if (state.closed != 0) return delimiter || c == bytes.quote || c == '\r';
  return c != bytes.quote || state.inside != 0 || state.may_open != 0;
}

row_matches match_quoted_rows(const char* data, std::size_t size, row_bytes bytes, quote_state& state,
                              std::uint64_t base, std::uint64_t* ends, std::uint32_t* rows) {
  row_matches found{size, 0, 0};
  quote_state at = state;
  for (std::size_t i = 0; i < size; ++i) {
    const char c = data[i];
    const bool follows = may_follow(at, c, bytes);
    if (!follows && !bytes.lax) {
      found.size = i;
      return found;
    }
    const bool quote = c == bytes.quote && (at.inside | at.may_open) != 0;
    const bool delimiter = c == bytes.field || c == bytes.row;
    if (!follows || (quote && at.closed != 0))
      found.doubled |= std::uint64_t{1} << std::min<std::size_t>(i / 64, 63);
    if (delimiter && at.inside == 0) note_end(found, c, base + i, bytes, ends, rows);
    at.cr = std::uint64_t{at.closed != 0 && c == '\r' && !delimiter};
    at.inside ^= std::uint64_t{quote};
    at.closed = std::uint64_t{quote && at.inside == 0};
    at.may_open = std::uint64_t{quote || delimiter};
  }
  state = at;
  return found;
}

std::uint64_t count_byte(const char* data, std::size_t size, char byte) {
  return count(data, size, [byte](char c) { return c == byte; });
}

std::uint64_t count_set(const char* data, std::size_t size, const byte_set& set) {
  return count(data, size, [&set](char c) { return set.contains(c); });
}

std::uint64_t count_words(const char* data, std::size_t size, bool in_word) {
  return count(data, size, [in_word](char c) mutable {
    const bool was_in_word = in_word;
    in_word = !word_separators.contains(c);
    return in_word && !was_in_word;
  });
}

std::uint64_t count_utf8(const char* data, std::size_t size) {
  return count(data, size, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
}

utf8_prefix valid_utf8(const char* data, std::size_t size) {
  utf8_prefix valid;
  while (const std::size_t character = scan::decode_utf8({data + valid.size, size - valid.size}).size) {
    valid.size += character;
    ++valid.characters;
  }
  return valid;
}

std::size_t find_text(const char* data, std::size_t size, const text_plan& text) {
  return std::min(std::string_view(data, size).find(text.bytes), size);
}

template <class T>
T element(const char* data, std::size_t i) {
  T value;
  std::memcpy(&value, data + i * sizeof(T), sizeof(T));
  return value;
}

template <std::signed_integral T>
wide sum(const char* data, std::size_t count) {
  wide total;
  for (std::size_t i = 0; i < count; ++i) total += widened(element<T>(data, i));
  return total;
}

template <std::unsigned_integral T>
wide sum(const char* data, std::size_t count) {
  wide total;
  for (std::size_t i = 0; i < count; ++i) total += wide{element<T>(data, i), 0};
  return total;
}

template <std::floating_point T>
void add(const char* data, std::size_t count, double* lanes) {
  for (std::size_t i = 0; i < count; ++i) lanes[i % float_lanes] += static_cast<double>(element<T>(data, i));
}

template <std::size_t element>
void reverse(const char* from, std::size_t size, char* to) {
  for (std::size_t i = 0; i < size; i += element) std::reverse_copy(from + i, from + i + element, to + i);
}

std::uint64_t count_words_of_set(const char* data, std::size_t size, const byte_set& white, bool& in_word) {
  std::uint64_t words = 0;
  for (const char c : std::string_view(data, size)) {
    const bool was_in_word = in_word;
    in_word = !white.contains(c);
    if (in_word && !was_in_word) ++words;
  }
  return words;
}

std::uint64_t count_words_utf8(const char* data, std::size_t size, const utf8_white_space& white,
                               bool& in_word) {
  std::uint64_t words = 0;
  for (std::string_view left(data, size); !left.empty();) {
    const std::size_t long_white = white.size_at(left);
    const bool is_word = long_white == 0 && !word_separators.contains(left.front());
    if (is_word && !in_word) ++words;
    in_word = is_word;
    left.remove_prefix(std::max<std::size_t>(long_white, 1));
  }
  return words;
}

std::size_t find_wide_line(const char* data, std::size_t size, const column_bounds& bounds,
                           std::uint64_t columns) {
  std::uint64_t bound = 0;
  unsigned before = 0;
  for (std::size_t i = 0; i < size; ++i) {
    const unsigned byte = static_cast<unsigned char>(data[i]);
    const bool second_of_four = bounds.utf8 && before >= 0xF0 && byte >> 6U == 2;
    before = byte;
    if (data[i] == '\n') {
      if (bound > columns) return i;
      bound = 0;
    } else if (data[i] == '\t') {
      bound += 8;
    } else if (bounds.ones.rows_contain(data[i]) && !second_of_four) {
      ++bound;
    }
  }
  return size;
}

constexpr table scalar_table{
    place_walks{.match_byte = match_byte,
                .match_set = match_set,
                .match_delimiter = match_delimiter,
                .match_word_edges = match_word_edges,
                .find_text = find_text},
    row_walks{.match_rows = match_rows, .match_quoted_rows = match_quoted_rows},
    count_walks{.count_byte = count_byte,
                .count_set = count_set,
                .count_utf8 = count_utf8,
                .sum_i8 = sum<std::int8_t>,
                .sum_u8 = sum<std::uint8_t>,
                .sum_i16 = sum<std::int16_t>,
                .sum_u16 = sum<std::uint16_t>,
                .sum_i32 = sum<std::int32_t>,
                .sum_u32 = sum<std::uint32_t>,
                .sum_i64 = sum<std::int64_t>,
                .sum_u64 = sum<std::uint64_t>},
    word_walks{.count_words = count_words, .count_words_of_set = count_words_of_set},
    utf8_walks{.count_words_utf8 = count_words_utf8, .valid_utf8 = valid_utf8},
    other_walks{.find_wide_line = find_wide_line,
                .add_f32 = add<float>,
                .add_f64 = add<double>,
                .reverse_16 = reverse<2>,
                .reverse_32 = reverse<4>,
                .reverse_64 = reverse<8>},
    "scalar",
    "scalar",
    {},
};

}  // namespace

const table& scalar() noexcept {
  return scalar_table;
}

}  // namespace riffle::inline v0::kernel
