/// How much of an input was used, as it is stored: what a progress bar shows.
#include <riffle/riffle.hpp>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::string& text() {
  static const std::string made = numbered_lines(200'000);
  return made;
}

// Reads all, and expects what holds of each step. Returns the offset after the last block.
std::uint64_t read_watched(const input& from, read_options reading, std::optional<std::uint64_t> size,
                           std::uint64_t start = 0) {
  std::atomic<std::uint64_t> progress = 0;
  reading.watch.compressed_progress = &progress;
  source opened(from, reading);
  EXPECT_EQ(opened.compressed_offset(), start);
  std::uint64_t before = start;
  for (bool more = true; more;) {
    more = !opened.next().empty();
    const std::uint64_t now = opened.compressed_offset();
    EXPECT_GE(now, before);
    EXPECT_EQ(opened.compressed_size(), size);
    EXPECT_LE(now, size.value_or(now));
    EXPECT_EQ(progress, now - start);
    before = now;
  }
  return before;
}

EACH_CONTAINER(each_offset);

TEST_P(each_offset, rises_to_the_size_whatever_the_input) {
  const bool padded = GetParam().format == decoding::gzip || GetParam().format == decoding::bzip2;
  const std::string some = text().substr(0, 700'000);
  for (const std::string& compressed :
       {member({}), member(some),
        in_members(GetParam(), some.substr(0, 50'000), 3000) + member({}) + member({}),
        member(some) + std::string(padded ? 1000 : 0, '\0')}) {
    const std::uint64_t size = compressed.size();
    for_each_threads([&](const read_options& reading) {
      EXPECT_EQ(read_watched(memory(compressed), reading, size), size);
      const fed_pipe pipe(compressed, 50'000);
      EXPECT_EQ(read_watched(pipe.get(), reading, std::nullopt), size);
    });
  }
}

TEST_P(each_offset, rises_to_the_size_by_each_method_and_block_size) {
  const std::string compressed = in_members(GetParam(), text().substr(0, 700'000), 300'000);
  const temporary_file file(compressed);
  for (const method used : usable_methods()) {
    for (const std::size_t block : {0U, 10'000U}) {
      for (const unsigned threads : {1U, 2U}) {
        const read_options reading{
            .method = used, .block_size = block, .decode = GetParam().format, .decode_threads = threads};
        EXPECT_EQ(read_watched(file.path(), reading, compressed.size()), compressed.size()) << name_of(used);
      }
    }
  }
}

// It lies in the member of the last byte that was handed out, or in the next one, of which a codec may hold
// the start. What is cut into members is not decoded beyond them.
TEST_P(each_offset, is_that_of_what_was_handed_out) {
  constexpr std::size_t size_of_member = 300'000;
  std::vector<std::uint64_t> ends{0};
  for (std::size_t at = 0; at < text().size(); at += size_of_member)
    ends.push_back(ends.back() + member(text().substr(at, size_of_member)).size());
  const temporary_file file(in_members(GetParam(), text(), size_of_member));
  for_each_threads([&](const read_options& reading) {
    // liblzma takes blocks ahead.
    if (GetParam().format == decoding::xz && reading.decode_threads != 1) return;
    source opened(file.path(), reading);
    for (block next = opened.next(); !next.empty(); next = opened.next()) {
      const auto number = static_cast<std::size_t>((next.offset + next.size() - 1) / size_of_member);
      EXPECT_GE(opened.compressed_offset(), ends[number]) << next.offset;
      const std::size_t last = std::min(number + (can_be_split(GetParam()) ? 1 : 2), ends.size() - 1);
      EXPECT_LE(opened.compressed_offset(), ends[last]) << next.offset;
    }
  });
}

// A thread that decodes a member in order cuts off what follows before that is decoded.
TEST(offset_of_gzip, is_not_that_of_blocks_of_bgzf_which_follow_a_member) {
  const container& gzip = container_named("gzip");
  if (const auto reason = missing(gzip)) GTEST_SKIP() << *reason;
  const std::string first = gzip.member(text().substr(0, 300'000));
  const std::string all = first + repeated(container_named("bgzf").member(text().substr(0, 50'000)), 20);
  for (const unsigned threads : {2U, 4U}) {
    source opened(memory(all), {.decode = decoding::gzip, .decode_threads = threads});
    for (block next = opened.next(); !next.empty() && next.offset + next.size() <= 300'000;
         next = opened.next())
      EXPECT_LE(opened.compressed_offset(), first.size()) << next.offset;
    while (!opened.next().empty()) continue;
    EXPECT_EQ(opened.compressed_offset(), all.size());
  }
}

TEST_P(each_offset, stays_within_an_input_that_ends_badly) {
  const std::string whole = in_members(GetParam(), text(), 300'000);
  for (const std::string& bad :
       {whole + "garbage", whole.substr(0, whole.size() - 3), whole.substr(0, 1000) + whole.substr(1500)}) {
    for_each_threads([&](const read_options& reading) {
      source opened(memory(bad), reading);
      std::uint64_t before = 0;
      EXPECT_TRUE(error_of([&] {
        while (!opened.next().empty()) {
          EXPECT_GE(opened.compressed_offset(), before);
          before = opened.compressed_offset();
        }
      }));
      EXPECT_GE(opened.compressed_offset(), before);
      EXPECT_LE(opened.compressed_offset(), bad.size());
    });
  }
}

TEST_P(each_offset, goes_through_a_split_to_its_end) {
  if (!can_be_split(GetParam())) return;
  const temporary_file file(in_members(GetParam(), text(), 100'000));
  const auto size = std::filesystem::file_size(file.path());
  for (const file_split& each : splits(file.path(), {.size = 50'000, .decode = GetParam().format})) {
    source opened(read_split(each), {.decode = GetParam().format});
    EXPECT_EQ(opened.compressed_offset(), each.begin);
    std::uint64_t before = each.begin;
    while (!opened.next().empty()) {
      EXPECT_GE(opened.compressed_offset(), before);
      before = opened.compressed_offset();
    }
    EXPECT_EQ(opened.compressed_size(), opened.compressed_offset());
    EXPECT_GE(opened.compressed_offset(), each.end);
    EXPECT_LE(opened.compressed_offset(), size);
  }
}

TEST_P(each_offset, adds_up_whoever_counts) {
  const temporary_file file(in_members(GetParam(), text(), 300'000));
  const auto size = std::filesystem::file_size(file.path());
  for_each_threads([&](read_options reading) {
    std::atomic<std::uint64_t> progress = 0;
    reading.watch.compressed_progress = &progress;
    EXPECT_EQ(count_lines(file.path(), {.threads = reading.decode_threads}, reading), 200'000U);
    EXPECT_EQ(progress, size);
    reader in(file.path(), reading);
    in.skip(text().size());
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(in.from().compressed_offset(), size);
    auto range = lines(file.path(), {}, reading);
    for (const std::string_view line : range) (void)line;
    EXPECT_EQ(range.from().compressed_offset(), range.from().compressed_size());
  });
}

TEST(plain_offset, is_the_end_of_the_block) {
  const std::string bytes = text().substr(0, 700'001);
  const temporary_file file(bytes);
  for (const decoding decode : {decoding::none, decoding::automatic}) {
    for (const method used : usable_methods()) {
      for (const std::size_t block : {0U, 50'000U}) {
        const read_options reading{.method = used, .block_size = block, .decode = decode};
        EXPECT_EQ(read_watched(file.path(), reading, bytes.size()), bytes.size()) << name_of(used);
        source opened(file.path(), reading);
        for (riffle::block next = opened.next(); !next.empty(); next = opened.next())
          EXPECT_EQ(opened.compressed_offset(), next.offset + next.size());
      }
    }
    EXPECT_EQ(read_watched(memory(bytes), {.decode = decode}, bytes.size()), bytes.size());
    EXPECT_EQ(read_watched(memory(""), {.decode = decode}, std::nullopt), 0U);
    const fed_pipe pipe(bytes, 50'000);
    EXPECT_EQ(read_watched(pipe.get(), {.decode = decode}, std::nullopt), bytes.size());
    std::ifstream stream(file.path(), std::ios::binary);
    EXPECT_EQ(read_watched(stream, {.decode = decode}, std::nullopt), bytes.size());
  }
}

TEST(plain_offset, begins_where_the_reading_does) {
  const temporary_file file(text().substr(0, 1000));
  for (const decoding decode : {decoding::none, decoding::automatic}) {
    const stdio_file opened = open_stdio(file.path());
    std::fseek(opened.get(), 300, SEEK_SET);
    EXPECT_EQ(read_watched(opened.get(), {.decode = decode}, std::nullopt, 300), 1000U);
  }
}

TEST(plain_offset, moves_with_a_seek_and_with_the_end_of_a_file_that_grows) {
  const temporary_file file(text().substr(0, 1000));
  std::atomic<std::uint64_t> progress = 0;
  source opened(file.path(), {.method = method::read, .watch = {.compressed_progress = &progress}});
  opened.seek(900);
  EXPECT_EQ(opened.compressed_offset(), 900U);
  (void)opened.next();
  EXPECT_EQ(progress, 100U);
  file.append("more");
  while (!opened.next().empty()) continue;
  EXPECT_EQ(opened.compressed_offset(), 1004U);
  EXPECT_EQ(opened.compressed_size(), 1004U);
}

// Each split but the first one reads the header of the file, too.
TEST(plain_offset, leaves_out_the_header_that_a_split_has_from_its_file) {
  const std::string all = "name\n" + numbered_lines(1000);
  const temporary_file file(all);
  const dialect csv{.header = true};
  std::atomic<std::uint64_t> progress = 0;
  std::atomic<std::uint64_t> compressed = 0;
  const read_options reading{.watch = {.progress = &progress, .compressed_progress = &compressed}};
  for (const file_split& part : splits(file.path(), {.size = 3000}, csv)) {
    for (const row each : rows(read_split(part), csv, reading)) EXPECT_EQ(each.size(), 1U);
  }
  EXPECT_EQ(progress, all.size());
  EXPECT_EQ(compressed, all.size());
}

TEST(plain_offset, of_a_source_that_was_moved_from_is_nothing) {
  source opened(memory("bytes"));
  const source taken(std::move(opened));
  EXPECT_EQ(opened.compressed_offset(), 0U);  // NOLINT: that is what is tested
  EXPECT_EQ(opened.compressed_size(), std::nullopt);
  EXPECT_EQ(taken.compressed_size(), 5U);
}

}  // namespace
}  // namespace riffle::test
