/// Why this file exists: it runs the rounds, keeps the time and compares the answers.
#include "rounds.hpp"

#include <algorithm>
#include <chrono>
#include <limits>
#include <optional>

namespace riffle::bench {

namespace {

std::string in_words(const answer& given) {
  return "count " + std::to_string(given.count) + ", sum " + std::to_string(given.sum);
}

/// The state of one run_rounds: who is still running, what was agreed on, how the time goes.
class race {
 public:
  race(const std::vector<contender>& contenders, input_files files, const round_options& options,
       const clock& now, const progress& tell)
      : contenders_(contenders), files_(files), options_(options), now_(now), tell_(tell), start_(now()) {
    results_.resize(contenders.size());
  }

  std::vector<result> run() {
    find_unavailable();
    for (unsigned round = 0; round <= std::max(options_.rounds, 1U); ++round) {
      for (std::size_t i = 0; i < contenders_.size(); ++i) {
        if (wants_run(i, round)) run_one(i, round);
      }
    }
    return std::move(results_);
  }

 private:
  // The first answer given, and by whom: all others are compared with it.
  struct agreement {
    std::size_t by;
    bench::answer answer;
  };

  void find_unavailable() {
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      if (!contenders_[i].unavailable) continue;
      if (std::optional<std::string> reason = contenders_[i].unavailable(files_)) {
        results_[i].outcome = outcome::unavailable;
        results_[i].reason = *std::move(reason);
      }
    }
  }

  bool wants_run(std::size_t i, unsigned round) const {
    const result& so_far = results_[i];
    if (so_far.outcome != outcome::measured) return false;
    if (round <= 1) return true;
    const bool slow = median(so_far.seconds) > options_.slow * best();
    const bool spent = seconds_since(start_) > options_.budget;
    if (slow) return !spent && so_far.seconds.size() < options_.enough;
    return !spent || so_far.seconds.size() < options_.enough;
  }

  // The fastest contender that reads files: against the limit, which does not, all might seem slow.
  double best() const {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < contenders_.size(); ++i) {
      if (results_[i].seconds.empty() || contenders_[i].program == "limit") continue;
      least = std::min(least, median(results_[i].seconds));
    }
    return least;
  }

  void run_one(std::size_t i, unsigned round) {
    if (tell_) tell_(contenders_[i], round);
    result& so_far = results_[i];
    try {
      const std::int64_t before = now_();
      so_far.answer = contenders_[i].run(files_);
      const double seconds = seconds_since(before);
      if (round > 0) so_far.seconds.push_back(seconds);
    } catch (const std::exception& failure) {
      so_far = {outcome::failed, {}, {}, failure.what()};
      return;
    }
    if (!agreed_) agreed_ = agreement{i, so_far.answer};
    if (so_far.answer != agreed_->answer) {
      throw wrong_answer("contenders of " + std::string(name_of(contenders_[i].task)) + " disagree: " +
                         contenders_[agreed_->by].id() + " gives " + in_words(agreed_->answer) + ", " +
                         contenders_[i].id() + " gives " + in_words(so_far.answer));
    }
  }

  double seconds_since(std::int64_t moment) const { return static_cast<double>(now_() - moment) * 1e-9; }

  const std::vector<contender>& contenders_;
  input_files files_;
  const round_options& options_;
  const clock& now_;
  const progress& tell_;
  std::int64_t start_;
  std::vector<result> results_;
  std::optional<agreement> agreed_;
};

}  // namespace

clock steady_clock() {
  return [] {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::int64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
  };
}

std::vector<result> run_rounds(const std::vector<contender>& contenders, input_files files,
                               const round_options& options, const clock& now, const progress& tell) {
  return race(contenders, files, options, now, tell).run();
}

}  // namespace riffle::bench
