/// Values and how often they occur, by any number of threads and wherever the input is cut, against
/// `std::unordered_map`.
#include <riffle/sums_by.hpp>
#include <riffle/value_counts.hpp>

#include <set>
#include <unordered_map>

#include "parallel/key_table.hpp"
#include "tests/support/guarded.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

using counted = std::vector<std::pair<std::string, std::uint64_t>>;

// In the order of the first appearance.
counted naive_counts(const std::vector<std::string>& values) {
  counted found;
  std::unordered_map<std::string, std::size_t> places;
  for (const std::string& value : values) {
    const auto [at, is_new] = places.emplace(value, found.size());
    if (is_new) found.emplace_back(value, 0);
    ++found[at->second].second;
  }
  return found;
}

counted all_of(const value_counter& counter) {
  counted found;
  for (const auto& [value, count] : counter) found.emplace_back(value, count);
  EXPECT_EQ(found.size(), counter.size());
  return found;
}

TEST(value_counts, are_the_same_for_every_cut) {
  for (const std::string_view alphabet : {"a\n", "ab \n", "ab\t\n\n", "ab"}) {
    const std::string text = random_text(120, 5, alphabet);
    const auto expect = [&](text_values values, const byte_set& separators, const counted& truth) {
      for (std::size_t split = 1; split <= text.size() + 1; ++split) {
        for (const unsigned threads : {1U, 2U, 3U}) {
          value_counter found;
          value_counts_into(found, source(memory(text)), values, {.threads = threads, .split_size = split},
                            separators);
          ASSERT_EQ(all_of(found), truth) << testing::PrintToString(text) << " in splits of " << split;
        }
      }
    };
    expect(text_values::lines, {}, naive_counts(naive_lines(text)));
    for (const byte_set& separators : {word_separators, byte_set("b\n"), byte_set("a")}) {
      const counted truth = naive_counts(naive_tokens(text, separators, false));
      expect(text_values::words, separators, truth);
      const value_counts_options options{.values = text_values::words, .separators = separators};
      EXPECT_EQ(all_of(value_counts(memory(text), options)), truth);
    }
  }
}

TEST(value_counts, have_no_bytes_that_make_hashes_equal) {
  std::set<std::uint32_t> hashes;
  for (unsigned i = 100; i != 200; ++i) {
    std::string key;
    for (unsigned bits = 0; bits != 64; bits += 8) key += static_cast<char>(detail::secret_1 >> bits);
    key += std::to_string(i);
    hashes.insert(detail::hash_of(key, detail::words_in(key), 5));
  }
  EXPECT_GT(hashes.size(), 90);
}

// Enough values that 32 bits of their hashes are the same for some, and that every table grows often.
TEST(value_counts, are_those_of_many_values_of_every_length) {
  std::vector<std::string> values;
  std::minstd_rand random(3);
  std::string text;
  for (std::size_t i = 0; i != 600'000; ++i) {
    std::string value = std::to_string(random() % 400'000);
    value.resize(i % 50 == 0 ? 1 + random() % 200 : value.size(), 'x');
    text.append(values.emplace_back(std::move(value))).append("\n");
  }
  const counted truth = naive_counts(values);
  const temporary_file file(text);
  for (const unsigned threads : {1U, 2U, 4U}) {
    value_counter found;
    value_counts_into(found, source(file.path()), text_values::lines,
                      {.threads = threads, .split_size = 100'000});
    ASSERT_EQ(all_of(found), truth) << threads << " threads";
  }
}

TEST(value_counts, tell_values_of_any_length_and_last_byte_apart) {
  std::vector<std::string> values;
  std::string text;
  for (const std::size_t length :
       {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 100U, 1U << 20U}) {
    for (std::size_t at : {std::size_t{0}, length / 2, length - 1}) {
      std::string value(length, 'a');
      for (const char byte : {'b', '\0', '\xFF'}) {
        value[at] = byte;
        text.append(values.emplace_back(value)).append("\n");
      }
    }
  }
  EXPECT_EQ(all_of(value_counts(memory(text))), naive_counts(values));
}

// A short value of a row is read with the bytes after it, unless the input ends before.
TEST(value_counts, of_rows_are_those_of_texts) {
  guarded memory_of_rows(64);
  for (std::size_t length = 0; length != 20; ++length) {
    for (std::size_t at = 0; at <= length; ++at) {
      std::string value(length, 'a');
      if (at != length) value[at] = '\0';
      for (std::size_t after = 0; after != 20; ++after) {
        value_counter counter;
        counter.add(value);
        key_sums<double> sums;
        const double one = 1;
        sums.add(value, {&one, 1});
        const std::span<char> text = memory_of_rows.last(value.size() + 3 + after);
        std::ranges::copy("1," + value + "\n" + std::string(after, 'b'), text.begin());
        row_range all = rows(memory(std::string_view(text.data(), text.size())));
        const std::size_t columns[] = {0, 1};
        const row first = *all.begin();
        counter.add(first, std::span(columns).subspan(1));
        sums.add(first, std::span(columns).subspan(1), std::span(columns).first(1));
        ASSERT_EQ(all_of(counter), (counted{{value, 2}})) << length << " bytes before " << after;
        ASSERT_EQ((*sums.begin())[0].sum, 2) << length << " bytes before " << after;
      }
    }
  }
}

TEST(value_counts, are_those_of_columns) {
  const std::string text =
      "item,colour,price\n\"a,\"\"b\",red,1\n\"a\tb\",red,2\n\"a\nb\",blue,\n\"a,\"\"b\",red,4\na,b,c\n";
  for (const unsigned threads : {1U, 3U}) {
    EXPECT_EQ(all_of(value_counts(memory(text), {"item"}, csv, {.threads = threads})),
              (counted{{"a,\"b", 2}, {"a\tb", 1}, {"a\nb", 1}, {"a", 1}}));
    EXPECT_EQ(all_of(value_counts(memory(text), {"colour", "item"}, csv, {.threads = threads})),
              (counted{{"red\t\"a,\"\"b\"", 2}, {"red\t\"a\tb\"", 1}, {"blue\t\"a\nb\"", 1}, {"b\ta", 1}}));
  }
  EXPECT_THAT(error_of([&] { (void)value_counts(memory(text), {"size"}); })->what(), HasSubstr("'size'"));
  EXPECT_THAT(error_of([] { (void)value_counts(memory("a,b\n1\n"), {"b"}); })->what(), HasSubstr("'b'"));
}

// The guess of a split that starts inside quotes is wrong: what it counted must not count.
TEST(value_counts, of_columns_do_not_count_what_stands_in_quotes) {
  std::string text = "a,b\n";
  std::vector<std::string> values;
  for (int i = 0; i != 2000; ++i) {
    values.push_back("x\n" + std::to_string(i % 7) + ",y\n");
    text += "\"" + values.back() + "\",1\n";
  }
  const temporary_file file(text);
  const std::size_t columns[] = {0};
  for (const std::size_t split : {50U, 333U, 10'000U}) {
    value_counter found;
    value_counts_into(found, row_range(source(file.path()), {.header = true}), columns,
                      {.threads = 3, .split_size = split});
    EXPECT_EQ(all_of(found), naive_counts(values));
  }
}

TEST(value_counter, gives_the_top_in_order) {
  value_counter counter;
  for (const char* value : {"c", "a", "b", "a", "d", "b"}) counter.add(value);
  EXPECT_THAT(counter.top(3), ElementsAre(value_count{"a", 2}, value_count{"b", 2}, value_count{"c", 1}));
  EXPECT_THAT(counter.top(100), testing::SizeIs(4));
  EXPECT_THAT(counter.top(0), testing::IsEmpty());
  const value_counter none;
  EXPECT_THAT(none.top(5), testing::IsEmpty());
}

TEST(value_counter, adds_counts_and_counters) {
  value_counter left;
  left.add("a", 3);
  left.add("none", 0);
  left.add("");
  value_counter right;
  right.add("b", 5);
  right.add("a", 4);
  left.add(right);
  EXPECT_EQ(all_of(left), (counted{{"a", 7}, {"", 1}, {"b", 5}}));
  value_counter moved(std::move(left));
  EXPECT_EQ(all_of(moved), (counted{{"a", 7}, {"", 1}, {"b", 5}}));
  EXPECT_TRUE(left.empty());  // NOLINT(bugprone-use-after-move): it is as new
  left.add(moved);
  EXPECT_EQ(all_of(left), all_of(moved));
}

TEST(value_counter, fails_before_it_takes_more_memory_than_it_may) {
  value_counter counter(100'000);
  std::size_t added = 0;
  const error failure = thrown_by([&] {
    for (;; ++added) counter.add(std::to_string(added));
  });
  EXPECT_THAT(failure, is_error(errc::too_large, {}, std::to_string(added) + " distinct values"));
  EXPECT_GT(added, 2000U);
  EXPECT_LT(added, 4200U);  // 24 bytes each
  EXPECT_EQ(counter.size(), added);
  counter.add("0");  // is there
  EXPECT_EQ(counter.top(1).front(), (value_count{"0", 2}));

  std::string text;
  for (int i = 0; i != 10'000; ++i) text += std::to_string(i) + "\n";
  for (const unsigned threads : {1U, 2U}) {
    EXPECT_EQ(code_of([&] { (void)value_counts(memory(text), {.threads = threads, .max_memory = 100'000}); }),
              errc::too_large);
  }
}

TEST(value_counts, refuse_what_columns_have_no_use_for) {
  const auto count = [] { (void)value_counts(memory("a\n1\n"), {"a"}, csv, {.values = text_values::words}); };
  EXPECT_EQ(code_of(count), errc::invalid_argument);
}

}  // namespace
}  // namespace riffle::test
