/// The table of ways to read: each record type and each function that reads an input by itself.
#include "tests/support/posix/ways.hpp"

#include <riffle/istream.hpp>
#include <riffle/riffle.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/oracles.hpp"
#include "tests/support/reading.hpp"

namespace riffle::test {

namespace {

// Rows whose fields and separators are all bytes of the input.
dialect bytes_alone(bool header = false) {
  dialect rows = plain;
  rows.skip_bom = false;
  rows.header = header;
  return rows;
}

void deliver(delivery& got, const block& next) {
  if (next.empty()) got.wrong = "an empty block";
  if (next.offset != got.start + got.bytes.size()) got.wrong = "a block with a wrong offset";
  got.add(next.bytes, false);
}
void deliver(delivery& got, std::string_view record) {
  got.add(record, true);
}
void deliver(delivery& got, const numbered_line& line) {
  if (line.offset != got.start + got.bytes.size()) got.wrong = "a line with a wrong offset";
  if (line.number != got.records + 1) got.wrong = "a line with a wrong number";
  std::string_view text = line.text;
  if (text.ends_with('\n')) text.remove_suffix(1);
  deliver(got, text);
}
// With its delimiters.
void deliver(delivery& got, const row& fields) {
  if (!got.below_header && fields.offset() != got.start + got.bytes.size())
    got.wrong = "a row with a wrong offset";
  if (!got.below_header && fields.number() != got.records + 1) got.wrong = "a row with a wrong number";
  const char* const start = fields[0].data();
  const std::string_view last = fields[fields.size() - 1];
  deliver(got, std::string_view(start, static_cast<std::size_t>(last.data() + last.size() - start)));
}
template <class T>
  requires std::is_arithmetic_v<T>
void deliver(delivery& got, T value) {
  got.add({reinterpret_cast<const char*>(&value), sizeof value}, false);
}

// Apart from the loop above it, as each takes a batch of the stack.
template <class Range>
[[gnu::noinline]] bool call_for_some(Range& range, delivery& got) {
  std::size_t left = got.step;
  for_each(range, [&](const auto& record) {
    if (left == 0) got.wrong = "it goes on after it was stopped";
    deliver(got, record);
    return --left != 0;
  });
  return left == 0;
}

// In loops of so many records, by turns with for_each.
template <auto make>
void all(const input& from, delivery& got) {
  auto range = make(from, got);
  bool calls = false;
  to_the_end(got, [&] {
    if (std::exchange(calls, !calls)) return call_for_some(range, got);
    return take_some(range, got.step, [&](const auto& record) { deliver(got, record); });
  });
}

std::string marked(const std::vector<std::string>& records) {
  std::string all;
  for (const std::string& record : records) all.append(record).push_back('\0');
  return all;
}

template <class Counted>
std::string newlines_for(Counted count) {
  return std::string(static_cast<std::size_t>(count), '\n');
}

void read_mixed(const input& from, delivery& got) {
  reader in(from, got.reading);
  to_the_end(got, [&] {
    if (in.offset() != got.start + got.bytes.size()) got.wrong = "the reader stands elsewhere";
    if (in.at_end()) return false;
    if (const auto line = in.line({.keep_delimiter = true})) got.add(*line, false);
    if (in.at_end()) return false;
    got.add(in.bytes(1), false);
    if (got.truth.size() > got.bytes.size() + 100) {
      deliver(got, in.get<std::uint64_t>());
      const auto taken = in.take<std::uint32_t>(10);
      got.bytes.append(reinterpret_cast<const char*>(taken.data()), taken.size_bytes());
    }
    return true;
  });
}

void read_lines(const input& from, delivery& got) {
  reader in(from, got.reading);
  to_the_end(got, [&] {
    const auto line = in.line({.max_length = got.longest});
    if (line) deliver(got, *line);
    return line.has_value();
  });
}

void read_into_a_buffer(const input& from, delivery& got) {
  reader in(from, got.reading);
  fill_to_the_end(in, got.start, got, [&](char* into, std::size_t room) { return in.read({into, room}); });
}

// By a stream that is moved after so many lines. A call that fails leaves the start of the line.
void read_stream(const input& from, delivery& got) {
  istream in(from, got.reading);
  to_the_end(got, [&] {
    istream moved(std::move(in));
    in = std::move(moved);
    for (std::size_t left = got.step; left != 0; --left) {
      std::string line;
      try {
        if (!std::getline(in, line)) return false;
      } catch (...) {
        in.clear();
        got.bytes += line;
        throw;
      }
      got.bytes += line;
      got.add(in.eof() ? "" : "\n", false);
    }
    return true;
  });
}

// The count is delivered as so many bytes.
template <unsigned threads, auto count>
void count_all(const input& from, delivery& got) {
  std::uint64_t found = 0;
  try {
    count(found, source(from, got.reading), thread_options{.threads = threads});
  } catch (...) {
    got.bytes.assign(found, '\n');
    throw;
  }
  got.bytes.assign(found, '\n');
}

void reduce(const input& from, delivery& got) {
  parallel_reduce_into(got.bytes, source(from, got.reading),
                       [](std::string_view split) { return std::string(split); }, std::plus<>(),
                       {.threads = 3, .split_size = 4096});
}

// By one thread, which gets them in order.
void each_split(const input& from, delivery& got) {
  parallel_for_each(
      from, [&](const block& split) { deliver(got, split); }, {.threads = 1, .split_size = 4096},
      got.reading);
}

void parallel_rows_by_3(const input& from, delivery& got) {
  const auto rows_of = [](row_range& part) {
    delivery of_part{.below_header = true};
    for (const row fields : part) deliver(of_part, fields);
    return of_part.bytes;
  };
  parallel_rows_into(got.bytes, row_range(from, bytes_alone(), got.reading), rows_of, std::plus<>(),
                     {.threads = 3, .split_size = 4096});
}

constexpr auto table = std::to_array<way>({
    {"blocks", all<[](auto& from, auto& got) { return blocks(from, got.reading); }>},
    {"lines",
     all<[](auto& from, auto& got) { return lines(from, {.max_length = got.longest}, got.reading); }>,
     lines_in},
    {"whole_lines",
     all<[](auto& from, auto& got) { return lines(from, {.keep_delimiter = true}, got.reading); }>,
     [](std::string_view bytes) { return marked(naive_lines(bytes, {.keep_delimiter = true})); }},
    {"for_each_line",
     [](const input& from, delivery& got) {
       for_each(lines(from, {}, got.reading), [&](std::string_view line) { deliver(got, line); });
     },
     lines_in},
    {"words",
     all<[](auto& from, auto& got) { return words(from, {.max_length = got.longest}, got.reading); }>,
     words_in},
    {"tokens", all<[](auto& from, auto& got) { return tokens(from, {}, got.reading); }>,
     [](std::string_view bytes) { return marked(naive_tokens(bytes, word_separators, true)); }},
    {"rows", all<[](auto& from, auto& got) {
       dialect plain_rows = bytes_alone();
       plain_rows.max_length = got.longest;
       return rows(from, plain_rows, got.reading);
     }>,
     lines_in},
    {"quoted_rows", all<[](auto& from, auto& got) {
       dialect quoted = bytes_alone();
       quoted.quote = '"';
       return rows(from, quoted, got.reading);
     }>,
     lines_in},
    {"rows_below_header",
     [](const input& from, delivery& got) {
       got.below_header = true;
       all<[](auto& opened, auto& to) { return rows(opened, bytes_alone(true), to.reading); }>(from, got);
     },
     [](std::string_view bytes) {
       return lines_in(bytes.substr(std::min(bytes.find('\n'), bytes.size() - 1) + 1));
     }},
    {"bytes", all<[](auto& from, auto& got) { return bytes(from, got.reading); }>},
    {"values", all<[](auto& from, auto& got) { return values<std::uint32_t>(from, got.reading); }>, same, 4},
    {"swapped_values", all<[](auto& from, auto& got) {
       return values<std::uint32_t>(from, {.order = other_order}, got.reading);
     }>,
     [](std::string_view bytes) { return naive_values(bytes, 4, true); }, 4},
    {"large_values", all<[](auto& from, auto& got) { return values<std::uint64_t>(from, got.reading); }>,
     same, 8},
    {"reader", read_mixed},
    {"lines_of_reader", read_lines, lines_in},
    {"read", read_into_a_buffer},
    {"numbered_lines", all<[](auto& from, auto& got) {
       return numbered_lines(from, {.keep_delimiter = true, .max_length = got.longest}, got.reading);
     }>,
     lines_in},
    {"istream", read_stream},
    {"read_all", [](const input& from, delivery& got) { got.bytes = read_all(from, got.reading); }, same, 1,
     true},
    {"count_lines", count_all<0, count_lines_into>, newlines_counted, 1, true},
    {"count_lines_by_1", count_all<1, count_lines_into>, newlines_counted, 1, true},
    {"count_lines_by_3", count_all<3, count_lines_into>, newlines_counted, 1, true},
    {"count_words_by_1", count_all<1, count_words_into>, words_counted, 1, true},
    {"count_words_by_3", count_all<3, count_words_into>, words_counted, 1, true},
    {"count_utf8_by_3", count_all<3, count_utf8_into>, characters_counted, 1, true},
    {"count_any_of_by_3",
     count_all<3, [](auto& to, source from,
                     const auto& by) { count_any_of_into(to, std::move(from), byte_set("bd"), by); }>,
     letters_counted, 1, true},
    {"count_byte_by_3",
     count_all<3,
               [](auto& to, source from, const auto& by) { count_byte_into(to, std::move(from), '\n', by); }>,
     newlines_counted, 1, true},
    {"count_occurrences_by_3",
     count_all<3, [](auto& to, source from,
                     const auto& by) { count_occurrences_into(to, std::move(from), "\n", by); }>,
     newlines_counted, 1, true},
    {"parallel_reduce", reduce, same, 1, true},
    {"each_split", each_split},
    {"parallel_rows", parallel_rows_by_3, lines_in, 1, true},
});

}  // namespace

std::string lines_in(std::string_view bytes) {
  return marked(naive_lines(bytes));
}
std::string words_in(std::string_view bytes) {
  return marked(naive_words(bytes));
}
std::string newlines_counted(std::string_view bytes) {
  return newlines_for(std::ranges::count(bytes, '\n'));
}
std::string words_counted(std::string_view bytes) {
  return newlines_for(naive_words(bytes).size());
}
std::string characters_counted(std::string_view bytes) {
  return newlines_for(std::ranges::count_if(
      bytes, [](char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }));
}
std::string letters_counted(std::string_view bytes) {
  return newlines_for(std::ranges::count_if(bytes, [](char byte) { return byte == 'b' || byte == 'd'; }));
}

std::span<const way> ways() {
  static const std::vector<way> all = [] {
    std::vector<way> made(table.begin(), table.end());
    made.insert(made.end(), c_ways().begin(), c_ways().end());
    return made;
  }();
  return all;
}

const way& way_named(std::string_view name) {
  return *std::ranges::find(ways(), name, &way::name);
}

std::string fault_of(const ending& found) {
  if (!found.got.wrong.empty()) return found.got.wrong;
  if (!found.other.empty()) return "another exception: " + found.other;
  if (!found.got.truth.starts_with(found.got.bytes)) return "what was delivered is no prefix of the truth";
  return found.failure || found.out_of_memory || found.whole() ? "" : "short without an error";
}

delivery expecting(const way& how, std::string_view bytes, delivery got) {
  got.truth = how.truth(bytes);
  got.bytes.reserve(got.truth.size());
  return got;
}

ending read_by(const way& how, const input& from, delivery got, const std::function<void()>& start,
               const std::function<void()>& stop) {
  ending found{.way = how.name, .got = std::move(got)};
  start();
  try {
    how.read(from, found.got);
    stop();
  } catch (const error& failure) {
    stop();
    found.failure = failure;
  } catch (const std::bad_alloc&) {
    stop();
    found.out_of_memory = true;
  } catch (const std::exception& failure) {
    stop();
    found.other = failure.what();
  }
  return found;
}

}  // namespace riffle::test
