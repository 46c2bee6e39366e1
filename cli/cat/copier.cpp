/// Each of the ways to copy: all of an input, a span of its lines, its last lines, some fields of its rows.
#include "cli/cat/copier.hpp"

#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/os/system.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

// The size of a smaller file may be wrong, as those of /sys are, and it is read fast enough.
constexpr std::uint64_t least_searched = 64 * text::kib;

// Whether the user left it to riffle how the bytes are read.
bool kernel_may_copy(const read_options& reading) {
  return reading.method == method::automatic && reading.block_size == 0 && reading.keep_cache &&
         reading.decode == decoding::none && reading.max_size == no_end;
}

// Hands out an input piece by piece, from where its source stands: as it comes, or as whole lines. The start
// of a line is kept until its end is there.
class pieces {
 public:
  // The source must outlive this object.
  pieces(source& from, const cat_arguments& given) : from_(from), given_(given) {}

  // Returns the next piece; an empty one at the end. Throws `riffle::error`: `errc::record_too_long` for a
  // line over `max_length`, after the lines before it; what `source::next` throws. A piece stays valid until
  // the next call.
  block next() { return given_.whole_lines ? next_lines() : from_.next(); }

 private:
  block next_lines() {
    while (true) {
      const block region = next_region();
      const bool ended = region.size() == kept_;  // what was kept is the last line
      const std::size_t last = region.bytes.substr(kept_).rfind(given_.delimiter);
      std::size_t whole = ended ? region.size() : last == std::string_view::npos ? 0 : kept_ + last + 1;
      if (const auto start = find_too_long(region.bytes)) {
        too_long_ = region.offset + *start;
        whole = *start;
      }
      kept_ = region.size() - whole;
      if (whole != 0 || (ended && !too_long_)) return {region.bytes.substr(0, whole), region.offset};
    }
  }

  block next_region() {
    if (too_long_) {
      from_.check();  // bytes that were lost are zeros
      throw error(errc::record_too_long, "read", from_.name(), too_long_, {}, {advice::larger_max_length});
    }
    try {
      return from_.next(kept_);
    } catch (const error& failure) {
      if (kept_ == 0 || failure.code() != std::errc::not_enough_memory) throw;
      throw error(failure.code(), "read", from_.name(), failure.offset(), {}, {advice::set_max_length});
    }
  }

  // Returns where the first line that is too long starts. Its end may be missing.
  std::optional<std::size_t> find_too_long(std::string_view region) const {
    if (given_.rows.max_length == std::numeric_limits<std::size_t>::max()) return std::nullopt;
    std::size_t start = 0;
    for (std::size_t searched = kept_; start < region.size(); searched = start) {
      const std::size_t stop = std::min(scan::find_byte(region, given_.delimiter, searched), region.size());
      const bool cr = given_.strip_cr && stop != start && region[stop - 1] == '\r';
      if (stop - start - (cr ? 1 : 0) > given_.rows.max_length) return start;
      start = stop + 1;
    }
    return std::nullopt;
  }

  source& from_;
  const cat_arguments& given_;
  std::size_t kept_ = 0;                        // bytes at the end of the last block, the start of a line
  std::optional<std::uint64_t> too_long_ = {};  // the offset of such a line
};

// The lines of a part that were chosen, each with its end.
struct found_lines {
  std::string bytes = {};
  // Lines that follow each other: the number of the first one in the part, from 0, and their size.
  std::vector<std::pair<std::uint64_t, std::size_t>> each = {};
  std::uint64_t all = 0;  // the lines of the part, if they are numbered
};

found_lines lines_found(std::string_view part, const line_finder& finder, const cat_arguments& given) {
  found_lines found;
  std::size_t counted = 0;  // the lines before it are
  const auto add = [&](std::size_t start, std::size_t end) {
    if (given.number) found.all += scan::count_byte(part.substr(counted, start - counted), given.delimiter);
    counted = start;
    if (start == end) return;
    const std::size_t before = found.bytes.size();
    found.bytes.append(part, start, end - start);
    if (found.bytes.back() != given.delimiter) found.bytes += given.delimiter;
    if (given.edits()) found.each.emplace_back(found.all, found.bytes.size() - before);
  };
  finder.for_each(part, add);
  add(part.size(), part.size());
  return found;
}

// Returns the offset where an input ends that may hold more than it reports, or grow.
std::uint64_t end_of(source& from, std::uint64_t reported) {
  from.seek(reported);
  std::uint64_t end = reported;
  for (block next = from.next(); !next.empty(); next = from.next()) end = next.offset + next.size();
  return end;
}

}  // namespace

void copier::copy(source from, const riffle::thread_options& splitting) {
  stopped_at_.reset();
  const bool standard_input = from.descriptor() == 0;
  try {
    copy_input(std::move(from), splitting);
  } catch (const output_lost&) {
    throw;
  } catch (...) {
    out_.flush();  // what was right before the failure
    throw;
  }
  out_.flush();
  // Whoever reads standard input next goes on after the last line. Not before the source is closed, as stdio
  // moves the position then.
  if (standard_input && stopped_at_) os::set_position(0, *stopped_at_);
}

void copier::copy_input(source from, const riffle::thread_options& splitting) {
  if (given_.by_rows()) {
    stopped_at_ = copy_rows(std::move(from), given_, splitting, rows_, out_);
    return;
  }
  if (!given_.lines.texts.empty()) return copy_chosen(std::move(from), splitting);
  try {
    copy_source(from);
  } catch (const output_lost&) {
    from.check();  // a page that the input lost while it was mapped makes write(2) fail
    throw;
  }
}

void copier::copy_source(source& from) {
  if (given_.every) {
    chosen_lines chosen(given_, out_);
    copy_every(from, *given_.every, chosen);
    return chosen.finish();
  }
  if (given_.tail) {
    copy_last(from, *given_.tail);
  } else if (given_.span) {
    editor_.start_at(given_.span->first);
    copy_lines(from, *given_.span, no_end);
  } else if (given_.edits() || given_.whole_lines) {
    copy_lines(from, {}, no_end);
  } else {
    copy_all(from);
  }
  editor_.end_input();
}

void copier::copy_all(source& from) {
  if (kernel_may_copy(given_.options)) {
    os::kernel_copy ahead(from.descriptor(), out_.descriptor(), from.start());
    while (const std::size_t copied = ahead.next()) {
      if (progress_ != nullptr) *progress_ += copied;
    }
    if (from.seekable() && ahead.offset() != from.start()) from.seek(ahead.offset());
  }
  for (block next = from.next(); !next.empty(); next = from.next()) out_.add(next.bytes);
}

// Copies a span of the lines that lie before the offset `end`.
void copier::copy_lines(source& from, line_span span, std::uint64_t end) {
  line_picker picker(span, given_.delimiter);
  pieces input(from, given_);
  std::uint64_t offset = from.start();
  while (!picker.ended() && offset < end) {
    const block piece = input.next();
    if (piece.empty()) return;
    const std::uint64_t left = std::min<std::uint64_t>(piece.size(), end - piece.offset);
    const std::string_view picked = picker.pick(piece.bytes.substr(0, static_cast<std::size_t>(left)));
    add(picked);
    offset = piece.offset + static_cast<std::uint64_t>(picked.data() + picked.size() - piece.data());
  }
  if (from.seekable()) stopped_at_ = offset;
}

void copier::copy_last(source& from, std::uint64_t lines) {
  if (lines == 0) return;
  const std::uint64_t reported = from.size_hint();
  if (from.seekable() && !given_.number && reported > from.start() &&
      reported - from.start() >= least_searched) {
    const std::uint64_t end = end_of(from, reported);
    if (const auto begin = start_of_last(from, end, lines, given_.delimiter)) {
      from.seek(*begin);
      return copy_lines(from, {}, end);
    }
    from.seek(from.start());
  }
  last_lines last(lines, given_.delimiter);
  pieces input(from, given_);
  for (block piece = input.next(); !piece.empty(); piece = input.next()) {
    try {
      last.add(piece.bytes);
    } catch (const std::bad_alloc&) {
      throw error(std::make_error_code(std::errc::not_enough_memory), "read", from.name(), piece.offset,
                  "use a smaller --tail or set --max-length");
    }
  }
  editor_.start_at(last.finish());
  for (const std::string& part : last.parts()) add(part);
}

void copier::copy_every(source& from, line_step every, chosen_lines& chosen) {
  std::uint64_t number = 0;
  std::uint64_t next = every.first;
  const line_options options{.delimiter = given_.delimiter, .keep_delimiter = true};
  pieces input(from, given_);
  for (block piece = input.next(); !piece.empty(); piece = input.next()) {
    bool more = true;
    for (const std::string_view line : riffle::lines(memory(piece.bytes), options)) {
      if (++number != next) continue;
      more = chosen.add(number, line);
      next += every.step;
      if (more) continue;
      if (from.seekable()) {
        stopped_at_ = piece.offset + static_cast<std::uint64_t>(line.data() + line.size() - piece.data());
      }
      return;
    }
  }
}

void copier::copy_chosen(source from, riffle::thread_options splitting) {
  splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
  if (from.kind() != input_kind::regular_file)
    splitting.threads = 1;            // the lines of a pipe are written as they come
  cat_output out(out_.descriptor());  // of its own, because threads flush `out_` before they read
  chosen_lines chosen(given_, out);
  struct enough {};
  const auto write = [&](std::uint64_t before, const found_lines& found) {
    std::string_view rest = found.bytes;
    bool more = true;
    for (const auto& [line, size] : found.each) {
      more = more && chosen.add(before + line + 1, rest.substr(0, size));
      rest.remove_prefix(size);
    }
    if (!rest.empty()) more = chosen.add(0, rest);
    out.flush();
    if (!more) throw enough();
    return before + found.all;
  };
  const line_finder finder(given_.lines, given_.delimiter);
  out_.flush();
  std::uint64_t lines = 0;
  try {
    parallel_reduce_into(
        lines, std::move(from), [&](std::string_view part) { return lines_found(part, finder, given_); },
        write, detail::cut_at(given_.delimiter, splitting));
  } catch (const enough&) {
    return;
  }
  chosen.finish();
  out.flush();
}

void copier::add(std::string_view piece) {
  if (given_.edits()) {
    editor_.add(piece);
  } else {
    out_.add(piece);
  }
}

}  // namespace riffle::cli
