/// Hands out lines to C: an array of the places of delimiters becomes an array of views, without a step for
/// each.
#include <riffle/detail/line_scan.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string_view>

#include "c/records.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0::c {

template <>
riffle_line_options defaults() {
  riffle_line_options to{};
  to.size = sizeof to;
  to.max_length = std::numeric_limits<std::size_t>::max();
  to.delimiter = '\n';
  return to;
}

namespace {

line_options options_of(const riffle_line_options* given) {
  const riffle_line_options own = taken(given);
  return {.delimiter = own.delimiter,
          .keep_delimiter = own.keep_delimiter != 0,
          .strip_cr = own.strip_cr != 0,
          .max_length = own.max_length};
}

class line_records final : public riffle_records {
 public:
  line_records(const riffle_input& input, const line_options& lines, const riffle_read_options* reading)
      : riffle_records(input, reading),
        source_(from.from, how.get()),
        rules_(lines),
        match_{lines.delimiter} {}

  std::size_t next(riffle_string* views, std::size_t capacity) override {
    while (left_ == found_) {
      if (rest_.empty() && !next_block()) return last(*views);
      batch_ = rest_.data();
      left_ = 0;
      found_ = match_(rest_.substr(0, detail::batch_size), places_.data());
      rest_.remove_prefix(std::min(rest_.size(), detail::batch_size));
    }
    const std::size_t most = std::min(capacity, found_ - left_);
    const std::size_t count = rules_.plain() ? most : adjustable(most);
    // Variables, as what is written could be a member; 10 bytes a line were 5 % slower by a loop of one each.
    const std::uint16_t* const places = places_.data() + left_;
    const char* const batch = batch_;
    const char* line = line_;
#pragma GCC unroll 4  // tuning
    for (std::size_t i = 0; i != count; ++i) {
      const char* const end = batch + places[i];
      views[i] = {line, static_cast<std::size_t>(end - line)};
      line = end + 1;
    }
    line_ = line;
    left_ += count;
    if (!rules_.plain()) adjust(views, count, 1);
    return count;
  }
  const riffle::source& source() const override { return source_; }

 private:
  detail::source_state& state() { return detail::source_state::of(source_); }

  [[noreturn]] void fail() {
    detail::fail_too_long(source_.name(), offset_ + static_cast<std::uint64_t>(line_ - begin_), &state());
  }

  // Returns false at the end of the input.
  bool next_block() {
    const auto kept = static_cast<std::size_t>(end_ - line_);
    if (rules_.too_long_unfinished(kept)) fail();
    const block region = state().next(kept, {advice::set_max_length});
    offset_ = region.offset;
    begin_ = line_ = region.data();
    end_ = begin_ + region.size();
    rest_ = region.bytes.substr(kept);
    return !rest_.empty();
  }

  // Hands out the line that the end of the input ends, if there is one.
  std::size_t last(riffle_string& view) {
    if (line_ == end_) return 0;
    view = {line_, static_cast<std::size_t>(end_ - line_)};
    if (rules_.too_long({view.data, view.size})) fail();
    adjust(&view, 1, 0);
    line_ = end_;
    return 1;
  }

  // Returns how many of the next lines are not too long. Fails if the first one is.
  std::size_t adjustable(std::size_t most) {
    const char* line = line_;
    for (std::size_t i = 0; i != most; ++i) {
      const char* const end = batch_ + places_[left_ + i];
      if (rules_.too_long({line, static_cast<std::size_t>(end - line)})) {
        if (i == 0) fail();
        return i;
      }
      line = end + 1;
    }
    return most;
  }
  void adjust(riffle_string* views, std::size_t count, std::size_t delimiter) const noexcept {
    for (riffle_string* view = views; view != views + count; ++view) {
      view->size = rules_.record_size({view->data, view->size}, delimiter);
    }
  }

  riffle::source source_;
  detail::line_rules rules_;
  detail::match_delimiter match_;
  const char* begin_ = nullptr;  // of the block
  const char* end_ = nullptr;    // of the block
  const char* line_ = nullptr;   // where the next line starts
  std::uint64_t offset_ = 0;     // of the block in the input
  std::string_view rest_;        // of the block, after the batch
  const char* batch_ = nullptr;
  std::size_t left_ = 0;  // the index of the first delimiter that is left in the batch
  std::size_t found_ = 0;
  std::array<std::uint16_t, detail::batch_size + detail::place_slack> places_;
};

}  // namespace

}  // namespace riffle::inline v0::c

using namespace riffle;

void riffle_line_options_init(riffle_line_options* options, size_t size) {
  c::init(options, size, c::defaults<riffle_line_options>());
}

riffle_code riffle_lines_open(const riffle_input* input, const riffle_line_options* lines,
                              const riffle_read_options* reading, riffle_records** opened,
                              riffle_error* error) {
  return c::open(opened, error,
                 [&] { return new c::line_records(c::required(input), c::options_of(lines), reading); });
}
