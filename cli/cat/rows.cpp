/// Writes the fields of a row in the order of the list, and a delimiter after them. Threads collect what
/// they write of each part.
#include "cli/cat/rows.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>

#include <algorithm>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/cat/editor.hpp"
#include "cli/chosen.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "text/row_values.hpp"

namespace riffle::cli {

namespace {

// Fields that are not written yet.
struct waiting_text {
  void add(std::string_view some) { bytes += some; }
  void add(char byte) { bytes += byte; }
  std::string bytes = {};
};

// What was copied of a part.
struct copied_text : waiting_text {
  text::bad_rows skipped = text::bad_rows();
};

// Texts that serve one part after another. New memory would cost a page fault for each 4 KiB.
class text_pool {
 public:
  copied_text take() {
    const std::lock_guard lock(mutex_);
    if (spare_.empty()) return {};
    copied_text text = std::move(spare_.back());
    spare_.pop_back();
    return text;
  }
  void give_back(copied_text text) {
    text.bytes.clear();
    const std::lock_guard lock(mutex_);
    spare_.push_back(std::move(text));
  }

 private:
  std::mutex mutex_;
  std::vector<copied_text> spare_ = {};
};

// Writes the fields of rows in the order of the list.
class field_writer {
 public:
  // `rows` are those of the input.
  field_writer(const cat_arguments& given, const row_range& rows)
      : given_(given),
        fields_(numbered(given.columns, rows, given.rows)),
        whole_(fields_.empty()),
        input_(rows.from().name()),
        separator_(given.to_separator.value_or(given.rows.separator)),
        converts_(separator_ != given.rows.separator),
        changes_(converts_ || given.rows.trim) {
    if (given.complement) fields_ = complement_of(std::move(fields_));
  }

  // Writes a row after `before`. A field that the row lacks is empty.
  template <class Output>
  void add(const row& from, Output& out, std::string_view before = {}) const {
    if (whole_) return add_whole(from, out, before);
    if (converts_ && !given_.rows.quote) check_separators(from);
    const std::size_t count = from.size();
    if (!before.empty()) out.add(before);
    const char separator = separator_;  // the bytes written might be those of this object
    const bool changes = changes_;
    bool first = true;
    for (const field_range& range : fields_) {
      const std::size_t end = range.last == open_end ? count : range.last;
      for (std::size_t number = range.first; number <= end; ++number) {
        if (!first) out.add(separator);
        first = false;
        if (number > count) continue;
        const std::string_view field = from[number - 1];
        if (changes) {
          add_changed(from, number - 1, field, out);
        } else {
          out.add(field);
        }
      }
    }
    out.add(given_.ending());
  }

 private:
  template <class Output>
  void add_whole(const row& from, Output& out, std::string_view before) const {
    if (!before.empty()) out.add(before);
    out.add(from.text());
    out.add(given_.ending());
  }
  bool has_separator(std::string_view field) const {
    return field.find(separator_) != std::string_view::npos;
  }

  // Without quotes, a field that holds the separator would become two.
  [[gnu::noinline]] void check_separators(const row& from) const {
    for (const field_range& range : fields_) {
      const std::size_t end = std::min(range.last, from.size());
      for (std::size_t number = range.first; number <= end; ++number) {
        if (!has_separator(from[number - 1])) continue;
        throw error(
            errc::bad_value, "copy", input_, from.offset(),
            fmt::format("field {} of this row holds the byte of --to-separator; use another byte{}", number,
                        given_.rows.whitespace ? ""
                                               : fmt::format(", or --quote '\"' {}",
                                                             separator_as_typed(given_.rows.separator))));
      }
    }
  }

  // Trims a field. One that holds the separator, or that now starts with a quote, stays one in quotes.
  template <class Output>
  [[gnu::noinline]] void add_changed(const row& from, std::size_t index, std::string_view raw,
                                     Output& out) const {
    const bool was_quoted = given_.rows.quote && raw.starts_with(*given_.rows.quote);
    const std::string_view field = given_.rows.trim && !was_quoted ? from.unescaped(index) : raw;
    const bool starts_quoted = given_.rows.quote && field.starts_with(*given_.rows.quote);
    if (!(converts_ && has_separator(field)) && was_quoted == starts_quoted) return out.add(field);
    const char quote = *given_.rows.quote;
    out.add(quote);
    for (const char each : was_quoted ? from.unescaped(index) : field) {
      if (each == quote) out.add(quote);
      out.add(each);
    }
    out.add(quote);
  }

  const cat_arguments& given_;
  std::vector<field_range> fields_;
  bool whole_;
  std::string input_;
  char separator_;  // of the output
  bool converts_;
  bool changes_;
};

// `chosen`: null for all rows.
void copy_in_threads(row_range rows, const row_chooser* chosen, const field_writer& fields,
                     riffle::thread_options splitting, text::bad_rows& skipped, cat_output& out) {
  splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
  text_pool texts;
  const auto copy_part = [&](row_range& part) {
    copied_text copied = texts.take();
    copied.skipped = skipped.of_split();
    try {
      if (chosen == nullptr) {  // apart, as the loop is 6 % slower with the question in it
        copied.skipped.for_each(part, [&](const row& each) { fields.add(each, copied); });
      } else {
        copied.skipped.for_each(part, [&](const row& each) {
          if (chosen->takes_text(each) && chosen->takes_values(each)) fields.add(each, copied);
        });
      }
    } catch (const error&) {
      detail::fail_split(part);  // it has rows to write before
    }
    return copied;
  };
  std::size_t written = 0;
  const auto write = [&](std::size_t before, copied_text&& copied) {
    const std::size_t size = copied.bytes.size();
    out.write(copied.bytes);
    skipped.add(copied.skipped);
    texts.give_back(std::move(copied));
    return before + size;
  };
  out.flush();
  parallel_rows_into(written, std::move(rows), copy_part, write, splitting);
}

bool is_number(const field_range& field) {
  return !field.name;
}

// Fields that are numbers would stand under the names of other columns.
void check_header(const row_range& rows, const copied_rows& copied) {
  const std::vector<std::string>& names = rows.names();
  const auto [mine, first] = std::ranges::mismatch(names, copied.header);
  if (mine == names.end() && first == copied.header.end()) return;
  rows.from().check();  // names may be among bytes that were lost
  const auto index = static_cast<std::size_t>(mine - names.begin());
  throw error(errc::no_such_column, "copy", rows.from().name(), std::nullopt,
              why_other_header(names, index, copied.header, copied.header_from, "columns in --columns"));
}

// A header of one field that holds another separator has no other field.
void check_separator(const row_range& rows, const cat_arguments& given) {
  const auto lacks = [](const field_range& each) { return each.first > 1; };
  const auto missing = std::ranges::find_if(given.columns, lacks);
  if (rows.names().size() != 1 || missing == given.columns.end()) return;
  const std::string remedy = remedy_for_header(rows.names(), given.rows);
  if (remedy.empty()) return;
  rows.from().check();  // the name may be among bytes that were lost
  throw_with_remedy(error(errc::no_such_column, "copy", rows.from().name(), std::nullopt,
                          fmt::format("the header has one field, and no field {}", missing->first)),
                    remedy);
}

// Writes the header if none was copied.
void copy_header(const row& header, const row_range& rows, const field_writer& fields,
                 const cat_arguments& given, copied_rows& copied, cat_output& out) {
  check_separator(rows, given);
  if (copied.header.empty()) {
    copied.header = rows.names();
    copied.header_from = rows.from().name();
    fields.add(header, out);
  } else if (!given.any_header &&
             (given.columns.empty() ||
              std::ranges::any_of(with_conditions(given.columns, given.lines), &is_number))) {
    check_header(rows, copied);
  }
}

// Whether rows may be left out before they are cut: no message counts them, and each has the text of its
// line.
bool may_search(const cat_arguments& given) {
  const dialect& cut = given.rows;
  const auto has_cr = [](const wanted_text& each) { return each.bytes.find('\r') != std::string::npos; };
  return !given.lines.texts.empty() && given.lines.where.empty() && !given.number && !cut.quote &&
         cut.ragged == ragged::keep && cut.max_length == dialect().max_length &&
         std::ranges::none_of(given.lines.texts, has_cr);
}

}  // namespace

std::optional<std::uint64_t> copy_rows(source from, const cat_arguments& given,
                                       const riffle::thread_options& splitting, copied_rows& copied,
                                       cat_output& out) {
  row_range rows(std::move(from), given.rows);
  const field_writer fields(given, rows);
  const choice& lines = given.lines;
  std::optional<row_chooser> chosen;
  std::optional<chosen_counter> counter;
  if (lines.any()) {
    chosen.emplace(lines, rows, given.rows);
    counter.emplace(lines);
  }
  auto at = detail::steps::resume(rows);
  if (at.record.size() != 0) copy_header(at.record, rows, fields, given, copied, out);
  if (may_search(given)) chosen->search(rows);
  const bool counts = lines.span || lines.tail || lines.every || given.number;
  text::bad_rows skipped(given.skip_bad_rows);
  const std::string name = rows.from().name();
  if (!counts && splitting.threads != 1 && rows.from().seekable()) {
    copy_in_threads(std::move(rows), chosen ? &*chosen : nullptr, fields, splitting, skipped, out);
    skipped.fail_if_any(name);
    return std::nullopt;
  }
  line_number number;
  std::uint64_t seen = 0;         // rows of this input
  std::deque<waiting_text> last;  // with --tail
  const auto copy = [&](const row& each) {
    ++seen;
    ++copied.count;
    if (chosen &&
        !(chosen->takes_text(each) && counter->every() && chosen->takes_values(each) && counter->span())) {
      return;
    }
    if (given.number) number.set(lines.any() ? seen : copied.count);
    const std::string_view before = given.number ? number.text() : std::string_view();
    if (!lines.tail) return fields.add(each, out, before);
    fields.add(each, last.emplace_back(), before);
    if (last.size() > *lines.tail) last.pop_front();
  };
  bool ended = false;
  while (!(counter && counter->ended()) && !ended) ended = !skipped.advance(at, copy);
  for (const waiting_text& each : last) out.add(each.bytes);
  skipped.fail_if_any(name);
  if (ended) return std::nullopt;
  if (!rows.from().seekable()) return std::nullopt;
  return at.record.size() == 0 ? rows.from().start() : at.record.offset_behind();
}

}  // namespace riffle::cli
