/// Splits a seekable input at the starts of records; its threads share one descriptor.
#include <riffle/methods.hpp>

#include <algorithm>
#include <atomic>
#include <optional>

#include "parallel/common_end.hpp"
#include "parallel/delimiters.hpp"
#include "parallel/split_input.hpp"
#include "parallel/threads.hpp"

namespace riffle::inline v0 {

namespace {

// Bytes read behind the end of a split, in the same block, to complete its last record.
constexpr std::size_t overhang = 16 * 1024;

// Returns how each thread reads: as was decided for the input, by blocks of the size of a split.
resolved for_splits(const detail::source_state& opened, const parallel_options& splitting) {
  // A longer split is gathered from several blocks, so that no memory is taken for bytes that
  // may not be there.
  constexpr std::size_t longest_block = std::size_t{64} << 20U;
  resolved how = opened.how();
  how.options.several_readers = true;
  const bool whole = how.options.whole_file && info_of(how.options.method).maps;
  if (opened.given().block_size == 0 && !whole) {
    how.options.block_size = std::min(splitting.split_size, longest_block) + overhang;
  }
  // A queue would read ahead into the split of another thread.
  if (how.options.queue_depth == 0) how.options.queue_depth = 1;
  return how;
}

// Reads splits of the input for one thread.
class split_reader {
 public:
  split_reader(const detail::source_state& opened, const parallel_options& splitting, common_end& input_end)
      : splitting_(splitting),
        input_end_(input_end),
        reading_(opened.input(), opened.given(), for_splits(opened, splitting)) {
    reading_.open();
  }

  // Returns the records that follow a delimiter in [begin, end), and for the first split also the first
  // record of the input. So a split owns the records that start in it, shifted by one byte: reading starts
  // at `begin`, where a mapping of large pages can start too, and not at the byte before. Without a
  // delimiter it returns the bytes in [begin, end). Returns `std::nullopt` if there are none. `past` is set
  // if the input ends before `begin`.
  std::optional<block> take(std::uint64_t begin, std::uint64_t end, bool first, bool& past) {
    begin_ = begin;
    std::optional<std::uint64_t> met_before;
    while (true) {
      follows_ = input_end_.has_reached(begin);
      reading_.seek(begin);
      met_.reset();
      has_grown_ = false;
      const auto split = records(static_cast<std::size_t>(end - begin), first, past);
      if (!has_grown_) return split;
      if (met_before && *met_before >= *met_)
        throw error(errc::truncated, "read", reading_.input()->name(), met_);
      met_before = met_;
    }
  }

  // Call it after the split was used and before its result counts.
  void check() { reading_.finish_block(); }

 private:
  std::optional<block> records(std::size_t size, bool first, bool& past) {
    block region;
    past = !more(region);
    if (past) return std::nullopt;
    gather(region, size);
    if (!splitting_.delimiter) return block{region.bytes.substr(0, size), begin_};
    std::size_t start = 0;
    if (!first) {
      const auto found = behind_first(region.bytes, *splitting_.delimiter);
      if (!found || *found > size || (*found == region.size() && !more(region))) return std::nullopt;
      start = *found;
    }
    const std::size_t stop = end_of_record(region, size);
    return block{region.bytes.substr(start, stop - start), begin_ + start};
  }

  // Reads what follows the region. Returns false at the end.
  bool more(block& region) {
    if (met_) return false;
    const std::size_t had = region.size();
    region = reading_.next(had, "use fewer threads");
    const std::uint64_t reached = begin_ + region.size();
    if (region.size() == had) {
      met_ = reached;
      const bool knows = follows_ || had != 0;
      has_grown_ = knows ? !input_end_.meet(reached) : input_end_.wait_for(reached);
      return false;
    }
    const std::uint64_t counted = std::max(input_end_.reach(reached), begin_);
    if (counted != reached) met_ = counted;
    region.bytes = region.bytes.substr(0, static_cast<std::size_t>(counted - begin_));
    return region.size() > had;
  }
  void gather(block& region, std::size_t size) {
    while (region.size() < size && more(region)) continue;
  }

  // Returns the position behind the first delimiter at or after `from`; the end of the input
  // if there is none.
  std::size_t end_of_record(block& region, std::size_t from) {
    from = std::min(from, region.size());
    while (true) {
      if (const auto found = behind_first(region.bytes.substr(from), *splitting_.delimiter)) {
        return from + *found;
      }
      from = region.size();
      if (!more(region)) return region.size();
    }
  }

  parallel_options splitting_;
  common_end& input_end_;
  detail::source_state reading_;
  std::uint64_t begin_ = 0;           // of the split
  std::optional<std::uint64_t> met_;  // where the split met the end of the input
  bool follows_ = false;              // the bytes before the split were read when it was
  bool has_grown_ = false;            // the input has since that, so the split is read again
};

}  // namespace

void split_by_positions(const detail::source_state& opened, const detail::split_function& f,
                        const parallel_options& splitting, unsigned threads) {
  const std::uint64_t start = opened.input()->start;
  std::atomic<std::size_t> next = 0;
  common_end input_end(start);
  first_failure failure;
  first_failure no_reader;
  run_on_threads(threads, [&] {
    std::size_t index = 0;
    std::optional<split_reader> own;
    try {
      own.emplace(opened, splitting, input_end);
    } catch (...) {
      return no_reader.note(0);  // no descriptor or memory is left: the other threads do the work
    }
    try {
      split_reader& reader = *own;
      const std::function<void()> check = [&reader] { reader.check(); };
      for (bool past = false; !past && !failure.stop();) {
        index = next++;
        const std::uint64_t begin = start + index * std::uint64_t{splitting.split_size};
        const auto split = reader.take(begin, begin + splitting.split_size, index == 0, past);
        if (past) break;
        hand_out(f, index, split ? &*split : nullptr, check);
      }
    } catch (...) {
      failure.note(index);
      input_end.stop();
    }
  });
  // A thread that asks ahead asks for parts that another one has read and dropped.
  const open_file& input = *opened.input();
  cache_dropper(input, opened.given()).drop(start, input.size);
  if (next == 0) no_reader.rethrow();
  failure.rethrow();
  // A thread that read its split when the others had met the end already met no end itself.
  opened.require_whole();
}

}  // namespace riffle::inline v0
