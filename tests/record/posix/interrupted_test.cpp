/// A stream or an object throws an exception of its own at any of its calls: what is read on after it has
/// every byte, and what is destroyed ends well.
#include <gtest/gtest.h>
#include <riffle/riffle.hpp>

#include <algorithm>
#include <atomic>
#include <istream>
#include <streambuf>
#include <string>

#include "tests/support/compress.hpp"
#include "tests/support/object.hpp"
#include "tests/support/posix/ways.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct interruption {};

// Gives a few bytes at a time, and throws once.
class interrupted_bytes : public std::streambuf {
 public:
  interrupted_bytes(std::string bytes, std::size_t piece, std::size_t at)
      : bytes_(std::move(bytes)), piece_(piece), left_(at) {}
  bool has_thrown() const { return left_ == 0; }
  riffle::input input() { return stream_; }

 private:
  int_type underflow() override {
    if (left_ != 0 && --left_ == 0) throw interruption();
    const std::size_t size = std::min(piece_, bytes_.size() - given_);
    if (size == 0) return traits_type::eof();
    setg(bytes_.data() + given_, bytes_.data() + given_, bytes_.data() + given_ + size);
    given_ += size;
    return traits_type::to_int_type(*gptr());
  }

  std::string bytes_;
  std::size_t piece_;
  std::size_t left_;  // calls until it throws
  std::size_t given_ = 0;
  std::istream stream_{this};
};

// The same as an object of the user's.
template <class Object>
class interrupted_object {
 public:
  interrupted_object(const std::string& bytes, std::size_t piece, std::size_t at)
      : at_(at), object_{bytes_at_offsets{bytes, piece, [this] {
                                            if (++calls_ == at_) throw interruption();
                                          }}} {}
  bool has_thrown() const { return calls_ >= at_; }
  riffle::input input() { return object_; }

 private:
  std::atomic<std::size_t> calls_ = 0;
  std::size_t at_;  // the call that throws
  Object object_;
};

const std::string text = "a,b c\nde,f gh i\n\nlast,line of 56 bytes, and with an end\n";

// Reads until each call has thrown once.
template <class Bytes>
void expect_all_bytes(const std::string& compressed, std::size_t piece, const way& how, decoding format) {
  const std::string expected = how.truth(text);
  for (std::size_t at = 1;; ++at) {
    SCOPED_TRACE(std::string(how.name) + ", call " + std::to_string(at) + ", " +
                 std::string(name_of(format)));
    Bytes bytes(compressed, piece, at);
    delivery got{.reading = {.block_size = piece, .queue_depth = 3, .decode = format}, .truth = expected};
    bool met = false;
    try {
      how.read(bytes.input(), got);
    } catch (const interruption&) {
      met = true;
    }
    EXPECT_EQ(met, bytes.has_thrown());
    EXPECT_EQ(got.wrong, "");
    EXPECT_TRUE(expected.starts_with(got.bytes));
    if (!met || got.goes_on) {
      EXPECT_EQ(got.bytes, expected);
    }
    if (!met || testing::Test::HasFailure()) return;
  }
}

void expect_all_bytes(const std::string& compressed, std::size_t piece, const way& how, decoding format) {
  expect_all_bytes<interrupted_bytes>(compressed, piece, how, format);
  expect_all_bytes<interrupted_object<bytes_in_order>>(compressed, piece, how, format);
  expect_all_bytes<interrupted_object<bytes_at_offsets>>(compressed, piece, how, format);
}

class each_interrupted : public of_container {};
INSTANTIATE_TEST_SUITE_P(formats, each_interrupted, testing::ValuesIn(containers()), container_name);

// What stands between members is passed in steps too.
TEST_P(each_interrupted, stream_loses_no_byte) {
  const bool skips = GetParam().format == decoding::zstd || GetParam().format == decoding::lz4;
  const std::string frame = skips ? skippable_frame("twenty bytes of this") : "";
  const std::string members =
      frame + member(text.substr(0, 20)) + std::string(44, '\0') + frame + member(text.substr(20)) + frame;
  for (const way& how : ways()) {
    expect_all_bytes(members, 20, how, GetParam().format);
    if (GetParam().format != decoding::zlib) expect_all_bytes(members, 20, how, decoding::automatic);
  }
}

TEST(an_interrupted_stream, of_plain_bytes_loses_none) {
  for (const way& how : ways()) {
    for (const decoding format : {decoding::none, decoding::automatic}) {
      for (const std::size_t piece : {1U, 5U, 100U}) expect_all_bytes(text, piece, how, format);
    }
  }
}

// The mark is looked for in as many blocks as it takes.
TEST(an_interrupted_stream, of_rows_loses_none_of_a_byte_order_mark) {
  for (const std::string front : {"\xEF\xBB\xBF", "\xEF\xBB", "\xEF", ""}) {
    for (std::size_t at = 1; at != 9; ++at) {
      interrupted_bytes buffer(front + "a,b\nc,d\n", 1, at);
      row_range all = rows(buffer.input(), plain);
      std::string found;
      const auto read = [&] {
        for (const row fields : all) found.append(fields[0]).append(fields[1]);
      };
      EXPECT_THROW(read(), interruption);
      read();
      EXPECT_EQ(found, (front.size() == 3 ? "" : front) + "abcd") << front.size() << ", " << at;
    }
  }
}

// Reads an input whose calls throw once, each in turn, in pieces of any size, and goes on.
template <auto make, auto deliver>
void expect_the_same(const std::string& bytes) {
  std::string expected;
  for (const auto& record : make(memory(bytes), {})) deliver(expected, record);
  for (std::size_t piece = 1; piece != bytes.size() + 2; ++piece) {
    bool met = true;
    for (std::size_t at = 1; met; ++at) {
      interrupted_object<bytes_in_order> object(bytes, piece, at);
      met = false;
      std::string found;
      auto range = make(object.input(), {.block_size = piece});
      const auto read = [&] {
        for (const auto& record : range) deliver(found, record);
      };
      try {
        read();
      } catch (const interruption&) {
        met = true;
        read();
      }
      ASSERT_EQ(found, expected) << piece << ", " << at;
    }
  }
}

TEST(an_interrupted_stream, of_numbers_and_sequences_loses_none) {
  expect_the_same<[](const input& from, const read_options& how) { return numbers<int>(from, how); },
                  [](std::string& to, int number) { to += std::to_string(number) + ';'; }>(
      " 12 -345\n\n+6789\t1 22 ");
  expect_the_same<[](const input& from, const read_options& how) { return fastq(from, {}, how); },
                  [](std::string& to, const fastq_record& read) {
                    to.append(read.name).append(read.sequence).append(read.quality) += ';';
                  }>("@a 1\nACGT\n+\nIIII\n@b\r\nAC\r\n+b\r\n@@\r\n@c\nA\n+\n@");
  expect_the_same<[](const input& from, const read_options& how) { return fasta(from, {}, how); },
                  [](std::string& to, const fasta_record& each) {
                    to.append(each.name).append(each.sequence) += ';';
                  }>(">a 1\nACGT\nAC\n>b\n\n>c\r\nACG\r\nT\r\n>d\nA");
}

}  // namespace
}  // namespace riffle::test
