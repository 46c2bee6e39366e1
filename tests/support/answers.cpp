/// Each record type is compared with a plain loop over the truth, record by record, until it fails or ends.
#include "tests/support/answers.hpp"

#include <riffle/riffle.hpp>

#include <algorithm>
#include <cstring>

namespace riffle::test {

namespace {

// Takes records one by one and compares them with those expected.
class comparison {
 public:
  explicit comparison(std::vector<std::string> expected) : expected_(std::move(expected)) {}
  void take(std::string_view record) {
    right_ = right_ && taken_ < expected_.size() && record == expected_[taken_];
    ++taken_;
  }
  bool right() const { return right_; }
  bool whole() const { return right_ && taken_ == expected_.size(); }

 private:
  std::vector<std::string> expected_;
  std::size_t taken_ = 0;
  bool right_ = true;
};

std::vector<std::string> pieces(std::string_view truth, std::size_t size) {
  std::vector<std::string> all;
  for (std::size_t at = 0; at < truth.size(); at += size) all.emplace_back(truth.substr(at, size));
  return all;
}

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <class Read>
answer records(std::string_view type, std::vector<std::string> expected, Read read) {
  comparison found(std::move(expected));
  auto failure = error_of([&] { read([&](std::string_view record) { found.take(record); }); });
  return {type, found.right(), found.whole(), std::move(failure)};
}

template <class Read>
answer joined(std::string_view type, std::string_view truth, Read read) {
  std::string bytes;
  auto failure = error_of([&] { read(bytes); });
  return {type, truth.starts_with(bytes), truth == bytes, std::move(failure)};
}

template <class Count>
answer counted(std::string_view type, std::uint64_t expected, unsigned threads, Count count) {
  std::uint64_t found = 0;
  auto failure = error_of([&] { static_cast<void>(count(count_options{threads, &found})); });
  return {type, found <= expected, found == expected, std::move(failure)};
}

bool is_one_of(const std::error_code& code, const std::vector<std::error_condition>& codes) {
  return std::any_of(codes.begin(), codes.end(), [&](const auto& each) { return code == each; });
}

void expect_right(const answer& given) {
  EXPECT_TRUE(given.right) << given.type << ": what was delivered is not how the file begins";
  EXPECT_TRUE(given.whole || given.failure) << given.type << ": a short answer without an error";
}

void expect_error(const answer& given, const std::filesystem::path& file,
                  const std::vector<std::error_condition>& codes, std::optional<std::uint64_t> offset) {
  const error& failure = *given.failure;
  EXPECT_TRUE(is_one_of(failure.code(), codes)) << given.type << ": " << failure.what();
  EXPECT_FALSE(failure.operation().empty()) << given.type << ": " << failure.what();
  EXPECT_EQ(failure.path(), file.string()) << given.type;
  if (offset) {
    EXPECT_EQ(failure.offset(), offset) << given.type << ": " << failure.what();
  }
}

}  // namespace

answer answer_in_blocks(const std::filesystem::path& file, std::string_view truth,
                        const read_options& reading) {
  return joined("blocks", truth, [&](std::string& found) {
    for (const block& part : blocks(file, reading)) found += part.bytes;
  });
}

std::vector<answer> answers(const std::filesystem::path& file, std::string_view truth,
                            const read_options& reading) {
  const auto newlines = static_cast<std::uint64_t>(std::count(truth.begin(), truth.end(), '\n'));
  const std::vector<std::string> words_expected = naive_words(truth);
  std::vector<answer> all;
  all.push_back(answer_in_blocks(file, truth, reading));
  all.push_back(records("lines", naive_lines(truth), [&](auto take) {
    for (const std::string_view line : lines(file, reading)) take(line);
  }));
  all.push_back(records("for_each line", naive_lines(truth), [&](auto take) {
    for_each(lines(file, reading), [&](std::string_view line) { take(line); });
  }));
  all.push_back(records("words", words_expected, [&](auto take) {
    for (const std::string_view word : words(file, reading)) take(word);
  }));
  all.push_back(records("values", pieces(truth, 8), [&](auto take) {
    for (const std::uint64_t value : values<std::uint64_t>(file, reading)) take(bytes_of(value));
  }));
  all.push_back(joined("bytes", truth, [&](std::string& found) {
    for (const char byte : bytes(file, reading)) found += byte;
  }));
  all.push_back(records("reader", pieces(truth, 8), [&](auto take) {
    reader in(file, reading);
    while (!in.at_end()) take(bytes_of(in.get<std::uint64_t>()));
  }));
  for (const unsigned threads : {1U, 3U}) {
    all.push_back(counted("count_lines", newlines, threads,
                          [&](const count_options& how) { return count_lines(file, how, reading); }));
    all.push_back(counted("count_words", words_expected.size(), threads,
                          [&](const count_options& how) { return count_words(file, how, reading); }));
  }
  all.push_back(joined("parallel_reduce", truth, [&](std::string& found) {
    parallel_reduce_into(
        found, file, [](std::string_view split) { return std::string(split); }, std::plus<>{},
        {.threads = 3, .split_size = 16384}, reading);
  }));
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
  for (const answer& each : given) EXPECT_TRUE(each.failure) << each.type << ": no error";
}

void expect_whole(const std::vector<answer>& given) {
  for (const answer& each : given) {
    EXPECT_FALSE(each.failure) << each.type << ": " << each.failure->what();
    EXPECT_TRUE(each.whole) << each.type;
  }
}

}  // namespace riffle::test
