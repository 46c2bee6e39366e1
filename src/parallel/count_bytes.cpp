/// Counts each of the 256 bytes. Where a few different ones make up a batch, SIMD kernels count these; else a
/// loop with four tables does, so that equal bytes side by side do not wait for each other.
#include <riffle/count.hpp>
#include <riffle/parallel.hpp>

#include <algorithm>
#include <array>
#include <string>

namespace riffle::inline v0 {

namespace {

constexpr std::size_t cached_batch = std::size_t{16} << 10U;  // tuning: fits the first-level cache
constexpr std::size_t few_kinds = 8;  // tuning: kernels count so many faster than the loop

void add(byte_counts& to, const byte_counts& more) {
  for (std::size_t i = 0; i != to.size(); ++i) to[i] += more[i];
}

byte_counts counted_by_tables(std::string_view batch) {
  std::array<std::array<std::uint32_t, 256>, 4> tables{};
  auto& [a, b, c, d] = tables;
  std::size_t at = 0;
  for (; batch.size() - at >= 8; at += 8) {
    const auto bytes = detail::little_endian<std::uint64_t>(batch.data() + at);
    ++a[bytes & 0xFFU];
    ++b[bytes >> 8U & 0xFFU];
    ++c[bytes >> 16U & 0xFFU];
    ++d[bytes >> 24U & 0xFFU];
    ++a[bytes >> 32U & 0xFFU];
    ++b[bytes >> 40U & 0xFFU];
    ++c[bytes >> 48U & 0xFFU];
    ++d[static_cast<unsigned char>(bytes >> 56U)];
  }
  for (; at != batch.size(); ++at) ++a[static_cast<unsigned char>(batch[at])];
  byte_counts counts{};
  for (const auto& table : tables) {
    for (std::size_t i = 0; i != counts.size(); ++i) counts[i] += table[i];
  }
  return counts;
}

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

byte_counts counts_of(std::string_view part) {
  byte_counts counts{};
  std::string expected;  // what the last batch consisted of
  for (; !part.empty(); part.remove_prefix(std::min(cached_batch, part.size()))) {
    const std::string_view batch = part.substr(0, cached_batch);
    if (!expected.empty() && count_expected(batch, expected, counts)) continue;
    const byte_counts found = counted_by_tables(batch);
    add(counts, found);
    expected = few_bytes(found);
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
