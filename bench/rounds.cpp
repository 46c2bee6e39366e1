/// Why this file exists: it runs the rounds, keeps the time and compares the answers.
#include "rounds.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>

#include "random.hpp"

namespace riffle::bench {

namespace {

std::string in_words(const answer& given) {
  return "count " + std::to_string(given.count) + ", sum " + std::to_string(given.sum);
}

/// The state of one run_rounds: who is still running, what was agreed on, how the time goes.
class race {
 public:
  race(const std::vector<contender>& contenders, input_files files, const round_options& options,
       const round_hooks& hooks)
      : contenders_(contenders),
        files_(files),
        options_(options),
        hooks_(hooks),
        start_(hooks.now()),
        random_(options.seed),
        results_(contenders.size()),
        first_seconds_(contenders.size()) {}

  std::vector<result> run() {
    find_unavailable();
    for (std::size_t i = 0; i < contenders_.size() && !interrupted(); ++i) warm_up(i);
    agree();
    divide_time();
    for (unsigned round = 1; run_round(round); ++round) {
    }
    for (result& each : results_) {
      if (each.outcome == outcome::measured && each.samples.empty())
        each = {.outcome = outcome::unavailable, .reason = "interrupted before its first timed run"};
    }
    return std::move(results_);
  }

 private:
  bool interrupted() const { return hooks_.interrupted && hooks_.interrupted(); }
  double elapsed() const { return seconds_since(start_); }
  double seconds_since(std::int64_t moment) const {
    return static_cast<double>(hooks_.now() - moment) * 1e-9;
  }

  bool is_limit(std::size_t i) const { return contenders_[i].program == "limit"; }

  void find_unavailable() {
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      if (!contenders_[i].unavailable) continue;
      if (std::optional<std::string> reason = contenders_[i].unavailable(files_)) {
        results_[i].outcome = outcome::unavailable;
        results_[i].reason = *std::move(reason);
      }
    }
  }

  // Not counted, as it loads code and grows heaps, but for those that take so long that it does not show. A
  // second one is needed where the first loads the whole input, as a limit's does, and where several have to
  // be timed together.
  void warm_up(std::size_t i) {
    if (results_[i].outcome != outcome::measured) return;
    std::optional<double> seconds = run_once(i, 0, 1);
    if (seconds && (is_limit(i) || *seconds < options_.shortest)) seconds = run_once(i, 0, 1);
    if (!seconds) return;
    first_seconds_[i] = *seconds;
    if (*seconds >= options_.counts_at_once) results_[i].samples.push_back({0, *seconds, used_by_last_});
    if (*seconds >= options_.shortest) return;
    constexpr double most = 10000;
    const double runs = std::ceil(options_.shortest / std::max(*seconds, options_.shortest / most));
    results_[i].runs_per_sample = static_cast<unsigned>(runs);
  }

  // The answer that most gave is taken for right, the first one where as many gave another.
  void agree() {
    std::size_t most = 0;
    for (const result& candidate : results_) {
      const std::size_t votes = gave(candidate.answer);
      if (candidate.answer && votes > most) {
        most = votes;
        right_ = candidate.answer;
      }
    }
    for (std::size_t i = 0; i < results_.size(); ++i) check(i);
  }

  std::size_t gave(const std::optional<answer>& which) const {
    return static_cast<std::size_t>(std::ranges::count(results_, which, &result::answer));
  }

  void check(std::size_t i) {
    const std::optional<answer>& given = results_[i].answer;
    if (!given || given == right_) return;
    results_[i].outcome = outcome::wrong;
    results_[i].reason =
        "gives " + in_words(*given) + ", where " + others_than(i) + " " + in_words(right_.value());
  }

  std::string others_than(std::size_t i) const {
    for (std::size_t other = 0; other < results_.size(); ++other) {
      if (other == i || results_[other].answer != right_) continue;
      const std::size_t more = gave(right_) - 1;
      return contenders_[other].id() + (more > 0 ? " and " + std::to_string(more) + " more give" : " gives");
    }
    return "it gave before";
  }

  // Half of what the first runs have left; where the slow ones took nearly all, still enough for the others.
  void divide_time() {
    const double left = options_.budget - elapsed();
    quick_until_ = elapsed() + std::max(left / 2, options_.budget / 10);
  }

  // Returns whether anybody ran. In an order of its own, so that no contender always follows the same other.
  bool run_round(unsigned round) {
    std::vector<std::size_t> order = takers();
    for (std::size_t last = order.size(); last > 1; --last) {
      std::swap(order[last - 1], order[random_.below(last)]);
    }
    bool ran = false;
    for (const std::size_t i : order) {
      if (interrupted()) return false;
      if (spent() && results_[i].samples.size() >= fewest()) continue;
      time_one(i, round);
      ran = true;
    }
    return ran;
  }

  // Slow contenders would take all the time. So the others go first, all of them until the last has had
  // enough, so that all met the same neighbours, but for half of the time at most; then the slow ones get
  // their fewest runs; then what is left is for whoever has not had enough, in the same order.
  std::vector<std::size_t> takers() const {
    std::vector<std::size_t> quick;
    std::vector<std::size_t> slow;
    const double best = best_seconds();
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (results_[i].outcome != outcome::measured) continue;
      (typical_seconds(i) > options_.slow * best ? slow : quick).push_back(i);
    }
    const auto lack_runs = [&](std::size_t i) { return results_[i].samples.size() < fewest(); };
    const auto open = [&](std::size_t i) {
      return !results_[i].settled && results_[i].samples.size() < std::max(options_.rounds, 1U);
    };
    const bool quick_are_open = std::ranges::any_of(quick, open);
    if (std::ranges::any_of(quick, lack_runs)) return quick;
    if (quick_are_open && elapsed() < quick_until_) return quick;
    if (std::ranges::any_of(slow, lack_runs)) {
      std::erase_if(slow, std::not_fn(lack_runs));
      return slow;
    }
    if (spent()) return {};
    if (quick_are_open) return quick;
    return std::ranges::any_of(slow, open) ? slow : std::vector<std::size_t>{};
  }

  bool spent() const { return elapsed() > std::max(options_.budget, quick_until_); }
  std::size_t fewest() const {
    const bool overspent = elapsed() > 1.5 * options_.budget;
    return overspent ? 1 : std::min(options_.fewest, std::max(options_.rounds, 1U));
  }

  double typical_seconds(std::size_t i) const {
    return results_[i].samples.empty() ? first_seconds_[i] : median(seconds_of(results_[i].samples));
  }

  // Of those that read files: against the limits, which do not, all might seem slow.
  double best_seconds() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      if (results_[i].outcome != outcome::measured || is_limit(i)) continue;
      least = std::min(least, typical_seconds(i));
    }
    return least;
  }

  void time_one(std::size_t i, unsigned round) {
    result& so_far = results_[i];
    const unsigned runs = so_far.runs_per_sample;
    const std::optional<double> seconds = run_once(i, round, runs);
    if (!seconds) return;
    so_far.samples.push_back({round, *seconds / runs, used_by_last_});
    check(i);
    const summary all = summarise(seconds_of(so_far.samples));
    so_far.settled = all.samples >= options_.settled_at && all.ci95 &&
                     (all.ci95->high - all.ci95->low) / 2 <= options_.precision * all.median;
  }

  // Returns the seconds of `runs` runs together; nothing when one failed.
  std::optional<double> run_once(std::size_t i, unsigned round, unsigned runs) {
    if (hooks_.tell) hooks_.tell(contenders_[i], round, std::max(options_.budget - elapsed(), 0.0));
    if (hooks_.prepare) hooks_.prepare();
    try {
      const usage used = hooks_.used();
      const std::int64_t before = hooks_.now();
      for (unsigned run = 0; run < runs; ++run) results_[i].answer = contenders_[i].run(files_);
      const double seconds = seconds_since(before);
      used_by_last_ = usage_between(used, hooks_.used(), runs);
      return seconds;
    } catch (const std::exception& failure) {
      if (interrupted()) return std::nullopt;  // its child processes were interrupted too
      results_[i] = {.outcome = outcome::failed, .reason = failure.what()};
      return std::nullopt;
    }
  }

  const std::vector<contender>& contenders_;
  input_files files_;
  const round_options& options_;
  const round_hooks& hooks_;
  std::int64_t start_;
  random_numbers random_;
  std::vector<result> results_;
  std::vector<double> first_seconds_;  // of the run before the rounds
  double quick_until_ = 0;             // when slow contenders have waited long enough
  usage used_by_last_;
  std::optional<answer> right_;
};

}  // namespace

clock steady_clock() {
  return [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::int64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  };
}

std::vector<result> run_rounds(const std::vector<contender>& contenders, input_files files,
                               const round_options& options, const round_hooks& hooks) {
  return race(contenders, files, options, hooks).run();
}

}  // namespace riffle::bench
