/// File systems, files over 4 GiB and standard input, as Linux has them.
#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <iostream>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// A page of a hole that is mapped is a page of the file from then on.
TEST(choice, follows_the_file_system) {
  struct {
    const char* file_system;
    method expected;
    std::string deciding;
    bool sparse = false;
    bool keep_cache = true;
  } const rows[] = {
      {"nfs", method::read, "on nfs"},
      {"cifs", method::read, "on cifs"},
      {"smb2", method::read, "on smb2"},
      {"fuse", method::read, "on fuse"},
      {"ext4", method::mmap, ""},
      {"btrfs", method::mmap, ""},
      {"squashfs", method::mmap, ""},
      {"tmpfs", method::mmap, ""},
      {"ramfs", method::mmap, ""},
      {"tmpfs", method::read, "has holes", true},
      {"ramfs", method::read, "has holes", true},
      {"ext4", method::mmap, "", true},
      {"fuse", method::direct, "", false, false},
      {"tmpfs", method::mmap, "", false, false},
  };
  for (const auto& row : rows) {
    const choice made = choose({.size = std::uint64_t{100} << 20U,
                                .file_system = row.file_system,
                                .sparse = row.sparse,
                                .keep_cache = row.keep_cache,
                                .cached = row.keep_cache ? std::nullopt : std::optional<double>(0.0)});
    EXPECT_EQ(made.method, row.expected) << row.file_system;
    EXPECT_NE(made.reason.find(row.deciding), std::string::npos) << made.reason;
  }
}

TEST(choice, reads_the_holes_of_a_file_in_memory_without_filling_them) {
  const owned_descriptor file(::memfd_create("riffle-test", MFD_CLOEXEC));
  ASSERT_GE(file.get(), 0);
  constexpr std::size_t size = std::size_t{16} << 20U;
  ASSERT_EQ(::ftruncate(file.get(), size), 0);
  EXPECT_TRUE(examine(file.get()).sparse);
  EXPECT_EQ(count_lines(file.get()), 0U);
  struct stat facts{};
  ASSERT_EQ(::fstat(file.get(), &facts), 0);
  EXPECT_EQ(facts.st_blocks, 0);

  const std::string text(size, '\n');
  ASSERT_EQ(::pwrite(file.get(), text.data(), size, 0), static_cast<::ssize_t>(size));
  EXPECT_FALSE(examine(file.get()).sparse);
}

constexpr std::uint64_t border = std::uint64_t{4} << 30U;
constexpr bool narrow = sizeof(std::size_t) == 4;

/// Numbered lines on both sides of the border, behind a hole.
class a_file_over_4_gibibytes : public testing::Test {
 protected:
  const std::string text = numbered_lines(2000);
  const std::uint64_t start = border - text.size() / 2;
  const std::uint64_t size = start + text.size();
  const temporary_file file;

  void SetUp() override {
    std::ofstream out(file.path(), std::ios::binary);
    out.seekp(static_cast<std::streamoff>(start));
    out << text;
    if (!out.flush()) GTEST_SKIP() << "no file of 4 GiB can be made here";
  }

  /// The lines that start at or behind the border.
  std::string behind_border() const {
    const auto from = static_cast<std::size_t>(border - start);
    return text.substr(text.find('\n', from - 1) + 1);
  }
};

TEST_F(a_file_over_4_gibibytes, has_its_lines_in_one_split_each) {
  const auto all = splits(file.path(), {.size = border});
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all.back().begin, border);
  EXPECT_EQ(all.back().end, size);
  EXPECT_EQ(read_all(read_split(all.back())), behind_border());
}

TEST_F(a_file_over_4_gibibytes, is_counted_by_several_threads) {
  for (const method way : usable_methods()) {
    SCOPED_TRACE(name_of(way));
    const owned_descriptor opened(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
    ASSERT_EQ(::lseek(opened.get(), static_cast<off_t>(start), SEEK_SET), static_cast<off_t>(start));
    std::uint64_t last = 0;
    const auto lines_of = [](const block& split) {
      return std::pair(scan::count_lines(split.bytes), split.offset + split.size());
    };
    const auto add = [&last](std::uint64_t total, const auto& part) {
      last = part.second;
      return total + part.first;
    };
    EXPECT_EQ(parallel_reduce(opened.get(), std::uint64_t{0}, lines_of, add,
                              {.threads = 3, .split_size = 4096}, {.method = way}),
              2000U);
    EXPECT_EQ(last, size);
  }
}

TEST_F(a_file_over_4_gibibytes, is_skipped_to_its_end_by_a_reader) {
  reader in(file.path());
  in.skip(start);
  EXPECT_EQ(in.line(), "line 0");
  in.skip(size - in.offset() - 5);
  EXPECT_EQ(in.bytes(5), "1999\n");
  EXPECT_TRUE(in.at_end());
}

TEST_F(a_file_over_4_gibibytes, is_mapped_in_parts_and_whole_if_there_are_addresses) {
  const mapped_file part(file.path(), {.offset = border, .length = 100});
  EXPECT_EQ(part.view(), text.substr(static_cast<std::size_t>(border - start), 100));
  if (!narrow) {
    const mapped_file whole(file.path());
    EXPECT_EQ(whole.size(), size);
    EXPECT_EQ(whole.view(whole.size() - 5), "1999\n");
    return;
  }
  EXPECT_THAT(thrown_by([&] { mapped_file whole(file.path()); }),
              is_error(std::errc::not_enough_memory, {},
                       "a program of 32 bits cannot map " + std::to_string(size) + " bytes"));
}

// No block from there on has an offset that a system call takes.
TEST(a_file_of_8_exbibytes, is_refused_where_riffle_cannot_read_it) {
  const owned_descriptor file(::memfd_create("riffle", MFD_CLOEXEC));
  if (::ftruncate(file.get(), std::numeric_limits<off_t>::max()) != 0)
    GTEST_SKIP() << "no file of 8 EiB can be made here";
  source from(file.get());
  constexpr std::uint64_t furthest = std::uint64_t{1} << 62U;
  from.seek(furthest);
  EXPECT_FALSE(from.next().empty());
  for (const std::uint64_t at : {furthest + 1, 2 * furthest - 2}) {
    EXPECT_EQ(code_of([&] { from.seek(at); }), std::errc::file_too_large);
  }
  from.seek(2 * furthest);
  EXPECT_TRUE(from.next().empty()) << "after the end";
}

// In 64 bits the memory is too small, in 32 bits a string is.
TEST_F(a_file_over_4_gibibytes, is_refused_by_read_all_without_memory) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs more addresses than the limit leaves";
  if (const auto refusal = refusal_of_address_limits()) GTEST_SKIP() << *refusal;
  expect_in_child([&] {
    bound_addresses(std::numeric_limits<std::uint32_t>::max());
    return testing::Matches(is_error(std::errc::not_enough_memory, {}, "by blocks or by lines"))(
        thrown_by([&] { (void)read_all(file.path()); }));
  });
}

constexpr int lines_written = 20;

// Counts the lines of a std::cin that reads `descriptor`, in a process whose standard input no one else
// needs.
std::string lines_of_standard_input(int descriptor) {
  ::dup2(descriptor, STDIN_FILENO);
  try {
    int count = 0;
    for ([[maybe_unused]] const std::string_view line : lines(std::cin)) ++count;
    return std::to_string(count) + (std::cin.eof() ? " lines" : " lines without an end");
  } catch (const error& failure) {
    return failure.code() == std::errc::is_a_directory ? "a directory" : failure.what();
  }
}

// Reads a pipe whose lines come one by one. `before` is called before each of them.
std::string lines_of_slow_pipe(bool blocks, const std::function<void()>& before) {
  open_pipe pipe;
  if (!blocks) never_wait(pipe.reading.get());
  const std::jthread writer([&] {
    for (int i = 0; i != lines_written; ++i) {
      before();
      if (write_some(pipe.writing.get(), "line\n") != 5) ADD_FAILURE() << "write";
    }
    pipe.writing.close();
  });
  return lines_of_standard_input(pipe.reading.get());
}

void pause_shortly() {
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST(standard_input, that_is_a_directory_is_an_error) {
  EXPECT_EQ(in_child([] { return lines_of_standard_input(::open("/", O_RDONLY)); }), "a directory");
}

TEST(standard_input, that_does_not_block_is_read_to_its_end) {
  EXPECT_EQ(in_child([] { return lines_of_slow_pipe(false, pause_shortly); }), "20 lines");
}

TEST(standard_input, that_signals_interrupt_is_read_to_its_end) {
  const std::string answer = in_child([] {
    struct sigaction action{};
    action.sa_handler = [](int) {};
    ::sigaction(SIGUSR1, &action, nullptr);
    return lines_of_slow_pipe(true, [reader = ::pthread_self()] {
      pause_shortly();
      ::pthread_kill(reader, SIGUSR1);
      pause_shortly();
    });
  });
  EXPECT_EQ(answer, "20 lines");
}

EACH_METHOD(each_direct_descriptor);

TEST_P(each_direct_descriptor, is_read_to_its_end) {
  for (const std::size_t size : {1U, 511U, 512U, 5'000U, 300'000U}) {
    const std::string text = patterned_bytes(size);
    const temporary_file file(text);
    const owned_descriptor direct(::open(file.path().c_str(), O_RDONLY | O_DIRECT | O_CLOEXEC));
    if (direct.get() < 0) GTEST_SKIP() << "this file system refuses O_DIRECT";
    EXPECT_EQ(read_all(direct.get(), {.method = GetParam()}), text) << size;
  }
}

}  // namespace
}  // namespace riffle::test
