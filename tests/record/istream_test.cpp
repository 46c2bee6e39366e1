/// A stream over an input does what a std::ifstream does, and tells why it failed.
#include <riffle/istream.hpp>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// One call of a stream, and what can be seen of it.
std::string step(std::istream& in, std::mt19937& random) {
  const auto offset = static_cast<std::streamoff>(random() % 400);
  std::string got;
  std::array<char, 30> space{};
  const auto room = static_cast<std::streamsize>(random() % space.size() + 1);
  int number = 0;
  const auto action = static_cast<unsigned>(random() % 17);
  if (action == 0) in.clear();
  if (action == 1) std::getline(in, got);
  if (action == 2) got = std::to_string(in.get());
  if (action == 3) got = std::to_string(in.peek());
  if (action == 4 && in.get() != std::istream::traits_type::eof()) in.unget();
  if (action == 5 && in.get() != std::istream::traits_type::eof() && in.peek() != 0) in.unget();
  if (action == 6) in >> got;
  if (action == 7) in >> number;
  if (action == 8) in.read(space.data(), room);
  if (action == 9) in.getline(space.data(), room, 'b');
  if (action == 10) in.ignore(room, ' ');
  if (action == 11) in.seekg(offset);
  if (action == 12) in.seekg(offset / 10 - 20, std::ios::cur);
  if (action == 13) in.seekg(-offset, std::ios::end);
  if (action == 14) in >> std::ws;
  if (action == 15) {  // libstdc++'s tellg is wrong until the byte is read and one after it
    const auto other = static_cast<char>(random());
    for (int i = 0; i != room / 10; ++i) in.putback(other);
    for (int i = 0; i != 4; ++i) got += std::to_string(in.get()) + ' ';
  }
  if (action == 16) {
    for (int i = 0; i != room / 4; ++i) in.unget();
  }
  const auto state = in.rdstate();
  const auto place = in.tellg();
  return std::to_string(action) + ": " + got + std::string(space.data(), space.size()) + ", " +
         std::to_string(number) + ", " + std::to_string(in.gcount()) + ", state " + std::to_string(state) +
         ", at " + std::to_string(std::streamoff(place));
}

EACH_METHOD(each_istream_method);

TEST_P(each_istream_method, does_what_a_file_stream_does) {
  const std::string text = random_text(300, 9, "ab1 \n") + "end";
  const temporary_file file(text);
  for (unsigned seed = 0; seed != 300; ++seed) {
    istream in(file.path(), {.method = GetParam(), .block_size = seed % 7 + 1});
    in.exceptions(std::ios::goodbit);
    std::ifstream same(file.path(), std::ios::binary);
    std::mt19937 random(seed);
    for (int i = 0; i != 60; ++i) {
      std::mt19937 again = random;
      const std::string expected = step(same, again);
      ASSERT_EQ(step(in, random), expected) << "seed " << seed << ", step " << i;
    }
    EXPECT_EQ(in.error(), nullptr);
  }
}

EACH_CONTAINER(each_decoded_stream);

TEST_P(each_decoded_stream, has_the_bytes_and_no_positions) {
  const std::string bytes = member("a\nb\n");
  istream in(memory(bytes), {.decode = GetParam().format});
  EXPECT_EQ(in.tellg(), -1);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), "a\nb\n");
}

TEST_P(each_decoded_stream, throws_the_failure_unless_it_is_asked_not_to) {
  const std::string whole = member(random_text(100'000, 3, "abcdefgh\n"));
  const memory cut(std::string_view(whole).substr(0, whole.size() - 9));
  std::string line;
  const auto read = [&](istream& from) {
    while (std::getline(from, line)) {
    }
  };
  istream in(cut, {.decode = GetParam().format});
  EXPECT_THROW(read(in), riffle::error);
  ASSERT_NE(in.error(), nullptr);
  EXPECT_EQ(in.error()->code(), errc::unexpected_end);
  istream quiet(cut, {.decode = GetParam().format});
  quiet.exceptions(std::ios::goodbit);
  EXPECT_NO_THROW(read(quiet));
  EXPECT_TRUE(quiet.bad());
  EXPECT_EQ(quiet.error()->offset(), in.error()->offset());
}

// Where the source is not seekable there is one byte to go back by, and one of another kind.
TEST_P(each_decoded_stream, takes_another_byte_back_at_each_place_of_small_blocks) {
  const std::string text = "abcdefghij";
  const std::string bytes = member(text);
  for (std::size_t size = 1; size != 10; ++size) {
    istream in(memory(bytes), {.block_size = size, .decode = GetParam().format});
    std::string found;
    for (const char expected : text) {
      ASSERT_EQ(in.get(), expected) << size;
      found += static_cast<char>(in.unget().get());
      found += static_cast<char>(in.putback(expected).get());
      found += static_cast<char>(in.putback('!').get());
      ASSERT_EQ(in.rdbuf()->sungetc(), '!') << "as std::filebuf";
      in.get();
    }
    EXPECT_EQ(found, "aa!bb!cc!dd!ee!ff!gg!hh!ii!jj!");
    EXPECT_EQ(in.get(), std::istream::traits_type::eof());
  }
}

TEST(stream, tells_what_is_there_without_reading) {
  istream in(memory("abc"));
  EXPECT_EQ(in.rdbuf()->in_avail(), 3);
  in.ignore(3);
  EXPECT_EQ(in.peek(), std::istream::traits_type::eof());
  EXPECT_EQ(in.rdbuf()->in_avail(), -1);
}

TEST(stream, has_no_place_to_write_at) {
  istream in(memory("abc"));
  EXPECT_EQ(in.rdbuf()->pubseekpos(1, std::ios::out), -1);
  EXPECT_EQ(in.get(), 'a');
}

TEST(stream, can_be_moved_and_then_is_empty) {
  istream first(memory("ab cd"));
  std::string word;
  first >> word;
  istream second(std::move(first));
  second >> word;
  EXPECT_EQ(word, "cd");
  EXPECT_FALSE(first >> word);  // NOLINT(bugprone-use-after-move)
  EXPECT_EQ(first.error(), nullptr);
  first = istream(memory("ef"));
  first >> word;
  EXPECT_EQ(word, "ef");
  EXPECT_EQ(first.from().size_hint(), 2U);
}

TEST(stream, refuses_what_cannot_be_opened) {
  EXPECT_THROW(istream(std::filesystem::path("/missing/file")), riffle::error);
}

}  // namespace
}  // namespace riffle::test
