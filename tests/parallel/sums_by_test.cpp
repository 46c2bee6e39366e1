/// Sums by key are those of a plain map with exact sums, for all numbers, in every order, by any number of
/// threads and wherever the input is cut.
#include <riffle/sums_by.hpp>

#include <bit>
#include <cmath>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using limits = std::numeric_limits<double>;

// A key, its count, and the bits of the minimum, the maximum and the sum, where -0 is 0 and all NaNs are one.
using known = std::tuple<std::string, std::uint64_t, std::uint64_t, std::uint64_t, std::uint64_t>;

std::uint64_t bits_of(double value) {
  return std::bit_cast<std::uint64_t>(std::isnan(value) ? limits::quiet_NaN() : value + 0.0);
}

std::vector<known> all_of(const key_sums<double>& sums, std::size_t column = 0) {
  std::vector<known> all;
  for (const auto each : sums) {
    const key_sum<double> found = each[column];
    all.emplace_back(each.key(), found.count, bits_of(found.min), bits_of(found.max), bits_of(found.sum));
  }
  EXPECT_EQ(all.size(), sums.size());
  return all;
}

using pairs = std::vector<std::pair<std::string, double>>;

std::vector<known> naive_sums(const pairs& values) {
  struct plain {
    std::uint64_t count = 0;
    double min = limits::quiet_NaN();
    double max = limits::quiet_NaN();
    exact_sum sum = {};
  };
  std::vector<std::pair<std::string, plain>> sums;
  for (const auto& [key, value] : values) {
    auto at = std::ranges::find(sums, key, &std::pair<std::string, plain>::first);
    if (at == sums.end()) at = sums.insert(at, {key, plain()});
    ++at->second.count;
    if (!std::isnan(value)) {
      at->second.min = std::isnan(at->second.min) ? value : std::min(at->second.min, value);
      at->second.max = std::isnan(at->second.max) ? value : std::max(at->second.max, value);
    }
    at->second.sum.add(value);
  }
  std::vector<known> all;
  for (const auto& [key, each] : sums) {
    all.emplace_back(key, each.count, bits_of(each.min), bits_of(each.max), bits_of(each.sum.result()));
  }
  return all;
}

// Numbers whose sums need 128 bits, more, or change from one form to the other.
double random_number(std::mt19937_64& random, unsigned kind) {
  const std::uint64_t bits = random();
  const double sign = (bits & 1U) != 0 ? -1 : 1;
  const auto with_exponent = [&](std::uint64_t exponent) {
    return std::bit_cast<double>((bits & ~(std::uint64_t{0x7FF} << 52U)) | exponent << 52U);
  };
  const double specials[] = {0.0, limits::infinity(), limits::quiet_NaN(), limits::denorm_min(),
                             limits::max()};
  switch (kind) {
    case 0:
      return static_cast<double>(static_cast<std::int64_t>(bits) % 100'000) / 100;
    case 1:
      return with_exponent(990 + random() % 100);  // around both ends of what 128 bits hold
    case 2:
      return with_exponent(random() % 2048);
    case 3:
      return sign * std::ldexp(1 + static_cast<double>(bits % 4) / 4, static_cast<int>(random() % 100) - 40);
    case 4:
      return std::ldexp(1.75, 51);  // up to 2^126 units
    default:
      return random() % 4 == 0 ? sign * specials[bits % std::size(specials)] : 1.5;
  }
}

TEST(sums_by, are_exact_for_all_numbers_in_every_order) {
  std::mt19937_64 random(78);
  for (int round = 0; round != 600; ++round) {
    pairs values;
    const auto kind = static_cast<unsigned>(random() % 6);
    for (std::size_t i = 1 + random() % 60; i != 0; --i) {
      const bool mixed = random() % 8 == 0;
      const auto key = std::string(random() % 3, 'k');
      values.emplace_back(key, random_number(random, mixed ? static_cast<unsigned>(random() % 6) : kind));
      if (random() % 4 == 0) values.emplace_back(key, -values.back().second);  // most of it goes away again
    }
    for (int order = 0; order != 3; ++order) {
      key_sums<double> whole;
      std::vector<key_sums<double>> parts(1 + random() % 4);
      for (std::size_t i = 0; i != values.size(); ++i) {
        whole.add(values[i].first, {&values[i].second, 1});
        parts[i * parts.size() / values.size()].add(values[i].first, {&values[i].second, 1});
      }
      key_sums<double> joined;
      for (const key_sums<double>& each : parts) joined.add(each);
      const std::vector<known> truth = naive_sums(values);
      ASSERT_EQ(all_of(whole), truth) << "round " << round << ", kind " << kind;
      ASSERT_EQ(all_of(joined), truth) << "round " << round << ", kind " << kind;
      std::ranges::shuffle(values, random);
    }
  }
}

TEST(sums_by, are_the_same_for_every_cut) {
  const char* const keys[] = {"a", "\"a\"", "\"a,\"\"b\"", "", "\"x\ny\"", "key of many bytes: \xC3\xA9"};
  const char* const unescaped[] = {"a", "a", "a,\"b", "", "x\ny", "key of many bytes: \xC3\xA9"};
  const char* const numbers[] = {"1",      "-0.1",    "12.75", "1e300", "-1e300",
                                 "1e-300", "\"3.5\"", "-0",    "+7",    "123456789.125"};
  std::mt19937_64 random(5);
  std::string text = "key,other,number\r\n";
  pairs values;
  for (int i = 0; i != 60; ++i) {
    const auto key = random() % std::size(keys);
    const std::string number = numbers[random() % std::size(numbers)];
    text.append(keys[key]).append(",x,").append(number).append("\r\n");
    const std::size_t quotes = number.starts_with('"') ? 1 : 0;
    values.emplace_back(unescaped[key], std::stod(number.substr(quotes)));
  }
  const std::vector<known> truth = naive_sums(values);
  for (std::size_t split = 1; split <= text.size() + 1; split += 7) {
    for (const unsigned threads : {1U, 2U, 3U}) {
      key_sums<double> found;
      row_range rows(memory(text), {.header = true}, {});
      const std::size_t by[] = {0};
      const std::size_t columns[] = {2, 2};
      sums_by_into(found, std::move(rows), by, columns, {.threads = threads, .split_size = split});
      ASSERT_EQ(all_of(found, 0), truth) << "in splits of " << split;
      ASSERT_EQ(all_of(found, 1), truth) << "in splits of " << split;
    }
  }
  EXPECT_EQ(all_of(sums_by(memory(text), {"key"}, {"number"}, csv, {.threads = 2})), truth);
  const key_sums<> of_two = sums_by(memory(text), {"other", "key"}, {"number"});
  EXPECT_EQ(of_two.begin()->key(), "x\t\"x\ny\"");
  EXPECT_EQ(of_two.size(), truth.size());
}

template <class T>
key_sum<T> sum_of(const std::vector<T>& values) {
  key_sums<T> sums;
  for (const T& value : values) sums.add("", {&value, 1});
  return (*sums.begin())[0];
}

TEST(sums_by, of_integers_are_exact_or_an_error) {
  using u64 = std::numeric_limits<std::uint64_t>;
  using i64 = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(sum_of<std::int8_t>({-128, 127, 3}), (key_sum<std::int8_t>{3, 0, -128, 127, 2}));
  EXPECT_EQ(sum_of<std::uint64_t>({u64::max(), 0}),
            (key_sum<std::uint64_t>{2, 0, 0, u64::max(), u64::max()}));
  EXPECT_EQ(sum_of<std::int64_t>({i64::max(), i64::max(), i64::min()}),
            (key_sum<std::int64_t>{3, 0, i64::min(), i64::max(), i64::max() - 1}));
  EXPECT_EQ(code_of([] { (void)sum_of<std::uint64_t>({u64::max(), 1}); }), errc::sum_overflow);
  EXPECT_EQ(code_of([] { (void)sum_of<std::int64_t>({i64::min(), -1}); }), errc::sum_overflow);
  EXPECT_EQ(sum_of<std::int64_t>({-1, -1, 0}).mean(), -2.0 / 3);
  EXPECT_EQ(sum_of<std::uint64_t>({u64::max(), 0, 0}).mean(), 0x5555555555555555p0);
  EXPECT_EQ(sum_of<float>({0.1F, 0.2F}).sum, double{0.1F} + double{0.2F});
  EXPECT_TRUE(std::isnan(key_sum<float>().mean()));
}

// Just above half way between two doubles, by the last bit of 128.
TEST(sums_by, are_rounded_once) {
  EXPECT_EQ(sum_of<double>({0x1p41, 0x1p-12}).sum, 0x1p41);
  EXPECT_EQ(sum_of<double>({0x1p41, 0x1p-12, 0x1.0000000000001p-22, -0x1p-22}).sum, 0x1p41 + 0x1p-11);
  EXPECT_EQ(sum_of<double>({-0x1p41, -0x1p-12, -0x1.0000000000001p-22, 0x1p-22}).sum, -0x1p41 - 0x1p-11);
}

TEST(sums_by, of_the_largest_come_first) {
  key_sums<double> sums;
  const auto add = [&](const char* key, double value) { sums.add(key, {&value, 1}); };
  for (const char* key : {"b", "a", "c"}) add(key, 1);
  add("nan", limits::quiet_NaN());
  add("less", -1e300);
  add("most", limits::infinity());
  const auto top = [&](std::size_t number) {
    std::vector<std::string> keys;
    for (const auto& each : sums.top(number)) keys.emplace_back(each.key());
    return keys;
  };
  EXPECT_THAT(top(3), ElementsAre("most", "b", "a"));
  EXPECT_THAT(top(9), ElementsAre("most", "b", "a", "c", "less", "nan"));
  key_sums<std::int16_t> integers;
  for (const std::int16_t value : {std::int16_t{-2}, std::int16_t{5}, std::int16_t{-1}})
    integers.add(std::to_string(value), {&value, 1});
  EXPECT_EQ(integers.top(1).front().key(), "5");
  EXPECT_EQ(integers.top(3).back().key(), "-2");
  const key_sums<double> none;
  EXPECT_TRUE(none.top(2).empty());
  key_sums<double> keys;  // without columns
  for (const char* each : {"first key", "aaaaaaaaaaaaaaaa", "zzzzzzzzzzzzzzzz", "last key"})
    keys.add(each, {});
  EXPECT_EQ(keys.top(1).front().key(), "first key");
}

TEST(sums_by, leave_out_nulls_and_bad_rows) {
  const std::size_t by[] = {0};
  const std::size_t columns[] = {1, 2};
  const auto add_all = [&](key_sums<double>& sums, row_range& all) { sums.add(all, by, columns); };
  const auto add_next = [&](key_sums<double>& sums, row_range& all) {
    for (const row each : all) sums.add(each, by, columns);
  };
  for (const auto& add : {std::function(add_all), std::function(add_next)}) {
    key_sums<double> sums;
    row_range all = rows(memory("a,1,NA\na,2,x\na,3\na,NA,4\nb,NA,NA\n"), {.null = {"NA"}});
    std::vector<std::string> failures;
    while (const auto failure = error_of([&] { add(sums, all); })) failures.emplace_back(failure->what());
    EXPECT_THAT(failures, ElementsAre(HasSubstr("field 3 of row 2 is no number: 'x'"), HasSubstr("field 3")));
    const auto first = *sums.begin();
    EXPECT_EQ(first[0], (key_sum<double>{1, 1, 1, 1, 1}));
    EXPECT_EQ(first[1], (key_sum<double>{1, 1, 4, 4, 4}));
    EXPECT_EQ((*++sums.begin())[0], (key_sum<double>{0, 1, 0, 0, 0}));
    EXPECT_THAT(thrown_by([&] { sums.add("a", {}); }), is_error(errc::invalid_argument));
  }
}

TEST(sums_by, take_no_more_memory_than_they_may) {
  const double value = 1;
  key_sums<double> sums(100'000);
  const auto add = [&](const std::string& key, double number) { sums.add(key, {&number, 1}); };
  const error failure = thrown_by([&] {
    for (int i = 0;; ++i) add(std::to_string(i), value);
  });
  const std::size_t size = sums.size();
  EXPECT_THAT(failure,
              is_error(errc::too_large, {},
                       "the memory limit is reached after " + std::to_string(size) + " distinct keys"));
  EXPECT_EQ(error_of([&] { add("0", value); }), std::nullopt) << "keys that are there take none";
  // An exact sum takes more.
  const error larger = thrown_by([&] {
    for (std::size_t i = 0; i != size; ++i) add(std::to_string(i), 1e-300);
  });
  EXPECT_THAT(larger, is_error(errc::too_large));
  EXPECT_EQ(sums.size(), size);
  key_sums<double> moved = std::move(sums);
  EXPECT_EQ(moved.size(), size);
  EXPECT_TRUE(sums.empty());  // NOLINT(bugprone-use-after-move)
  EXPECT_TRUE(sums.begin() == sums.end());
}

}  // namespace
}  // namespace riffle::test
