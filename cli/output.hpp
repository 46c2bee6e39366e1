/// Writes what a command says: rows, JSON Lines, totals, errors and their remedies. Lost output is a failure.
#pragma once

#include <riffle/error.hpp>
#include <riffle/options.hpp>
#include <riffle/rows.hpp>

#include <array>
#include <atomic>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.hpp"

namespace riffle::cli {

/// Standard output failed. riffle then skips the files that are left.
class output_lost : public error {
 public:
  explicit output_lost(int code) : error({code, std::generic_category()}, "write", "standard output") {}
};

/// Writes a whole line to standard error, after the rows before it. A standard error that is closed or full
/// is no failure.
void write_error(std::string_view line);
/// Prints the text as one line on standard error, without control characters.
void complain(const std::string& text);
/// The same, as "riffle: ...".
void complain(const std::exception& failure);
/// The same for a failure to read the file of that name, as it was given. Other failures are thrown again.
void complain_of_file(const std::string& name, const std::exception_ptr& failure, const arguments& given);

/// Returns whether a failure is a `riffle::error` with this code or condition.
template <class Code>
bool failed_by(const std::exception_ptr& failure, Code code) {
  try {
    std::rethrow_exception(failure);
  } catch (const error& told) {
    return told.code() == code;
  } catch (...) {
    return false;
  }
}

/// Writes to standard output; throws `riffle::error` if that fails (a full disk, a closed pipe).
void write(std::string_view text);
/// Writes out what is still buffered. Returns whether all output has arrived so far.
bool flushed();
/// The same; throws like `write` if it has not.
void flush_output();
/// Writes out the rows of a file that is finished, as to open the next one may wait: for the writer of a
/// FIFO. If it is one of many `files`, rows are written once a millisecond, or small files would take 15 %
/// longer.
void flush_before_next(std::size_t files);
/// The same output as a stream, which fails as `flushed` tells.
std::ostream& output_stream();

/// A string of JSON (RFC 8259), with its quotes. It has U+FFFD for each byte that is no UTF-8, and escapes
/// for what a terminal would obey.
std::string json_string(std::string_view text);

/// One row. The keys are written as they are, so they must need no escapes.
class json_row {
 public:
  /// The row of a file: `file` is its name.
  static json_row of_file(std::string_view name) { return json_row().add_bytes("file", name); }
  /// The row of the total of so many files.
  static json_row of_total(std::uint64_t files);

  json_row& add(std::string_view key, std::string_view value);
  /// If `value` is no UTF-8, adds its bytes in hexadecimal too, as KEY_bytes.
  json_row& add_bytes(const std::string& key, std::string_view value);
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  json_row& add(std::string_view key, T value) {
    return add_raw(key, std::to_string(value));
  }
  /// The shortest number that reads back as the same value; null for a NaN or an infinity.
  template <std::floating_point T>
  json_row& add(std::string_view key, T value);
  json_row& add_null(std::string_view key) { return add_raw(key, "null"); }
  /// `value` is JSON.
  json_row& add_raw(std::string_view key, std::string_view value);

  /// The row as a line, with its end.
  std::string line() const { return text_ + "}\n"; }

 private:
  std::string text_ = "{";
};

/// `automatic`: for several files. `only`: nothing else. The words of --total are in the same order.
enum class total_row : std::uint8_t { automatic, always, only, never };
inline constexpr std::array<std::string_view, 4> total_words{"auto", "always", "only", "never"};

std::vector<std::string_view> words_of_total();
/// The value of a word, which may be abbreviated. Throws text::usage_error.
total_row parse_total(std::string_view value);

/// Whether the total of so many files is printed.
constexpr bool prints_total(total_row when, std::size_t files) {
  return when == total_row::automatic ? files > 1 : when != total_row::never;
}

/// Whether rows have names: they are not alone.
constexpr bool names_rows(total_row when, std::size_t files) {
  return when == total_row::always || (when != total_row::only && files > 1);
}

/// The option --total, by its setter.
constexpr std::array<option, 1> total_options(setter set) {
  return {option{.name = "total",
                 .argument = "WHEN",
                 .help = "When to print a row of totals",
                 .preset = "auto",
                 .words = words_of_total,
                 .set = set}};
}

/// Returns the message of a failure, with the remedy as it is typed. A remedy that needs an option which the
/// command lacks, or which needs an option that was not given, is left out.
std::string as_typed(const error& failure, const arguments& given);

/// The option that sets the byte between fields, as it is typed.
std::string separator_as_typed(char delimiter);
/// The remedy for a header that lacks a column, or an empty text.
std::string remedy_for_header(const std::vector<std::string>& names, const dialect& rows);
/// The remedy for a field that is missing or no number, or an empty text.
std::string remedy_for_field(const row& from, std::size_t index, const dialect& rows);

/// Throws a `riffle::error` like `failure`, whose message ends in the remedy, if there is one.
[[noreturn]] void throw_with_remedy(const error& failure, const std::string& remedy);

/// Calls `act` for a file. If the keys of a table need too much memory, and not the reading, the error says
/// that riffle cannot `verb` the file, and names the option; `too_many` is then true.
void within_memory(std::string_view verb, const std::string& file, std::atomic<bool>& too_many,
                   const std::function<void()>& act);

}  // namespace riffle::cli
