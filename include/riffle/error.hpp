/// Every failure of riffle is one exception type that names the
/// operation, the path and the offset, so that a message can be acted on.
#ifndef RIFFLE_ERROR_HPP
#define RIFFLE_ERROR_HPP

#include <riffle/export.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace riffle::inline v0 {

/// The failures that no operating system reports. `error::code()` holds one of these or an `errno` value.
/// Each compares equal to one condition of `std::errc`, named here in parentheses.
enum class errc {
  method_unavailable =
      1,            ///< the method asked for by name cannot be used: says why (operation_not_supported)
  partial_value,    ///< the input ends inside a value (bad_message)
  unexpected_end,   ///< the input ends before what was asked for (bad_message)
  record_too_long,  ///< a record exceeds `max_length` (message_size)
  truncated,        ///< the file shrank while it was read (io_error)
  sum_overflow,     ///< a sum does not fit its type (value_too_large)
  invalid_argument  ///< an option that makes no sense: says which (invalid_argument)
};

RIFFLE_API const std::error_category& riffle_category() noexcept;
RIFFLE_API std::error_code make_error_code(errc code) noexcept;

/// What every failing function of riffle throws.
///
/// `what()` reads "cannot read 'access.log' at byte 4096: Input/output error", with the remedy if there is
/// one. Copying never throws; moving copies.
class RIFFLE_API error : public std::system_error {
 public:
  /// `operation` completes "cannot ...": "read", "open", "map". `detail`, if any, ends the message.
  error(std::error_code code, std::string_view operation, std::string_view path,
        std::optional<std::uint64_t> offset = std::nullopt, std::string_view detail = {});

  error(const error&) noexcept = default;
  error& operator=(const error&) noexcept = default;
  ~error() override = default;

  /// What failed: "read", "open", "map". Valid as long as this error or a copy of it.
  const std::string& operation() const noexcept RIFFLE_LIFETIMEBOUND;
  /// The path of the input as it was given, or what it is called in messages ("standard input").
  const std::string& path() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Where in the input it failed, in bytes from its start; nothing if the failure has no place.
  std::optional<std::uint64_t> offset() const noexcept;

 private:
  struct place;
  std::shared_ptr<const place> place_;
};

}  // namespace riffle::inline v0

template <>
struct std::is_error_code_enum<riffle::errc> : std::true_type {};

#endif
