/// What tests and fuzz targets ask of any input: the methods for it, its bytes, objects of the user's, and
/// growth.
#pragma once

#include <riffle/blocks.hpp>
#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace riffle::inline v0 {
struct parallel_options;
}

namespace riffle::test {

/// Gives bytes at offsets, so many at a time, each time after a call of `before`, which finds other bytes in
/// the memory, as half an answer leaves them.
struct bytes_at_offsets {
  std::string bytes;
  std::size_t piece = SIZE_MAX;
  std::function<void()> before = [] {};

  std::size_t read_at(std::uint64_t offset, std::span<char> into) const {
    std::memset(into.data(), '\n', into.size());  // TSan looks once, not at each byte
    before();
    return bytes.copy(into.data(), std::min(piece, into.size()), static_cast<std::size_t>(offset));
  }
  std::uint64_t size() const { return bytes.size(); }
};

/// Gives them in order.
struct bytes_in_order {
  bytes_at_offsets all;
  std::uint64_t given = 0;

  std::size_t read(std::span<char> into) {
    const std::size_t count = all.read_at(given, into);
    given += count;
    return count;
  }
  std::string name() const { return "bytes in order"; }
};

/// Takes at most so many records of a range by one loop, and moves the range then. Returns
/// whether it left the loop.
template <class Range, class Take>
[[gnu::noinline]] bool take_some(Range& range, std::size_t most, Take take) {
  bool left = false;
  for (auto&& record : range) {
    take(record);
    left = --most == 0;
    if (left) break;
  }
  Range moved = std::move(range);
  range = std::move(moved);
  return left;
}

/// How many times as much processor time `work(4 * size)` takes as `work(size)`, by the best of three runs:
/// about 4 if the work is linear, 16 if it is quadratic.
template <class Work>
double growth(std::size_t size, Work work) {
  const auto best = [&](std::size_t of_size) {
    std::clock_t least = std::numeric_limits<std::clock_t>::max();
    for (int run = 0; run < 3; ++run) {
      const std::clock_t start = std::clock();
      work(of_size);
      least = std::min(least, std::clock() - start);
    }
    return static_cast<double>(least);
  };
  const double small = best(size);
  return best(4 * size) / std::max(small, 1.0);
}

/// The methods that this machine has for such an input, `automatic` first.
inline std::vector<method> usable_methods(input_kind kind = input_kind::regular_file) {
  std::vector<method> usable{method::automatic};
  for (const method_info& info : methods()) {
    if (info.takes(kind) && !info.unavailable()) usable.push_back(info.id);
  }
  return usable;
}

/// Returns a queue depth for a method; 0 if it keeps no queue, as the option is then an error.
inline unsigned queued(method by, unsigned depth) {
  const method_info* named = find_method(by);
  return named == nullptr || named->queues ? depth : 0;
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

/// Reads on to the end, and appends what comes before a failure too.
inline void read_on(source& from, std::string& found) {
  for (block part = from.next(); !part.empty(); part = from.next()) found += part.bytes;
}
inline std::string rest_of(source& from) {
  std::string found;
  read_on(from, found);
  return found;
}

/// Reads an input by splits, and joins them. What was read before a failure is there too.
read_outcome read_splits(source from, const parallel_options& splitting);

/// The same if there is no error.
inline std::string joined(const input& from, const parallel_options& splitting,
                          const read_options& reading = {}) {
  read_outcome found = read_splits(source(from, reading), splitting);
  if (found.failure) throw error(*found.failure);
  return std::move(found.bytes);
}

/// Copies of the records of a loop.
template <class Range>
std::vector<std::string> copies_of(Range&& records) {
  std::vector<std::string> all;
  for (const std::string_view record : records) all.emplace_back(record);
  return all;
}

/// How many bytes the error calls verified; all of them if it does not say.
inline std::size_t verified(const read_outcome& found) {
  constexpr std::string_view before = "the bytes from ";
  const std::string& detail = found.failure->detail();
  const std::size_t at = detail.find(before);
  return at == std::string::npos ? found.bytes.size() : std::stoull(detail.substr(at + before.size()));
}

}  // namespace riffle::test
