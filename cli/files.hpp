/// Goes through the files of a command line, and reports results and errors in their order.
#pragma once

#include <riffle/parallel_files.hpp>

#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/notes.hpp"
#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "cli/threads/rule.hpp"

namespace riffle::cli {

/// The result of a command that writes as it reads.
struct no_result {};

/// What a command does with each of its files.
template <class Result>
struct file_steps {
  /// Reads an input, and fills the result as it goes: after a failure it holds what was read before.
  std::function<void(const std::string& name, source opened, const parallel_options& splitting,
                     std::optional<Result>& result)>
      read;
  /// Gets the name and the result of each file, in the order of the command line, and what opening or `read`
  /// threw, or null. The result has no value if the file could not be opened.
  std::function<void(const std::string& name, std::optional<Result>& result,
                     const std::exception_ptr& problem)>
      finish = [](const auto&, const auto&, const auto&) {};
  /// Reports the problem of a file, after `finish`; empty: by `complain_of_file`.
  std::function<void(const std::string& name, const std::exception_ptr& problem)> complain = {};
  /// Says something else of a file, after that.
  std::function<void(const std::string& text)> note = [](const std::string& text) {
    riffle::cli::complain("riffle: " + text);
  };
  /// It takes the bytes for text, so the result of another encoding is wrong.
  bool takes_text = false;
  /// Passes on what was held back, before a wait for the next file.
  std::function<void()> catch_up = flush_output;
};

/// Opens and reads each file for a command, which was `given` what it does. `threads` are those that
/// --threads asks for: 1 for a command without it. Returns the exit status; throws what the steps throw, but
/// `read`.
template <class Result>
int for_each_file(const reading_arguments& given, std::span<const std::string> names,
                  std::optional<unsigned> threads, const read_options& reading,
                  const file_steps<Result>& steps) {
  std::vector<input> inputs;
  inputs.reserve(names.size());
  for (const std::string& name : names) inputs.push_back(input_of(name));
  std::vector<std::optional<Result>> results(inputs.size());
  std::vector<std::string> notes(inputs.size());
  std::vector<char> may_be_utf_16(inputs.size());
  const thread_rule rule(threads);
  int status = success;
  const file_work work{.read =
                           [&](std::size_t index, source opened, unsigned granted) {
                             require_compressed(names[index], opened, given);
                             notes[index] = note_of_end(names[index], opened, reading);
                             may_be_utf_16[index] = steps.takes_text && cli::may_be_utf_16(opened, reading);
                             const parallel_options splitting = rule.for_input(opened, granted);
                             steps.read(names[index], std::move(opened), splitting, results[index]);
                           },
                       .finish =
                           [&](std::size_t index, const std::exception_ptr& problem) {
                             steps.finish(names[index], results[index], problem);
                             results[index].reset();
                             flush_before_next(names.size());
                             if (problem) {
                               status = failure;
                               if (steps.complain) {
                                 steps.complain(names[index], problem);
                               } else {
                                 complain_of_file(names[index], problem, given);
                               }
                             } else if (!notes[index].empty()) {
                               steps.note(notes[index]);
                             }
                             const std::string format =
                                 note_of_format(names[index], problem != nullptr, given);
                             if (!format.empty()) return steps.note(format);
                             if (!problem && may_be_utf_16[index] == 0) return;
                             const std::string encoding = note_of_encoding(names[index], reading);
                             if (!encoding.empty()) steps.note(encoding);
                           },
                       .catch_up = steps.catch_up,
                       .separate_descriptors = true};
  parallel_files(inputs, work, rule.for_files(names), reading);
  return status;
}

}  // namespace riffle::cli
