/// The hash table of `value_counter`. Values lie one after the other in one array, in the order of their
/// first appearance. The table has 8 bytes a slot: 32 bits of the hash, and where the value lies.
///
/// The slots are in the order of the hashes. So the table grows from front to back without looking at a
/// value, and tables of threads are added by the hashes that they keep. It is riffle's own, as no library's
/// is packaged for each platform, and none of them keeps its keys in one array.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "os/growing_array.hpp"

namespace riffle::inline v0::detail {

/// Finds values by their hashes, and adds up their counts.
class value_table {
 public:
  explicit value_table(std::uint64_t max_memory);

  /// Adds to the count of a value. Throws as `value_counter::add` does.
  void add(std::string_view value, std::uint64_t count);
  /// Adds all values of another table.
  void add(const value_table& other);

  std::size_t size() const noexcept { return size_; }
  const std::uint64_t* begin() const noexcept { return records_.data() + 1; }
  const std::uint64_t* end() const noexcept { return records_.data() + records_.size(); }

 private:
  struct slot {
    std::uint32_t hash;
    std::uint32_t place;  // in `records_`; 0: the slot is free
  };

  void add(std::string_view value, std::uint32_t hash, std::uint64_t count);
  [[gnu::noinline]] void append(std::string_view value, std::uint32_t hash, std::uint64_t count);
  void grow();
  void insert(slot of) noexcept;
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

}  // namespace riffle::inline v0::detail
