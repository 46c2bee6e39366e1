/// The files of a command line, read side by side; errors are told in their order, as rows are.
#ifndef RIFFLE_CLI_FILES_HPP
#define RIFFLE_CLI_FILES_HPP

#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/output.hpp"
#include "cli/reading.hpp"
#include "parallel/files.hpp"

namespace riffle::cli {

/// Does the work on all files of the command line; `finish` is called with the
/// name of each. Errors are told in the order of the command line, each after
/// its file is finished. Returns the exit status; throws what `finish` does.
template <class Result>
int for_each_file(const reading_arguments& reading, file_work<Result> work,
                  const std::function<void(const std::string& name, const std::optional<Result>&)>& finish) {
  std::vector<input> inputs;
  inputs.reserve(reading.files.size());
  for (const std::string& name : reading.files) inputs.push_back(input_of(name));
  int status = success;
  work.finish = [&](std::size_t index, const std::optional<Result>& result,
                    const std::exception_ptr& problem) {
    finish(reading.files[index], result);
    if (!problem) return;
    status = failure;
    complain_of_file(problem);
  };
  read_files(inputs, reading.threads, reading.options, work);
  return status;
}

}  // namespace riffle::cli

#endif
