/// Finds the lines and rows that an input's choice takes.
#pragma once

#include <riffle/lines.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/choice.hpp"
#include "cli/output.hpp"
#include "text/row_values.hpp"

namespace riffle::cli {

/// Finds texts in a part.
class text_search {
 public:
  struct match {
    std::size_t start = std::string_view::npos;  // npos: there is none
    std::size_t end = 0;
  };

  /// The texts, which are not empty, and the part must outlive this. `any_case`: a lower letter of a text
  /// stands for both cases.
  text_search(std::span<const std::string> texts, std::string_view part, bool any_case = false);
  /// Returns the first place from `from` on that holds one of the texts: the longest that stands there.
  /// `from` is never less than before.
  match next(std::size_t from);

 private:
  std::span<const std::string> texts_;
  std::string_view part_;
  bool any_case_;
  std::vector<std::size_t> places_;  // the first of each text from the last `from` on
};

/// Returns how often one of the texts occurs, without overlaps.
std::uint64_t occurrences_in(std::string_view part, std::span<const std::string> texts);

/// Finds the lines of a part by the texts of a choice. The part consists of whole lines, of which the last
/// one may lack its delimiter, and no text holds a delimiter. Several threads may share one.
class text_chooser {
 public:
  text_chooser(const choice& wanted, char delimiter);

  /// Calls `use(std::size_t start, std::size_t end)` with the chosen lines, in order. Those that follow each
  /// other may come together.
  template <class Use>
  void for_each(std::string_view part, Use use) const {
    text_search search(searched_, part, any_case_);
    std::size_t from = 0;
    for (line at; (at = next(search, part, from)).start != std::string_view::npos; from = at.end) {
      if (!invert_) use(at.start, at.end);
      if (invert_ && from != at.start) use(from, at.start);
    }
    if (invert_ && from != part.size()) use(from, part.size());
  }
  /// Returns the number of lines that are chosen.
  std::uint64_t count(std::string_view part) const;
  /// Returns whether a line or a row of these bytes is chosen, whatever its texts hold.
  bool takes(std::string_view row) const noexcept;
  bool empty() const noexcept { return texts_.empty(); }

 private:
  struct line {
    std::size_t start = std::string_view::npos;  // npos: there is none
    std::size_t end = 0;                         // after its delimiter
  };

  // Returns the first line with a text that starts at `from`, the start of a line, or after it.
  line next(text_search& search, std::string_view part, std::size_t from) const;
  bool starts(std::string_view row) const noexcept;
  std::uint64_t count_by_start(std::string_view part) const;

  std::vector<wanted_text> texts_;     // if any_case_, their letters are lower
  std::vector<std::string> searched_;  // the same, with a delimiter before those that start lines
  bool invert_;                        // without texts all lines are chosen, as if inverted
  bool any_case_;
  bool some_at_start_;
  char delimiter_;
};

/// Chooses rows by their texts and their fields. Several threads may share one.
class row_chooser {
 public:
  /// Finds the columns of the conditions in the header of `rows`, which `cut` cuts. Throws `riffle::error`.
  row_chooser(const choice& wanted, const row_range& rows, const dialect& cut);

  bool takes_all() const noexcept { return texts_.empty() && conditions_.empty(); }
  /// Lets the rows be searched for the texts before they are cut. This must outlive them.
  void search(row_range& rows) const;
  bool takes_text(const row& each) const noexcept { return texts_.empty() || texts_.takes(each.text()); }
  /// Returns whether the row meets the conditions. Throws `riffle::error` if it meets all but those for which
  /// it lacks a field, or a number.
  bool takes_values(const row& each) const;

 private:
  text_chooser texts_;
  std::vector<condition> conditions_;  // of columns by their numbers
  const dialect& cut_;
};

/// Returns the number of lines in a part, the last one without a delimiter included.
std::uint64_t lines_in(std::string_view part, char delimiter) noexcept;

/// The start of some bytes, and the delimiters in it.
struct passed_lines {
  std::size_t size;
  std::uint64_t lines;
};
/// Passes `wanted` delimiters. Returns the bytes up to the last of them, or all if they hold fewer.
passed_lines pass_lines(std::string_view bytes, char delimiter, std::uint64_t wanted) noexcept;

/// Picks the lines of a span out of an input that comes in pieces.
class line_picker {
 public:
  line_picker(line_span span, char delimiter) noexcept
      : before_(span.first - 1),
        left_(span.last == all_lines ? all_lines : span.last - before_),
        delimiter_(delimiter) {}

  /// Returns the part of the next piece that lies in the span.
  std::string_view pick(std::string_view piece) noexcept;
  /// Whether the span has ended, so that no more pieces are needed.
  bool ended() const noexcept { return left_ == 0; }

 private:
  std::uint64_t before_;  // lines to pass
  std::uint64_t left_;    // lines to pick
  char delimiter_;
};

/// Counts lines or rows in order, but for --tail.
class chosen_counter {
 public:
  explicit chosen_counter(const choice& wanted)
      : every_(wanted.every.value_or(line_step{})), span_(wanted.span.value_or(line_span{})) {
    if (wanted.tail == 0) span_.last = 0;
  }

  /// Returns whether --every takes the next one that the texts took.
  bool every() noexcept {
    if (++seen_ != every_.first) return false;
    every_.first += every_.step;
    return true;
  }
  /// Returns whether the span takes the next one that --every and --where took.
  bool span() noexcept { return ++passed_ >= span_.first; }
  /// Whether no more are needed.
  bool ended() const noexcept { return passed_ >= span_.last || (every_.step == 0 && seen_ >= every_.first); }

 private:
  line_step every_;  // from the next one on
  line_span span_;
  std::uint64_t seen_ = 0;
  std::uint64_t passed_ = 0;  // of those, how many --every and --where took
};

/// Keeps the last of the lines or rows that were chosen, and less than a run more.
class last_chosen {
 public:
  /// Lines that follow each other in the input, or a row.
  struct run {
    std::uint64_t number;  // of the first one
    std::string lines;
    std::uint64_t count = 1;
    std::uint64_t usable = 0;  // of a row: its number without rows that cannot be used, and its offset
    std::uint64_t offset = 0;
  };

  last_chosen(std::uint64_t wanted, char delimiter) : wanted_(wanted), delimiter_(delimiter) {}

  void add(run lines);
  const std::deque<run>& runs() const noexcept { return runs_; }
  /// Calls `use(std::uint64_t number, std::string_view lines)` with what is left, in order.
  template <class Use>
  void for_each(Use use) const {
    std::uint64_t surplus = kept_ > wanted_ ? kept_ - wanted_ : 0;  // of the first run only
    for (const run& each : runs_) {
      const std::string_view lines = each.lines;
      if (surplus != each.count)
        use(each.number + surplus,
            surplus == 0 ? lines : lines.substr(pass_lines(lines, delimiter_, surplus).size));
      surplus = 0;
    }
  }

 private:
  std::uint64_t wanted_;
  char delimiter_;
  std::deque<run> runs_ = {};
  std::uint64_t kept_ = 0;  // the lines in it
};

/// Throws `riffle::error` if the line, with its delimiter, is too long without it and a '\r' before it.
void check_length(std::string_view line, std::uint64_t offset, const line_options& options,
                  const source& from);

/// Calls `use(std::uint64_t number, std::string_view line)` with each line that is chosen, in order and with
/// its end. Returns the offset after the last line that was read; nothing if the input was read to its end.
/// Throws as `line_range`, and what `use` throws. A '\r' that `strip_cr` drops has no length.
template <class Use>
std::optional<std::uint64_t> for_each_chosen(source from, const choice& wanted, const text_chooser& texts,
                                             const line_options& options, Use use) {
  chosen_counter counter(wanted);
  if (counter.ended()) return from.start();
  last_chosen last(wanted.tail.value_or(0), options.delimiter);
  line_options kept = options;
  kept.keep_delimiter = true;
  if (options.strip_cr && options.max_length + 1 != 0) ++kept.max_length;
  detail::placed_lines lines(std::move(from), kept);
  std::uint64_t seen = 0;
  std::optional<std::uint64_t> stopped_at;
  try {
    for (const std::string_view line : lines) {
      ++seen;
      const auto offset = [&] { return lines.offset_of(line.data()); };
      if (kept.max_length != options.max_length) check_length(line, offset(), options, lines.from());
      if ((texts.empty() || texts.takes(line)) && counter.every() && counter.span()) {
        wanted.tail ? last.add({seen, std::string(line)}) : use(seen, line);
      }
      if (!counter.ended()) continue;
      stopped_at = offset() + line.size();
      break;
    }
  } catch (const output_lost&) {
    lines.from().check();  // a page that the input lost while it was mapped makes write(2) fail
    throw;
  }
  last.for_each(use);
  return stopped_at;
}

/// Calls `use(to, std::string_view lines)` with runs of the chosen lines: `to` is `whole`, or a `Part` for a
/// part of the input, which `join(Part, Part)` adds to those before. Throws as `for_each_chosen`.
template <class Part, class Use, class Join>
void lines_in_parts(Part& whole, source from, const choice& wanted, const riffle::thread_options& splitting,
                    Use use, Join join) {
  const text_chooser texts(wanted, '\n');
  if (!wanted.one_by_one()) {
    const auto use_part = [&](std::string_view part) {
      Part found{};
      texts.for_each(
          part, [&](std::size_t start, std::size_t end) { use(found, part.substr(start, end - start)); });
      return found;
    };
    return parallel_reduce_into(whole, std::move(from), use_part, join, detail::cut_at('\n', splitting));
  }
  constexpr std::size_t enough = 65536;
  std::string chosen;
  const auto use_chosen = [&] {
    if (!chosen.empty()) use(whole, std::string_view(chosen));
    chosen.clear();
  };
  try {
    for_each_chosen(std::move(from), wanted, texts, {}, [&](std::uint64_t, std::string_view line) {
      chosen += line;
      if (chosen.size() >= enough) use_chosen();
    });
  } catch (...) {
    use_chosen();
    throw;
  }
  use_chosen();
}

/// The rows of an input that a choice takes.
class chosen_rows {
 public:
  /// No row was taken from `rows`. `searches`: the texts are found before rows are cut, so that the numbers
  /// of rows are not those of the input. `given` must outlive it. Throws as `row_chooser`.
  chosen_rows(row_range rows, const choosing_arguments& given, bool searches);
  chosen_rows(const chosen_rows&) = delete;
  chosen_rows& operator=(const chosen_rows&) = delete;

  const row_range& all() const { return rows_; }
  /// Returns the header until a row is taken, or a row without fields if there is none.
  row header() { return detail::steps::resume(rows_).record; }
  /// Calls `use(const row&, std::uint64_t seen)` with each chosen row, in order; `seen` counts those that
  /// can be used. Returns the offset after the last row, if the rest of an input that has positions is not
  /// read. Throws as `bad.advance`.
  template <class Use>
  std::optional<std::uint64_t> for_each(text::bad_rows& bad, Use use) {
    const choice& wanted = given_.lines;
    chosen_counter counter(wanted);
    last_chosen last(wanted.tail.value_or(0), given_.rows.delimiter);
    std::uint64_t seen = 0;
    auto at = detail::steps::resume(rows_);
    std::string front(at.record.size() == 0 ? std::string_view() : at.record.text());
    const auto step = [&](const row& each) {
      if (counter.ended()) return;  // after a bad row
      if (++seen == 1 && wanted.tail && !given_.rows.header) front = each.text();
      if (chooser_ && !(chooser_->takes_text(each) && counter.every() && chooser_->takes_values(each) &&
                        counter.span())) {
        return;
      }
      wanted.tail ? last.add({each.number(), std::string(each.text()), 1, seen, each.offset()})
                  : use(each, seen);
    };
    bool ended = false;
    while (!counter.ended() && !ended) ended = !bad.advance(at, step);
    if (wanted.tail) use_last(last, front, bad, use);
    if (ended || !rows_.from().seekable()) return std::nullopt;
    return at.record.size() == 0 ? rows_.from().start() : at.record.offset_behind();
  }
  /// The same by threads, if nothing counts rows one by one; the rest as `text::rows_in_parts`.
  template <class Whole, class Make, class Use, class Join>
  void in_parts(Whole& whole, text::bad_rows& bad, const riffle::thread_options& splitting, Make make,
                Use use, Join join) {
    if (!chooser_ || chooser_->takes_all()) {  // apart, as the loop is 6 % slower with the question in it
      return text::rows_in_parts(whole, bad, std::move(rows_), splitting, make, use, join);
    }
    const auto use_chosen = [&](auto& to, const row& each) {
      if (chooser_->takes_text(each) && chooser_->takes_values(each)) use(to, each);
    };
    text::rows_in_parts(whole, bad, std::move(rows_), splitting, make, use_chosen, join);
  }
  /// Adds them to a `value_counter` or `key_sums` by `add(total, const row&)`.
  template <class Total, class Add>
  void add_to(Total& total, text::bad_rows& bad, const riffle::thread_options& splitting, Add add) {
    if (given_.lines.one_by_one()) {
      for_each(bad, [&](const row& each, std::uint64_t) { add(total, each); });
    } else {
      in_parts(
          total, bad, splitting, [] { return Total(); }, add, [&](const Total& part) { total.add(part); });
    }
  }

 private:
  // Cuts the last rows again, to use them. `front` is the header, or without one the first row.
  template <class Use>
  void use_last(const last_chosen& last, const std::string& front, text::bad_rows& bad, Use use) const {
    dialect cut = given_.rows;
    cut.skip_rows = 0;
    std::string text = front + cut.delimiter;
    for (const last_chosen::run& each : last.runs()) text.append(each.lines) += cut.delimiter;
    row_range rows = riffle::rows({memory(text), rows_.from().name()}, cut);
    auto at = detail::steps::resume(rows);
    if (!cut.header) detail::steps::advance(rows, at);
    for (const last_chosen::run& each : last.runs()) {
      detail::steps::advance(rows, at);
      detail::number_rows(rows, each.number - at.record.number());
      try {
        use(at.record, each.usable);
      } catch (const error& failure) {
        if (!bad.note(failure, each.number)) throw_at(failure, at.record, each.offset);
      }
    }
  }
  // Throws the failure of a row that stands there in the input.
  [[noreturn]] static void throw_at(const error& failure, const row& failed, std::uint64_t offset);

  const choosing_arguments& given_;
  row_range rows_;
  std::optional<row_chooser> chooser_ = {};
};

/// Whether the texts may be found before rows are cut, as each row has the text of its line.
bool may_search(const choosing_arguments& given) noexcept;

/// Calls `read(source, bool searches)`. If rows were passed before one that fails, the file is read once
/// more, as the message then has the number of the row.
template <class Read>
void read_rows(source from, const choosing_arguments& given, Read read) {
  if (!may_search(given) || from.descriptor() == 0 || from.kind() != input_kind::regular_file) {
    return read(std::move(from), false);
  }
  const std::string name = from.name();
  try {
    read(std::move(from), true);
  } catch (const error& failure) {
    if (failure.code() == errc::bad_quoting || text::bad_rows(true).skips(failure)) {
      read(source(input_of(name), given.options), false);
    }
    throw;
  }
}

}  // namespace riffle::cli
