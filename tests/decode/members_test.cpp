/// What a member gives if the bytes below are lost meanwhile.
#include <riffle/riffle.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "decode/members.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// Hands out half of the bytes, and then finds that its file was cut: they may have been lost by then.
class lost_file final : public active_method {
 public:
  explicit lost_file(std::string_view bytes) : half_(bytes.substr(0, bytes.size() / 2)) {}

  std::span<char> next() override { return half_; }
  void check(std::uint64_t trusted) const override {
    if (lost) throw error(errc::truncated, "read", "a file", trusted, "");
  }
  void seek(std::uint64_t /*offset*/) override {}

  bool lost = false;

 private:
  std::string half_;
};

TEST(members, give_no_bytes_that_were_made_of_lost_ones) {
  int tried = 0;
  for (const container& each : containers()) {
    if (missing(each)) continue;
    lost_file file(each.member(patterned_bytes(300'000)));
    decode::compressed_input from(file, 0);
    from.fetch();
    file.lost = true;
    const decode::format& of = *decode::find_format(each.format);
    const auto codec = of.open(1);
    decode::member_reader reader(of, from, *codec, true);
    std::vector<char> space(1'000'000);
    EXPECT_THROW(static_cast<void>(reader.read(space)), error) << each.name;
    ++tried;
  }
  if (tried == 0) GTEST_SKIP() << "this build decodes nothing";
}

// What was read before may have been no bytes of the file either.
TEST(members, say_how_many_bytes_had_a_checksum_before_a_read_failed) {
  int tried = 0;
  for (const container& each : containers()) {
    if (missing(each) || each.name == "bgzf") continue;  // whose blocks are members
    const std::string member = each.member(patterned_bytes(300'000));
    lost_file file(member + member + member);
    decode::compressed_input from(file, 0);
    const decode::format& of = *decode::find_format(each.format);
    const auto codec = of.open(1);
    decode::member_reader reader(of, from, *codec, true);
    std::vector<char> space(1'000'000);
    EXPECT_GE(reader.read(space), 300'000U) << each.name;
    file.lost = true;
    try {
      while (reader.read(space) != 0) continue;
      ADD_FAILURE() << "no error was thrown";
    } catch (const decode::read_failure& failure) {
      EXPECT_EQ(failure.verified(), 300'000U) << each.name;
    }
    ++tried;
  }
  if (tried == 0) GTEST_SKIP() << "this build decodes nothing";
}

}  // namespace
}  // namespace riffle::test
