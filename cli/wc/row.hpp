/// A row of `riffle wc` as text.
#ifndef RIFFLE_CLI_WC_ROW_HPP
#define RIFFLE_CLI_WC_ROW_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/wc/count.hpp"

namespace riffle::cli {

/// The numbers of a row, in the order of the columns.
using wc_numbers = std::array<std::uint64_t, 5>;
/// Which of them are printed.
using wc_columns = std::array<bool, 5>;

wc_numbers numbers_of(const counts& counted);
wc_columns columns_of(const wanted& what);

/// Returns how many digits a number has.
std::size_t digits_in(std::uint64_t number);

/// Appends a row, with its end. A number takes `width` characters at least. Without a `name` there is none.
void append_row(std::string& rows, const wc_numbers& row, const wc_columns& columns, std::size_t width,
                std::string_view name);

}  // namespace riffle::cli

#endif
