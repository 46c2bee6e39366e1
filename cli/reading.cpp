/// Finds methods and formats by their names, and inputs by those of files.
#include "cli/reading.hpp"

#include <fmt/core.h>
#include <riffle/decoders.hpp>
#include <riffle/lines.hpp>
#include <riffle/methods.hpp>
#include <riffle/parallel.hpp>

#include "cli/command_line.hpp"

namespace riffle::cli {

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

decoding parse_decoding(std::string_view name) {
  if (const auto found = decoding_named(name)) return *found;
  throw no_such("format", decoding_names());
}

void set_decompress(arguments& given, std::string_view /*typed*/) {
  set_decode(given, name_of(decoding::automatic));
}

void set_decode(arguments& given, std::string_view value) {
  auto& reading = static_cast<reading_arguments&>(given);
  reading.options.decode = parse_decoding(value);
  reading.decode_typed = true;
}

void decode_records(reading_arguments& given) {
  if (!given.decode_typed) given.options.decode = decoding::automatic;
}

void set_threads(arguments& given, std::string_view value) {
  auto& reading = static_cast<reading_arguments&>(given);
  reading.options.decode_threads = static_cast<unsigned>(text::parse_number(value, 0, most_threads));
  reading.threads = reading.options.decode_threads;
}

void add_listed_files(reading_arguments& given) {
  std::vector<std::string> listed;
  for (const std::string& list : given.lists) {
    for (const std::string_view name : lines(input_of(list))) {
      if (!name.empty()) listed.emplace_back(name);
    }
  }
  given.files.insert(given.files.begin(), listed.begin(), listed.end());
}

bool are_files_listed(const arguments& given) {
  return !static_cast<const reading_arguments&>(given).lists.empty();
}

input input_of(const std::string& name) {
  if (name == "-") return input(0);
  return input(name);
}

}  // namespace riffle::cli
