/// Makes columns of fields: of numbers, times and decimals, in which an empty field is null, and of text.
/// Texts of `dialect::null` are null.
#include <riffle/error.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <ratio>
#include <type_traits>
#include <utility>

#include "bindings/python/native/arrow/columns.hpp"
#include "os/growing_array.hpp"
#include "record/decimal.hpp"

namespace riffle::python::arrow {

namespace {

__extension__ using wide = unsigned __int128;

/// Holds the value of a decimal text: `digits` times a power of ten.
struct decimal_number {
  wide digits = 0;
  int power = 0;
  bool negative = false;
};

/// Returns false if the product does not fit.
bool times_ten(wide& number, int times) {
  for (; times > 0; --times) {
    if (__builtin_mul_overflow(number, 10U, &number)) return false;
  }
  return true;
}

}  // namespace

}  // namespace riffle::python::arrow

namespace riffle::inline v0::detail {

template <>
struct field_traits<python::arrow::decimal_number> {
  static constexpr std::string_view name = "decimal";
  static conversion<python::arrow::decimal_number> convert(std::string_view text) {
    python::arrow::decimal_number found{.negative = take_sign(text)};
    std::string_view rest = text;
    leading_digits all = take_digits(rest);
    std::size_t count = all.count;
    if (rest.starts_with('.')) {
      rest.remove_prefix(1);
      all = take_digits(rest, all.number);
      found.power = -static_cast<int>(all.count);
      count += all.count;
    }
    const std::string_view digits = text.substr(0, text.size() - rest.size());
    const char* end = rest.data();
    found.power += take_power(end, rest.data() + rest.size());
    if (count == 0 || end != rest.data() + rest.size()) return {};
    found.digits = all.number;
    const bool fits = count <= 19 || take_many(digits, found);
    return {found, fits ? outcome::done : outcome::out_of_range};
  }

 private:
  // Returns false if they do not fit. Zeros at either end always do.
  static bool take_many(std::string_view digits, python::arrow::decimal_number& to) {
    int zeros = 0;
    to.digits = 0;
    for (const char c : digits) {
      if (c == '.') continue;
      if (c == '0') {
        ++zeros;
        continue;
      }
      if (!python::arrow::times_ten(to.digits, to.digits == 0 ? 1 : zeros + 1)) return false;
      if (__builtin_add_overflow(to.digits, static_cast<unsigned>(c - '0'), &to.digits)) return false;
      zeros = 0;
    }
    to.power += zeros;
    return true;
  }
};

}  // namespace riffle::inline v0::detail

namespace riffle::python::arrow {

namespace {

/// Returns a buffer of these elements.
template <class T>
buffer buffer_of(os::growing_array<T> from) {
  from.shrink();
  const auto held = std::make_shared<os::growing_array<T>>(std::move(from));
  return {held, held->data()};
}

/// Returns one bit for each of these: whether it is true.
buffer bits_of(const os::growing_array<bool>& from) {
  os::growing_array<unsigned char> bits;
  bits.resize((from.size() + 7) / 8);
  std::fill_n(bits.data(), bits.size(), static_cast<unsigned char>(0));
  for (std::size_t i = 0; i != from.size(); ++i) {
    bits.data()[i / 8] |= static_cast<unsigned char>(unsigned{from.data()[i]} << i % 8);
  }
  return buffer_of(std::move(bits));
}

/// The rows of a column that have no value.
class null_rows {
 public:
  void add(std::size_t row) { rows_.push_back(row); }
  /// Drops those from `row` on.
  void take_back(std::size_t row) {
    while (rows_.size() != 0 && rows_.data()[rows_.size() - 1] >= row) rows_.resize(rows_.size() - 1);
  }
  /// The column of `size` rows with these buffers of its values.
  template <class... Buffers>
  column_values column(std::size_t size, Buffers... buffers) const {
    return {static_cast<std::int64_t>(rows_.size()), {valid_bits(size), std::move(buffers)...}};
  }

 private:
  buffer valid_bits(std::size_t size) const {
    if (rows_.size() == 0) return nullptr;
    os::growing_array<unsigned char> bits;
    bits.resize((size + 7) / 8);
    std::fill_n(bits.data(), bits.size(), static_cast<unsigned char>(0xFF));
    for (std::size_t i = 0; i != rows_.size(); ++i) {
      const std::size_t row = rows_.data()[i];
      bits.data()[row / 8] &= static_cast<unsigned char>(~(1U << row % 8));
    }
    return buffer_of(std::move(bits));
  }

  os::growing_array<std::size_t> rows_;
};

/// Makes values of a size that is fixed.
template <class T>
class value_builder : public column_builder {
 public:
  void take_back(std::size_t rows) final {
    values_.resize(rows);
    nulls_.take_back(rows);
  }
  column_values finish() final {
    const std::size_t size = values_.size();
    if constexpr (std::is_same_v<T, bool>) return nulls_.column(size, bits_of(values_));
    return nulls_.column(size, buffer_of(std::move(values_)));
  }

 protected:
  void put(const std::optional<T>& value) {
    if (!value) nulls_.add(values_.size());
    values_.push_back(value.value_or(T{}));
  }

 private:
  os::growing_array<T> values_;
  null_rows nulls_;
};

/// Makes numbers, and times of so many ticks since 1970.
template <class T>
class number_builder final : public value_builder<T> {
 public:
  void add(const row& from, std::size_t field) override { this->put(from.get<std::optional<T>>(field)); }
};

class decimal_builder final : public value_builder<wide> {
 public:
  explicit decimal_builder(column_type type) : type_(std::move(type)) { times_ten(most_, type_.precision); }

  void add(const row& from, std::size_t field) override {
    const std::optional<decimal_number> found = from.get<std::optional<decimal_number>>(field);
    if (!found) return put(std::nullopt);
    wide value = found->digits;
    int shift = found->power + type_.scale;
    for (; shift < 0 && value % 10 == 0 && value != 0; ++shift) value /= 10;
    const bool fits = value == 0 || (shift >= 0 && times_ten(value, shift) && value < most_);
    if (!fits) detail::row_access::state(from).fail_value(field, from.unescaped(field), type_.name, true);
    put(found->negative ? 0 - value : value);
  }

 private:
  column_type type_;
  wide most_ = 1;
};

bool is_ascii(std::string_view text) noexcept {
  std::uint64_t all = 0;
  for (; text.size() >= sizeof all; text.remove_prefix(sizeof all)) {
    std::uint64_t some = 0;
    std::memcpy(&some, text.data(), sizeof some);
    all |= some;
  }
  for (const char c : text) all |= static_cast<unsigned char>(c);
  return (all & 0x8080808080808080U) == 0;
}

template <bool is_utf8>
class text_builder final : public column_builder {
 public:
  text_builder() { ends_.push_back(0); }

  void add(const row& from, std::size_t field) override {
    const bool is_null = from.is_null(field);
    const std::string_view text = is_null ? std::string_view() : from.unescaped(field);
    if (is_null) nulls_.add(ends_.size() - 1);
    const detail::row_state& in = detail::row_access::state(from);
    if (text.size() > std::numeric_limits<std::int32_t>::max() - bytes_.size()) {
      throw error(errc::record_too_long, "read", std::string(in.name), from.offset(),
                  "the fields of a batch of " + in.place(field) + " take 2 GiB");
    }
    if (is_utf8 && !is_ascii(text) && scan::find_invalid_utf8(text) < text.size()) {
      const auto place = static_cast<std::uint64_t>(from[field].data() - from[0].data());
      throw error(errc::bad_value, "read", std::string(in.name), from.offset() + place,
                  in.place(field) + " of row " + std::to_string(in.number_in_input()) +
                      " is not UTF-8; use \"bytes\"");
    }
    bytes_.append({text.data(), text.size()});
    ends_.push_back(static_cast<std::int32_t>(bytes_.size()));
  }
  void take_back(std::size_t rows) override {
    ends_.resize(rows + 1);
    bytes_.resize(static_cast<std::size_t>(ends_.data()[rows]));
    nulls_.take_back(rows);
  }
  column_values finish() override {
    const std::size_t size = ends_.size() - 1;
    return nulls_.column(size, buffer_of(std::move(ends_)), buffer_of(std::move(bytes_)));
  }

 private:
  os::growing_array<char> bytes_;
  os::growing_array<std::int32_t> ends_;  // with a 0 before the first
  null_rows nulls_;
};

using maker = column_type::maker;

template <class T>
constexpr maker make_number = [](const column_type&) -> std::unique_ptr<column_builder> {
  return std::make_unique<number_builder<T>>();
};
template <class Period>
constexpr maker make_time = make_number<std::chrono::sys_time<std::chrono::duration<std::int64_t, Period>>>;
template <bool is_utf8>
constexpr maker make_text = [](const column_type&) -> std::unique_ptr<column_builder> {
  return std::make_unique<text_builder<is_utf8>>();
};
constexpr maker make_decimal = [](const column_type& type) -> std::unique_ptr<column_builder> {
  return std::make_unique<decimal_builder>(type);
};

using date = std::chrono::sys_time<std::chrono::duration<std::int32_t, std::chrono::days::period>>;

struct plain_type {
  std::string_view name;
  std::string_view long_name;   // as NumPy has it
  std::string_view other_name;  // as Arrow or polars has it
  const char* format;
  maker make;
};
constexpr std::array<plain_type, 14> plain_types{
    {{"f64", "float64", "double", "g", make_number<double>},
     {"f32", "float32", "float32", "f", make_number<float>},
     {"i64", "int64", "int64", "l", make_number<std::int64_t>},
     {"i32", "int32", "int32", "i", make_number<std::int32_t>},
     {"i16", "int16", "int16", "s", make_number<std::int16_t>},
     {"i8", "int8", "int8", "c", make_number<std::int8_t>},
     {"u64", "uint64", "uint64", "L", make_number<std::uint64_t>},
     {"u32", "uint32", "uint32", "I", make_number<std::uint32_t>},
     {"u16", "uint16", "uint16", "S", make_number<std::uint16_t>},
     {"u8", "uint8", "uint8", "C", make_number<std::uint8_t>},
     {"bool", "boolean", "bool_", "b", make_number<bool>},
     {"date", "date32", "date32[day]", "tdD", make_number<date>},
     {"str", "string", "utf8", "u", make_text<true>},
     {"bytes", "binary", "binary", "z", make_text<false>}}};

struct time_unit {
  std::string_view name;
  const char* format;
  maker make;
};
constexpr std::array<time_unit, 4> time_units{{{"s", "tss:", make_time<std::ratio<1>>},
                                               {"ms", "tsm:", make_time<std::milli>},
                                               {"us", "tsu:", make_time<std::micro>},
                                               {"ns", "tsn:", make_time<std::nano>}}};

/// Returns the texts in the brackets of a type: `us` and `UTC` of `[us, tz=UTC]` and of
/// `(time_unit='us', time_zone='UTC')`.
std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> found;
  while (!text.empty()) {
    std::string_view each = text.substr(0, text.find(','));
    text.remove_prefix(std::min(each.size() + 1, text.size()));
    each.remove_prefix(each.find('=') + 1);  // npos is before the first
    while (each.starts_with(' ') || each.starts_with('\'')) each.remove_prefix(1);
    while (each.ends_with(' ') || each.ends_with('\'')) each.remove_suffix(1);
    found.push_back(each);
  }
  return found;
}

std::optional<column_type> time_type(const std::vector<std::string_view>& arguments) {
  const std::string_view unit = arguments.empty() ? "us" : arguments[0];
  const std::string zone(arguments.size() < 2 || arguments[1] == "None" ? "" : arguments[1]);
  const auto* const found = std::ranges::find(time_units, unit, &time_unit::name);
  if (found == time_units.end() || arguments.size() > 2) return std::nullopt;
  const std::string of_zone = zone.empty() ? "" : ", " + zone;
  return column_type{"timestamp[" + std::string(unit) + of_zone + "]", found->format + zone, found->make};
}

std::optional<column_type> decimal_type(const std::vector<std::string_view>& arguments) {
  int numbers[] = {0, 0};
  if (arguments.empty() || arguments.size() > std::size(numbers)) return std::nullopt;
  for (std::size_t i = 0; i != arguments.size(); ++i) {
    const char* const last = arguments[i].data() + arguments[i].size();
    const auto [end, failure] = std::from_chars(arguments[i].data(), last, numbers[i]);
    if (end != last || failure != std::errc() || numbers[i] < 0 || numbers[i] > 38) return std::nullopt;
  }
  const auto [precision, scale] = numbers;
  if (precision == 0) return std::nullopt;
  const std::string both = std::to_string(precision) + ", " + std::to_string(scale);
  const std::string format = "d:" + std::to_string(precision) + "," + std::to_string(scale);
  return column_type{"decimal(" + both + ")", format, make_decimal, precision, scale};
}

}  // namespace

std::optional<column_type> column_type_named(std::string_view name) {
  const std::size_t open = std::min(name.find_first_of("[("), name.size());
  const auto lower = [](std::string_view text) {
    std::string made(text);
    std::ranges::transform(made, made.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return made;
  };
  const std::string word = lower(name.substr(0, open));
  const bool has_arguments = open != name.size() && (name.ends_with(']') || name.ends_with(')'));
  const std::vector<std::string_view> arguments =
      has_arguments ? arguments_of(name.substr(open + 1, name.size() - open - 2))
                    : std::vector<std::string_view>();
  if (has_arguments || open == name.size()) {
    if (word == "timestamp" || word == "datetime" || word == "datetime64") return time_type(arguments);
    if (word == "decimal" || word == "decimal128") return decimal_type(arguments);
  }
  const std::string all = lower(name);
  const auto* const found = std::ranges::find_if(plain_types, [&all](const plain_type& type) {
    return all == type.name || all == type.long_name || all == type.other_name;
  });
  if (found == plain_types.end()) return std::nullopt;
  return column_type{std::string(found->name), found->format, found->make};
}

std::string column_type_names() {
  std::string names;
  for (const plain_type& each : plain_types) names.append(each.name).append(", ");
  return names + "timestamp[us], timestamp[us, UTC], decimal(10, 2)";
}

}  // namespace riffle::python::arrow
