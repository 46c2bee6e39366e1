/// Compiles the tool's SIMD kernels once for each instruction set, as src/kernel/simd.cpp does the library's,
/// and finds those for the instruction set that the library chose.
#include "kernel/targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "cli/kernel/simd.cpp"
#include <hwy/foreach_target.h>
// After foreach_target, which sets the target that this header depends on.
#include <hwy/highway.h>

#include <concepts>

#include "cli/kernel/kernels.hpp"
#include "kernel/processor.hpp"

#if HWY_TARGET & RIFFLE_KERNEL_TARGETS
#include "kernel/vector-inl.hpp"
// It uses that one.
#include "kernel/find-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::cli::kernel::HWY_NAMESPACE {

using namespace riffle::kernel::HWY_NAMESPACE;

inline std::size_t count_between(const std::uint64_t* bits, const std::uint64_t* ends, std::size_t words,
                                 std::uint32_t* counts) {
  std::size_t found = 0;
  std::size_t open = 0;  // bits after the last end
  for (std::size_t i = 0; i < words; ++i) {
    std::uint64_t left = bits[i];
    for (std::uint64_t end = ends[i]; end != 0; end &= end - 1) {
      const std::uint64_t part = end ^ (end - 1);
      counts[found++] = static_cast<std::uint32_t>(open + hwy::PopCount(left & part));
      left &= ~part;
      open = 0;
    }
    open += hwy::PopCount(left);
  }
  counts[found] = static_cast<std::uint32_t>(open);
  return found;
}

/// Counts, given 64 bytes at a time as masks: of the delimiters, and of those with the first byte of the text
/// after them.
struct start_counter {
  HWY_INLINE void take(std::uint64_t ends, std::uint64_t starts, const char* after, const char* data_end) {
    found.ends += hwy::PopCount(ends);
    if (rest.empty()) {
      found.starts += hwy::PopCount(starts);
      return;
    }
    for (; HWY_UNLIKELY(starts != 0); starts &= starts - 1) {
      const char* const place = after + std::countr_zero(starts) + 1;
      if (static_cast<std::size_t>(data_end - place) < rest.size()) return;
      if (std::memcmp(place, rest.data(), rest.size()) == 0) ++found.starts;
    }
  }

  std::string_view rest;  // of the text, after its first byte
  line_starts found = {};
};

inline line_starts count_line_starts(const char* data, std::size_t size, char delimiter,
                                     std::string_view text) {
  const one_byte is_end(delimiter);
  const one_byte is_first(text.front());
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  start_counter counter{text.substr(1)};
  const char* const data_end = data + size;
  std::size_t at = 0;
  for (; size - at > 64; at += 64) {
    const std::uint64_t ends = match_64(is_end, bytes + at);
    counter.take(ends, ends & match_64(is_first, bytes + at + 1), data + at + 1, data_end);
  }
  const std::size_t left = size - at;  // at most 64
  if (left == 0) return counter.found;
  alignas(64) std::uint8_t copy[64] = {};
  std::memcpy(copy, bytes + at, left);
  const std::uint64_t is_there = ~std::uint64_t{0} >> (64 - left);
  const std::uint64_t ends = match_64(is_end, copy) & is_there;
  const std::uint64_t firsts = match_64(is_first, copy) & is_there;
  counter.take(ends, ends & firsts >> 1U, data + at + 1, data_end);
  return counter.found;
}

// The bit between the cases of a letter is left out.
HWY_INLINE cube_set either_case(char byte) {
  const bool letter = byte >= 'a' && byte <= 'z';
  const auto mask = static_cast<std::uint8_t>(letter ? 0xDF : 0xFF);
  return {mask, static_cast<std::uint8_t>(byte & mask)};
}

struct same_letters {
  HWY_INLINE bool operator()(const char* at, std::string_view text) const {
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (lower(at[i]) != text[i]) return false;
    }
    return true;
  }
};

inline std::size_t find_any_case(const char* data, std::size_t size, const riffle::kernel::text_plan& text) {
  if (text.bytes.size() > size) return size;
  return find_text_by<riffle::kernel::prefetching{}>(data, size, text, either_case(text.bytes[text.one]),
                                                     either_case(text.bytes[text.other]), same_letters());
}

// No number is below or above a NaN, so the comparison leaves NaNs out. What hn::Min does with them depends
// on the processor.
template <class T, class V>
HWY_INLINE V lesser(V value, V least) {
  if constexpr (std::floating_point<T>) return hn::IfThenElse(hn::Lt(value, least), value, least);
  return hn::Min(value, least);
}
template <class T, class V>
HWY_INLINE V greater(V value, V greatest) {
  if constexpr (std::floating_point<T>) return hn::IfThenElse(hn::Lt(greatest, value), value, greatest);
  return hn::Max(value, greatest);
}

/// Holds the extremes of each lane.
template <class T>
struct lane_extremes {
  using tag = hn::ScalableTag<T>;
  using vec = hn::Vec<tag>;

  // Written out as in `halves`.
  HWY_INLINE lane_extremes()
      : least(hn::Set(tag(), min_max<T>().min)), greatest(hn::Set(tag(), min_max<T>().max)) {}

  HWY_INLINE void add(const std::uint8_t* data) {
    const vec values = hn::BitCast(tag(), load(data));
    least = lesser<T>(values, least);
    greatest = greater<T>(values, greatest);
  }
  HWY_INLINE void add_to(min_max<T>& all) const {
    constexpr std::size_t lanes = vector_size / sizeof(T);
    alignas(64) T low[lanes];
    alignas(64) T high[lanes];
    hn::Store(least, tag(), low);
    hn::Store(greatest, tag(), high);
    for (std::size_t i = 0; i < lanes; ++i) all.add({low[i], high[i]});
  }

  vec least;
  vec greatest;
};

template <class T>
inline min_max<T> find_min_max(const char* data, std::size_t count) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  const std::size_t size = count * sizeof(T);
  if (size < vector_size) return std::get<min_max_kernel<T>>(scalar().min_max)(data, count);
  lane_extremes<T> a;
  lane_extremes<T> b;
  lane_extremes<T> c;
  lane_extremes<T> d;
  std::size_t at = 0;
  for (; size - at >= 4 * vector_size; at += 4 * vector_size) {
    a.add(bytes + at);
    b.add(bytes + at + vector_size);
    c.add(bytes + at + 2 * vector_size);
    d.add(bytes + at + 3 * vector_size);
  }
  for (; size - at >= vector_size; at += vector_size) a.add(bytes + at);
  b.add(bytes + size - vector_size);  // a number that was seen before changes nothing
  min_max<T> all;
  a.add_to(all);
  b.add_to(all);
  c.add_to(all);
  d.add_to(all);
  return all;
}

inline constexpr table kernels = {
    .name = riffle::kernel::kernel_name(HWY_TARGET),
    .count_between = count_between,
    .min_max = {find_min_max<std::int8_t>, find_min_max<std::uint8_t>, find_min_max<std::int16_t>,
                find_min_max<std::uint16_t>, find_min_max<std::int32_t>, find_min_max<std::uint32_t>,
                find_min_max<std::int64_t>, find_min_max<std::uint64_t>, find_min_max<float>,
                find_min_max<double>},
    .count_line_starts = count_line_starts,
    .find_any_case = find_any_case,
};

}  // namespace riffle::cli::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif

#if HWY_ONCE
namespace riffle::cli::kernel {

std::span<const table* const> simd_tables() noexcept {
  static constexpr const table* tables[] = {HWY_CHOOSE_AVX3(kernels), HWY_CHOOSE_AVX2(kernels),
                                            HWY_CHOOSE_SSE4(kernels), HWY_CHOOSE_SSSE3(kernels),
                                            RIFFLE_CHOOSE_NEON(kernels)};
  return tables;
}

const table& beside(const riffle::kernel::table& library) noexcept {
  const std::string_view name = library.instructions;
  for (const table* const compiled : simd_tables()) {
    if (compiled != nullptr && compiled->name == name) return *compiled;
  }
  return scalar();
}

const table& active() noexcept {
  static const table& chosen = beside(riffle::kernel::active());
  return chosen;
}

}  // namespace riffle::cli::kernel
#endif
