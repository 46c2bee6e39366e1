/// Counts each of the 256 bytes. Where a few different ones make up a batch, SIMD kernels count these; else a
/// loop increments counters in tables.
#include <riffle/count.hpp>
#include <riffle/parallel.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace riffle::inline v0 {

namespace {

constexpr std::size_t cached_batch = std::size_t{16} << 10U;  // tuning: fits the first-level cache
constexpr std::size_t few_kinds = 8;        // tuning: kernels count so many faster than the loop
constexpr std::size_t batches_to_wait = 8;  // tuning: after one with more kinds
// To make and add up a table of pairs takes as long as to count 32 KiB.
constexpr std::size_t worth_pairs = std::size_t{128}
                                    << 10U;  // tuning: a table of 256 KiB is made and added up
constexpr std::size_t most_in_tables = std::size_t{1} << 30U;  // no counter overflows

void add(byte_counts& to, const byte_counts& more) {
  for (std::size_t i = 0; i != to.size(); ++i) to[i] += more[i];
}

// Counts by tables in memory. For a large part it counts pairs of bytes, half as many increments; else it has
// four tables, so that equal bytes side by side do not wait for each other.
class byte_tables {
 public:
  explicit byte_tables(std::size_t size) : counters_(size < worth_pairs ? 4 * kinds : kinds * kinds) {}

  void add(std::string_view batch) {
    const char* const end = batch.data() + batch.size() / 8 * 8;
    if (counters_.size() == kinds * kinds) {
      add_pairs(batch.data(), end);
    } else {
      add_bytes(batch.data(), end);
    }
    for (const char byte : batch.substr(batch.size() / 8 * 8)) ++rest_[static_cast<unsigned char>(byte)];
  }

  void add_to(byte_counts& counts) const {
    riffle::add(counts, rest_);
    for (std::size_t row = 0; row != counters_.size() / kinds; ++row) {
      std::uint64_t sum = 0;
      for (std::size_t i = 0; i != kinds; ++i) {
        const std::uint32_t found = counters_[row * kinds + i];
        counts[i] += found;
        sum += found;
      }
      if (counters_.size() == kinds * kinds) counts[row] += sum;
    }
  }

 private:
  static constexpr std::size_t kinds = 256;

  void add_pairs(const char* from, const char* end) {
    std::uint32_t* const pairs = counters_.data();
    for (; from != end; from += 8) {
      const auto bytes = detail::little_endian<std::uint64_t>(from);
      ++pairs[bytes & 0xFFFFU];
      ++pairs[bytes >> 16U & 0xFFFFU];
      ++pairs[bytes >> 32U & 0xFFFFU];
      ++pairs[static_cast<std::size_t>(bytes >> 48U)];
    }
  }

  void add_bytes(const char* from, const char* end) {
    std::uint32_t* const tables = counters_.data();
    for (; from != end; from += 8) {
      const auto bytes = detail::little_endian<std::uint64_t>(from);
      ++tables[bytes & 0xFFU];
      ++tables[kinds + (bytes >> 8U & 0xFFU)];
      ++tables[2 * kinds + (bytes >> 16U & 0xFFU)];
      ++tables[3 * kinds + (bytes >> 24U & 0xFFU)];
      ++tables[bytes >> 32U & 0xFFU];
      ++tables[kinds + (bytes >> 40U & 0xFFU)];
      ++tables[2 * kinds + (bytes >> 48U & 0xFFU)];
      ++tables[3 * kinds + static_cast<std::size_t>(bytes >> 56U)];
    }
  }

  std::vector<std::uint32_t> counters_;  // of the first byte of a pair in a column, of the second in a row
  byte_counts rest_{};
};

// Adds the counts of a batch in which only `expected` occur. Returns false if others do.
bool count_expected(std::string_view batch, std::string_view expected, byte_counts& counts) {
  std::array<std::uint64_t, few_kinds> found{};
  std::uint64_t left = batch.size();
  for (std::size_t i = 0; i != expected.size() && left != 0; ++i) {
    found[i] = scan::count_byte(batch, expected[i]);
    left -= found[i];
  }
  if (left != 0) return false;
  for (std::size_t i = 0; i != expected.size(); ++i)
    counts[static_cast<unsigned char>(expected[i])] += found[i];
  return true;
}

// Returns the bytes that occur, the most frequent first; none if they are not few.
std::string few_bytes(const byte_counts& counts) {
  std::string bytes;
  for (std::size_t i = 0; i != counts.size(); ++i) {
    if (counts[i] != 0) bytes += static_cast<char>(i);
  }
  if (bytes.size() > few_kinds) return {};
  std::ranges::sort(bytes, std::greater(),
                    [&](char byte) { return counts[static_cast<unsigned char>(byte)]; });
  return bytes;
}

byte_counts sample_of(std::string_view batch) {
  constexpr std::size_t step = 61;  // tuning
  byte_counts counts{};
  for (std::size_t at = 0; at < batch.size(); at += step) ++counts[static_cast<unsigned char>(batch[at])];
  return counts;
}

void add_counts_of(std::string_view part, byte_counts& counts) {
  std::optional<byte_tables> tables;
  std::string expected;  // what the last batch consisted of
  std::size_t waiting = 0;
  for (; !part.empty(); part.remove_prefix(std::min(cached_batch, part.size()))) {
    const std::string_view batch = part.substr(0, cached_batch);
    if (expected.empty() && waiting-- == 0) {
      expected = few_bytes(sample_of(batch));
      waiting = batches_to_wait;
    }
    if (expected.empty()) {
      if (!tables) tables.emplace(part.size());
      tables->add(batch);
    } else if (!count_expected(batch, expected, counts)) {
      byte_tables alone(batch.size());
      alone.add(batch);
      byte_counts found{};
      alone.add_to(found);
      add(counts, found);
      expected = few_bytes(found);
    }
  }
  if (tables) tables->add_to(counts);
}

byte_counts counts_of(std::string_view part) {
  byte_counts counts{};
  for (; !part.empty(); part.remove_prefix(std::min(most_in_tables, part.size()))) {
    add_counts_of(part.substr(0, most_in_tables), counts);
  }
  return counts;
}

}  // namespace

void count_bytes_into(byte_counts& counts, source from, const parallel_options& splitting) {
  parallel_options anywhere = splitting;
  anywhere.delimiter.reset();
  const auto join = [](byte_counts left, const byte_counts& right) {
    add(left, right);
    return left;
  };
  counts.fill(0);
  parallel_reduce_into(counts, std::move(from), counts_of, join, anywhere);
}

}  // namespace riffle::inline v0
