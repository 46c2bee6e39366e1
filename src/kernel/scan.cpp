/// Implements each public scan by one call through the active table of SIMD kernels.
#include <riffle/find.hpp>
#include <riffle/kernels.hpp>
#include <riffle/scan.hpp>

#include <array>
#include <bit>

#include "kernel/kernels.hpp"
#include "kernel/processor.hpp"

namespace riffle::inline v0 {

namespace scan {

namespace {

/// Returns the part of `data` that `masks` has bits for, so that nothing is written after too few masks.
std::string_view covered(std::string_view data, std::span<std::uint64_t> masks) noexcept {
  return mask_words(data.size()) <= masks.size() ? data : data.substr(0, masks.size() * 64);
}

// Returns the first match of `match(part, masks)`. It looks at 256 bytes first, because most matches are
// near, then at batches that fit the first-level cache.
template <class Match>
std::size_t find_match(std::string_view data, std::size_t from, Match match) noexcept {
  std::array<std::uint64_t, 64> masks;
  for (std::size_t size = 256; from < data.size(); size = masks.size() * 64) {
    const std::string_view part = data.substr(from, size);
    match(part, masks.data());
    for (std::size_t index = 0; index != mask_words(part.size()); ++index) {
      if (masks[index] != 0)
        return from + index * 64 + static_cast<std::size_t>(std::countr_zero(masks[index]));
    }
    from += part.size();
  }
  return std::string_view::npos;
}

}  // namespace

std::uint64_t count_byte(std::string_view data, char byte) noexcept {
  return kernel::active().count_byte(data.data(), data.size(), byte);
}

std::uint64_t count_any_of(std::string_view data, const byte_set& set) noexcept {
  return kernel::active().count_set(data.data(), data.size(), set);
}

std::uint64_t count_words(std::string_view data, bool in_word) noexcept {
  return kernel::active().count_words(data.data(), data.size(), in_word);
}

std::uint64_t count_utf8(std::string_view data) noexcept {
  return kernel::active().count_utf8(data.data(), data.size());
}

void match_byte(std::string_view data, char byte, std::span<std::uint64_t> masks) noexcept {
  const std::string_view seen = covered(data, masks);
  kernel::active().match_byte(seen.data(), seen.size(), byte, masks.data());
}

void match_any_of(std::string_view data, const byte_set& set, std::span<std::uint64_t> masks) noexcept {
  const std::string_view seen = covered(data, masks);
  kernel::active().match_set(seen.data(), seen.size(), set, masks.data());
}

std::size_t find_byte(std::string_view data, char byte, std::size_t from) noexcept {
  return find_match(data, from, [byte](std::string_view part, std::uint64_t* masks) {
    kernel::active().match_byte(part.data(), part.size(), byte, masks);
  });
}

std::size_t find_any_of(std::string_view data, const byte_set& set, std::size_t from) noexcept {
  return find_match(data, from, [&set](std::string_view part, std::uint64_t* masks) {
    kernel::active().match_set(part.data(), part.size(), set, masks);
  });
}

std::size_t find(std::string_view data, std::string_view text, std::size_t from) noexcept {
  if (from > data.size() || text.empty()) return from > data.size() ? std::string_view::npos : from;
  const std::size_t found =
      kernel::active().find_text(data.data() + from, data.size() - from, kernel::plan(text)) + from;
  return found == data.size() ? std::string_view::npos : found;
}

std::size_t find_invalid_utf8(std::string_view data) noexcept {
  const std::size_t valid = kernel::active().valid_utf8(data.data(), data.size()).size;
  return valid == data.size() ? std::string_view::npos : valid;
}

}  // namespace scan

std::string_view measured_processor() noexcept {
  const char* const kind = kernel::measured_kind(kernel::this_processor());
  return kind == nullptr ? std::string_view() : kind;
}

std::vector<kernel_info> kernels() {
  const kernel::table* const active = &kernel::asked_for();
  std::vector<kernel_info> list;
  for (const kernel::table* const table : kernel::available()) {
    list.push_back({table->name, table == active, kernel::description(*table)});
  }
  return list;
}

kernel_info active_kernel() {
  const kernel::table& active = kernel::active();
  return {active.name, true, kernel::description(active)};
}

}  // namespace riffle::inline v0
