/// Counts an input for C, maps a file, and splits an input among threads that call a function of the user's.
#include <riffle/count.hpp>
#include <riffle/count_text.hpp>
#include <riffle/mapped_file.hpp>
#include <riffle/parallel.hpp>

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <string_view>
#include <utility>
#include <variant>

#include "c/input.hpp"

/// Is the handle of riffle.h.
struct riffle_mapped {
  riffle::mapped_file file;
};

namespace riffle::inline v0::c {

template <>
riffle_text_options defaults() {
  riffle_text_options to{};
  to.size = sizeof to;
  to.threads = 1;
  to.lines = to.words = to.no_break_spaces = 1;
  return to;
}

template <>
riffle_mapping_options defaults() {
  riffle_mapping_options to{};
  to.size = sizeof to;
  to.length = std::numeric_limits<std::uint64_t>::max();
  to.fault_guard = 1;
  return to;
}

template <>
riffle_parallel_options defaults() {
  riffle_parallel_options to{};
  to.size = sizeof to;
  to.record_size = 1;
  to.delimiter = '\n';
  return to;
}

namespace {

// Calls `how(*count, source, thread_options)`.
riffle_code count_by(std::invocable<std::uint64_t&, source, thread_options> auto how,
                     const riffle_input* input, std::uint32_t threads, const riffle_read_options* options,
                     std::uint64_t* count, riffle_error* error) {
  if (count != nullptr) *count = 0;
  return guarded(error, [&] {
    require(count != nullptr, "the pointer for the count is NULL");
    const reading with(options);
    how(*count, source(required(input).from, with.get()), thread_options{.threads = threads});
  });
}

mapping_options options_of(const riffle_mapping_options* given) {
  const riffle_mapping_options own = taken(given);
  mapping_options to{.offset = own.offset,
                     .sequential = own.sequential != 0,
                     .random = own.random != 0,
                     .will_need = own.will_need != 0,
                     .populate = own.populate != 0,
                     .fault_guard = own.fault_guard != 0};
  if (own.length != std::numeric_limits<std::uint64_t>::max()) to.length = own.length;
  return to;
}

riffle_mapped* map(const input& from, const mapping_options& options) {
  if (const auto* const path = std::get_if<path_string>(&from.where())) {
    return new riffle_mapped{mapped_file(*path, options)};
  }
  const int* const descriptor = std::get_if<int>(&from.where());
  require(descriptor != nullptr, "only the input of a path or of a descriptor can be mapped");
  return new riffle_mapped{mapped_file(*descriptor, options)};
}

parallel_options options_of(const riffle_parallel_options* given) {
  const riffle_parallel_options own = taken(given);
  return {.threads = own.threads,
          .split_size = own.split_size,
          .delimiter = optional_byte("delimiter", own.delimiter),
          .record_size = own.record_size};
}

}  // namespace

}  // namespace riffle::inline v0::c

using namespace riffle;

riffle_code riffle_count_lines(const riffle_input* input, uint32_t threads,
                               const riffle_read_options* reading, uint64_t* count, riffle_error* error) {
  return c::count_by(count_lines_into, input, threads, reading, count, error);
}

riffle_code riffle_count_words(const riffle_input* input, uint32_t threads,
                               const riffle_read_options* reading, uint64_t* count, riffle_error* error) {
  return c::count_by(count_words_into, input, threads, reading, count, error);
}

riffle_code riffle_count_utf8(const riffle_input* input, uint32_t threads, const riffle_read_options* reading,
                              uint64_t* count, riffle_error* error) {
  return c::count_by(count_utf8_into, input, threads, reading, count, error);
}

riffle_code riffle_count_any_of(const riffle_input* input, riffle_string set, uint32_t threads,
                                const riffle_read_options* reading, uint64_t* count, riffle_error* error) {
  const auto how = [set](std::uint64_t& total, source from, const thread_options& splitting) {
    c::require(set.data != nullptr || set.size == 0, "the set is NULL");
    count_any_of_into(total, std::move(from), byte_set(std::string_view(set.data, set.size)), splitting);
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
        .no_break_spaces = own.no_break_spaces != 0};
    count_text_into(found, source(c::required(input).from, with.get()), text_counter(options),
                    {.threads = own.threads});
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

void riffle_mapping_options_init(riffle_mapping_options* options, size_t size) {
  c::init(options, size, c::defaults<riffle_mapping_options>());
}

riffle_code riffle_mapped_open(const riffle_input* input, const riffle_mapping_options* options,
                               riffle_mapped** opened, riffle_error* error) {
  return c::open(opened, error, [&] { return c::map(c::required(input).from, c::options_of(options)); });
}

riffle_string riffle_mapped_bytes(const riffle_mapped* mapped) {
  if (mapped == nullptr) return {nullptr, 0};
  return {mapped->file.data(), mapped->file.size()};
}

riffle_code riffle_mapped_check(const riffle_mapped* mapped, riffle_error* error) {
  return c::guarded(error, [&] {
    c::require(mapped != nullptr, "the mapping is NULL");
    mapped->file.check();
  });
}

riffle_input* riffle_input_mapped(const riffle_mapped* mapped) {
  return c::made([&] {
    c::require(mapped != nullptr, "the mapping is NULL");
    return new riffle_input(mapped->file);
  });
}

void riffle_mapped_close(riffle_mapped** mapped) {
  c::close(mapped);
}

void riffle_parallel_options_init(riffle_parallel_options* options, size_t size) {
  c::init(options, size, c::defaults<riffle_parallel_options>());
}

riffle_code riffle_parallel(const riffle_input* input,
                            int (*each)(void* user, riffle_string split, uint64_t offset), void* user,
                            const riffle_parallel_options* splitting, const riffle_read_options* reading,
                            riffle_error* error) {
  return c::guarded(error, [&] {
    c::require(each != nullptr, "the function is NULL");
    const c::reading with(reading);
    parallel_for_each(
        c::required(input).from,
        [&](const block& split) { c::require_zero(each(user, {split.data(), split.size()}, split.offset)); },
        c::options_of(splitting), with.get());
  });
}
