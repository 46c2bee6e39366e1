/// Offers functions that split an input among threads and combine the results in order.
#pragma once

#include <riffle/detail/ordered.hpp>
#include <riffle/export.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <concepts>
#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace riffle::inline v0 {

/// Says how many threads share an input. Use designated initialisers: `{.threads = 4}`.
///
/// By default `parallel_*`, `*_into` and `line_index` use all threads. A function that returns a whole
/// answer, such as `count_lines`, uses one: the program may have threads of its own, and one thread counts a
/// file of a few MiB before others have started.
struct thread_options {
  /// Threads to use; 0: as many as the process runs at once, by its affinity mask and the CPU quota of
  /// its control group. riffle takes `most_threads` for a larger number, and not
  /// more than there are splits. Each thread takes the memory of one split and 16 KiB, or of
  /// `read_options::block_size`. It takes more for a record that is longer.
  unsigned threads = 0;
  /// Bytes in a split, approximately; 0: the default, 4 MiB. riffle completes the last record of a split. A
  /// single thread reads blocks of the method's size, and hands out each as a split if it is smaller.
  std::uint64_t split_size = std::uint64_t{4} << 20U;
};

/// Says how an input is split among threads, and what its records are. Use designated initialisers.
///
/// A split owns every record that starts in it, so riffle cuts it right after a delimiter. A record that is
/// longer than a split is handed out whole, to one thread.
struct parallel_options {
  /// Threads to use, as `thread_options::threads`.
  unsigned threads = 0;
  /// Bytes in a split, as `thread_options::split_size`.
  std::uint64_t split_size = thread_options().split_size;
  /// The byte that ends a record; `std::nullopt`: each record has `record_size` bytes.
  std::optional<char> delimiter = '\n';
  /// Bytes in a record without a delimiter: each split but the last holds a multiple of it. 1: split
  /// anywhere. Another size beside a delimiter is `errc::invalid_argument`.
  std::size_t record_size = 1;
};

/// The largest number of threads. Each takes memory.
inline constexpr unsigned most_threads = 1024;

/// Returns the number of threads for `thread_options::threads`: for 0, as many as the process runs at once,
/// else at most `most_threads`.
[[nodiscard]] RIFFLE_API unsigned thread_count(unsigned threads = 0) noexcept;

namespace detail {

/// Returns the options for records that end in `delimiter`; `std::nullopt`: splits are cut anywhere.
constexpr parallel_options cut_at(std::optional<char> delimiter, const thread_options& by) noexcept {
  return {.threads = by.threads, .split_size = by.split_size, .delimiter = delimiter};
}

/// Handles each split; `index` is its place in the order. `split` is nullptr if no record starts in it.
/// Several threads call it at once. It calls `check` after it used the bytes and before the result counts:
/// `check` throws if they cannot be trusted.
using split_function =
    std::function<void(std::size_t index, const block* split, const std::function<void()>& check)>;

/// Calls `f` for each split of a source from which nothing was read yet. All threads read the input
/// that the source opened.
RIFFLE_API void each_split(source from, const split_function& f, const parallel_options& splitting);

/// Calls `map` with the bytes of the split if it takes them, else with its block.
template <class Map>
decltype(auto) map_split(Map& map, const block& split) {
  if constexpr (std::is_invocable_v<Map&, std::string_view>) {
    return std::invoke(map, split.bytes);
  } else {
    return std::invoke(map, split);
  }
}

template <class T, class Map, class Combine>
concept combines_into =
    std::same_as<std::remove_cvref_t<std::invoke_result_t<
                     Combine&, T, decltype(map_split(std::declval<Map&>(), std::declval<const block&>()))>>,
                 T>;

}  // namespace detail

/// Maps each split by `map(std::string_view)` or `map(riffle::block)`, and combines the results from left to
/// right into `result`: `result = combine(result, first)`, and so on.
///
/// Several threads call `map` at once; `combine` runs in one thread at a time. `combine` must return a `T`,
/// else the call does not compile. The answer does not depend on the number of threads if `combine` is
/// associative. All threads read a regular file, a block device or memory at once; other inputs are read by
/// one thread at a time.
///
/// Throws `riffle::error` if the input cannot be opened or read, and what `map` or `combine`
/// throws. If it is a `riffle::error`, and bytes of the split were lost, the error says that instead. The
/// other threads then stop; on POSIX also one that waits for a pipe by the method `read` or `uring`. A wait
/// in a `FILE*`, a `std::istream` or an object of yours ends when bytes come. `result` then combines the
/// splits before the one that failed, and of that one the records before the place where reading failed,
/// unless `combine` threw.
///
/// Lifetime: a split stays valid during the call of `map`. Memory: a result waits until those
/// before it are combined.
///
/// The source must be one from which no block was taken.
template <class T, class Map, class Combine = std::plus<>>
void parallel_reduce_into(T& result, source from, Map map, Combine combine = {},
                          const parallel_options& splitting = {}) {
  static_assert(
      detail::combines_into<T, Map, Combine>,
      "the initial value must have the type that combine returns: std::uint64_t{0} instead of 0, for "
      "example, if map returns std::uint64_t");
  using mapped_split =
      std::optional<std::decay_t<decltype(detail::map_split(map, std::declval<const block&>()))>>;
  detail::ordered<mapped_split> results;
  const auto add = [&](mapped_split&& mapped) {
    if (mapped) result = std::invoke(combine, std::move(result), *std::move(mapped));
  };
  const auto take = [&](std::size_t index, const block* split, const std::function<void()>& check) {
    mapped_split mapped;
    if (split != nullptr) mapped.emplace(detail::map_split(map, *split));
    check();
    results.add(index, std::move(mapped), add);
  };
  detail::each_split(std::move(from), std::cref(take), splitting);  // by reference, which takes no memory
}

/// Returns `init`, combined with the result of each split by `parallel_reduce_into`:
/// `parallel_reduce("access.log", std::uint64_t{0}, [](std::string_view split) { ... })`.
///
/// Throws as `parallel_reduce_into` does.
template <class T, class Map, class Combine = std::plus<>>
[[nodiscard]] T parallel_reduce(const input& from, T init, Map map, Combine combine = {},
                                const parallel_options& splitting = {}, const read_options& reading = {}) {
  parallel_reduce_into(init, source(from, reading), std::move(map), std::move(combine), splitting);
  return init;
}

/// Calls `f(std::string_view)` or `f(riffle::block)` with every split, in several threads at once and
/// in no particular order.
///
/// Throws `riffle::error` if the input cannot be opened or read, and what `f` throws; the other threads then
/// stop, as those of `parallel_reduce_into` do. Lifetime: a split stays valid during the call of `f`.
template <class F>
void parallel_for_each(const input& from, F f, const parallel_options& splitting = {},
                       const read_options& reading = {}) {
  detail::each_split(
      source(from, reading),
      [&](std::size_t, const block* split, const std::function<void()>& check) {
        if (split != nullptr) detail::map_split(f, *split);
        check();
      },
      splitting);
}

}  // namespace riffle::inline v0
