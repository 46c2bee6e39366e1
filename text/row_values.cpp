/// Counts the rows that are skipped, by what is wrong with them.
#include "text/row_values.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>

namespace riffle::text {

namespace {

struct kind {
  errc code;
  std::string_view with;
};
constexpr std::array kinds{kind{errc::wrong_field_count, "with the wrong number of fields"},
                           kind{errc::missing_field, "without the field"},
                           kind{errc::bad_value, "with a bad value"},
                           kind{errc::value_out_of_range, "with a value out of range"}};

const kind* kind_of_failure(const error& failure) {
  return std::ranges::find_if(kinds, [&](const kind& each) { return failure.code() == each.code; });
}

}  // namespace

bool bad_rows::skips(const error& failure) const {
  return skips_ && kind_of_failure(failure) != kinds.end();
}

bool bad_rows::note(const error& failure, std::uint64_t number) {
  if (!skips(failure)) return false;
  ++counts_[static_cast<std::size_t>(kind_of_failure(failure) - kinds.begin())];
  if (first_.size() < most_numbers) first_.push_back(number);
  return true;
}

void bad_rows::add(const bad_rows& split) {
  for (const std::uint64_t number : split.first_) {
    if (first_.size() < most_numbers) first_.push_back(rows_ + number);
  }
  std::ranges::transform(counts_, split.counts_, counts_.begin(), std::plus<>());
  rows_ += split.rows_;
}

void bad_rows::fail_if_any(const std::string& input) const {
  static_assert(kinds.size() == std::tuple_size_v<decltype(counts_)>);
  const std::uint64_t all = std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0});
  if (all == 0) return;
  std::string each;
  for (std::size_t i = 0; i != kinds.size(); ++i) {
    if (counts_[i] == 0) continue;
    each.append(each.empty() ? "" : ", ")
        .append(std::to_string(counts_[i]))
        .append(" ")
        .append(kinds[i].with);
  }
  std::string numbers;
  for (const std::uint64_t number : first_) numbers += (numbers.empty() ? "" : ", ") + std::to_string(number);
  const std::string rows = all == 1 ? "row" : "rows";
  throw error(errc::bad_value, "read all rows of", input, std::nullopt,
              "skipped " + std::to_string(all) + " " + rows + ": " + each + " (" +
                  (all > most_numbers ? "the first are rows" : rows) + " " + numbers + ")");
}

}  // namespace riffle::text
