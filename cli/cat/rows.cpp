/// Writes the fields of a row in the order of the list, and a delimiter after them. Threads collect what
/// they write of each part.
#include "cli/cat/rows.hpp"

#include <fmt/core.h>
#include <riffle/error.hpp>
#include <riffle/parallel_rows.hpp>

#include <algorithm>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/cat/line_number.hpp"
#include "cli/threads/rule.hpp"
#include "text/columns.hpp"

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

// A field that the row lacks is empty. With quotes, a row ends in CR LF, whichever field is the last.
template <class Output>
void add_fields(const row& from, std::span<const field_range> fields, const cat_arguments& given,
                Output& out) {
  const std::size_t count = from.size();
  std::string_view last = from[count - 1];
  const bool cr = given.rows.quote && !given.strip_cr && last.ends_with('\r');
  if (cr) last.remove_suffix(1);
  bool first = true;
  for (const field_range& range : fields) {
    const std::size_t end = range.last == open_end ? count : range.last;
    for (std::size_t number = range.first; number <= end; ++number) {
      if (!first) out.add(given.rows.field);
      if (number <= count) out.add(number == count ? last : from[number - 1]);
      first = false;
    }
  }
  if (cr) out.add('\r');
  out.add(given.ending());
}

void copy_in_threads(row_range rows, std::span<const field_range> fields, const cat_arguments& given,
                     parallel_options splitting, cat_output& out) {
  splitting.split_size = std::min(splitting.split_size, largest_waiting_part);
  text_pool texts;
  const auto copy_part = [&](row_range& part) {
    copied_text copied = texts.take();
    for_each(part, [&](const row& each) { add_fields(each, fields, given, copied); });
    return copied;
  };
  std::size_t written = 0;
  const auto write = [&](std::size_t before, copied_text&& copied) {
    const std::size_t size = copied.bytes.size();
    out.write(copied.bytes);
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
  const auto column = [](const std::vector<std::string>& all, auto at) {
    return at == all.end() ? "missing" : "'" + text::shortened(*at, 40) + "'";
  };
  throw error(errc::no_such_column, "copy", rows.from().name(), std::nullopt,
              fmt::format("its column {} is {}, and that of '{}' is {}; name the columns in --fields, or use "
                          "--any-header",
                          mine - names.begin() + 1, column(names, mine), copied.header_from,
                          column(copied.header, first)));
}

// Writes the header if none was copied.
void copy_header(const row& header, const row_range& rows, std::span<const field_range> fields,
                 const cat_arguments& given, copied_rows& copied, cat_output& out) {
  if (copied.header.empty()) {
    copied.header = rows.names();
    copied.header_from = rows.from().name();
    add_fields(header, fields, given, out);
  } else if (!given.any_header && std::ranges::any_of(given.fields, &is_number)) {
    check_header(rows, copied);
  }
}

}  // namespace

std::optional<std::uint64_t> copy_rows(source from, const cat_arguments& given,
                                       const parallel_options& splitting, copied_rows& copied,
                                       cat_output& out) {
  row_range rows(std::move(from), given.rows);
  const std::vector<field_range> fields = numbered(given.fields, rows, given.rows);
  const line_span span = given.span.value_or(line_span{});
  line_number number;
  number.set(given.span ? span.first : copied.count + 1);
  row_range::cursor at = rows.resume();
  if (at.record.size() != 0) copy_header(at.record, rows, fields, given, copied, out);
  const bool counts = given.span || given.number;
  if (!counts && splitting.threads != 1 && rows.from().seekable()) {
    copy_in_threads(std::move(rows), fields, given, splitting, out);
    return std::nullopt;
  }
  std::uint64_t passed = 0;
  for (; passed < span.last; ++passed) {
    if (!row_range::advance(at)) return std::nullopt;
    if (passed + 1 < span.first) continue;
    if (given.number) {
      out.add(number.text());
      number.advance();
    }
    add_fields(at.record, fields, given, out);
    ++copied.count;
  }
  if (!rows.from().seekable()) return std::nullopt;
  return at.record.size() == 0 ? rows.from().start() : at.record.offset_behind();
}

}  // namespace riffle::cli
