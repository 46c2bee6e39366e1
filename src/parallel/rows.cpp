/// Lets threads read the splits of an input before it is known where the rows of each split start.
///
/// A thread guesses where the first row of its split starts. When the splits before are done, it is known
/// where the last row of theirs ended: there it starts. A split whose guess was wrong is read again. Its rows
/// may have no end, so it is left as soon as that is known, and after two splits. A header is read before.
/// One thread reads the same splits one after the other, and guesses nothing.
#include <riffle/detail/byte_order_mark.hpp>
#include <riffle/error.hpp>
#include <riffle/methods.hpp>
#include <riffle/parallel_rows.hpp>

#include <algorithm>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "os/threads.hpp"
#include "parallel/sharing.hpp"
#include "record/row_scan.hpp"

namespace riffle::inline v0::detail {

namespace {

bool is_of_riffle(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const error&) {
    return true;
  } catch (...) {
    return false;
  }
}

struct mapped_split {
  std::size_t index = 0;
  std::optional<std::uint64_t> start = {};  // of its first row; none if no row seems to start in it
  std::uint64_t end = 0;                    // of its last row
  std::uint64_t rows = 0;
  std::shared_ptr<void> result = {};
  std::exception_ptr failure = {};
};

// The same rows without the block in which the header was read, which may be a window of a mapping.
row_range closed(const row_range& rows) {
  const row_scan& scan = row_scan::of(rows);
  const source_state& opened = *scan.opened;
  return row_scan::like(scan, source_state::source_of(opened.input(), opened.how()));
}

// Maps splits for one thread. A failure to read ends the rows that the map sees.
class split_mapper {
 public:
  split_mapper(row_range rows, const map_rows& map) : rows_(std::move(rows)), map_(map) {
    scan().end_at_failures();
  }

  // Maps the rows after those of the split before that start before `limit`.
  mapped_split map_next(std::uint64_t limit) {
    mapped_split split;
    scan().read_on(limit);
    map_rest(split, [this] { scan().opened->check(); });
    return split;
  }
  // Whether the input ended, after a split.
  bool ended() { return scan().ended(); }
  // The offset after the last row.
  std::uint64_t end() { return scan().end(); }

  // `is_wrong(start, reached)` says so of a guess by which bytes were read up to an offset.
  template <class IsWrong>
  mapped_split map_guessed(std::size_t index, std::uint64_t begin, std::uint64_t limit, IsWrong is_wrong) {
    mapped_split split{.index = index};
    try {
      scan().rows_before = 0;
      if (index == 0) scan().start_split(begin, limit);
      split.start = index == 0 ? begin : scan().guess_split(begin, limit);
    } catch (...) {
      split.failure = std::current_exception();
    }
    if (!split.start) return split;
    scan().give_up_if([&](std::uint64_t reached) { return is_wrong(*split.start, reached); });
    map_rest_and_leave(split);
    if (scan().gave_up()) split.start.reset();
    return split;
  }

  mapped_split map_from(std::uint64_t start, std::uint64_t limit, std::uint64_t rows_before) {
    mapped_split split{.start = start};
    if (scan().opened->failed()) {
      rows_ = closed(rows_);
      scan().end_at_failures();
    }
    scan().rows_before = rows_before;
    scan().start_split(start, limit);
    map_rest_and_leave(split);
    return split;
  }

 private:
  row_scan& scan() { return row_scan::of(rows_); }

  // Maps the rows of the split that the scan has gone to. `check` throws if their bytes cannot be trusted.
  template <class Check>
  void map_rest(mapped_split& split, Check check) {
    try {
      if (scan().has_next()) split.result = map_(rows_);
      scan().pass_rest();
      split.end = scan().end();
      split.rows = scan().number();
      check();
      split.failure = scan().failure();
    } catch (...) {
      split.failure = std::current_exception();
      split.result.reset();
      note_lost_bytes(split);
    }
  }
  void map_rest_and_leave(mapped_split& split) {
    map_rest(split, [this] { scan().opened->finish_block(); });
  }

  // An error may come of bytes that were lost.
  void note_lost_bytes(mapped_split& split) {
    try {
      scan().opened->check();
    } catch (...) {
      split.failure = std::current_exception();
    }
  }

  row_range rows_;
  const map_rows& map_;
};

// Takes the splits in their order, and knows where the rows of the next one start.
class row_splits {
 public:
  row_splits(std::uint64_t begin, std::uint64_t end, std::uint64_t first_row, std::uint64_t size,
             const std::function<void(void*)>& take)
      : begin_(begin),
        first_row_(first_row),
        size_(size),
        // With fewer splits than there would be, the last one is longer.
        count_(static_cast<std::size_t>(
            std::min<std::uint64_t>((end - begin) / size + 1, std::numeric_limits<std::size_t>::max()))),
        take_(take),
        next_start_(first_row) {}

  std::size_t count() const { return count_; }
  // A split has the rows after the delimiters in it: so reading starts where a mapping of large pages can
  // start too, and not at the byte before.
  std::uint64_t begin(std::size_t index) const {
    return index == 0 ? first_row_ : begin_ + index * size_ + 1;
  }
  // The last split goes on to the end of the input, which may have grown.
  std::uint64_t limit(std::size_t index) const {
    return index + 1 == count_ ? std::numeric_limits<std::uint64_t>::max() : begin(index + 1);
  }

  void take(mapped_split split, split_mapper& mapper) {
    const std::uint64_t limit_of_split = limit(split.index);
    if (next_start_ >= limit_of_split) return;  // a row of a split before reaches over it
    const bool needs_numbers = split.failure && rows_before_ != 0 && is_of_riffle(split.failure);
    if (split.start != next_start_ || needs_numbers) {
      split = mapper.map_from(next_start_, limit_of_split, rows_before_);
    }
    if (split.result) take_(split.result.get());
    if (split.failure) std::rethrow_exception(split.failure);
    next_start_ = split.end;
    rows_before_ += split.rows;
  }

  // Returns whether a split, read up to `reached`, does not start at `start`, or may not and takes the memory
  // of two splits.
  bool is_wrong(std::size_t index, std::uint64_t start, std::uint64_t reached) const {
    const std::uint64_t known = next_start_;
    return known < begin(index) ? reached - start > 2 * size_ : known != start;
  }

 private:
  std::uint64_t begin_;
  std::uint64_t first_row_;
  std::uint64_t size_;
  std::size_t count_;
  const std::function<void(void*)>& take_;
  std::atomic<std::uint64_t> next_start_;
  std::uint64_t rows_before_ = 0;
};

void map_in_order(split_mapper mapper, std::uint64_t begin, std::uint64_t size,
                  const std::function<void(void*)>& take) {
  do {
    const std::uint64_t before = std::max<std::uint64_t>(mapper.end() - begin, 1);
    const mapped_split split = mapper.map_next(begin + ((before - 1) / size + 1) * size + 1);
    if (split.result) take(split.result.get());
    if (split.failure) std::rethrow_exception(split.failure);
  } while (!mapper.ended());
}

// A window is faulted in as a whole, so it ends a little after the split: there its last row ends, most
// likely.
plan for_split(const source_state& opened, std::uint64_t split_size) {
  return info_of(opened.method()).maps ? for_splits(opened, split_size) : opened.how().for_one_of_several(0);
}

}  // namespace

void fail_split(row_range& split) {
  row_scan::of(split).end_at(std::current_exception());
}

void number_rows(row_range& rows, std::uint64_t before) {
  row_scan::of(rows).rows_before = before;
}

void each_row_split(row_range rows, const map_rows& map, const std::function<void(void*)>& take,
                    const thread_options& splitting) {
  const os::uncancelled running;
  const std::uint64_t first_row = row_scan::behind_header(rows);
  const source& from = rows.from();
  parallel_options sharing = with_defaults(from, cut_at(std::nullopt, splitting));
  // The first split has a byte of the first row, also behind a byte order mark.
  sharing.split_size = std::max<std::uint64_t>(sharing.split_size, byte_order_mark.size() + 1);
  const unsigned threads = from.seekable() ? threads_for(from, sharing) : 1;
  if (threads == 1) return map_in_order({std::move(rows), map}, from.start(), sharing.split_size, take);

  rows = closed(rows);
  const row_scan& all = row_scan::of(rows);
  const source_state& opened = *all.opened;
  const open_file& input = *opened.input();
  row_splits splits(input.start, input.size(), first_row, sharing.split_size, take);
  ordered<mapped_split> results;
  const auto make_mapper = [&] {
    return std::make_unique<split_mapper>(
        row_scan::like(all, source_state::source_of(opened.input(), for_split(opened, sharing.split_size))),
        map);
  };
  const std::size_t most_waiting = std::size_t{2} * threads;
  const auto map_split = [&](split_mapper& mapper, std::size_t index) {
    if (index >= splits.count() || !results.wait_for(index - std::min(index, most_waiting))) return false;
    mapped_split split = mapper.map_guessed(
        index, splits.begin(index), splits.limit(index),
        [&](std::uint64_t start, std::uint64_t reached) { return splits.is_wrong(index, start, reached); });
    results.add(index, std::move(split), [&](mapped_split&& due) { splits.take(std::move(due), mapper); });
    return true;
  };
  if (share_splits(opened, threads, make_mapper, map_split, [&results] { results.stop(); })) return;
  row_scan::of(rows).start_split(first_row, first_row);
  map_in_order({std::move(rows), map}, input.start, sharing.split_size, take);
}

}  // namespace riffle::inline v0::detail
