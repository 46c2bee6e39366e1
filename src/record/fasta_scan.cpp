/// Implements the steps from record to record of FASTA.
#include "record/fasta_scan.hpp"

#include <limits>
#include <new>
#include <utility>

#include "record/record_too_long.hpp"
#include "record/sequence_lines.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0::detail {

namespace {

// A byte order mark does not count.
std::size_t longest_line(const sequence_options& options) {
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  return options.max_length > most - byte_order_mark.size() ? most
                                                            : options.max_length + byte_order_mark.size();
}

}  // namespace

sequence_scan<fasta_record>::sequence_scan(riffle::source from, const sequence_options& options)
    : lines_(std::move(from), {.strip_cr = true, .max_length = longest_line(options)}),
      at_(lines_.resume()),
      max_length_(options.max_length) {
  require_no_split(lines_.from());
}

bool sequence_scan<fasta_record>::next(fasta_record& record, bool may_read) {
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

// A line over the limit is one of a record over it: of the next one, if it starts that.
bool sequence_scan<fasta_record>::next_line(bool may_read) try {
  return may_read ? lines_.advance(at_) : lines_.advance_in_block(at_);
} catch (const error& failure) {
  if (failure.code() != errc::record_too_long) throw;
  const std::size_t mark = failure.offset() == 0 ? size_of_mark({lines_.place(), byte_order_mark.size()}) : 0;
  handed_out_ = inside_ && *lines_.place() == '>';
  failure_ = too_long(source().name(), inside_ && !handed_out_ ? current_.offset : *failure.offset() + mark);
  if (!handed_out_) throw error(*failure_);
  return false;
}

// Takes a line. Returns whether the record before it ends.
bool sequence_scan<fasta_record>::starts_record(std::string_view line) {
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

void sequence_scan<fasta_record>::refuse_front(std::string_view line, std::uint64_t offset) {
  fail({errc::bad_value, "read", source().name(), offset,
        line.front() == '@' ? "record 1 starts with '@', as FASTQ does, and not with '>'"
                            : "record 1 does not start with '>'"});
}

// Refuses the lines of old Macs, all of which would be one name.
void sequence_scan<fasta_record>::refuse_lines_that_end_in_cr(std::string_view line, std::uint64_t offset) {
  const std::size_t cr = line.find('\r');
  if (cr == std::string_view::npos || lines_.place()[-1] == '\n') return;
  fail({errc::bad_value, "read", source().name(), offset + cr, "no LF ends the first line, and it has a CR"});
}

void sequence_scan<fasta_record>::append(std::string& to, std::string_view bytes) try {
  to.append(bytes);
} catch (const std::bad_alloc&) {
  fail({std::make_error_code(std::errc::not_enough_memory),
        "read",
        source().name(),
        current_.offset,
        "no memory for the record",
        {advice::set_max_length}});
}

// Throws the failure, unless it comes of bytes that were lost.
void sequence_scan<fasta_record>::fail(const error& why) {
  source().check();
  failure_ = why;
  throw error(why);
}

}  // namespace riffle::inline v0::detail
