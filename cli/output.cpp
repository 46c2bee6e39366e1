/// Collects what goes to standard output, writes errors, and words remedies as options.
#include "cli/output.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <mutex>
#include <new>
#include <ostream>
#include <streambuf>
#include <string_view>
#include <utility>

#include "cli/command_line.hpp"
#include "cli/os/system.hpp"
#include "cli/reading.hpp"
#include "text/os/system.hpp"
#include "text/shown.hpp"

namespace riffle::cli {

namespace {

// Standard output, collected into few calls of write(2). Not by stdio, which loses what a non-blocking output
// does not take at once.
class collected_output {
 public:
  // Adds a text, and writes out what is held if it is to be `flushed`. Returns the errno of the first write
  // that failed, after which nothing is written; 0: none.
  int write(std::string_view text, bool flushed) noexcept {
    const std::lock_guard lock(mutex_);
    if (size_ + text.size() > held_.size()) put({held_.data(), std::exchange(size_, 0)});
    if (text.size() > held_.size()) {
      put(text);
    } else {
      size_ += text.copy(held_.data() + size_, text.size());
    }
    if (flushed || (on_terminal_ && text.find('\n') != std::string_view::npos))
      put({held_.data(), std::exchange(size_, 0)});
    return lost_;
  }

 private:
  void put(std::string_view text) noexcept {
    if (lost_ != 0 || text.empty()) return;
    const auto alone = on_terminal_ ? reading_progress::removed() : std::unique_lock<std::mutex>();
    lost_ = os::write_all(1, text);
  }

  std::mutex mutex_;
  std::array<char, 4096>
      held_{};  // so much of a pipe is written at once: rows of several processes do not mix
  std::size_t size_ = 0;
  int lost_ = 0;
  bool on_terminal_ = os::is_terminal(stdout);
};

collected_output& standard_output() {
  static collected_output output;
  return output;
}

// std::cout keeps no errno of a lost table, and <iostream> makes the locales of eight streams at each start.
class output_buffer : public std::streambuf {
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    return standard_output().write({text, static_cast<std::size_t>(size)}, false) == 0 ? size : 0;
  }
  int_type overflow(int_type byte) override {
    if (traits_type::eq_int_type(byte, traits_type::eof())) return traits_type::not_eof(byte);
    const char text = traits_type::to_char_type(byte);
    return xsputn(&text, 1) == 1 ? byte : traits_type::eof();
  }
  int sync() override { return flushed() ? 0 : -1; }
};

struct words {
  advice what;
  std::string_view option;  // that the command needs
  std::string_view text;    // a value follows it
};
// The tool does not fork, nor takes bytes by their number, so two of them are missing.
constexpr std::array all{
    words{advice::use_method, "method", "use --method "},
    words{advice::use_decoding, "decode", "use --decode "},
    words{advice::use_blocks, "method", "use another --method"},
    words{advice::smaller_block_size, "block-size", "use a smaller --block-size"},
    words{advice::set_max_length, "max-length", "set --max-length to refuse a record this long"},
    words{advice::larger_max_length, "max-length", "use a larger --max-length"},
    words{advice::larger_max_size, "max-size", "use a larger --max-size"},
    words{advice::larger_split_size, "threads", "use fewer --threads"},
    words{advice::fewer_threads, "threads", "use fewer --threads"}};

// Neither a number nor a part of one; "inf" is one.
bool may_be_name(std::string_view text) {
  return !text.empty() && text.find_first_of("0123456789") == std::string_view::npos &&
         detail::to_double(text).result != detail::outcome::done;
}

}  // namespace

void write_error(std::string_view line) {
  flushed();  // what was right before comes first
  const auto alone = reading_progress::removed();
  os::write_all(2, line);
}

void complain(const std::string& text) {
  write_error(text::printable(text) + "\n");
}

void complain(const std::exception& failure) {
  complain(std::string("riffle: ") + failure.what());
}

void complain_of_file(const std::string& name, const std::exception_ptr& failure, const arguments& given) {
  const auto say = [&](const error& told) { complain("riffle: " + as_typed(told, given)); };
  try {
    std::rethrow_exception(failure);
  } catch (const output_lost&) {
    throw;
  } catch (const error& told) {
    say(told);
  } catch (const std::bad_alloc&) {
    say(error(std::make_error_code(std::errc::not_enough_memory), "read",
              name == "-" ? "standard input" : name, std::nullopt, {}, {advice::smaller_block_size}));
  }
}

void write(std::string_view text) {
  if (const int lost = standard_output().write(text, false); lost != 0) throw output_lost(lost);
}

bool flushed() {
  return standard_output().write({}, true) == 0;
}

void flush_output() {
  if (const int lost = standard_output().write({}, true); lost != 0) throw output_lost(lost);
}

void flush_before_next(std::size_t files) {
  constexpr std::size_t few = 256;
  constexpr auto seldom = std::chrono::milliseconds(1);
  static std::chrono::steady_clock::time_point last;
  const auto now = std::chrono::steady_clock::now();
  if (files >= few && now - last < seldom) return;
  last = now;
  flush_output();
}

std::ostream& output_stream() {
  static output_buffer buffer;
  static std::ostream stream(&buffer);
  return stream;
}

std::string json_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char each : text) {
    if (each == '"' || each == '\\') quoted += '\\';
    quoted += each;
  }
  return text::with_escapes(quoted) + "\"";
}

json_row& json_row::add_bytes(const std::string& key, std::string_view value) {
  add(key, value);
  if (text::as_utf8(value) == value) return *this;
  std::string bytes;
  for (const char each : value) bytes += fmt::format("{:02x}", static_cast<unsigned char>(each));
  return add(key + "_bytes", bytes);
}

json_row json_row::of_total(std::uint64_t files) {
  json_row row;
  return row.add_raw("total", "true").add("files", files);
}

json_row& json_row::add(std::string_view key, std::string_view value) {
  return add_raw(key, json_string(value));
}
template <std::floating_point T>
json_row& json_row::add(std::string_view key, T value) {
  return std::isfinite(value) ? add_raw(key, fmt::format("{}", value)) : add_null(key);
}
template json_row& json_row::add(std::string_view, float);
template json_row& json_row::add(std::string_view, double);

json_row& json_row::add_raw(std::string_view key, std::string_view value) {
  if (text_.size() > 1) text_ += ',';
  text_.append("\"").append(key).append("\":").append(value);
  return *this;
}

std::vector<std::string_view> words_of_total() {
  return {total_words.begin(), total_words.end()};
}

total_row parse_total(std::string_view value) {
  const auto starts = [value](std::string_view word) { return word.starts_with(value); };
  auto found = std::ranges::find(total_words, value);
  if (found == total_words.end() && std::ranges::count_if(total_words, starts) == 1) {
    found = std::ranges::find_if(total_words, starts);
  }
  if (found == total_words.end()) throw no_such("time to print a total", words_of_total());
  return static_cast<total_row>(found - total_words.begin());
}

std::string as_typed(const error& failure, const arguments& given) {
  auto [what, value] = failure.remedy();
  if (what == advice::none) return failure.what();
  if (what == advice::use_method && value.empty()) what = advice::use_blocks;  // by any other one
  const auto* const found = std::ranges::find(all, what, &words::what);
  const auto has = [&](const option& each) {
    return found->option == each.name && (each.needs == nullptr || has_needs(each, given));
  };
  if (found == all.end() || std::ranges::none_of(given.running->options, has)) return failure.message();
  return failure.message() + "; " + std::string(found->text) + std::string(value);
}

std::string separator_as_typed(char delimiter) {
  return std::string("--separator '") + (delimiter == '\t' ? "\\t" : std::string(1, delimiter)) + "'";
}

namespace {

// Whether a line is the first one of Excel, which names the separator.
bool names_separator(std::string_view line) {
  return line.size() == 5 && line.starts_with("sep=");
}

// A separator stands in `above` too: the only field of the header, or of the first row.
std::string remedy_for_one_field(std::string_view above, std::string_view field, const dialect& rows) {
  if (names_separator(above)) {
    return (above[4] == rows.separator ? "use" : "use " + separator_as_typed(above[4])) + " --skip-rows 1";
  }
  for (const char each : {',', '\t', ';', '|'}) {
    if (each != rows.separator && above.find(each) != above.npos && field.find(each) != field.npos)
      return "use " + separator_as_typed(each);
  }
  return {};
}

}  // namespace

std::string remedy_for_header(const std::vector<std::string>& names, const dialect& rows) {
  if (names.size() == 2 && names[0] == "sep=" && names[1].empty()) return "use --skip-rows 1";
  return names.size() == 1 ? remedy_for_one_field(names.front(), names.front(), rows) : "";
}

std::string remedy_for_field(const row& from, std::size_t index, const dialect& rows) {
  // In a split of a file that threads share, the first row is number 1 too.
  constexpr std::uint64_t front = 64 * 1024;
  const bool first = from.number() == 1 && from.offset() < front;
  if (first && names_separator(from.text())) return remedy_for_one_field(from.text(), {}, rows);
  const std::vector<std::string>& names = riffle::detail::row_access::state(from).names;
  const bool may_be_number =
      index == 0 && from[0].find_first_not_of("0123456789,.+-") == std::string_view::npos;
  std::string_view above;
  if (names.size() == 1) above = names.front();
  if (names.empty() && first && !may_be_number) above = from[0];
  std::string delimiter = from.size() == 1 ? remedy_for_one_field(above, from[0], rows) : "";
  // A text may hold blanks, so that they count only if a field is missing.
  const bool blanks = above.find(' ') != above.npos && from[0].find(' ') != above.npos;
  if (delimiter.empty() && from.size() == 1 && index > 0 && blanks) {
    const bool aligned = from[0].starts_with(' ') || from[0].find("  ") != std::string_view::npos;
    delimiter = aligned ? "use --whitespace" : "use " + separator_as_typed(' ');
  }
  if (!delimiter.empty()) return delimiter;
  if (index >= from.size()) {
    return first ? "" : "--bad-rows skip leaves such rows out, and --ragged pad adds empty fields";
  }
  const std::string_view text = from[index];
  const auto is_blank = [](char byte) { return byte == ' ' || byte == '\t'; };
  if (is_blank(rows.separator) && !rows.whitespace &&
      std::ranges::any_of(from, [](std::string_view field) { return field.empty(); })) {
    return "the row has empty fields; if runs of blanks separate its fields, use --whitespace";
  }
  if (text.starts_with('"') && !rows.quote) return "use --quote '\"'";
  if (first && may_be_name(text) && !rows.header) return "use --header if the first row holds names";
  const std::string value(from.unescaped(index));
  if (!rows.trim && !value.empty() && (is_blank(value.front()) || is_blank(value.back()))) {
    return "use --trim to drop the blanks around it";
  }
  constexpr std::size_t longest = 40;
  if (!rows.quoted_null && rows.quote && text.starts_with(*rows.quote))
    return "--bad-rows skip leaves such rows out";
  if (value.size() > longest || !(value.empty() || may_be_name(value))) return {};
  return "--null " + text::shell_quoted(value) + " leaves such cells out";
}

void throw_with_remedy(const error& failure, const std::string& remedy) {
  if (remedy.empty()) throw error(failure);
  const std::string before = failure.detail().empty() ? "" : failure.detail() + "; ";
  throw error(failure.code(), failure.operation(), failure.path(), failure.offset(), before + remedy,
              failure.remedy(), failure.compressed_offset());
}

void within_memory(std::string_view verb, const std::string& file, std::atomic<bool>& too_many,
                   const std::function<void()>& act) try {
  act();
} catch (const error& failure) {
  if (failure.code() != errc::too_large || (failure.operation() != "count" && failure.operation() != "sum"))
    throw;
  too_many = true;
  throw error(failure.code(), std::string(verb), file, std::nullopt,
              failure.detail() + fmt::format("; set a larger --max-memory, or {} less at a time", verb));
}

}  // namespace riffle::cli
