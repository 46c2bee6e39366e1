/// Splits a seekable input at the starts of records; its threads share one descriptor.
#include <algorithm>
#include <exception>
#include <memory>
#include <optional>

#include "parallel/common_end.hpp"
#include "parallel/delimiters.hpp"
#include "parallel/share_splits.hpp"
#include "parallel/split_input.hpp"

namespace riffle::inline v0 {

namespace {

// Reads splits of the input for one thread.
class split_reader {
 public:
  split_reader(const detail::source_state& opened, const parallel_options& splitting, common_end& input_end)
      : splitting_(splitting),
        input_end_(input_end),
        reading_(opened.input(), for_splits(opened, splitting.split_size)) {
    reading_.open();
  }

  // Returns the records that follow a delimiter in [begin, end), and for the first split also the first
  // record of the input. So a split owns the records that start in it, shifted by one byte: reading starts
  // at `begin`, where a mapping of large pages can start too, and not at the byte before. Without a
  // delimiter it returns the bytes in [begin, end). Returns `std::nullopt` if there are none. `past` is set
  // if the input ends before `begin`. A failure to read ends the split: see `throw_failure`.
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
  // Throws the failure that ended the split, if there is one: after its result counts.
  void throw_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::optional<block> records(std::size_t size, bool first, bool& past) {
    block region;
    past = !more(region);
    if (past) return std::nullopt;
    gather(region, size);
    if (region.empty()) return std::nullopt;
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
    try {
      region = reading_.next(had, {advice::fewer_threads});
    } catch (const error&) {
      if (had == 0) throw;
      reading_.finish_block();  // the block before may have lost its bytes
      failure_ = std::current_exception();
      region.bytes = reading_.last();
      region.bytes = region.bytes.substr(0, whole_records(region.bytes, 0, splitting_));
      met_ = begin_ + region.size();
      return false;
    }
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

  // Returns the position after the first delimiter at or after `from`; the end of the input
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
  std::exception_ptr failure_;        // of reading
};

}  // namespace

bool split_by_positions(const detail::source_state& opened, const detail::split_function& f,
                        const parallel_options& splitting, unsigned threads) {
  const std::uint64_t start = opened.input()->start;
  common_end input_end(start);
  const auto make_reader = [&] { return std::make_unique<split_reader>(opened, splitting, input_end); };
  const auto take = [&](split_reader& reader, std::size_t index) {
    const std::uint64_t begin = start + index * std::uint64_t{splitting.split_size};
    bool past = false;
    const auto split = reader.take(begin, begin + splitting.split_size, index == 0, past);
    if (past) return false;
    hand_out(f, 2 * index, split ? &*split : nullptr, [&reader] { reader.check(); });
    reader.throw_failure();
    f(2 * index + 1, nullptr, [] {});  // is missing after a failure, so that no split after it counts
    return true;
  };
  return share_splits(opened, threads, make_reader, take, [&] { input_end.stop(); });
}

}  // namespace riffle::inline v0
