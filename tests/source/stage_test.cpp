/// A stage may stand between a method and the records: the carry, the errors and the threads go through it.
#include <riffle/error.hpp>
#include <riffle/lines.hpp>
#include <riffle/parallel.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include "os/mapping.hpp"
#include "source/open.hpp"
#include "source/source_state.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

char upper(char byte) {
  return static_cast<char>(std::toupper(static_cast<unsigned char>(byte)));
}

// Hands out the bytes below in capital letters, and each '?' as an error at its offset.
class upper_case final : public active_method {
 public:
  explicit upper_case(active_method& below) : below_(below) {}

  std::span<char> next() override {
    const std::span<char> from = below_.next();
    const std::size_t bad = std::string_view(from.data(), from.size()).find('?');
    if (bad != std::string_view::npos) throw error(errc::invalid_argument, "decode", "a '?'", offset_ + bad);
    offset_ += from.size();
    memory_.resize(headroom + from.size());
    std::ranges::transform(from, memory_.begin() + headroom, upper);
    return std::span(memory_).subspan(headroom);
  }
  void check(std::uint64_t trusted) const override { below_.check(trusted); }
  void seek(std::uint64_t offset) override {
    offset_ = offset;
    below_.seek(offset);
  }

  static std::unique_ptr<active_method> open(const stage& /*self*/, active_method& below,
                                             const open_file& /*input*/, const read_options& /*given*/) {
    return std::make_unique<upper_case>(below);
  }

 private:
  active_method& below_;
  std::uint64_t offset_ = 0;
  std::vector<char> memory_;
};

constexpr stage in_order{upper_case::open, false};
constexpr stage in_parts{upper_case::open, true};

source through(const stage& which, const input& from, const read_options& given = {}) {
  auto opened = std::make_shared<open_file>(open_input(from, given));
  resolved how = resolve(*opened, given);
  how.through = &which;
  return detail::source_state::source_of(std::move(opened), given, std::move(how));
}

const std::string text = numbered_lines(3000) + "a last line without an end";
const std::string capitals = [] {
  std::string all = text;
  std::ranges::transform(all, all.begin(), upper);
  return all;
}();

class each_method_below_a_stage : public testing::TestWithParam<method> {};
INSTANTIATE_TEST_SUITE_P(methods, each_method_below_a_stage, testing::ValuesIn(usable_methods()),
                         method_name);

TEST_P(each_method_below_a_stage, gives_whole_records_for_every_block_size) {
  const temporary_file file(text);
  for (const stage* const which : {&in_order, &in_parts}) {
    for (const std::size_t block_size : {1U, 7U, 4096U, 100'000U}) {
      std::string found;
      for (const std::string_view line :
           line_range(through(*which, file.path(), {.method = GetParam(), .block_size = block_size}))) {
        found.append(line).append("\n");
      }
      EXPECT_TRUE(found == capitals + "\n") << block_size;
    }
  }
}

TEST_P(each_method_below_a_stage, is_read_by_threads_in_parts_or_in_turns) {
  const temporary_file file(text);
  for (const stage* const which : {&in_order, &in_parts}) {
    for (const unsigned threads : {1U, 3U}) {
      std::string found;
      parallel_reduce_into(found, through(*which, file.path(), {.method = GetParam()}),
                           [](const block& part) { return std::string(part.bytes); }, std::plus<>(),
                           {.threads = threads, .split_size = 5000});
      EXPECT_TRUE(found == capitals) << threads;
    }
  }
}

TEST_P(each_method_below_a_stage, tells_that_the_file_was_cut) {
  if (!os::cuts_mapped_files && GetParam() == method::mmap)
    GTEST_SKIP() << "the system cuts no file that is mapped";
  const temporary_file file(std::string(std::size_t{1} << 20U, 'x'));
  source from = through(in_order, file.path(), {.method = GetParam(), .block_size = 4096});
  static_cast<void>(from.next());
  file.resize(5000);
  const error failure = thrown_by([&] {
    while (!from.next().empty()) continue;
  });
  EXPECT_EQ(failure.code(), errc::truncated);
}

TEST(a_stage, that_fails_fails_for_good_behind_what_was_right) {
  const temporary_file file(text.substr(0, 20'000) + "?" + text.substr(20'001));
  source from = through(in_order, file.path(), {.block_size = 4096});
  std::size_t right = 0;
  const auto read = [&] {
    for (block next = from.next(); !next.empty(); next = from.next()) right += next.size();
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(thrown_by(read).offset(), 20'000U);
    EXPECT_EQ(right, 20'000U / 4096 * 4096);
  }
}

TEST(a_stage, bounds_records_by_max_length) {
  const temporary_file file(std::string(100'000, 'x'));
  line_range records(through(in_order, file.path(), {.block_size = 4096}), {.max_length = 10'000});
  EXPECT_EQ(thrown_by([&] { static_cast<void>(records.begin()); }).code(), errc::record_too_long);
}

TEST(a_stage, of_unknown_size_has_no_positions) {
  const temporary_file file(text);
  source from = through(in_order, file.path());
  EXPECT_EQ(from.size_hint(), 0U);
  EXPECT_FALSE(from.seekable());
  EXPECT_EQ(thrown_by([&] { from.seek(1); }).code(), std::errc::invalid_seek);
  source parts = through(in_parts, file.path());
  EXPECT_EQ(parts.size_hint(), text.size());
  parts.seek(100);
  EXPECT_TRUE(parts.next().bytes.starts_with(capitals.substr(100, 1000)));
}

}  // namespace
}  // namespace riffle::test
