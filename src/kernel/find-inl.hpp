/// SIMD kernels that find a text, and lines which could take more columns than others.
#include <bit>

#include "kernel/kernels.hpp"
#include "kernel/plans.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

struct same_bytes {
  HWY_INLINE bool operator()(const char* at, std::string_view text) const {
    return std::memcmp(at, text.data(), text.size()) == 0;
  }
};

/// Returns the first of the places whose bits are set where `same` finds the text; 64 if it stands at none.
template <class Same>
HWY_INLINE std::size_t first_whole(const char* data, std::uint64_t candidates, std::string_view text,
                                   Same same) {
  for (; candidates != 0; candidates &= candidates - 1) {
    const auto place = static_cast<std::size_t>(std::countr_zero(candidates));
    if (same(data + place, text)) return place;
  }
  return 64;
}

/// Finds a text that is not larger than the data, by what matches two of its bytes.
template <prefetching by, class Matches, class Same>
HWY_INLINE std::size_t find_text_by(const char* data, std::size_t size, const text_plan& text,
                                    const Matches& is_one, const Matches& is_other, Same same) {
  const std::size_t places = size - text.bytes.size() + 1;
  const auto* const one = reinterpret_cast<const std::uint8_t*>(data) + text.one;
  const auto* const other = reinterpret_cast<const std::uint8_t*>(data) + text.other;
  std::size_t at = 0;
  for (; places - at >= 64; at += 64) {
    prefetch<by>(one + at);
    std::uint64_t candidates = 0;
    for (std::size_t i = 0; i < 64; i += vector_size) {
      candidates |= to_bits(hn::And(is_one(load(one + at + i)), is_other(load(other + at + i)))) << i;
    }
    if (HWY_UNLIKELY(candidates != 0)) {
      const std::size_t found = first_whole(data + at, candidates, text.bytes, same);
      if (found != 64) return at + found;
    }
  }
  if (at == places) return size;
  const std::size_t rest = places - at;
  const std::uint64_t candidates =
      match_rest(is_one, one, places, rest) & match_rest(is_other, other, places, rest);
  const std::size_t found = first_whole(data + at, candidates, text.bytes, same);
  return found == 64 ? size : at + found;
}

template <prefetching by>
inline std::size_t find_text(const char* data, std::size_t size, const text_plan& text) {
  if (text.bytes.size() > size) return size;
  return find_text_by<by>(data, size, text, one_byte(text.bytes[text.one]), one_byte(text.bytes[text.other]),
                          same_bytes());
}

/// Takes 64 bytes at a time, as masks.
struct wide_line_search {
  HWY_INLINE wide_line_search(const column_bounds& bounds, std::uint64_t most)
      : ones(bounds.ones), newline('\n'), tab('\t'), utf8(bounds.utf8), columns(most) {}

  /// Takes what `match` returns of the 64 bytes for each test. Returns the bit of the newline that ends the
  /// first line with a higher bound; 0 if there is none.
  template <class Match>
  HWY_INLINE std::uint64_t take(const Match& match) {
    one_column = match(ones);
    if (utf8) leave_out_second_bytes(match);
    tabs = match(tab);
    std::uint64_t line = ~std::uint64_t{0};
    for (std::uint64_t left = match(newline); left != 0; left &= left - 1) {
      const std::uint64_t end = left & -left;
      if (open + bound_of(line & (end - 1)) > columns) return end;
      open = 0;
      line = -end;
    }
    open += bound_of(line);
    return 0;
  }

  template <class Match>
  HWY_INLINE void leave_out_second_bytes(const Match& match) {
    const std::uint64_t leads = match(cube_set(0xF0, 0xF0));
    if ((leads | lead_before) == 0) return;
    one_column &= ~((leads << 1U | lead_before) & match(cube_set(0xC0, 0x80)));
    lead_before = leads >> 63U;
  }

  HWY_INLINE std::uint64_t bound_of(std::uint64_t line) const {
    return hwy::PopCount(one_column & line) + 8 * hwy::PopCount(tabs & line);
  }

  any_set ones;
  one_byte newline;
  one_byte tab;
  bool utf8;
  std::uint64_t columns;
  std::uint64_t one_column = 0;   // in the 64 bytes
  std::uint64_t tabs = 0;         // the same
  std::uint64_t lead_before = 0;  // the last byte before them starts four or more
  std::uint64_t open = 0;         // the bound of the line that they go on
};

inline std::size_t find_wide_line(const char* data, std::size_t size, const column_bounds& bounds,
                                  std::uint64_t columns) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  wide_line_search search(bounds, columns);
  std::size_t at = 0;
  for (; size - at >= 64; at += 64) {
    const std::uint64_t end =
        search.take([&](const auto& matches) HWY_ATTR { return match_64(matches, bytes + at); });
    if (end != 0) return at + static_cast<std::size_t>(std::countr_zero(end));
  }
  if (at == size) return size;
  const std::uint64_t end =
      search.take([&](const auto& matches) HWY_ATTR { return match_rest(matches, bytes, size, size - at); });
  return end == 0 ? size : at + static_cast<std::size_t>(std::countr_zero(end));
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
