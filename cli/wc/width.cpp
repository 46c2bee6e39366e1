/// Measures lines by the masks of 64 bytes that a SIMD kernel makes.
#include "cli/wc/width.hpp"

#include <array>
#include <bit>

#include "kernel/kernels.hpp"

namespace riffle::cli {

namespace {

using kernel::column_masks;

constexpr std::uint64_t all = ~std::uint64_t{0};

// Returns the columns of what starts at `place`: of a character, or 0.
std::uint64_t columns_at(std::string_view part, std::size_t place, const character_widths& widths) {
  const std::string_view rest(part.data() + place, part.size() - place);
  if (const decoded found = kernel::decode_utf8(rest); found.size != 0) return widths.of(found.character);
  const decoded longer = decode_utf8(rest.substr(0, longest_utf8));
  return longer.size != 0 ? widths.of(longer.character) : 0;
}

// Measures the lines of a part, 64 bytes at a time.
class mask_measure {
 public:
  mask_measure(std::string_view part, const character_widths* widths) : part_(part), widths_(widths) {}

  void take(const column_masks& masks, std::size_t start) {
    constexpr std::uint64_t least = 64;  // no line within 64 bytes that the kernel knows has more columns
    if (whole_ && longest_ >= least && (masks.others | masks.tabs) == 0) return take_long(masks);
    std::uint64_t rest = all;
    for (std::uint64_t left = masks.ends | masks.tabs; left != 0; left &= left - 1) {
      const std::uint64_t before = (left & -left) - 1;
      columns_ += columns_in(rest & before, masks, start);
      rest = ~before;
      end_stretch((masks.tabs & left & -left) != 0);
    }
    columns_ += columns_in(rest, masks, start);
  }

  line_widths finished() {
    lines_.add_columns(columns_);
    lines_.add_line(longest_);
    return lines_;
  }

 private:
  // Only the first and the last of the lines here can be the longest.
  void take_long(const column_masks& masks) {
    const bool dense = (masks.ones | masks.ends) == all;  // so that columns are distances
    const auto before = static_cast<unsigned>(std::countr_zero(masks.ends));
    const auto behind = static_cast<unsigned>(std::countl_zero(masks.ends));
    columns_ += dense ? before : known_columns(masks, (masks.ends & -masks.ends) - 1);
    longest_ = std::max(longest_, columns_);
    if (masks.ends != 0) columns_ = dense ? behind : known_columns(masks, ~(all >> behind));
  }

  void end_stretch(bool by_tab) {
    if (whole_ && !by_tab) {
      longest_ = std::max(longest_, columns_);
    } else {
      lines_.add_columns(columns_);
      by_tab ? lines_.add_tab() : lines_.end_line();
      whole_ = !by_tab;
    }
    columns_ = 0;
  }

  std::uint64_t columns_in(std::uint64_t places, const column_masks& masks, std::size_t start) const {
    std::uint64_t columns = known_columns(masks, places);
    for (std::uint64_t left = masks.others & places; left != 0; left &= left - 1) {
      columns += columns_at(part_, start + static_cast<unsigned>(std::countr_zero(left)), *widths_);
    }
    return columns;
  }

  static std::uint64_t known_columns(const column_masks& masks, std::uint64_t places) {
    return static_cast<unsigned>(std::popcount(masks.ones & places) + 2 * std::popcount(masks.twos & places));
  }

  std::string_view part_;
  const character_widths* widths_;
  line_widths lines_;
  std::uint64_t columns_ = 0;  // behind the last end or tab
  bool whole_ = false;         // the line there started in the part, and has no tab
  std::uint64_t longest_ = 0;  // of such lines
};

}  // namespace

void line_measure::take_all(std::string_view piece) {
  std::array<column_masks, piece_size / 64> masks;
  kernel::active().match_columns(piece.data(), piece.size(), rules_, masks.data());
  mask_measure lines(piece, widths_);
  for (std::size_t i = 0; i < scan::mask_words(piece.size()); ++i) lines.take(masks[i], i * 64);
  lines_.add(lines.finished());
}

// A character takes no more columns than bytes. So where no line has a tab, nor more bytes than the widest
// before has columns, only the ends of the piece matter, as the lines there go on in others.
bool line_measure::take_ends(std::string_view piece) {
  const kernel::line_sizes sizes = kernel::active().sizes_of_lines(piece.data(), piece.size());
  if (sizes.has_tab || sizes.longest > lines_.widest_inside() || sizes.behind == piece.size()) return false;
  take_all(piece.substr(0, scan::find_byte(piece, '\n') + 1));
  take_all(piece.substr(piece.size() - sizes.behind));
  return true;
}

void line_measure::take(std::string_view piece) {
  constexpr unsigned longest_pause = 15;
  if (rules_.utf8) widths_->add_leads(rules_);
  if (pause_ != 0) {
    --pause_;
    return take_all(piece);
  }
  if (take_ends(piece)) {
    next_pause_ = 0;
    return;
  }
  pause_ = next_pause_;
  next_pause_ = std::min(next_pause_ * 2 + 1, longest_pause);
  take_all(piece);
}

}  // namespace riffle::cli
