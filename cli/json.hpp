/// Writes the rows of `--json`: JSON Lines, one object without nesting a row.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace riffle::cli {

/// A string of JSON (RFC 8259), with its quotes. It has U+FFFD for each byte that is no UTF-8, and escapes
/// for what a terminal would obey.
std::string json_string(std::string_view text);

/// One row. The keys are written as they are, so they must need no escapes.
class json_row {
 public:
  /// The row of a file: `file` is its name. If the name is no UTF-8, `file_bytes` is its bytes in
  /// hexadecimal.
  static json_row of_file(std::string_view name);
  /// The row of the total of so many files.
  static json_row of_total(std::uint64_t files);

  json_row& add(std::string_view key, std::string_view value);
  template <std::integral T>
    requires(!std::same_as<T, bool>)
  json_row& add(std::string_view key, T value) {
    return add_raw(key, std::to_string(value));
  }
  /// The shortest number that reads back as the same value; null for a NaN or an infinity.
  template <std::floating_point T>
  json_row& add(std::string_view key, T value);
  json_row& add_null(std::string_view key) { return add_raw(key, "null"); }

  /// The row as a line, with its end.
  std::string line() const { return text_ + "}\n"; }

 private:
  json_row& add_raw(std::string_view key, std::string_view value);

  std::string text_ = "{";
};

}  // namespace riffle::cli
