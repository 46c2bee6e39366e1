/// Why this file exists: the table, the verdict and the JSON of given results, and whole runs on a false
/// clock.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <riffle/error.hpp>
#include <sstream>

#include "bench/inputs.hpp"
#include "bench/report.hpp"
#include "bench/run.hpp"

namespace riffle::bench {

namespace {

using testing::HasSubstr;

task_report given_report() {
  const auto named = [](const char* name, const char* program, const char* method) {
    return contender{task::gc, name, program, method, "described", {}};
  };
  const auto took = [](std::vector<double> seconds) {
    return result{outcome::measured, std::move(seconds), {42, 0}, {}};
  };
  const std::vector<contender> contenders{
      named("getc", "nvwa", "stdio"),      named("memory", "limit", "memory"),
      named("mmap", "ioaccess", "mmap"),   named("automatic", "riffle", "automatic"),
      named("perl-tr", "perl", "process"), named("uring", "riffle", "uring")};
  return {task::gc,
          "genome",
          1,
          1000000000,
          true,
          in_order(contenders, {took({4, 4, 4}), took({0.1, 0.1, 0.1}), took({0.22, 0.25, 0.26}),
                                took({0.125, 0.125, 0.126}),
                                result{outcome::unavailable, {}, {}, "perl is not installed"},
                                result{outcome::failed, {}, {}, "no ring"}})};
}

clock ticking() {
  return [now = std::int64_t{0}]() mutable { return now += 1000000; };
}

std::size_t longest_line(const std::string& text) {
  std::istringstream in(text);
  std::size_t longest = 0;
  for (std::string line; std::getline(in, line);) longest = std::max(longest, line.size());
  return longest;
}

}  // namespace

TEST(table, is_this_one) {
  std::ostringstream out;
  print_table(given_report(), out);
  EXPECT_EQ(out.str(), R"(
gc: count c, C, g and G
input: genome, 953.7 MiB, hot: just written, then read once before timing

  contender             from            method    runs  median ms    GB/s   spread   limit      best
= memory                limit           memory       3     100.00   10.00    0.0 %   100 %         -
> automatic             riffle          automatic    3     125.00    8.00    0.0 %    80 %    1.00 x
  mmap                  ioaccess        mmap         3     250.00    4.00    4.0 %    40 %    2.00 x
  getc                  nvwa            stdio        3    4000.00    0.25    0.0 %     2 %   32.00 x
  perl-tr of perl: not run: perl is not installed
  uring of riffle: FAILED: no ring

Fastest: automatic of riffle, at 8.00 GB/s, 80 % of the limit.
riffle automatic is that one; it is 2.00x faster than mmap, the best that is not riffle.
)");
  EXPECT_LE(longest_line(out.str()), 100U);
}

TEST(verdict, says_when_automatic_lost_and_when_nothing_differs) {
  task_report report = given_report();
  std::swap(report.lines.at(1).result, report.lines.at(2).result);
  std::swap(report.lines.at(1).seconds, report.lines.at(2).seconds);
  std::swap(report.lines.at(1), report.lines.at(2));
  EXPECT_EQ(verdict(report),
            "Fastest: mmap of ioaccess, at 8.00 GB/s, 80 % of the limit.\nriffle automatic is 2.00x slower "
            "than mmap.");
  report.lines.at(2).seconds = report.lines.at(1).seconds;
  EXPECT_THAT(verdict(report),
              HasSubstr("riffle automatic does not differ from mmap by more than the noise."));
  report.lines.clear();
  EXPECT_EQ(verdict(report), "Nothing was measured.");
}

TEST(json, holds_everything_and_parses) {
  const machine facts{"a processor", 2, 1 << 30, "Linux 6.18", "ext4", "g++", "0.1.0", "avx2"};
  std::ostringstream out;
  write_json(facts, {given_report()}, out);
  const auto all = nlohmann::json::parse(out.str());
  EXPECT_EQ(all["machine"]["file_system"], "ext4");
  ASSERT_EQ(all["results"].size(), 6U);
  const auto& second = all["results"][1];
  EXPECT_EQ(second["contender"], "automatic");
  EXPECT_EQ(second["task"], "gc");
  EXPECT_EQ(second["bytes"], 1000000000);
  EXPECT_DOUBLE_EQ(second["seconds"]["median"], 0.125);
  EXPECT_EQ(second["seconds"]["samples"].size(), 3U);
  EXPECT_DOUBLE_EQ(second["gb_per_s"], 8.0);
  EXPECT_DOUBLE_EQ(second["of_limit"], 0.8);
  EXPECT_EQ(second["answer"]["count"], 42);
  EXPECT_EQ(all["results"][4]["outcome"], "unavailable");
  EXPECT_EQ(all["results"][4]["reason"], "perl is not installed");
}

TEST(run, goes_through_all_tasks_on_made_inputs_and_writes_json) {
  const temporary_directory directory;
  bench_options options;
  options.size = 200000;
  options.rounds = 1;
  options.json = directory.path() / "result.json";
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(run_bench(options, out, err, ticking()), 0);
  EXPECT_EQ(err.str(), "");
  for (const char* heading :
       {"\ngc: ", "\nlines: ", "\nwords: ", "\nints: ", "\nprimes: ", "small files (185 files)"}) {
    EXPECT_THAT(out.str(), HasSubstr(heading));
  }
  EXPECT_LE(longest_line(out.str()), 100U);
  std::ifstream file(*options.json);
  EXPECT_GT(nlohmann::json::parse(file)["results"].size(), 50U);
}

TEST(run, takes_the_users_files_together_and_only_the_contenders_wanted) {
  const temporary_directory directory;
  bench_options options;
  for (const char* name : {"one", "two"}) {
    options.files.push_back(directory.path() / name);
    std::ofstream(options.files.back()) << "some text\n";
  }
  options.tasks = {task::words};
  options.contenders = {"riffle/automatic", "fgetc"};
  std::ostringstream out;
  std::ostringstream err;
  EXPECT_EQ(run_bench(options, out, err, ticking()), 0);
  EXPECT_THAT(out.str(), HasSubstr("input: 2 files (2 files), 20 B"));
  EXPECT_THAT(out.str(), HasSubstr("fgetc"));
  EXPECT_THAT(out.str(), testing::Not(HasSubstr("mmap")));
}

TEST(run, refuses_what_it_cannot_use_and_names_it) {
  const temporary_directory directory;
  const std::filesystem::path file = directory.path() / "text";
  std::ofstream(file) << "not arrays";
  std::ostringstream out;
  const auto message = [&](const bench_options& options) -> std::string {
    try {
      run_bench(options, out, out, ticking());
    } catch (const std::exception& failure) {
      return failure.what();
    }
    return "no failure";
  };
  EXPECT_THAT(message({.files = {directory.path() / "none"}}), HasSubstr("none': No such file"));
  EXPECT_THAT(message({.files = {directory.path()}}), HasSubstr("Is a directory"));
  EXPECT_THAT(message({.files = {"/dev/null"}}), HasSubstr("'/dev/null': it is not a regular file"));
  EXPECT_THAT(message({.files = {file}, .tasks = {task::ints}}),
              HasSubstr("text' at byte 0: the task ints needs"));
  EXPECT_THAT(message({.files = {file}, .tasks = {task::primes}}), HasSubstr("not a multiple of 8 bytes"));
  EXPECT_THAT(message({.contenders = {"nonesuch*"}}), HasSubstr("no contender matches 'nonesuch*'"));
  EXPECT_THAT(message({.files = {file}, .json = directory.path() / "no" / "where"}), HasSubstr("where"));
}

TEST(inputs, are_the_same_bytes_for_the_same_size_and_never_longer) {
  const auto made = [](const std::function<void(std::ostream&, std::uint64_t)>& write, std::uint64_t size) {
    std::ostringstream out;
    write(out, size);
    return out.str();
  };
  const auto text = [](std::ostream& out, std::uint64_t size) { write_text(out, size); };
  for (const std::function<void(std::ostream&, std::uint64_t)>& write :
       {std::function<void(std::ostream&, std::uint64_t)>(text),
        {write_genome},
        {write_ints},
        {write_primes}}) {
    for (const std::uint64_t size : {0U, 1U, 7U, 100U, 5000000U}) {
      const std::string bytes = made(write, size);
      EXPECT_LE(bytes.size(), size);
      EXPECT_GE(bytes.size() + 3000, size);
      EXPECT_EQ(bytes, made(write, size));
    }
  }
}

TEST(inputs, hold_the_primes) {
  std::ostringstream out;
  write_primes(out, 8 * 78498);  // the primes below 10^6
  const std::string bytes = out.str();
  std::uint64_t last = 0;
  std::memcpy(&last, bytes.data() + bytes.size() - 8, 8);
  EXPECT_EQ(last, 999983U);
}

TEST(inputs, have_lines_of_about_67_bytes) {
  std::ostringstream out;
  write_text(out, 1000000);
  const std::string text = out.str();
  const auto lines = static_cast<double>(std::count(text.begin(), text.end(), '\n'));
  EXPECT_NEAR(static_cast<double>(text.size()) / lines, 67, 3);
}

TEST(inputs, are_removed_at_the_end) {
  std::filesystem::path path;
  {
    const temporary_directory directory;
    path = directory.path();
    make_inputs(task::words, 100000, path);
    EXPECT_TRUE(std::filesystem::exists(path / "book184.txt"));
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace riffle::bench
