/// Offers the table that finds keys, and what is known of each, in the order of their first appearance.
#pragma once

#include <riffle/detail/mask_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/value_counts.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "os/facts.hpp"
#include "os/growing_array.hpp"

namespace riffle::inline v0::detail {

/// Returns both halves of a product, combined.
#ifdef __SIZEOF_INT128__
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) noexcept {
  __extension__ using wide = unsigned __int128;
  const wide product = wide{a} * b;
  return static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64U);
}
#else
inline std::uint64_t folded_product(std::uint64_t a, std::uint64_t b) noexcept {
  constexpr std::uint64_t low = 0xFFFF'FFFF;
  const std::uint64_t ll = (a & low) * (b & low);
  const std::uint64_t lh = (a & low) * (b >> 32U);
  const std::uint64_t hl = (a >> 32U) * (b & low);
  const std::uint64_t hh = (a >> 32U) * (b >> 32U);
  const std::uint64_t middle = (ll >> 32U) + (lh & low) + (hl & low);
  return (middle << 32U | (ll & low)) ^ (hh + (lh >> 32U) + (hl >> 32U) + (middle >> 32U));
}
#endif

inline constexpr std::uint64_t secret_0 = 0x2d35'8dcc'aa6c'78a5;
inline constexpr std::uint64_t secret_1 = 0x8bb8'4b93'962e'acc9;

/// Returns the key of a row: what stands in one of its columns, or the fields of several, `joined` as
/// `append_field` writes them. Throws as `row::unescaped` does.
inline std::string_view key_in(const row& from, std::span<const std::size_t> columns, std::string& joined) {
  if (columns.size() == 1) return from.unescaped(columns.front());
  joined.clear();
  for (std::size_t i = 0; i != columns.size(); ++i) append_field(joined, from.unescaped(columns[i]), i == 0);
  return joined;
}

/// Adds rows by `add(Total&, row_range&)`: one thread to `total`, several to what `fresh()` returns for each
/// split, which `total` then gets in the order of the input. Throws as `parallel_rows_into` and `Total::add`.
template <class Total, class Fresh, class Add>
void add_rows(Total& total, Fresh fresh, row_range rows, const thread_options& splitting, Add add) {
  if (splitting.threads == 1) return add(total, rows);
  const auto of_split = [&](row_range& split) {
    Total part = fresh();
    add(part, split);
    return part;
  };
  const auto add_split = [&total](int done, const Total& part) {
    total.add(part);
    return done;
  };
  int done = 0;
  parallel_rows_into(done, std::move(rows), of_split, add_split, splitting);
}

/// Returns one; a system without random numbers has the time and an address.
inline std::uint64_t random_number() noexcept {
  try {
    std::random_device numbers;
    return std::uint64_t{numbers()} << 32U | numbers();
  } catch (const std::exception&) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
    return static_cast<std::uint64_t>(now) ^ reinterpret_cast<std::uintptr_t>(&now);
  }
}

/// Returns the seed of this process: tables that are added need the same. No thread waits for it (see
/// `remembered`).
inline std::uint64_t seed_of_process() noexcept {
  static constinit std::atomic<std::size_t> chosen = 0;
  std::size_t seed = chosen.load(std::memory_order_relaxed);
  if (seed == 0) {
    const std::size_t mine = static_cast<std::size_t>(random_number()) | 1U;
    seed = chosen.compare_exchange_strong(seed, mine) ? mine : seed;
  }
  return seed ^ folded_product(seed ^ secret_0, secret_1);
}

/// Holds the last 16 bytes of a key, the first byte lowest; those of a shorter key with zeros after them.
struct key_words {
  std::uint64_t front = 0, back = 0;
};

[[gnu::always_inline]] inline key_words words_in(std::string_view key) noexcept {
  const char* const from = key.data();
  const std::size_t size = key.size();
  const auto bits = static_cast<unsigned>(8 * size);
  if (size > 8) {
    const std::uint64_t last = little_endian<std::uint64_t>(from + size - 8);
    if (size > 16) return {little_endian<std::uint64_t>(from + size - 16), last};
    return {little_endian<std::uint64_t>(from), last >> (128 - bits)};
  }
  if (size >= 4) {
    const std::uint64_t last = little_endian<std::uint32_t>(from + size - 4);
    return {little_endian<std::uint32_t>(from) | last << (bits - 32)};
  }
  if (size == 0) return {};
  const auto byte = [from](std::size_t at) { return std::uint64_t{static_cast<unsigned char>(from[at])}; };
  return {byte(0) | byte(size / 2) << size / 2 * 8 | byte(size - 1) << (bits - 8)};
}

/// What the words of a key of up to 16 bytes have of its bytes and those after it.
inline constexpr auto kept_words = [] {
  std::array<key_words, 17> kept{};
  for (unsigned size = 1; size != 17; ++size) {
    kept[size].front = ~std::uint64_t{0} >> (size < 8 ? 64 - 8 * size : 0);
    if (size > 8) kept[size].back = ~std::uint64_t{0} >> (128 - 8 * size);
  }
  return kept;
}();

/// The same for a key before `end`, up to which bytes can be read: without a branch for most sizes.
[[gnu::always_inline]] inline key_words words_in(std::string_view key, const char* end) noexcept {
  if (key.size() > 16 || end - key.data() < 16) return words_in(key);
  const key_words& kept = kept_words[key.size()];
  return {little_endian<std::uint64_t>(key.data()) & kept.front,
          little_endian<std::uint64_t>(key.data() + 8) & kept.back};
}

/// Returns 32 bits of wyhash by Wang Yi (final version 4, public domain), without its longer steps for long
/// keys, and of the words of short ones. The seed is in both factors: a factor of 0 makes all hashes equal.
[[gnu::always_inline]] inline std::uint32_t hash_of(std::string_view key, key_words words,
                                                    std::uint64_t seed) noexcept {
  const char* from = key.data();
  const std::uint64_t secret = secret_1 ^ seed;
  for (std::size_t left = key.size(); left > 16; left -= 16, from += 16) {
    seed = folded_product(little_endian<std::uint64_t>(from) ^ secret,
                          little_endian<std::uint64_t>(from + 8) ^ seed);
  }
  const std::uint64_t mixed = folded_product(words.front ^ secret, words.back ^ seed);
  return static_cast<std::uint32_t>(folded_product(mixed ^ secret_0 ^ key.size(), secret_1) >> 32U);
}

/// Returns whether a record has this key, of which it has the hash. `record` is the word with both its length
/// and its hash; it ends in zeros up to a multiple of 8 bytes.
[[gnu::always_inline]] inline bool is_same(const std::uint64_t* record, std::string_view key,
                                           key_words words) noexcept {
  if (*record >> 32U != key.size()) return false;
  const char* const others = reinterpret_cast<const char*>(record + 1);
  const std::size_t last = (key.size() - 1) / 8;
  if (last >= 2) return key.empty() || std::memcmp(others, key.data(), key.size()) == 0;
  return ((little_endian<std::uint64_t>(others) ^ words.front) |
          (little_endian<std::uint64_t>(others + 8 * last) ^ (last == 0 ? words.front : words.back))) == 0;
}

/// Finds keys by their hashes, and keeps a payload of some words beside each: all 0 if the key is new. Keys
/// lie one after the other in one array, in the order of their first appearance. The table has 8 bytes a
/// slot: 32 bits of the hash, and where the key lies.
///
/// The slots are in the order of the hashes. So the table grows from front to back without looking at a key,
/// and tables of threads are added by the hashes that they keep. The table is riffle's own, as no library's
/// is packaged for each platform, and none of them keeps its keys in one array.
///
/// `fixed` is the number of words of each payload; 0: the constructor says it.
template <std::size_t fixed>
class key_table {
 public:
  /// Points to a payload. Behind it stand the length and the hash of the key in one word, and its bytes.
  using record = std::uint64_t*;

  /// If a key finds no room, riffle cannot `verb` what the keys are of: so many distinct `keys`.
  key_table(std::uint64_t max_memory, const char* verb, const char* keys, std::size_t payload = fixed)
      : max_memory_(max_memory), seed_(seed_of_process()), payload_(payload), verb_(verb), keys_(keys) {
    records_.push_back(0);
    grow();
  }

  /// Returns the payload of a key, valid until the next call. Throws `errc::too_large` if a new key takes
  /// more than `max_memory`, or if the keys take over 32 GiB; `std::bad_alloc`. The table then stays as it
  /// was.
  [[gnu::always_inline]] record find(std::string_view key) { return find(key, words_in(key)); }
  /// The same for what `key_in` returns. Throws as that does, too.
  [[gnu::always_inline]] record find(const row& from, std::span<const std::size_t> columns) {
    const row_state& state = row_access::state(from);
    if (columns.size() == 1 && columns.front() < state.count) {
      const std::string_view field = state.field(columns.front());
      if (state.is_plain(field)) return find(field, words_in(field, state.block_end));
    }
    return find_changed(key_in(from, columns, joined_));
  }

  /// Calls `add(record mine, const std::uint64_t* theirs)` for each key of another table, in their order.
  template <class Add>
  void add(const key_table& other, Add add) {
    constexpr int ahead = 8;  // tuning
    const std::uint64_t* coming = other.begin();
    const auto fetch_next = [&] {
      if (coming == other.end()) return;
      __builtin_prefetch(home_of(static_cast<std::uint32_t>(coming[payload()])));
      coming = other.after(coming);
    };
    for (int i = 0; i != ahead; ++i) fetch_next();
    for (const std::uint64_t* at = other.begin(); at != other.end(); at = other.after(at)) {
      fetch_next();
      const std::string_view key = other.key_of(at);
      const key_words words = words_in(key, reinterpret_cast<const char*>(other.end()));
      add(find(key, words, static_cast<std::uint32_t>(at[payload()])), at);
    }
  }

  /// Counts memory beside the table that `max_memory` bounds too. Throws as `find` does.
  void charge(std::uint64_t bytes) {
    require(memory_of(records_.size(), slots_.size()) + bytes);
    charged_ += bytes;
  }

  std::size_t size() const noexcept { return size_; }
  const std::uint64_t* begin() const noexcept { return records_.data() + 1; }
  const std::uint64_t* end() const noexcept { return records_.data() + records_.size(); }
  const std::uint64_t* after(const std::uint64_t* at) const noexcept {
    return at + payload() + 1 + words_of(at[payload()] >> 32U);
  }
  std::string_view key_of(const std::uint64_t* at) const noexcept {
    return {reinterpret_cast<const char*>(at + payload() + 1),
            static_cast<std::size_t>(at[payload()] >> 32U)};
  }

 private:
  struct slot {
    std::uint32_t hash;
    std::uint32_t place;  // in `records_`; 0: the slot is free
  };
  static constexpr unsigned least_log_slots = 11;  // tuning: few keys seldom meet
  static constexpr std::uint64_t most_unasked = std::uint64_t{64}
                                                << 20U;  // before it counts how much is free

  static std::size_t words_of(std::uint64_t length) noexcept {
    return static_cast<std::size_t>((length + 7) / 8);
  }
  std::size_t payload() const noexcept { return fixed != 0 ? fixed : payload_; }

  [[gnu::always_inline]] record find(std::string_view key, key_words words) {
    return find(key, words, hash_of(key, words, seed_));
  }
  [[gnu::always_inline]] record find(std::string_view key, key_words words, std::uint32_t hash) {
    for (slot* at = home_of(hash); at->place != 0; at = after(at)) {
      if (at->hash != hash) continue;
      std::uint64_t* const found = records_.data() + at->place;
      if (is_same(found + payload(), key, words)) return found;
    }
    return append(key, hash);
  }

  [[gnu::noinline]] record find_changed(std::string_view key) { return find(key); }

  [[gnu::noinline]] record append(std::string_view key, std::uint32_t hash) {
    constexpr std::uint64_t most = std::numeric_limits<std::uint32_t>::max();
    const bool grows = (size_ + 1) * 4 > slots_.size() * 3;
    const std::size_t place = records_.size();
    const std::uint64_t behind = std::uint64_t{place} + payload() + 1 + words_of(key.size());
    require(memory_of(behind, slots_.size() * (grows ? 2 : 1)));
    if (place > most || key.size() > most) fail();
    if (grows) grow();
    records_.resize(static_cast<std::size_t>(behind));
    std::uint64_t* const found = records_.data() + place;
    records_.data()[records_.size() - 1] = 0;
    std::fill_n(found, payload(), 0);
    found[payload()] = std::uint64_t{key.size()} << 32U | hash;
    if (!key.empty()) std::memcpy(found + payload() + 1, key.data(), key.size());
    ++size_;
    insert({hash, static_cast<std::uint32_t>(place)});
    return found;
  }

  static std::uint64_t memory_of(std::uint64_t words, std::uint64_t slots) noexcept {
    return words * sizeof words + slots * sizeof(slot);
  }
  void require(std::uint64_t memory) {
    memory += charged_;
    if (memory > most_unasked && max_memory_ == 0) max_memory_ = os::memory_for_cache() / 4 * 3;
    if (max_memory_ != 0 && memory > max_memory_) fail();
  }
  [[noreturn]] void fail() const {
    throw error(make_error_code(errc::too_large), verb_, "values", std::nullopt,
                "the memory limit is reached after " + std::to_string(size_) + " distinct " + keys_);
  }

  void grow() {
    const unsigned log_slots = std::max(33 - shift_, least_log_slots);
    os::growing_array<slot> larger;
    larger.resize(std::size_t{1} << log_slots);
    std::fill_n(larger.data(), larger.size(), slot{0, 0});
    std::swap(slots_, larger);
    shift_ = 32 - log_slots;
    for (std::size_t i = 0; i != larger.size(); ++i) {
      if (larger.data()[i].place != 0) insert(larger.data()[i]);
    }
  }

  void insert(slot of) noexcept {
    slot* at = home_of(of.hash);
    while (at->place != 0) at = after(at);
    *at = of;
  }

  slot* home_of(std::uint32_t hash) const noexcept { return slots_.data() + (hash >> shift_); }
  slot* after(slot* of) const noexcept {
    return of + 1 == slots_.data() + slots_.size() ? slots_.data() : of + 1;
  }

  os::growing_array<std::uint64_t> records_;  // payload, length and hash, bytes. The first word is unused
  os::growing_array<slot> slots_;
  unsigned shift_ = 32;  // of a hash, to its slot
  std::size_t size_ = 0;
  std::uint64_t max_memory_;
  std::uint64_t charged_ = 0;
  std::uint64_t seed_;
  std::size_t payload_;
  const char* verb_;
  const char* keys_;
  std::string joined_;  // the key of several columns of a row
};

}  // namespace riffle::inline v0::detail
