/// Order, timing and checks of the rounds, seen by contenders that only pretend to read.
#include "bench/measure/rounds.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

#include "bench/stats/random.hpp"
#include "bench/stats/statistics.hpp"

namespace riffle::bench {

namespace {

/// Contenders that note their turns and let a false clock go on by what they cost.
class rounds : public testing::Test {
 protected:
  contender pretend(const std::string& name, std::int64_t nanoseconds, answer given = {1, 2}) {
    return {.task = task::gc,
            .name = name,
            .program = "test",
            .description = "pretends",
            .run = [this, name, nanoseconds, given](input_files) -> std::optional<answer> {
              turns_ += name;
              now_ += nanoseconds;
              used_.minor_faults += 5;
              return given;
            }};
  }
  /// Takes these times in turn.
  contender varying(const std::string& name, std::vector<std::int64_t> nanoseconds) {
    contender one = pretend(name, 0);
    one.run = [this, name, nanoseconds, turn = std::size_t{0}](input_files) mutable -> std::optional<answer> {
      turns_ += name;
      now_ += nanoseconds[turn++ % nanoseconds.size()];
      return answer{1, 2};
    };
    return one;
  }
  /// Gives these counts in turn, the last one from then on.
  contender counting(const std::string& name, std::vector<std::uint64_t> counts, std::int64_t nanoseconds) {
    contender one = pretend(name, 0);
    one.run = [this, counts, nanoseconds,
               turn = std::size_t{0}](input_files) mutable -> std::optional<answer> {
      now_ += nanoseconds;
      return answer{counts[std::min(turn++, counts.size() - 1)], 2};
    };
    return one;
  }
  contender own(const std::string& name, std::int64_t nanoseconds, role part = role::riffle) {
    contender one = pretend(name, nanoseconds);
    one.role = part;
    return one;
  }
  // Every round, unless a test says otherwise: all runs of a false clock are alike, so all settle at once.
  std::vector<result> run(const std::vector<contender>& contenders, round_options options = {.rounds = 3}) {
    if (options.enough == round_options{}.enough) options.enough = 1000;
    options.shortest = shortest_;
    return run_rounds(contenders, {}, options, hooks_).results;
  }

  std::int64_t now_ = 1000;
  usage used_;
  double shortest_ = 0;
  std::string turns_;
  round_hooks hooks_{.now = [this] { return now_; }, .used = [this] { return used_; }};
};

std::string sorted(std::string text) {
  std::ranges::sort(text);
  return text;
}

}  // namespace

TEST_F(rounds, give_everyone_one_turn_each_after_one_that_is_not_timed) {
  const std::vector<result> results = run({pretend("A", 5), pretend("B", 6), pretend("C", 7)});
  ASSERT_EQ(turns_.size(), 12U);
  EXPECT_EQ(turns_.substr(0, 3), "ABC");
  for (std::size_t round = 1; round <= 3; ++round) EXPECT_EQ(sorted(turns_.substr(3 * round, 3)), "ABC");
  ASSERT_EQ(results.at(1).samples.size(), 3U);
  EXPECT_DOUBLE_EQ(results.at(1).samples.front().seconds, 6e-9);
  EXPECT_EQ(results.at(1).samples.front().round, 1U);
  EXPECT_EQ(results.at(1).samples.back().round, 3U);
  EXPECT_EQ(results.at(1).samples.back().usage.minor_faults, 5);
  EXPECT_EQ(results.at(1).samples.back().usage.major_faults, 0);
}

TEST_F(rounds, have_an_order_of_their_own_that_the_seed_gives) {
  const auto order = [&](std::uint64_t seed) {
    turns_.clear();
    run({pretend("A", 5), pretend("B", 6), pretend("C", 7), pretend("D", 7)}, {.rounds = 20, .seed = seed});
    return turns_;
  };
  const std::string first = order(1);
  EXPECT_EQ(first, order(1));
  EXPECT_NE(first, order(2));
  std::set<std::string> orders;
  for (std::size_t at = 4; at < first.size(); at += 4) orders.insert(first.substr(at, 4));
  EXPECT_GT(orders.size(), 10U);
}

TEST_F(rounds, time_several_runs_together_where_one_is_short) {
  shortest_ = 1e-6;
  const std::vector<result> results = run({pretend("f", 100), pretend("s", 1000)});
  EXPECT_EQ(results.at(0).runs_per_sample, 10U);
  EXPECT_EQ(results.at(1).runs_per_sample, 1U);
  EXPECT_DOUBLE_EQ(results.at(0).samples.at(0).seconds, 100e-9);
  EXPECT_EQ(results.at(0).samples.at(0).usage.minor_faults, 5);
  EXPECT_EQ(std::ranges::count(turns_, 'f'), 2 + 3 * 10);
}

TEST_F(rounds, give_each_contender_so_many_runs) {
  constexpr std::int64_t ms = 1'000'000;
  const auto two = [&](contender one, contender other, const round_options& options) {
    const std::vector<result> results = run({std::move(one), std::move(other)}, options);
    return std::pair(results[0].samples.size(), results[1].samples.size());
  };
  using runs = std::pair<std::size_t, std::size_t>;
  EXPECT_EQ(two(pretend("A", 5), pretend("B", 6), {.rounds = 50, .enough = 11}), runs(11, 11)) << "settled";
  EXPECT_EQ(two(pretend("A", 5), varying("F", {6, 5}), {.rounds = 30, .enough = 11}), runs(30, 30))
      << "varies";
  EXPECT_EQ(two(pretend("A", 400 * ms), pretend("B", 5), {.rounds = 4}), runs(4, 4))
      << "no more than asked for";
  EXPECT_EQ(two(own("f", 10), pretend("s", 50000), {.rounds = 30, .enough = 12}), runs(12, 12))
      << "there is time";
  const round_options few{.rounds = 9, .budget = 2.1, .enough = 18};
  EXPECT_EQ(two(own("f", 90 * ms), pretend("s", 1000 * ms), few), runs(9, 3)) << "the budget is spent";
  const round_options overspent{.rounds = 9, .budget = 0.5, .enough = 18};
  EXPECT_EQ(two(own("f", 90 * ms), pretend("s", 1000 * ms), overspent), runs(3, 1))
      << "half of it is riffle's";
  const runs most = two(own("f", 100 * ms), pretend("s", 1000 * ms), {.rounds = 1000, .budget = 20});
  EXPECT_NEAR(static_cast<double>(most.first), 175, 10) << "the time is riffle's";
  EXPECT_EQ(most.second, 3U) << "the fewest, of which the first run is one";
  EXPECT_NEAR(
      static_cast<double>(two(own("f", ms), pretend("s", 1000 * ms), {.rounds = 1000, .budget = 1}).first),
      500, 5)
      << "half of the budget, though the first runs took it all";
}

TEST_F(rounds, call_a_narrow_interval_narrow_before_there_are_enough_of_them) {
  EXPECT_TRUE(run({pretend("A", 5)}, {.rounds = 6}).at(0).settled);
  EXPECT_FALSE(run({pretend("A", 5)}, {.rounds = 5}).at(0).settled) << "five give no interval";
}

// Three runs of five take as long as the median, the others longer: the interval reaches to one side only.
TEST_F(rounds, call_no_interval_narrow_that_reaches_far_to_one_side) {
  const auto settled = [&](std::int64_t slow) {
    return run({varying("S", {1000, 1000, 1000, slow, slow})}, {.rounds = 15}).at(0).settled;
  };
  EXPECT_TRUE(settled(1019));
  EXPECT_FALSE(settled(1030));
}

TEST_F(rounds, spread_the_turns_of_slow_programs_over_all_rounds) {
  contender fickle = varying("f", {11'000'000, 9'000'000});  // it never settles
  fickle.role = role::riffle;
  const std::vector<contender> contenders{fickle, pretend("s", 90'000'000), pretend("t", 95'000'000)};
  const round_options options{.budget = 0.195 + 0.25 + 0.57, .shortest = 0};
  const std::vector<result> results = run_rounds(contenders, {}, options, hooks_).results;
  EXPECT_GE(results.at(0).samples.size(), 18U);
  for (const std::size_t slow : {1U, 2U}) {
    const std::vector<sample>& turns = results.at(slow).samples;
    ASSERT_EQ(turns.size(), 3U) << turns_;
    for (std::size_t i = 1; i < 3; ++i) {
      EXPECT_GE(turns[i].round - turns[i - 1].round, 5U) << turns_;
      EXPECT_LE(turns[i].round - turns[i - 1].round, 13U) << turns_;
      EXPECT_EQ(turns[i].round, results.at(1).samples[i].round) << "they meet: " << turns_;
    }
  }
}

// What the ways to count the words of 64 MiB take, in milliseconds, with a sixth of 100 seconds.
TEST_F(rounds, are_enough_to_judge_riffle_by_in_a_table_with_slow_programs) {
  std::vector<contender> table;
  for (const std::int64_t cost : {3, 6, 70}) table.push_back(own("l", cost * 1'000'000, role::limit));
  for (const std::int64_t cost : {7, 20, 12, 14, 14, 7, 12, 70}) table.push_back(own("r", cost * 1'000'000));
  for (const std::int64_t cost :
       {600, 180, 70, 70, 75, 90, 600, 550, 600, 550, 70, 100, 65, 65, 65, 65, 70, 70, 70, 95, 450})
    table.push_back(pretend("p", cost * 1'000'000));
  const double budget = 100.0 / 6;
  const round_options options{.budget = budget, .shortest = 0};
  const std::vector<result> results = run_rounds(table, {}, options, hooks_).results;
  for (std::size_t i = 0; i < table.size(); ++i) {
    EXPECT_GE(results.at(i).samples.size(), i < 11 ? rounds_to_judge : 3U) << i;
  }
  EXPECT_LT(static_cast<double>(now_) * 1e-9, 1.5 * budget);
}

TEST_F(rounds, have_the_program_that_costs_most_half_as_often_if_there_is_little_time) {
  const auto results = run({pretend("f", 10'000'000), pretend("s", 40'000'000)},
                           {.rounds = 50, .budget = 0.05 + 0.8, .enough = 18});
  EXPECT_NEAR(static_cast<double>(results.at(0).samples.size()), 28, 3);
  EXPECT_NEAR(static_cast<double>(results.at(1).samples.size()), 14, 2);
  for (const sample& slow : results.at(1).samples)
    EXPECT_EQ(std::ranges::count(results.at(0).samples, slow.round, &sample::round), 1) << "they meet";
}

TEST_F(rounds, do_not_count_the_first_run_of_a_limit_which_loads_the_input) {
  contender limit = pretend("l", 0);
  limit.role = role::limit;
  limit.run = [this, cost = std::int64_t{1000000000}](input_files) mutable -> std::optional<answer> {
    now_ += std::exchange(cost, 5);
    return std::nullopt;
  };
  const std::vector<result> results = run({limit, pretend("A", 6)}, {.rounds = 4, .enough = 4});
  EXPECT_EQ(results.at(0).samples.size(), 4U);
  EXPECT_EQ(results.at(0).samples.front().seconds, 5e-9);
  EXPECT_EQ(results.at(0).samples.front().round, 1U);  // it was not taken for a slow one
  EXPECT_EQ(results.at(0).answer, std::nullopt) << "which no one asks it for";
  EXPECT_EQ(results.at(1).outcome, outcome::measured);
}

TEST_F(rounds, name_the_one_that_gives_another_answer_than_most_or_than_before) {
  const auto others = [&](contender one) {
    return run({std::move(one), pretend("a", 100, {1, 2}), pretend("b", 100, {1, 2})});
  };
  const auto results = others(pretend("wrong", 5, {8, 1}));
  EXPECT_EQ(results.at(0).outcome, outcome::wrong);
  EXPECT_EQ(results.at(0).reason, "gives count 8, sum 1, but test/a and 1 more give count 1, sum 2");
  EXPECT_TRUE(results.at(0).samples.empty());
  EXPECT_EQ(results.at(2).samples.size(), 3U);
  EXPECT_EQ(others(counting("F", {1, 3}, 5)).at(0).reason,
            "gives count 3, sum 2, but gave count 1, sum 2 before");
  shortest_ = 1e-6;  // ten runs are timed together
  std::vector<std::uint64_t> counts(15, 1);
  counts.insert(counts.end(), {3, 1});
  EXPECT_EQ(others(counting("F", counts, 100)).at(0).reason,
            "gives count 3, sum 2, but gave count 1, sum 2 before");
}

TEST_F(rounds, bring_the_cache_into_its_state_before_each_run_and_end_if_it_cannot_be_had) {
  hooks_.prepare = [this] {
    if (turns_.size() == 10) throw std::runtime_error("the file is gone");
    turns_ += '.';
  };
  raced all = run_rounds({pretend("A", 5), pretend("B", 5)}, {}, {.shortest = 0}, hooks_);
  EXPECT_EQ(all.results.at(0).samples.size() + all.results.at(1).samples.size(), 3U);
  for (std::size_t i = 0; i < 10; i += 2) EXPECT_EQ(turns_[i], '.') << turns_;
  EXPECT_THROW(std::rethrow_exception(all.stopped_by), std::runtime_error);
}

// A run after one that waited for the device would start on an idle processor otherwise.
TEST_F(rounds, keep_the_processor_busy_right_before_each_run_which_does_not_count) {
  hooks_.prepare = [this] { turns_ += 'p'; };
  hooks_.keep_busy = [this] {
    turns_ += 'b';
    now_ += 2000000;
  };
  const raced all = run_rounds({pretend("A", 5), pretend("A", 5)}, {}, {.rounds = 2, .shortest = 0}, hooks_);
  EXPECT_EQ(turns_, "pbApbApbApbApbApbA");
  EXPECT_DOUBLE_EQ(all.results.at(0).samples.at(0).seconds, 5e-9);
  EXPECT_DOUBLE_EQ(all.round_seconds, 2 * (2e-3 + 5e-9)) << "but for the time that a round takes";
}

TEST_F(rounds, go_on_without_contenders_that_fail_or_cannot_run) {
  contender failing = pretend("F", 5);
  failing.run = [](input_files) -> std::optional<answer> { throw std::runtime_error("the disk is gone"); };
  contender absent = pretend("U", 5);
  absent.unavailable = [](input_files) { return std::optional<std::string>("not installed"); };
  contender unsure = pretend("V", 5);
  unsure.unavailable = [](input_files) -> std::optional<std::string> {
    throw std::runtime_error("the file is gone");
  };
  std::string all;
  for (const result& each : run({failing, absent, pretend("A", 5), unsure}))
    all += fmt::format("{}: {}\n", name_of(each.outcome), each.reason);
  EXPECT_EQ(turns_, "AAAA");
  EXPECT_EQ(all,
            "failed: the disk is gone\nunavailable: not installed\nmeasured: \nfailed: the file is gone\n");
}

TEST_F(rounds, keep_what_was_measured_when_they_are_interrupted) {
  hooks_.interrupted = [this] { return turns_.size() >= 6; };
  const auto results = run({pretend("A", 5), pretend("B", 6)}, {.rounds = 50});
  EXPECT_EQ(turns_.size(), 6U);
  EXPECT_EQ(results.at(0).samples.size(), 2U);
  EXPECT_EQ(results.at(1).samples.size(), 2U);
}

TEST_F(rounds, call_nobody_a_failure_whose_process_was_interrupted) {
  bool stop = false;
  hooks_.interrupted = [&] { return stop; };
  contender process = pretend("P", 5);
  process.run = [&](input_files) -> std::optional<answer> {
    stop = true;
    throw std::runtime_error("ended by signal 2");
  };
  const auto results = run({pretend("A", 5), process});
  EXPECT_EQ(results.at(1).outcome, outcome::unavailable);
  EXPECT_EQ(results.at(1).reason, "the run ended before its first timed run");
}

TEST_F(rounds, say_what_runs_in_which_round_and_how_much_time_is_left) {
  std::string told;
  hooks_.tell = [&](const contender& one, unsigned round, double left) {
    told += one.name + std::to_string(round) + (left > 8 ? "+" : "-");
  };
  run({pretend("A", 2000000000)}, {.rounds = 2, .budget = 9.5});
  EXPECT_EQ(told, "A0+A1-");
}

// A governor lowers the clock for the first 15 runs. Ten runs of one command and then ten of the other
// would find the second one faster.
TEST_F(rounds, of_two_equal_commands_do_not_differ_whatever_the_order_of_a_governor) {
  unsigned runs = 0;
  const auto command = [&](const std::string& name) {
    contender one = pretend(name, 5);
    const auto own = std::make_shared<sample>();
    one.own = own;
    one.run = [&runs, own](input_files) -> std::optional<answer> {
      own->seconds = ++runs <= 15 ? 2 : 1 + runs % 7 / 1000.0;
      own->usage.peak_memory = 7;
      return answer{1, 2};
    };
    return one;
  };
  const std::vector<result> results = run({command("A"), command("B")}, {.rounds = 30});
  EXPECT_TRUE(compare(results.at(0).samples, results.at(1).samples).alike());
  EXPECT_GT(results.at(0).samples.front().seconds, 1.9) << "by its own clock";
  EXPECT_EQ(results.at(1).samples.back().usage.peak_memory, 7);
}

/// Two contenders on a machine where one run of 20 takes twice as long, with noise of 1 %: in how many of 20
/// series, each ended as early as the rounds see fit, the second one is found to differ.
int found_of_twenty(double slowdown, std::uint64_t first_seed) {
  int found = 0;
  for (std::uint64_t seed = first_seed; seed < first_seed + 20; ++seed) {
    random_numbers random(seed);
    std::int64_t now = 0;
    const auto takes = [&](const char* name, double nanoseconds) {
      return contender{.task = task::gc,
                       .name = name,
                       .program = "test",
                       .description = "pretends",
                       .run = [&, nanoseconds](input_files) -> std::optional<answer> {
                         const double noise = 1 + static_cast<double>(random.below(2000)) * 1e-5;
                         now +=
                             static_cast<std::int64_t>(nanoseconds * noise * (random.below(20) == 0 ? 2 : 1));
                         return answer{};
                       }};
    };
    const auto results = run_rounds({takes("A", 1e7), takes("B", 1e7 * slowdown)}, {}, {.seed = seed},
                                    {.now = [&] { return now; }, .used = [] { return usage{}; }})
                             .results;
    found += compare(results.at(0).samples, results.at(1).samples).certain ? 1 : 0;
  }
  return found;
}

// The early end must not stop where a run that was held up still hides what there is.
TEST(rounds_that_end_early, tell_ten_percent_from_nothing_in_nineteen_of_twenty) {
  int kept = 0;
  for (std::uint64_t seed = 1; seed <= 2000; seed += 20) {
    kept += found_of_twenty(1.1, seed) >= 19 && found_of_twenty(1, seed) <= 1 ? 1 : 0;
  }
  EXPECT_GE(kept, 95);
}

}  // namespace riffle::bench
