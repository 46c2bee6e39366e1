/// Maps files for C.
#include <riffle/mapped_file.hpp>

#include <filesystem>
#include <limits>
#include <variant>

#include "c/input.hpp"
#include "c/options.hpp"

/// Is the handle of riffle.h.
struct riffle_mapped {
  riffle::mapped_file file;
};

namespace riffle::inline v0::c {

template <>
riffle_mapping_options defaults() {
  riffle_mapping_options to{};
  to.size = sizeof to;
  to.length = std::numeric_limits<std::uint64_t>::max();
  to.fault_guard = 1;
  return to;
}

namespace {

mapping_options options_of(const riffle_mapping_options* given) {
  const riffle_mapping_options own = taken(given);
  mapping_options to{.offset = own.offset,
                     .sequential = own.sequential != 0,
                     .random = own.random != 0,
                     .will_need = own.will_need != 0,
                     .populate = own.populate != 0,
                     .fault_guard = own.fault_guard != 0};
  if (own.length != std::numeric_limits<std::uint64_t>::max()) to.length = own.length;
  return to;
}

riffle_mapped* map(const input& from, const mapping_options& options) {
  if (const auto* const path = std::get_if<path_string>(&from.where())) {
    return new riffle_mapped{mapped_file(*path, options)};
  }
  const int* const descriptor = std::get_if<int>(&from.where());
  require(descriptor != nullptr, "only the input of a path or of a descriptor can be mapped");
  return new riffle_mapped{mapped_file(*descriptor, options)};
}

}  // namespace

}  // namespace riffle::inline v0::c

using namespace riffle;

void riffle_mapping_options_init(riffle_mapping_options* options, size_t size) {
  c::init(options, size, c::defaults<riffle_mapping_options>());
}

riffle_code riffle_mapped_open(const riffle_input* input, const riffle_mapping_options* options,
                               riffle_mapped** opened, riffle_error* error) {
  return c::open(opened, error, [&] { return c::map(c::required(input).from, c::options_of(options)); });
}

riffle_string riffle_mapped_bytes(const riffle_mapped* mapped) {
  if (mapped == nullptr) return {nullptr, 0};
  return {mapped->file.data(), mapped->file.size()};
}

riffle_code riffle_mapped_check(const riffle_mapped* mapped, riffle_error* error) {
  return c::guarded(error, [&] {
    c::require(mapped != nullptr, "the mapping is NULL");
    mapped->file.check();
  });
}

riffle_input* riffle_input_mapped(const riffle_mapped* mapped) {
  return c::made([&] {
    c::require(mapped != nullptr, "the mapping is NULL");
    return new riffle_input(mapped->file);
  });
}

void riffle_mapped_close(riffle_mapped** mapped) {
  c::close(mapped);
}
