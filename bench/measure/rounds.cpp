/// Runs the rounds, keeps the time and compares the answers.
#include "bench/measure/run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <riffle/error.hpp>
#include <stdexcept>
#include <utility>

namespace riffle::bench {

std::string reason_of(const std::exception& failure) {
  const auto* const own = dynamic_cast<const error*>(&failure);
  return own != nullptr ? own->message() : failure.what();
}

namespace {

std::string in_words(const answer& given) {
  return "count " + std::to_string(given.count) + ", sum " + std::to_string(given.sum);
}

/// What a turn of a contender takes on average, the one before the rounds included.
struct cost {
  double seconds = 0;
  double turns = 0;
  void add(double more) { seconds += (more - seconds) / ++turns; }
};

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
        costs_(contenders.size()),
        has_enough_(contenders.size()) {}

  raced run() {
    raced all;
    try {
      run_all();
    } catch (...) {
      all.stopped_by = std::current_exception();
    }
    for (const contender& each : contenders_) {
      if (each.forget) each.forget();
    }
    for (result& each : results_) {
      if (each.outcome == outcome::measured && each.samples.empty())
        each = {.outcome = outcome::unavailable, .reason = "the run ended before its first timed run"};
    }
    all.results = std::move(results_);
    for (const cost& each : costs_) {
      if (each.turns > 0) all.round_seconds += each.seconds + preparation_.seconds;
    }
    return all;
  }

 private:
  void run_all() {
    for (std::size_t i = 0; i < contenders_.size() && !interrupted(); ++i) find_unavailable(i);
    for (std::size_t i = 0; i < contenders_.size() && !interrupted(); ++i) warm_up(i);
    agree();
    for (unsigned round = 1; run_round(round); ++round) {
    }
  }

  bool interrupted() const { return hooks_.interrupted && hooks_.interrupted(); }
  double elapsed() const { return seconds_since(start_); }
  double seconds_left() const { return std::max(options_.budget - elapsed(), 0.0); }
  double seconds_since(std::int64_t moment) const {
    return static_cast<double>(hooks_.now() - moment) * 1e-9;
  }

  bool is_limit(std::size_t i) const { return contenders_[i].role == role::limit; }

  void find_unavailable(std::size_t i) {
    if (!contenders_[i].unavailable) return;
    if (hooks_.tell) hooks_.tell(contenders_[i], 0, seconds_left());
    try {
      if (std::optional<std::string> reason = contenders_[i].unavailable(files_))
        results_[i] = {.outcome = outcome::unavailable, .reason = *std::move(reason)};
    } catch (const std::exception& failure) {
      results_[i] = {.outcome = outcome::failed, .reason = reason_of(failure)};
    }
  }

  // The first run loads code and grows heaps. It counts only if it takes so long
  // that this does not show. A second one is needed if the first loads the whole
  // input, as a limit's does, or if several runs have to be timed together.
  void warm_up(std::size_t i) {
    if (results_[i].outcome != outcome::measured) return;
    const double shortest = contenders_[i].own ? 0 : options_.shortest;  // its own time is that of one run
    std::optional<double> seconds = run_once(i, 0, 1);
    if (seconds && (is_limit(i) || *seconds < shortest)) seconds = run_once(i, 0, 1);
    if (!seconds) return;
    if (*seconds >= options_.counts_at_once) results_[i].samples.push_back(sample_of(i, 0, *seconds));
    if (*seconds < shortest) {
      constexpr double most = 10000;
      const double runs = std::ceil(shortest / std::max(*seconds, shortest / most));
      results_[i].runs_per_sample = static_cast<unsigned>(runs);
    }
    costs_[i].add(*seconds * results_[i].runs_per_sample);
  }

  // Takes the majority answer as correct, and the first of several equally frequent ones.
  void agree() {
    std::size_t most = 0;
    for (const result& candidate : results_) {
      const std::size_t votes = gave(candidate.answer);
      if (candidate.outcome == outcome::measured && candidate.answer && votes > most) {
        most = votes;
        right_ = candidate.answer;
      }
    }
    for (std::size_t i = 0; i < results_.size(); ++i) {
      const result& each = results_[i];
      if (each.outcome != outcome::measured || !each.answer || each.answer == right_) continue;
      blame(i, first_who_agrees(), ", but " + those_who_agree() + " " + in_words(*right_));
    }
    end_if_wrong();
  }

  std::size_t gave(const std::optional<answer>& which) const {
    return static_cast<std::size_t>(std::ranges::count_if(results_, [&](const result& each) {
      return each.outcome == outcome::measured && each.answer == which;
    }));
  }

  // Not for a file that changed under it: then `prepare` throws.
  void blame(std::size_t i, std::size_t other, const std::string& what_is_right) {
    result& wrong = results_[i];
    wrong.reason = contenders_[i].difference
                       ? contenders_[i].difference(contenders_[other].name)
                       : "gives " + in_words(wrong.answer.value_or(answer{})) + what_is_right;
    if (hooks_.prepare) hooks_.prepare();
    wrong.outcome = outcome::wrong;
  }

  void end_if_wrong() const {
    if (options_.stop_at_failure && std::ranges::count(results_, outcome::wrong, &result::outcome) != 0)
      throw std::runtime_error("outputs differ; --any-output lets them");
  }

  std::size_t first_who_agrees() const {
    std::size_t first = 0;
    while (results_[first].outcome != outcome::measured || results_[first].answer != right_) ++first;
    return first;
  }

  // "riffle/read and 2 more give"
  std::string those_who_agree() const {
    const std::size_t more = gave(right_) - 1;
    return contenders_[first_who_agrees()].id() +
           (more > 0 ? " and " + std::to_string(more) + " more give" : " gives");
  }

  // Returns whether there may be another round. In an order of its own, so that no contender always follows
  // the same other.
  bool run_round(unsigned round) {
    if (!anyone_wants()) return false;
    std::vector<std::size_t> order = takers(round);
    for (std::size_t last = order.size(); last > 1; --last) {
      std::swap(order[last - 1], order[random_.below(last)]);
    }
    for (const std::size_t i : order) {
      if (interrupted()) return false;
      if (may_run(i)) time_one(i, round);
    }
    return true;
  }

  unsigned most() const { return std::max(options_.rounds, 1U); }
  unsigned fewest() const {
    const bool overspent = elapsed() > 1.5 * options_.budget;
    return overspent ? 1 : std::min(options_.fewest, most());
  }
  unsigned runs_of(std::size_t i) const { return static_cast<unsigned>(results_[i].samples.size()); }

  // What is judged, and what it is judged by.
  bool is_riffles(std::size_t i) const { return contenders_[i].role != role::published; }

  // Beyond the budget contenders get only their fewest runs; riffle's, as many as a judgement needs, if that
  // takes no more than half as long as the budget.
  bool may_run(std::size_t i) const {
    const unsigned runs = runs_of(i);
    if (results_[i].outcome != outcome::measured || runs >= most()) return false;
    if (runs < fewest() || elapsed() <= options_.budget) return true;
    return is_riffles(i) && runs < options_.enough && riffles_seconds_ < options_.budget / 2;
  }

  // Everyone takes part in each round, but as long as the next rounds do not fit into the time that is left,
  // the published contender that costs most takes part half as often. So two contenders meet in every round
  // of the rarer one.
  std::vector<std::size_t> takers(unsigned round) const {
    const unsigned lap = std::min(options_.enough + options_.enough / 3, most());
    const unsigned ahead = lap - (round - 1) % lap;
    std::vector<unsigned> every(results_.size(), 1);
    std::vector<double> costs(results_.size(), 0);  // of a round, on average
    for (const std::size_t i : those([&](std::size_t each) { return may_run(each); }))
      costs[i] = costs_[i].seconds + preparation_.seconds;
    const auto costs_less = [&](std::size_t i, std::size_t j) { return costs[i] < costs[j]; };
    const auto can_be_rarer = [&](std::size_t i) {
      const unsigned owed = fewest() - std::min(runs_of(i), fewest());
      return costs[i] > 0 && !is_riffles(i) && ahead / (2 * every[i]) >= owed && every[i] <= lap;
    };
    while (std::reduce(costs.begin(), costs.end()) * ahead > seconds_left()) {
      const std::vector<std::size_t> rarer = those(can_be_rarer);
      if (rarer.empty()) break;
      const std::size_t dearest = *std::ranges::max_element(rarer, costs_less);
      every[dearest] *= 2;
      costs[dearest] /= 2;
    }
    return those([&](std::size_t i) { return may_run(i) && (round - 1) % every[i] == 0; });
  }

  bool anyone_wants() const {
    return !those([&](std::size_t i) {
              return may_run(i) && (!has_enough_[i] || runs_of(i) < fewest());
            }).empty();
  }

  template <class Condition>
  std::vector<std::size_t> those(Condition holds) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < results_.size(); ++i) {
      if (holds(i)) found.push_back(i);
    }
    return found;
  }

  void time_one(std::size_t i, unsigned round) {
    result& so_far = results_[i];
    const unsigned runs = so_far.runs_per_sample;
    const std::optional<double> seconds = run_once(i, round, runs);
    if (!seconds) return;
    if (is_riffles(i)) riffles_seconds_ += *seconds;
    costs_[i].add(*seconds);
    so_far.samples.push_back(sample_of(i, round, *seconds / runs));
    const std::vector<double> all = seconds_of(so_far.samples);
    so_far.settled = is_narrow(all, 0.95);
    // By the interval that a difference is judged by: the runs that were held up are too few to hide one.
    has_enough_[i] = all.size() >= most() || (all.size() >= options_.enough && is_narrow(all, 0.99));
  }

  sample sample_of(std::size_t i, unsigned round, double seconds) const {
    sample one =
        contenders_[i].own ? *contenders_[i].own : sample{.seconds = seconds, .usage = used_by_last_};
    one.round = round;
    return one;
  }

  bool is_narrow(const std::vector<double>& seconds, double confidence) const {
    const std::optional<double> reach = reach_of(median_interval(seconds, confidence), median(seconds));
    return reach && *reach <= options_.precision;
  }

  // Returns the seconds of `runs` runs together; nothing if one failed, or gave another answer than before.
  std::optional<double> run_once(std::size_t i, unsigned round, unsigned runs) {
    if (hooks_.tell) hooks_.tell(contenders_[i], round, seconds_left());
    const std::int64_t start = hooks_.now();
    if (hooks_.prepare) hooks_.prepare();
    if (hooks_.keep_busy) hooks_.keep_busy();
    preparation_.add(seconds_since(start));
    const std::optional<answer> before = results_[i].answer;
    const std::optional<double> seconds = time_runs(i, runs);
    if (!seconds || !before || results_[i].answer == before) return seconds;
    blame(i, i, ", but gave " + in_words(*before) + " before");
    end_if_wrong();
    return std::nullopt;
  }

  // As run_once, but ends at the first answer that is not that of the run before.
  std::optional<double> time_runs(std::size_t i, unsigned runs) {
    try {
      const usage used = hooks_.used();
      const std::int64_t before = hooks_.now();
      for (unsigned run = 0; run < runs; ++run) {
        const std::optional<answer> last = std::exchange(results_[i].answer, contenders_[i].run(files_));
        if (last && results_[i].answer != last) break;
      }
      const double seconds = seconds_since(before);
      used_by_last_ = usage_between(used, hooks_.used(), runs);
      return seconds;
    } catch (const std::exception& failure) {
      if (interrupted()) return std::nullopt;  // its child processes were interrupted too
      results_[i] = {.outcome = outcome::failed, .reason = reason_of(failure)};
      if (options_.stop_at_failure) {
        const bool ran = dynamic_cast<const error*>(&failure) == nullptr;
        throw std::runtime_error(ran ? "a command failed; --ignore-failure counts its runs"
                                     : "a command cannot be started");
      }
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
  std::vector<cost> costs_;
  cost preparation_;              // of any contender's turn
  std::vector<bool> has_enough_;  // to be judged
  double riffles_seconds_ = 0;    // that riffle's contenders and the limits took in their rounds
  usage used_by_last_;
  std::optional<answer> right_;
};

}  // namespace

raced run_rounds(const std::vector<contender>& contenders, input_files files, const round_options& options,
                 const round_hooks& hooks) {
  return race(contenders, files, options, hooks).run();
}

}  // namespace riffle::bench
