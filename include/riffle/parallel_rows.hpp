/// Offers a function that reads the rows of an input in several threads.
#pragma once

#include <riffle/export.hpp>
#include <riffle/parallel.hpp>
#include <riffle/rows.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace riffle::inline v0 {

namespace detail {

/// Makes a result of the rows of a split. Several threads call it at once.
using map_rows = std::function<std::shared_ptr<void>(row_range& split)>;

/// Calls `map` for each split of a range from which no row was taken, and `take` with the results: one after
/// the other, in the order of the splits.
RIFFLE_API void each_row_split(row_range rows, const map_rows& map,
                               const std::function<void(void* result)>& take,
                               const thread_options& splitting);

/// Lets the exception that `map` handles fail the split, as one of a step does: what `map` returns is that of
/// the rows before.
RIFFLE_API void fail_split(row_range& split);

/// Lets messages count `before` rows of the input before those of the range.
RIFFLE_API void number_rows(row_range& rows, std::uint64_t before);

}  // namespace detail

/// Maps the rows of each split of a range by `map(riffle::row_range&)`, and combines the results in the order
/// of the input into `result`: `result = combine(result, first)`, and so on.
///
/// Several threads call `map` at once; `combine` runs in one thread at a time, and must return a `T`. Each
/// row belongs to one split, however long it is. A header is read before the splits: `row_range::column`
/// finds its names in each. `row::number` counts from the first row of the split; offsets are those of the
/// input. A split in which no row starts is not mapped. If `map` leaves rows of its split, riffle reads on to
/// the end of it.
///
/// riffle cannot know whether a split starts inside quotes before it has read those before. It guesses, and
/// maps the split again if the guess was wrong. So `map` may see rows that are none, and must do nothing but
/// return its result. riffle drops what it returned or threw for a wrong guess.
///
/// Throws `riffle::error` as `rows` does, and what `map` or `combine` throws: for the first split in the
/// order of the input that fails. Messages give the number of the row in the input; riffle maps the split
/// once more for that. If a step to the next row fails, `map` sees the end there, and `result` combines the
/// rows before the failure. Only `errc::wrong_field_count` is thrown to `map`, which may go on. If `map`
/// throws, it combines the splits before, which are the same for every number of threads.
///
/// One thread reads inputs that are not seekable: it maps split after split, and guesses nothing. Lifetime:
/// the range and its rows are valid during the call of `map`. Memory: what `rows` takes, for each thread, and
/// the bytes of two splits for a guess. A result waits until those before it are combined: at most two for
/// each thread.
///
/// The range must be one from which no row was taken. Its header may have been read:
/// `const std::size_t price = rows.column("price")` serves all splits.
template <class T, class Map, class Combine = std::plus<>>
void parallel_rows_into(T& result, row_range rows, Map map, Combine combine = {},
                        const thread_options& splitting = {}) {
  using mapped = std::decay_t<std::invoke_result_t<Map&, row_range&>>;
  static_assert(std::same_as<std::remove_cvref_t<std::invoke_result_t<Combine&, T, mapped>>, T>,
                "the initial value must have the type that combine returns");
  detail::each_row_split(
      std::move(rows),
      [&map](row_range& split) -> std::shared_ptr<void> {
        return std::make_shared<mapped>(std::invoke(map, split));
      },
      [&](void* split) {
        result = std::invoke(combine, std::move(result), std::move(*static_cast<mapped*>(split)));
      },
      splitting);
}

/// Returns `init`, combined with the result of each split by `parallel_rows_into`:
/// `parallel_rows("prices.csv", 0.0, [](riffle::row_range& split) { ... })`.
///
/// Throws as `parallel_rows_into` does, and if the input cannot be opened.
template <class T, class Map, class Combine = std::plus<>>
[[nodiscard]] T parallel_rows(const input& from, T init, Map map, Combine combine = {},
                              const dialect& options = csv, const thread_options& splitting = {},
                              const read_options& reading = {}) {
  parallel_rows_into(init, row_range(from, options, reading), std::move(map), std::move(combine), splitting);
  return init;
}

}  // namespace riffle::inline v0
