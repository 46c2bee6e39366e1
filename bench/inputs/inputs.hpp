/// Without a FILE the benchmark makes its own inputs: the same bytes for the same size, on every machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/data/report.hpp"

namespace riffle::bench {

/// What a task is run on.
struct input {
  std::string name;  // for headings: "text", or the file's name
  std::vector<std::filesystem::path> files;
  std::uint64_t bytes = 0;  // of all files together
  bool made = false;        // by us; false: the user's
};

/// The inputs of a task, written to `directory`: one, and for words the many small files of program 4 as
/// well. They are shorter if `interrupted` says so meanwhile. Throws riffle::error if they cannot be written.
std::vector<input> make_inputs(task which, std::uint64_t size, const std::filesystem::path& directory,
                               const std::function<bool()>& interrupted = {});
/// How many inputs `make_inputs` makes for the task.
std::size_t inputs_made(task which) noexcept;
/// The least size in bytes for which the input of this number is not empty.
std::uint64_t least_size(task which, std::size_t input) noexcept;

/// Copies of an input's files, in `directory`. Throws riffle::error if they cannot be written.
input copy_of(const input& original, const std::filesystem::path& directory);

/// The user's files as one input. Throws riffle::error, naming the file, when one is missing, cannot be
/// opened, cannot be read again and again with the same bytes or, for ints and primes, has not the task's
/// format; and when all are empty.
input take_files(task which, const std::vector<std::filesystem::path>& files);

}  // namespace riffle::bench
