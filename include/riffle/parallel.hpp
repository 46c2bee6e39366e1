/// Work on an input by several threads, split where records start, results in order.
#ifndef RIFFLE_PARALLEL_HPP
#define RIFFLE_PARALLEL_HPP

#include <riffle/detail/ordered.hpp>
#include <riffle/export.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

namespace riffle {

/// How an input is split among threads. A split owns every record that starts in it, so it is cut right after
/// a delimiter; one record longer than a split is handed out whole, to one thread.
struct parallel_options {
  /// 0: as many as the machine runs at once. Never more than there are splits.
  unsigned threads = 0;
  /// Bytes in a split, more or less: the last record of a split is completed.
  std::size_t split_size = std::size_t{4} << 20U;
  /// The byte that ends a record; nothing: records are `record_size` bytes each.
  std::optional<char> delimiter = '\n';
  /// Without a delimiter: splits hold whole multiples of it, but for the last. 1: split anywhere.
  std::size_t record_size = 1;
};

namespace detail {

/// Called with each split and its place in the order; with nullptr where no record starts in the split. From
/// several threads at once. `check` throws if the bytes of the split cannot be trusted; it is to be called
/// when they were used, before the result counts.
using split_function =
    std::function<void(std::size_t index, const block* split, const std::function<void()>& check)>;

/// Of a source from which nothing was read yet. All threads read the input that it has opened.
RIFFLE_API void each_split(source from, const split_function& f, const parallel_options& splitting);

/// What a mapping function is given: the block of the split, or just its bytes, as it likes.
template <class Map>
decltype(auto) map_split(Map& map, const block& split) {
  if constexpr (std::is_invocable_v<Map&, std::string_view>) {
    return std::invoke(map, split.bytes);
  } else {
    return std::invoke(map, split);
  }
}

}  // namespace detail

/// As the other `parallel_reduce`, of a source that is open and from which nothing was read yet.
template <class T, class Map, class Combine = std::plus<>>
[[nodiscard]] T parallel_reduce(source&& from, T init, Map map, Combine combine = {},
                                const parallel_options& splitting = {}) {
  detail::ordered<std::optional<T>> results;
  const auto add = [&](std::optional<T>&& result) {
    if (result) init = std::invoke(combine, std::move(init), *std::move(result));
  };
  detail::each_split(
      std::move(from),
      [&](std::size_t index, const block* split, const std::function<void()>& check) {
        std::optional<T> result;
        if (split != nullptr) result.emplace(detail::map_split(map, *split));
        check();
        results.add(index, std::move(result), add);
      },
      splitting);
  return init;
}

/// Maps every split by `map(std::string_view)` or `map(riffle::block)`, on several threads at once, and
/// combines the results from left to right: `combine(combine(init, first), second)`... The answer does not
/// depend on the number of threads where `combine` is associative.
///
/// A split is valid during the call. Throws `riffle::error` on a failure,
/// and what `map` throws; the other threads then stop. Regular files and
/// memory are read by all threads at once, anything else by one at a time.
template <class T, class Map, class Combine = std::plus<>>
[[nodiscard]] T parallel_reduce(const input& from, T init, Map map, Combine combine = {},
                                const parallel_options& splitting = {}, const read_options& reading = {}) {
  return parallel_reduce(source(from, reading), std::move(init), std::move(map), std::move(combine),
                         splitting);
}

/// Calls `f(std::string_view)` or `f(riffle::block)` with every split, on several threads at once, in no
/// order. Outcomes as for `parallel_reduce`.
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

}  // namespace riffle

#endif
