/// The text of a field becomes a value of each type, or an error that names row, column, offset and text.
#include <riffle/rows.hpp>

#include <bit>
#include <cmath>
#include <locale>

#include "record/decimal.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using namespace std::chrono_literals;
using detail::outcome;
using nanoseconds = std::chrono::sys_time<std::chrono::nanoseconds>;
using milliseconds = std::chrono::sys_time<std::chrono::milliseconds>;

// The value of a field of its row, or nothing if that is an error of the code.
template <class T>
std::optional<T> value_of(const std::string& text, errc code) {
  std::optional<T> found;
  for (const row each : rows(memory(text), {.separator = ';'})) {
    const auto failure = error_of([&] { found = each.get<T>(0); });
    EXPECT_EQ(failure.has_value(), !found) << text;
    if (failure) {
      EXPECT_EQ(failure->code(), code) << text;
    }
  }
  return found;
}

template <class T>
struct value_case {
  std::string text;
  std::optional<T> value;
  errc code = errc::bad_value;
};

template <class T>
void expect(std::vector<value_case<T>> cases, const std::vector<std::string>& bad = {}) {
  for (const std::string& text : bad) cases.push_back({text, {}});
  for (const auto& each : cases) {
    EXPECT_EQ(value_of<T>(each.text, each.code), each.value) << each.text;
    // The same between quotes, and as an optional.
    if (each.text.empty()) continue;
    EXPECT_EQ(value_of<T>("\"" + each.text + "\"", each.code), each.value) << each.text;
    if (each.value) {
      EXPECT_EQ(value_of<std::optional<T>>(each.text, each.code).value(), each.value) << each.text;
    }
  }
  EXPECT_FALSE(value_of<std::optional<T>>(";", {}).value().has_value()) << "an empty field";
  EXPECT_FALSE(value_of<std::optional<T>>("\"\"", {}).value().has_value());
}

TEST(field_values, are_integers) {
  const errc large = errc::value_out_of_range;
  expect<std::int32_t>(
      {{"0", 0},
       {"-0", 0},
       {"+12", 12},
       {"007", 7},
       {"2147483647", 2147483647},
       {"-2147483648", std::numeric_limits<std::int32_t>::min()},
       {"2147483648", {}, large},
       {"-99999999999999999999", {}, large}},
      {"", "+", "-", "+-1", "++1", "--1", " 1", "1 ", "1.0", "1,5", "0x1", "99999999999999999999x"});
  expect<std::uint8_t>({{"255", 255}, {"+1", 1}, {"256", {}, large}, {"-1", {}}, {"a", {}}});
  expect<std::int8_t>({{"-128", -128}, {"128", {}, large}});
  expect<std::uint64_t>(
      {{"18446744073709551615", 18446744073709551615U}, {"18446744073709551616", {}, large}});
  expect<long long>({{"-9223372036854775808", std::numeric_limits<long long>::min()}});
}

TEST(field_values, are_truth_values) {
  std::vector<value_case<bool>> cases;
  for (const char* const text : {"true", "True", "TRUE", "1"}) cases.push_back({text, true});
  for (const char* const text : {"false", "False", "FALSE", "0"}) cases.push_back({text, false});
  expect<bool>(cases, {"tRUE", "TrUE", "fALSE", "T", "yes", "2", "+1", ""});
}

TEST(field_values, are_texts) {
  for (const row each : rows(memory("\"a \"\"b\"\"\";c;\n"), {.separator = ';'})) {
    EXPECT_EQ(each.get<std::string_view>(0), "a \"b\"");
    EXPECT_EQ(each.get<std::string_view>(1), "c");
    EXPECT_EQ(each.get<std::string_view>(2), "");
    EXPECT_EQ(each.get<std::optional<std::string_view>>(1).value(), "c");
    EXPECT_FALSE(each.get<std::optional<std::string_view>>(2).has_value());
  }
}

TEST(field_values, are_times) {
  using std::chrono::sys_days;
  using std::chrono::sys_seconds;
  const sys_seconds noon = sys_days(2026y / 11 / 26) + 12h + 34min + 56s;
  const std::vector<std::string> no_times = naive_fields(
      "2023-02-29|2026-13-01|2026-00-01|2026-11-31|2026-11-00|2026-11-26T12:60:00|"
      "2026-11-26T24:00:01|2026-11-26T24:01|2026-11-26T24:00:60|2026-11-26T24:00:00.1|2026-11-26T25:00|"
      "2026-11-26T12:34:61|2026-11-26T12|2026-11-26T12:|2026-11-26T12:3|2026-11-26T12:34.5|2026-11-26T12:34:|"
      "2026-11-26T12:34:5|2026-11-26T12:34:56.|2026-11-26T12:34:56,|2026-11-26T12:34:56,5.5|"
      "2026-11-26T12:34:56+24:00|2026-11-26T12:34:56+24|2026-11-26T12:34:56+1|2026-11-26T12:34:56+|"
      "2026-11-26T12:34:56+010|2026-11-26T12:34:56+01:|2026-11-26T12:34:56+01:0|2026-11-26T12:34:56+0160|"
      "2026-11-26T12:34:56+01000|2026-11-26T12:34:56+01Z|2026-11-26T12:34:56ZZ|2026-11-26T12:34:56zZ|"
      "2026-11-26T12:34:56 Z|2026-11-26tt12:34:56|2026-11-26T|2026-11-2|26-11-26|+2026-11-26|2026/11/26|"
      "2026-11-26x|",
      '|');
  expect<sys_seconds>({{"1970-01-01", sys_seconds(0s)},
                       {"2026-11-26Z", sys_days(2026y / 11 / 26)},
                       {"2026-11-26T12:34:56", noon},
                       {"2026-11-26 12:34:56Z", noon},
                       {"2026-11-26T12:34:56+00:00", noon},
                       {"2026-11-26T14:04:56+01:30", noon},
                       {"2026-11-26T00:34:56-12:00", noon},
                       {"2026-11-26t13:34:56+01", noon},
                       {"2026-11-26T14:04:56+0130", noon},
                       {"2026-11-26T00:34:56-12", noon},
                       {"2026-11-26T12:34:56z", noon},
                       {"2026-11-26 12:34", noon - 56s},
                       {"2026-11-26T12:34Z", noon - 56s},
                       {"2026-11-26T12:34-0030", noon - 56s + 30min},
                       {"2026-11-26T12:34:60", noon + 4s},
                       {"2016-12-31T23:59:60Z", sys_days(2017y / 1 / 1)},
                       {"2026-11-26T24:00:00", sys_days(2026y / 11 / 27)},
                       {"2026-12-31 24:00", sys_days(2027y / 1 / 1)},
                       {"2026-11-26T24:00:00.000+01", sys_days(2026y / 11 / 26) + 23h},
                       {"2026-11-26T12:34:56,999", noon},
                       {"2026-11-26T12:34:56.999999999999", noon},
                       {"1969-12-31T23:59:59.5", sys_seconds(-1s)},
                       {"0000-01-01", sys_days(0y / 1 / 1)},
                       {"9999-12-31T23:59:59-23:59", sys_days(9999y / 12 / 31) + 47h + 58min + 59s}},
                      no_times);
  expect<milliseconds>({{"2026-11-26T12:34:56.7899", noon + 789ms},
                        {"2026-11-26T12:34:56,5", noon + 500ms},
                        {"2026-11-26T12:34:60.5", noon + 4500ms},
                        {"1969-12-31T23:59:59.5", milliseconds(-500ms)}});
  expect<nanoseconds>({{"2026-11-26T12:34:56.000000001", noon + 1ns},
                       {"2262-04-12", {}, errc::value_out_of_range},
                       {"1677-09-21", {}, errc::value_out_of_range}});
  expect<sys_days>({{"2026-11-26T12:34:56", sys_days(2026y / 11 / 26)},
                    {"1969-12-31T12:00:00", sys_days(1969y / 12 / 31)}});
}

template <class Rep, class Period = std::ratio<1>>
using ticks = std::chrono::sys_time<std::chrono::duration<Rep, Period>>;

template <class Time>
struct end_case {
  std::string text;
  std::optional<typename Time::rep> count;  // none: it does not fit
};

// The first and the last tick, and one tick past each.
template <class Time>
void expect_ends(const std::vector<end_case<Time>>& ends) {
  std::vector<value_case<Time>> cases;
  for (const end_case<Time>& each : ends) {
    value_case<Time> of{each.text, {}, errc::value_out_of_range};
    if (each.count) of.value = Time(typename Time::duration(*each.count));
    cases.push_back(of);
  }
  expect<Time>(cases);
}

TEST(field_values, are_times_up_to_both_ends_of_their_type) {
  constexpr auto least = std::numeric_limits<std::int64_t>::min();
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  expect_ends<nanoseconds>({{"1677-09-21T00:12:43.145224191", {}},
                            {"1677-09-21T00:12:43.145224192", least},
                            {"1677-09-21T00:12:43.145224193", least + 1},
                            {"1677-09-21T00:12:44.5", -9'223'372'035'500'000'000},
                            {"2262-04-11 23:47:16", 9'223'372'036'000'000'000},
                            {"2262-04-12T01:47:16.854775807+02:00", most},
                            {"2262-04-11T23:47:16.854775808", {}}});
  expect_ends<ticks<std::uint64_t, std::nano>>(
      {{"1969-12-31T23:59:59.999999999", {}},
       {"1970-01-01", 0},
       {"2554-07-21T23:34:33.709551615", std::numeric_limits<std::uint64_t>::max()},
       {"2554-07-21T23:34:33.709551616", {}}});
  expect_ends<ticks<std::int64_t, std::pico>>({{"1969-09-16T05:57:07.963145224", {}},
                                               {"1969-09-16T05:57:07.963145225", least + 808},
                                               {"1970-04-17T18:02:52.036854775", most - 807},
                                               {"1970-04-17T18:02:52.036854776", {}}});
  expect_ends<ticks<std::int64_t, std::micro>>(
      {{"0000-01-01", -62'167'219'200'000'000}, {"9999-12-31T23:59:59.9999999", 253'402'300'799'999'999}});
  expect_ends<ticks<std::int32_t, std::milli>>({{"1969-12-07T03:28:36.351999999", {}},
                                                {"1969-12-07T03:28:36.352", -2'147'483'648},
                                                {"1970-01-25T20:31:23.647999999", 2'147'483'647},
                                                {"1970-01-25T20:31:23.648", {}}});
  expect_ends<ticks<std::int32_t>>({{"1901-12-13T20:45:51.9", {}},
                                    {"1901-12-13T20:45:52", -2'147'483'648},
                                    {"2038-01-19T03:14:07.9", 2'147'483'647},
                                    {"2038-01-19T03:14:08", {}}});
  expect_ends<ticks<std::int16_t, std::ratio<86'400>>>({{"1880-04-13T23:59:59.9", {}},
                                                        {"1880-04-14", -32'768},
                                                        {"2059-09-18T23:59:59.9", 32'767},
                                                        {"2059-09-19", {}}});
  expect_ends<ticks<std::uint8_t, std::ratio<1001, 30'000>>>({{"1969-12-31T23:59:59.999999999", {}},
                                                              {"1970-01-01T00:00:00.033366666", 0},
                                                              {"1970-01-01T00:00:00.033366667", 1},
                                                              {"1970-01-01T00:00:08.541866666", 255},
                                                              {"1970-01-01T00:00:08.541866667", {}}});
}

TEST(field_values, are_times_with_a_fraction_if_their_type_holds_one) {
  using seconds = ticks<double>;
  expect_ends<seconds>({{"1970-01-01T00:00:01.123456", 1.123456},
                        {"1969-12-31T23:59:59.75", -0.25},
                        {"2026-11-26T12:34:56.789", 1795696496.789},
                        {"9999-12-31T23:59:59", 253'402'300'799.0}});
  expect_ends<ticks<float>>({{"1970-01-01T00:00:00.5", 0.5F}});
  expect_ends<ticks<double, std::milli>>({{"2026-11-26T12:34:56.789", 1'795'696'496'789.0}});
  expect_ends<ticks<double, std::nano>>({{"2026-11-26T12:34:56.789", 1'795'696'496'789'000'000.0}});
  expect_ends<ticks<long double, std::ratio<3600>>>({{"1970-01-01 01:30:00", 1.5L}});
}

// What the C library reads.
template <class T>
T nearest(const char* text) {
  if constexpr (sizeof(T) == sizeof(float)) return std::strtof(text, nullptr);
  return static_cast<T>(std::strtod(text, nullptr));
}

// By std::from_chars if it is there, and without it.
template <class T>
void expect_floats(outcome result, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    for (const auto& found : {detail::to_number<T>(text), detail::to_number<T, false>(text)}) {
      EXPECT_EQ(found.result, result) << text;
      if (result != outcome::done) continue;
      EXPECT_EQ(found.value, nearest<T>(text.c_str())) << text;
      EXPECT_EQ(std::signbit(found.value), std::signbit(nearest<T>(text.c_str()))) << text;
    }
  }
}

TEST(field_values, are_the_nearest_floats) {
  const std::string zeros(400, '0');
  expect_floats<double>(
      outcome::done, naive_fields("0|-0|1|+1.5|-12.25|.5|5.|1e3|1E+3|25e-1|0.1|9007199254740993|"
                                  "9007199254740993.0000000000000000001|123456789012345678901234567890|0." +
                                      zeros + "1|-0." + zeros +
                                      "1|1e-400|2e-324|3e-324|-3e-324|1.7976931348623157e308|inf|-Infinity",
                                  '|'));
  expect_floats<double>(outcome::out_of_range, {"1" + zeros, "1e309", "-1e309"});
  expect_floats<double>(
      outcome::bad_value,
      naive_fields("|.|+|+-1|--1|+-1e30|e5|1e|1e+|1e400x| 1|1 |12,50|0x1p3|infinit|nan(1)|nan()|-nan(a)|nan1|"
                   "inf(1)",
                   '|'));
  expect_floats<float>(outcome::done, {"0.1", "16777217", "16777219", "1.00000017881393432617187499",
                                       "3.4028235e38", "5.47382e-48", "2e-45"});
  expect_floats<float>(outcome::out_of_range, {"3.5e38"});
  expect_floats<float>(outcome::bad_value, {"x"});
  for (const auto& found : {detail::to_number<double>("-NaN"), detail::to_number<double, false>("-NaN")}) {
    EXPECT_EQ(found.result, outcome::done);
    EXPECT_TRUE(std::isnan(found.value) && std::signbit(found.value));
  }
}

// By the texts of all lengths that the C library writes.
template <class T>
void expect_each_way_back(T value) {
  for (int digits = 1; digits < 19; ++digits) {
    for (const char* const form : {"%.*e", "%.*f", "%.*g"}) {
      std::array<char, 400> text{};
      std::snprintf(text.data(), text.size(), form, digits, static_cast<double>(value));
      if (std::isinf(nearest<T>(text.data()))) continue;  // rounded up
      expect_floats<T>(outcome::done, {text.data()});
    }
  }
}

TEST(field_values, are_the_floats_that_the_c_library_reads) {
  std::mt19937_64 random(40);
  for (int i = 0; i < 500; ++i) {
    const auto any = std::bit_cast<double>(random());
    if (std::isfinite(any)) expect_each_way_back<double>(any);
    const auto small = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (std::isfinite(small)) expect_each_way_back<float>(small);
    expect_each_way_back<double>(static_cast<double>(random() % 100'000'000) / 1000);
    expect_each_way_back<float>(static_cast<float>(random() % 100'000) / 100);
  }
}

// A program may have set one with a comma in its numbers.
struct comma : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(field_values, are_the_same_in_every_locale) {
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new comma));
  const auto found = detail::to_number<double, false>("1.25e1");
  std::locale::global(before);
  EXPECT_EQ(found.result, outcome::done);
  EXPECT_EQ(found.value, 12.5);
}

template <class T>
void ask(const row& each) {
  (void)each.get<T>(1);
}

struct error_case {
  std::string field;
  void (*ask)(const row&);
  std::string says;
  errc code = errc::bad_value;
};

TEST(field_values, that_do_not_convert_name_row_column_offset_and_text) {
  for (const error_case& each :
       {error_case{"12,50", ask<double>, "no number"}, error_case{"12,50", ask<float>, "no number"},
        error_case{"12,50", ask<bool>, "no bool"}, error_case{"12,50", ask<std::chrono::sys_days>, "no time"},
        error_case{"12,50", ask<std::optional<int>>, "no i32"},
        error_case{"300", ask<std::uint8_t>, "out of range of u8", errc::value_out_of_range}}) {
    const temporary_file file("item,\"unit price\"\n\"a\",\"" + each.field + "\"\n");
    for (const bool header : {false, true}) {
      row_range all = rows(file.path(), {.header = header});
      if (!header) (void)*all.begin();
      const error failure = thrown_by([&] { for_each(all, each.ask); });
      EXPECT_THAT(failure, is_error(each.code, 22U));
      EXPECT_EQ(failure.what(), "cannot read '" + file.path().string() + "' at byte 22: " +
                                    (header ? "column 'unit price' of row 1" : "field 2 of row 2") + " is " +
                                    each.says + ": '" + each.field + "'");
    }
  }
}

TEST(field_values, that_are_missing_or_long_say_so) {
  for (const row each : rows(memory(std::string_view("a,b\n")))) {
    const auto failure = thrown_by([&] { (void)each.get<double>(3); });
    EXPECT_EQ(failure.code(), errc::missing_field);
    EXPECT_THAT(failure.what(), testing::EndsWith("row 1 has 2 fields, and no field 4"));
  }
  const std::string long_text(100, 'x');
  for (const row each : rows(memory(long_text))) {
    const auto failure = error_of([&] { (void)each.get<double>(0); });
    EXPECT_THAT(failure->what(),
                testing::EndsWith("field 1 of row 1 is no number: '" + std::string(40, 'x') +
                                  "'; if it stands for no value, name it in dialect::null and ask for a "
                                  "std::optional"));
  }
}

// All texts of up to five of these bytes.
TEST(field_value, of_a_short_decimal_is_that_of_any_text) {
  constexpr std::string_view bytes = "059.-+e ";
  for (std::size_t size = 0; size != 6; ++size) {
    for (std::size_t number = 0; number != std::size_t{1} << 3 * size; ++number) {
      std::string text = "12345678";
      for (std::size_t i = 0; i != size; ++i) text += bytes[number >> 3 * i & 7U];
      const std::string_view field = std::string_view(text).substr(8);
      double value = 0;
      if (!detail::short_decimal(field, value)) continue;
      const auto truth = detail::to_double(field);
      ASSERT_EQ(truth.result, outcome::done) << field;
      ASSERT_EQ(std::bit_cast<std::uint64_t>(value), std::bit_cast<std::uint64_t>(truth.value)) << field;
    }
  }
  double value = 0;
  const std::string eight = "-1234.56";
  ASSERT_TRUE(detail::short_decimal(eight, value));
  EXPECT_EQ(value, -1234.56);
}

}  // namespace
}  // namespace riffle::test
