/// Counts values: one thread adds each to the table. Of several, each fills a table for each split, and these
/// are added in the order of the input, which is that of the first appearance.
#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/value_counts.hpp>
#include <riffle/words.hpp>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <utility>

#include "os/facts.hpp"
#include "os/growing_array.hpp"

namespace riffle::inline v0 {

namespace detail {

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

// Finds values by their hashes, and adds up their counts. Values lie one after the other in one array, in the
// order of their first appearance. The table has 8 bytes a slot: 32 bits of the hash, and where the value
// lies.
//
// The slots are in the order of the hashes. So the table grows from front to back without looking at a value,
// and tables of threads are added by the hashes that they keep. The table is riffle's own, as no library's is
// packaged for each platform, and none of them keeps its keys in one array.
class value_table {
 public:
  explicit value_table(std::uint64_t max_memory) : max_memory_(max_memory), seed_(seed_of_process()) {
    records_.push_back(0);
    grow();
  }

  // Adds to the count of a value. Throws as `value_counter::add` does.
  void add(std::string_view value, std::uint64_t count) { add(value, hash_of(value, seed_), count); }

  // Adds all values of another table.
  void add(const value_table& other) {
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

  std::size_t size() const noexcept { return size_; }
  const std::uint64_t* begin() const noexcept { return records_.data() + 1; }
  const std::uint64_t* end() const noexcept { return records_.data() + records_.size(); }

 private:
  struct slot {
    std::uint32_t hash;
    std::uint32_t place;  // in `records_`; 0: the slot is free
  };

  [[gnu::always_inline]] void add(std::string_view value, std::uint32_t hash, std::uint64_t count) {
    for (slot* at = home_of(hash); at->place != 0; at = after(at)) {
      if (at->hash != hash) continue;
      std::uint64_t* const record = records_.data() + at->place;
      if (!is_same(record, value)) continue;
      *record += count;
      return;
    }
    append(value, hash, count);
  }

  [[gnu::noinline]] void append(std::string_view value, std::uint32_t hash, std::uint64_t count) {
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

  void grow() {
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

  void insert(slot of) noexcept {
    slot* at = home_of(of.hash);
    while (at->place != 0) at = after(at);
    *at = of;
  }

  slot* home_of(std::uint32_t hash) const noexcept { return slots_.data() + (hash >> (32 - log_slots_)); }
  slot* after(slot* of) const noexcept {
    return of + 1 == slots_.data() + slots_.size() ? slots_.data() : of + 1;
  }

  os::growing_array<std::uint64_t> records_;  // count; length and hash; the bytes. The first word is unused
  os::growing_array<slot> slots_;
  unsigned log_slots_ = 0;
  std::size_t size_ = 0;
  std::uint64_t max_memory_;
  std::uint64_t seed_;
};

}  // namespace detail

value_counter::value_counter(std::uint64_t max_memory) noexcept : max_memory_(max_memory) {}
value_counter::value_counter(value_counter&& other) noexcept = default;
value_counter& value_counter::operator=(value_counter&& other) noexcept = default;
value_counter::~value_counter() = default;

void value_counter::add(std::string_view value, std::uint64_t count) {
  if (count == 0) return;
  if (table_ == nullptr) table_ = std::make_unique<detail::value_table>(max_memory_);
  table_->add(value, count);
}

void value_counter::add(const value_counter& other) {
  if (other.table_ == nullptr) return;
  if (table_ == nullptr) table_ = std::make_unique<detail::value_table>(max_memory_);
  table_->add(*other.table_);
}

void value_counter::add(const row& from, std::span<const std::size_t> columns) {
  if (columns.size() == 1) return add(from.unescaped(columns.front()));
  std::string value;
  for (std::size_t i = 0; i != columns.size(); ++i)
    detail::append_field(value, from.unescaped(columns[i]), i == 0);
  add(value);
}

void detail::append_field(std::string& value, std::string_view field, bool first) {
  if (!first) value += '\t';
  if (field.find_first_of("\t\n\r\"") == std::string_view::npos) {
    value += field;
    return;
  }
  value += '"';
  for (const char byte : field) value.append(byte == '"' ? 2 : 1, byte);
  value += '"';
}

std::size_t value_counter::size() const noexcept {
  return table_ == nullptr ? 0 : table_->size();
}

value_counter::iterator value_counter::begin() const noexcept {
  return iterator(table_ == nullptr ? nullptr : table_->begin());
}

value_counter::iterator value_counter::end() const noexcept {
  return iterator(table_ == nullptr ? nullptr : table_->end());
}

std::vector<value_count> value_counter::top(std::size_t number) const& {
  std::vector<value_count> found(std::min(number, size()));
  // Values lie in the order of their first appearance.
  std::ranges::partial_sort_copy(*this, found, [](const value_count& left, const value_count& right) {
    return left.count != right.count ? left.count > right.count
                                     : std::less<>()(left.value.data(), right.value.data());
  });
  return found;
}

namespace {

struct words_of_source : detail::scanned_range<detail::word_scan> {
  explicit words_of_source(source from) : scanned_range(std::move(from), {}) {}
};

// The words of a split, which may be cut anywhere.
struct split_words {
  explicit split_words(std::string_view split) {
    const auto is_white = [](char byte) { return word_separators.contains(byte); };
    const auto first = std::ranges::find_if(split, is_white);
    head.assign(split.begin(), first);
    if (first == split.end()) return;
    ends_word = true;
    const auto last = std::find_if(split.rbegin(), split.rend(), is_white).base();
    tail.assign(last, split.end());
    for (const std::string_view word : riffle::words(memory(std::string_view(first, last)))) inside.add(word);
  }

  std::string head;  // up to the first white space: the end of the word before
  bool ends_word = false;
  value_counter inside;
  std::string tail;
};

void add_words_of_splits(value_counter& total, source from, const thread_options& splitting) {
  std::string unfinished;
  const auto finish_word = [&] {
    if (!unfinished.empty()) total.add(unfinished);
  };
  const auto add = [&](int, split_words split) {
    unfinished += split.head;
    if (!split.ends_word) return 0;
    finish_word();
    total.add(split.inside);
    unfinished = std::move(split.tail);
    return 0;
  };
  int done = 0;
  parallel_reduce_into(
      done, std::move(from), [](std::string_view split) { return split_words(split); }, add,
      detail::cut_at(std::nullopt, splitting));
  finish_word();
}

void add_lines_of_splits(value_counter& total, source from, const thread_options& splitting) {
  const auto count = [](std::string_view split) {
    value_counter lines;
    for (const std::string_view line : riffle::lines(memory(split))) lines.add(line);
    return lines;
  };
  const auto add = [&](int, const value_counter& lines) {
    total.add(lines);
    return 0;
  };
  int done = 0;
  parallel_reduce_into(done, std::move(from), count, add, detail::cut_at('\n', splitting));
}

}  // namespace

void value_counts_into(value_counter& total, source from, text_values values,
                       const thread_options& splitting) {
  const auto add = [&total](std::string_view value) { total.add(value); };
  const bool words = values == text_values::words;
  if (splitting.threads != 1) {
    return words ? add_words_of_splits(total, std::move(from), splitting)
                 : add_lines_of_splits(total, std::move(from), splitting);
  }
  if (words) {
    for_each(words_of_source(std::move(from)), add);
  } else {
    for_each(line_range(std::move(from)), add);
  }
}

void value_counts_into(value_counter& total, row_range rows, std::span<const std::size_t> columns,
                       const thread_options& splitting) {
  if (splitting.threads == 1) {
    return for_each(std::move(rows), [&](const row& each) { total.add(each, columns); });
  }
  const auto count = [columns](row_range& split) {
    value_counter values;
    for_each(split, [&](const row& each) { values.add(each, columns); });
    return values;
  };
  const auto add = [&total](int, const value_counter& values) {
    total.add(values);
    return 0;
  };
  int done = 0;
  parallel_rows_into(done, std::move(rows), count, add, splitting);
}

value_counter value_counts(const input& from, const value_counts_options& options,
                           const read_options& reading) {
  value_counter total(options.max_memory);
  value_counts_into(total, source(from, reading), options.values, {.threads = options.threads});
  return total;
}

value_counter detail::value_counts_of(std::span<const std::string> columns, const input& from,
                                      const dialect& rows, const value_counts_options& options,
                                      const read_options& reading) {
  if (options.values != text_values::lines) {
    throw error(errc::invalid_argument, "count", from.name(), std::nullopt,
                "the values of columns are counted; leave value_counts_options::values as it is");
  }
  dialect with_header = rows;
  with_header.header = true;
  row_range all(from, with_header, reading);
  std::vector<std::size_t> indices;
  indices.reserve(columns.size());
  for (const std::string& name : columns) indices.push_back(all.column(name));
  value_counter total(options.max_memory);
  value_counts_into(total, std::move(all), indices, {.threads = options.threads});
  return total;
}

}  // namespace riffle::inline v0
