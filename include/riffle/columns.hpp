/// Offers the columns of an input by their names, as values of the types that you name.
#pragma once

#include <riffle/detail/field_value.hpp>
#include <riffle/detail/record_iterator.hpp>
#include <riffle/dialect.hpp>
#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/rows.hpp>
#include <riffle/source.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <iterator>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace riffle::inline v0 {

/// Iterates over the rows of an input, once, and gives some columns of each as a tuple. `riffle::columns`
/// makes this range; it owns its source.
///
/// Each step gives a tuple, or the end, or throws `riffle::error`: as `row::get` does, and as a step of
/// `row_range` does. A row that failed is passed: the next loop continues after it.
///
/// Lifetime: a `std::string_view` stays valid until you advance to the next row or destroy the range. Moving
/// the range keeps it valid. Thread safety: one thread at a time.
template <field_value... Values>
class column_range : public detail::single_pass<column_range<Values...>, std::tuple<Values...>> {
 public:
  /// Opens an input as `riffle::columns` does.
  column_range(const input& from, std::span<const std::string_view, sizeof...(Values)> names,
               const dialect& options, const read_options& reading)
      : rows_(from, with_header(options), reading) {
    for (std::size_t i = 0; i != sizeof...(Values); ++i) columns_[i] = rows_.column(names[i]);
  }

  /// Returns the source of the rows, valid as long as this range. Throws as `row_range::from` does.
  const source& from() const { return rows_.from(); }

 private:
  friend detail::steps;
  struct cursor {
    detail::steps::cursor<row_range> at = {};
    std::tuple<Values...> record = {};
  };

  cursor resume() const { return {detail::steps::resume(rows_)}; }
  [[gnu::always_inline]] bool advance(cursor& to) const {
    if (!detail::steps::advance(rows_, to.at)) return false;
    const row from = to.at.record;  // whose address a call may take: the cursor stays in registers
    set(to.record, from, std::index_sequence_for<Values...>());
    return true;
  }
  static dialect with_header(dialect options) {
    options.header = true;
    return options;
  }
  template <std::size_t... index>
  [[gnu::always_inline]] void set(std::tuple<Values...>& values, const row& from,
                                  std::index_sequence<index...> /*all*/) const {
    ((std::get<index>(values) = from.get<Values>(columns_[index])), ...);
  }

  row_range rows_;
  std::array<std::size_t, sizeof...(Values)> columns_{};
};

/// Returns some columns of an input, one name for each type:
///
///     for (auto [item, price] : riffle::columns<std::string_view, double>("prices.csv", {"item", "price"}))
///
/// The first row is the header, whatever `options` say of it. `row::get` lists the types. Other columns are
/// not looked at: a row may lack them.
///
/// Throws `riffle::error`: `errc::no_such_column` if a name is unknown, or stands twice; as reading the
/// header does; and as `riffle::rows` does.
template <field_value... Values, std::size_t count>
  requires(sizeof...(Values) != 0)
[[nodiscard]] column_range<Values...> columns(const input& from, const std::string_view (&names)[count],
                                              const dialect& options = csv,
                                              const read_options& reading = {}) {
  static_assert(count == sizeof...(Values),
                "columns<A, B>(input, {\"a\", \"b\"}) takes one name for each type");
  return {from, std::span(names).template first<sizeof...(Values)>(), options, reading};
}
template <field_value... Values, std::size_t count, std::same_as<read_options> Options = read_options>
  requires(sizeof...(Values) != 0)
[[nodiscard]] column_range<Values...> columns(const input& from, const std::string_view (&names)[count],
                                              const Options& reading) {
  return columns<Values...>(from, names, csv, reading);
}

}  // namespace riffle::inline v0
