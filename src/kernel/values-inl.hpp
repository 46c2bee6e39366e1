/// SIMD kernels that add up values, and that copy values in the other byte order.
#include <algorithm>
#include <array>
#include <limits>
#include <type_traits>
#include <utility>

#include "kernel/kernels.hpp"

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

using u64_tag = hn::Repartition<std::uint64_t, u8_tag>;
using u64_vec = hn::Vec<u64_tag>;

/// Sums the upper and the lower halves of the elements apart, which keeps 64-bit lanes exact: 2^32 additions
/// of halves cannot overflow them, and kernel::max_sum_count is below that.
struct halves {
  // Written out, because g++ compiles implicit constructors without the target's instructions.
  HWY_INLINE halves() : low(hn::Zero(u64_tag())), high(hn::Zero(u64_tag())) {}
  u64_vec low;
  u64_vec high;
};

// Each adds a vector of unsigned elements to the halves, for one element size. Elements of 8 bits have no
// high half. SumsOf8 (PSADBW) sums bytes in groups of eight by one instruction.
HWY_INLINE void add_elements(hwy::SizeTag<1>, halves& sums, u8_vec bytes) {
  sums.low = hn::Add(sums.low, hn::SumsOf8(bytes));
}
HWY_INLINE void add_elements(hwy::SizeTag<2>, halves& sums, u8_vec bytes) {
  const hn::Repartition<std::uint16_t, u8_tag> u16_tag;
  const auto elements = hn::BitCast(u16_tag, bytes);
  const auto low = hn::And(elements, hn::Set(u16_tag, 0xFF));
  sums.low = hn::Add(sums.low, hn::SumsOf8(hn::BitCast(u8_tag(), low)));
  sums.high = hn::Add(sums.high, hn::SumsOf8(hn::BitCast(u8_tag(), hn::ShiftRight<8>(elements))));
}
HWY_INLINE void add_elements(hwy::SizeTag<8>, halves& sums, u8_vec bytes) {
  const u64_vec elements = hn::BitCast(u64_tag(), bytes);
  sums.low = hn::Add(sums.low, hn::And(elements, hn::Set(u64_tag(), 0xFFFFFFFFU)));
  sums.high = hn::Add(sums.high, hn::ShiftRight<32>(elements));
}
HWY_INLINE void add_elements(hwy::SizeTag<4>, halves& sums, u8_vec bytes) {
  add_elements(hwy::SizeTag<8>(), sums, bytes);
}

template <std::size_t size>
inline constexpr unsigned high_shift = size == 2   ? 8
                                       : size == 8 ? 32
                                                   : 0;

/// What to flip in each element: the sign, so that a signed
/// element becomes itself + 2^(bits - 1), without a sign.
template <class T>
HWY_INLINE u8_vec flips() {
  using U = std::make_unsigned_t<T>;
  const hn::Repartition<U, u8_tag> tag;
  constexpr U sign = static_cast<U>(U{1} << (8 * sizeof(T) - 1));
  return hn::BitCast(u8_tag(), hn::Set(tag, std::is_signed_v<T> ? sign : U{0}));
}

template <class T>
HWY_INLINE void add_vector(halves& sums, u8_vec flip, const std::uint8_t* data) {
  add_elements(hwy::SizeTag<sizeof(T)>(), sums, hn::Xor(load(data), flip));
}

template <class T, prefetching by>
inline wide sum(const char* data, std::size_t count) {
  const auto* const bytes = reinterpret_cast<const std::uint8_t*>(data);
  const std::size_t size = count * sizeof(T);
  const u8_vec flip = flips<T>();
  halves a;
  halves b;
  halves c;
  halves d;
  std::size_t at = 0;
  for (walk places = walk_of<by>(size); places.rounds != 0; places = walk_of<by>(size - at)) {
    const std::uint8_t* from = bytes + at;
    for (std::size_t i = 0; i != places.rounds; ++i, from += places.step) {
      prefetch_places<by>(from, places);
      for (const std::uint8_t* part = from; part != from + 64; part += vector_size) {
        add_vector<T>(a, flip, part);
        add_vector<T>(b, flip, part + places.stride);
        add_vector<T>(c, flip, part + 2 * places.stride);
        add_vector<T>(d, flip, part + 3 * places.stride);
      }
    }
    at += places.rounds * 256;
  }
  for (; size - at >= vector_size; at += vector_size) add_vector<T>(a, flip, bytes + at);
  std::size_t added = count;
  if (at != size) {
    // The zeros that fill the last vector are flipped too, and subtracted below with the others.
    alignas(64) std::uint8_t copy[vector_size] = {};
    std::memcpy(copy, bytes + at, size - at);
    add_vector<T>(b, flip, copy);
    added += (vector_size - (size - at)) / sizeof(T);
  }
  const u64_vec low = hn::Add(hn::Add(a.low, b.low), hn::Add(c.low, d.low));
  const u64_vec high = hn::Add(hn::Add(a.high, b.high), hn::Add(c.high, d.high));
  wide total = shifted(hn::GetLane(hn::SumOfLanes(u64_tag(), high)), high_shift<sizeof(T)>);
  total += wide{hn::GetLane(hn::SumOfLanes(u64_tag(), low)), 0};
  if (std::is_signed_v<T>) total -= shifted(added, 8 * sizeof(T) - 1);
  return total;
}

using f64_tag = hn::Repartition<double, u8_tag>;
using f64_vec = hn::Vec<f64_tag>;
inline constexpr std::size_t f64_lanes = vector_size / sizeof(double);

HWY_INLINE f64_vec load_as_f64(hwy::SizeTag<8>, const std::uint8_t* data) {
  return hn::BitCast(f64_tag(), load(data));
}
HWY_INLINE f64_vec load_as_f64(hwy::SizeTag<4>, const std::uint8_t* data) {
  const hn::Rebind<float, f64_tag> f32_tag;
  const hn::Repartition<std::uint8_t, decltype(f32_tag)> half_tag;
  return hn::PromoteTo(f64_tag(), hn::BitCast(f32_tag, hn::LoadU(half_tag, data)));
}

/// Adds each whole round of float_lanes elements to the lanes, which stay in vector registers meanwhile.
template <class T, std::size_t... vectors>
HWY_INLINE std::size_t add_rounds(const std::uint8_t* data, std::size_t count, double* lanes,
                                  std::index_sequence<vectors...>) {
  f64_vec sums[] = {hn::LoadU(f64_tag(), lanes + vectors * f64_lanes)...};
  std::size_t at = 0;
  for (; count - at >= float_lanes; at += float_lanes) {
    const std::uint8_t* const round = data + at * sizeof(T);
    ((sums[vectors] = hn::Add(
          sums[vectors], load_as_f64(hwy::SizeTag<sizeof(T)>(), round + vectors * f64_lanes * sizeof(T)))),
     ...);
  }
  (hn::StoreU(sums[vectors], f64_tag(), lanes + vectors * f64_lanes), ...);
  return at;
}

template <class T>
inline void add(const char* data, std::size_t count, double* lanes) {
  std::size_t at = 0;
  if (count >= float_lanes) {
    at = add_rounds<T>(reinterpret_cast<const std::uint8_t*>(data), count, lanes,
                       std::make_index_sequence<float_lanes / f64_lanes>());
  }
  for (std::size_t lane = 0; at < count; ++at, ++lane) {
    T value;
    std::memcpy(&value, data + at * sizeof(T), sizeof(T));
    lanes[lane] += static_cast<double>(value);
  }
}

/// Where each byte of 16 comes from.
template <std::size_t element>
constexpr std::array<std::uint8_t, 16> reversed_places() {
  std::array<std::uint8_t, 16> places{};
  for (std::size_t i = 0; i < places.size(); ++i) {
    places[i] = static_cast<std::uint8_t>(i / element * element + (element - 1 - i % element));
  }
  return places;
}

template <std::size_t element>
inline void reverse(const char* from, std::size_t size, char* to) {
  static constexpr auto places = reversed_places<element>();
  const u8_vec order = spread(places.data());
  const auto* const data = reinterpret_cast<const std::uint8_t*>(from);
  auto* const copy = reinterpret_cast<std::uint8_t*>(to);
  std::size_t i = 0;
  for (; i + vector_size <= size; i += vector_size) {
    hn::StoreU(hn::TableLookupBytes(load(data + i), order), u8_tag(), copy + i);
  }
  for (; i < size; i += element) std::reverse_copy(from + i, from + i + element, to + i);
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
