/// Options become tables, once, and what they lack is said before anything is measured.
#include "bench/measure/plan.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "bench/host/temporary_directory.hpp"
#include "bench/inputs/inputs.hpp"

namespace riffle::bench {

namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

std::filesystem::path file_in(const temporary_directory& directory, const char* name, const char* text) {
  std::filesystem::path file = directory.path() / name;
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

}  // namespace

TEST(plan, has_a_table_for_each_task_input_size_and_state_of_the_cache) {
  EXPECT_EQ(make_plan({}).tables.size(), 6U);
  const bench_plan sweep = make_plan(
      {.tasks = {task::words}, .sizes = {65536, 131072}, .caches = {cache_mode::hot, cache_mode::cold}});
  ASSERT_EQ(sweep.tables.size(), 8U);
  for (std::size_t table = 0; table != 8; ++table)
    EXPECT_EQ(sweep.tables[table].cache, table < 4 ? cache_mode::hot : cache_mode::cold)
        << "contenders of cold tables start threads, which slow getc down for good";
  EXPECT_EQ(sweep.tables.at(1).which, 1U);
  EXPECT_EQ(sweep.tables.at(2).size, 131072U);
  const temporary_directory directory;
  const bench_plan on_file = make_plan({.files = {file_in(directory, "a", "text\n")}});
  ASSERT_EQ(on_file.tables.size(), 3U);
  EXPECT_EQ(on_file.tables.at(0).given->bytes, 5U);
  EXPECT_EQ(make_plan({.contenders = {"perl/perl-tr"}}).tables.size(), 1U) << "only gc has that one";
}

TEST(plan, has_the_contenders_asked_for_and_the_limits) {
  const bench_plan some = make_plan({.tasks = {task::gc}, .contenders = {"riffle/read", "getc"}});
  std::vector<std::string> ids;
  for (const contender& one : some.tables.at(0).contenders) ids.push_back(one.id());
  EXPECT_THAT(ids, ElementsAre("limit/scan", "limit/copy", "limit/device", "riffle/read", "nvwa/getc"));
}

TEST(plan, reads_ahead_and_deep_only_from_storage) {
  const bench_plan plan = make_plan({.tasks = {task::gc},
                                     .caches = {cache_mode::hot, cache_mode::cold},
                                     .contenders = {"uring-*", "read"}});
  const auto has = [&](std::size_t table, std::string_view name) {
    return std::ranges::count(plan.tables.at(table).contenders, name, &contender::name) != 0;
  };
  ASSERT_EQ(plan.tables.size(), 2U);
  EXPECT_FALSE(has(0, "uring-128"));
  EXPECT_TRUE(has(0, "read"));
  EXPECT_TRUE(has(1, "uring-128"));
  EXPECT_TRUE(make_plan({.tasks = {task::lines}, .caches = {cache_mode::cold}, .contenders = {"readahead/*"}})
                  .tables.at(0)
                  .contenders.back()
                  .for_storage);
}

TEST(plan, has_no_input_that_would_be_empty) {
  for (const task which : all_tasks) {
    for (std::size_t input = 0; input != inputs_made(which); ++input) {
      const temporary_directory directory;
      EXPECT_GT(make_inputs(which, least_size(which, input), directory.path()).at(input).bytes, 0U)
          << name_of(which) << ' ' << input;
    }
  }
  EXPECT_EQ(make_plan({.tasks = {task::words}, .sizes = {4096}}).tables.size(), 1U) << "no small files";
}

TEST(plan, has_contenders_of_two_threads_alone_if_two_are_asked_for) {
  const bench_plan plan = make_plan({.tasks = {task::gc},
                                     .caches = {cache_mode::cold},
                                     .contenders = {"riffle/*"},
                                     .varied = {.threads = {2}}});
  for (const contender& one : plan.tables.at(0).contenders)
    EXPECT_TRUE(one.threads == 2 || one.role == role::limit) << one.name;
}

TEST(plan, refuses_what_it_cannot_use_and_names_it) {
  const temporary_directory directory;
  const auto file = file_in(directory, "text", "not arrays");
  struct refused {
    bench_options options;
    const char* message;
  };
  const std::vector<refused> rows{
      {{.files = {directory.path() / "none"}}, "none': No such file"},
      {{.files = {directory.path()}}, "Is a directory"},
      {{.files = {file_in(directory, "empty", "")}}, "empty': it is empty"},
      {{.files = {file}, .tasks = {task::ints}}, "text' at byte 0: the task ints needs"},
      {{.files = {file}, .tasks = {task::primes}}, "not a multiple of 8 bytes"},
      {{.contenders = {"nonesuch*"}}, "no contender matches 'nonesuch*'"},
      {{.contenders = {"scan", "limit/*"}}, "'scan,limit/*' matches limits only"},
      {{.contenders = {"readahead/*"}}, "'readahead/*' reads no cached file; use --cache cold"},
      {{.tasks = {task::ints}, .contenders = {"riffle/*"}, .varied = {.threads = {2}}},
       "no contender matches 'riffle/*' with so many threads; use --threads 1"},
      {{.tasks = {task::gc}, .sizes = {1}}, "use a larger --size"},
      {{.files = {file}, .sizes = {4096}}, "--size applies to generated inputs only"}};
  for (const refused& each : rows) {
    std::string said = "no failure";
    try {
      make_plan(each.options);
    } catch (const std::exception& failure) {
      said = failure.what();
    }
    EXPECT_THAT(said, HasSubstr(each.message));
  }
}

TEST(plan, shares_the_time_by_the_tables_shares) {
  bench_plan plan{.tables = {{.share = 1}, {.cache = cache_mode::cold, .share = 3}}, .rounds = 7, .seed = 5};
  EXPECT_DOUBLE_EQ(rounds_of(plan, 0, 100).budget, 25);
  EXPECT_DOUBLE_EQ(rounds_of(plan, 1, 60).budget, 60);
  EXPECT_EQ(rounds_of(plan, 1, 60).seed, 6U);
  EXPECT_EQ(rounds_of(plan, 1, 60).rounds, 7U);
  EXPECT_EQ(rounds_of(plan, 1, 60).shortest, 0);
  EXPECT_GT(rounds_of(plan, 0, 60).shortest, 0);
}

TEST(plan, generates_each_input_once_and_removes_the_one_before) {
  const temporary_directory directory;
  const bench_plan plan = make_plan(
      {.tasks = {task::gc, task::lines}, .sizes = {4096}, .caches = {cache_mode::hot, cache_mode::written}});
  planned_inputs inputs(directory.path());
  EXPECT_FALSE(inputs.is_ready(plan.tables.at(0)));
  const std::filesystem::path genome = inputs.of(plan.tables.at(0)).files.front();
  EXPECT_TRUE(inputs.is_ready(plan.tables.at(1)));
  EXPECT_EQ(inputs.of(plan.tables.at(1)).files.front(), genome);
  EXPECT_FALSE(inputs.is_ready(plan.tables.at(2)));
  EXPECT_EQ(inputs.of(plan.tables.at(2)).name, "text");
  EXPECT_FALSE(std::filesystem::exists(genome));
}

TEST(list, has_every_contender_of_the_plan_with_its_origin) {
  const std::string list = list_of_contenders(make_plan({.tasks = {task::gc}}));
  EXPECT_THAT(list, HasSubstr("gc: count c, C, g and G\n"));
  EXPECT_THAT(list, HasSubstr("nvwa/getc "));
  EXPECT_THAT(list, HasSubstr("Wu Yongwei, 2016 and 2017"));
  EXPECT_THAT(list, Not(HasSubstr("lines:")));
  for (const task which : all_tasks) {
    for (const contender& one : contenders_of(which, {}))
      EXPECT_FALSE(origin_of(one.program).empty()) << one.id();
  }
  EXPECT_THAT(list_of_contenders(make_plan({.contenders = {"perl/perl-tr"}})), Not(HasSubstr("nvwa")));
}

}  // namespace riffle::bench
