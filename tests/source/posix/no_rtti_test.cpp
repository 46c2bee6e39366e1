/// A stream whose class was compiled with -fno-rtti, as this file is.
#include <gtest/gtest.h>
#include <riffle/count.hpp>

#include <array>
#include <istream>
#include <streambuf>

namespace riffle::test {
namespace {

class letters : public std::streambuf {
  int_type underflow() override {
    if (next_ > 'z') return traits_type::eof();
    byte_[0] = next_++;
    setg(byte_.data(), byte_.data(), byte_.data() + 1);
    return traits_type::to_int_type(byte_[0]);
  }
  char next_ = 'a';
  std::array<char, 1> byte_{};
};

TEST(a_stream_without_rtti, is_read_by_what_it_has_ready) {
  letters buffer;
  std::istream in(&buffer);
  EXPECT_EQ(read_all(in), "abcdefghijklmnopqrstuvwxyz");
}

}  // namespace
}  // namespace riffle::test
