/// Offers a function that reads many files by several threads, with results in the order of the files.
#pragma once

#include <riffle/error.hpp>
#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>
#include <riffle/parallel.hpp>
#include <riffle/source.hpp>

#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace riffle::inline v0 {

/// Holds the functions that handle each of many inputs. Use designated initialisers.
struct file_work {
  /// Reads the input by that many threads. Several threads call it at once, for different inputs.
  std::function<void(std::size_t index, source opened, unsigned threads)> read;
  /// Gets what opening or `read` threw, or null. Called in the order of the inputs, by one thread at a time.
  std::function<void(std::size_t index, const std::exception_ptr& failure)> finish;
  /// Called if all inputs before are finished and the next one may take long: it passes on what it held back.
  std::function<void()> catch_up = [] {};
};

namespace detail {

/// Does the work as `parallel_files`. `own_descriptors` says that its functions use no descriptors but 0, 1
/// and 2 and their input. Then each thread that is started gets a table of descriptors of its own, as threads
/// that share one wait for each other.
RIFFLE_API void each_file(std::span<const input> files, const file_work& work, unsigned threads,
                          const read_options& reading, bool own_descriptors);

}  // namespace detail

/// Does the work on each of many inputs, which it opens once. `threads` is as `thread_options::threads`;
/// the form below says how they share the inputs. Standard input, a pipe, a device or a large file is read
/// after all inputs before it are finished.
///
/// Throws what `finish` and `catch_up` throw. The other threads then stop.
inline void parallel_files(std::span<const input> files, const file_work& work, unsigned threads = 0,
                           const read_options& reading = {}) {
  detail::each_file(files, work, threads, reading, false);
}

/// Reduces each of many inputs as `parallel_reduce` does, and calls `done(index, result, failure)` for each,
/// in the order of the inputs and by one thread at a time.
///
/// `files` is a range of anything that converts to `riffle::input`: paths, strings, inputs. `result` is the
/// `T&&` that `combine` made of `init` and the splits of that input. `failure` is null, or it points to the
/// `riffle::error` of an input that could not be opened or read to its end. `result` then combines the splits
/// before the failure, and the other inputs are still read. The error is valid during the call.
///
/// One thread reads a file of at most 32 MiB, beside others; several threads share a larger one. Each
/// thread has one input open. If the files are not cached, it opens up to 64 more ahead.
///
/// Throws what `map`, `combine` and `done` throw, except that `done` gets a `riffle::error` of `map` or
/// `combine`. The other threads then stop.
template <std::ranges::input_range Files, class T, class Map, class Combine, class Done>
  requires std::convertible_to<std::ranges::range_reference_t<Files>, input>
void parallel_files(Files&& files, const T& init, Map map, Combine combine, Done done,
                    const parallel_options& splitting = {}, const read_options& reading = {}) {
  struct result {
    T value;
  };
  std::vector<input> inputs;
  for (auto&& file : files) inputs.emplace_back(std::forward<decltype(file)>(file));
  std::vector<result> results(inputs.size(), result{init});
  const file_work work{.read =
                           [&](std::size_t index, source opened, unsigned threads) {
                             parallel_options options = splitting;
                             options.threads = threads;
                             parallel_reduce_into(results[index].value, std::move(opened), std::ref(map),
                                                  std::ref(combine), options);
                           },
                       .finish =
                           [&](std::size_t index, const std::exception_ptr& failure) {
                             std::optional<error> problem;
                             try {
                               if (failure) std::rethrow_exception(failure);
                             } catch (const error& caught) {
                               problem = caught;
                             }
                             done(index, std::move(results[index].value), problem ? &*problem : nullptr);
                           }};
  parallel_files(inputs, work, splitting.threads, reading);
}

}  // namespace riffle::inline v0
