/// Counts a text of an encoding that only the C library knows, character by character from its start.
#include <array>
#include <cstdlib>
#include <cwchar>

#include "cli/wc/count.hpp"
#include "source/reading.hpp"

namespace riffle::cli {

namespace {

class decoder {
 public:
  decoder(const text_rules& rules, const character_widths* widths, counts& sum)
      : rules_(rules), widths_(widths), sum_(sum) {}

  /// Counts the characters of `block`. Returns the size of the one that is cut at its end; at the `end` of
  /// the text its bytes are errors.
  std::size_t take(std::string_view block, bool end) {
    while (!block.empty()) {
      const auto byte = static_cast<unsigned char>(block.front());
      if (byte < 0x80 && std::mbsinit(&state_) != 0) {
        take_byte(block.front());
        block.remove_prefix(1);
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
        start_word(true);
        block.remove_prefix(1);
        continue;
      }
      take_character(static_cast<char32_t>(character));
      block.remove_prefix(size == 0 ? 1 : size);
    }
    return 0;
  }

 private:
  static constexpr auto wrong = static_cast<std::size_t>(-1);
  static constexpr auto incomplete = static_cast<std::size_t>(-2);

  void start_word(bool word) {
    if (word && !in_word_) ++sum_.words;
    in_word_ = word;
  }

  void take_byte(char byte) {
    ++sum_.characters;
    start_word(!rules_.white.contains(byte));
    if (byte == '\n') ++sum_.lines;
    if (!sum_.widths.add_control(byte) && rules_.printable.contains(byte)) sum_.widths.add_columns(1);
  }

  void take_character(char32_t character) {
    if (character < 0x80) return take_byte(static_cast<char>(character));
    ++sum_.characters;
    start_word(!is_white(rules_, character));
    if (widths_ != nullptr) sum_.widths.add_columns(widths_->of(character));
  }

  const text_rules& rules_;
  const character_widths* widths_;  // null: not wanted
  counts& sum_;
  std::mbstate_t state_{};
  bool in_word_ = false;
};

}  // namespace

void part_counter::count_in_order(source& from, counts& sum, const std::function<void()>& counted) const {
  counts all;
  decoder characters(rules_, widths_.get(), all);
  std::size_t kept = 0;
  bool end = false;
  while (!end) {
    const block next = from.next(kept);
    end = next.size() == kept;
    all.bytes += next.size() - kept;
    kept = characters.take(next.bytes, end);
    detail::reading::within(from).finish_block();
    all.width = all.widths.widest();
    sum = all;
    counted();
  }
}

}  // namespace riffle::cli
