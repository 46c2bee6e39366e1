/// Whole runs of the benchmark on false clocks, with true and with made-up contenders.
#include "bench/measure/run.hpp"
#include "bench/contenders/registry.hpp"

#include "bench/inputs/inputs.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Surroundings with the contenders that are there.
struct world : surroundings {
  registry contenders = contenders_of;
};

/// A world that knows nothing of the machine, so that a run is the same everywhere.
world nowhere() {
  world outside;
  outside.rounds.now = [now = std::int64_t{0}]() mutable { return now += 1000000; };
  outside.rounds.used = [] { return usage{}; };
  outside.rounds.keep_busy = {};
  outside.facts = [](const std::filesystem::path&) { return machine{.processors = 2}; };
  outside.load = [] { return 0.0; };
  outside.stolen_seconds = [] { return 0.0; };
  outside.date = [] { return std::string("2026-11-21T10:00:00Z"); };
  return outside;
}

report run_bench(const bench_options& options, const world& outside) {
  return run_bench(make_plan(options, outside.contenders), outside);
}

/// A world with one contender, which does this.
world doing(const std::function<answer()>& run) {
  world outside = nowhere();
  outside.contenders = [run](task which, const contender_options&) {
    return std::vector{contender{.task = which,
                                 .name = "one",
                                 .program = "test",
                                 .description = "pretends",
                                 .run = [run](input_files) { return run(); }}};
  };
  return outside;
}

std::size_t runs_in(const report& all, std::size_t table) {
  return all.tasks.at(table).lines.at(0).result.samples.size();
}

}  // namespace

TEST(run, goes_through_all_tasks_on_made_inputs_and_all_agree) {
  bench_options options{.sizes = {200000}, .rounds = 1};
  const report all = run_bench(options, nowhere());
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.started, "2026-11-21T10:00:00Z");
  EXPECT_GT(all.limits.ram_copy.value_or(0), 0) << "limits come from the rounds";
  ASSERT_EQ(all.tasks.size(), 6U);
  EXPECT_EQ(all.tasks.at(3).input, "small files");
  EXPECT_EQ(all.tasks.at(3).files, 185U);
  EXPECT_THAT(failures_of(all), IsEmpty());
  for (const task_report& of : all.tasks) {
    const auto measured = std::ranges::count_if(of.lines, &measurement::measured);
    EXPECT_GT(measured, 10) << name_of(of.task);
    const auto scan = std::ranges::find(of.lines, limit_kind::scan, &measurement::sets);
    ASSERT_TRUE(scan != of.lines.end() && scan->measured());
    EXPECT_GE(all.limits.ram_scan.value_or(0),
              static_cast<double>(of.bytes) / scan->seconds.median * (1 - 1e-9));
  }
}

TEST(run, keeps_what_was_measured_when_it_is_interrupted_and_ends_an_input_early) {
  int runs = 0;
  world outside = doing([&] {
    ++runs;
    return answer{7, 0};
  });
  outside.rounds.interrupted = [&] { return runs >= 15; };
  std::size_t told = 0;
  outside.measured = [&](const report& so_far) { told = so_far.tasks.size(); };
  report all =
      run_bench({.tasks = {task::gc, task::lines, task::primes}, .sizes = {4096}, .rounds = 10}, outside);
  EXPECT_FALSE(all.complete);
  EXPECT_EQ(all.stopped_by, "interrupted");
  ASSERT_EQ(all.tasks.size(), 2U);
  EXPECT_EQ(told, 2U);
  EXPECT_EQ(runs_in(all, 0), 10U);
  EXPECT_LT(runs_in(all, 1), 10U);
  unsigned asked = 0;
  outside.rounds.interrupted = [&] { return ++asked > 10; };
  all = run_bench({.tasks = {task::lines}, .sizes = {64U << 20U}}, outside);
  EXPECT_EQ(all.stopped_by, "interrupted");
  EXPECT_THAT(all.tasks, IsEmpty());
  EXPECT_LT(asked, 30U);
}

TEST(run, leaves_the_files_of_a_plan_as_written_idles_before_each_run_and_ends_if_a_state_cannot_be_had) {
  const test::temporary_file made("some text\n");
  const std::filesystem::path& file = made.path();
  const auto before = std::filesystem::last_write_time(file);
  std::filesystem::path read;
  world outside = nowhere();
  outside.rounds.keep_busy = [] { FAIL() << "it is to idle"; };
  std::string told;
  outside.progress = [&](std::string_view text) { told += text; };
  bench_plan plan{.rounds = 1};
  plan.tables.push_back({.name = "n", .title = "t", .given = take_files(task::commands, {file})});
  planned_table& table = plan.tables.front();
  table.bytes = 99;
  table.pause = 1e-9;
  table.left_as_written = true;
  table.evicted_too = {file.parent_path() / "device"};
  table.contenders.push_back({.name = "one", .program = "peer", .run = [&](input_files files) {
                                read = files.front();
                                return std::optional<answer>();
                              }});
  table.cache = cache_mode::written;
  planned_table next = table;
  next.cache = cache_mode::cold;
  next.share = 3;
  plan.tables.push_back(next);
  const report all = run_bench(plan, outside);
  EXPECT_FALSE(all.complete);
  EXPECT_THAT(all.stopped_by, testing::AnyOf(HasSubstr("device': No such file"), HasSubstr("cannot evict")))
      << "it is evicted too";
  ASSERT_EQ(all.tasks.size(), 1U) << "what was measured is kept";
  EXPECT_EQ(read, file) << "no copy";
  EXPECT_EQ(std::filesystem::last_write_time(file), before);
  EXPECT_THAT(told, HasSubstr("round 1: one;")) << "as tables name a peer";
  EXPECT_EQ(all.tasks.at(0).name + all.tasks.at(0).title, "nt");
  EXPECT_EQ(all.tasks.at(0).bytes, 99U);
  EXPECT_GT(all.tasks.at(0).round_seconds, 0);
  EXPECT_EQ(all.tasks.at(0).share, plan.time_of_each ? 1 : 0.25);
  EXPECT_EQ(all.tasks.at(0).seconds, plan.budget / 4);
  EXPECT_EQ(all.tasks.at(0).rounds, plan.rounds);
}

TEST(run, says_that_a_file_changed_and_blames_no_contender) {
  const test::temporary_file file("some text\n");
  const world outside = doing([&, turn = 0]() mutable {
    if (++turn < 4) return answer{2, 0};
    file.append("more\n");
    return answer{3, 0};
  });
  const report all = run_bench({.files = {file.path()}, .tasks = {task::words}}, outside);
  EXPECT_THAT(failures_of(all), IsEmpty());
  EXPECT_THAT(all.stopped_by, HasSubstr("cannot measure '" + file.path().string() + "': it changed"));
  ASSERT_EQ(all.tasks.size(), 1U);
  EXPECT_TRUE(all.tasks.at(0).lines.at(0).measured());
}

}  // namespace riffle::bench
