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

#include "cli/chosen.hpp"
#include "cli/os/system.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

// The size of a smaller file may be wrong, as those of /sys are, and it is read fast enough.
constexpr std::uint64_t least_searched = 64 * text::kib;

constexpr std::uint64_t step_back = 256 * text::kib;

constexpr const char* smaller_tail = "use a smaller --tail or set --max-length";

// Whether the user left it to riffle how the bytes are read.
bool kernel_may_copy(const read_options& reading) {
  return reading.method == method::automatic && reading.block_size == 0 && reading.keep_cache &&
         reading.decode == decoding::none && reading.max_size == no_end;
}

// The lines of a part that were chosen, each with its end.
struct found_lines {
  // Lines that follow each other.
  struct run {
    std::uint64_t number;  // of the first one in the part, from 0
    std::size_t size;
    std::uint64_t offset;
  };
  std::string bytes = {};
  std::vector<run> runs = {};
  std::uint64_t all = 0;  // the lines of the part, if they are numbered
  std::uint64_t end = 0;  // the offset after the part
};

found_lines lines_found(const block& part, const text_chooser& texts, const cat_arguments& given) {
  const bool separate = given.edits() || given.lines.span || given.lines.tail;
  found_lines found{.end = part.offset + part.size()};
  std::size_t counted = 0;  // the lines before it are
  const auto add = [&](std::size_t start, std::size_t end) {
    if (given.number)
      found.all += scan::count_byte(part.bytes.substr(counted, start - counted), given.delimiter);
    counted = start;
    if (start == end) return;
    const std::size_t before = found.bytes.size();
    found.bytes.append(part.bytes, start, end - start);
    if (separate) found.runs.push_back({found.all, found.bytes.size() - before, part.offset + start});
  };
  texts.for_each(part.bytes, add);
  add(part.size(), part.size());
  if (!separate) found.runs.push_back({0, found.bytes.size(), 0});
  return found;
}

// Passes `wanted` delimiters of the input between two offsets.
passed_lines pass_lines_of(source& from, std::uint64_t begin, std::uint64_t end, char delimiter,
                           std::uint64_t wanted) {
  passed_lines all{0, 0};
  from.seek(begin);
  while (begin + all.size != end && all.lines != wanted) {
    const std::string_view block = from.next().bytes;
    const std::uint64_t left = std::min<std::uint64_t>(block.size(), end - begin - all.size);
    const std::string_view bytes = block.substr(0, static_cast<std::size_t>(left));
    const passed_lines passed = pass_lines(bytes, delimiter, wanted - all.lines);
    if (bytes.empty()) break;
    all = {all.size + passed.size, all.lines + passed.lines};
  }
  return all;
}

// Returns the offset of the last `lines` lines (1 or more) before the offset `end`, reading blocks from there
// backwards; the start of the source if it has no more lines; nothing if the input ends before `end`. The
// source, which is seekable, stands anywhere afterwards.
std::optional<std::uint64_t> start_of_last(source& from, std::uint64_t end, std::uint64_t lines,
                                           char delimiter) {
  // The last byte ends the last line or belongs to it.
  for (std::uint64_t stop = end - 1; stop != from.start();) {
    const std::uint64_t begin = stop - std::min(step_back, stop - from.start());
    const passed_lines all = pass_lines_of(from, begin, stop, delimiter, all_lines);
    if (all.size != stop - begin) return std::nullopt;
    if (all.lines >= lines) {
      return begin + pass_lines_of(from, begin, stop, delimiter, all.lines - lines + 1).size;
    }
    lines -= all.lines;
    stop = begin;
  }
  return from.start();
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
  if (given_.lines.every || given_.whole_lines) return copy_line_by_line(std::move(from));
  if (!given_.lines.texts.empty() || given_.distinct) return copy_found(std::move(from), splitting);
  std::uint64_t end = no_end;
  if (given_.lines.tail) {
    const std::optional<std::uint64_t> found = seek_last(from);
    if (!found) return copy_found(std::move(from), {.threads = 1});
    end = *found;
  }
  try {
    copy_source(from, end);
  } catch (const output_lost&) {
    from.check();  // a page that the input lost while it was mapped makes write(2) fail
    throw;
  }
}

void copier::copy_source(source& from, std::uint64_t end) {
  if (const auto& span = given_.lines.span) {
    editor_.start_at(span->first);
    copy_lines(from, *span, end);
  } else if (given_.edits() || end != no_end) {
    copy_lines(from, {}, end);
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
  std::uint64_t offset = from.start();
  while (!picker.ended() && offset < end) {
    const block piece = from.next();
    if (piece.empty()) return;
    const std::uint64_t left = std::min<std::uint64_t>(piece.size(), end - piece.offset);
    const std::string_view picked = picker.pick(piece.bytes.substr(0, static_cast<std::size_t>(left)));
    editor_.add(picked);
    offset = piece.offset + static_cast<std::uint64_t>(picked.data() + picked.size() - piece.data());
  }
  if (from.seekable()) stopped_at_ = offset;
}

// Goes to the last lines of a large file. Returns the offset where it ends; nothing if all of it must be
// read.
std::optional<std::uint64_t> copier::seek_last(source& from) const {
  const std::uint64_t reported = from.size_hint();
  if (given_.lines.tail == 0 || given_.number || !from.seekable() ||
      reported < from.start() + least_searched) {
    return std::nullopt;
  }
  const std::uint64_t end = end_of(from, reported);
  const auto begin = start_of_last(from, end, *given_.lines.tail, given_.delimiter);
  from.seek(begin.value_or(from.start()));
  return begin ? std::optional(end) : std::nullopt;
}

void copier::copy_line_by_line(source from) {
  const choice& lines = given_.lines;
  const text_chooser texts(lines, given_.delimiter);
  const bool seekable = from.seekable();
  const auto stopped = for_each_chosen(
      std::move(from), lines, texts,
      {.delimiter = given_.delimiter, .strip_cr = given_.strip_cr, .max_length = given_.rows.max_length},
      [&](std::uint64_t number, std::string_view line) { write(editor_, number, line); });
  editor_.end_input();
  if (seekable) stopped_at_ = stopped;
}

void copier::copy_found(source from, riffle::thread_options splitting) {
  const choice& wanted = given_.lines;
  splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
  if (from.kind() != input_kind::regular_file)
    splitting.threads = 1;            // the lines of a pipe are written as they come
  cat_output out(out_.descriptor());  // of its own, because threads flush `out_` before they read
  line_editor editor(given_, out);
  line_picker picker(wanted.span.value_or(line_span{}), given_.delimiter);
  last_chosen last(wanted.tail.value_or(0), given_.delimiter);
  const std::string name = from.name();
  if (from.seekable()) stopped_at_ = from.start();
  if (picker.ended() || wanted.tail == 0) return;
  struct enough {};
  const auto take = [&](std::uint64_t before, found_lines found) {
    std::string_view rest = found.bytes;
    for (const auto& [line, size, offset] : found.runs) {
      const std::string_view lines = rest.substr(0, size);
      rest.remove_prefix(size);
      if (wanted.tail) {
        const std::uint64_t count = lines_in(lines, given_.delimiter);
        const bool is_all = size == found.bytes.size();  // so that it need not be copied
        last.add({before + line + 1, is_all ? std::move(found.bytes) : std::string(lines), count});
        continue;
      }
      const std::string_view picked = picker.pick(lines);
      const auto passed = static_cast<std::size_t>(picked.data() - lines.data());
      if (!picked.empty())
        write(editor, before + line + 1 + lines_in(lines.substr(0, passed), given_.delimiter), picked);
      if (!picker.ended()) continue;
      if (stopped_at_) stopped_at_ = std::min(offset + passed + picked.size(), found.end);
      out.flush();
      throw enough();
    }
    out.flush();
    return before + found.all;
  };
  const text_chooser texts(wanted, given_.delimiter);
  out_.flush();
  std::uint64_t lines = 0;
  try {
    parallel_reduce_into(
        lines, std::move(from), [&](const block& part) { return lines_found(part, texts, given_); }, take,
        detail::cut_at(given_.delimiter, splitting));
    stopped_at_.reset();
    last.for_each([&](std::uint64_t number, std::string_view some) { write(editor, number, some); });
  } catch (const enough&) {
    return;
  } catch (const error& failure) {
    out.flush();
    if (!wanted.tail || failure.code() != std::errc::not_enough_memory) throw;
    throw_with_remedy(failure, smaller_tail);
  } catch (const std::bad_alloc&) {
    if (!wanted.tail) throw;
    throw error(std::make_error_code(std::errc::not_enough_memory), "read", name, std::nullopt, smaller_tail);
  }
  editor.end_input();
  out.flush();
}

// Writes chosen lines that follow each other; with --distinct those that are new.
void copier::write(line_editor& to, std::uint64_t number, std::string_view lines) {
  const char end = given_.delimiter;
  const auto add = [&](std::string_view some) {
    if (given_.edits() && (given_.lines.any() || given_.distinct)) to.start_at(number);
    to.add(some);
    if ((!given_.lines.texts.empty() || given_.distinct) && some.back() != end) to.add({&end, 1});
  };
  if (!given_.distinct) return add(lines);
  const line_options options{.delimiter = end, .keep_delimiter = true};
  for_each(riffle::lines(memory(lines), options), [&](std::string_view line) {
    std::string_view written = line.substr(0, line.size() - (line.back() == end ? 1 : 0));
    if (given_.strip_cr && written.ends_with('\r')) written.remove_suffix(1);
    if (add_new(*rows_.distinct, written)) add(line);
    ++number;
  });
}

}  // namespace riffle::cli
