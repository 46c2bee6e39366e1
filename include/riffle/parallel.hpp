/// Work on an input by several threads, split where records start, results in order.
#ifndef RIFFLE_PARALLEL_HPP
#define RIFFLE_PARALLEL_HPP

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

/// How an input is split among threads. A split owns every record that starts in it, so it is cut right after
/// a delimiter; one record longer than a split is handed out whole, to one thread.
struct parallel_options {
  /// 0: as many as the machine runs at once. Never more than 1024, nor than there are splits. Each thread
  /// takes the memory of one block: of a split and 16 KiB by default, or `read_options::block_size`.
  unsigned threads = 0;
  /// Bytes in a split, more or less: the last record of a split is completed. One thread alone reads by
  /// blocks of the method, each of which is a split if it is smaller.
  std::size_t split_size = std::size_t{4} << 20U;
  /// The byte that ends a record; nothing: records are `record_size` bytes each.
  std::optional<char> delimiter = '\n';
  /// Without a delimiter: splits hold whole multiples of it, except the last. 1: split anywhere.
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

template <class T, class Map, class Combine>
concept combines_into =
    std::same_as<std::remove_cvref_t<std::invoke_result_t<
                     Combine&, T, decltype(map_split(std::declval<Map&>(), std::declval<const block&>()))>>,
                 T>;

/// As the public form, of a source that is open and from which nothing was read yet.
template <class T, class Map, class Combine = std::plus<>>
void parallel_reduce_into(T& result, source&& from, Map map, Combine combine,
                          const parallel_options& splitting) {
  static_assert(
      combines_into<T, Map, Combine>,
      "the initial value must have the type that combine returns: std::uint64_t{0} instead of 0, for "
      "example, if map returns std::uint64_t");
  ordered<std::optional<std::decay_t<decltype(map_split(map, std::declval<const block&>()))>>> results;
  const auto add = [&](auto&& mapped) {
    if (mapped) result = std::invoke(combine, std::move(result), *std::move(mapped));
  };
  each_split(
      std::move(from),
      [&](std::size_t index, const block* split, const std::function<void()>& check) {
        std::optional<std::decay_t<decltype(map_split(map, std::declval<const block&>()))>> mapped;
        if (split != nullptr) mapped.emplace(map_split(map, *split));
        check();
        results.add(index, std::move(mapped), add);
      },
      splitting);
}

}  // namespace detail

/// Maps every split by `map(std::string_view)` or `map(riffle::block)`, on several threads at once, and
/// combines the results from left to right into `result`: `result = combine(result, first)`, and so on.
/// `combine` returns a `T`; a type that would narrow it does not compile. The answer does not depend on the
/// number of threads if `combine` is associative.
///
/// Lifetime: a split is valid during the call of `map`. Regular files and memory are read by all threads at
/// once, anything else by one at a time.
///
/// Throws `riffle::error` on a failure, and what `map` or `combine` throws; the other threads then stop.
/// `result` then holds the splits before the one that failed.
template <class T, class Map, class Combine = std::plus<>>
void parallel_reduce_into(T& result, const input& from, Map map, Combine combine = {},
                          const parallel_options& splitting = {}, const read_options& reading = {}) {
  detail::parallel_reduce_into(result, source(from, reading), std::move(map), std::move(combine), splitting);
}

/// Returns what `parallel_reduce_into` makes of `init`:
/// `parallel_reduce("access.log", std::uint64_t{0}, [](std::string_view part) { ... })`.
template <class T, class Map, class Combine = std::plus<>>
[[nodiscard]] T parallel_reduce(const input& from, T init, Map map, Combine combine = {},
                                const parallel_options& splitting = {}, const read_options& reading = {}) {
  parallel_reduce_into(init, from, std::move(map), std::move(combine), splitting, reading);
  return init;
}

/// Calls `f(std::string_view)` or `f(riffle::block)` with every split, on several threads at once, in no
/// order. Throws as `parallel_reduce_into` does.
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

#endif
