/// Offsets, counts and paths that no file can have, and a ring whose system call fails.
#include <riffle/riffle.hpp>

#include <dlfcn.h>
#include <signal.h>
#include <unistd.h>

#include "tests/support/faults.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

EACH_METHOD(each_far_seek);

TEST_P(each_far_seek, is_the_end) {
  const temporary_file file("abc");
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  constexpr std::uint64_t half = std::uint64_t{1} << 63U;
  for (const std::uint64_t offset :
       {std::uint64_t{4}, half / 2, half / 2 + 1, half - 1, half, half + 1, most - 4096, most}) {
    source from(file.path(), {.method = GetParam()});
    from.seek(offset);
    EXPECT_TRUE(from.next().empty()) << offset;
    from.seek(1);
    EXPECT_EQ(from.next().bytes, "bc") << offset;
  }
}

TEST(a_path, with_a_zero_byte_is_an_error) {
  const temporary_file file("abc");
  const std::string hidden = file.path().string() + std::string("\0.txt", 5);
  const auto refused = is_error(errc::invalid_argument, {}, "?.txt': the path contains a NUL byte", hidden);
  EXPECT_THAT(thrown_by([&] { (void)read_all(hidden); }), refused);
  EXPECT_THAT(thrown_by([&] { (void)mapped_file(hidden); }), refused);
}

TEST(a_reader, goes_on_after_a_take_that_failed) {
  reader in(memory("abcdefghijkl"));
  EXPECT_EQ(in.bytes(1), "a");
  EXPECT_EQ(code_of([&] { (void)in.take<std::uint64_t>(2); }), errc::unexpected_end);
  const auto letters = in.take<std::uint32_t>(2);
  EXPECT_EQ(memory(std::as_bytes(letters)).bytes(), "bcdefghi");
}

// Calls `f` with a range of each kind, and with the number of its records.
template <class F>
void for_each_range(F f) {
  const temporary_file file("1\n2\n");
  f(lines(file.path()), 2);
  f(riffle::numbered_lines(file.path()), 2);
  f(words(file.path()), 2);
  f(tokens(file.path()), 4);
  f(bytes(file.path()), 4);
  f(blocks(file.path()), 1);
  f(values<char>(file.path()), 4);
  f(numbers<int>(file.path()), 2);
  f(rows(file.path()), 2);
  f(columns<int>(file.path(), {"1"}), 1);
  f(fasta(memory(">a\nA\n")), 1);
  f(fastq(memory("@a\nA\n+\n!\n")), 1);
}

// What was moved from is empty, or an error that says so.
TEST(an_object, that_was_moved_from_does_not_crash) {
  const temporary_file file("one two\nthree\n");
  const auto refuses = [](auto act) { EXPECT_EQ(code_of(act), errc::invalid_argument); };
  {
    source from(file.path());
    source other = std::move(from);
    refuses([&] { (void)from.next(); });
    refuses([&] { from.check(); });
    refuses([&] { from.seek(0); });
    EXPECT_FALSE(from.seekable());
    EXPECT_EQ(from.method(), method::automatic);
    EXPECT_EQ(from.name() + from.reason(), "");
    EXPECT_EQ(from.start() + from.size_hint(), 0U);
    from = std::move(other);
    EXPECT_EQ(from.next().bytes, "one two\nthree\n");
  }
  {
    reader from(file.path());
    const reader other = std::move(from);
    refuses([&] { (void)from.line(); });
    refuses([&] { (void)from.bytes(1); });
    refuses([&] { (void)from.at_end(); });
    refuses([&] { from.skip(1); });
    refuses([&] { from.take<int>(-1); });
    EXPECT_EQ(from.offset(), 0U);
    EXPECT_EQ(from.from().name(), "");
  }
  {
    reader from(file.path());
    EXPECT_EQ(from.get<char>(), 'o');  // there is a block now
    reader other = std::move(from);
    refuses([&] { (void)from.at_end(); });
    refuses([&] { (void)from.get<char>(); });
    from = std::move(other);
    EXPECT_EQ(from.get<char>(), 'n');
    refuses([&] { (void)other.get<char>(); });
  }
  for_each_range([&](auto from, std::size_t) {
    const auto other = std::move(from);
    refuses([&] { for_each(from, [](const auto&) {}); });
  });
  {
    line_index from(file.path());
    const line_index other = std::move(from);
    EXPECT_EQ(from.size(), 0U);
    refuses([&] { (void)from[0]; });
  }
  {
    value_counter from;
    from.add("a");
    const value_counter other = std::move(from);
    EXPECT_EQ(from.size() + from.top(1).size(), 0U);
    from.add("b");
    EXPECT_EQ(from.top(1)[0].value, "b");
  }
  {
    istream from(file.path());
    const istream other = std::move(from);
    EXPECT_EQ(from.get(), std::istream::traits_type::eof());
    EXPECT_EQ(from.rdbuf(), nullptr);
    EXPECT_EQ(from.from().name(), "");
  }
  {
    mapped_file from(file.path(), {.mode = mapping_mode::copy_on_write});
    const mapped_file other = std::move(from);
    EXPECT_TRUE(from.empty() && from.view().empty() && from.as<int>().empty());
    EXPECT_EQ(read_all(from), "");
    from.check();
    from.populate(0, 10);
    refuses([&] { (void)from.writable(); });
    refuses([&] { from.flush(); });
    refuses([&] { from.resize(10); });
    refuses([&] { (void)from.share(); });
  }
  {
    input from(file.path());
    const input other = std::move(from);
    EXPECT_EQ(from.name(), "");
    EXPECT_TRUE(error_of([&] { (void)read_all(from); }));
  }
}

// It has what it had.
template <class T, class Use>
void expect_unmoved(T object, Use use) {
  T& same = object;
  object = std::move(same);
  use(object);
}

TEST(an_object, that_was_moved_to_itself_has_what_it_had) {
  const temporary_file file("1\n2\n");
  for_each_range([](auto from, std::size_t count) {
    expect_unmoved(std::move(from), [&](auto& same) {
      for_each(same, [&](const auto&) { --count; });
      EXPECT_EQ(count, 0U);
    });
  });
  expect_unmoved(source(file.path()), [](source& same) { EXPECT_EQ(same.next().bytes, "1\n2\n"); });
  expect_unmoved(reader(file.path()), [](reader& same) { EXPECT_EQ(same.line(), "1"); });
  expect_unmoved(istream(file.path()), [](istream& same) { EXPECT_EQ(same.get(), '1'); });
  expect_unmoved(line_index(file.path()), [](line_index& same) { EXPECT_EQ(same[1], "2"); });
  expect_unmoved(mapped_file(file.path()), [](mapped_file& same) { EXPECT_EQ(same.view(), "1\n2\n"); });
  expect_unmoved(value_counts(file.path()), [](value_counter& same) { EXPECT_EQ(same.size(), 2U); });
}

TEST(an_empty_span, takes_nothing) {
  reader in(memory("ab"));
  for (int i = 0; i != 2; ++i) {
    EXPECT_EQ(in.read({}) + in.read_some({}), 0U);
    EXPECT_EQ(in.bytes(0), "");
    EXPECT_EQ(in.peek(0), "");
    EXPECT_TRUE(in.take<int>(0).empty());
    in.skip(0);
    in.unread(0);
    EXPECT_EQ(in.offset(), i == 0 ? 0U : 2U);
    if (i == 0) in.skip(2);
  }
  const reader other = std::move(in);
  EXPECT_EQ(in.read({}) + in.read_some({}), 0U);
  EXPECT_EQ(count_lines(memory(std::string_view())) + count_any_of(memory("a"), ""), 0U);
  EXPECT_EQ(scan::sum(std::span<const int>()), 0);
  std::string_view none[1];
  EXPECT_EQ(fields("a,b", ',', std::span<std::string_view>()), 2U);
  EXPECT_EQ(fields("", ',', none), 1U);
  mapped_file mapped;
  EXPECT_EQ(mapped.view(0, 0), "");
  EXPECT_TRUE(mapped.as<int>(0, 0).empty());
}

}  // namespace
}  // namespace riffle::test

namespace {

thread_local int submit_code = 0;  // what the armed call fails with
thread_local int submit_at = 0;    // the armed call, counted down to 1; 0: none
thread_local int wait_code = 0;    // what every wait fails with; 0: they do not fail
thread_local int to_cancel = 0;    // so many reads that meet the end are cancelled instead

}  // namespace

struct io_uring;
struct io_uring_cqe;

// Instead of those of liburing, which the library calls.
extern "C" __attribute__((visibility("default"))) int io_uring_submit(io_uring* ring) {
  static const auto real = reinterpret_cast<int (*)(io_uring*)>(::dlsym(RTLD_NEXT, "io_uring_submit"));
  if (submit_at != 0 && --submit_at == 0) return -submit_code;
  return real(ring);
}
// What io_uring_wait_cqe calls if no read has ended.
extern "C" __attribute__((visibility("default"))) int __io_uring_get_cqe(io_uring* ring, io_uring_cqe** entry,
                                                                         unsigned submit, unsigned wait,
                                                                         sigset_t* signals) {
  using function = int (*)(io_uring*, io_uring_cqe**, unsigned, unsigned, sigset_t*);
  static const auto real = reinterpret_cast<function>(::dlsym(RTLD_NEXT, "__io_uring_get_cqe"));
  if (wait_code != 0) return -wait_code;
  const int failure = real(ring, entry, submit, wait, signals);
  int& result = reinterpret_cast<int*>(*entry)[2];  // behind the tag of 64 bits
  if (failure == 0 && to_cancel != 0 && result == 0) {
    --to_cancel;
    result = -ECANCELED;
  }
  return failure;
}

namespace riffle::test {
namespace {

TEST(a_ring, that_refuses_a_read_is_an_error_and_no_hang) {
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  const std::string text = numbered_lines(100'000);
  const temporary_file file(text);
  for (const int code : {ENOMEM, EIO, EBADR}) {
    for (int at = 1; at != 12; ++at) {
      submit_code = code;
      submit_at = at;
      ::alarm(20);
      const auto [bytes, failure] =
          read_blocks(file.path(), {.method = method::uring, .block_size = 65536, .queue_depth = 4});
      ::alarm(0);
      EXPECT_TRUE(text.starts_with(bytes));
      if (submit_at != 0) break;  // there were fewer calls
      ASSERT_TRUE(failure) << at;
      EXPECT_EQ(failure->code().value(), code);
    }
    submit_at = 0;
  }
}

// As signals do it to a read of a FIFO.
TEST(a_ring, whose_reads_are_cancelled_reads_on) {
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  to_cancel = 3;
  for (int tries = 0; to_cancel != 0 && tries != 100; ++tries) {
    open_pipe pipe;
    const std::jthread writer([to = std::move(pipe.writing)] {
      EXPECT_EQ(write_some(to.get(), "all of it"), 9);
      ::usleep(10'000);  // so that the ring is waited for
    });
    EXPECT_EQ(all_of(pipe.reading.get(), {.method = method::uring}), "all of it");
  }
  EXPECT_EQ(to_cancel, 0) << "no read was cancelled";
}

// The OS kernel may still write to the buffer of a read that nobody can wait for.
TEST(a_ring, that_cannot_wait_never_frees_the_buffers_in_flight) {
  if (const auto reason = find_method(method::uring)->unavailable()) GTEST_SKIP() << *reason;
  if (const auto reason = allocations::unavailable()) GTEST_SKIP() << *reason;
  const open_pipe silent;  // so that the read stays in flight
  const auto lost = [&] {
    const std::size_t before = allocations::alive();
    {
      source from(silent.reading.get(), {.method = method::uring, .block_size = 65536});
      wait_code = EBADR;
      EXPECT_EQ(code_of([&] { (void)from.next(); }).value(), EBADR);
      EXPECT_EQ(code_of([&] { from.seek(0); }), std::errc::invalid_seek);
    }
    wait_code = 0;
    return allocations::alive() - before;
  };
  (void)lost();  // what a first use allocates for good
  EXPECT_EQ(lost(), 1U);
}

}  // namespace
}  // namespace riffle::test
