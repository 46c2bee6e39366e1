/// The pull reader gives values, arrays, lines and bytes exactly, and hostile lengths cost nothing.
#include <riffle/reader.hpp>

#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

constexpr std::size_t sizes[] = {1, 3, 7, 64, 4096, 65536, 0};
constexpr std::string_view lines_of_many = "abcdefghijklmnopqrstuvwxyz0123456789;\r\n\r\n";
constexpr std::uint64_t huge = std::uint64_t{1} << 62U;

class each_reader_method : public testing::TestWithParam<method> {
 protected:
  static read_options by(std::size_t block_size) { return {.method = GetParam(), .block_size = block_size}; }
};
INSTANTIATE_TEST_SUITE_P(methods, each_reader_method, testing::ValuesIn(usable_methods()), method_name);

TEST_P(each_reader_method, aligns_what_it_hands_out) {
  for (std::size_t shift = 0; shift < 9; ++shift) {
    std::string text(shift, 'x');
    for (std::uint64_t i = 0; i < 3000; ++i) put(text, i);
    const temporary_file file(text);
    for (const std::size_t size : sizes) {
      reader in(file.path(), by(size));
      in.skip(shift);
      std::uint64_t next = 0;
      for (const std::size_t count : {0U, 1U, 10U, 700U, 2289U}) {
        const auto values = in.take<std::uint64_t>(count);
        ASSERT_EQ(values.size(), count);
        ASSERT_EQ(reinterpret_cast<std::uintptr_t>(values.data()) % alignof(std::uint64_t), 0U);
        for (const std::uint64_t value : values) ASSERT_EQ(value, next++);
      }
      ASSERT_TRUE(in.at_end());
    }
  }
}

// Records of 11 bytes, unaligned, by one call or by four, in either byte order.
TEST_P(each_reader_method, gives_several_values_at_once) {
  std::string text;
  for (std::uint32_t i = 0; i != 500; ++i) {
    put(text, i * 0x01020304);
    put(text, static_cast<std::uint8_t>(i));
    put(text, static_cast<std::uint16_t>(i * 257));
    put(text, static_cast<float>(i) / 2);
  }
  const temporary_file file(text);
  for (std::size_t size = 1; size != 40; ++size) {
    reader in(file.path(), by(size));
    for (std::uint32_t i = 0; i != 500; ++i) {
      ASSERT_EQ(in.offset(), std::uint64_t{i} * 11);
      if (i % 3 == 0) {
        ASSERT_EQ((in.get<std::uint32_t, std::uint8_t, std::uint16_t, float>()),
                  std::make_tuple(i * 0x01020304, static_cast<std::uint8_t>(i),
                                  static_cast<std::uint16_t>(i * 257), static_cast<float>(i) / 2));
      } else {
        ASSERT_EQ(in.get<std::uint32_t>(), i * 0x01020304);
        const auto [low, high] = in.get<std::uint8_t, std::uint16_t>();
        ASSERT_EQ(low, static_cast<std::uint8_t>(i));
        ASSERT_EQ(high, static_cast<std::uint16_t>(i * 257));
        ASSERT_EQ(in.get<float>(), static_cast<float>(i) / 2);
      }
    }
    ASSERT_TRUE(in.at_end());
  }
}

TEST(reader, takes_values_where_they_lie_if_they_are_aligned_there) {
  alignas(8) const std::array<char, 20> bytes{1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                              11, 12, 13, 14, 15, 16, 17, 18, 19, 20};
  reader in(memory(std::string_view(bytes.data(), bytes.size())));
  EXPECT_EQ(reinterpret_cast<const char*>(in.take<std::uint32_t>(2).data()), bytes.data());
  in.skip(1);
  const auto copied = in.take<std::uint32_t>(2);
  EXPECT_NE(reinterpret_cast<const char*>(copied.data()), bytes.data() + 9);
  EXPECT_EQ(std::memcmp(copied.data(), bytes.data() + 9, 8), 0);
}

TEST(reader, gives_several_values_of_another_byte_order) {
  std::string text;
  put(text, std::uint16_t{0x0102});
  put(text, std::uint32_t{0x01020304});
  reader in{riffle::memory(text)};
  EXPECT_EQ((in.get<std::uint16_t, std::uint32_t>(other_order)),
            (std::tuple<std::uint16_t, std::uint32_t>(0x0201, 0x04030201)));
  struct pair {
    char bytes[2];
  };
  EXPECT_EQ(code_of([&] { in.get<char, pair>(other_order); }), errc::invalid_argument);
  reader structures(memory("ab"));
  EXPECT_EQ(code_of([&] { structures.get<pair>(other_order); }), errc::invalid_argument);
  EXPECT_EQ(structures.bytes(2), "ab") << "nothing was taken";
}

TEST(reader, stands_where_it_stood_after_a_failure) {
  const temporary_file file("abcdefghij");
  reader in(file.path(), {.method = method::read, .block_size = 3});
  for (const char first : {'a', 'b', 'c'}) {
    const std::uint64_t behind = static_cast<std::uint64_t>(first - 'a') + 1;
    EXPECT_EQ(in.get<char>(), first);
    EXPECT_EQ(code_of([&] { in.bytes(100); }), errc::unexpected_end);
    EXPECT_EQ(error_of([&] { in.skip(100); })->offset(), behind);
    EXPECT_EQ(code_of([&] { (void)in.line({.max_length = 2}); }), errc::record_too_long);
    EXPECT_EQ(in.offset(), behind);
  }
  reader moved = std::move(in);
  EXPECT_EQ(moved.line(), "defghij");
  EXPECT_TRUE(moved.at_end());
}

TEST(reader, stands_where_it_stood_after_an_exception_of_before_block) {
  const temporary_file file(numbered_lines(10'000));
  bool throws = false;
  const auto before = [&] {
    if (std::exchange(throws, false)) throw std::runtime_error("not now");
  };
  reader in(file.path(), {.method = method::read, .block_size = 4096, .watch = {.before_block = before}});
  in.skip(10);
  throws = true;
  EXPECT_THROW(in.skip(50'000), std::runtime_error);
  EXPECT_EQ(in.offset(), 10U);
  EXPECT_EQ(in.bytes(100), file.contents().substr(10, 100));
  in.skip(50'000);
  EXPECT_EQ(in.bytes(100), file.contents().substr(50'110, 100));
}

// Refused with the place, quickly, and with nothing taken.
template <class F>
void expect_refused(reader& in, errc code, F f) {
  const std::uint64_t before = in.offset();
  EXPECT_THAT(thrown_by([&] { f(in); }), is_error(code, before));
  EXPECT_EQ(in.offset(), before);
}

void expect_hostile_lengths_refused(reader& in) {
  EXPECT_EQ(in.bytes(3), "abc");
  EXPECT_EQ(in.bytes(0), "");
  const auto negative = [&](auto f) { expect_refused(in, errc::invalid_argument, f); };
  const auto too_long = [&](auto f) { expect_refused(in, errc::unexpected_end, f); };
  negative([](reader& r) { r.take<std::int32_t>(-1); });
  negative([](reader& r) { r.take<char>(std::numeric_limits<std::int64_t>::min()); });
  too_long([](reader& r) { r.take<std::int32_t>(std::numeric_limits<std::int32_t>::max()); });
  too_long([](reader& r) { r.take<std::uint64_t>(huge); });
  too_long([](reader& r) { r.take<char>(std::numeric_limits<std::uint64_t>::max()); });
  too_long([](reader& r) { r.bytes(std::numeric_limits<std::size_t>::max() / 4); });
  too_long([](reader& r) { r.get<std::uint64_t>(); });
  too_long([](reader& r) { r.get<char, std::uint16_t, char>(); });
  EXPECT_EQ(in.bytes(3), "def");
  EXPECT_TRUE(in.at_end());
  too_long([](reader& r) { r.get<char>(); });
}

TEST_P(each_reader_method, refuses_hostile_lengths) {
  const temporary_file file("abcdef");
  for (const std::size_t size : sizes) {
    reader in(file.path(), by(size));
    expect_hostile_lengths_refused(in);
    ASSERT_FALSE(HasFailure()) << size;
  }
}

TEST_P(each_reader_method, skips_no_further_than_the_end) {
  const temporary_file file("abcdef");
  for (const std::size_t size : sizes) {
    reader in(file.path(), by(size));
    in.skip(2);
    for (const std::uint64_t count :
         {std::uint64_t{5}, std::uint64_t{1000}, huge, std::numeric_limits<std::uint64_t>::max()}) {
      expect_refused(in, errc::unexpected_end, [&](reader& r) { r.skip(count); });
    }
    EXPECT_EQ(in.bytes(1), "c");
    in.skip(3);
    EXPECT_TRUE(in.at_end());
    in.skip(0);
    expect_refused(in, errc::unexpected_end, [](reader& r) { r.skip(1); });
  }
}

TEST(reader, refuses_hostile_lengths_of_memory_and_pipes) {
  reader memory(riffle::memory("abcdef"));
  expect_hostile_lengths_refused(memory);
  const fed_pipe pipe("abcdef", 1);
  reader stream(pipe.get());
  expect_hostile_lengths_refused(stream);
}

// A pipe cannot go back, so what was passed over is gone; the error says where the input ended.
TEST(reader, skips_in_a_pipe) {
  const fed_pipe pipe("abcdef", 1);
  reader in(pipe.get());
  in.skip(4);
  EXPECT_EQ(in.bytes(1), "e");
  EXPECT_THAT(thrown_by([&] { in.skip(2); }), is_error(errc::unexpected_end, 6U));
}

TEST_P(each_reader_method, bounds_lines_at_max_length) {
  const temporary_file file("abcd\r\nabcde\nx");
  for (const std::size_t size : sizes) {
    reader in(file.path(), by(size));
    EXPECT_EQ(in.line({.strip_cr = true, .max_length = 4}), "abcd");
    expect_refused(in, errc::record_too_long, [](reader& r) { r.line({.max_length = 4}); });
    expect_refused(in, errc::record_too_long, [](reader& r) { r.line({.strip_cr = true, .max_length = 4}); });
    EXPECT_EQ(in.line({.max_length = 5}), "abcde");
    EXPECT_EQ(in.line({.max_length = 1}), "x");
  }
}

// What the last call took can be given back, and no more: whatever the block and the method. The scan for
// lines goes on where it can, and starts again where it must: every way to move on, between lines cut by one
// option or another.
void walk(reader& in, std::string_view text, bool seekable, unsigned seed) {
  constexpr line_options cuts[] = {
      {}, {}, {.keep_delimiter = true}, {.strip_cr = true}, {.delimiter = 'a'}, {.delimiter = ';'}};
  std::mt19937 random(seed);
  std::size_t place = 0;
  std::size_t taken = 0;  // by the last call
  for (int step = 0; step != 600; ++step) {
    const std::size_t left = text.size() - place;
    const std::size_t count = random() % (random() % 4 == 0 ? 9000 : 20);
    const std::size_t most = std::min(count, left);
    const std::size_t before = place;
    bool sought = false;
    switch (random() % 14) {
      case 8: {
        std::vector<char> into(count);
        ASSERT_EQ(in.read(into), most);
        ASSERT_EQ(std::string_view(into.data(), most), text.substr(place, most));
        place += most;
        sought = true;  // nothing of it can be given back
        break;
      }
      case 0: {
        std::vector<char> into(count);
        const std::size_t size = in.read_some(into);
        ASSERT_LE(size, most);
        ASSERT_EQ(size == 0, most == 0);
        ASSERT_EQ(std::string_view(into.data(), size), text.substr(place, size));
        place += size;
        break;
      }
      case 1:
        ASSERT_EQ(in.peek(count), text.substr(place, most));
        break;
      case 2:
        ASSERT_EQ(in.peek(), left == 0 ? std::nullopt : std::optional(text[place]));
        break;
      case 3:
        ASSERT_EQ(in.bytes(most), text.substr(place, most));
        place += most;
        break;
      case 9:
        in.skip(most);
        place += most;
        sought = true;
        break;
      case 4:
      case 10:
      case 11:
      case 12: {
        const line_options& cut = cuts[random() % std::size(cuts)];
        const std::size_t end = std::min(text.find(cut.delimiter, place), text.size() - 1) + 1;
        const std::vector<std::string> expected = naive_lines(text.substr(place, end - place), cut);
        ASSERT_EQ(in.line(cut), left == 0 ? std::nullopt : std::optional(expected.front()));
        place = left == 0 ? place : end;
        break;
      }
      case 5:
        if (left < 3) continue;
        ASSERT_EQ((in.get<char, char, char>()),
                  std::make_tuple(text[place], text[place + 1], text[place + 2]));
        place += 3;
        break;
      case 6:
        ASSERT_EQ(in.at_end(), left == 0);
        break;
      case 7:
        if (!seekable) continue;
        place = random() % (text.size() + 1);
        in.seek(place);
        sought = true;
        break;
      default:
        ASSERT_EQ(code_of([&] { in.unread(taken + 1); }), errc::invalid_argument);
        place -= random() % (taken + 1);
        in.unread(before - place);
        taken -= before - place;
        ASSERT_EQ(in.offset(), place);
        continue;
    }
    ASSERT_EQ(in.offset(), place);
    taken = sought ? 0 : place - before;
  }
}

TEST_P(each_reader_method, looks_ahead_and_gives_back) {
  const std::string text = random_text(30'000, 14, lines_of_many);
  const temporary_file file(text);
  for (const std::size_t size : sizes) {
    for (unsigned seed = 0; seed != 3; ++seed) {
      reader in(file.path(), by(size));
      walk(in, text, true, seed);
      ASSERT_FALSE(HasFatalFailure()) << size << ' ' << seed;
    }
  }
}

TEST_P(each_reader_method, finds_the_line_again_that_was_given_back) {
  const std::string text = random_text(50'000, 16, "abcdefghijklmnopqrstuvwxyz\n");
  const temporary_file file(text);
  for (const std::size_t size : sizes) {
    reader in(file.path(), by(size));
    for (std::size_t place = 0; place < text.size(); place = in.offset()) {
      const std::string line(in.line().value());
      in.unread(static_cast<std::size_t>(in.offset() - place));
      ASSERT_EQ(in.line(), line) << size << ' ' << place;
    }
  }
}

TEST(reader, looks_ahead_and_gives_back_in_memory_and_a_pipe) {
  const std::string text = random_text(30'000, 15, lines_of_many);
  reader in{memory(text)};
  walk(in, text, true, 1);
  const fed_pipe pipe(text, 700);
  reader stream(pipe.get());
  walk(stream, text, false, 2);
  const std::uint64_t place = stream.offset();
  EXPECT_EQ(code_of([&] { stream.seek(0); }), std::errc::invalid_seek);
  EXPECT_EQ(stream.offset(), place);
}

TEST(reader, seeks_past_the_end_and_back) {
  reader in(memory("abc"));
  in.seek(100);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(in.peek(), std::nullopt);
  EXPECT_EQ(in.peek(3), "");
  in.seek(2);
  EXPECT_EQ(in.get<char>(), 'c');
  in.unread(1);
  EXPECT_EQ(in.line(), "c");
  const reader moved = std::move(in);
  EXPECT_EQ(code_of([&] { in.unread(1); }), errc::invalid_argument);
}

TEST_P(each_reader_method, skips_from_where_a_descriptor_stands) {
  const temporary_file file(numbered_lines(1000));
  const owned_descriptor opened = open_at(file.path(), 7);
  reader in(opened.get(), by(64));
  EXPECT_EQ(in.offset(), 7U);
  in.skip(7);
  EXPECT_EQ(in.line(), "line 2");
}

}  // namespace
}  // namespace riffle::test
