/// Paths and bytes never mix, in any spelling; what must compile does the right thing.
#include <riffle/riffle.hpp>

#include "os/mapping.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

template <class T>
constexpr bool is_input = std::is_constructible_v<input, T> && std::is_convertible_v<T, input>;

static_assert(is_input<const char*> && is_input<const char (&)[5]> && is_input<std::string> &&
              is_input<const std::string&> && is_input<std::filesystem::path>);
static_assert(is_input<int> && is_input<std::FILE*> && is_input<std::istream&> &&
              is_input<std::istringstream&>);
static_assert(is_input<memory> && is_input<block> && is_input<const mapped_file&> && is_input<mapped_file&>);
static_assert(!std::is_constructible_v<input, std::string_view> &&
              !std::is_constructible_v<input, std::string_view&>);
static_assert(!std::is_constructible_v<input, const std::string_view&>);
static_assert(!std::is_constructible_v<input, unsigned> && !std::is_constructible_v<input, void*> &&
              !std::is_constructible_v<input, std::vector<char>>);  // and what misuse_test.cpp tries

template <class T>
constexpr bool is_memory = std::is_constructible_v<memory, T> && !std::is_convertible_v<T, memory>;

// A temporary that owns its bytes.
static_assert(!is_memory<std::string> && !is_memory<const std::string> && !is_memory<std::vector<char>> &&
              !is_memory<mapped_file> && !is_memory<std::array<char, 3>>);
static_assert(!std::is_convertible_v<mapped_file, input> && !std::is_convertible_v<const mapped_file, input>);

static_assert(is_memory<std::string_view> && is_memory<std::string&> && is_memory<std::vector<char>&>);
static_assert(is_memory<std::vector<unsigned char>&> && is_memory<std::span<const std::byte>>);
static_assert(is_memory<const block&> && is_memory<const mapped_file&> && is_memory<std::u8string&>);
static_assert(!std::is_constructible_v<memory, std::vector<int>&> &&
              !std::is_constructible_v<memory, const char*>);

// All threads for what is called parallel, and one for the rest.
static_assert(parallel_options{}.threads == 0 && count_options{}.threads == 1 && sum_options{}.threads == 1);

TEST(memory, takes_any_bytes) {
  EXPECT_EQ(memory("ab\n").bytes(), "ab\n") << "a literal without its zero";
  const char buffer[] = {'a', '\0', 'b'};
  EXPECT_EQ(memory(buffer).bytes().size(), 3U);
  char writable[4] = "abc";
  EXPECT_EQ(memory(writable).bytes().size(), 4U) << "a buffer is all of it";
  const std::vector<std::byte> bytes(5, std::byte{'\n'});
  EXPECT_EQ(count_lines(memory(bytes)), 5U);
  const std::array<unsigned char, 2> unsigned_bytes{'\n', 'x'};
  EXPECT_EQ(count_lines(memory(unsigned_bytes)), 1U);
  EXPECT_EQ(memory().bytes(), "");
}

TEST(a_block, is_an_input_and_bytes) {
  const temporary_file file("one two\nthree\n");
  for (const block part : blocks(file.path())) {
    EXPECT_EQ(count_lines(part), 2U);
    EXPECT_EQ(scan::count_lines(part), 2U);
    EXPECT_EQ(count_words(memory(part)), 3U);
  }
}

TEST(a_mapped_file, that_shrank_is_an_error_and_no_count) {
  if (!os::cuts_mapped_files) GTEST_SKIP() << "the system cuts no file that is mapped";
  const temporary_file file(std::string(std::size_t{9} << 20U, '\n'));
  const mapped_file mapped(file.path());
  file.resize(5000);
  std::uint64_t counted = 0;
  EXPECT_EQ(code_of([&] { count_lines_into(counted, source(mapped), {.threads = 1}); }), errc::truncated);
  EXPECT_EQ(counted, 0U) << "no window is counted before it is checked";
}

TEST(a_stream, that_throws_at_its_end_gives_an_error_of_riffle) {
  std::istringstream stream("one\ntwo\n");
  stream.exceptions(std::ios::eofbit);
  std::vector<std::string> found;
  const auto failure = thrown_by([&] {
    for (const std::string_view line : lines(stream)) found.emplace_back(line);
  });
  EXPECT_EQ(found, (std::vector<std::string>{"one", "two"}));
  EXPECT_NE(std::string_view(failure.what()).find("take eofbit out"), std::string_view::npos);
}

TEST(errc, compares_with_the_conditions_of_the_standard) {
  EXPECT_EQ(make_error_code(errc::method_unavailable), std::errc::operation_not_supported);
  EXPECT_EQ(make_error_code(errc::partial_value), std::errc::bad_message);
  EXPECT_EQ(make_error_code(errc::unexpected_end), std::errc::bad_message);
  EXPECT_EQ(make_error_code(errc::record_too_long), std::errc::message_size);
  EXPECT_EQ(make_error_code(errc::truncated), std::errc::io_error);
  EXPECT_EQ(make_error_code(errc::sum_overflow), std::errc::value_too_large);
  EXPECT_EQ(make_error_code(errc::invalid_argument), std::errc::invalid_argument);
  EXPECT_EQ(make_error_code(errc::bad_quoting), std::errc::bad_message);
  EXPECT_EQ(make_error_code(errc::missing_field), std::errc::bad_message);
  EXPECT_EQ(make_error_code(errc::bad_value), std::errc::bad_message);
  EXPECT_EQ(make_error_code(errc::value_out_of_range), std::errc::value_too_large);
  EXPECT_EQ(make_error_code(errc::no_such_column), std::errc::invalid_argument);
}

TEST(an_error, that_was_moved_from_still_tells) {
  error first(errc::truncated, "read", "f", 7);
  const error second(std::move(first));
  EXPECT_EQ(first.path(), "f");
  EXPECT_EQ(first.offset(), 7U);
  EXPECT_EQ(second.offset(), 7U);
}

TEST(the_version, is_the_same_in_macros_and_library) {
  EXPECT_EQ(version(), std::to_string(RIFFLE_VERSION_MAJOR) + "." + std::to_string(RIFFLE_VERSION_MINOR) +
                           "." + std::to_string(RIFFLE_VERSION_PATCH));
}

TEST(a_source, refuses_to_keep_more_than_there_was) {
  source from(memory("abc"));
  EXPECT_EQ(code_of([&] { (void)from.next(1); }), errc::invalid_argument);
}

}  // namespace
}  // namespace riffle::test
