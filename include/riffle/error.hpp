/// Offers the exception type of riffle. It names the operation that failed, the path and the offset.
#pragma once

#include <riffle/export.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace riffle::inline v0 {

/// Names the failures that the operating system has no code for. `error::code()` holds one of these or an
/// `errno` value. Each compares equal to the condition of `std::errc` in parentheses.
enum class errc {
  method_unavailable =
      1,            ///< the method that you named cannot be used; `what()` says why (operation_not_supported)
  partial_value,    ///< the input ends inside a value (bad_message)
  unexpected_end,   ///< the input ends before what you asked for (bad_message)
  record_too_long,  ///< a record exceeds `max_length` (message_size)
  truncated,        ///< the file shrank while riffle read it (io_error)
  sum_overflow,     ///< a sum does not fit its type (value_too_large)
  invalid_argument,    ///< an option makes no sense; `what()` says which (invalid_argument)
  changed,             ///< the file changed since it was split (io_error)
  bad_quoting,         ///< a quote of a row stands in the wrong place, or is not closed (bad_message)
  missing_field,       ///< a row has fewer fields than you asked for (bad_message)
  bad_value,           ///< a record is malformed, or a text no value of the type asked for (bad_message)
  value_out_of_range,  ///< the value of a field does not fit the type that you asked for (value_too_large)
  no_such_column,      ///< no column has the name that you asked for, or several have (invalid_argument)
  bad_compression,     ///< the compressed bytes are damaged, or of another format (bad_message)
  too_large,           ///< the input exceeds a limit: `max_size`, or memory (file_too_large)
  wrong_field_count    ///< a row has more or fewer fields than the header or the first row (bad_message)
};

/// Returns the category of the codes in `errc`. Its name is "riffle". Valid until the program ends.
RIFFLE_API const std::error_category& riffle_category() noexcept;
/// Returns `code` as an error code of `riffle_category`.
RIFFLE_API std::error_code make_error_code(errc code) noexcept;

/// Names what helps after a failure, if an option or a function of riffle does.
enum class advice : std::uint8_t {
  none,                ///< riffle has nothing to set
  use_method,          ///< `read_options::method` as `remedy::value`; another one if that is empty
  use_decoding,        ///< `read_options::decode` as `remedy::value`
  use_blocks,          ///< `riffle::blocks`, which needs no mapping
  smaller_block_size,  ///< a smaller `read_options::block_size`
  set_max_length,      ///< a limit, which refuses a record of this length
  larger_max_length,   ///< a larger `max_length`
  larger_max_size,     ///< a larger `read_options::max_size`
  larger_split_size,   ///< a larger `split_options::size`
  fewer_threads,       ///< fewer threads
  name_null,           ///< `dialect::null`, and a `std::optional`, if the text stands for no value
  one_decode_thread,   ///< to open the input again, or `read_options::decode_threads` 1
  fewer_bytes          ///< to take fewer bytes at a time
};

/// Holds what helps after a failure.
struct remedy {
  advice what = advice::none;  ///< the option or the function
  /// The name of a method or of a format, as `method_named` and `decoding_named` take it; empty: none. Valid
  /// until the program ends.
  std::string_view value = {};
};

/// Reports a failure: every function of riffle that fails throws this type.
///
/// `what()` reads, for example, "cannot read 'access.log' at byte 4096: Input/output error". It ends in the
/// remedy, if there is one: "...; use method::read". Copying does not throw; moving copies. Thread safety:
/// copies may be used in different threads.
class RIFFLE_API error : public std::system_error {
 public:
  /// Makes an error whose message starts "cannot `operation` '`path`'". `offset` is in bytes from the start
  /// of the input. `detail`, if not empty, adds the cause to the message, and `helps` ends it.
  /// `compressed_offset` is the place in a compressed input, whose `offset` counts decoded bytes.
  error(std::error_code code, std::string_view operation, std::string_view path,
        std::optional<std::uint64_t> offset = std::nullopt, std::string_view detail = {},
        riffle::remedy helps = {}, std::optional<std::uint64_t> compressed_offset = std::nullopt);

  error(const error& other) noexcept;
  error& operator=(const error& other) noexcept;
  ~error() override;

  /// Returns what failed: "read", "open", "map". Valid as long as this error or a copy of it.
  const std::string& operation() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Returns the path as you gave it, or the name of an input without a path ("standard input"). Valid as
  /// long as this error or a copy of it.
  const std::string& path() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Returns where the input failed, in bytes from its start; `std::nullopt` if the failure has no place.
  std::optional<std::uint64_t> offset() const noexcept;
  /// Returns where a compressed input failed, in compressed bytes from its start; `std::nullopt` if it is not
  /// decoded, or if the failure has no such place.
  std::optional<std::uint64_t> compressed_offset() const noexcept;
  /// Returns the cause, as it stands in the message after the text of the code; empty if it has none. Valid
  /// as `path`.
  const std::string& detail() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Returns the message of `what()` without the remedy, for a program that words the remedy itself. Valid as
  /// `path`.
  const std::string& message() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Returns what helps; `advice::none` if nothing of riffle does. Valid as `path`.
  const riffle::remedy& remedy() const noexcept RIFFLE_LIFETIMEBOUND;

 private:
  struct place;
  const place* place_;  // of all copies
};

}  // namespace riffle::inline v0

template <>
struct std::is_error_code_enum<riffle::errc> : std::true_type {};
