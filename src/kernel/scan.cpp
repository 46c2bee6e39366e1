/// The public scans are one call through the active kernel table each.
#include <riffle/kernels.hpp>
#include <riffle/scan.hpp>

#include "kernel/kernels.hpp"

namespace riffle {

namespace {

/// The part of `data` that `masks` has bits for, so that too few masks cannot be overrun.
std::string_view covered(std::string_view data, std::span<std::uint64_t> masks) noexcept {
  return mask_words(data.size()) <= masks.size() ? data : data.substr(0, masks.size() * 64);
}

}  // namespace

std::uint64_t count_byte(std::string_view data, char byte) {
  return kernel::active().count_byte(data.data(), data.size(), byte);
}

std::uint64_t count_any_of(std::string_view data, const byte_set& set) {
  return kernel::active().count_set(data.data(), data.size(), set);
}

std::uint64_t count_words(std::string_view data, bool in_word) {
  return kernel::active().count_words(data.data(), data.size(), in_word);
}

std::uint64_t count_utf8(std::string_view data) {
  return kernel::active().count_utf8(data.data(), data.size());
}

void match_byte(std::string_view data, char byte, std::span<std::uint64_t> masks) {
  const std::string_view seen = covered(data, masks);
  kernel::active().match_byte(seen.data(), seen.size(), byte, masks.data());
}

void match_any_of(std::string_view data, const byte_set& set, std::span<std::uint64_t> masks) {
  const std::string_view seen = covered(data, masks);
  kernel::active().match_set(seen.data(), seen.size(), set, masks.data());
}

std::vector<kernel_info> kernels() {
  const kernel::table* const active = &kernel::active();
  std::vector<kernel_info> list;
  for (const kernel::table* const table : kernel::available()) list.push_back({table->name, table == active});
  return list;
}

}  // namespace riffle
