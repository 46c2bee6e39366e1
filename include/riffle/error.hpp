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

namespace riffle {

/// The failures that no operating system reports. `error::code()` holds one of these or an `errno` value.
enum class errc {
  method_unavailable = 1,  ///< the method asked for by name cannot be used; the message says why
  partial_value,           ///< the input ends inside a value
  unexpected_end,          ///< the input ends before what was asked for
  record_too_long,         ///< a record exceeds `max_length`
  truncated,               ///< the file shrank while it was read
  sum_overflow,            ///< a sum does not fit its type
  invalid_argument         ///< an option that makes no sense; the message says which
};

RIFFLE_API const std::error_category& riffle_category() noexcept;
RIFFLE_API std::error_code make_error_code(errc code) noexcept;

/// What every failing function of riffle throws.
///
/// `what()` reads "cannot read 'access.log' at byte 4096: Input/output error", with the remedy where there is
/// one. Copying never throws.
class RIFFLE_API error : public std::system_error {
 public:
  /// `operation` completes "cannot ...": "read", "open", "map". `detail`, if any, ends the message.
  error(std::error_code code, std::string_view operation, std::string_view path,
        std::optional<std::uint64_t> offset = std::nullopt, std::string_view detail = {});

  /// What failed: "read", "open", "map". Valid as long as this error or a copy of it.
  const std::string& operation() const noexcept;
  /// The path of the input as it was given, or what it is called in messages ("standard input").
  const std::string& path() const noexcept;
  /// Where in the input it failed, in bytes from its start; nothing when the failure has no place.
  std::optional<std::uint64_t> offset() const noexcept;

 private:
  struct place;
  std::shared_ptr<const place> place_;
};

}  // namespace riffle

template <>
struct std::is_error_code_enum<riffle::errc> : std::true_type {};

#endif
