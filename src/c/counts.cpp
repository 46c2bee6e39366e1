/// Counts an input for C.
#include <riffle/count.hpp>
#include <riffle/count_text.hpp>

#include <cstdint>
#include <string_view>

#include "c/input.hpp"
#include "c/options.hpp"

namespace riffle::inline v0::c {

template <>
riffle_text_options defaults() {
  riffle_text_options to{};
  to.size = sizeof to;
  to.threads = 1;
  to.lines = to.words = to.no_break_spaces = 1;
  return to;
}

namespace {

using count_function = std::uint64_t (*)(const riffle::input&, const count_options&, const read_options&);

// Calls `how(input, count_options, read_options)`, which also writes what it counted to `*count`.
template <class How>
riffle_code count_by(How how, const riffle_input* input, std::uint32_t threads,
                     const riffle_read_options* options, std::uint64_t* count, riffle_error* error) {
  if (count != nullptr) *count = 0;
  return guarded(error, [&] {
    require(count != nullptr, "the pointer for the count is NULL");
    const reading with(options);
    static_cast<void>(
        how(required(input).from, count_options{.threads = threads, .counted = count}, with.get()));
  });
}

}  // namespace

}  // namespace riffle::inline v0::c

using namespace riffle;

riffle_code riffle_count_lines(const riffle_input* input, uint32_t threads,
                               const riffle_read_options* reading, uint64_t* count, riffle_error* error) {
  return c::count_by<c::count_function>(count_lines, input, threads, reading, count, error);
}

riffle_code riffle_count_words(const riffle_input* input, uint32_t threads,
                               const riffle_read_options* reading, uint64_t* count, riffle_error* error) {
  return c::count_by<c::count_function>(count_words, input, threads, reading, count, error);
}

riffle_code riffle_count_utf8(const riffle_input* input, uint32_t threads, const riffle_read_options* reading,
                              uint64_t* count, riffle_error* error) {
  return c::count_by<c::count_function>(count_utf8, input, threads, reading, count, error);
}

riffle_code riffle_count_any_of(const riffle_input* input, riffle_string set, uint32_t threads,
                                const riffle_read_options* reading, uint64_t* count, riffle_error* error) {
  const auto how = [set](const riffle::input& from, const count_options& options, const read_options& with) {
    c::require(set.data != nullptr || set.size == 0, "the set is NULL");
    return count_any_of(from, std::string_view(set.data, set.size), options, with);
  };
  return c::count_by(how, input, threads, reading, count, error);
}

void riffle_text_options_init(riffle_text_options* options, size_t size) {
  c::init(options, size, c::defaults<riffle_text_options>());
}

riffle_code riffle_count_text(const riffle_input* input, const riffle_text_options* what,
                              const riffle_read_options* reading, riffle_text_counts* counts,
                              riffle_error* error) {
  if (counts != nullptr) *counts = {};
  text_counts found;
  const riffle_code code = c::guarded(error, [&] {
    c::require(counts != nullptr, "the pointer for the counts is NULL");
    const riffle_text_options own = c::taken(what);
    const c::reading with(reading);
    const text_options options{
        .lines = own.lines != 0,
        .words = own.words != 0,
        .characters = own.characters != 0,
        .longest_line = own.longest_line != 0,
        .encoding = c::enumerator("encoding", own.encoding, text_encoding::locale,
                                  "RIFFLE_ENCODING_UTF8 (0) to RIFFLE_ENCODING_LOCALE (2)"),
        .no_break_spaces = own.no_break_spaces != 0,
        .threads = own.threads,
        .counted = &found};
    static_cast<void>(count_text(c::required(input).from, options, with.get()));
  });
  if (counts != nullptr) {
    counts->lines = found.lines;
    counts->words = found.words;
    counts->characters = found.characters;
    counts->bytes = found.bytes;
    counts->longest_line = found.longest_line;
  }
  return code;
}
