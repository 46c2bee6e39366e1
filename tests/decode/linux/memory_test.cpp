/// Decoding takes little memory whatever the ratio, and survives that there is none.
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <new>

#include "tests/support/compress.hpp"
#include "tests/support/faults.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

EACH_CONTAINER(each_memory);

// In MiB, a figure of /proc/self/status.
long status_of(std::string_view name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name)) return std::stol(line.substr(name.size() + 1)) / 1024;
  }
  return -1;
}

// The memory in MiB that a process needs more while it counts the bytes of a file.
long growth_of(const std::filesystem::path& file, std::uint64_t size, const read_options& reading) {
  return std::stol(in_child([&] {
    const long before = status_of("VmHWM");
    std::uint64_t found = 0;
    for (const block& part : blocks(file, reading)) found += part.size();
    return std::to_string(found == size ? status_of("VmHWM") - before : -1);
  }));
}

TEST_P(each_memory, is_bounded_for_what_is_much_larger_than_its_file_and_for_what_is_not) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer takes memory of its own";
  struct {
    std::string content;
    int members;
  } const rows[] = {
      {std::string(std::size_t{32} << 20U, '\0'), 3},                 // a bomb
      {numbered_lines(620'000).substr(0, std::size_t{8} << 20U), 9},  // parts of the largest size
      {random_text(std::size_t{20} << 20U, 2), 2},                    // members that are no parts
  };
  for (const auto& row : rows) {
    const std::string member = GetParam().member(row.content);
    const temporary_file file;
    for (int i = 0; i != row.members; ++i) file.append(member);
    for (const unsigned threads : {1U, 4U}) {
      if (threads == 1 && &row != rows) continue;  // one thread cuts nothing into parts
      const long growth =
          growth_of(file.path(), static_cast<std::uint64_t>(row.members) * row.content.size(),
                    {.method = method::read, .decode = GetParam().format, .decode_threads = threads});
      EXPECT_GE(growth, 0) << "the count is wrong";
      // liblzma holds a block for each thread, and what it is decoded from.
      const long of_blocks = GetParam().format != decoding::xz || threads == 1 ? 0 : 2 * (32 + 20);
      EXPECT_LT(growth, 64 + of_blocks) << row.members << " members, " << threads << " threads";
    }
  }
}

TEST_P(each_memory, that_runs_out_anywhere_gives_the_content_or_an_error) {
  if (const auto reason = allocations::unavailable()) GTEST_SKIP() << *reason;
  const std::string text = numbered_lines(3000);
  const std::string compressed = in_members(GetParam(), text, 10'000);
  for (const unsigned threads : {1U, 3U}) {
    for (const bool on : {false, true}) {
      bool met = true;
      for (std::size_t at = 1; met && at != 2000; ++at) {
        SCOPED_TRACE(std::to_string(threads) + " threads, allocation " + std::to_string(at) +
                     (on ? " and all after it" : ""));
        ::alarm(20);  // a case that hangs
        bool failed = false;
        std::string found;
        found.reserve(2 * text.size());
        allocations::start_failing(at, on);
        try {
          const read_options reading{.decode = GetParam().format, .decode_threads = threads};
          for (const block& part : blocks(memory(compressed), reading)) found += part.bytes;
        } catch (const error& failure) {
          failed = true;
          if (failure.code() != std::errc::not_enough_memory) found = failure.what();
        } catch (const std::bad_alloc&) {
          failed = true;
        }
        met = allocations::stop_failing();
        EXPECT_TRUE(text.starts_with(found)) << found.substr(0, 200);
        if (!failed) {
          EXPECT_EQ(found.size(), text.size());
        }
        EXPECT_TRUE(met || !failed);
        if (HasFailure()) return;
      }
    }
  }
  ::alarm(0);
}

}  // namespace
}  // namespace riffle::test
