/// A file system that fails, stalls, falls short or gives a wrong size, as NFS may: riffle-slow-fs stands in
/// for it.
#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/faults/answers.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

const std::string text = patterned_bytes(160 << 10);  // more than the OS kernel reads ahead at once
constexpr std::size_t small_block = 16384;

class each_far_file : public test_of_slow_files<testing::TestWithParam<method>> {
 protected:
  static std::vector<ending> answers_of(const slow_file& file, std::size_t block_size = small_block) {
    return answers(file.path(), text, {.method = GetParam(), .block_size = block_size});
  }
};
INSTANTIATE_TEST_SUITE_P(methods, each_far_file, testing::ValuesIn(usable_methods()), method_name);

using a_far_file = test_of_slow_files<>;
using a_slow_file = test_of_slow_files<>;
using a_file_of_another_user = test_of_slow_files<>;
using cat_of_the_last_lines = test_of_slow_files<>;

TEST_P(each_far_file, with_a_bad_byte_is_right_up_to_its_page) {
  if (const auto refusal = refusal_of_populate(GetParam())) GTEST_SKIP() << *refusal;
  for (const std::size_t block_size : {std::size_t{0}, small_block}) {
    // Of a mapped window the fault guard meets the page at 64 KiB, and the call that populates the other.
    for (const std::uint64_t page : {65536U, 81920U}) {
      const slow_file bad(text, {"--eio-at=" + std::to_string(page + 80)});
      expect_errors(answers_of(bad, block_size), bad.path(), {std::errc::io_error}, page);
    }
  }
}

TEST_P(each_far_file, with_a_stale_handle_says_so) {
  if (const auto refusal = refusal_of_populate(GetParam())) GTEST_SKIP() << *refusal;
  const slow_file stale(text, {"--estale-at=50000"});
  std::vector<std::error_condition> codes{{ESTALE, std::generic_category()}};
  if (GetParam() == method::mmap) codes.emplace_back(std::errc::io_error);  // a page fault has no other code
  expect_errors(answers_of(stale), stale.path(), codes, 49152);
}

// Which page fails is up to the OS kernel's readahead.
TEST_P(each_far_file, that_leaks_an_interruption_is_right_or_an_error) {
  for (const char* const direct : {"--direct-io=0", "--direct-io=1"}) {
    const slow_file interrupted(text, {"--eintr-at=50000", direct});
    expect_right_or_error(answers_of(interrupted), interrupted.path(), {std::errc::io_error});
  }
}

// Below the size that a FUSE file system reports, the OS kernel may read zeros from the page cache, where
// `direct` looks after a short read.
// Whether the OS kernel fills up to the size with zeros depends on what it has read ahead.
TEST_P(each_far_file, that_ends_before_its_size_is_what_there_was_and_zeros_at_most) {
  const slow_file early(text, {"--size=400K"});
  const std::string zeros((400 << 10) - text.size(), '\0');
  const ending given =
      answer_in_blocks(early.path(), text + zeros, {.method = GetParam(), .block_size = small_block});
  EXPECT_EQ(given.got.wrong, "");
  EXPECT_TRUE(given.got.truth.starts_with(given.got.bytes)) << "it is not how the file begins";
}

TEST_P(each_far_file, of_no_size_has_its_data) {
  const slow_file unknown(text, {"--size=0", "--direct-io=1"});
  if (GetParam() == method::mmap) {
    expect_errors(answers_of(unknown), unknown.path(), {std::errc::operation_not_supported});
  } else {
    expect_whole(answers_of(unknown));
  }
}

TEST_P(each_far_file, without_positions_is_read_in_order) {
  const slow_file stream(text, {"--no-seek=1"});
  if (GetParam() == method::mmap || GetParam() == method::direct) {
    expect_errors(answers_of(stream), stream.path(), {std::errc::operation_not_supported});
  } else {
    expect_whole(answers_of(stream));
  }
}

// Who shares, skips or splits a file asks before the first read fails.
TEST_P(each_far_file, without_positions_is_shared_and_skipped_as_a_pipe_is) {
  if (GetParam() == method::mmap || GetParam() == method::direct) GTEST_SKIP() << "it reads no pipe";
  const slow_file stream(text, {"--no-seek=1"});
  const read_options reading{.method = GetParam(), .block_size = small_block};
  EXPECT_EQ(joined(stream.path(), {.threads = 3, .split_size = 4096}, reading), text);
  reader values(stream.path(), reading);
  values.skip(text.size() - 3);
  EXPECT_EQ(values.bytes(3), text.substr(text.size() - 3));
  EXPECT_FALSE(source(stream.path(), reading).seekable());
  EXPECT_EQ(examine(stream.path()).kind, input_kind::stream);
}

// If its server does not read asynchronously, io_uring repeats bytes after a short read, and hides it.
TEST_P(each_far_file, past_the_cache_gives_no_byte_twice) {
  if (GetParam() == method::mmap) GTEST_SKIP() << "a mapping goes through the page cache";
  for (const char* const asynchronous : {"--async-dio=0", "--async-dio=1"}) {
    for (const char* const fault : {"--short-reads=5000", "--size=160K", "--size=400K", "--size=163839",
                                    "--size=9999", "--size=0", "--no-seek=1"}) {
      SCOPED_TRACE(std::string(asynchronous) + " " + fault);
      const slow_file direct(text, {"--direct-io=1", asynchronous, fault});
      const bool refused = GetParam() == method::direct && std::string_view(fault) == "--no-seek=1";
      if (refused) {
        expect_errors(answers_of(direct), direct.path(), {std::errc::operation_not_supported});
      } else {
        expect_whole(answers_of(direct));
      }
    }
  }
}

// As before Linux 6.5, and where the programs of another processor are emulated.
TEST_F(a_far_file, past_the_cache_is_not_asked_for_ahead_without_cachestat) {
  if (const auto refusal = test::trap::unavailable()) GTEST_SKIP() << *refusal;
  const std::string large = patterned_bytes(4 << 20);
  slow_file direct(large, {"--direct-io=1", "--latency=5", "--size=8M"});
  const trap::failure missing({.number = 451, .code = ENOSYS, .at = 1, .from_there_on = true});
  trap::run([&] { expect_whole({answer_in_blocks(direct.path(), large, {.method = method::read})}); });
  EXPECT_LE(requests_of(direct.end()).bytes, large.size() + large.size() / 8);
}

TEST_F(a_far_file, past_the_cache_gives_no_byte_twice_if_no_method_was_named) {
  const std::string large = numbered_lines(1'500'000);
  for (const char* const fault : {"--latency=0", "--short-reads=200000", "--size=20M", "--size=9M"}) {
    const slow_file direct(large, {"--direct-io=1", "--async-dio=0", fault});
    EXPECT_TRUE(answer_in_blocks(direct.path(), large, {.keep_cache = false}).whole()) << fault;
    for (const unsigned threads : {1U, 4U}) {
      EXPECT_EQ(count_lines(direct.path(), {.threads = threads}, {.keep_cache = false}), 1'500'000U) << fault;
      const shell_result counted = shell("$riffle wc --lines --no-cache --threads " +
                                         std::to_string(threads) + " < " + direct.path().string());
      EXPECT_EQ(counted.out, "1500000\n") << fault;
    }
    EXPECT_EQ(shell("$riffle cat --no-cache " + direct.path().string() + " | tail -n 1").out,
              "line 1499999\n");
  }
}

// A mapping goes through the page cache, for which a short read is the end of the file.
TEST_P(each_far_file, that_gives_a_hundred_bytes_at_a_time_is_right_or_an_error) {
  if (const auto refusal = refusal_of_populate(GetParam())) GTEST_SKIP() << *refusal;
  const slow_file bitwise(text, {"--short-reads=100", "--direct-io=1"});
  if (GetParam() == method::mmap || GetParam() == method::automatic) {
    expect_right_or_error(answers_of(bitwise), bitwise.path(),
                          {std::errc::io_error, std::errc::operation_not_supported});
  } else {
    expect_whole(answers_of(bitwise));
  }
}

TEST_P(each_far_file, that_shrinks_is_right_up_to_there) {
  const std::string_view left = std::string_view(text).substr(0, 50'000);
  for (const char* const after : {"--shrink-after=0", "--shrink-after=1"}) {
    const slow_file shrinking(text, {"--shrink-to=50000", after});
    const read_options reading{.method = GetParam(), .block_size = small_block};
    expect_right_or_error({answer_in_blocks(shrinking.path(), text, reading)}, shrinking.path(),
                          {std::errc::io_error});
    expect_whole(answers(shrinking.path(), left, reading));
  }
}

// A shared mapping of a file that every read passes the page cache for is ENODEV.
TEST_F(a_far_file, that_cannot_be_mapped_is_read_if_no_method_was_named) {
  const std::string large = patterned_bytes(9 << 20);
  const slow_file unmappable(large, {"--direct-io=1"});
  expect_whole({answer_in_blocks(unmappable.path(), large, {.mapping = {.shared = true}})});
  const ending named =
      answer_in_blocks(unmappable.path(), large, {.method = method::mmap, .mapping = {.shared = true}});
  EXPECT_THAT(named.failure, testing::Optional(is_error(std::errc::no_such_device)));
  EXPECT_EQ(named.failure->operation(), "map");
}

// It reports its whole size again, as if it had grown, but a later time of modification.
TEST_F(a_far_file, that_ends_early_and_has_changed_is_truncated) {
  const slow_file changing(text, {"--size=400K", "--shrink-to=400K", "--shrink-after=1", "--direct-io=1"});
  const ending found = answer_in_blocks(changing.path(), text, {.method = method::read, .block_size = 16384});
  EXPECT_THAT(found.failure, testing::Optional(is_error(errc::truncated, text.size())));
}

TEST_F(a_far_file, that_is_mapped_is_read_behind_a_bad_page_and_faulted_in_again_after_a_seek) {
  if (const auto refusal = refusal_of_populate()) GTEST_SKIP() << *refusal;
  const std::string bytes = patterned_bytes(1 << 20);
  const slow_file failing(bytes, {"--eio-at=100000"});
  const mapped_file mapped(failing.path());
  source behind(mapped);
  behind.seek(600'000);
  const block part = behind.next();
  EXPECT_EQ(part.offset, 600'000U);
  EXPECT_TRUE(std::string_view(bytes).substr(600'000).starts_with(part.bytes));
  source from(mapped);
  from.seek(mapped.size());
  EXPECT_TRUE(from.next().empty());
  from.seek(0);
  EXPECT_EQ(code_of([&] { from.next(); }), std::errc::io_error);
}

TEST_F(a_slow_file, serves_no_more_requests_at_once_than_asked_for) {
  const bool queues = !find_method(method::uring)->unavailable();
  slow_file slow(text, {"--latency=20000", "--served=3"});
  expect_whole({answer_in_blocks(slow.path(), text,
                                 {.method = method::direct, .block_size = 4096, .queue_depth = 16})});
  const std::string said = slow.end();
  // Without a ring riffle reads one block at a time; the OS kernel may ask for one of its own beside that.
  const std::string most = queues ? "3" : "[12]";
  EXPECT_THAT(said, testing::ContainsRegex(" " + most + " at once at most"));
}

TEST_F(a_file_of_another_user, is_read_in_order_from_a_descriptor_that_was_handed_over) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const slow_file file(text, {"--latency=1000"});
  const owned_descriptor handed(::open(file.path().c_str(), O_RDONLY | O_CLOEXEC));
  const std::string answer = in_child([&]() -> std::string {
    if (::setresuid(65534, 65534, 65534) != 0) return "no other user";
    struct stat facts{};
    if (::fstat(handed.get(), &facts) == 0) return "the file system tells everyone";
    return read_all(handed.get());
  });
  EXPECT_TRUE(answer == text) << answer.substr(0, 100);
}

TEST_F(a_file_of_another_user, is_counted_by_wc_in_columns_as_wide_as_the_system_does) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  const slow_file file("a b\nc\n", {"--latency=1000"});
  const std::string other = "setpriv --reuid=65534 --regid=65534 --clear-groups ";
  if (shell(other + "\"$riffle\" --version").status != 0)
    GTEST_SKIP() << "another user cannot start riffle here";
  EXPECT_EQ(shell(other + "\"$riffle\" wc < " + file.path().string()).out, "2 3 6\n");
  EXPECT_EQ(shell(other + "wc < " + file.path().string()).out, "2 3 6\n");
}

TEST_F(a_far_file, without_positions_has_its_bytes_counted_by_wc) {
  const slow_file file(text, {"--no-seek=1"});
  const std::string path = file.path().string();
  EXPECT_EQ(shell("$riffle wc -c " + path).out, std::to_string(text.size()) + " " + path + "\n");
}

TEST_F(cat_of_the_last_lines, reaches_the_end_of_a_file_that_reports_a_smaller_size) {
  const std::string lines = numbered_lines(20'000);
  const slow_file smaller(lines, {"--size=100K", "--direct-io=1"});
  const std::string last = shell("$riffle cat --tail 3 " + smaller.path().string()).out;
  EXPECT_EQ(std::ranges::count(last, '\n'), 3);
  EXPECT_TRUE(lines.ends_with(last)) << last;
}

TEST_F(a_slow_file, has_as_many_names_as_asked_for) {
  const slow_file many("some bytes", {"--files=300"});
  const shell_result found =
      shell("cd " + many.path().parent_path().string() + "; ls | wc -l; cat 1 299 300; cat 301");
  EXPECT_EQ(found.out, "300\nsome bytessome bytessome bytes");
  EXPECT_EQ(found.err, "cat: 301: No such file or directory\n");
}

TEST_F(a_slow_file, says_what_is_wrong_with_its_options) {
  const std::string program = build::slow_fs;
  EXPECT_EQ(shell(program).err, "riffle-slow-fs: FILE or DIRECTORY is missing; see --help\n");
  EXPECT_EQ(shell(program + " --speed=1 a b").err,
            "riffle-slow-fs: unknown option '--speed=1'; see --help\n");
  EXPECT_EQ(shell(program + " --served=0 a b").status, 2);
  EXPECT_EQ(shell(program + " /nonexistent /tmp").err,
            "riffle-slow-fs: /nonexistent: No such file or directory\n");
  EXPECT_EQ(shell(program + " --help").status, 0);
}

}  // namespace
}  // namespace riffle::test
