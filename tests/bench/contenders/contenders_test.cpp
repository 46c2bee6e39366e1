/// Every contender of every task gives the answer of a naive loop, on ordinary and on odd inputs.
#include <gmock/gmock.h>

#include <cstring>
#include <fstream>
#include <numeric>
#include <set>
#include <sstream>

#include "bench/contenders/raw_input.hpp"
#include "bench/contenders/registry.hpp"
#include "bench/host/os/command.hpp"
#include "bench/host/temporary_directory.hpp"
#include "bench/inputs/inputs.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

// The oracle: as slow and as plain as can be.
answer naive(task which, const std::string& bytes) {
  answer total;
  if (which == task::gc) {
    for (const char c : bytes) total.count += std::string("cCgG").find(c) != std::string::npos ? 1U : 0U;
  } else if (which == task::lines) {
    bool open = false;
    for (const char c : bytes) {
      if (c == '\n') total.count += 1;
      if (c != '\n') total.sum += 1;
      open = c != '\n';
    }
    total.count += open ? 1U : 0U;
  } else if (which == task::words) {
    bool white = true;
    for (const char c : bytes) {
      const bool now = std::string(" \t\n\v\f\r").find(c) != std::string::npos;
      total.count += white && !now ? 1U : 0U;
      white = now;
    }
  } else {
    const std::size_t size = which == task::ints ? 4 : 8;
    for (std::size_t at = 0; at < bytes.size();) {
      std::uint64_t value = 0;
      std::int32_t length = 0;
      std::memcpy(which == task::ints ? static_cast<void*>(&length) : &value, bytes.data() + at, size);
      if (which == task::ints) value = static_cast<std::uint64_t>(length);
      at += size;
      total.count += 1;
      if (which == task::primes) total.sum += value;
      for (std::uint64_t i = 0; which == task::ints && i < value; ++i, at += 4) {
        std::int32_t element = 0;
        std::memcpy(&element, bytes.data() + at, 4);
        total.sum += static_cast<std::uint64_t>(std::int64_t{element} * (i % 2 == 0 ? 1 : 2));
      }
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

template <class Write>
std::string made(Write write, std::uint64_t size) {
  std::ostringstream out;
  write(out, size);
  return out.str();
}

// Inputs that a task must get right. 4095 and around: the ends of stdio's and of fgets' buffers.
std::vector<std::string> inputs_of(task which) {
  if (which == task::ints) {
    return {"",
            made(write_ints, 100000),
            bytes_of<std::int32_t>({0}),
            bytes_of<std::int32_t>({3, 1, 10, -100}),
            bytes_of<std::int32_t>({2, 2147483647, 2147483647, 0, 1, -2147483647 - 1}),
            bytes_of(std::vector<std::int32_t>(300001, 300000))};
  }
  if (which == task::primes) {
    return {"", made(write_primes, 3000000), bytes_of<std::uint64_t>({7}),
            bytes_of<std::uint64_t>({1, 0, 0xFFFFFFFFFFFFFFF0U})};
  }
  std::vector<std::string> texts{
      "",
      "a",
      "\n",
      " ",
      "G",
      "\n\n\n",
      "cat gag\n",
      "no final newline",
      "\r\nCR LF\r\n",
      "\nlast\n\n",
      "tab\tvt\vff\fcr\rend ",
      " caf\xC3\xA9 \xE2\x80\x93 dash\n",
      std::string("\0\0c\0\n\0g\n\0", 8),
      std::string(1, '\0'),
      std::string("\n\0", 2),
      std::string(3000000, 'c'),
      std::string(300000, 'x') + "\n\nshort",
      std::string(200000, '\n'),
      made([](std::ostream& out, std::uint64_t size) { write_text(out, size); }, 3000000),
      made(write_genome, 300000)};
  for (const std::size_t size : {4094U, 4095U, 4096U, 4097U, 8190U, 8191U, 65535U, 65536U, 1048576U}) {
    texts.push_back(std::string(size, 'g') + "\n" + std::string(size, 'w'));
    texts.push_back(std::string(size - 1, ' ') + std::string("\0\n\0", 3));
  }
  std::string all_bytes(256, '\0');
  std::iota(all_bytes.begin(), all_bytes.end(), '\0');
  texts.push_back(all_bytes + all_bytes);
  return texts;
}

// A limit is the same for every task, so it has no answer.
bool gives_an_answer(const contender& one) {
  return one.role != role::limit;
}

class every_contender : public testing::TestWithParam<task> {
 protected:
  std::filesystem::path write(const std::string& bytes) {
    std::filesystem::path file = directory_.path() / std::to_string(files_++);
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    return file;
  }

  void expect_all(const std::vector<std::filesystem::path>& files, const answer& expected,
                  const contender_options& options = {}) {
    for (const contender& one : contenders_of(GetParam(), options)) {
      if (one.unavailable && one.unavailable(files)) continue;
      SCOPED_TRACE(one.id() + ", " + std::to_string(one.threads) + " threads, blocks of " +
                   std::to_string(one.block_size));
      const std::optional<answer> given = one.run(files);
      EXPECT_EQ(given.has_value(), gives_an_answer(one));
      EXPECT_EQ(given.value_or(expected).count, expected.count);
      EXPECT_EQ(given.value_or(expected).sum, expected.sum);
    }
  }

  temporary_directory directory_;
  int files_ = 0;
};

}  // namespace

TEST_P(every_contender, adds_over_several_files) {
  std::vector<std::filesystem::path> files;
  answer expected;
  for (const std::string& bytes : inputs_of(GetParam())) {
    files.push_back(write(bytes));
    expected += naive(GetParam(), bytes);
  }
  expect_all(files, expected);
}

TEST_P(every_contender, gives_the_naive_answer_by_several_threads_and_in_blocks_of_any_size_too) {
  const contender_options varied{.block_sizes = {4096, 12288, 1 << 20}, .threads = {1, 2, 3}};
  for (const std::string& bytes : inputs_of(GetParam())) {
    SCOPED_TRACE("input of " + std::to_string(bytes.size()) + " bytes: " + bytes.substr(0, 20));
    for (const contender_options& options : {contender_options{}, varied})
      expect_all({write(bytes)}, naive(GetParam(), bytes), options);
  }
}

TEST_P(every_contender, is_varied_by_threads_and_block_sizes_where_that_changes_it) {
  std::set<std::pair<unsigned, std::size_t>> seen;
  for (const contender& one : contenders_of(GetParam(), {.block_sizes = {4096, 8192}, .threads = {1, 2}})) {
    if (one.id() == "riffle/read") seen.insert({one.threads, one.block_size});
    EXPECT_TRUE(one.threads == 1 || one.role != role::published) << one.id();
  }
  std::set<std::pair<unsigned, std::size_t>> expected{{1, 4096}, {1, 8192}};
  // Only from length to length can one find Lemire's arrays.
  if (GetParam() != task::ints) expected.insert({{2, 4096}, {2, 8192}});
  EXPECT_EQ(seen, expected);
}

TEST_P(every_contender, takes_file_names_that_a_shell_or_perl_would_run) {
  const std::string bytes = inputs_of(GetParam()).at(1);
  std::vector<std::filesystem::path> files;
  for (const char* name : {"-w", "echo x |", "two words", "$(id)"}) {
    files.push_back(directory_.path() / name);
    std::filesystem::rename(write(bytes), files.back());
  }
  answer expected;
  for (int i = 0; i < 4; ++i) expected += naive(GetParam(), bytes);
  expect_all(files, expected);
}

TEST_P(every_contender, fails_naming_a_missing_file) {
  const std::vector<std::filesystem::path> files{directory_.path() / "missing"};
  for (const contender& one : contenders_of(GetParam(), {})) {
    if (one.method == "process") {
      EXPECT_THROW(one.run(files), std::runtime_error) << one.id();
      continue;
    }
    try {
      one.run(files);
      ADD_FAILURE() << one.id() << " found a file that is not there";
    } catch (const std::exception& failure) {
      EXPECT_THAT(failure.what(), testing::HasSubstr("missing")) << one.id();
    }
  }
}

TEST_P(every_contender, has_a_name_of_its_own_and_says_what_it_does) {
  std::set<std::string> ids;
  for (const contender& one : contenders_of(GetParam(), {})) {
    EXPECT_TRUE(ids.insert(one.id()).second) << one.id();
    EXPECT_FALSE(one.description.empty()) << one.id();
    EXPECT_EQ(one.task, GetParam());
  }
  for (const char* id : {"limit/scan", "limit/copy", "limit/device", "riffle/automatic"}) {
    EXPECT_EQ(ids.count(id), 1U) << id;
  }
}

INSTANTIATE_TEST_SUITE_P(tasks, every_contender, testing::ValuesIn(all_tasks),
                         [](const auto& parameter) { return std::string(name_of(parameter.param)); });

TEST(contenders, refuse_arrays_that_end_early_or_have_a_bad_length) {
  const temporary_directory directory;
  const std::filesystem::path file = directory.path() / "arrays";
  for (const std::vector<std::int32_t>& ints :
       {std::vector<std::int32_t>{3, 1, 2}, {-1, 5}, {1, 5, 2147483647}}) {
    const std::string bytes = bytes_of(ints);
    std::ofstream(file, std::ios::binary) << bytes;
    for (const contender& one : contenders_of(task::ints, {})) {
      if (!gives_an_answer(one)) continue;
      EXPECT_ANY_THROW(one.run(std::vector{file})) << one.id() << " with " << ints.front();
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
  EXPECT_TRUE(matches_glob("*", "nvwa/getc"));
  EXPECT_TRUE(matches_glob("nvwa/*", "nvwa/getc"));
  EXPECT_TRUE(matches_glob("*/ge?c", "nvwa/getc"));
  EXPECT_TRUE(matches_glob("*a*c", "nvwa/getc"));
  EXPECT_TRUE(matches_glob("", ""));
  EXPECT_FALSE(matches_glob("", "x"));
  EXPECT_FALSE(matches_glob("*/get", "nvwa/getc"));
  EXPECT_FALSE(matches_glob("nvwa", "nvwa/getc"));
}

}  // namespace riffle::bench
