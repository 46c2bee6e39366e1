/// Files that change while they are mapped, threads that block SIGBUS, and disks that are full.
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include "os/posix/calls.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/posix/ways.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr std::size_t large = std::size_t{9} << 20U;  // the automatic choice maps it

// SIGBUS is blocked in this thread while it lives.
class blocked_bus_errors : not_copied {
 public:
  blocked_bus_errors() {
    sigset_t bus;
    sigemptyset(&bus);
    sigaddset(&bus, SIGBUS);
    pthread_sigmask(SIG_BLOCK, &bus, &before_);
  }
  ~blocked_bus_errors() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

TEST(a_thread_that_blocks_sigbus, reads_without_a_mapping) {
  const temporary_file file(std::string(large, 'x'));
  source mapped(file.path());
  if (mapped.method() != method::mmap) GTEST_SKIP() << "nothing is mapped here: " << mapped.reason();
  const blocked_bus_errors blocked;
  source automatic(file.path());
  EXPECT_EQ(rest_of(automatic).size(), large);
  EXPECT_EQ(automatic.method(), method::read);
  EXPECT_THAT(thrown_by([&] { (void)count_lines(file.path(), {}, {.method = method::mmap}); }),
              is_error(errc::method_unavailable, {}, "SIGBUS"));
  EXPECT_EQ(count_lines(file.path(), {}, {.method = method::mmap, .mapping = {.fault_guard = false}}), 0U)
      << "by choice";
}

// Its handler would not fit, so that the OS kernel ended the program.
TEST(a_thread_with_a_small_signal_stack, reads_without_a_mapping) {
  if (build::instrumented) GTEST_SKIP() << "AddressSanitizer has stacks of its own";
  const temporary_file file(std::string(large, 'x'));
  for (const std::size_t size : {std::size_t{0}, std::size_t{64} << 10U}) {
    std::thread([&] {
      std::vector<char> bytes(std::max(size, os::least_signal_stack()));
      stack_t alternate{};
      alternate.ss_sp = bytes.data();
      alternate.ss_size = bytes.size();
      ASSERT_EQ(sigaltstack(&alternate, nullptr), 0);
      const auto read = [&](method how) {
        return code_of([&] { (void)count_lines(file.path(), {}, {.method = how}); });
      };
      EXPECT_EQ(read(method::automatic), std::error_code());
      EXPECT_EQ(read(method::mmap), size == 0 ? errc::method_unavailable : std::error_code());
      alternate.ss_flags = SS_DISABLE;
      sigaltstack(&alternate, nullptr);
    }).join();
  }
}

TEST(a_thread_that_blocks_sigbus, goes_on_by_read_where_another_thread_mapped) {
  const temporary_file file(numbered_lines(2'000'000));
  ASSERT_GT(std::filesystem::file_size(file.path()), large);
  source from(file.path(), {.block_size = std::size_t{1} << 20U});
  std::string bytes(from.next().bytes);
  std::thread([&] {
    const blocked_bus_errors blocked;
    read_on(from, bytes);
  }).join();
  EXPECT_TRUE(bytes == file.contents());
}

TEST(a_window, of_a_file_that_was_cut_and_has_grown_again_is_an_error) {
  const temporary_file file(std::string(large, 'x'));
  source from(file.path(), {.method = method::mmap, .block_size = std::size_t{1} << 20U});
  const block first = from.next();
  ::usleep(20'000);  // the system's clock for files ticks up to every 10 ms
  file.resize(0);
  EXPECT_EQ(first.bytes[0], '\0') << "a page that is lost";
  file.resize(large);
  EXPECT_EQ(code_of([&] { (void)from.next(); }), errc::truncated);
}

// How a file is cut while a loop over its lines is in the middle of a window, and how it grows again.
struct cut {
  std::uint64_t to;
  std::uint64_t then;
};

// Calls `f` with each line of a file, which is a mapped_file or mapped by its method.
template <class F>
error failure_of_lines(const temporary_file& file, bool mapped, F f) {
  const mapped_file whole(file.path());
  const read_options reading{.method = mapped ? method::automatic : method::mmap};
  return thrown_by([&] {
    const input from = mapped ? input(whole) : input(file.path());
    for (const std::string_view line : lines(from, {.keep_delimiter = true}, reading)) f(line);
  });
}

class each_cut : public testing::TestWithParam<cut> {};

INSTANTIATE_TEST_SUITE_P(faults, each_cut,
                         testing::Values(cut{0, 0}, cut{3'000'000, 3'000'000}, cut{0, 3'000'000},
                                         cut{1'300'001, 1'400'000}));

TEST_P(each_cut, gives_few_zeros_and_an_error_at_or_before_them) {
  const std::string text = numbered_lines(large / 4).substr(0, large);
  ASSERT_EQ(text.size(), large);
  for (const bool mapped : {false, true}) {
    const temporary_file file(text);
    std::size_t place = 0;
    std::optional<std::size_t> wrong;
    const auto failure = failure_of_lines(file, mapped, [&](std::string_view line) {
      if (!wrong && line != std::string_view(text).substr(place, line.size())) wrong = place;
      if (place <= 1'200'000 && place + line.size() > 1'200'000) {
        ::usleep(20'000);  // the system's clock for files ticks up to every 10 ms
        file.resize(GetParam().to);
        file.resize(GetParam().then);
      }
      place += line.size();
    });
    ASSERT_TRUE(failure.offset());
    constexpr std::size_t part = std::size_t{256} << 10U;
    EXPECT_LE(place, 1'200'000 + part) << failure.what();
    EXPECT_GE(*failure.offset(), text.rfind('\n', 1'200'000 / part * part - 1) + 1)
        << "what was checked stays right: " << failure.what();
    if (wrong) {
      EXPECT_LE(*failure.offset(), *wrong) << failure.what();
    }
  }
}

// The loop holds a line that began in an earlier part than the one that was handed out last.
TEST(a_window, that_lost_a_long_record_says_so_from_its_start) {
  constexpr std::size_t long_line = std::size_t{1} << 20U;
  constexpr std::size_t start = std::size_t{2} << 20U;
  const std::string text =
      std::string(start - 1, 'a') + "\n" + std::string(long_line, 'b') + "\n" + std::string(large, 'c');
  for (const bool mapped : {false, true}) {
    const temporary_file file(text);
    std::size_t place = 0;
    const auto failure = failure_of_lines(file, mapped, [&](std::string_view line) {
      if (place == start) {
        ::usleep(20'000);
        file.resize(0);
        EXPECT_EQ(std::ranges::count(line, '\0'), static_cast<std::ptrdiff_t>(line.size()));
      }
      place += line.size();
    });
    ASSERT_TRUE(failure.offset());
    EXPECT_EQ(*failure.offset(), start) << failure.what();
  }
}

// Records of which the zeros of a lost page would make one that is wrong.
struct zeroed_record {
  way how;
  const char* text;  // of the file, repeated
};

void take_lengths(const input& from, delivery& got) {
  for (reader in(from, got.reading); !in.at_end();) {
    (void)in.take<char>(in.get<char>() - 1);
    got.add(std::string(static_cast<std::size_t>(in.offset()) - got.bytes.size(), 'a'), false);
  }
}

// The splits are larger than what is checked at a time.
template <unsigned threads>
void lines_of_splits(const input& from, delivery& got) {
  std::mutex mutex;
  const auto use = [&](const block& part) {
    std::uint64_t place = part.offset;
    for (const std::string_view line : lines(memory(part.bytes), {.max_length = got.longest})) {
      const std::lock_guard lock(mutex);
      got.bytes.resize(static_cast<std::size_t>(place));
      got.each();
      place += line.size() + 1;
    }
  };
  parallel_for_each(from, use, {.threads = threads, .split_size = std::size_t{1} << 20U}, got.reading);
}

const zeroed_record zeroed_records[] = {
    {way_named("lines"), "a line\n"},
    {way_named("numbered_lines"), "a line\n"},
    {way_named("lines_of_reader"), "a line\n"},
    {way_named("lines_of_c"), "a line\n"},
    {way_named("words"), "a word\n"},
    {way_named("rows"), "a,row\n"},
    {way_named("quoted_rows"), "\"xx\",\"y\"\n"},
    {{"reader.take", take_lengths}, "a"},
    {{"parallel_for_each by one thread", lines_of_splits<1>}, "a line\n"},
    {{"parallel_for_each", lines_of_splits<3>}, "a line\n"},
};

// A batch of 4096 bytes is scanned at a time, so the zeros begin at each place of a row in turn.
TEST(a_window, that_was_lost_says_so_and_not_that_a_record_is_wrong) {
  for (const zeroed_record& tested : zeroed_records) {
    const std::string text = repeated(tested.text, large / std::strlen(tested.text) + 1);
    for (const bool mapped : {false, true}) {
      for (std::uint64_t place = 1'200'000; place < 1'200'000 + 9 * 4096; place += 4096) {
        const temporary_file file(text);
        const mapped_file whole(file.path());
        std::atomic<bool> cut = false;
        delivery got{.reading = {.method = mapped ? method::automatic : method::mmap},
                     .longest = 100,
                     .tries_again = false};
        got.each = [&] {
          if (got.bytes.size() >= place && !cut.exchange(true)) file.resize(0);
        };
        ASSERT_THAT(thrown_by([&] { tested.how.read(mapped ? input(whole) : input(file.path()), got); }),
                    is_error(errc::truncated))
            << tested.how.name;
      }
    }
  }
}

TEST(a_window, that_was_lost_says_so_and_not_that_a_field_is_missing) {
  const std::string text = repeated("aaaa,bbbb\n", large / 10 + 1);
  const temporary_file file(text);
  std::uint64_t cut = 0;
  EXPECT_EQ(code_of([&] {
              for (const row each : rows(file.path(), {}, {.method = method::mmap})) {
                if (each.offset() >= 1'200'000 && cut == 0) {
                  cut = each.offset() + 20'003;
                  ::usleep(20'000);
                  file.resize(cut);
                  EXPECT_EQ(each[0].data()[20'003 + 8192], '\0') << "a page that is lost";
                  file.resize(text.size());
                  std::fstream(file.path(), std::ios::in | std::ios::out)
                          .seekp(static_cast<std::streamoff>(cut) + 5)
                      << '\n';
                }
                (void)each.at(1);
              }
            }),
            errc::truncated);
}

TEST(a_window, of_a_loop_that_moves_to_a_thread_that_blocks_sigbus_is_not_used_there) {
  const temporary_file file(std::string(large, '\n'));
  source from(file.path(), {.method = method::mmap, .block_size = large});
  (void)from.next();
  std::thread([&] {
    const blocked_bus_errors blocked;
    EXPECT_EQ(code_of([&] { (void)from.next(); }), errc::method_unavailable);
  }).join();
}

TEST(a_source, that_found_its_file_cut_does_not_read_the_file_that_grew_there) {
  for (const bool sought : {false, true}) {
    const temporary_file file(std::string(large, 'a'));
    source from(file.path(), {.method = method::mmap});
    const std::size_t size = from.next().size();
    ::usleep(20'000);
    file.resize(0);
    const auto check = [&] { sought ? from.seek(size) : from.check(); };
    const auto found = thrown_by(check);
    file.resize(2 * large);
    EXPECT_EQ(code_of([&] { (void)from.next(); }), found.code());
  }
}

TEST(a_window, of_a_file_that_lost_its_name_is_read_on) {
  const temporary_file file(std::string(large, 'x'));
  source from(file.path(), {.method = method::mmap, .block_size = std::size_t{1} << 20U});
  const std::size_t size = from.next().size();
  ::usleep(20'000);
  std::filesystem::remove(file.path());
  EXPECT_EQ(size + rest_of(from).size(), large);
}

TEST(mapped_file, that_was_cut_does_not_forget_it_when_resized) {
  const temporary_file file(std::string(20'000, 'x'));
  mapped_file mapped(file.path(), {.mode = mapping_mode::shared});
  file.resize(100);
  mapped.writable()[15'000] = 'y';
  EXPECT_TRUE(error_of([&] { mapped.flush(); }));
  EXPECT_TRUE(error_of([&] { mapped.resize(20'000); }));
}

TEST(mapped_file, on_a_full_disk_says_so_when_flushed) {
  if (const auto refusal = refusal_of_mounts()) GTEST_SKIP() << *refusal;
  const mounted place("riffle-test", "tmpfs", "size=64k");
  mapped_file mapped(place.path() / "sparse",
                     {.mode = mapping_mode::shared, .create = true, .minimum_size = 1 << 20});
  for (std::size_t at = 0; at < mapped.size(); at += 4096) mapped.writable()[at] = 'x';
  EXPECT_THAT(thrown_by([&] { mapped.flush(); }), is_error(std::errc::no_space_on_device));
}

TEST(mapped_file, beyond_the_limit_of_file_sizes_is_an_error) {
  expect_in_child([&] {
    rlimit most{};
    most.rlim_cur = most.rlim_max = 65'536;
    ::setrlimit(RLIMIT_FSIZE, &most);
    const temporary_file file("abc");
    mapping_options options{.mode = mapping_mode::shared};
    mapped_file mapped(file.path(), options);
    options.minimum_size = 65'537;
    const bool refused = code_of([&] { mapped.resize(65'537); }) == std::errc::file_too_large &&
                         code_of([&] { mapped_file(file.path(), options); }) == std::errc::file_too_large &&
                         mapped.view() == "abc";
    mapped.resize(65'536);
    mapped.resize(1);
    return refused && file.contents() == "a";
  });
}

// At most 65530 pieces of mappings by default: each bad page splits one.
TEST(many_mappings, with_bad_pages_do_not_end_the_program) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer's own mappings are too many beside these";
  expect_in_child([&] {
    constexpr std::size_t pages = 600;
    const temporary_file file(std::string(pages * 4096, 'x'));
    std::vector<mapped_file> mapped;
    for (int i = 0; i != 200; ++i) mapped.emplace_back(file.path());
    file.resize(0);
    std::size_t zeros = 0;
    for (const mapped_file& each : mapped) {
      for (std::size_t page = 0; page != pages; page += 2)
        zeros += each.data()[page * 4096] == '\0' ? 1U : 0U;
    }
    bool told = true;
    for (const mapped_file& each : mapped) told = told && error_of([&] { each.check(); }).has_value();
    return zeros == 200 * pages / 2 && told;
  });
}

}  // namespace
}  // namespace riffle::test
