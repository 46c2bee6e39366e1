/// Offers a function that reads the rows of an input in several threads, also with quotes.
#ifndef RIFFLE_PARALLEL_ROWS_HPP
#define RIFFLE_PARALLEL_ROWS_HPP

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

/// Makes a result of the rows of a part. Several threads call it at once.
using map_rows = std::function<std::shared_ptr<void>(row_range& part)>;

/// Calls `map` for each part of an input, and `take` with the results: one after the other, in the order of
/// the parts.
RIFFLE_API void each_row_part(const input& from, const map_rows& map,
                              const std::function<void(void* result)>& take, const row_options& rows,
                              const parallel_options& splitting, const read_options& reading);

}  // namespace detail

/// Maps the rows of each part of an input by `map(riffle::row_range&)`, and combines the results in the order
/// of the input: `init = combine(init, first)`, and so on.
///
/// Several threads call `map` at once; `combine` runs in one thread at a time, and must return a `T`. Each
/// row belongs to the part that it starts in, however long it is. `row::number` counts from the first row of
/// the part; offsets are those of the input. A part in which no row starts is not mapped. If `map` leaves
/// rows of its part, riffle reads on to the end of it.
///
/// riffle cannot know whether a part starts inside quotes before it has read those before. It guesses, and
/// maps the part again if the guess was wrong. So `map` may see rows that are none, and must do nothing but
/// return its result. riffle drops what it returned or threw for a wrong guess.
///
/// Throws `riffle::error` as `rows` does, and what `map` or `combine` throws: for the first part in the order
/// of the input that fails. Messages give the number of the row in the input; riffle maps the part once more
/// for that.
///
/// `splitting` gives the threads and the size of a part. With one thread, and for inputs that are not
/// seekable, `map` gets all rows in one call. Lifetime: the range and its rows are valid during the call of
/// `map`. Memory: what `rows` takes, for each thread; a result waits until those before it are combined.
template <class T, class Map, class Combine = std::plus<>>
[[nodiscard]] T parallel_rows(const input& from, T init, Map map, Combine combine = {},
                              const row_options& options = {}, const parallel_options& splitting = {},
                              const read_options& reading = {}) {
  using mapped = std::decay_t<std::invoke_result_t<Map&, row_range&>>;
  static_assert(std::same_as<std::remove_cvref_t<std::invoke_result_t<Combine&, T, mapped>>, T>,
                "the initial value must have the type that combine returns");
  detail::each_row_part(
      from,
      [&map](row_range& part) -> std::shared_ptr<void> {
        return std::make_shared<mapped>(std::invoke(map, part));
      },
      [&](void* result) {
        init = std::invoke(combine, std::move(init), std::move(*static_cast<mapped*>(result)));
      },
      options, splitting, reading);
  return init;
}

}  // namespace riffle::inline v0

#endif
