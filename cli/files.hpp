/// Reads the files of a command line side by side, and reports results and errors in their order.
#ifndef RIFFLE_CLI_FILES_HPP
#define RIFFLE_CLI_FILES_HPP

#include <riffle/parallel_files.hpp>

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/progress/progress.hpp"
#include "cli/reading.hpp"
#include "cli/threads/rule.hpp"

namespace riffle::cli {

/// Reads each file of the command line by `read`, which fills the result as it goes: after a failure it holds
/// the result until then. `finish` is called with each name and result, in the order of the command line; the
/// result has no value if the file could not be opened. Each error is reported after its file is finished.
/// A terminal shows the progress meanwhile.
/// Returns the exit status; throws what `finish` throws.
template <class Result>
int for_each_file(
    const reading_arguments& reading,
    const std::function<void(source opened, const parallel_options& splitting,
                             std::optional<Result>& result)>& read,
    const std::function<void(const std::string& name, const std::optional<Result>& result)>& finish) {
  std::vector<input> inputs;
  inputs.reserve(reading.files.size());
  for (const std::string& name : reading.files) inputs.push_back(input_of(name));
  std::vector<std::optional<Result>> results(inputs.size());
  const thread_rule rule(reading.threads);
  int status = success;
  const detail::file_work work{.read =
                                   [&](std::size_t index, source opened, unsigned granted) {
                                     const parallel_options splitting = rule.for_input(opened, granted);
                                     read(std::move(opened), splitting, results[index]);
                                   },
                               .finish =
                                   [&](std::size_t index, const std::exception_ptr& problem) {
                                     finish(reading.files[index], results[index]);
                                     results[index].reset();
                                     flush_before_next(reading.files.size());
                                     if (!problem) return;
                                     status = failure;
                                     complain_of_file(reading.files[index], problem);
                                   },
                               .catch_up = flush_output,
                               .separate_descriptors = true};
  reading_progress progress(reading.files);
  detail::each_file(inputs, rule.for_files(reading.files), progress.counting(reading.options), work);
  return status;
}

}  // namespace riffle::cli

#endif
