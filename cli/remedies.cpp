/// The remedies of the library, as options of the tool; and those that a quote, a separator or a name of a
/// row shows.
#include "cli/remedies.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace riffle::cli {

namespace {

struct words {
  std::string_view option;  // that the command needs
  std::string text;
};

words words_of(const remedy& of) {
  switch (of.what) {
    case advice::use_method:
      if (of.value.empty()) return {"method", "use another --method"};
      return {"method", "use --method " + std::string(of.value)};
    case advice::use_decoding:
      return {"decode", "use --decode " + std::string(of.value)};
    case advice::use_blocks:
      return {"method", "use another --method"};
    case advice::smaller_block_size:
      return {"block-size", "use a smaller --block-size"};
    case advice::set_max_length:
      return {"max-length", "set --max-length to refuse a record this long"};
    case advice::larger_max_length:
      return {"max-length", "use a larger --max-length"};
    case advice::larger_max_size:
      return {"max-size", "use a larger --max-size"};
    case advice::larger_split_size:
    case advice::fewer_threads:
      return {"threads", "use fewer --threads"};
    case advice::none:
    case advice::one_decode_thread:  // the tool does not fork
    case advice::fewer_bytes:        // nor takes bytes by their number
      break;
  }
  return {};
}

// Neither a number nor a part of one; "inf" is one.
bool may_be_name(std::string_view text) {
  return !text.empty() && text.find_first_of("0123456789") == std::string_view::npos &&
         detail::to_double(text).result != detail::outcome::done;
}

}  // namespace

std::string as_typed(const error& failure, const command& running) {
  if (failure.remedy().what == advice::none) return failure.what();
  const auto [option, text] = words_of(failure.remedy());
  const bool has =
      std::ranges::any_of(running.options, [&](const auto& each) { return each.name == option; });
  return has ? failure.message() + "; " + text : failure.message();
}

std::string separator_as_typed(char delimiter) {
  return std::string("--separator '") + (delimiter == '\t' ? "\\t" : std::string(1, delimiter)) + "'";
}

std::string remedy_for_one_field(std::string_view field, const dialect& rows) {
  for (const char delimiter : {',', '\t', ';', '|'}) {
    if (delimiter == rows.separator || field.find(delimiter) == std::string_view::npos) continue;
    return "use " + separator_as_typed(delimiter);
  }
  return {};
}

std::string remedy_for_field(const row& from, std::size_t index, const dialect& rows) {
  std::string delimiter = from.size() == 1 ? remedy_for_one_field(from[0], rows) : "";
  if (!delimiter.empty() || index >= from.size()) return delimiter;
  const std::string_view text = from[index];
  if (text.starts_with('"') && !rows.quote) return "use --quote '\"'";
  // In a part of a file that threads share, the first row is number 1 too.
  constexpr std::uint64_t front = 64 * 1024;
  const bool first = from.number() == 1 && from.offset() < front;
  return first && may_be_name(text) && !rows.header ? "use --header if the first row holds names" : "";
}

void throw_with_remedy(const error& failure, const std::string& remedy) {
  if (remedy.empty()) throw error(failure);
  throw error(failure.code(), failure.operation(), failure.path(), failure.offset(),
              failure.detail() + "; " + remedy, failure.remedy(), failure.compressed_offset());
}

}  // namespace riffle::cli
