/// Finds the records of FASTA and of FASTQ, of which a block may cut any, joins their lines, and checks each.
#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/detail/place_scan.hpp>
#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/sequences.hpp>
#include <riffle/source.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "record/record_too_long.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0::detail {

namespace {

// A byte order mark does not count.
std::size_t longest_line(const sequence_options& options) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  return options.max_length > most - byte_order_mark.size() ? most
                                                            : options.max_length + byte_order_mark.size();
}

bool is_quality(char byte) {
  return byte >= '!' && byte <= '~';
}

// Sixteen bytes at a time.
bool all_qualities(std::string_view text) {
  using chunk [[gnu::vector_size(16)]] = unsigned char;
  if (text.size() < sizeof(chunk)) return std::ranges::all_of(text, is_quality);
  const auto wrong_at = [text](std::size_t at) {
    chunk bytes;
    std::memcpy(&bytes, text.data() + at, sizeof bytes);
    return bytes - '!' > '~' - '!';
  };
  const std::size_t last = text.size() - sizeof(chunk);  // which may overlap the one before
  auto wrong = wrong_at(last);
  for (std::size_t at = 0; at < last; at += sizeof(chunk)) wrong |= wrong_at(at);
  std::array<std::uint64_t, 2> any;
  std::memcpy(any.data(), &wrong, sizeof wrong);
  return (any[0] | any[1]) == 0;
}

std::string number_of(std::size_t count, const char* one, const char* several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

// Returns how many bytes of a byte order mark the first line of an input starts with.
std::size_t size_of_mark(std::string_view line) noexcept {
  return line.starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
}

// Throws `riffle::error` (`errc::invalid_argument`) for a split, which may start inside a record.
void require_no_split(const source& from) {
  if (!source_state::of(from).input()->part) return;
  throw error(errc::invalid_argument, "read", from.name(), std::nullopt,
              "a split of lines cuts records of FASTQ and FASTA; read the file whole");
}

template <class Scan>
Scan& scan_of(const std::unique_ptr<Scan>& held) {
  if (held == nullptr) {
    throw error(errc::invalid_argument, "read", "", std::nullopt, "the range was moved from");
  }
  return *held;
}

}  // namespace

// Copies each line before the next one is read. Only the line that starts the next record ends one.
template <>
class sequence_scan<fasta_record> {
 public:
  sequence_scan(riffle::source from, const sequence_options& options)
      : lines_(std::move(from), {.strip_cr = true, .max_length = longest_line(options)}),
        at_(steps::resume(lines_)),
        max_length_(options.max_length) {
    require_no_split(lines_.from());
  }

  // Moves to the next record. Returns false at the end, and if it has to read but must not.
  bool next(fasta_record& record, bool may_read) {
    if (failure_) throw error(*failure_);
    if (ended_) return false;
    if (std::exchange(handed_out_, false)) {
      std::swap(current_, next_);
      sequence_.clear();
    }
    while (!handed_out_ && next_line(may_read)) handed_out_ = starts_record(at_.record);
    if (!handed_out_) {
      if (!may_read) return false;
      ended_ = true;
      if (!inside_) return false;
    }
    record = {current_.name, sequence_, ++number_, current_.offset};
    return true;
  }

  const riffle::source& source() const noexcept { return lines_.from(); }

 private:
  struct header {
    std::string name = {};
    std::uint64_t offset = 0;  // of its '>'
  };

  // A line over the limit is one of a record over it: of the next one, if it starts that.
  bool next_line(bool may_read) try {
    return may_read ? steps::advance(lines_, at_) : steps::advance_in_block(lines_, at_);
  } catch (const error& failure) {
    if (failure.code() != errc::record_too_long) throw;
    const std::size_t mark =
        failure.offset() == 0 ? size_of_mark({lines_.place(), byte_order_mark.size()}) : 0;
    handed_out_ = inside_ && *lines_.place() == '>';
    failure_ =
        too_long(source().name(), inside_ && !handed_out_ ? current_.offset : *failure.offset() + mark);
    if (!handed_out_) throw error(*failure_);
    return false;
  }

  // Takes a line. Returns whether the record before it ends.
  bool starts_record(std::string_view line) {
    if (line.empty()) return false;
    std::uint64_t offset = lines_.offset_of(line.data());
    if (offset == 0) {
      const std::size_t mark = size_of_mark(line);
      offset = mark;
      line.remove_prefix(mark);
      if (line.empty()) return false;
    }
    const bool starts = line.front() == '>';
    const std::uint64_t start = starts || !inside_ ? offset : current_.offset;
    if (offset + line.size() - start > max_length_) {
      source().check();
      failure_ = too_long(source().name(), start);
      if (starts && inside_) return true;
      throw error(*failure_);
    }
    if (!starts) {
      if (!inside_) refuse_front(line, offset);
      append(sequence_, line);
      return false;
    }
    header& to = inside_ ? next_ : current_;
    if (!inside_) refuse_lines_that_end_in_cr(line, offset);
    to.name.clear();
    to.offset = offset;
    append(to.name, line.substr(1));
    return std::exchange(inside_, true);
  }

  void append(std::string& to, std::string_view bytes) try {
    to.append(bytes);
  } catch (const std::bad_alloc&) {
    fail({std::make_error_code(std::errc::not_enough_memory),
          "read",
          source().name(),
          current_.offset,
          "no memory for the record",
          {advice::set_max_length}});
  }

  [[noreturn]] void refuse_front(std::string_view line, std::uint64_t offset) {
    fail({errc::bad_value, "read", source().name(), offset,
          line.front() == '@' ? "record 1 starts with '@', as FASTQ does, and not with '>'"
                              : "record 1 does not start with '>'"});
  }

  // Refuses the lines of old Macs, all of which would be one name.
  void refuse_lines_that_end_in_cr(std::string_view line, std::uint64_t offset) {
    const std::size_t cr = line.find('\r');
    if (cr == std::string_view::npos || lines_.place()[-1] == '\n') return;
    fail({errc::bad_value, "read", source().name(), offset + cr,
          "no LF ends the first line, and it has a CR"});
  }

  // Throws the failure, unless it comes of bytes that were lost.
  [[noreturn]] void fail(const error& why) {
    source().check();
    failure_ = why;
    throw error(why);
  }

  placed_lines lines_;
  steps::cursor<line_range> at_;
  std::size_t max_length_;
  header current_;
  header next_;  // whose line ended the current record
  std::string sequence_;
  std::uint64_t number_ = 0;  // of the record handed out last
  bool inside_ = false;       // of a record: `current_` is its header
  bool handed_out_ = false;   // the current record was
  bool ended_ = false;
  std::optional<error> failure_;  // of a record: no other one follows
};

// Checks each line of a record as it ends, so that an error does not depend on the blocks.
template <>
class sequence_scan<fastq_record> {
 public:
  sequence_scan(riffle::source from, const sequence_options& options)
      : source_(std::move(from)), max_length_(options.max_length), offset_(source_.start()) {
    require_no_split(source_);
  }

  // Moves to the next record. Returns false at the end, and if it has to read but must not.
  bool next(fastq_record& record, bool may_read) {
    if (failure_) throw error(*failure_);
    while (found_ != lines_of_record) {
      if (scan_.more(at_)) [[likely]] {
        add_line(scan_.take(at_));
      } else if (!may_read || !next_block()) {
        return false;
      }
    }
    record = {lines_[header].substr(1), lines_[sequence], lines_[quality], ++number_, offset_of(start_)};
    start_ = line_;
    found_ = 0;
    return true;
  }

  const riffle::source& source() const noexcept { return source_; }

 private:
  static constexpr std::size_t lines_of_record = 4;
  enum part : std::uint8_t { header, sequence, plus, quality };

  // Keeps the lines of the unfinished record. Returns false at the end of the input, unless that ends a
  // record.
  bool next_block() {
    skip_mark(end_);
    const auto kept = static_cast<std::size_t>(end_ - start_);
    // The last byte may be a CR, and the first ones a byte order mark that a block cut, which do not count.
    const std::size_t uncounted = offset_of(start_) == 0 ? byte_order_mark.size() : 1;
    if (kept > uncounted && kept - uncounted > max_length_) fail(start_, {}, errc::record_too_long);
    const block region = source_state::of(source_).next(kept, {advice::set_max_length});
    const auto moved = [&](const char* place) { return region.data() + (place - start_); };
    for (std::size_t i = 0; i != found_; ++i) lines_[i] = {moved(lines_[i].data()), lines_[i].size()};
    line_ = moved(line_);
    begin_ = start_ = region.data();
    end_ = begin_ + region.size();
    offset_ = region.offset;
    if (region.size() != kept) {
      scan_.start(region.bytes.substr(kept));
      at_ = scan_.resume(begin_ + kept);
      return true;
    }
    if (line_ != end_) add_line(end_);
    if (found_ != 0 && found_ != lines_of_record) fail(start_, "is cut", errc::unexpected_end);
    return found_ != 0;
  }

  void skip_mark(const char* stop) noexcept {
    if (offset_of(start_) != 0 || start_ != line_) return;
    start_ += size_of_mark({start_, static_cast<std::size_t>(stop - start_)});
    line_ = start_;
  }

  // Takes the line before `stop`, which is its delimiter or the end of the input.
  [[gnu::always_inline]] void add_line(const char* stop) {
    if (found_ == 0) skip_mark(stop);
    std::string_view text(line_, static_cast<std::size_t>(stop - line_));
    if (text.ends_with('\r')) text.remove_suffix(1);
    line_ = stop == end_ ? stop : stop + 1;
    if (found_ == 0 && text.empty()) {
      start_ = line_;
      return;
    }
    lines_[found_] = text;
    check();
    ++found_;
  }

  // Checks the line that was found last.
  [[gnu::always_inline]] void check() {
    const std::string_view line = lines_[found_];
    if (static_cast<std::size_t>(line.data() + line.size() - start_) > max_length_) {
      fail(start_, {}, errc::record_too_long);
    }
    if (found_ == header && line.front() != '@') {
      fail(start_, line.front() == '>' ? "starts with '>', as FASTA does, and not with '@'"
                                       : "does not start with '@'");
    } else if (found_ == plus) {
      if (!line.starts_with('+')) fail(line.data(), "has no '+' after one line of bases");
      if (line.size() != 1 && line.substr(1) != lines_[header].substr(1)) {
        fail(line.data(), "has another name after its '+'");
      }
    } else if (found_ == quality) {
      check_quality();
    }
  }

  void check_quality() {
    const std::size_t bases = lines_[sequence].size();
    const std::string_view line = lines_[quality];
    if (line.size() != bases) {
      fail(line.data(), "has " + number_of(line.size(), "quality", "qualities") + " for " +
                            number_of(bases, "base", "bases"));
    }
    if (all_qualities(line)) return;
    fail(std::ranges::find_if_not(line, is_quality), "has a quality that is not from '!' to '~'");
  }

  std::uint64_t offset_of(const char* place) const noexcept {
    return offset_ + static_cast<std::uint64_t>(place - begin_);
  }
  // Throws the failure, unless it comes of bytes that were lost.
  [[noreturn]] [[gnu::cold]] void fail(const char* place, std::string_view what,
                                       errc code = errc::bad_value) {
    source_.check();
    if (code == errc::record_too_long) {
      failure_ = too_long(source_.name(), offset_of(place));
    } else {
      failure_ = error(code, "read", source_.name(), offset_of(place),
                       "record " + std::to_string(number_ + 1).append(" ").append(what));
    }
    throw error(*failure_);
  }

  riffle::source source_;
  std::size_t max_length_;
  place_scan<match_delimiter> scan_{match_delimiter{'\n'}};
  place_cursor at_;
  const char* begin_ = nullptr;                            // of the block
  const char* end_ = nullptr;                              // of the block
  std::uint64_t offset_ = 0;                               // of the block in the input
  const char* start_ = nullptr;                            // of the record that is not handed out yet
  const char* line_ = nullptr;                             // where its next line starts
  std::size_t found_ = 0;                                  // lines of it
  std::array<std::string_view, lines_of_record> lines_{};  // those
  std::uint64_t number_ = 0;                               // of the record handed out last
  std::optional<error> failure_;                           // of a record: no other one follows
};

template <class Record>
sequence_range<Record>::sequence_range(const input& from, const sequence_options& options,
                                       const read_options& reading)
    : sequence_range(source(from, reading), options) {}
template <class Record>
sequence_range<Record>::sequence_range(source from, const sequence_options& options)
    : scan_(std::make_unique<sequence_scan<Record>>(std::move(from), options)) {}
template <class Record>
sequence_range<Record>::sequence_range(sequence_range&&) noexcept = default;
template <class Record>
sequence_range<Record>& sequence_range<Record>::operator=(sequence_range&&) noexcept = default;
template <class Record>
sequence_range<Record>::~sequence_range() = default;

template <class Record>
auto sequence_range<Record>::resume() const -> cursor {
  static_cast<void>(scan_of(scan_));
  return {};
}
template <class Record>
bool sequence_range<Record>::advance(cursor& at) {
  return scan_->next(at.record, true);
}
template <class Record>
bool sequence_range<Record>::advance_in_block(cursor& at) {
  return scan_->next(at.record, false);
}
template <class Record>
const source& sequence_range<Record>::from() const {
  return scan_of(scan_).source();
}

template class sequence_range<fastq_record>;
template class sequence_range<fasta_record>;

}  // namespace riffle::inline v0::detail
