/// Streams of the C and C++ libraries, memory, and inputs that must be refused with a reason.
#include <riffle/anonymous_memory.hpp>
#include <riffle/count.hpp>
#include <riffle/lines.hpp>
#include <riffle/parallel.hpp>

#include <cwchar>
#include <memory_resource>

#include "source/source_state.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::string text = numbered_lines(3000);

std::optional<error> refusal(const input& from, const read_options& reading = {}) {
  return error_of([&] { all_of(from, reading); });
}

TEST(file_pointer, is_read_from_what_its_buffer_holds_on) {
  const temporary_file file(text);
  for (const std::size_t block : {1U, 13U, 4096U, 0U}) {
    const stdio_file stream = open_stdio(file.path());
    for (int i = 0; i < 10; ++i) ASSERT_EQ(std::fgetc(stream.get()), text[static_cast<std::size_t>(i)]);
    source from(stream.get());
    EXPECT_EQ(from.start(), 10U);
    EXPECT_EQ(from.method(), method::stdio);
    EXPECT_TRUE(all_of(stream.get(), {.block_size = block}) == text.substr(10)) << block;
  }
}

TEST(input, that_has_a_name_is_called_so) {
  const temporary_file file(text);
  const stdio_file stream = open_stdio(file.path());
  const owned_descriptor opened(open_to_read(file.path()));
  std::istringstream strings(text);
  for (const input& named : {input(opened.get(), "train.gz"), input(stream.get(), "train.gz"),
                             input(strings, "train.gz"), input(memory(text), "train.gz")}) {
    EXPECT_EQ(named.name(), "train.gz");
    EXPECT_EQ(source(named).name(), "train.gz");
    EXPECT_EQ(refusal(named, {.decode = decoding::gzip})->path(), "train.gz");
  }
}

TEST(input, that_has_nothing_to_read_is_refused) {
  const char* const no_path = nullptr;
  EXPECT_THAT(thrown_by([&] { all_of(no_path); }),
              is_error(errc::invalid_argument, {}, "the path is a null pointer"));
  std::FILE* const no_file = nullptr;
  EXPECT_EQ(code_of([&] { all_of(no_file); }), errc::invalid_argument);
  std::ifstream missing("/no/such/file");
  std::istream nothing(nullptr);
  for (std::istream* stream : {static_cast<std::istream*>(&missing), &nothing})
    EXPECT_EQ(code_of([&] { all_of(*stream); }), errc::invalid_argument);
}

TEST(input, that_was_opened_for_writing_is_refused) {
  const temporary_file file;
  const stdio_file stream = open_stdio(file.path(), "wb");
  const std::error_code refused = code_of([&] { all_of(stream.get()); });
  // The C library of musl does not say why.
  EXPECT_TRUE(refused == std::errc::bad_file_descriptor || refused == std::errc::io_error);
}

TEST(input, that_is_a_path_may_be_any_text_of_one) {
  const temporary_file file(text);
  const std::filesystem::path path = file.path();
  std::string bytes = path.string();
  const std::u8string utf8 = path.u8string();
  const std::pmr::string elsewhere(bytes.begin(), bytes.end());
  const std::filesystem::directory_entry entry(path);
  for (const input& named : {input(path), input(bytes), input(bytes.c_str()), input(bytes.data()),
                             input(utf8), input(utf8.c_str()), input(elsewhere), input(path.native()),
                             input(entry), input(std::filesystem::path(path)), input(std::string(bytes))}) {
    EXPECT_EQ(named.name(), bytes);
    EXPECT_EQ(std::get<path_string>(named.where()), path.native());
    EXPECT_TRUE(all_of(named) == text);
  }
  EXPECT_EQ(input("name").name(), "name");
}
// A copy of an error shares its text; the last one frees it.
TEST(an_error, may_be_copied_and_outlive_the_others) {
  std::optional<error> first = error(errc::truncated, "read", "name", 7);
  std::optional<error> second = first;
  const error third(errc::changed, "open", "other");
  first = third;
  EXPECT_EQ(second->path(), "name");
  first.reset();
  second = *second;
  EXPECT_EQ(second->offset(), 7U);
  second.reset();
  EXPECT_STREQ(third.what(), error(third).what());
}

TEST(file_pointer, that_is_read_by_wide_characters_is_refused) {
  const temporary_file file(text);
  const stdio_file stream = open_stdio(file.path());
  std::fgetwc(stream.get());
  if (std::fwide(stream.get(), 0) <= 0)
    GTEST_SKIP() << "this C library reads bytes and wide characters alike";
  EXPECT_EQ(code_of([&] { all_of(stream.get()); }), make_error_code(errc::invalid_argument));
}

TEST(istream, is_read_from_where_it_stands) {
  const temporary_file file(text);
  for (const std::size_t block : {1U, 13U, 4096U, 0U}) {
    std::ifstream stream(file.path(), std::ios::binary);
    std::string first;
    std::getline(stream, first);
    EXPECT_TRUE(all_of(stream, {.block_size = block}) == text.substr(first.size() + 1)) << block;
    EXPECT_TRUE(stream.eof());
    std::istringstream memory(text);
    memory.ignore(5);
    EXPECT_TRUE(all_of(memory, {.block_size = block}) == text.substr(5)) << block;
    EXPECT_EQ(all_of(memory), "") << "it stands at the end";
  }
}

template <class Failure>
bytes_in_stream good_then_broken() {
  return bytes_in_stream({"good", 4, [calls = 0]() mutable {
                            if (++calls == 2) throw Failure();
                          }});
}

TEST(istream, whose_buffer_throws_is_an_error_after_what_was_right) {
  struct failure : std::runtime_error {
    failure() : runtime_error("broken") {}
  };
  bytes_in_stream stream = good_then_broken<failure>();
  const read_outcome found = read_blocks(stream, {.block_size = 4});
  EXPECT_EQ(found.bytes, "good");
  ASSERT_TRUE(found.failure);
  EXPECT_EQ(found.failure->offset(), 4U);
  EXPECT_THAT(found.failure->what(), testing::EndsWith("broken"));
}

// Memory that the stream lacks is none that a limit of the record would leave.
TEST(istream, whose_buffer_has_no_memory_is_an_error_without_a_remedy) {
  for (const decoding how : {decoding::none, decoding::automatic}) {
    bytes_in_stream stream = good_then_broken<std::bad_alloc>();
    const error failure = thrown_by([&] {
      for (const std::string_view line : lines(stream, {}, {.decode = how})) (void)line;
    });
    EXPECT_EQ(failure.code(), std::errc::not_enough_memory);
    EXPECT_EQ(failure.remedy().what, riffle::advice::none) << failure.what();
  }
}

TEST(memory_input, is_one_block) {
  source from{memory(text)};
  EXPECT_EQ(from.next().data(), text.data());
  EXPECT_TRUE(from.next().empty());
  from.seek(text.size() + 5);
  EXPECT_TRUE(from.next().empty());
  from.seek(3);
  EXPECT_EQ(from.next().offset, 3U);
  EXPECT_EQ(all_of(memory()), "");
}

EACH_METHOD(each_row);

TEST_P(each_row, refuses_what_cannot_be_read) {
  const read_options reading{.method = GetParam()};
  const temporary_directory directory;
  const auto is_directory = thrown_by([&] { all_of(directory.path(), reading); });
  EXPECT_THAT(is_directory, is_error(std::errc::is_a_directory, {}, "", directory.path().string()));
  const auto missing = thrown_by([&] { all_of(directory.path() / "none", reading); });
  EXPECT_EQ(missing.code(), std::errc::no_such_file_or_directory);
  EXPECT_EQ(missing.operation(), "open");
  EXPECT_THAT(missing.what(), testing::HasSubstr("none"));

  for (const int closed : {-1, 987654}) {
    EXPECT_EQ(code_of([&] { all_of(closed, reading); }), std::errc::bad_file_descriptor);
  }
  const temporary_file file(text);
  const owned_descriptor for_writing(test::open_to_write(file.path()));
  EXPECT_TRUE(refusal(for_writing.get(), reading)) << "a descriptor opened for writing";
}

TEST_P(each_row, refuses_the_inputs_it_does_not_take) {
  if (GetParam() == method::automatic) return;
  const method_info& info = *find_method(GetParam());
  const temporary_file file(text);
  const stdio_file pointer = open_stdio(file.path());
  std::istringstream stream(text);
  const std::pair<input_kind, input> inputs[] = {{input_kind::memory, memory(text)},
                                                 {input_kind::file_pointer, pointer.get()},
                                                 {input_kind::istream, stream},
                                                 {input_kind::stream, null_device}};
  for (const auto& [kind, from] : inputs) {
    const auto failure = refusal(from, {.method = GetParam()});
    ASSERT_EQ(failure.has_value(), !info.takes(kind)) << from.name();
    if (!failure) continue;
    EXPECT_THAT(*failure, is_error(errc::method_unavailable, {}, info.name));
  }
}

// Takes the addresses of a program of 32 bits while it exists, all but pieces below 256 MiB; no others.
class few_addresses : not_copied {
 public:
  few_addresses() {
    try {
      while (sizeof(void*) == 4) taken_.push_back(memory_.allocate(piece));
    } catch (const std::bad_alloc&) {
    }
  }
  ~few_addresses() {
    for (void* const each : taken_) memory_.deallocate(each, piece);
  }

 private:
  static constexpr std::size_t piece = std::size_t{256} << 20U;
  anonymous_memory memory_;
  std::vector<void*> taken_;
};

// The first is 8 TiB in 64 bits, more than there is of memory; the other is more than there is of addresses.
TEST_P(each_row, refuses_blocks_that_memory_cannot_hold) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer ends the program instead";
  const temporary_file file(text);
  const few_addresses taken;
  constexpr std::size_t most = std::numeric_limits<std::size_t>::max();
  for (const std::size_t size : {most >> 21U, most / 8}) {
    for (const unsigned threads : {1U, 3U}) {
      std::string found;
      const auto failure = error_of([&] {
        found = joined(file.path(), {.threads = threads, .split_size = 1000},
                       {.method = GetParam(), .block_size = size});
      });
      if (!failure) {  // a block no longer than the file
        EXPECT_TRUE(found == text);
        continue;
      }
      EXPECT_THAT(*failure,
                  is_error(std::errc::not_enough_memory, {}, std::to_string(size), file.path().string()));
    }
  }
  if (GetParam() == method::read || GetParam() == method::stdio) {
    EXPECT_TRUE(refusal(file.path(), {.method = GetParam(), .block_size = most / 8}));
  }
}

TEST(inputs, are_asked_once_what_they_are) {
  const temporary_file file(text);
  const open_file opened = open_input(file.path());
  EXPECT_EQ(opened.kind(), input_kind::regular_file);
  EXPECT_EQ(opened.size(), text.size());
  EXPECT_EQ(opened.name(), file.path().string());
  const open_file again = open_input(file.path());
  EXPECT_EQ(std::pair(opened.device, opened.inode), std::pair(again.device, again.inode));
  const temporary_file other(text);
  EXPECT_NE(opened.inode, open_input(other.path()).inode);
  EXPECT_EQ(opened.device, open_input(other.path()).device);
}

// To open it, and at the end, where `read` asks for the last byte instead. A mapping is looked at again
// whenever a part of it was used.
TEST_P(each_row, asks_for_the_size_twice_at_most) {
  if (GetParam() == method::mmap) return;
  const temporary_file file(text);
  if (const auto reason = interposition_unavailable()) GTEST_SKIP() << *reason;
  const injection counting({.which = call::fstat});
  EXPECT_TRUE(all_of(file.path(), {.method = GetParam()}) == text);
  const bool reads = GetParam() == method::read || GetParam() == method::automatic;
  EXPECT_EQ(counting.calls(), reads ? 1U : 2U);
}

TEST(inputs, of_a_size_that_lies_cannot_be_mapped_by_name) {
  if (!std::filesystem::exists("/proc/self/limits")) GTEST_SKIP() << "/proc is not there";
  EXPECT_EQ(code_of([&] { all_of("/proc/self/limits", {.method = method::mmap}); }),
            make_error_code(errc::method_unavailable));
}

TEST(inputs, have_names) {
  EXPECT_EQ(input("a/b").name(), "a/b");
  EXPECT_EQ(input(0).name(), "standard input");
  EXPECT_EQ(input(7).name(), "descriptor 7");
  EXPECT_EQ(input(stdin).name(), "standard input");
  EXPECT_EQ(input(memory("x")).name(), "memory");
}

TEST(a_source, tells_its_kind_and_its_descriptor) {
  const temporary_file file("text\n");
  const owned_descriptor opened(open_to_read(file.path()));
  const source of_path(file.path());
  EXPECT_EQ(of_path.kind(), input_kind::regular_file);
  EXPECT_GE(of_path.descriptor(), 0);
  EXPECT_NE(of_path.descriptor(), opened.get());
  std::istringstream stream("text\n");
  using of = std::tuple<input, input_kind, int>;
  for (const auto& [from, kind, descriptor] :
       {of(opened.get(), input_kind::regular_file, opened.get()), of(stream, input_kind::istream, -1),
        of(memory("text\n"), input_kind::memory, -1)}) {
    const source made(from);
    EXPECT_EQ(made.kind(), kind);
    EXPECT_EQ(made.descriptor(), descriptor);
  }
  source of_descriptor(opened.get());
  const source moved = std::move(of_descriptor);
  EXPECT_EQ(of_descriptor.kind(), input_kind::memory);
  EXPECT_EQ(of_descriptor.descriptor(), -1);
}

TEST(a_stream_of_c, is_read_though_a_call_before_has_failed) {
  const temporary_file file("a\nb\n");
  const stdio_file stream = open_stdio(file.path());
  ASSERT_EQ(std::fputc('x', stream.get()), EOF);
  ASSERT_NE(std::ferror(stream.get()), 0);
  EXPECT_EQ(read_all(stream.get()), "a\nb\n");
}

}  // namespace
}  // namespace riffle::test
