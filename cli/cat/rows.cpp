/// Writes the fields of a row in the order of the list, and a delimiter after them. Threads collect what
/// they write of each part.
#include "cli/cat/rows.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>

#include <algorithm>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/cat/editor.hpp"
#include "cli/chosen.hpp"
#include "cli/output.hpp"

namespace riffle::cli {

namespace {

// What was copied of a part.
struct copied_text {
  void add(std::string_view some) { bytes += some; }
  void add(char byte) { bytes += byte; }
  std::string bytes = {};
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

bool is_number(const field_range& field) {
  return !field.name;
}

// Fields that are numbers would stand under the names of other columns.
void check_header(const row_range& rows, const copied_rows& copied, const char* option) {
  const std::vector<std::string>& names = rows.names();
  const auto [mine, first] = std::ranges::mismatch(names, copied.header);
  if (mine == names.end() && first == copied.header.end()) return;
  rows.from().check();  // names may be among bytes that were lost
  const auto index = static_cast<std::size_t>(mine - names.begin());
  throw error(errc::no_such_column, "copy", rows.from().name(), std::nullopt,
              why_other_header(names, index, copied.header, copied.header_from, option));
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
  } else if (!given.any_header) {
    const bool by_number = given.columns.empty() || std::ranges::any_of(given.columns, is_number);
    const auto asks_number = [](const condition& each) { return is_number(each.column); };
    const bool asks = std::ranges::any_of(given.lines.where, asks_number);
    if (by_number || asks)
      check_header(rows, copied,
                   !asks       ? "columns in --columns"
                   : by_number ? "columns in --columns and --where"
                               : "columns in --where");
  }
}

}  // namespace

bool add_new(value_counter& texts, std::string_view text) {
  const std::size_t before = texts.size();
  texts.add(text);
  return texts.size() != before;
}

std::optional<std::uint64_t> copy_rows(source from, const cat_arguments& given,
                                       riffle::thread_options splitting, copied_rows& copied,
                                       cat_output& out) {
  const choice& lines = given.lines;
  row_range all(std::move(from), given.rows);
  const field_writer fields(given, all);
  const std::string name = all.from().name();
  // No message has the number of a row then.
  const bool searches = may_search(given) && lines.where.empty() && !given.number && !given.rows.quote;
  chosen_rows rows(std::move(all), given, searches);
  const row header = rows.header();
  if (header.size() != 0) copy_header(header, rows.all(), fields, given, copied, out);
  text::bad_rows skipped(given.skip_bad_rows);
  std::optional<std::uint64_t> stopped_at;
  if (lines.one_by_one() || given.number || given.distinct) {
    line_number number;
    copied_text text;
    stopped_at = rows.for_each(skipped, [&](const row& each, std::uint64_t seen) {
      if (given.number) number.set(lines.any() || given.distinct ? seen : ++copied.count);
      const std::string_view before = given.number ? number.text() : "";
      if (!given.distinct) return fields.add(each, out, before);
      text.bytes.clear();
      fields.add(each, text);
      if (!add_new(*copied.distinct, text.bytes)) return;
      out.add(before);
      out.add(text.bytes);
    });
  } else {
    splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
    if (splitting.threads != 1) out.flush();
    text_pool texts;
    rows.in_parts(
        out, skipped, splitting, [&] { return texts.take(); },
        [&](auto& to, const row& each) { fields.add(each, to); },
        [&](copied_text part) {
          out.write(part.bytes);
          texts.give_back(std::move(part));
        });
  }
  skipped.fail_if_any(name);
  return stopped_at;
}

}  // namespace riffle::cli
