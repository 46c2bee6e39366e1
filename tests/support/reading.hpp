/// What tests and fuzz targets ask of any input: the methods for it, its bytes, and the error that ends it.
#pragma once

#include <riffle/blocks.hpp>
#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace riffle::test {

/// The methods that this machine has for such an input, `automatic` first.
inline std::vector<method> usable_methods(input_kind kind = input_kind::regular_file) {
  std::vector<method> usable{method::automatic};
  for (const method_info& info : methods()) {
    if (info.takes(kind) && !info.unavailable()) usable.push_back(info.id);
  }
  return usable;
}

/// Runs `f` and returns the `riffle::error` it throws; nothing when it throws none.
template <class F>
std::optional<error> error_of(F f) {
  try {
    f();
  } catch (const error& failure) {
    return failure;
  }
  return std::nullopt;
}

/// Returns the code of the error that `f` throws; none if it throws none.
template <class F>
std::error_code code_of(F f) {
  const auto thrown = error_of(f);
  return thrown ? thrown->code() : std::error_code();
}

/// The bytes that reading gave, and the error that ended it.
struct read_outcome {
  std::string bytes = {};
  std::optional<error> failure = {};
};

/// Reads an input by its blocks. Throws std::logic_error if one has no bytes, or begins elsewhere than where
/// the one before it ended.
inline read_outcome read_blocks(const input& from, const read_options& reading = {}) {
  read_outcome found;
  std::optional<std::uint64_t> start;
  found.failure = error_of([&] {
    for (const block& part : blocks(from, reading)) {
      if (!start) start = part.offset;
      if (part.empty() || part.offset != *start + found.bytes.size())
        throw std::logic_error("a block is empty or has another offset");
      found.bytes += part.bytes;
    }
  });
  return found;
}

/// The same if there is no error.
inline std::string all_of(const input& from, const read_options& reading = {}) {
  read_outcome found = read_blocks(from, reading);
  if (found.failure) throw error(*found.failure);
  return std::move(found.bytes);
}

/// How many bytes the error calls verified; all of them if it does not say.
inline std::size_t verified(const read_outcome& found) {
  constexpr std::string_view before = "the bytes from ";
  const std::string& detail = found.failure->detail();
  const std::size_t at = detail.find(before);
  return at == std::string::npos ? found.bytes.size() : std::stoull(detail.substr(at + before.size()));
}

}  // namespace riffle::test
