/// Many files, read by several threads; the results come in the order of the files.
#ifndef RIFFLE_PARALLEL_FILES_HPP
#define RIFFLE_PARALLEL_FILES_HPP

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
#include <ranges>
#include <span>
#include <utility>
#include <vector>

namespace riffle::inline v0 {

namespace detail {

/// What is done with each of many inputs.
struct file_work {
  /// Reads the input to its end by so many threads. Called for several inputs at once.
  std::function<void(std::size_t index, source opened, unsigned threads)> read;
  /// Called in the order of the inputs, never two at a time, with what opening or `read` threw.
  std::function<void(std::size_t index, const std::exception_ptr& failure)> finish;
  /// Called if all inputs before are finished and one is next that may take long: nothing is to be held back.
  std::function<void()> catch_up = [] {};
};

/// Does the work on all inputs, each opened once. An input that is not to be read beside others (standard
/// input, a pipe, a device, a large file) is read after all before it are finished. Throws what `finish` and
/// `catch_up` throw.
RIFFLE_API void each_file(std::span<const input> files, unsigned threads, const read_options& reading,
                          const file_work& work);

}  // namespace detail

/// Reduces each of many inputs as `parallel_reduce` does, and calls `done(index, result, failure)` for each,
/// in their order, never two at a time. `result` is the `T&&` that `combine` made of `init` and the splits of
/// that input. `failure` is null, or a pointer to the `riffle::error` of an input that could not be opened or
/// read to its end; `result` then holds the splits before the failure, and the other inputs are still read.
///
/// `files` is any range of what converts to `riffle::input`: paths, strings, inputs. Small files are read
/// side by side, one thread each; a large one is shared by all threads. Each is opened once, and no more are
/// open at once than there are threads.
///
/// Throws what `map`, `combine` and `done` throw; the other threads then stop.
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
  const detail::file_work work{.read =
                                   [&](std::size_t index, source opened, unsigned threads) {
                                     parallel_options options = splitting;
                                     options.threads = threads;
                                     detail::parallel_reduce_into(results[index].value, std::move(opened),
                                                                  std::ref(map), std::ref(combine), options);
                                   },
                               .finish =
                                   [&](std::size_t index, const std::exception_ptr& failure) {
                                     const error* told = nullptr;
                                     try {
                                       if (failure) std::rethrow_exception(failure);
                                     } catch (const error& caught) {
                                       done(index, std::move(results[index].value), told = &caught);
                                     }
                                     if (told == nullptr) done(index, std::move(results[index].value), told);
                                   }};
  detail::each_file(inputs, splitting.threads, reading, work);
}

}  // namespace riffle::inline v0

#endif
