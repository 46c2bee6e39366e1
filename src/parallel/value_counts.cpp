/// Counts values: one thread adds each to the table. Of several, each fills a table for each split, and these
/// are added in the order of the input, which is that of the first appearance.
#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/parallel_rows.hpp>
#include <riffle/value_counts.hpp>
#include <riffle/words.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "parallel/key_table.hpp"

namespace riffle::inline v0 {

namespace detail {

class value_table : public key_table<1> {
 public:
  explicit value_table(std::uint64_t max_memory) : key_table(max_memory, "count", "values") {}
};

}  // namespace detail

value_counter::value_counter(std::uint64_t max_memory) noexcept : max_memory_(max_memory) {}
value_counter::value_counter(value_counter&& other) noexcept = default;
value_counter& value_counter::operator=(value_counter&& other) noexcept = default;
value_counter::~value_counter() = default;

void value_counter::add(std::string_view value, std::uint64_t count) {
  if (count == 0) return;
  if (table_ == nullptr) table_ = std::make_unique<detail::value_table>(max_memory_);
  *table_->find(value) += count;
}

void value_counter::add(const value_counter& other) {
  if (other.table_ == nullptr) return;
  if (table_ == nullptr) table_ = std::make_unique<detail::value_table>(max_memory_);
  table_->add(*other.table_, [](std::uint64_t* count, const std::uint64_t* theirs) { *count += *theirs; });
}

void value_counter::add(const row& from, std::span<const std::size_t> columns) {
  if (table_ == nullptr) table_ = std::make_unique<detail::value_table>(max_memory_);
  ++*table_->find(from, columns);
}

void detail::append_field(std::string& value, std::string_view field, bool first) {
  if (!first) value += '\t';
  if (field.find_first_of("\t\n\r\"") == std::string_view::npos) {
    value += field;
    return;
  }
  value += '"';
  for (const char byte : field) value.append(byte == '"' ? 2 : 1, byte);
  value += '"';
}

std::size_t value_counter::size() const noexcept {
  return table_ == nullptr ? 0 : table_->size();
}

value_counter::iterator value_counter::begin() const noexcept {
  return iterator({table_ == nullptr ? nullptr : table_->begin()});
}

value_counter::iterator value_counter::end() const noexcept {
  return iterator({table_ == nullptr ? nullptr : table_->end()});
}

std::vector<value_count> value_counter::top(std::size_t number) const& {
  std::vector<value_count> found(std::min(number, size()));
  // Values lie in the order of their first appearance.
  std::ranges::partial_sort_copy(*this, found, [](const value_count& left, const value_count& right) {
    return left.count != right.count ? left.count > right.count
                                     : std::less<>()(left.value.data(), right.value.data());
  });
  return found;
}

namespace {

struct words_of_source : detail::scanned_range<detail::word_scan> {
  words_of_source(source from, const byte_set& separators)
      : scanned_range(std::move(from), {.separators = separators}) {}
};

// The words of a split, which may be cut anywhere.
struct split_words {
  split_words(std::string_view split, const byte_set& separators) {
    const auto separates = [&separators](char byte) { return separators.contains(byte); };
    const auto first = std::ranges::find_if(split, separates);
    head.assign(split.begin(), first);
    if (first == split.end()) return;
    ends_word = true;
    const auto last = std::find_if(split.rbegin(), split.rend(), separates).base();
    tail.assign(last, split.end());
    for (const std::string_view word :
         riffle::words(memory(std::string_view(first, last)), {.separators = separators}))
      inside.add(word);
  }

  std::string head;  // up to the first separator: the end of the word before
  bool ends_word = false;
  value_counter inside;
  std::string tail;
};

void add_words_of_splits(value_counter& total, source from, const thread_options& splitting,
                         const byte_set& separators) {
  std::string unfinished;
  const auto finish_word = [&] {
    if (!unfinished.empty()) total.add(unfinished);
  };
  const auto add = [&](int, split_words split) {
    unfinished += split.head;
    if (!split.ends_word) return 0;
    finish_word();
    total.add(split.inside);
    unfinished = std::move(split.tail);
    return 0;
  };
  int done = 0;
  parallel_reduce_into(
      done, std::move(from), [&](std::string_view split) { return split_words(split, separators); }, add,
      detail::cut_at(std::nullopt, splitting));
  finish_word();
}

}  // namespace

void value_counts_into(value_counter& total, source from, text_values values, const thread_options& splitting,
                       const byte_set& separators) {
  const auto add = [&total](std::string_view value) { total.add(value); };
  if (values == text_values::words) {
    if (splitting.threads != 1) return add_words_of_splits(total, std::move(from), splitting, separators);
    return for_each(words_of_source(std::move(from), separators), add);
  }
  if (splitting.threads == 1) return for_each(line_range(std::move(from)), add);
  const auto count = [](std::string_view split) {
    value_counter lines;
    for (const std::string_view line : riffle::lines(memory(split))) lines.add(line);
    return lines;
  };
  const auto add_split = [&total](int done, const value_counter& lines) {
    total.add(lines);
    return done;
  };
  int done = 0;
  parallel_reduce_into(done, std::move(from), count, add_split, detail::cut_at('\n', splitting));
}

void value_counts_into(value_counter& total, row_range rows, std::span<const std::size_t> columns,
                       const thread_options& splitting) {
  detail::add_rows(
      total, [] { return value_counter(); }, std::move(rows), splitting,
      [columns](value_counter& to, row_range& some) {
        for_each(some, [&](const row& each) { to.add(each, columns); });
      });
}

value_counter value_counts(const input& from, const value_counts_options& options,
                           const read_options& reading) {
  value_counter total(options.max_memory);
  value_counts_into(total, source(from, reading), options.values, {.threads = options.threads},
                    options.separators);
  return total;
}

value_counter detail::value_counts_of(std::span<const std::string> columns, const input& from,
                                      const dialect& rows, const value_counts_options& options,
                                      const read_options& reading) {
  if (options.values != text_values::lines) {
    throw error(errc::invalid_argument, "count", from.name(), std::nullopt,
                "the values of columns are counted; leave value_counts_options::values as it is");
  }
  dialect with_header = rows;
  with_header.header = true;
  row_range all(from, with_header, reading);
  std::vector<std::size_t> indices;
  indices.reserve(columns.size());
  for (const std::string& name : columns) indices.push_back(all.column(name));
  value_counter total(options.max_memory);
  value_counts_into(total, std::move(all), indices, {.threads = options.threads});
  return total;
}

}  // namespace riffle::inline v0
