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

// Calls `f` with a reader of members, their file and their format.
template <class F>
void for_each_container(int copies, F f) {
  int tried = 0;
  for (const container& each : containers()) {
    if (missing(each)) continue;
    SCOPED_TRACE(each.name);
    std::string members;
    for (int i = 0; i != copies; ++i) members += each.member(patterned_bytes(300'000));
    lost_file file(members);
    decode::compressed_input from(file, 0);
    const decode::format& of = *decode::find_format(each.format);
    const auto codec = of.open(1);
    from.fetch();
    f(decode::member_reader(of, from, *codec, true), file, each);
    ++tried;
  }
  if (tried == 0) GTEST_SKIP() << "this build decodes nothing";
}

TEST(members, give_no_bytes_that_were_made_of_lost_ones) {
  for_each_container(1, [](decode::member_reader reader, lost_file& file, const container&) {
    file.lost = true;
    std::vector<char> space(1'000'000);
    EXPECT_THROW(static_cast<void>(reader.read(space)), error);
  });
}

// What was read before may have been no bytes of the file either.
TEST(members, say_how_many_bytes_had_a_checksum_before_a_read_failed) {
  for_each_container(3, [](decode::member_reader reader, lost_file& file, const container& each) {
    if (each.name == "bgzf") return;  // whose blocks are members
    std::vector<char> space(1'000'000);
    EXPECT_GE(reader.read(space), 300'000U);
    file.lost = true;
    try {
      while (reader.read(space) != 0) continue;
      ADD_FAILURE() << "no error was thrown";
    } catch (const decode::read_failure& failure) {
      EXPECT_EQ(failure.verified(), 300'000U);
    }
  });
}

}  // namespace
}  // namespace riffle::test
