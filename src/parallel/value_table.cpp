/// Hashes, compares and stores values.
#include "parallel/value_table.hpp"

#include <riffle/error.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <limits>
#include <random>
#include <string>

#include "os/facts.hpp"

namespace riffle::inline v0::detail {

namespace {

constexpr unsigned least_log_slots = 9;                           // tuning
constexpr std::uint64_t most_unasked = std::uint64_t{64} << 20U;  // before it counts how much memory is free

template <class T>
T load(const void* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

// Both halves of a product, combined.
#ifdef __SIZEOF_INT128__
std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide product = wide{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}
#else
std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr std::uint64_t low = 0xFFFF'FFFF;
  const std::uint64_t ll = (a & low) * (b & low);
  const std::uint64_t lh = (a & low) * (b >> 32U);
  const std::uint64_t hl = (a >> 32U) * (b & low);
  const std::uint64_t hh = (a >> 32U) * (b >> 32U);
  const std::uint64_t middle = (ll >> 32U) + (lh & low) + (hl & low);
  return (middle << 32U | (ll & low)) ^ (hh + (lh >> 32U) + (hl >> 32U) + (middle >> 32U));
}
#endif

constexpr std::uint64_t secret_0 = 0x2d35'8dcc'aa6c'78a5;
constexpr std::uint64_t secret_1 = 0x8bb8'4b93'962e'acc9;

// A system without random numbers has the time and an address.
std::uint64_t random_number() noexcept {
  try {
    std::random_device numbers;
    return std::uint64_t{numbers()} << 32U | numbers();
  } catch (const std::exception&) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return static_cast<std::uint64_t>(now) ^ reinterpret_cast<std::uintptr_t>(&now);
  }
}

// The seed of this process: tables that are added need the same. No thread waits for it (see `remembered`).
std::uint64_t seed_of_process() noexcept {
  static constinit std::atomic<std::size_t> chosen = 0;
  std::size_t seed = chosen.load(std::memory_order_relaxed);
  if (seed == 0) {
    const std::size_t mine = static_cast<std::size_t>(random_number()) | 1U;
    seed = chosen.compare_exchange_strong(seed, mine) ? mine : seed;
  }
  return seed ^ folded_product(seed ^ secret_0, secret_1);
}

// Whether a record has these bytes. The record ends in zeros up to a multiple of 8 bytes, the value does not.
[[gnu::always_inline]] inline bool is_same(const std::uint64_t* record, std::string_view value) noexcept {
  if (record[1] >> 32U != value.size()) return false;
  const char* const bytes = reinterpret_cast<const char*>(record + 2);
  const std::size_t size = value.size();
  if (size > 16) return std::memcmp(bytes, value.data(), size) == 0;
  if (size >= 8) {
    return load<std::uint64_t>(bytes) == load<std::uint64_t>(value.data()) &&
           load<std::uint64_t>(bytes + size - 8) == load<std::uint64_t>(value.data() + size - 8);
  }
  if (size >= 4) {
    return load<std::uint32_t>(bytes) == load<std::uint32_t>(value.data()) &&
           load<std::uint32_t>(bytes + size - 4) == load<std::uint32_t>(value.data() + size - 4);
  }
  return size == 0 ||
         (bytes[0] == value[0] && bytes[size / 2] == value[size / 2] && bytes[size - 1] == value[size - 1]);
}

std::size_t words_of(std::uint64_t length) noexcept {
  return 2 + static_cast<std::size_t>((length + 7) / 8);
}

// 32 bits of wyhash by Wang Yi (final version 4, public domain), without its longer steps for long keys.
[[gnu::always_inline]] inline std::uint32_t hash_of(std::string_view value, std::uint64_t seed) noexcept {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  const char* from = value.data();
  const std::size_t size = value.size();
  if (size > 16) {
    std::size_t left = size;
    for (; left > 16; left -= 16, from += 16) {
      seed = folded_product(load<std::uint64_t>(from) ^ secret_1, load<std::uint64_t>(from + 8) ^ seed);
    }
    a = load<std::uint64_t>(from + left - 16);
    b = load<std::uint64_t>(from + left - 8);
  } else if (size >= 4) {
    const std::size_t middle = size / 8 * 4;
    a = std::uint64_t{load<std::uint32_t>(from)} << 32U | load<std::uint32_t>(from + middle);
    b = std::uint64_t{load<std::uint32_t>(from + size - 4)} << 32U |
        load<std::uint32_t>(from + size - 4 - middle);
  } else if (size != 0) {
    const auto byte = [from](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(from[at])}; };
    a = byte(0) << 16U | byte(size / 2) << 8U | byte(size - 1);
  }
  const std::uint64_t mixed = folded_product(a ^ secret_1, b ^ seed);
  return static_cast<std::uint32_t>(folded_product(mixed ^ secret_0 ^ size, secret_1) >> 32U);
}

}  // namespace

value_table::value_table(std::uint64_t max_memory) : max_memory_(max_memory), seed_(seed_of_process()) {
  records_.push_back(0);
  grow();
}

[[gnu::always_inline]] inline void value_table::add(std::string_view value, std::uint32_t hash,
                                                    std::uint64_t count) {
  for (slot* at = home_of(hash); at->place != 0; at = after(at)) {
    if (at->hash != hash) continue;
    std::uint64_t* const record = records_.data() + at->place;
    if (!is_same(record, value)) continue;
    *record += count;
    return;
  }
  append(value, hash, count);
}

void value_table::add(std::string_view value, std::uint64_t count) {
  add(value, hash_of(value, seed_), count);
}

void value_table::append(std::string_view value, std::uint32_t hash, std::uint64_t count) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
  const bool grows = (size_ + 1) * 4 > slots_.size() * 3;
  const std::uint64_t place = records_.size();
  const std::uint64_t memory = (place + words_of(value.size())) * sizeof place +
                               std::uint64_t{slots_.size()} * sizeof(slot) * (grows ? 2 : 1);
  if (memory > most_unasked && max_memory_ == 0) max_memory_ = os::memory_for_cache() / 4 * 3;
  if ((max_memory_ != 0 && memory > max_memory_) || place > most || value.size() > most) {
    throw error(make_error_code(errc::too_large), "count", "values", std::nullopt,
                std::to_string(size_) + " distinct values take all the memory that they may");
  }
  if (grows) grow();
  records_.resize(static_cast<std::size_t>(place) + words_of(value.size()));
  std::uint64_t* const record = records_.data() + place;
  records_.data()[records_.size() - 1] = 0;
  record[0] = count;
  record[1] = std::uint64_t{value.size()} << 32U | hash;
  if (!value.empty()) std::memcpy(record + 2, value.data(), value.size());
  ++size_;
  insert({hash, static_cast<std::uint32_t>(place)});
}

void value_table::insert(slot of) noexcept {
  slot* at = home_of(of.hash);
  while (at->place != 0) at = after(at);
  *at = of;
}

void value_table::grow() {
  const unsigned log_slots = std::max(log_slots_ + 1, least_log_slots);
  os::growing_array<slot> larger;
  larger.resize(std::size_t{1} << log_slots);
  std::fill_n(larger.data(), larger.size(), slot{0, 0});
  std::swap(slots_, larger);
  log_slots_ = log_slots;
  for (std::size_t i = 0; i != larger.size(); ++i) {
    if (larger.data()[i].place != 0) insert(larger.data()[i]);
  }
}

void value_table::add(const value_table& other) {
  constexpr int ahead = 8;  // tuning
  const std::uint64_t* coming = other.begin();
  const auto fetch_next = [&] {
    if (coming == other.end()) return;
    __builtin_prefetch(home_of(static_cast<std::uint32_t>(coming[1])));
    coming += words_of(coming[1] >> 32U);
  };
  for (int i = 0; i != ahead; ++i) fetch_next();
  for (const std::uint64_t* at = other.begin(); at != other.end(); at += words_of(at[1] >> 32U)) {
    fetch_next();
    add({reinterpret_cast<const char*>(at + 2), static_cast<std::size_t>(at[1] >> 32U)},
        static_cast<std::uint32_t>(at[1]), at[0]);
  }
}

}  // namespace riffle::inline v0::detail
