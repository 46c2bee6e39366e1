/// Work on an input by several threads, split where records start, results in order.
#ifndef RIFFLE_PARALLEL_HPP
#define RIFFLE_PARALLEL_HPP

#include <riffle/export.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
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
/// several threads at once.
using split_function = std::function<void(std::size_t index, const block* split)>;

RIFFLE_API void each_split(const input& from, const split_function& f, const parallel_options& splitting,
                           const read_options& reading);

/// The number of threads that is meant by one given: by 0, as many as the machine runs at once.
RIFFLE_API unsigned thread_count(unsigned threads) noexcept;

/// Runs `work` on so many threads, the calling one among them; on fewer where the system has no more. `work`
/// must not throw.
RIFFLE_API void run_on_threads(unsigned threads, const std::function<void()>& work);

/// Combines results in the order of the splits, as soon as all before them are there.
template <class T, class Combine>
class ordered_sum {
 public:
  ordered_sum(T init, Combine combine) : total_(std::move(init)), combine_(std::move(combine)) {}

  void add(std::size_t index, std::optional<T> result) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(index, std::move(result));
    for (auto it = waiting_.begin(); it != waiting_.end() && it->first == next_;
         it = waiting_.erase(it), ++next_) {
      if (it->second) total_ = combine_(std::move(total_), std::move(*it->second));
    }
  }
  T total() && { return std::move(total_); }

 private:
  std::mutex mutex_;
  T total_;
  Combine combine_;
  std::size_t next_ = 0;  // the split whose result is due
  std::map<std::size_t, std::optional<T>> waiting_;
};

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

/// Maps every split by `map(std::string_view)` or `map(riffle::block)`, on several threads at once, and
/// combines the results from left to right: `combine(combine(init, first), second)`... The answer does not
/// depend on the number of threads where `combine` is associative.
///
/// A split is valid during the call. Throws `riffle::error` on a failure, and what `map` throws; the other
/// threads then stop. Regular files and memory are read by all threads at once, anything else by one at a
/// time.
template <class T, class Map, class Combine = std::plus<>>
[[nodiscard]] T parallel_reduce(const input& from, T init, Map map, Combine combine = {},
                                const parallel_options& splitting = {}, const read_options& reading = {}) {
  detail::ordered_sum<T, Combine> sum(std::move(init), std::move(combine));
  detail::each_split(
      from,
      [&](std::size_t index, const block* split) {
        sum.add(index, split != nullptr ? std::optional<T>(detail::map_split(map, *split)) : std::nullopt);
      },
      splitting, reading);
  return std::move(sum).total();
}

/// Calls `f(std::string_view)` or `f(riffle::block)` with every split, on several threads at once, in no
/// order. Outcomes as for `parallel_reduce`.
template <class F>
void parallel_for_each(const input& from, F f, const parallel_options& splitting = {},
                       const read_options& reading = {}) {
  detail::each_split(
      from,
      [&](std::size_t, const block* split) {
        if (split != nullptr) detail::map_split(f, *split);
      },
      splitting, reading);
}

}  // namespace riffle

#endif
