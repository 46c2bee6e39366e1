/// An index gives each line by its number as a plain loop does, from every kind of input, or an error.
#include <riffle/line_index.hpp>
#include <riffle/mapped_file.hpp>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::HasSubstr;
using namespace std::string_view_literals;

// Every line by its number, and by iterators in both directions and in leaps, and where it starts.
void expect_lines(const line_index& index, std::string_view text, const line_options& how = {}) {
  const auto lines = naive_lines(text, how);
  ASSERT_EQ(index.size(), lines.size());
  EXPECT_EQ(index.empty(), lines.empty());
  EXPECT_EQ(std::vector<std::string>(index.begin(), index.end()), lines);
  std::uint64_t offset = 0;
  for (std::size_t i = 0; const std::string& whole : naive_lines(text, {how.delimiter, true})) {
    if (i < 300 || i % 997 == 0) {
      ASSERT_EQ(index[i], lines[i]) << i;
      ASSERT_EQ(index.offset(i), offset) << i;
      ASSERT_EQ(*(index.end() - static_cast<std::ptrdiff_t>(lines.size() - i)), lines[i]);
    }
    offset += whole.size();
    ++i;
  }
  EXPECT_EQ(index.offset(index.size()), text.size());
  auto at = index.end();
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) ASSERT_EQ((--at).view(), *line) << at.line();
  EXPECT_EQ(at, index.begin());
  EXPECT_EQ(code_of([&] { return index[index.size()]; }), errc::invalid_argument);
  EXPECT_EQ(code_of([&] { return *index.end(); }), errc::invalid_argument);
}

std::string long_text() {
  std::string text;
  for (std::size_t i = 0; i != 40'000; ++i)
    text += std::string(i % 400 == 7 ? 0 : i * 37 % 331, 'a') + "\r\n";
  return text + std::string(300'000, 'x') + "\n\n" + std::string(70'000, 'y') + "\nno end";
}

TEST(line_index, gives_the_lines_of_a_plain_loop) {
  const std::string large = long_text();
  const std::string_view texts[] = {
      "",          "\n",        "\n\n",      "one", "one\n", "\none", "a\r\nb\0\n\n\xff\n"sv,
      "a\r\n\r\r", "a;b;\n;;c", "\n\n\n\nx", large};
  for (const std::string_view text : texts) {
    const temporary_file file(text);
    struct row {
      line_options how;
      line_index_options options;
    };
    for (const auto& [how, options] : {row{}, row{{.delimiter = ';'}, {.every = 1}},
                                       row{{.keep_delimiter = true}, {.threads = 1, .every = 3}},
                                       row{{.strip_cr = true}, {.threads = 2, .every = 0}},
                                       row{{}, {.every = 1000}}, row{{}, {.every = 1, .max_memory = 1}}}) {
      SCOPED_TRACE("text of " + std::to_string(text.size()) + " bytes, every " +
                   std::to_string(options.every));
      const line_index index(file.path(), how, options);
      expect_lines(index, text, how);
      if (options.max_memory != 0) {
        EXPECT_LE(index.offsets().size(), 4096 / 16 + 1);
      } else if (options.every <= 1) {
        EXPECT_EQ(index.offsets().size(), index.size() + 1);
      }
      expect_lines(line_index(memory(text), how, options), text, how);
      const mapped_file mapped(file.path());
      expect_lines(line_index(mapped, how, options), text, how);
    }
  }
}

TEST(line_index, is_small) {
  const std::string text = numbered_lines(200'000);
  const line_index index(memory(text), {}, {.threads = 1});
  EXPECT_LT(index.offsets().size(), 200'000 / 64 + 10);
  const std::string rows = repeated(std::string(1000, 'w') + "\n", 2000);
  const line_index large(memory(rows), {}, {.threads = 1, .every = 1'000'000});
  EXPECT_GT(large.offsets().size(), rows.size() / (66U << 10U)) << "an offset each 64 KiB";
}

TEST(line_index, starts_at_the_position_of_a_descriptor_and_keeps_a_descriptor) {
  const temporary_file file("first\nsecond\nthird");
  std::optional<line_index> index;
  {
    const owned_descriptor descriptor = open_at(file.path(), 6);
    index.emplace(descriptor.get());
  }
  EXPECT_EQ(index->size(), 2);
  EXPECT_EQ(index->offset(0), 6);
  EXPECT_THAT(*index, testing::ElementsAre("second", "third"));
  const auto second = index->begin() + 1;
  line_index moved = std::move(*index);
  EXPECT_EQ(*second, "third");
  EXPECT_EQ(index->size(), 0);
  EXPECT_EQ(code_of([&] { return (*index)[0]; }), errc::invalid_argument);
  moved = line_index(memory("a\nb"));
  EXPECT_EQ(moved[1], "b");
}

TEST(line_index, searches_a_sorted_file) {
  std::string text;
  for (int i = 100'000; i != 200'000; ++i) text += std::to_string(i) + ";value\n";
  const temporary_file file(text);
  const line_index index(file.path());
  const auto found = std::ranges::lower_bound(index, std::string("123456"));
  EXPECT_EQ(*found, "123456;value");
  EXPECT_EQ(found.line(), 23'456);
}

TEST(line_index, says_that_the_file_changed) {
  using change = void (*)(const temporary_file&);
  for (const change act :
       {change{[](const temporary_file& file) { file.append("four\n"); }},
        change{[](const temporary_file& file) { std::filesystem::resize_file(file.path(), 5); }},
        change{[](const temporary_file& file) { file.write("one\nt\no\nthree\n"); }}}) {
    const temporary_file file("one\ntwo\nthree\n");
    std::filesystem::last_write_time(file.path(), std::filesystem::file_time_type{});
    const line_index index(file.path());
    auto at = index.begin();
    EXPECT_EQ(index[1], "two");
    act(file);
    const auto changed = is_error(errc::changed, {}, "", file.path().string());
    EXPECT_THAT(thrown_by([&] { return index[1]; }), changed);
    EXPECT_THAT(thrown_by([&] { return *at; }), changed);
    EXPECT_EQ(index.size(), 3);
  }
}

TEST(line_index, knows_the_size_of_what_is_read_once) {
  std::istringstream stream("one\ntwo");
  const line_index index(stream);
  EXPECT_EQ(index.size(), 2);
  EXPECT_EQ(index.offset(2), 7);
  EXPECT_EQ(code_of([&] { return index[0]; }), std::errc::invalid_seek);
  const temporary_file file("one\ntwo");
  const stdio_file stdio = open_stdio(file.path());
  const fed_pipe pipe("one\ntwo");
  for (const input& from : {input(stdio.get()), input(pipe.get())}) {
    const line_index once(from);
    EXPECT_EQ(once.size(), 2) << from.name();
    EXPECT_EQ(code_of([&] { return *once.begin(); }), std::errc::invalid_seek);
  }
}

TEST(line_index, may_be_read_by_several_threads) {
  const std::string text = long_text();
  const temporary_file file(text);
  const line_index index(file.path());
  const auto lines = naive_lines(text);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread != 3; ++thread) {
    threads.emplace_back([&, thread] {
      for (std::size_t i = 0; i != 500; ++i) {
        const std::size_t line = i * (thread + 17) * 101 % lines.size();
        if (index[line] != lines[line]) ++wrong;
      }
    });
  }
  for (std::thread& each : threads) each.join();
  EXPECT_EQ(wrong, 0);
}

EACH_CONTAINER(line_index_of);

TEST(line_index, gives_no_line_over_the_longest_one_accepted) {
  const line_index index(memory("abc\nabcd\nabcd\r\n"), {.strip_cr = true, .max_length = 3});
  EXPECT_EQ(index[0], "abc");
  EXPECT_THAT(thrown_by([&] { return index[1]; }), is_error(errc::record_too_long, 4U));
  EXPECT_EQ(code_of([&] { return *(index.begin() + 2); }), errc::record_too_long);
}

// Lines that cross members, and one that covers several splits. Random bytes, which stay large.
TEST_P(line_index_of, starts_within_what_has_parts) {
  std::mt19937 random(58);
  std::string text = random_text(2'000'000, 58);
  for (std::size_t i = 0; i < text.size(); i += random() % 300) text[i] = '\n';
  std::ranges::replace(text.begin() + 900'000, text.begin() + 1'700'000, '\n', 'x');
  const temporary_file file(in_members(GetParam(), text, 100'000));
  const read_options reading{.decode = GetParam().format, .max_size = text.size()};
  for (const line_index_options& options :
       {line_index_options{.threads = 2}, line_index_options{.every = 1}}) {
    const line_index index(file.path(), {}, options, reading);
    if (can_be_split(GetParam())) {
      expect_lines(index, text);
    } else {
      EXPECT_EQ(index.size(), naive_lines(text).size());
      EXPECT_THAT(thrown_by([&] { return index[1]; }),
                  is_error(std::errc::invalid_seek, {}, "decoded from the start only"));
    }
  }
  for (const std::uint64_t most : {std::uint64_t{5000}, std::uint64_t{text.size() - 1}}) {
    const read_options bounded{.decode = GetParam().format, .max_size = most};
    EXPECT_EQ(code_of([&] { line_index(file.path(), bounded); }), errc::too_large);
  }
  if (!can_be_split(GetParam())) return;
  const line_index index(file.path(), reading);
  file.append("\n");
  EXPECT_EQ(code_of([&] { return index[1]; }), errc::changed);
}

}  // namespace
}  // namespace riffle::test
