/// The texts of the race of kernels, and loops that take a batch from a kernel and walk its matches.
#include "bench/kernels/work.hpp"

#include <riffle/detail/match_scan.hpp>
#include <riffle/detail/place_scan.hpp>

#include <algorithm>
#include <array>
#include <bit>

#include "bench/stats/random.hpp"

namespace riffle::bench {

namespace {

constexpr std::size_t batch_size = detail::batch_size;
constexpr std::size_t pattern = std::size_t{1} << 20U;  // repeated: random text takes long to make

/// Repeats what `add` adds to a text.
template <class Add>
std::string repeated(std::size_t size, Add add) {
  random_numbers random(1);
  std::string text;
  while (text.size() < std::min(size, pattern)) add(text, random);
  const std::size_t once = text.size();
  text.resize(size);
  for (std::size_t at = once; at < size; at += once) {
    text.replace(at, std::min(once, size - at), text, 0, std::min(once, size - at));
  }
  return text;
}

template <std::size_t mean>
std::string lines(std::size_t size) {
  return repeated(size, [](std::string& text, random_numbers& random) {
    const std::size_t end = text.size() + mean - mean / 4 + random.below(mean / 2 + 1) - 1;
    while (text.size() < end) text.append(1 + random.below(9), 'a').append(1, ' ');
    text.resize(end);
    text += '\n';
  });
}

/// 12 columns, of which every third is quoted, with a delimiter, a newline or two quotes in some.
std::string csv(std::size_t size) {
  return repeated(size, [](std::string& text, random_numbers& random) {
    for (std::size_t column = 0; column < 12; ++column) {
      const std::string value(1 + random.below(14), static_cast<char>('a' + column));
      static constexpr std::string_view inside[] = {"", "", "", ",", "\n", "\"\""};
      text += column % 3 == 0 ? '"' + value + std::string(inside[random.below(6)]) + '"' : value;
      text += column == 11 ? '\n' : ',';
    }
  });
}

/// Short words, one letter in 16 of two bytes.
std::string foreign_words(std::size_t size) {
  return repeated(size, [](std::string& text, random_numbers& random) {
    const std::size_t letter = random.below(16);
    text += letter == 0 ? "\xC3\xA9" : std::string(1, "eacegimot h\n,.GT"[letter]);
  });
}

/// Calls `take` with each batch of 4 KiB.
template <class Take>
void by_batches(std::string_view data, Take take) {
  for (; !data.empty(); data.remove_prefix(std::min(batch_size, data.size()))) {
    take(data.substr(0, batch_size));
  }
}

std::uint64_t find_lines(const kernel_pair& by, std::string_view data) {
  std::array<std::uint16_t, batch_size + detail::place_slack> places;
  std::uint64_t sum = 0;
  by_batches(data, [&](std::string_view batch) {
    const std::size_t found = by.library.match_delimiter(batch.data(), batch.size(), '\n', places.data());
    for (std::size_t i = 0; i != found; ++i) sum += static_cast<unsigned char>(batch[places[i] / 2]);
  });
  return sum;
}

std::uint64_t find_words(const kernel_pair& by, std::string_view data) {
  std::array<std::uint64_t, detail::batch_masks + 8> masks;
  std::uint64_t sum = 0;
  bool in_word = false;
  by_batches(data, [&](std::string_view batch) {
    std::uint64_t left = by.library.match_word_edges(batch.data(), batch.size(), in_word, masks.data());
    for (; left != 0; left &= left - 1) {
      for (std::uint64_t mask = masks[static_cast<std::size_t>(std::countr_zero(left))]; mask != 0;
           mask &= mask - 1) {
        sum = 31 * sum + static_cast<std::uint64_t>(std::countr_zero(mask));
      }
    }
  });
  return sum;
}

/// The lengths of the third field of each row, as `riffle::rows` finds it.
template <char quote>
std::uint64_t find_rows(const kernel_pair& by, std::string_view data) {
  std::array<std::uint64_t, batch_size + kernel::row_slack> ends;
  std::array<std::uint32_t, batch_size + kernel::row_slack> rows;
  constexpr kernel::row_bytes bytes{.field = ',', .row = '\n', .quote = quote};
  kernel::quote_state state;
  std::uint64_t sum = 0;
  std::uint64_t at = 0;
  by_batches(data, [&](std::string_view batch) {
    const auto match = [&] {
      if constexpr (quote == '\0') {
        return by.library.match_rows(batch.data(), batch.size(), bytes, at, ends.data(), rows.data());
      } else {
        return by.library.match_quoted_rows(batch.data(), batch.size(), bytes, state, at, ends.data(),
                                            rows.data());
      }
    };
    const kernel::row_matches found = match();
    std::size_t first = 0;
    for (std::size_t i = 0; i != found.rows; first = rows[i++]) {
      if (rows[i] - first > 2) sum += ends[first + 2] - ends[first + 1] - 1;
    }
    at += batch.size();
  });
  return sum;
}

template <class T, auto function>
std::uint64_t sum_of(const kernel_pair& by, std::string_view data) {
  return (by.library.*function)(data.data(), data.size() / sizeof(T)).low;
}

std::uint64_t add_doubles(const kernel_pair& by, std::string_view data) {
  std::array<double, kernel::float_lanes> lanes{};
  by.library.add_f64(data.data(), data.size() / sizeof(double), lanes.data());
  return std::bit_cast<std::uint64_t>(lanes[0]);
}

std::uint64_t valid_utf8(const kernel_pair& by, std::string_view data) {
  return by.library.valid_utf8(data.data(), data.size()).characters;
}

/// A text that is not there, as no line is empty; its bytes are.
std::uint64_t find_text(const kernel_pair& by, std::string_view data) {
  return by.library.find_text(data.data(), data.size(), kernel::plan("aa a\n\n"));
}

std::uint64_t words_of_utf8(const kernel_pair& by, std::string_view data) {
  bool in_word = false;
  return by.library.count_words_utf8(data.data(), data.size(), {}, in_word);
}

std::uint64_t find_wide_line(const kernel_pair& by, std::string_view data) {
  const kernel::column_bounds bounds{kernel::plan(byte_set("abcdefghimot ,.GT")), true};
  return by.library.find_wide_line(data.data(), data.size(), bounds, 1000);
}

std::uint64_t least_and_most(const kernel_pair& by, std::string_view data) {
  const auto found = std::get<cli::kernel::min_max_kernel<std::int32_t>>(by.tool.min_max)(
      data.data(), data.size() / sizeof(std::int32_t));
  return std::bit_cast<std::uint32_t>(found.min) + std::uint64_t{std::bit_cast<std::uint32_t>(found.max)};
}

template <auto function, auto... more>
std::uint64_t count(const kernel_pair& by, std::string_view data) {
  return (by.library.*function)(data.data(), data.size(), more...);
}

std::uint64_t count_set(const kernel_pair& by, std::string_view data) {
  return by.library.count_set(data.data(), data.size(), byte_set("cCgG"));
}

std::uint64_t words_of_set(const kernel_pair& by, std::string_view data) {
  bool in_word = false;
  return by.library.count_words_of_set(data.data(), data.size(), byte_set(" \n,"), in_word);
}

using table = kernel::table;
constexpr kernel_work works[] = {
    {"lines of 10 bytes", group::places, lines<10>, find_lines},
    {"lines of 4 KiB", group::places, lines<4096>, find_lines},
    {"lines of 67 bytes", group::places, lines<67>, find_lines},
    {"words", group::places, lines<67>, find_words},
    {"find a text", group::places, lines<67>, find_text},
    {"count a byte", group::counts, lines<67>, count<&table::count_byte, '\n'>},
    {"count of a set", group::counts, lines<67>, count_set},
    {"sum of u8", group::counts, lines<67>, sum_of<std::uint8_t, &table::sum_u8>},
    {"sum of i32", group::counts, lines<67>, sum_of<std::int32_t, &table::sum_i32>},
    {"sum of u64", group::counts, lines<67>, sum_of<std::uint64_t, &table::sum_u64>},
    {"count words", group::words, lines<67>, count<&table::count_words, false>},
    {"words of a set", group::words, lines<67>, words_of_set},
    {"sum of doubles", group::others, lines<67>, add_doubles},
    {"least and most i32", group::others, lines<67>, least_and_most},
    {"rows", group::rows, csv, find_rows<'\0'>},
    {"quoted rows", group::rows, csv, find_rows<'"'>},
    {"UTF-8 characters", group::utf8, foreign_words, valid_utf8},
    {"UTF-8 words", group::utf8, foreign_words, words_of_utf8},
    {"UTF-8 widest line", group::others, foreign_words, find_wide_line}};

}  // namespace

bool same_walks(group of, const kernel_pair& one, const kernel_pair& other) {
  const table& a = one.library;
  const table& b = other.library;
  const bool same[] = {
      static_cast<const kernel::place_walks&>(a) == b, static_cast<const kernel::row_walks&>(a) == b,
      static_cast<const kernel::count_walks&>(a) == b, static_cast<const kernel::word_walks&>(a) == b,
      static_cast<const kernel::utf8_walks&>(a) == b,  static_cast<const kernel::other_walks&>(a) == b};
  return same[static_cast<std::size_t>(of)];
}

std::span<const kernel_work> kernel_works() {
  return works;
}

}  // namespace riffle::bench
