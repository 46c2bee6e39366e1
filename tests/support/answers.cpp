/// What each way to read delivers of a file is compared with the truth, until it fails or ends.
#include "tests/support/answers.hpp"

#include <algorithm>

#include "tests/support/posix/ways.hpp"

namespace riffle::test {

namespace {

bool is_one_of(const std::error_code& code, const std::vector<std::error_condition>& codes) {
  return std::any_of(codes.begin(), codes.end(), [&](const auto& each) { return code == each; });
}

void expect_right(const answer& given) {
  EXPECT_TRUE(given.right) << given.way << ": what was delivered is not how the file begins";
  EXPECT_TRUE(given.whole || given.failure) << given.way << ": a short answer without an error";
}

void expect_error(const answer& given, const std::filesystem::path& file,
                  const std::vector<std::error_condition>& codes, std::optional<std::uint64_t> offset) {
  const error& failure = *given.failure;
  EXPECT_TRUE(is_one_of(failure.code(), codes)) << given.way << ": " << failure.what();
  EXPECT_FALSE(failure.operation().empty()) << given.way << ": " << failure.what();
  EXPECT_EQ(failure.path(), file.string()) << given.way;
  if (offset) {
    EXPECT_EQ(failure.offset(), offset) << given.way << ": " << failure.what();
  }
}

answer answer_of(const way& how, const std::filesystem::path& file, std::string_view truth,
                 const read_options& reading) {
  const std::string expected = how.truth(truth);
  delivery got{.reading = reading, .truth = expected};
  auto failure = error_of([&] { how.read(file, got); });
  const bool right = got.wrong.empty() && expected.starts_with(got.bytes);
  return {how.name, right, right && got.bytes == expected, std::move(failure)};
}

}  // namespace

answer answer_in_blocks(const std::filesystem::path& file, std::string_view truth,
                        const read_options& reading) {
  return answer_of(way_named("blocks"), file, truth, reading);
}

std::vector<answer> answers(const std::filesystem::path& file, std::string_view truth,
                            const read_options& reading) {
  std::vector<answer> all;
  for (const way& how : ways()) all.push_back(answer_of(how, file, truth, reading));
  return all;
}

void expect_right_or_error(const std::vector<answer>& given, const std::filesystem::path& file,
                           const std::vector<std::error_condition>& codes,
                           std::optional<std::uint64_t> offset) {
  for (const answer& each : given) {
    expect_right(each);
    if (each.failure) expect_error(each, file, codes, offset);
  }
}

void expect_errors(const std::vector<answer>& given, const std::filesystem::path& file,
                   const std::vector<std::error_condition>& codes, std::optional<std::uint64_t> offset) {
  expect_right_or_error(given, file, codes, offset);
  for (const answer& each : given) EXPECT_TRUE(each.failure) << each.way << ": no error";
}

void expect_whole(const std::vector<answer>& given) {
  for (const answer& each : given) {
    EXPECT_FALSE(each.failure) << each.way << ": " << each.failure->what();
    EXPECT_TRUE(each.whole) << each.way;
  }
}

}  // namespace riffle::test
