/// Any line and delimiter give the fields that a plain loop gives, as a range, by for_each and by split.
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <riffle/fields.hpp>

#include "fuzz/support/require.hpp"
#include "tests/support/oracles.hpp"

namespace riffle::fuzz {
namespace {

void check_range(std::string_view line, char delimiter, const std::vector<std::string>& expected) {
  const field_view all = fields(line, delimiter);
  require(std::ranges::equal(all, expected), "the range gives the fields");
  std::size_t place = 0;
  for (const std::string_view field : all) {
    require(field.data() == line.data() + place, "a field lies where it stands in the line");
    place += field.size() + 1;
  }
}

void check_for_each(std::string_view line, char delimiter, const std::vector<std::string>& expected,
                    std::size_t most) {
  std::size_t calls = 0;
  for_each(fields(line, delimiter), [&](std::string_view field) {
    require(calls < expected.size() && field == expected[calls], "for_each gives the fields");
    return ++calls != most;
  });
  require(calls == (most == 0 ? expected.size() : std::min(most, expected.size())), "for_each stops in time");
}

void check_split(std::string_view line, char delimiter, const std::vector<std::string>& expected,
                 std::size_t room) {
  constexpr std::string_view untouched = "untouched";
  std::vector<std::string_view> into(room, untouched);
  require(fields(line, delimiter, into) == expected.size(), "split counts the fields");
  for (std::size_t i = 0; i < room; ++i) {
    require(into[i] == (i < expected.size() ? expected[i] : untouched), "split stores the fields that fit");
  }
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  if (size < 2) return 0;
  const char delimiter = static_cast<char>(data[0]);
  const std::size_t room = data[1];
  const std::vector<char> bytes(data + 2, data + size);  // of their own, so that a read outside is seen
  const std::string_view line(bytes.data(), bytes.size());
  const std::vector<std::string> expected = riffle::test::naive_fields(line, delimiter);
  check_range(line, delimiter, expected);
  check_for_each(line, delimiter, expected, room);
  check_split(line, delimiter, expected, room);
  return 0;
}
