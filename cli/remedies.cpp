/// The remedies of the library, as options of the tool; and those that a quote, a separator or a name of a
/// row shows.
#include "cli/remedies.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

#include "cli/command_line.hpp"
#include "text/quoted.hpp"

namespace riffle::cli {

namespace {

struct words {
  advice what;
  std::string_view option;  // that the command needs
  std::string_view text;    // a value follows it
};
// The tool does not fork, nor takes bytes by their number, so two of them are missing.
constexpr std::array all{
    words{advice::use_method, "method", "use --method "},
    words{advice::use_decoding, "decode", "use --decode "},
    words{advice::use_blocks, "method", "use another --method"},
    words{advice::smaller_block_size, "block-size", "use a smaller --block-size"},
    words{advice::set_max_length, "max-length", "set --max-length to refuse a record this long"},
    words{advice::larger_max_length, "max-length", "use a larger --max-length"},
    words{advice::larger_max_size, "max-size", "use a larger --max-size"},
    words{advice::larger_split_size, "threads", "use fewer --threads"},
    words{advice::fewer_threads, "threads", "use fewer --threads"}};

// Neither a number nor a part of one; "inf" is one.
bool may_be_name(std::string_view text) {
  return !text.empty() && text.find_first_of("0123456789") == std::string_view::npos &&
         detail::to_double(text).result != detail::outcome::done;
}

}  // namespace

std::string as_typed(const error& failure, const arguments& given) {
  auto [what, value] = failure.remedy();
  if (what == advice::none) return failure.what();
  if (what == advice::use_method && value.empty()) what = advice::use_blocks;  // by any other one
  const auto* const found = std::ranges::find(all, what, &words::what);
  const auto has = [&](const option& each) { return found->option == each.name && has_needs(each, given); };
  if (found == all.end() || std::ranges::none_of(given.running->options, has)) return failure.message();
  return failure.message() + "; " + std::string(found->text) + std::string(value);
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
  // A text may hold blanks, so that they count only if a field is missing.
  if (delimiter.empty() && from.size() == 1 && index > 0 && from[0].find(' ') != std::string_view::npos) {
    const bool aligned = from[0].starts_with(' ') || from[0].find("  ") != std::string_view::npos;
    delimiter = aligned ? "use --whitespace" : "use " + separator_as_typed(' ');
  }
  if (!delimiter.empty()) return delimiter;
  // In a split of a file that threads share, the first row is number 1 too.
  constexpr std::uint64_t front = 64 * 1024;
  const bool first = from.number() == 1 && from.offset() < front;
  if (index >= from.size()) {
    return first ? "" : "--bad-rows skip leaves such rows out, and --ragged pad adds empty fields";
  }
  const std::string_view text = from[index];
  const auto is_blank = [](char byte) { return byte == ' ' || byte == '\t'; };
  if (is_blank(rows.separator) && !rows.whitespace &&
      std::ranges::any_of(from, [](std::string_view field) { return field.empty(); })) {
    return "the row has empty fields; if runs of blanks separate its fields, use --whitespace";
  }
  if (text.starts_with('"') && !rows.quote) return "use --quote '\"'";
  if (first && may_be_name(text) && !rows.header) return "use --header if the first row holds names";
  const std::string value(from.unescaped(index));
  if (!rows.trim && !value.empty() && (is_blank(value.front()) || is_blank(value.back()))) {
    return "use --trim to drop the blanks around it";
  }
  constexpr std::size_t longest = 40;
  if (value.size() > longest || !(value.empty() || may_be_name(value))) return {};
  return "--null " + text::shell_quoted(value) + " leaves such cells out";
}

void throw_with_remedy(const error& failure, const std::string& remedy) {
  if (remedy.empty()) throw error(failure);
  const std::string before = failure.detail().empty() ? "" : failure.detail() + "; ";
  throw error(failure.code(), failure.operation(), failure.path(), failure.offset(), before + remedy,
              failure.remedy(), failure.compressed_offset());
}

}  // namespace riffle::cli
