/// The table of ways to read: each record type and each function that reads an input by itself.
#include "tests/support/posix/ways.hpp"

#include <riffle/istream.hpp>
#include <riffle/riffle.hpp>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/oracles.hpp"

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
  got.bytes += next.bytes;
}
void deliver(delivery& got, std::string_view record) {
  got.bytes.append(record).push_back('\0');
}
void deliver(delivery& got, const numbered_line& line) {
  if (line.offset != got.start + got.bytes.size()) got.wrong = "a line with a wrong offset";
  std::string_view text = line.text;
  if (text.ends_with('\n')) text.remove_suffix(1);
  deliver(got, text);
}
// With its delimiters.
void deliver(delivery& got, const row& fields) {
  if (!got.below_header && fields.offset() != got.start + got.bytes.size())
    got.wrong = "a row with a wrong offset";
  const char* const start = fields[0].data();
  const std::string_view last = fields[fields.size() - 1];
  deliver(got, std::string_view(start, static_cast<std::size_t>(last.data() + last.size() - start)));
}
template <class T>
  requires std::is_arithmetic_v<T>
void deliver(delivery& got, T value) {
  got.bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// In loops of so many records, between which the range is moved.
template <auto make>
void all(const input& from, delivery& got) {
  auto range = make(from, got.reading);
  to_the_end(got, [&] {
    std::size_t left = got.step;
    for (const auto& record : range) {
      deliver(got, record);
      if (--left != 0) continue;
      auto moved = std::move(range);
      range = std::move(moved);
      return true;
    }
    return false;
  });
}

std::string marked(const std::vector<std::string>& records) {
  std::string all;
  for (const std::string& record : records) all.append(record).push_back('\0');
  return all;
}

std::string lines_in(std::string_view bytes) {
  return marked(naive_lines(bytes));
}
std::string words_in(std::string_view bytes) {
  return std::string(naive_words(bytes).size(), '\n');
}
std::string newlines_in(std::string_view bytes) {
  return std::string(static_cast<std::size_t>(std::ranges::count(bytes, '\n')), '\n');
}

void read_mixed(const input& from, delivery& got) {
  reader in(from, got.reading);
  to_the_end(got, [&] {
    if (in.offset() != got.start + got.bytes.size()) got.wrong = "the reader stands elsewhere";
    if (in.at_end()) return false;
    if (const auto line = in.line({.keep_delimiter = true})) got.bytes += *line;
    if (in.at_end()) return false;
    got.bytes += in.bytes(1);
    if (got.truth.size() - got.bytes.size() > 100) {
      deliver(got, in.get<std::uint64_t>());
      const auto taken = in.take<std::uint32_t>(10);
      got.bytes.append(reinterpret_cast<const char*>(taken.data()), taken.size_bytes());
    }
    return true;
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
      if (!in.eof()) got.bytes += '\n';
    }
    return true;
  });
}

// The count is delivered as so many bytes.
template <unsigned threads, void (*count)(std::uint64_t&, source, const thread_options&)>
void count_all(const input& from, delivery& got) {
  std::uint64_t found = 0;
  try {
    count(found, source(from, got.reading), {.threads = threads});
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

// In calls that end after so many bytes.
void each_byte(const input& from, delivery& got) {
  auto range = bytes(from, got.reading);
  const auto call = [&] {
    const std::size_t before = got.bytes.size();
    for_each(range, [&](char byte) {
      got.bytes += byte;
      return got.bytes.size() - before < got.step;
    });
    return got.bytes.size() != before;
  };
  to_the_end(got, call);
}

constexpr auto table = std::to_array<way>({
    {"blocks", all<[](auto& from, auto& how) { return blocks(from, how); }>},
    {"lines", all<[](auto& from, auto& how) { return lines(from, {}, how); }>, lines_in},
    {"whole_lines", all<[](auto& from, auto& how) { return lines(from, {.keep_delimiter = true}, how); }>,
     [](std::string_view bytes) { return marked(naive_lines(bytes, {.keep_delimiter = true})); }},
    {"for_each_line",
     [](const input& from, delivery& got) {
       for_each(lines(from, {}, got.reading), [&](std::string_view line) { deliver(got, line); });
     },
     lines_in},
    {"words", all<[](auto& from, auto& how) { return words(from, {}, how); }>,
     [](std::string_view bytes) { return marked(naive_words(bytes)); }},
    {"tokens", all<[](auto& from, auto& how) { return tokens(from, {}, how); }>,
     [](std::string_view bytes) { return marked(naive_tokens(bytes, word_separators, true)); }},
    {"rows", all<[](auto& from, auto& how) { return rows(from, bytes_alone(), how); }>, lines_in},
    {"rows_below_header",
     [](const input& from, delivery& got) {
       got.below_header = true;
       all<[](auto& opened, auto& how) { return rows(opened, bytes_alone(true), how); }>(from, got);
     },
     [](std::string_view bytes) {
       return lines_in(bytes.substr(std::min(bytes.find('\n'), bytes.size() - 1) + 1));
     }},
    {"for_each_byte", each_byte},
    {"bytes", all<[](auto& from, auto& how) { return bytes(from, how); }>},
    {"values", all<[](auto& from, auto& how) { return values<std::uint32_t>(from, how); }>, same, 4},
    {"large_values", all<[](auto& from, auto& how) { return values<std::uint64_t>(from, how); }>, same, 8},
    {"reader", read_mixed},
    {"read", read_into_a_buffer},
    {"numbered_lines",
     all<[](auto& from, auto& how) { return numbered_lines(from, {.keep_delimiter = true}, how); }>,
     lines_in},
    {"istream", read_stream},
    {"read_all", [](const input& from, delivery& got) { got.bytes = read_all(from, got.reading); }},
    {"count_lines", count_all<0, count_lines_into>, newlines_in},
    {"count_lines_by_1", count_all<1, count_lines_into>, newlines_in},
    {"count_lines_by_3", count_all<3, count_lines_into>, newlines_in},
    {"count_words_by_1", count_all<1, count_words_into>, words_in},
    {"count_words_by_3", count_all<3, count_words_into>, words_in},
    {"parallel_reduce", reduce},
    {"blocks_of_c", c_blocks},
    {"read_some_of_c", c_read_some},
    {"read_of_c", c_read},
    {"lines_of_17", lines_of_17, lines_in},
    {"read_of_17", read_of_17},
    {"reader_of_17", reader_of_17},
    {"lines_of_c", c_lines, lines_in},
    {"words_of_c", c_words, [](std::string_view bytes) { return marked(naive_words(bytes)); }},
    {"rows_of_c", c_rows, lines_in},
    {"count_lines_of_c", c_count_lines, newlines_in},
    {"parallel_of_c", c_parallel},
});

}  // namespace

std::span<const way> ways() {
  return table;
}

const way& way_named(std::string_view name) {
  return *std::ranges::find(table, name, &way::name);
}

}  // namespace riffle::test
