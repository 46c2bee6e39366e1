/// Every contender of every task gives the answer of a naive loop, on ordinary and on odd inputs. The made
/// inputs are what they say, byte for byte, and go at the end.

#include <set>

#include "bench/contenders/published.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/host/system.hpp"
#include "bench/inputs/inputs.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

template <class T>
T value_at(const std::string& bytes, std::size_t at) {
  T value{};
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

// The oracle: as slow and as plain as can be.
answer naive(task which, const std::string& bytes) {
  answer total;
  if (which == task::gc) {
    for (const char c : bytes) total.count += std::string("cCgG").find(c) != std::string::npos ? 1U : 0U;
  } else if (which == task::lines) {
    for (const std::string& line : test::naive_lines(bytes)) total += {1, line.size()};
  } else if (which == task::words) {
    total.count = test::naive_words(bytes).size();
  } else if (which == task::primes) {
    for (std::size_t at = 0; at < bytes.size(); at += 8) total += {1, value_at<std::uint64_t>(bytes, at)};
  } else {
    for (std::size_t at = 0; at < bytes.size(); ++total.count) {
      const auto end = at + 4 + 4 * static_cast<std::size_t>(value_at<std::int32_t>(bytes, at));
      for (std::int64_t weight = 1; (at += 4) < end; weight = 3 - weight)
        total.sum += static_cast<std::uint64_t>(value_at<std::int32_t>(bytes, at) * weight);
    }
  }
  return total;
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::string made(task which, std::uint64_t size, const std::function<bool()>& interrupted = {}) {
  const test::temporary_directory directory;
  const input from = make_inputs(which, size, directory.path(), interrupted).front();
  std::ifstream in(from.files.front(), std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(from.bytes, bytes.size());
  return bytes;
}

// Inputs that a task must get right. 4095 and around: the ends of stdio's and of fgets' buffers.
std::vector<std::string> inputs_of(task which) {
  if (which == task::ints) {
    return {"",
            made(which, 100000),
            bytes_of<std::int32_t>({0}),
            bytes_of<std::int32_t>({3, 1, 10, -100}),
            bytes_of<std::int32_t>({2, 2147483647, 2147483647, 0, 1, -2147483647 - 1}),
            bytes_of(std::vector<std::int32_t>(300001, 300000))};
  }
  if (which == task::primes) {
    return {"", made(which, 3000000), bytes_of<std::uint64_t>({7}),
            bytes_of<std::uint64_t>({1, 0, 0xFFFFFFFFFFFFFFF0U})};
  }
  // clang-format off
  std::vector<std::string> texts{
      "", "a", "\n", " ", "G", "\n\n\n", "cat gag\n", "no final newline", "\r\nCR LF\r\n", "\nlast\n\n",
      "tab\tvt\vff\fcr\rend ", " caf\xC3\xA9 \xE2\x80\x93 dash\n", std::string("\0\0c\0\n\0g\n\0", 8), std::string(1, '\0'),
      std::string("\n\0", 2), std::string(3000000, 'c'), std::string(300000, 'x') + "\n\nshort",
      std::string(200000, '\n'), made(task::lines, 3000000), made(task::gc, 300000)};
  // clang-format on
  for (const std::size_t size : {4094U, 4095U, 4096U, 4097U, 8190U, 8191U, 65535U, 65536U, 1048576U}) {
    texts.push_back(std::string(size, 'g') + "\n" + std::string(size, 'w'));
    texts.push_back(std::string(size - 1, ' ') + std::string("\0\n\0", 3));
  }
  std::string all_bytes(256, '\0');
  std::iota(all_bytes.begin(), all_bytes.end(), '\0');
  texts.push_back(all_bytes + all_bytes);
  return texts;
}

class every_contender : public testing::TestWithParam<task> {
 protected:
  // Each in a file of its own, of this name if there is one.
  void expect_all(const std::vector<std::string>& inputs, const contender_options& options = {},
                  const std::vector<const char*>& names = {}) {
    const test::temporary_directory directory;
    std::vector<std::filesystem::path> files;
    answer expected;
    for (const std::string& bytes : inputs) {
      const std::size_t at = files.size();
      files.push_back(directory.path() / (names.empty() ? std::to_string(at) : names[at]));
      std::ofstream(files.back(), std::ios::binary) << bytes;
      expected += naive(GetParam(), bytes);
    }
    for (const contender& one : contenders_of(GetParam(), options)) {
      if (one.unavailable && one.unavailable(files)) continue;
      SCOPED_TRACE(one.id() + ", " + std::to_string(one.threads) + " threads, blocks of " +
                   std::to_string(one.block_size));
      const std::optional<answer> given = one.run(files);
      EXPECT_EQ(given.has_value(), one.role != role::limit) << "a limit is the same for every task";
      EXPECT_EQ(given.value_or(expected).count, expected.count);
      EXPECT_EQ(given.value_or(expected).sum, expected.sum);
    }
  }
};

// Requests in flight at once while the contender read a cold file of 4 MiB.
unsigned long most_in_flight(const std::string& name) {
  const std::string bytes = test::patterned_bytes(4 << 20);
  test::slow_file slow(bytes, {"--latency=20000", "--served=16"});
  const std::vector<contender> all = contenders_of(task::lines, {});
  const auto found = std::ranges::find(all, name, &contender::name);
  const std::vector<std::filesystem::path> files{slow.path()};
  EXPECT_TRUE(found->run(files));
  return test::requests_of(slow.end()).most_at_once;
}

}  // namespace

TEST_P(every_contender, gives_the_naive_answer_over_files_of_any_name_by_threads_and_in_blocks_of_any_size) {
  const contender_options varied{.block_sizes = {4096, 12288, 1 << 20}, .threads = {1, 2, 3}};
  const std::vector<std::string> inputs = inputs_of(GetParam());
  expect_all(inputs);
  // Names that a shell or perl would run.
  expect_all(std::vector(4, inputs.at(1)), {}, {"-w", "echo x |", "two words", "$(id)"});
  for (const std::string& bytes : inputs) {
    SCOPED_TRACE("input of " + std::to_string(bytes.size()) + " bytes: " + bytes.substr(0, 20));
    for (const contender_options& options : {contender_options{}, varied}) expect_all({bytes}, options);
  }
}

TEST_P(every_contender, fails_naming_a_missing_file) {
  const std::vector<std::filesystem::path> files{"/nowhere/missing"};
  for (const contender& one : contenders_of(GetParam(), {})) {
    std::string said = "found a file that is not there";
    try {
      one.run(files);
    } catch (const std::runtime_error& failure) {
      said = one.method == "process" ? "missing" : failure.what();
    }
    EXPECT_THAT(said, testing::HasSubstr("missing")) << one.id();
  }
}

INSTANTIATE_TEST_SUITE_P(tasks, every_contender, testing::ValuesIn(all_tasks),
                         [](const auto& parameter) { return std::string(name_of(parameter.param)); });

// What starts them is as large as riffle by then, and so is the least peak that they can have.
TEST(contenders, that_are_programs_have_no_peak) {
  const test::temporary_file file("a word\n");
  for (const task which : {task::gc, task::words}) {
    const std::vector<contender> all = contenders_of(which, {});
    const auto found = std::ranges::find(all, "process", &contender::method);
    found->run(std::vector{file.path()});
    EXPECT_GT(found->own->seconds, 0);
    EXPECT_EQ(found->own->usage.peak_memory, 0) << found->name;
  }
}

TEST(contenders, refuse_arrays_that_end_early_or_have_a_bad_length) {
  for (const std::vector<std::int32_t>& ints :
       {std::vector<std::int32_t>{3, 1, 2}, {-1, 5}, {1, 5, 2147483647}}) {
    const test::temporary_file file(bytes_of(ints));
    for (const contender& one : contenders_of(task::ints, {})) {
      if (one.role == role::limit) continue;
      EXPECT_ANY_THROW(one.run(std::vector{file.path()})) << one.id() << " with " << ints.front();
    }
  }
}

TEST(contenders, use_only_the_method_asked_for) {
  for (const contender& one : contenders_of(task::lines, {.reading = {.method = method::mmap}})) {
    EXPECT_TRUE(one.role != role::riffle || one.method == "mmap") << one.id();
  }
}

TEST(a_mapping_of_a_published_program, survives_a_file_that_shrinks) {
  const test::temporary_file file(std::string(100000, 'x'));
  const whole_mapping mapped(file.path());
  file.resize(0);
  EXPECT_EQ(mapped.bytes()[50000], '\0');
  EXPECT_EQ(mapped.bytes().size(), 100000U);
}

TEST(contenders, are_found_by_globs) {
  for (const char* glob : {"*", "nvwa/*", "*/ge?c", "*a*c"})
    EXPECT_TRUE(matches_glob(glob, "nvwa/getc")) << glob;
  for (const char* glob : {"", "*/get", "nvwa"}) EXPECT_FALSE(matches_glob(glob, "nvwa/getc")) << glob;
  EXPECT_TRUE(matches_glob("", ""));
}

TEST(readahead, has_as_many_requests_in_flight_as_the_storage_serves) {
  if (const auto refusal = test::refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  EXPECT_LE(most_in_flight("sequential"), 6U) << "the OS kernel's own readahead";
  for (const char* name : {"willneed-8M", "threads-32"}) EXPECT_GE(most_in_flight(name), 8U) << name;
}

TEST(inputs, are_the_same_bytes_for_the_same_size_and_never_longer) {
  for (const task which : all_tasks) {
    for (const std::uint64_t size : {0U, 1U, 7U, 100U, 5000000U}) {
      const std::string bytes = made(which, size);
      EXPECT_LE(bytes.size(), size);
      EXPECT_GE(bytes.size() + 3000, size);
      EXPECT_EQ(bytes, made(which, size));
    }
  }
}

TEST(inputs, are_given_up_if_the_run_is_interrupted) {
  for (const task which : all_tasks)  // 1 TiB would take hours
    EXPECT_EQ(made(which, std::uint64_t{1} << 40U, [] { return true; }), "");
}

TEST(inputs, hold_the_primes_and_lines_of_about_67_bytes) {
  const std::string bytes = made(task::primes, 8 * 78498);  // the primes below 10^6
  EXPECT_EQ(value_at<std::uint64_t>(bytes, bytes.size() - 8), 999983U);
  const std::string text = made(task::lines, 1000000);
  EXPECT_NEAR(static_cast<double>(text.size()) / static_cast<double>(std::ranges::count(text, '\n')), 67, 3);
}

}  // namespace riffle::bench
