/// Any text is the same number with std::from_chars and without it, and each type takes what it writes.
#include <riffle/rows.hpp>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>

#include "fuzz/delivery.hpp"
#include "record/decimal.hpp"

namespace riffle::fuzz {
namespace {

using detail::outcome;

template <class T>
void check_float(std::string_view text) {
  const auto by_library = detail::to_number<T, true>(text);
  const auto without = detail::to_number<T, false>(text);
  if (text.find('(') != std::string_view::npos) return;  // nan(text) is one by std::from_chars
  require(by_library.result == without.result, "a text is a number by both ways or by none");
  if (without.result != outcome::done) return;
  const bool same =
      by_library.value == without.value || (std::isnan(by_library.value) && std::isnan(without.value));
  require(same, "the number is the same");
}

void check_time(std::string_view text) {
  const auto found = detail::to_instant(text);
  if (found.result != outcome::done) return;
  const auto seconds = found.value.seconds.count();
  require(found.value.fraction.count() >= 0 && found.value.fraction < std::chrono::seconds(1),
          "a fraction is one");
  require(seconds > -62168000000 && seconds < 253403000000, "a time is of the years 0 to 9999");
}

template <class T>
void check_integer(std::string_view text) {
  const auto found = detail::field_traits<T>::convert(text);
  if (found.result != outcome::done) return;
  const auto again = detail::field_traits<T>::convert(std::to_string(found.value));
  require(again.result == outcome::done && again.value == found.value, "an integer is what it writes");
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  riffle::fuzz::check_float<double>(text);
  riffle::fuzz::check_float<float>(text);
  riffle::fuzz::check_time(text);
  riffle::fuzz::check_integer<std::int8_t>(text);
  riffle::fuzz::check_integer<std::uint64_t>(text);
  return 0;
}
