/// Finds remedies in the text of a row: a quote, a delimiter, a name.
#include "cli/remedies/fields.hpp"

#include <cstdint>
#include <memory>

namespace riffle::cli {

namespace {

class error_with_remedy : public error {
 public:
  error_with_remedy(const error& failure, const std::string& remedy)
      : error(failure), text_(std::make_shared<const std::string>(failure.what() + ("; " + remedy))) {}
  const char* what() const noexcept override { return text_->c_str(); }

 private:
  std::shared_ptr<const std::string> text_;
};

// Neither a number nor a part of one; "inf" is one.
bool may_be_name(std::string_view text) {
  return !text.empty() && text.find_first_of("0123456789") == std::string_view::npos &&
         detail::to_double(text).result != detail::outcome::done;
}

}  // namespace

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
  throw error_with_remedy(failure, remedy);
}

}  // namespace riffle::cli
