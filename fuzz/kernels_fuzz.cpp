/// Any bytes between two guard pages through every kernel and all of riffle::scan give what plain loops give.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include <riffle/detail/place_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/scan.hpp>
#include <riffle/sum.hpp>

#include "cli/kernel/kernels.hpp"
#include "tests/support/guarded.hpp"

namespace {

using riffle::byte_set;
using riffle::kernel::table;
using tool_table = riffle::cli::kernel::table;

template <class Table>
void require(bool same, const Table& kernel, const char* what) {
  if (same) return;
  std::fprintf(stderr, "%s: %s differs from scalar\n", kernel.name, what);
  std::abort();
}

void compare_counts(const table& kernel, std::string_view data, const byte_set& set, char byte,
                    bool in_word) {
  const table& oracle = riffle::kernel::scalar();
  const char* const bytes = data.data();
  const std::size_t size = data.size();
  require(kernel.count_byte(bytes, size, byte) == oracle.count_byte(bytes, size, byte), kernel, "count_byte");
  require(kernel.count_set(bytes, size, set) == oracle.count_set(bytes, size, set), kernel, "count_set");
  require(kernel.count_words(bytes, size, in_word) == oracle.count_words(bytes, size, in_word), kernel,
          "count_words");
  require(kernel.count_utf8(bytes, size) == oracle.count_utf8(bytes, size), kernel, "count_utf8");
}

void compare_utf8(const table& kernel, std::string_view data) {
  const table& oracle = riffle::kernel::scalar();
  const char* const bytes = data.data();
  const std::size_t size = data.size();
  require(kernel.valid_utf8(bytes, size) == oracle.valid_utf8(bytes, size), kernel, "valid_utf8");
}

// Every third member of the groups is white space, or that of glibc.
void compare_words(const tool_table& kernel, std::string_view data, const byte_set& set, bool in_word,
                   bool every_third) {
  const tool_table& oracle = riffle::cli::kernel::scalar();
  const char* const bytes = data.data();
  const std::size_t size = data.size();
  riffle::cli::kernel::utf8_white_space white;
  if (every_third) {
    for (char32_t character = 0x80; character < 0x3010; character += 3) white.add(character);
  } else {
    for (const char32_t character : std::u32string_view(U"\u00A0\u1680\u2000\u2028\u205F\u2060\u3000")) {
      white.add(character);
    }
  }
  bool after = in_word;
  bool after_expected = in_word;
  require(kernel.count_words_utf8(bytes, size, white, after) ==
                  oracle.count_words_utf8(bytes, size, white, after_expected) &&
              after == after_expected,
          kernel, "count_words_utf8");
  after = after_expected = in_word;
  require(kernel.count_words_of_set(bytes, size, set, after) ==
                  oracle.count_words_of_set(bytes, size, set, after_expected) &&
              after == after_expected,
          kernel, "count_words_of_set");
}

// The bytes of `set` between those that are `byte`.
void compare_parts(const tool_table& kernel, std::string_view data, const byte_set& set, char byte) {
  const tool_table& oracle = riffle::cli::kernel::scalar();
  const std::size_t words = riffle::scan::mask_words(data.size());
  std::vector<std::uint64_t> bits(words);
  std::vector<std::uint64_t> ends(words);
  riffle::kernel::scalar().match_set(data.data(), data.size(), set, bits.data());
  riffle::kernel::scalar().match_byte(data.data(), data.size(), byte, ends.data());
  std::vector<std::uint32_t> counts(data.size() + 1);
  std::vector<std::uint32_t> expected(data.size() + 1);
  require(kernel.count_between(bits.data(), ends.data(), words, counts.data()) ==
                  oracle.count_between(bits.data(), ends.data(), words, expected.data()) &&
              counts == expected,
          kernel, "count_between");
}

// Bytes of the set take a column.
void compare_wide_lines(const tool_table& kernel, std::string_view data, const byte_set& set,
                        std::uint64_t columns) {
  byte_set others("\t\n");
  for (unsigned byte = 0; byte < 0x100; ++byte) {
    if (!set.contains(static_cast<char>(byte))) others.add(static_cast<char>(byte));
  }
  for (const bool utf8 : {false, true}) {
    const riffle::cli::kernel::column_bounds bounds{riffle::cli::kernel::plan(~others), utf8};
    require(kernel.find_wide_line(data.data(), data.size(), bounds, columns) ==
                riffle::cli::kernel::scalar().find_wide_line(data.data(), data.size(), bounds, columns),
            kernel, "find_wide_line");
  }
}

void compare_masks(const table& kernel, std::string_view data, const byte_set& set, char byte) {
  const table& oracle = riffle::kernel::scalar();
  std::vector<std::uint64_t> masks(riffle::scan::mask_words(data.size()));
  std::vector<std::uint64_t> expected(masks.size());
  kernel.match_byte(data.data(), data.size(), byte, masks.data());
  oracle.match_byte(data.data(), data.size(), byte, expected.data());
  require(masks == expected, kernel, "match_byte");
  kernel.match_set(data.data(), data.size(), set, masks.data());
  oracle.match_set(data.data(), data.size(), set, expected.data());
  require(masks == expected, kernel, "match_set");
}

void compare_batches(const table& kernel, std::string_view data, char byte, bool in_word) {
  const table& oracle = riffle::kernel::scalar();
  const std::string_view batch = data.substr(0, 4096);
  const auto places = [&](const table& by) {
    std::vector<std::uint16_t> found(batch.size() + riffle::detail::place_slack);
    found.resize(by.match_delimiter(batch.data(), batch.size(), byte, found.data()));
    return found;
  };
  require(places(kernel) == places(oracle), kernel, "match_delimiter");
  std::array<std::uint64_t, 64> masks{};
  std::array<std::uint64_t, 64> expected{};
  bool after = in_word;
  bool after_expected = in_word;
  require(kernel.match_word_edges(batch.data(), batch.size(), after, masks.data()) ==
                  oracle.match_word_edges(batch.data(), batch.size(), after_expected, expected.data()) &&
              masks == expected,
          kernel, "match_word_edges");
  require(after == after_expected, kernel, "match_word_edges: in_word");
}

void compare_sums(const table& kernel, std::string_view data) {
  const table& oracle = riffle::kernel::scalar();
  const char* const bytes = data.data();
  const std::size_t size = data.size();
  require(kernel.sum_i8(bytes, size) == oracle.sum_i8(bytes, size), kernel, "sum_i8");
  require(kernel.sum_u8(bytes, size) == oracle.sum_u8(bytes, size), kernel, "sum_u8");
  require(kernel.sum_i16(bytes, size / 2) == oracle.sum_i16(bytes, size / 2), kernel, "sum_i16");
  require(kernel.sum_u16(bytes, size / 2) == oracle.sum_u16(bytes, size / 2), kernel, "sum_u16");
  require(kernel.sum_i32(bytes, size / 4) == oracle.sum_i32(bytes, size / 4), kernel, "sum_i32");
  require(kernel.sum_u32(bytes, size / 4) == oracle.sum_u32(bytes, size / 4), kernel, "sum_u32");
  require(kernel.sum_i64(bytes, size / 8) == oracle.sum_i64(bytes, size / 8), kernel, "sum_i64");
  require(kernel.sum_u64(bytes, size / 8) == oracle.sum_u64(bytes, size / 8), kernel, "sum_u64");
}

// Of floats, -0 equals 0.
template <class... T>
void compare_min_max(const std::tuple<riffle::cli::kernel::min_max_kernel<T>...>& found,
                     const tool_table& kernel, std::string_view data) {
  const auto same = [data](auto found_by, auto expected_by, std::size_t size) {
    const auto one = found_by(data.data(), data.size() / size);
    const auto other = expected_by(data.data(), data.size() / size);
    return one.min == other.min && one.max == other.max;
  };
  const auto& expected = riffle::cli::kernel::scalar().min_max;
  (require(same(std::get<riffle::cli::kernel::min_max_kernel<T>>(found),
                std::get<riffle::cli::kernel::min_max_kernel<T>>(expected), sizeof(T)),
           kernel, "min_max"),
   ...);
}

void compare_floats(void (*add)(const char*, std::size_t, double*), const table& kernel,
                    void (*expected_add)(const char*, std::size_t, double*), const char* data,
                    std::size_t count) {
  std::array<double, riffle::kernel::float_lanes> lanes{};
  std::array<double, riffle::kernel::float_lanes> expected{};
  add(data, count, lanes.data());
  expected_add(data, count, expected.data());
  // A NaN equals nothing, and which NaN it is is left open.
  require(
      std::ranges::equal(lanes, expected, [](double a, double b) { return a == b || (a != a && b != b); }),
      kernel, "float lanes");
}

void require_scan(bool same, const char* what) {
  require(same, riffle::kernel::active(), what);
}

// The public functions, by the kernel in use, against plain loops.
void check_scan(std::string_view data, const byte_set& set, char byte, bool in_word, std::size_t from) {
  namespace scan = riffle::scan;
  const auto is_byte = [&](char c) { return c == byte; };
  const auto is_member = [&](char c) { return set.contains(c); };
  const auto first = [&](auto matches) {
    const auto found = std::find_if(data.begin() + static_cast<std::ptrdiff_t>(std::min(from, data.size())),
                                    data.end(), matches);
    return found == data.end() ? std::string_view::npos : static_cast<std::size_t>(found - data.begin());
  };
  const auto count = [&](auto matches) {
    return static_cast<std::uint64_t>(std::ranges::count_if(data, matches));
  };
  require_scan(scan::count_byte(data, byte) == count(is_byte), "scan::count_byte");
  require_scan(scan::count_lines(data) == count([](char c) { return c == '\n'; }), "scan::count_lines");
  require_scan(scan::count_any_of(data, set) == count(is_member), "scan::count_any_of");
  require_scan(scan::count_words(data, in_word) ==
                   riffle::kernel::scalar().count_words(data.data(), data.size(), in_word),
               "scan::count_words");
  require_scan(scan::count_utf8(data) == riffle::kernel::scalar().count_utf8(data.data(), data.size()),
               "scan::count_utf8");
  const std::size_t valid = riffle::kernel::scalar().valid_utf8(data.data(), data.size()).size;
  require_scan(scan::find_invalid_utf8(data) == (valid == data.size() ? std::string_view::npos : valid),
               "scan::find_invalid_utf8");
  require_scan(scan::find_byte(data, byte, from) == first(is_byte), "scan::find_byte");
  require_scan(scan::find_any_of(data, set, from) == first(is_member), "scan::find_any_of");
}

// `masks` may be fewer than the bytes need, or more: the words behind keep their values.
void check_scan_masks(std::string_view data, const byte_set& set, char byte, std::size_t words) {
  constexpr std::uint64_t untouched = 0x5A5A5A5A5A5A5A5A;
  const auto check = [&](auto match, auto matches, const char* what) {
    std::vector<std::uint64_t> masks(words, untouched);
    match(std::span(masks));
    std::vector<std::uint64_t> expected(words, untouched);
    std::fill_n(expected.begin(), std::min(words, riffle::scan::mask_words(data.size())), 0);
    for (std::size_t i = 0; i < std::min(data.size(), words * 64); ++i) {
      if (matches(data[i])) expected[i / 64] |= std::uint64_t{1} << i % 64;
    }
    require_scan(masks == expected, what);
  };
  check([&](auto masks) { riffle::scan::match_byte(data, byte, masks); }, [&](char c) { return c == byte; },
        "scan::match_byte");
  check([&](auto masks) { riffle::scan::match_any_of(data, set, masks); },
        [&](char c) { return set.contains(c); }, "scan::match_any_of");
}

// At any alignment, in pieces and at once.
template <class T>
void check_summer(std::string_view data, std::size_t cut) {
  riffle::summer<T> whole;
  riffle::summer<T> pieces;
  const std::string_view values = data.substr(0, data.size() / sizeof(T) * sizeof(T));
  whole.add_bytes(values);
  for (std::size_t place = 0; place < values.size(); place += cut)
    pieces.add_bytes(values.substr(place, cut));
  const auto result = [](const auto& sum) {
    std::array<char, 8> bytes{};
    try {
      const auto value = sum.result();
      std::memcpy(bytes.data(), &value, sizeof value);
    } catch (const riffle::error&) {
      bytes.fill('o');
    }
    return bytes;
  };
  require_scan(result(whole) == result(pieces), "summer");
}

void check_all(std::string_view data, const byte_set& set, char byte, bool in_word, std::size_t number) {
  for (const table* const kernel : riffle::kernel::available()) {
    compare_counts(*kernel, data, set, byte, in_word);
    compare_utf8(*kernel, data);
    compare_masks(*kernel, data, set, byte);
    compare_batches(*kernel, data, byte, in_word);
    compare_sums(*kernel, data);
    compare_floats(kernel->add_f32, *kernel, riffle::kernel::scalar().add_f32, data.data(), data.size() / 4);
    compare_floats(kernel->add_f64, *kernel, riffle::kernel::scalar().add_f64, data.data(), data.size() / 8);
    const tool_table& tool = riffle::cli::kernel::beside(*kernel);
    compare_words(tool, data, set, in_word, number % 2 == 1);
    compare_wide_lines(tool, data, set, number);
    compare_parts(tool, data, set, byte);
    compare_min_max(tool.min_max, tool, data);
  }
  check_scan(data, set, byte, in_word, number);
  check_scan_masks(data, set, byte, number % 80);
  check_summer<std::int8_t>(data, number + 1);
  check_summer<std::uint16_t>(data, number + 1);
  check_summer<std::int32_t>(data, number + 1);
  check_summer<std::uint64_t>(data, number + 1);
  check_summer<float>(data, number + 1);
  check_summer<double>(data, number + 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* input, std::size_t size) {
  if (size < 36) return 0;
  byte_set set;
  for (std::size_t i = 2; i < 2 + input[0] % 32U; ++i) set.add(static_cast<char>(input[i]));
  const char byte = static_cast<char>(input[1]);
  const bool in_word = (input[0] & 0x80U) != 0;
  const std::size_t number = input[33] + std::size_t{input[32]} % 4 * 256;
  // A text is repeated, so that short inputs reach the loops over pages too.
  constexpr std::array<std::size_t, 4> repeats{1, 2, 8, 32};
  const std::string_view text(reinterpret_cast<const char*>(input) + 34, size - 34);
  const std::size_t rest = std::min(text.size() * repeats[input[0] / 32U % 4], std::size_t{1} << 16U);
  static riffle::test::guarded memory(1 << 16);
  for (const std::span<char> place : {memory.first(rest), memory.last(rest)}) {
    for (std::size_t i = 0; i < rest; i += text.size()) {
      std::memcpy(place.data() + i, text.data(), std::min(text.size(), rest - i));
    }
    check_all({place.data(), rest}, set, byte, in_word, number);
  }
  return 0;
}
