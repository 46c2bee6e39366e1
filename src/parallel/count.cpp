/// Implements counts and sums of a whole input: maps the blocks or the splits by a SIMD kernel, and joins the
/// parts.
#include <riffle/count.hpp>
#include <riffle/count_text.hpp>
#include <riffle/error.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "count/part.hpp"

namespace riffle::inline v0 {

/// The words of a part of a text. Parts can be added from left to right.
struct word_part {
  std::uint64_t words = 0;
  bool empty = true;
  bool starts_in_word = false;
  bool ends_in_word = false;

  friend word_part operator+(const word_part& left, const word_part& right) noexcept {
    if (left.empty) return right;
    if (right.empty) return left;
    const std::uint64_t twice = left.ends_in_word && right.starts_in_word ? 1 : 0;
    return {left.words + right.words - twice, false, left.starts_in_word, right.ends_in_word};
  }
};

inline word_part words_of(std::string_view part) noexcept {
  if (part.empty()) return {};
  return {scan::count_words(part), false, !word_separators.contains(part.front()),
          !word_separators.contains(part.back())};
}

namespace {

// Counts a whole input by a function that takes a source.
template <class Counts, class Into, class... What>
Counts whole(Into into, const input& from, const count_options& options, const read_options& reading,
             const What&... what) {
  Counts counts{};
  into(counts, source(from, reading), what..., {.threads = options.threads});
  return counts;
}

// Adds what `kernel` counts in each split.
template <class Kernel>
void add_parts(std::uint64_t& total, source from, const thread_options& splitting, Kernel kernel) {
  total = 0;
  parallel_reduce_into(total, std::move(from), kernel, std::plus<>(),
                       detail::cut_at(std::nullopt, splitting));
}

// Sums values of the other byte order, by copies that stay in the first-level cache.
void add_swapped(detail::sum_state& sum, std::string_view values) {
  std::array<char, 4096> copy;
  const std::size_t size = sum.element_size();
  while (!values.empty()) {
    const std::string_view some = values.substr(0, copy.size());
    std::ranges::copy(some, copy.begin());
    for (std::size_t place = 0; place < some.size(); place += size) {
      std::reverse(copy.data() + place, copy.data() + place + size);
    }
    sum.add(copy.data(), some.size());
    values.remove_prefix(some.size());
  }
}

}  // namespace

std::uint64_t count_lines(const input& from, const count_options& options, const read_options& reading) {
  return whole<std::uint64_t>(count_lines_into, from, options, reading);
}

std::uint64_t count_words(const input& from, const count_options& options, const read_options& reading) {
  return whole<std::uint64_t>(count_words_into, from, options, reading);
}

std::uint64_t count_utf8(const input& from, const count_options& options, const read_options& reading) {
  return whole<std::uint64_t>(count_utf8_into, from, options, reading);
}

std::uint64_t count_byte(const input& from, char byte, const count_options& options,
                         const read_options& reading) {
  return whole<std::uint64_t>(count_byte_into, from, options, reading, byte);
}

std::uint64_t count_any_of(const input& from, const byte_set& set, const count_options& options,
                           const read_options& reading) {
  return whole<std::uint64_t>(count_any_of_into, from, options, reading, set);
}

std::uint64_t count_lines_with(const input& from, std::string_view text, const count_options& options,
                               const read_options& reading) {
  return whole<std::uint64_t>(count_lines_with_into, from, options, reading, text);
}

std::uint64_t count_occurrences(const input& from, std::string_view text, const count_options& options,
                                const read_options& reading) {
  return whole<std::uint64_t>(count_occurrences_into, from, options, reading, text);
}

byte_counts count_bytes(const input& from, const count_options& options, const read_options& reading) {
  return whole<byte_counts>(count_bytes_into, from, options, reading);
}

void count_lines_into(std::uint64_t& total, source from, const thread_options& splitting) {
  count_byte_into(total, std::move(from), '\n', splitting);
}

void count_byte_into(std::uint64_t& total, source from, char byte, const thread_options& splitting) {
  add_parts(total, std::move(from), splitting,
            [byte](std::string_view part) { return scan::count_byte(part, byte); });
}

void count_any_of_into(std::uint64_t& total, source from, const byte_set& set,
                       const thread_options& splitting) {
  add_parts(total, std::move(from), splitting,
            [&set](std::string_view part) { return scan::count_any_of(part, set); });
}

void count_utf8_into(std::uint64_t& total, source from, const thread_options& splitting) {
  add_parts(total, std::move(from), splitting, scan::count_utf8);
}

void count_words_into(std::uint64_t& total, source from, const thread_options& splitting) {
  total = 0;
  const auto add = [&total](const word_part& left, const word_part& right) {
    const word_part both = left + right;
    total = both.words;
    return both;
  };
  word_part all;
  parallel_reduce_into(all, std::move(from), words_of, add, detail::cut_at(std::nullopt, splitting));
}

detail::sum_state detail::sum_input(element kind, const input& from, const sum_options& options,
                                    const read_options& reading) {
  source opened(from, reading);
  const std::string name = opened.name();
  const sum_state nothing(kind);
  const std::size_t size = nothing.element_size();
  const auto add_to = [&](sum_state& sum, const block& split) {
    if (const std::size_t rest = split.size() % size; rest != 0) {
      throw error(errc::partial_value, "read", name, split.offset + split.size() - rest);
    }
    if (options.order == std::endian::native) {
      sum.add(split.data(), split.size());
    } else {
      add_swapped(sum, split);
    }
  };
  parallel_options splitting{.threads = options.threads, .delimiter = std::nullopt, .record_size = size};
  sum_state total(kind);
  if (kind == element::f32 || kind == element::f64) {
    splitting.threads = 1;
    each_split(
        std::move(opened),
        [&](std::size_t, const block* split, const std::function<void()>& check) {
          if (split != nullptr) add_to(total, *split);
          check();
        },
        splitting);
    return total;
  }
  const auto map = [&](const block& split) {
    sum_state sum(kind);
    add_to(sum, split);
    return sum;
  };
  const auto combine = [](sum_state left, const sum_state& right) {
    left.add(right);
    return left;
  };
  parallel_reduce_into(total, std::move(opened), map, combine, splitting);
  return total;
}

std::string read_all(const input& from, const read_options& reading) {
  source opened(from, reading);
  std::string all;
  try {
    if (opened.size_hint() > opened.start()) {
      const std::uint64_t expected = opened.size_hint() - opened.start();
      if (expected > all.max_size()) throw std::length_error("");
      all.reserve(static_cast<std::size_t>(expected));
    }
    for (block next = opened.next(); !next.empty(); next = opened.next()) {
      all.append(next.bytes);
    }
  } catch (const std::bad_alloc&) {
    throw error(std::make_error_code(std::errc::not_enough_memory), "read all of", opened.name(),
                opened.start() + all.size(), "read it by blocks or by lines instead");
  } catch (const std::length_error&) {
    throw error(std::make_error_code(std::errc::not_enough_memory), "read all of", opened.name(),
                std::nullopt,
                "it is larger than a string can be (" + std::to_string(all.max_size()) +
                    " bytes); read it by blocks or by lines instead");
  }
  return all;
}

text_counter::text_counter(const text_options& what) : parts_(std::make_shared<part_counter>(what)) {
  if (what.threads != 1) {
    throw error(errc::invalid_argument, "count", "a text", std::nullopt,
                "a text_counter has no threads; count_text_into takes their number");
  }
}

bool detail::needs_only_size(const text_counter& by) noexcept {
  return by.parts_->needs_only_size();
}

void count_text_into(text_counts& counts, source from, const text_counter& by,
                     const thread_options& splitting) {
  const part_counter& count = *by.parts_;
  counts = {};
  if (!count.takes_parts()) return count.count_in_order(from, counts);
  text_part all;
  if (splitting.threads == 1) {  // to hand out splits costs a twentieth of what a file of 4 KiB takes
    for (block next = from.next(); !next.empty(); next = from.next()) {
      const text_part part = count(next.bytes);
      from.finish_block();
      counts = all = count.join(all, part);
    }
    return;
  }
  const auto join = [&](const text_part& left, const text_part& right) {
    const text_part both = count.join(left, right);
    counts = both;
    return both;
  };
  parallel_reduce_into(all, std::move(from), std::cref(count), join, detail::cut_at(std::nullopt, splitting));
}

text_counts count_text(const input& from, const text_options& options, const read_options& reading) {
  text_options what = options;
  what.threads = 1;
  text_counts counts;
  count_text_into(counts, source(from, reading), text_counter(what), {.threads = options.threads});
  return counts;
}

}  // namespace riffle::inline v0
