/// The splits of a file hold each record once, and objects are read by their own functions.
#include <riffle/riffle.hpp>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

/// Everything that readers of text disagree about. "%" ends records in one of the tests.
const std::string& oracle() {
  using namespace std::string_literals;
  static const std::string text =
      "plain\nlone\rCR\nCRLF\r\nNUL\0inside\n\n\n\v vertical \f feed\n\x1c\x1d\x1e separators\n"
      "NEL\xc2\x85|LS\xe2\x80\xa8|bad\xff\xc3(\n%delimiter%of its own%\n\n"
      "a longer line that covers several of the small splits, and more of the smallest ones\nno end"s;
  return text;
}

std::vector<std::uint64_t> split_sizes(std::size_t size) {
  if (size > 1000) return {5000, 16'384, 1 << 20};
  return {1, 2, 3, 7, 16, 64, size - 1, size, size + 1};
}

using record = std::pair<std::uint64_t, std::string>;  // with its offset

/// The lines with their delimiters, by a plain loop.
naive_records lines_of(std::string_view text, char delimiter) {
  return naive_bounded_lines(text, {.delimiter = delimiter, .keep_delimiter = true});
}

std::vector<record> starting_in(const naive_records& all, const file_split& split) {
  std::vector<record> some;
  for (std::size_t i = 0; i != all.records.size(); ++i) {
    if (all.offsets[i] >= split.begin && all.offsets[i] < split.end)
      some.emplace_back(all.offsets[i], all.records[i]);
  }
  return some;
}

std::vector<record> read_lines(const input& from, char delimiter, const read_options& reading) {
  std::vector<record> records;
  const line_options options{.delimiter = delimiter, .keep_delimiter = true};
  for (const numbered_line line : numbered_lines(from, options, reading)) {
    records.emplace_back(line.offset, line.text);
  }
  return records;
}

EACH_METHOD(each_split_method);

TEST_P(each_split_method, gives_each_record_to_the_split_it_starts_in) {
  for (const std::string& text : {oracle(), patterned_bytes(50'000), std::string(90'000, 'h') + "\nx"}) {
    const temporary_file file(text);
    for (const char delimiter : {'\n', '\0', '%'}) {
      const naive_records all = lines_of(text, delimiter);
      for (const std::uint64_t size : split_sizes(text.size())) {
        if (size < 7 && GetParam() == method::direct) continue;  // a slow device, a split a byte
        for (const file_split& split : splits(file.path(), {.size = size})) {
          ASSERT_EQ(read_lines(read_split(split, {.delimiter = delimiter}), delimiter,
                               {.method = GetParam(), .block_size = 4096}),
                    starting_in(all, split))
              << split.begin << " to " << split.end;
        }
      }
    }
  }
}

TEST_P(each_split_method, reads_values_of_a_fixed_size) {
  std::vector<std::array<char, 3>> truth(1000);
  std::string text;
  for (std::size_t i = 0; i != truth.size(); ++i) {
    truth[i] = {static_cast<char>(i), static_cast<char>(i / 256), '\n'};
    text.append(truth[i].data(), truth[i].size());
  }
  const temporary_file file(text);
  for (const std::uint64_t size : {2U, 3U, 100U, 2999U, 3000U}) {
    std::vector<std::array<char, 3>> found;
    for (const file_split& split : splits(file.path(), {.size = size})) {
      const input records = read_split(split, {.delimiter = std::nullopt, .record_size = 3});
      for (const auto& value : values<std::array<char, 3>>(records, {}, {.method = GetParam()})) {
        found.push_back(value);
      }
    }
    ASSERT_EQ(found, truth) << size;
  }
}

TEST(splits, cover_the_file_and_know_it) {
  const temporary_file file("0123456789");
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
  for (const file_split& each : splits(file.path(), {.size = 4})) {
    ranges.emplace_back(each.begin, each.end);
    EXPECT_EQ(each.size, 10U);
    EXPECT_EQ(each.path, file.path());
  }
  EXPECT_THAT(ranges, testing::ElementsAre(std::pair(0, 4), std::pair(4, 8), std::pair(8, 10)));
  EXPECT_EQ(splits(file.path(), {.size = 0}).size(), 1U);
  EXPECT_EQ(splits(file.path(), {.size = std::numeric_limits<std::uint64_t>::max()}).size(), 1U);
  EXPECT_TRUE(splits(temporary_file().path()).empty());
}

TEST(splits, can_be_read_from_another_directory) {
  const temporary_file file("here\n");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(file.path().parent_path());
  const std::vector<file_split> all = splits(file.path().filename());
  std::filesystem::current_path(before);
  EXPECT_EQ(read_all(read_split(all.at(0))), "here\n");
}

// The first record of a split may be far behind its start.
TEST(splits, can_be_cancelled_while_they_look_for_a_record) {
  const temporary_file file(std::string(100'000, 'x'));
  const input split = read_split(riffle::splits(file.path(), {.size = 50'000}).at(1));
  int calls = 0;
  const auto cancel = [&calls] {
    if (++calls % 2 == 0) throw std::runtime_error("cancelled");
  };
  EXPECT_THROW(source(split, {.watch = {.before_block = cancel}}), std::runtime_error);
  EXPECT_EQ(calls, 2);
  const std::vector<input> files{split, split};
  const auto map = [](std::string_view) { return 0; };
  const auto done = [](std::size_t, int, const error*) {};
  EXPECT_THROW(
      parallel_files(files, 0, map, std::plus<>(), done, {.threads = 1}, {.watch = {.before_block = cancel}}),
      std::runtime_error);
  EXPECT_EQ(calls, 4);
}

TEST(splits, are_made_of_a_file_that_grows) {
  const temporary_file file("line\n");
  std::jthread writing([&](const std::stop_token& stop) {
    while (!stop.stop_requested()) file.append("line\n");
  });
  for (int round = 0; round != 2000; ++round) EXPECT_GE(riffle::splits(file.path()).back().end, 5U);
}

TEST(splits, start_at_their_first_record) {
  const temporary_file file("a,b\nc,d\ne,f\n");
  const input records = read_split(splits(file.path(), {.size = 5}).at(1));  // ",d\ne,"
  source opened(records);
  EXPECT_EQ(opened.name(), file.path());
  EXPECT_EQ(opened.start(), 8U);
  EXPECT_EQ(opened.size_hint(), 12U);
  for (const row fields : rows(records)) EXPECT_EQ(fields.offset(), 8U);
  reader in(records);
  EXPECT_EQ(in.bytes(4), "e,f\n");
}

TEST(splits, give_line_numbers_by_a_prefix_sum) {
  const temporary_file file(oracle());
  const std::vector<file_split> all = splits(file.path(), {.size = 7});
  std::vector<std::uint64_t> before(all.size());
  std::transform_exclusive_scan(all.begin(), all.end(), before.begin(), std::uint64_t{0}, std::plus<>(),
                                [](const file_split& split) { return count_lines(read_split(split)); });
  std::vector<std::string> found;
  for (std::size_t i = 0; i != all.size(); ++i) {
    for (const numbered_line line : numbered_lines(read_split(all[i]))) {
      found.emplace_back(line.text);
      EXPECT_EQ(before[i] + line.number, found.size());
    }
  }
  EXPECT_EQ(found, naive_lines(oracle()));
}

const std::string text = numbered_lines(100000);

// Most objects are rows of the table of inputs, which the product reads by any block, piece and depth.
TEST(an_object, may_be_empty_and_asked_for_ahead_by_name) {
  const bytes_at_offsets by_name{"ab"};
  EXPECT_EQ(all_of(by_name, {.method = method::read, .queue_depth = 2}), "ab");
  const bytes_at_offsets empty{""};
  EXPECT_EQ(all_of(empty), "");
}

TEST(an_object, is_refused_by_methods_that_take_descriptors) {
  const bytes_at_offsets object{text};
  for (const method_info& each : methods()) {
    const auto refused = error_of([&] { all_of(object, {.method = each.id}); });
    EXPECT_EQ(refused.has_value(), each.id != method::read) << each.name;
    if (!refused) continue;
    EXPECT_THAT(*refused, is_error(errc::method_unavailable));
    EXPECT_EQ(refused->remedy().what, advice::use_method);
  }
}

// Notes how many calls run at once, each of which takes a while.
struct crowd {
  std::atomic<int> now = 0;
  std::atomic<int> most = 0;

  void operator()() {
    const int inside = ++now;
    for (int before = most; before < inside && !most.compare_exchange_weak(before, inside);) continue;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    --now;
  }
};

struct crowd_case {
  unsigned depth;
  unsigned threads;
  int least;
  int most;
};

TEST(an_object, that_makes_riffle_wait_is_asked_for_several_blocks_at_once) {
  const std::string bytes = text + text + text + text + text + text + text + text;
  for (const crowd_case& each :
       {crowd_case{0, 1, 8, 64}, {1, 1, 1, 1}, {4, 1, 2, 4}, {0, 4, 2, 4}, {2, 2, 2, 4}}) {
    crowd inside;
    const bytes_at_offsets object{bytes, SIZE_MAX, std::ref(inside)};
    if (each.threads == 1) {
      EXPECT_TRUE(all_of(object, {.block_size = 65536, .queue_depth = each.depth}) == bytes);
    } else {
      const parallel_options splitting{.threads = each.threads, .split_size = 1U << 18U};
      EXPECT_TRUE(joined(object, splitting, {.queue_depth = each.depth}) == bytes);
    }
    EXPECT_GE(inside.most, each.least) << each.depth << ", " << each.threads;
    EXPECT_LE(inside.most, each.most) << each.depth << ", " << each.threads;
  }
}

// A loop that is left, or seeks, waits for what was asked for ahead.
TEST(an_object, is_not_called_after_its_reading) {
  crowd inside;
  const bytes_at_offsets object{text, SIZE_MAX, std::ref(inside)};
  {
    source from(object, {.block_size = 4096, .queue_depth = 16});
    EXPECT_EQ(from.next().bytes, text.substr(0, 4096));
    from.seek(text.size() - 10);
    EXPECT_EQ(from.next().bytes, text.substr(text.size() - 10));
    from.seek(text.size() + 10);
    EXPECT_EQ(from.next().bytes, "");
    from.seek(5000);
    EXPECT_EQ(from.next().bytes, text.substr(5000, 4096));
  }
  EXPECT_EQ(inside.now, 0);
}

struct wrong_object {
  std::uint64_t length;
  std::size_t answer;

  std::size_t read_at(std::uint64_t offset, std::span<char> into) const {
    if (offset >= length && offset < length + 10) return answer;
    into = into.first(offset < length ? std::min<std::size_t>(into.size(), length - offset) : into.size());
    std::ranges::fill(into, 'x');
    return into.size();
  }
  std::uint64_t size() const { return 1000; }
};

TEST(an_object, that_answers_wrong_is_an_error_after_the_bytes_before) {
  struct row {
    wrong_object object;
    std::uint64_t offset;
    errc code;
  };
  for (const unsigned depth : {0U, 1U, 8U}) {
    for (const row& each : {row{{450, 0}, 450, errc::truncated},
                            {{0, 0}, 0, errc::truncated},
                            {{300, 101}, 300, errc::invalid_argument},
                            {{1000, 0}, 1000, {}},
                            {{0, SIZE_MAX}, 0, errc::invalid_argument}}) {
      const read_outcome found = read_blocks(each.object, {.block_size = 100, .queue_depth = depth});
      EXPECT_EQ(found.bytes, std::string(each.offset, 'x'));
      EXPECT_EQ(found.failure.has_value(), each.offset != 1000);
      if (!found.failure) continue;
      EXPECT_THAT(*found.failure, is_error(each.code, each.offset, "", "object"));
    }
  }
  struct too_many {
    std::size_t read(std::span<char> into) { return into.size() + 1; }
    const char* name() const { return "too many"; }
  } object;
  EXPECT_STREQ(thrown_by([&] { all_of(object, {.block_size = 9}); }).what(),
               "cannot read 'too many' at byte 0: the object returned 10 for a span of 9 bytes; return how "
               "many it wrote");
}

TEST(an_object, has_an_index_of_its_lines) {
  bytes_at_offsets object{text, 1000};
  const line_index index(object, {}, {.every = 64});
  ASSERT_EQ(index.size(), 100000U);
  for (const std::uint64_t line : {0U, 77U, 99999U}) {
    EXPECT_EQ(index[line] + "\n",
              text.substr(index.offset(line), index.offset(line + 1) - index.offset(line)));
  }
  object.bytes += "\n";
  EXPECT_EQ(code_of([&] { return index[5]; }), errc::changed);
}

}  // namespace
}  // namespace riffle::test
