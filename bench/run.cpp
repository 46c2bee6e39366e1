/// Why this file exists: it leads from the options to the reports: inputs, contenders, rounds, table, JSON.
#include "run.hpp"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <ostream>
#include <riffle/error.hpp>
#include <stdexcept>

#include "inputs.hpp"
#include "report.hpp"

namespace riffle::bench {

namespace {

std::vector<task> tasks_of(const bench_options& options) {
  if (!options.tasks.empty()) return options.tasks;
  if (!options.files.empty()) return {task::gc, task::lines, task::words};
  return {all_tasks.begin(), all_tasks.end()};
}

bool is_wanted(const contender& one, const std::vector<std::string>& globs) {
  if (globs.empty() || one.program == "limit") return true;
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return matches_glob(glob, one.id()) || matches_glob(glob, one.name);
  });
}

std::vector<contender> wanted_contenders(task which, const bench_options& options) {
  std::vector<contender> all = contenders_of(which, options.reading);
  std::erase_if(all, [&](const contender& one) { return !is_wanted(one, options.contenders); });
  return all;
}

// A glob that matches nothing is most likely misspelt.
void check_globs(const bench_options& options) {
  for (const std::string& glob : options.contenders) {
    const std::vector<task> tasks = tasks_of(options);
    const bool matches = std::any_of(tasks.begin(), tasks.end(), [&](task which) {
      const std::vector<contender> all = contenders_of(which, options.reading);
      return std::any_of(all.begin(), all.end(), [&](const contender& one) {
        return matches_glob(glob, one.id()) || matches_glob(glob, one.name);
      });
    });
    if (!matches) throw std::invalid_argument("no contender matches '" + glob + "'");
  }
}

/// One line on the terminal that says what is running, written over itself and cleared at the end.
class progress_line {
 public:
  progress_line(std::ostream& err, bool shown) : err_(err), shown_(shown) {}
  void show(std::string_view text) {
    if (shown_) err_ << '\r' << fmt::format("{:<78.78}", text) << std::flush;
  }
  void clear() {
    if (shown_) err_ << '\r' << fmt::format("{:78}", "") << '\r' << std::flush;
  }

 private:
  std::ostream& err_;
  bool shown_;
};

/// The run of one command: what it was asked for, and what it has measured so far.
class bench_run {
 public:
  bench_run(const bench_options& options, std::ostream& out, std::ostream& err, const clock& now,
            bool terminal)
      : options_(options), out_(out), err_(err), now_(now), line_(err, terminal) {}

  int run() {
    check_globs(options_);
    const std::vector<task> tasks = tasks_of(options_);
    // Whatever the user's files lack is said before anything is measured.
    if (!options_.files.empty()) {
      for (const task which : tasks) take_files(which, options_.files);
    }
    std::optional<temporary_directory> made;
    if (options_.files.empty()) made.emplace();
    facts_ = this_machine(made ? made->path() : options_.files.front());
    print_machine(facts_, out_);
    tasks_left_ = tasks.size();
    start_ = now_();
    for (const task which : tasks) {
      run_task(which, made ? &*made : nullptr);
      --tasks_left_;
    }
    if (options_.json) write_json_file();
    return failed_ ? 1 : 0;
  }

 private:
  void run_task(task which, const temporary_directory* made) {
    std::vector<input> inputs;
    if (made != nullptr) {
      line_.show(fmt::format("{}: making the input", name_of(which)));
      inputs = make_inputs(which, options_.size, made->path());
    } else {
      inputs.push_back(take_files(which, options_.files));
    }
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      run_input(which, inputs[i], static_cast<double>(inputs.size() - i));
      if (made == nullptr) continue;
      for (const auto& file : inputs[i].files) std::filesystem::remove(file);
    }
  }

  void run_input(task which, const input& on, double inputs_left) {
    const std::vector<contender> contenders = wanted_contenders(which, options_);
    round_options rounds{.rounds = options_.rounds};
    const double left = options_.budget - static_cast<double>(now_() - start_) * 1e-9;
    rounds.budget = left / static_cast<double>(tasks_left_) / inputs_left;
    try {
      std::vector<result> results =
          run_rounds(contenders, on.files, rounds, now_, [&](const contender& one, unsigned round) {
            line_.show(fmt::format("{} on {}: round {} of {}: {}", name_of(which), on.name, round,
                                   options_.rounds, one.id()));
          });
      line_.clear();
      reports_.push_back(
          {which, on.name, on.files.size(), on.bytes, on.made, in_order(contenders, std::move(results))});
    } catch (const wrong_answer& difference) {
      line_.clear();
      fmt::print(err_, "riffle bench: {}\n", difference.what());
      failed_ = true;
      return;
    }
    print_table(reports_.back(), out_);
    out_.flush();
    note_failures(reports_.back());
  }

  void note_failures(const task_report& report) {
    for (const line_of_report& line : report.lines) {
      if (line.result.outcome != outcome::failed) continue;
      fmt::print(err_, "riffle bench: {}/{} failed: {}\n", line.program, line.name, line.result.reason);
      failed_ = true;
    }
  }

  void write_json_file() {
    errno = 0;
    std::ofstream file(*options_.json);
    write_json(facts_, reports_, file);
    file.close();
    if (!file) throw error({errno, std::generic_category()}, "write", options_.json->string());
  }

  const bench_options& options_;
  std::ostream& out_;
  std::ostream& err_;
  const clock& now_;
  progress_line line_;
  machine facts_;
  std::int64_t start_ = 0;
  std::size_t tasks_left_ = 0;  // the budget that is left is shared among them
  std::vector<task_report> reports_;
  bool failed_ = false;
};

}  // namespace

int run_bench(const bench_options& options, std::ostream& out, std::ostream& err, const clock& now,
              bool err_is_terminal) {
  return bench_run(options, out, err, now, err_is_terminal).run();
}

void list_contenders(const std::vector<task>& tasks, std::ostream& out) {
  for (const task which : tasks.empty() ? std::vector<task>(all_tasks.begin(), all_tasks.end()) : tasks) {
    for (const contender& one : contenders_of(which, {})) {
      fmt::print(out, "{:<7} {:<36} {}\n", name_of(which), one.id(), one.description);
    }
  }
}

}  // namespace riffle::bench
