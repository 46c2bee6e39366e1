/// Builds the messages of `riffle::error` and of its codes, and returns the version of the compiled library.
#include <riffle/error.hpp>
#include <riffle/version.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <utility>

#define RIFFLE_TEXT_OF(number) #number
#define RIFFLE_TEXT(number) RIFFLE_TEXT_OF(number)

namespace riffle::inline v0 {

namespace {

class category final : public std::error_category {
 public:
  const char* name() const noexcept override { return "riffle"; }
  std::error_condition default_error_condition(int code) const noexcept override {
    switch (static_cast<errc>(code)) {
      case errc::method_unavailable:
        return std::errc::operation_not_supported;
      case errc::partial_value:
      case errc::unexpected_end:
      case errc::bad_quoting:
      case errc::missing_field:
      case errc::wrong_field_count:
      case errc::bad_value:
      case errc::bad_compression:
        return std::errc::bad_message;
      case errc::record_too_long:
        return std::errc::message_size;
      case errc::truncated:
      case errc::changed:
        return std::errc::io_error;
      case errc::sum_overflow:
      case errc::value_out_of_range:
        return std::errc::value_too_large;
      case errc::invalid_argument:
      case errc::no_such_column:
        return std::errc::invalid_argument;
      case errc::too_large:
        return std::errc::file_too_large;
    }
    return {code, *this};
  }
  std::string message(int code) const override {
    switch (static_cast<errc>(code)) {
      case errc::method_unavailable:
        return "the method is not available";
      case errc::partial_value:
        return "the input ends inside a value";
      case errc::unexpected_end:
        return "unexpected end of the input";
      case errc::record_too_long:
        return "the record is longer than the limit";
      case errc::truncated:
        return "the file shrank while it was read";
      case errc::changed:
        return "the file changed while it was in use; read it again";
      case errc::sum_overflow:
        return "the sum does not fit its type";
      case errc::invalid_argument:
        return "invalid argument";
      case errc::bad_quoting:
        return "malformed quoting";
      case errc::missing_field:
        return "missing field";
      case errc::bad_value:
        return "bad value";
      case errc::value_out_of_range:
        return "the value is out of range";
      case errc::no_such_column:
        return "no such column";
      case errc::bad_compression:
        return "the compressed bytes are damaged";
      case errc::too_large:
        return "too large";
      case errc::wrong_field_count:
        return "wrong number of fields";
    }
    return "unknown error";
  }
};

constinit const category instance;

// what() ends at a NUL byte, so none is in the text.
std::string without_zeros(std::string text) {
  std::ranges::replace(text, '\0', '?');
  return text;
}

std::string describe(std::string_view operation, std::string_view path, std::optional<std::uint64_t> offset,
                     std::optional<std::uint64_t> compressed_offset) {
  std::string text("cannot ");
  text.append(operation).append(" '").append(path).append("'");
  if (offset) text.append(" at byte ").append(std::to_string(*offset));
  if (compressed_offset)
    text.append(" (compressed byte ").append(std::to_string(*compressed_offset)).append(")");
  return without_zeros(std::move(text));
}

// These codes only say that a detail follows.
bool says_nothing(const std::error_code& code) {
  constexpr std::array codes{errc::method_unavailable, errc::invalid_argument, errc::bad_value,
                             errc::value_out_of_range, errc::no_such_column,   errc::too_large,
                             errc::wrong_field_count};
  return std::ranges::any_of(codes, [&](errc each) { return code == each; });
}

std::string with_cause(std::string text, const std::error_code& code, std::string_view detail) {
  const bool alone = says_nothing(code) && !detail.empty();
  if (!alone) text.append(": ").append(code.message());
  if (!detail.empty()) text.append(alone ? ": " : "; ").append(detail);
  return without_zeros(std::move(text));
}

// Returns the remedy in the words of C++.
std::string in_words(const remedy& of) {
  switch (of.what) {
    case advice::none:
      break;
    case advice::use_method:
      return of.value.empty() ? "use another method" : "use method::" + std::string(of.value);
    case advice::use_decoding:
      return "use decoding::" + std::string(of.value);
    case advice::use_blocks:
      return "read it with riffle::blocks or another method";
    case advice::smaller_block_size:
      return "use a smaller block_size";
    case advice::set_max_length:
      return "set max_length to refuse a record this long";
    case advice::larger_max_length:
      return "use a larger max_length";
    case advice::larger_max_size:
      return "use a larger max_size";
    case advice::larger_split_size:
      return "use a larger split_size";
    case advice::fewer_threads:
      return "use fewer threads";
    case advice::name_null:
      return "if it stands for no value, name it in dialect::null and ask for a std::optional";
    case advice::one_decode_thread:
      return "open it again, or set decode_threads to 1";
    case advice::fewer_bytes:
      return "take fewer bytes at a time";
  }
  return {};
}

}  // namespace

const std::error_category& riffle_category() noexcept {
  return instance;
}

std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), riffle_category()};
}

struct error::place {
  mutable std::atomic<std::size_t> copies;  // that have it, so that none is made when an error is copied
  std::string operation;
  std::string path;
  std::optional<std::uint64_t> offset;
  std::optional<std::uint64_t> compressed_offset;
  std::string detail;
  std::string message;
  riffle::remedy helps;
};

error::error(std::error_code code, std::string_view operation, std::string_view path,
             std::optional<std::uint64_t> offset, std::string_view detail, riffle::remedy helps,
             std::optional<std::uint64_t> compressed_offset)
    : std::system_error(code) {
  std::unique_ptr<const place> made(
      new place{1, std::string(operation), std::string(path), offset, compressed_offset, std::string(detail),
                with_cause(describe(operation, path, offset, compressed_offset), code, detail), helps});
  // std::system_error can only end in the text of its code.
  const std::string words = in_words(helps);
  static_cast<std::runtime_error&>(*this) =
      std::runtime_error(words.empty() ? made->message : made->message + "; " + words);
  place_ = made.release();
}
error::error(const error& other) noexcept : std::system_error(other), place_(other.place_) {
  place_->copies.fetch_add(1, std::memory_order_relaxed);
}
error& error::operator=(const error& other) noexcept {
  error copy(other);
  std::system_error::operator=(other);
  std::swap(place_, copy.place_);
  return *this;
}
error::~error() {
  if (place_->copies.fetch_sub(1, std::memory_order_acq_rel) == 1) delete place_;
}

const std::string& error::operation() const noexcept {
  return place_->operation;
}
const std::string& error::path() const noexcept {
  return place_->path;
}
std::optional<std::uint64_t> error::offset() const noexcept {
  return place_->offset;
}
std::optional<std::uint64_t> error::compressed_offset() const noexcept {
  return place_->compressed_offset;
}
const std::string& error::detail() const noexcept {
  return place_->detail;
}
const std::string& error::message() const noexcept {
  return place_->message;
}
const riffle::remedy& error::remedy() const noexcept {
  return place_->helps;
}

std::string_view version() noexcept {
  return RIFFLE_TEXT(RIFFLE_VERSION_MAJOR) "." RIFFLE_TEXT(RIFFLE_VERSION_MINOR) "." RIFFLE_TEXT(
      RIFFLE_VERSION_PATCH);
}

}  // namespace riffle::inline v0
