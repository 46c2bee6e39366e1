/// Counts each of the 256 bytes, and the occurrences of a text in parts that may be cut anywhere.
#include <riffle/count.hpp>
#include <riffle/error.hpp>
#include <riffle/parallel.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernel/kernels.hpp"

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

constexpr std::size_t none = std::string_view::npos;

// Finds the text, with a plan that is made once.
class text_search {
 public:
  explicit text_search(std::string_view text) : plan_(kernel::plan(text)) {}

  std::size_t size() const { return plan_.bytes.size(); }
  std::size_t find(std::string_view bytes, std::size_t from) const {
    const std::size_t rest = bytes.size() - from;
    const std::size_t found = kernel::active().find_text(bytes.data() + from, rest, plan_);
    return found == rest ? none : from + found;
  }

 private:
  kernel::text_plan plan_;
};

// The bytes at the borders of a part: one byte less than the text has, or the whole part.
struct borders {
  borders() = default;
  borders(std::string_view part, std::size_t text_size)
      : size(part.size()),
        head(part.substr(0, text_size - 1)),
        tail(part.substr(part.size() - std::min(part.size(), text_size - 1))) {}

  // Adds the part that follows.
  void add(const borders& next, std::size_t text_size) {
    size += next.size;
    tail += next.tail;
    tail.erase(0, tail.size() - std::min(tail.size(), text_size - 1));
  }

  std::uint64_t size = 0;
  std::string head = {};
  std::string tail = {};
};

// The occurrences in a part. What is counted depends on those before it only in `open`: each of these begins
// before the end of another one, or of one that begins before the part.
struct part_occurrences {
  borders bytes;
  std::vector<std::size_t> open = {};  // their places, whether or not they overlap
  std::uint64_t counted = 0;           // after those
  std::size_t end = 0;                 // of the last one that was counted
};

part_occurrences occurrences_in(std::string_view part, const text_search& text) {
  part_occurrences found{.bytes = borders(part, text.size())};
  std::size_t clear = text.size() - 1;  // one that begins here or later overlaps none before it
  for (std::size_t from = 0;;) {
    const std::size_t place = text.find(part, from);
    if (place == none) return found;
    if (found.counted == 0 && place < clear) {
      found.open.push_back(place);
      clear = place + text.size();
      from = place + 1;
    } else {
      ++found.counted;
      found.end = from = place + text.size();
    }
  }
}

// The occurrences up to a place of the input.
struct occurrences {
  void add(const part_occurrences& part, const text_search& text, std::uint64_t& total) {
    const auto take = [&](std::uint64_t place) {
      if (place < free) return;
      ++total;
      free = place + text.size();
    };
    const std::string across = bytes.tail + part.bytes.head;
    const std::uint64_t start = bytes.size - bytes.tail.size();
    for (std::size_t at = text.find(across, 0); at != none; at = text.find(across, at + 1)) take(start + at);
    for (const std::size_t place : part.open) take(bytes.size + place);
    total += part.counted;
    if (part.counted != 0) free = bytes.size + part.end;
    bytes.add(part.bytes, text.size());
  }

  borders bytes = {};
  std::uint64_t free = 0;  // where the next one may begin
};

// The lines of a part that contain the text.
struct part_lines_with {
  borders bytes;
  bool first = false;         // the first line does
  bool has_newline = false;   // there are more lines
  std::uint64_t counted = 0;  // of these
  bool last = false;          // the last of these does, and has no end yet
};

part_lines_with lines_in(std::string_view part, const text_search& text) {
  part_lines_with found{.bytes = borders(part, text.size())};
  const std::size_t newline = scan::find_byte(part, '\n');
  found.has_newline = newline != none;
  for (std::size_t from = 0;;) {
    const std::size_t place = text.find(part, from);
    if (place == none) return found;
    if (place < newline) {
      found.first = true;
      from = newline;
    } else {
      ++found.counted;
      from = scan::find_byte(part, '\n', place);
      found.last = from == none;
    }
    if (from == none) return found;
  }
}

// The lines up to a place of the input.
struct lines_with {
  void add(const part_lines_with& part, const text_search& text, std::uint64_t& total) {
    const std::string across = bytes.tail + part.bytes.head;  // the text holds no newline
    const bool in_first = part.first || text.find(across, 0) != none;
    if (in_first && !counted) ++total;
    total += part.counted;
    counted = part.has_newline ? part.last : counted || in_first;
    bytes.add(part.bytes, text.size());
  }

  borders bytes = {};
  bool counted = false;  // the line that has no end yet
};

template <class All, class Map>
void count_found(std::uint64_t& total, source from, std::string_view wanted, const thread_options& splitting,
                 Map map) {
  total = 0;
  if (wanted.empty()) {
    throw error(errc::invalid_argument, "search", from.name(), std::nullopt, "the text is empty");
  }
  const text_search text(wanted);
  const auto in_part = [&](std::string_view part) { return map(part, text); };
  const auto add = [&](All all, const auto& part) {
    all.add(part, text, total);
    return all;
  };
  All all;
  parallel_reduce_into(all, std::move(from), in_part, add, detail::cut_at(std::nullopt, splitting));
}

}  // namespace

void count_bytes_into(byte_counts& counts, source from, const thread_options& splitting) {
  const auto join = [](byte_counts left, const byte_counts& right) {
    add(left, right);
    return left;
  };
  counts.fill(0);
  parallel_reduce_into(counts, std::move(from), counts_of, join, detail::cut_at(std::nullopt, splitting));
}

void count_lines_with_into(std::uint64_t& total, source from, std::string_view text,
                           const thread_options& splitting) {
  if (text.find('\n') != none) {
    throw error(errc::invalid_argument, "search", from.name(), std::nullopt,
                "the text holds a newline, and no line does; use count_occurrences");
  }
  count_found<lines_with>(total, std::move(from), text, splitting, lines_in);
}

void count_occurrences_into(std::uint64_t& total, source from, std::string_view text,
                            const thread_options& splitting) {
  count_found<occurrences>(total, std::move(from), text, splitting, occurrences_in);
}

}  // namespace riffle::inline v0
