/// Writes the fields of a row in the order of the list, and a delimiter after them. Threads collect what
/// they write of each part.
#include "cli/cat/rows.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>

#include <algorithm>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/cat/editor.hpp"
#include "cli/remedies.hpp"
#include "cli/threads/rule.hpp"
#include "text/columns.hpp"

namespace riffle::cli {

namespace {

// What was copied of a part.
struct copied_text {
  void add(std::string_view some) { bytes += some; }
  void add(char byte) { bytes += byte; }
  std::string bytes = {};
  std::exception_ptr failure = {};  // of the row after those
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
        input_(rows.from().name()),
        separator_(given.to_separator.value_or(given.rows.separator)),
        converts_(separator_ != given.rows.separator) {}

  // Writes a row after `before`. A field that the row lacks is empty.
  template <class Output>
  void add(const row& from, Output& out, std::string_view before = {}) const {
    if (converts_ && !given_.rows.quote) check_separators(from);
    const std::size_t count = from.size();
    if (!before.empty()) out.add(before);
    const char separator = separator_;  // the bytes written might be those of this object
    const bool converts = converts_;
    bool first = true;
    for (const field_range& range : fields_) {
      const std::size_t end = range.last == open_end ? count : range.last;
      for (std::size_t number = range.first; number <= end; ++number) {
        if (!first) out.add(separator);
        first = false;
        if (number > count) continue;
        const std::string_view field = from[number - 1];
        if (converts && has_separator(field)) {
          add_in_quotes(from, number - 1, field, out);
        } else {
          out.add(field);
        }
      }
    }
    out.add(given_.ending());
  }

 private:
  bool has_separator(std::string_view field) const {
    return field.find(separator_) != std::string_view::npos;
  }

  // Without quotes, a field that holds the separator would become two.
  [[gnu::noinline]] void check_separators(const row& from) const {
    for (const field_range& range : fields_) {
      const std::size_t end = std::min(range.last, from.size());
      for (std::size_t number = range.first; number <= end; ++number) {
        if (!has_separator(from[number - 1])) continue;
        throw error(errc::bad_value, "copy", input_, from.offset(),
                    fmt::format("field {} of this row holds the byte of --to-separator; use another byte, or "
                                "--quote '\"' {}",
                                number, separator_as_typed(given_.rows.separator)));
      }
    }
  }

  // So that a field that holds the separator stays one.
  template <class Output>
  [[gnu::noinline]] void add_in_quotes(const row& from, std::size_t index, std::string_view raw,
                                       Output& out) const {
    const char quote = *given_.rows.quote;
    out.add(quote);
    for (const char each : raw.starts_with(quote) ? from.unescaped(index) : raw) {
      if (each == quote) out.add(quote);
      out.add(each);
    }
    out.add(quote);
  }

  const cat_arguments& given_;
  std::vector<field_range> fields_;
  std::string input_;
  char separator_;  // of the output
  bool converts_;
};

void copy_in_threads(row_range rows, const field_writer& fields, parallel_options splitting,
                     cat_output& out) {
  splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
  text_pool texts;
  const auto copy_part = [&](row_range& part) {
    copied_text copied = texts.take();
    try {
      for_each(part, [&](const row& each) { fields.add(each, copied); });
    } catch (const error&) {
      copied.failure = std::current_exception();
    }
    return copied;
  };
  std::size_t written = 0;
  const auto write = [&](std::size_t before, copied_text&& copied) {
    const std::size_t size = copied.bytes.size();
    out.write(copied.bytes);
    if (copied.failure) std::rethrow_exception(copied.failure);
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
  const auto column = [](const std::vector<std::string>& all, auto at) {
    return at == all.end() ? "missing" : "'" + text::shortened(*at, 40) + "'";
  };
  throw error(
      errc::no_such_column, "copy", rows.from().name(), std::nullopt,
      fmt::format("its column {} is {}, and that of '{}' is {}; name the columns in --columns, or use "
                  "--any-header",
                  mine - names.begin() + 1, column(names, mine), copied.header_from,
                  column(copied.header, first)));
}

// Writes the header if none was copied.
void copy_header(const row& header, const row_range& rows, const field_writer& fields,
                 const cat_arguments& given, copied_rows& copied, cat_output& out) {
  if (copied.header.empty()) {
    copied.header = rows.names();
    copied.header_from = rows.from().name();
    fields.add(header, out);
  } else if (!given.any_header && std::ranges::any_of(given.columns, &is_number)) {
    check_header(rows, copied);
  }
}

}  // namespace

std::optional<std::uint64_t> copy_rows(source from, const cat_arguments& given,
                                       const parallel_options& splitting, copied_rows& copied,
                                       cat_output& out) {
  row_range rows(std::move(from), given.rows);
  const field_writer fields(given, rows);
  const line_span span = given.span.value_or(line_span{});
  line_number number;
  number.set(given.span ? span.first : copied.count + 1);
  row_range::cursor at = rows.resume();
  if (at.record.size() != 0) copy_header(at.record, rows, fields, given, copied, out);
  const bool counts = given.span || given.number;
  if (!counts && splitting.threads != 1 && rows.from().seekable()) {
    copy_in_threads(std::move(rows), fields, splitting, out);
    return std::nullopt;
  }
  std::uint64_t passed = 0;
  for (; passed < span.last; ++passed) {
    if (!row_range::advance(at)) return std::nullopt;
    if (passed + 1 < span.first) continue;
    fields.add(at.record, out, given.number ? number.text() : std::string_view());
    if (given.number) number.advance();
    ++copied.count;
  }
  if (!rows.from().seekable()) return std::nullopt;
  return at.record.size() == 0 ? rows.from().start() : at.record.offset_behind();
}

}  // namespace riffle::cli
