/// Reads sets of bytes as GNU tr does, writes and reads numbers, and compares words letter by letter.
#include "text/typed.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

#include "text/shown.hpp"

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

// The digits at the start of the text, which are removed from it. Nothing if there is none, the largest
// number of all if there are too many.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure == std::errc::invalid_argument) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return failure == std::errc() ? number : any_size;
}

// Of ASCII alone: a unit is the same in every locale.
std::string upper(std::string_view text) {
  std::string changed(text);
  for (char& each : changed) each = each >= 'a' && each <= 'z' ? static_cast<char>(each - 'a' + 'A') : each;
  return changed;
}

// The power of 1024 of a unit; nothing if it is none.
std::optional<unsigned> power_of(std::string_view unit) {
  const std::string name = upper(unit);
  if (name.empty() || name == "B") return 0;
  constexpr std::string_view letters = "KMGTPE";
  const std::size_t letter = letters.find(name.front());
  const std::string_view rest = std::string_view(name).substr(1);
  const bool known = rest.empty() || rest == "B" || rest == "I" || rest == "IB";
  if (letter == std::string_view::npos || !known) return std::nullopt;
  return static_cast<unsigned>(letter) + 1;
}

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

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view white = " \t\r\n\v\f";
  text.remove_prefix(std::min(text.find_first_not_of(white), text.size()));
  return text.substr(0, text.find_last_not_of(white) + 1);
}

std::size_t distance(std::string_view from, std::string_view to) {
  std::array<std::vector<std::size_t>, 3> rows;
  rows.fill(std::vector<std::size_t>(to.size() + 1));
  auto& [before, last, now] = rows;
  std::iota(last.begin(), last.end(), std::size_t{0});
  for (std::size_t i = 1; i <= from.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const bool same = from[i - 1] == to[j - 1];
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last.back();
}

std::string nearest(std::string_view word, std::span<const std::string> names) {
  std::pair<std::size_t, std::string> best{word.size(), ""};
  for (const std::string& name : names) {
    const std::size_t longer = std::max(word.size(), name.size());
    const std::size_t surplus = longer - std::min(word.size(), name.size());
    if (3 * surplus > longer) continue;
    const std::size_t away = distance(word, name);
    if (3 * away <= longer && away < best.first) best = {away, name};
  }
  return best.second;
}

std::string human_size(std::uint64_t bytes) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB"};
  auto size = static_cast<double>(bytes);
  std::size_t unit = 0;
  // From 1023.95 on, as that would be written as 1024.0. Generated inputs are a few bytes smaller than asked.
  for (; size >= (unit == 0 ? 1024 : 1023.95) && unit + 1 < units.size(); ++unit) size /= 1024;
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", size, units.at(unit));
}

std::string short_size(std::uint64_t bytes) {
  constexpr std::array units{"", "K", "M", "G", "T"};
  std::size_t unit = 0;
  for (; bytes != 0 && bytes % 1024 == 0 && unit + 1 < units.size(); ++unit) bytes /= 1024;
  return fmt::format("{}{}", bytes, units.at(unit));
}

std::string human_seconds(double seconds) {
  struct scale {
    double least;
    double factor;
    const char* unit;
  };
  constexpr std::array scales{scale{1, 1, "s"}, scale{1e-3, 1e3, "ms"}, scale{1e-6, 1e6, "us"}};
  for (const scale& each : scales) {
    if (seconds < each.least) continue;
    const double value = seconds * each.factor;
    return fmt::format("{:.{}f} {}", value, value < 10 ? 2 : (value < 100 ? 1 : 0), each.unit);
  }
  return fmt::format("{:.0f} ns", seconds * 1e9);
}

std::string short_number(double value) {
  const int decimals = value >= 99.95 ? 0 : value >= 9.995 ? 1 : value >= 0.0995 || value <= 0 ? 2 : 3;
  return fmt::format("{:.{}f}", value, decimals);
}

std::string with_commas(double whole_number) {
  std::string digits = fmt::format("{:.0f}", std::isfinite(whole_number) ? whole_number : 0);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::uint64_t parse_number(std::string_view text, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::uint64_t> number = take_number(text);
  if (!number || !text.empty()) throw usage_error("not a whole number; write digits alone, such as 64");
  if (*number < least) throw usage_error(fmt::format("too small; use at least {}", least));
  if (*number > most) throw usage_error(fmt::format("too large; use at most {}", most));
  return *number;
}

std::uint64_t parse_size(std::string_view text, std::uint64_t least, std::uint64_t most) {
  const std::optional<std::uint64_t> number = take_number(text);
  text.remove_prefix(std::min(text.size(), text.find_first_not_of(' ')));
  const std::optional<unsigned> power = power_of(text);
  if (!number || !power) throw usage_error("not a size; write digits and a unit, such as 512, 64K or 1MiB");
  const unsigned shift = 10 * *power;
  const std::uint64_t size = *number <= any_size >> shift ? *number << shift : any_size;
  if (size < least) throw usage_error("too small; use at least " + short_size(least));
  if (size > most) throw usage_error("too large; use at most " + short_size(most));
  return size;
}

double parse_seconds(std::string_view text) {
  double seconds = 0;
  const char* const last = text.data() + text.size();
  const auto [end, failure] = std::from_chars(text.data(), last, seconds);
  if (failure != std::errc() || end != last || !(seconds > 0) || !std::isfinite(seconds)) {
    throw usage_error("not a number of seconds above 0; write 10 or 0.5");
  }
  return seconds;
}

}  // namespace riffle::text
