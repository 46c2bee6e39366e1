/// What becomes of exceptions in C: each code, the words of each remedy, and a message of any length.
#include <gtest/gtest.h>
#include <riffle.h>
#include <riffle/error.hpp>

#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "c/guarded.hpp"

namespace riffle::test {
namespace {

template <class Thrown>
riffle_error reported(const Thrown& thrown) {
  riffle_error to;
  std::memset(&to, 0xEE, sizeof to);
  EXPECT_EQ(c::guarded(&to, [&] { throw thrown; }), to.code);
  EXPECT_EQ(c::guarded(nullptr, [&] { throw thrown; }), to.code);
  return to;
}

TEST(an_error_in_c, words_each_remedy) {
  struct row {
    remedy helps;
    int number;
    const char* words;
  };
  for (const row& each : {
           row{{}, RIFFLE_REMEDY_NONE, ""},
           {{advice::use_method, "read"}, RIFFLE_REMEDY_USE_METHOD, "; use method read"},
           {{advice::use_method}, RIFFLE_REMEDY_USE_METHOD, "; use another method"},
           {{advice::use_decoding, "gzip"}, RIFFLE_REMEDY_USE_DECODING, "; use decode gzip"},
           {{advice::use_blocks},
            RIFFLE_REMEDY_USE_BLOCKS,
            "; read it with riffle_blocks_open or another method"},
           {{advice::set_max_length},
            RIFFLE_REMEDY_SET_MAX_LENGTH,
            "; set max_length to refuse a record this long"},
           {{advice::name_null}, RIFFLE_REMEDY_NAME_NULL, ""},
           {{advice::one_decode_thread},
            RIFFLE_REMEDY_ONE_DECODE_THREAD,
            "; open it again, or set decode_threads to 1"},
       }) {
    const error failure(errc::truncated, "read", "a", 5, "why", each.helps, 3);
    const riffle_error found = reported(failure);
    EXPECT_EQ(found.code, RIFFLE_TRUNCATED);
    EXPECT_EQ(found.message, failure.message() + each.words);
    EXPECT_EQ(found.remedy, each.number);
    EXPECT_EQ(found.offset, 5U);
    EXPECT_EQ(found.compressed_offset, 3U);
    EXPECT_EQ(found.reserved[3], 0U);
  }
}

TEST(an_error_in_c, has_a_code_for_everything_that_is_thrown) {
  const auto system = [](int number) {
    return reported(error(std::error_code(number, std::generic_category()), "open", "a"));
  };
  EXPECT_EQ(system(ENOENT).code, RIFFLE_SYSTEM);
  EXPECT_EQ(system(ENOENT).system_error, ENOENT);
  EXPECT_EQ(system(ENOMEM).code, RIFFLE_NO_MEMORY);
  EXPECT_EQ(reported(std::bad_alloc()).code, RIFFLE_NO_MEMORY);
  EXPECT_EQ(reported(c::stopped{-3}).code, RIFFLE_STOPPED);
  EXPECT_EQ(reported(c::stopped{-3}).returned, -3);
  EXPECT_EQ(reported(c::refusal{"x"}).code, RIFFLE_INVALID_ARGUMENT);
  EXPECT_STREQ(reported(std::runtime_error("words")).message, "a C++ exception: words");
  EXPECT_EQ(reported(5).code, RIFFLE_EXCEPTION);
  EXPECT_EQ(reported(5).offset, RIFFLE_NO_OFFSET);
}

// Whatever its size, the start and the end of a message are there.
TEST(an_error_in_c, keeps_both_ends_of_a_long_message) {
  for (std::size_t size = 900; size != 1200; ++size) {
    const std::string words(size, 'w');
    const error failure(errc::truncated, "read", words, std::nullopt, "the end",
                        {advice::use_method, "read"});
    const std::string whole = failure.message() + "; use method read";
    const std::string found = reported(failure).message;
    if (whole.size() < sizeof riffle_error::message) {
      EXPECT_EQ(found, whole);
      continue;
    }
    EXPECT_EQ(found.size(), sizeof riffle_error::message - 1);
    const std::size_t gap = found.find("...");
    EXPECT_TRUE(whole.starts_with(found.substr(0, gap)));
    EXPECT_TRUE(whole.ends_with(found.substr(gap + 3)));
  }
}

}  // namespace
}  // namespace riffle::test
