/// Bounds the numbers, so that riffle refuses a mistyped one before it opens any file.
#include "cli/reading.hpp"

#include <fmt/core.h>
#include <riffle/decoders.hpp>
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>

#include "cli/command_line.hpp"

namespace riffle::cli {

namespace {

constexpr std::uint64_t largest_size = std::uint64_t{1} << 62U;
constexpr unsigned most_reads_in_flight = 4096;

reading_arguments& reading(arguments& given) {
  return static_cast<reading_arguments&>(given);
}

}  // namespace

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names{name_of(method::automatic)};
  for (const method_info& info : methods()) names.push_back(info.name);
  return names;
}

std::vector<std::string_view> decoding_names() {
  std::vector<std::string_view> names{name_of(decoding::none), name_of(decoding::automatic)};
  for (const decoder_info& info : decoders()) names.push_back(info.name);
  return names;
}

method parse_method(std::string_view name) {
  if (const auto found = method_named(name)) return *found;
  throw no_such("method", method_names());
}

void set_method(arguments& given, std::string_view value) {
  reading(given).options.method = parse_method(value);
}
void set_block_size(arguments& given, std::string_view value) {
  reading(given).options.block_size = static_cast<std::size_t>(text::parse_size(value, 0, largest_block));
}
void set_queue_depth(arguments& given, std::string_view value) {
  reading(given).options.queue_depth =
      static_cast<unsigned>(text::parse_number(value, 0, most_reads_in_flight));
}
void set_whole_file(arguments& given, std::string_view /*value*/) {
  reading(given).options.whole_file = true;
}
void set_decompress(arguments& given, std::string_view /*value*/) {
  reading(given).options.decode = decoding::automatic;
}
void set_decode(arguments& given, std::string_view value) {
  const auto found = decoding_named(value);
  if (!found) throw no_such("format", decoding_names());
  reading(given).options.decode = *found;
}
void set_max_size(arguments& given, std::string_view value) {
  reading(given).options.max_size = text::parse_size(value, 0, largest_size);
}
void set_no_cache(arguments& given, std::string_view /*value*/) {
  reading(given).options.keep_cache = false;
}
void set_threads(arguments& given, std::string_view value) {
  const auto threads = static_cast<unsigned>(text::parse_number(value, 0, most_threads));
  reading(given).threads = reading(given).options.decode_threads = threads;
}
void set_json(arguments& given, std::string_view /*value*/) {
  reading(given).json = true;
}
void add_file(arguments& given, std::string_view value) {
  reading(given).files.emplace_back(value);
}

input input_of(const std::string& name) {
  if (name == "-") return input(0);
  return input(name);
}

}  // namespace riffle::cli
