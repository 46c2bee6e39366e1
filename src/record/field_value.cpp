/// Turns the text of fields into numbers and times.
#include <riffle/detail/field_value.hpp>

#include "record/decimal.hpp"

namespace riffle::inline v0::detail {

namespace {

/// Takes a time from its front to its end.
class time_text {
 public:
  explicit time_text(std::string_view text) noexcept : rest_(text) {}

  bool ended() const noexcept { return rest_.empty(); }
  bool take(char c) noexcept {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // So many digits, whose number is at most `most`.
  bool take(std::size_t digits, unsigned most, unsigned& number) noexcept {
    std::string_view all = rest_.substr(0, digits);
    const leading_digits found = take_digits(all);
    rest_.remove_prefix(found.count);
    number = static_cast<unsigned>(found.number);
    return found.count == digits && found.number <= most;
  }
  bool take_date(std::chrono::sys_days& days) noexcept {
    unsigned year = 0;
    unsigned month = 0;
    unsigned day = 0;
    if (!(take(4, 9999, year) && take('-') && take(2, 12, month) && take('-') && take(2, 31, day)))
      return false;
    const std::chrono::year_month_day date(std::chrono::year(static_cast<int>(year)),
                                           std::chrono::month(month), std::chrono::day(day));
    days = date;
    return date.ok();
  }
  bool take_hours(unsigned most, std::chrono::minutes& time) noexcept {
    unsigned hour = 0;
    const bool taken = take(2, most, hour);
    time = std::chrono::hours(hour);
    return taken;
  }
  bool take_minutes(std::chrono::minutes& time) noexcept {
    unsigned minute = 0;
    const bool taken = take(2, 59, minute);
    time += std::chrono::minutes(minute);
    return taken;
  }
  // `hh`, `hhmm` or `hh:mm`.
  bool take_zone(std::chrono::minutes& zone) noexcept {
    return take_hours(23, zone) && (ended() || ((take(':') || !ended()) && take_minutes(zone)));
  }
  // Digits after the ninth are dropped.
  bool take_fraction(std::chrono::nanoseconds& fraction) noexcept {
    const std::size_t before = rest_.size();
    std::int64_t unit = 1'000'000'000;
    for (unsigned digit = 0; take(1, 9, digit);) {
      unit /= 10;
      fraction += std::chrono::nanoseconds(unit * digit);
    }
    return rest_.size() != before;
  }

 private:
  std::string_view rest_;
};

}  // namespace

conversion<double> to_double(std::string_view text) {
  return to_number<double>(text);
}

conversion<float> to_float(std::string_view text) {
  return to_number<float>(text);
}

conversion<instant> to_instant(std::string_view text) noexcept {
  time_text at(text);
  std::chrono::sys_days day;
  std::chrono::minutes minutes{};
  std::chrono::minutes zone{};
  std::chrono::nanoseconds fraction{};
  unsigned seconds = 0;
  if (!at.take_date(day)) return {};
  if (at.take('T') || at.take('t') || at.take(' ')) {
    if (!(at.take_hours(24, minutes) && at.take(':') && at.take_minutes(minutes))) return {};
    if (at.take(':')) {
      if (!at.take(2, 60, seconds)) return {};
      if ((at.take('.') || at.take(',')) && !at.take_fraction(fraction)) return {};
    }
    // Only midnight is an hour 24.
    if (minutes >= std::chrono::days(1) &&
        (minutes + std::chrono::seconds(seconds) + fraction) != std::chrono::days(1))
      return {};
  }
  if (at.take('+')) {
    if (!at.take_zone(zone)) return {};
  } else if (at.take('-')) {
    if (!at.take_zone(zone)) return {};
    zone = -zone;
  } else if (!at.take('Z')) {
    at.take('z');
  }
  if (!at.ended()) return {};
  return {{day.time_since_epoch() + minutes - zone + std::chrono::seconds(seconds), fraction}, outcome::done};
}

}  // namespace riffle::inline v0::detail
