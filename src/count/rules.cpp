/// Makes the rules of an encoding, and counts a text of one that only the C library knows, from its start.
#include "count/part.hpp"

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <cwchar>

namespace riffle::inline v0 {

namespace {

constexpr character_facts facts_of_locale{os::is_white_space, os::columns_of, os::decode_by_library};
constexpr character_facts facts_of_glibc{os::glibc::is_white_space, os::glibc::columns_of,
                                         os::glibc::decode_by_library};

// POSIX says what these are in the C locale. GNU wc reads byte 0xA0 as U+00A0 there.
void add_bytes_of_c(text_rules& rules) {
  rules.white = word_separators;
  if (rules.no_break_spaces) rules.white.add('\xA0');
  for (char byte = ' '; byte <= '~'; ++byte) rules.printable.add(byte);
}

// Bytes above 0x7F are no characters where characters have several bytes.
void add_bytes(text_rules& rules, bool alone) {
  const int bytes = alone ? 256 : 128;
  for (int byte = 0; byte < bytes; ++byte) {
    const bool no_break =
        byte >= 0x80 && rules.no_break_spaces && is_no_break_space(static_cast<char32_t>(std::btowc(byte)));
    if (std::isspace(byte) != 0 || no_break) rules.white.add(static_cast<char>(byte));
    if (std::isprint(byte) != 0) rules.printable.add(static_cast<char>(byte));
  }
}

// Returns false if the SIMD kernels cannot know the white space of the locale.
bool add_characters(text_rules& rules) {
  constexpr char32_t once_white = 0x180E;
  if (rules.white != word_separators || is_white(rules, once_white)) return false;
  for (const auto& group : kernel::utf8_white_space::groups) {
    for (char32_t character = group.first; character < group.first + 16; ++character) {
      if (is_white(rules, character)) rules.long_white.add(character);
    }
  }
  return true;
}

text_rules rules_of_locale(text_rules rules) {
  rules.facts = &facts_of_locale;
  const os::locale_kind kind = os::kind_of_locale();
  if (kind == os::locale_kind::c) {
    add_bytes_of_c(rules);
    return rules;
  }
  add_bytes(rules, kind == os::locale_kind::bytes);
  if (kind == os::locale_kind::bytes) return rules;
  const bool utf8 = kind == os::locale_kind::utf8;
  rules.encoding = utf8 && add_characters(rules) ? encoding::utf8 : encoding::multibyte;
  return rules;
}

bool is_ascii(char byte) {
  return static_cast<unsigned char>(byte) < 0x80;
}

// Of fewer bytes the SIMD kernels take longer than a loop over them.
constexpr std::size_t least_counted = 32;

// Returns bytes before the first that is not ASCII, all but the last seven or so; at least one, as the first
// is.
std::string_view ascii_prefix(std::string_view text) {
  std::size_t size = 0;
  for (std::uint64_t bytes = 0; text.size() - size >= sizeof bytes; size += sizeof bytes) {
    std::memcpy(&bytes, text.data() + size, sizeof bytes);
    if ((bytes & 0x8080808080808080) != 0) break;
  }
  return text.substr(0, std::max<std::size_t>(size, 1));
}

class character_decoder {
 public:
  /// Null `columns`: widths are not wanted.
  character_decoder(const text_rules& rules, const column_rules* columns, text_part& sum)
      : rules_(rules), columns_(columns), sum_(sum) {
    for (unsigned byte = 0; byte != white_.size(); ++byte) {
      white_[byte] = rules.white.contains(static_cast<char>(byte));
    }
  }

  /// Counts the characters of `block`. Returns the size of the one that is cut at its end; at the `end` of
  /// the text its bytes are errors.
  std::size_t take(std::string_view block, bool end) {
    while (!block.empty()) {
      if (initial_ && is_ascii(block.front())) {
        const std::string_view ascii = ascii_prefix(block);
        if (ascii.size() < least_counted) {
          take_bytes(ascii);
        } else {
          take_ascii(ascii);
        }
        block.remove_prefix(ascii.size());
        continue;
      }
      wchar_t character = 0;
      const std::mbstate_t before = state_;
      const std::size_t size = std::mbrtowc(&character, block.data(), block.size(), &state_);
      if (size == incomplete && !end && block.size() < static_cast<std::size_t>(MB_CUR_MAX)) {
        state_ = before;
        return block.size();
      }
      if (size == incomplete || size == wrong) {
        state_ = {};
        initial_ = true;
        start_word(true);
        block.remove_prefix(1);
        continue;
      }
      initial_ = std::mbsinit(&state_) != 0;
      take_character(static_cast<char32_t>(character));
      block.remove_prefix(size == 0 ? 1 : size);
    }
    return 0;
  }

 private:
  static constexpr auto wrong = static_cast<std::size_t>(-1);
  static constexpr auto incomplete = static_cast<std::size_t>(-2);
  void start_word(bool word) {
    sum_.words += word && !in_word_ ? 1U : 0U;
    in_word_ = word;
  }

  void take_ascii(std::string_view text) {
    sum_.characters += text.size();
    sum_.lines += scan::count_lines(text);
    sum_.words += kernel::active().count_words_of_set(text.data(), text.size(), rules_.white, in_word_);
    if (columns_ == nullptr) return;
    line_measure measure(*columns_);
    measure.take(text);
    sum_.widths.add(measure.lines());
  }

  // Sums in registers, as each addition in memory waits for the one before.
  void take_bytes(std::string_view text) {
    std::uint64_t lines = 0;
    std::uint64_t words = 0;
    bool in_word = in_word_;
    for (const char byte : text) {
      const bool word = !white_[static_cast<unsigned char>(byte)];
      words += word && !in_word ? 1U : 0U;
      in_word = word;
      lines += byte == '\n' ? 1U : 0U;
    }
    in_word_ = in_word;
    sum_.characters += text.size();
    sum_.lines += lines;
    sum_.words += words;
    if (columns_ != nullptr) columns_->measure(text, sum_.widths);
  }

  void take_character(char32_t character) {
    if (const char byte = static_cast<char>(character); character < 0x80) return take_bytes({&byte, 1});
    ++sum_.characters;
    start_word(!is_white(rules_, character));
    if (columns_ != nullptr) sum_.widths.add_columns(columns_of(rules_, character));
  }

  const text_rules& rules_;
  std::array<bool, 128> white_;  // of ASCII
  const column_rules* columns_;
  text_part& sum_;
  std::mbstate_t state_{};
  bool initial_ = true;  // `state_` is
  bool in_word_ = false;
};

}  // namespace

bool is_white(const text_rules& rules, char32_t character) {
  return rules.facts->is_white_space(character) || (rules.no_break_spaces && is_no_break_space(character));
}

std::uint64_t columns_of(const text_rules& rules, char32_t character) {
  const int columns = rules.facts->columns_of(character);
  return columns > 0 ? static_cast<std::uint64_t>(columns) : 0;
}

text_rules rules_of(const text_options& what) {
  text_rules rules;
  rules.no_break_spaces = what.no_break_spaces;
  if (what.encoding == text_encoding::locale) return rules_of_locale(rules);
  rules.facts = &facts_of_glibc;
  add_bytes_of_c(rules);
  if (what.encoding == text_encoding::bytes) return rules;
  rules.white = word_separators;
  add_characters(rules);
  rules.encoding = encoding::utf8;
  return rules;
}

scan::character decode_utf8(const text_rules& rules, std::string_view data) {
  if (const scan::character found = scan::decode_utf8(data); found.size != 0) return found;
  // No library takes a continuation, or what a byte that is none cuts, for a character.
  if (static_cast<unsigned char>(data[0]) < 0xC2 || data.size() == 1 || !is_continuation(data[1])) {
    return {};
  }
  const os::decoded_character longer = rules.facts->decode_longer(data);
  if (longer.size > longest_utf8) return {};
  return {longer.value, longer.size};
}

void part_counter::count_in_order(source& from, text_counts& sum) const {
  text_part all;
  character_decoder characters(rules_, columns_ ? &*columns_ : nullptr, all);
  std::size_t kept = 0;
  bool end = false;
  while (!end) {
    const block next = from.next(kept);
    end = next.size() == kept;
    all.bytes += next.size() - kept;
    kept = characters.take(next.bytes, end);
    from.finish_block();
    all.longest_line = all.widths.widest();
    sum = all;
  }
}

}  // namespace riffle::inline v0
