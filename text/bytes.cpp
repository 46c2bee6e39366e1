/// A set of bytes is read as GNU tr reads its SET: escapes first, then classes, ranges and single bytes.
#include "text/bytes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <ranges>

#include "text/joined.hpp"

namespace riffle::text {

namespace {

// The classes of POSIX in the C locale, as sets themselves.
struct byte_class {
  std::string_view name;
  std::string_view members;
};
constexpr std::array classes{byte_class{"alnum", "0-9A-Za-z"},    byte_class{"alpha", "A-Za-z"},
                             byte_class{"blank", " \\t"},         byte_class{"cntrl", "\\0-\\037\\177"},
                             byte_class{"digit", "0-9"},          byte_class{"graph", "!-~"},
                             byte_class{"lower", "a-z"},          byte_class{"print", " -~"},
                             byte_class{"punct", "!-/:-@[-`{-~"}, byte_class{"space", "\\t-\\r "},
                             byte_class{"upper", "A-Z"},          byte_class{"xdigit", "0-9A-Fa-f"}};

// The number that `text` starts with, in at most `digits` digits, which are removed from it.
unsigned take_number(std::string_view& text, std::size_t digits, int base) {
  unsigned value = 0;
  const std::string_view some = text.substr(0, digits);
  const char* const end = std::from_chars(some.data(), some.data() + some.size(), value, base).ptr;
  text.remove_prefix(static_cast<std::size_t>(end - some.data()));
  return value;
}

char take_hexadecimal(std::string_view& text) {
  const std::size_t size = text.size();
  const unsigned value = take_number(text, 2, 16);
  if (size - text.size() != 2) throw usage_error("\\x needs two hexadecimal digits; write \\x0A");
  return static_cast<char>(value);
}

char take_octal(std::string_view& text) {
  const unsigned value = take_number(text, 3, 8);
  if (value > 0xFF) throw usage_error("an octal escape is at most \\377");
  return static_cast<char>(value);
}

bool is_alphanumeric(char byte) {
  return (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') || (byte >= 'a' && byte <= 'z');
}

// The byte of an escape. `text` starts after the backslash; the escape is removed from it.
char take_escape(std::string_view& text) {
  constexpr std::string_view letters = "abfnrtv";
  constexpr std::string_view meanings = "\a\b\f\n\r\t\v";
  const char first = text.front();
  if (first >= '0' && first <= '7') return take_octal(text);
  text.remove_prefix(1);
  if (first == 'x') return take_hexadecimal(text);
  if (const std::size_t found = letters.find(first); found != std::string_view::npos) return meanings[found];
  if (is_alphanumeric(first)) {
    throw usage_error(
        "unknown escape; write \\a \\b \\f \\n \\r \\t \\v \\NNN \\xHH, or \\\\ for a backslash");
  }
  return first;
}

class set_parser {
 public:
  explicit set_parser(std::string_view text) {
    while (!text.empty()) {
      char byte = text.front();
      text.remove_prefix(1);
      const bool escaped = byte == '\\' && !text.empty();
      if (escaped) byte = take_escape(text);
      bytes_ += byte;
      syntax_ += escaped ? '\\' : byte;
    }
  }

  std::string bytes() { return std::move(bytes_); }

  std::string members() {
    while (at_ != bytes_.size()) {
      if (!take_class()) take_range();
    }
    return std::move(members_);
  }

 private:
  // "[:alpha:]" or "[=c=]".
  bool take_class() {
    const std::string_view rest = std::string_view(syntax_).substr(at_);
    if (rest.size() < 3 || rest[0] != '[') return false;
    if (rest[1] == ':' || rest[1] == '=') {
      const char closing[] = {rest[1], ']'};
      const std::size_t end = rest.find(std::string_view(closing, 2), 2);
      if (end != std::string_view::npos) {
        const std::string_view inside = std::string_view(bytes_).substr(at_ + 2, end - 2);
        members_ += rest[1] == ':' ? class_of(inside) : equal_to(inside);
        at_ += end + 2;
        return true;
      }
      if (rest[1] == ':') refuse_unclosed(rest.substr(2));
    }
    if (rest[2] == '*' && rest.substr(std::min(rest.find_first_of("\\]", 3), rest.size())).starts_with(']')) {
      throw usage_error("a set has no repeats such as [c*n]; write c, or \\[ for a bracket");
    }
    return false;
  }

  // The range or the byte that comes next.
  void take_range() {
    const bool range = syntax_.size() - at_ > 2 && syntax_[at_ + 1] == '-';
    const auto first = static_cast<unsigned char>(bytes_[at_]);
    const auto last = static_cast<unsigned char>(bytes_[range ? at_ + 2 : at_]);
    if (first > last) throw usage_error("reversed range; write the smaller byte first");
    for (unsigned byte = first; byte <= last; ++byte) members_ += static_cast<char>(byte);
    at_ += range ? 3 : 1;
  }

  static std::string class_of(std::string_view name) {
    const auto* const found = std::ranges::find(classes, name, &byte_class::name);
    if (found != classes.end()) return parse_bytes(found->members);
    const std::string names = joined(classes | std::views::transform(&byte_class::name), ", ");
    throw usage_error("unknown class '" + std::string(name) + "'; use one of " + names);
  }
  static std::string equal_to(std::string_view byte) {
    if (byte.size() != 1) throw usage_error("[=c=] holds one character; write [=a=]");
    return std::string(byte);
  }
  static void refuse_unclosed(std::string_view text) {
    for (const byte_class& each : classes) {
      if (!text.starts_with(each.name)) continue;
      throw usage_error("unclosed class; write [:" + std::string(each.name) + ":]");
    }
  }

  std::string bytes_;   // without escapes
  std::string syntax_;  // the same, with a backslash for each byte that was escaped: it is itself
  std::size_t at_ = 0;  // in both
  std::string members_;
};

}  // namespace

std::string parse_bytes(std::string_view text) {
  if (text.empty()) throw usage_error("no byte; name at least one");
  return set_parser(text).members();
}

std::string parse_text(std::string_view text) {
  if (text.empty()) throw usage_error("an empty text; name at least one byte");
  return set_parser(text).bytes();
}

char parse_byte(std::string_view text) {
  const std::string bytes = parse_bytes(text);
  if (bytes.size() != 1) throw usage_error("not one byte; write " RIFFLE_BYTE_SYNTAX);
  return bytes.front();
}

}  // namespace riffle::text
