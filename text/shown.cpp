/// Takes text apart once, for all that is counted, cut, padded or drawn in columns, and quotes names as GNU's
/// tools do.
#include "text/shown.hpp"

#include <riffle/scan.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "text/os/system.hpp"

namespace riffle::text {

namespace {

struct character {
  std::uint32_t code;
  std::size_t bytes;
  bool valid;
};

// The first character of text that is not empty, or a byte that is none.
character first_of(std::string_view text) {
  const scan::character found = scan::decode_utf8(text);
  return found.size != 0 ? character{found.value, found.size, true} : character{0, 1, false};
}

struct range {
  std::uint32_t first;
  std::uint32_t last;
};

bool within(std::uint32_t code, const auto& ranges) {
  return std::ranges::any_of(ranges,
                             [code](const range& each) { return code >= each.first && code <= each.last; });
}

// The blocks of Unicode's East Asian Width "wide" (UAX 11) that are in use in file names.
constexpr std::array wide{range{0x1100, 0x115F},   range{0x2E80, 0x303E},   range{0x3041, 0xA4CF},
                          range{0xAC00, 0xD7A3},   range{0xF900, 0xFAFF},   range{0xFE30, 0xFE6F},
                          range{0xFF00, 0xFF60},   range{0xFFE0, 0xFFE6},   range{0x1F300, 0x1F64F},
                          range{0x1F680, 0x1F6FF}, range{0x1F900, 0x1F9FF}, range{0x20000, 0x3FFFD}};

// Control characters, and those that change the direction of writing (UAX 9) or the line.
constexpr std::array unprintable{range{0, 0x1F},        range{0x7F, 0x9F},      range{0x061C, 0x061C},
                                 range{0x200E, 0x200F}, range{0x2028, 0x202E},  range{0x2066, 0x2069},
                                 range{0xFEFF, 0xFEFF}, range{0xE0000, 0xE007F}};

std::size_t columns_of(const character& each) {
  return within(each.code, wide) ? 2 : 1;
}

// How many bytes of the text fill at most so many columns.
std::size_t bytes_in(std::string_view text, std::size_t columns) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const character next = first_of(text.substr(bytes));
    if (columns_of(next) > columns) break;
    columns -= columns_of(next);
    bytes += next.bytes;
  }
  return bytes;
}

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

// The text with what `show` makes of each character and its bytes.
template <class Show>
std::string with_each(std::string_view text, Show show) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const character next = first_of(text);
    out += show(next, text.substr(0, next.bytes));
    text.remove_prefix(next.bytes);
  }
  return out;
}

using os::environment_locale;
using locale_character = environment_locale::character;

bool is_ascii(char byte) {
  return static_cast<unsigned char>(byte) < 0x80;
}

std::vector<locale_character> characters_of(std::string_view text) {
  std::vector<locale_character> found;
  if (std::ranges::all_of(text, is_ascii)) {
    for (std::size_t i = 0; i != text.size(); ++i) {
      found.push_back({text.substr(i, 1), text[i] >= ' ' && text[i] <= '~'});
    }
    return found;
  }
  const environment_locale locale;
  for (; !text.empty(); text.remove_prefix(found.back().bytes.size())) found.push_back(locale.first_of(text));
  return found;
}

// After a backslash: "n" for a newline, else each byte as three octal digits.
std::string escaped(const locale_character& each) {
  constexpr std::string_view bytes = "\a\b\f\n\r\t\v";
  constexpr std::string_view letters = "abfnrtv";
  const std::size_t found = bytes.find(each.bytes.front());
  if (each.bytes.size() == 1 && found != std::string_view::npos) return {'\\', letters[found]};
  std::string text;
  for (const char byte : each.bytes) {
    const auto value = static_cast<unsigned char>(byte);
    text += '\\';
    for (const unsigned shift : {6U, 3U, 0U}) text += static_cast<char>('0' + (value >> shift & 7U));
  }
  return text;
}

// Whether a shell, or the text around the name, would take the character for something else.
bool is_special(const locale_character& each, std::string_view name) {
  const char byte = each.bytes.front();
  const bool first = each.bytes.data() == name.data();
  if (!each.printable) return true;
  if (each.bytes.size() > 1) return each.bytes.find_first_of("[\\^`|", 1) != std::string_view::npos;
  if (byte == '{' || byte == '}') return name.size() == 1;
  if (byte == '#' || byte == '~') return first;
  return std::string_view(" !\"$&'()*:;<=>?[\\^`|").find(byte) != std::string_view::npos;
}

// Whether the character means itself between double quotes in C and in a shell.
bool stands_in_double_quotes(const locale_character& each, std::string_view name) {
  const char byte = each.bytes.front();
  if (!each.printable) return false;
  if (each.bytes.size() > 1) return true;
  if (byte == '{' || byte == '}') return name.size() == 1;
  if (byte == '#' || byte == '~') return each.bytes.data() == name.data();
  return std::string_view("!\"$&()*;<=>?[\\^`|").find(byte) == std::string_view::npos;
}

// Some terminals wrap in the last column.
std::size_t width() noexcept {
  return std::min(widest_line, std::max(os::columns_of_terminal(stderr), std::size_t{2})) - 1;
}

bool is_dumb() {
  const char* const terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) == "dumb";
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const character next = first_of(text);
    columns += columns_of(next);
    text.remove_prefix(next.bytes);
  }
  return columns;
}

std::string printable(std::string_view text) {
  return with_each(text, [](const character& next, std::string_view bytes) {
    return next.valid && !within(next.code, unprintable) ? bytes : "?";
  });
}

std::string as_utf8(std::string_view text) {
  return with_each(
      text, [](const character& next, std::string_view bytes) { return next.valid ? bytes : replacement; });
}

std::string with_escapes(std::string_view text) {
  return with_each(text, [](const character& next, std::string_view bytes) {
    if (!next.valid || !within(next.code, unprintable)) return std::string(next.valid ? bytes : replacement);
    if (next.code < 0x10000) return fmt::format("\\u{:04x}", next.code);
    return fmt::format("\\u{:04x}\\u{:04x}", 0xD7C0 + (next.code >> 10U), 0xDC00 + (next.code & 0x3FFU));
  });
}

std::string shortened(std::string_view text, std::size_t columns) {
  const std::size_t all = columns_of(text);
  if (all <= columns) return std::string(text);
  const std::size_t kept = columns - 1;
  const std::string_view start = text.substr(0, bytes_in(text, kept - kept / 2));
  // Drops characters until the other half fits.
  std::string_view end = text;
  for (std::size_t left = all; left > kept / 2;) {
    const character next = first_of(end);
    left -= columns_of(next);
    end.remove_prefix(next.bytes);
  }
  return std::string(start) + "…" + std::string(end);
}

std::string left_aligned(std::string_view text, std::size_t columns) {
  return std::string(text) + std::string(columns - std::min(columns, columns_of(text)), ' ');
}

std::string right_aligned(std::string_view text, std::size_t columns) {
  return std::string(columns - std::min(columns, columns_of(text)), ' ') + std::string(text);
}

std::size_t terminal_columns() {
  constexpr std::size_t narrowest = 40;
  return std::clamp(os::columns_of_terminal(stdout), narrowest, widest_line);
}

std::string wrapped(std::string_view text, std::size_t hanging) {
  const std::size_t columns = terminal_columns();
  std::string lines;
  std::size_t room = columns;
  for (std::size_t fits = bytes_in(text, room); fits < text.size(); fits = bytes_in(text, room)) {
    // A space right after what fits may be the break too. Spaces that indent are none.
    const std::size_t space = text.rfind(' ', fits);
    const std::size_t first_word = text.substr(0, fits).find_first_not_of(' ');
    const bool found = space != std::string_view::npos && space > first_word;
    const std::size_t cut = found ? space : fits;
    lines += text.substr(0, cut);
    lines += '\n' + std::string(hanging, ' ');
    text.remove_prefix(found ? cut + 1 : cut);
    room = columns - hanging;
  }
  return lines.append(text) + '\n';
}

std::string bar(double share, std::size_t columns) {
  // U+2589 to U+258F: seven eighths down to one.
  constexpr std::array eighths{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const double part = share > 0 ? std::min(share, 1.0) : 0;  // of a NaN, too
  const auto all = static_cast<std::size_t>(std::lround(part * 8 * static_cast<double>(columns)));
  std::string drawn;
  for (std::size_t i = 0; i < all / 8; ++i) drawn += "█";
  return drawn + eighths.at(all % 8);
}

std::string shell_quoted(std::string_view name, quotes when) {
  const std::vector<locale_character> characters = characters_of(name);
  const auto special = [name](const locale_character& each) { return is_special(each, name); };
  if (when == quotes::where_needed && !name.empty() && std::ranges::none_of(characters, special)) {
    return std::string(name);
  }
  const auto in_double = [name](const locale_character& each) { return stands_in_double_quotes(each, name); };
  if (name.find('\'') != std::string_view::npos && std::ranges::all_of(characters, in_double)) {
    return "\"" + std::string(name) + "\"";
  }
  std::string quoted = "'";
  bool escaping = false;  // between $' and '
  for (const locale_character& each : characters) {
    if (each.printable && each.bytes != "'") {
      if (escaping) quoted += "''";
      escaping = false;
      quoted += each.bytes;
    } else if (each.printable) {
      quoted += "'\\''";
      escaping = false;
    } else {
      if (!escaping) quoted += "'$'";
      escaping = true;
      quoted += escaped(each);
    }
  }
  return quoted + "'";
}

std::string quoted_for_row(std::string_view name) {
  return name.find('\n') == std::string_view::npos ? std::string(name) : shell_quoted(name);
}

std::string locale_quoted(std::string_view word) {
  const bool utf8 = environment_locale().is_utf8();
  const std::string_view left = utf8 ? "\xe2\x80\x98" : "'";
  const std::string_view right = utf8 ? "\xe2\x80\x99" : "'";
  std::string quoted(left);
  for (const locale_character& each : characters_of(word)) {
    if (each.bytes == right || each.bytes == "\\") quoted += '\\';
    quoted += each.printable ? std::string(each.bytes) : escaped(each);
  }
  return quoted.append(right);
}

bool wants_colour(std::FILE* stream) {
  const char* const refused = std::getenv("NO_COLOR");
  return (refused == nullptr || *refused == '\0') && os::is_terminal(stream) && !is_dumb();
}

bool shows_progress(std::optional<bool> asked, bool writes_as_it_reads) {
  if (!os::is_terminal(stderr) || is_dumb()) return false;
  return asked.value_or(!os::is_pipe(stdout) && !(writes_as_it_reads && os::is_terminal(stdout)));
}

void progress_line::show(std::string_view text) const {
  if (!shown_) return;
  const std::string line = '\r' + left_aligned(shortened(printable(text), width()), width());
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void progress_line::clear() const {
  if (!shown_) return;
  const std::string line = '\r' + std::string(width(), ' ') + '\r';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace riffle::text
