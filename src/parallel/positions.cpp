/// Splits a seekable input at the starts of records by threads that share one descriptor, and any input from
/// front to back.
#include <riffle/error.hpp>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "os/threads.hpp"
#include "parallel/sharing.hpp"

namespace riffle::inline v0 {

namespace {

// Reads splits of the input for one thread.
class split_reader {
 public:
  split_reader(const detail::source_state& opened, const parallel_options& splitting, common_end& input_end)
      : splitting_(splitting),
        input_end_(input_end),
        reading_(opened.input(), for_splits(opened, splitting.split_size)) {}

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

class shared_stream {
 public:
  shared_stream(source from, const parallel_options& splitting)
      : source_(std::move(from)), splitting_(splitting), offset_(source_.start()) {
    opened().input()->stop = &stop_;
  }

  const detail::source_state& opened() const { return detail::source_state::of(source_); }
  // Ends the wait of the thread that reads.
  void stop() const noexcept { stop_.stop(); }

  // Fills `split` with whole records. Returns false at the end. The records before a failure come first.
  bool take(std::string& split, std::size_t& index, std::uint64_t& offset) {
    const std::lock_guard lock(mutex_);
    split.clear();
    if (failed_) return false;
    index = index_++;  // also of a split that cannot be read
    failed_ = true;    // unless all goes well: the next split would begin after bytes that are lost
    try {
      gather(split);
    } catch (...) {
      if (split.empty()) throw;
      failure_ = std::current_exception();
    }
    offset = offset_;
    offset_ += split.size();
    failed_ = false;
    return !split.empty();
  }

 private:
  void gather(std::string& split) {
    if (failure_) std::rethrow_exception(failure_);
    while (!ended_ && split.size() < splitting_.split_size) {
      const block region = source_.next(kept_);
      ended_ = region.size() == kept_;
      const std::size_t whole = ended_ ? region.size() : whole_records(region.bytes, kept_, splitting_);
      append(split, region.bytes.substr(0, whole));
      kept_ = region.size() - whole;
    }
  }

  void append(std::string& split, std::string_view records) const {
    try {
      if (records.size() > split.max_size() - split.size()) throw std::bad_alloc();
      split.append(records);
    } catch (const std::bad_alloc&) {
      throw error(std::make_error_code(std::errc::not_enough_memory), "read", source_.name(), offset_, {},
                  {advice::fewer_threads});
    }
  }

  std::mutex mutex_;
  os::stop_event stop_;
  source source_;
  parallel_options splitting_;
  std::size_t kept_ = 0;  // bytes of a record at the end of the block, whose end is still missing
  std::size_t index_ = 0;
  std::uint64_t offset_;  // of the next split in the input
  bool ended_ = false;
  bool failed_ = false;
  std::exception_ptr failure_;  // after the split handed out last
};

// Returns the size of the split at the start of `records`, which are whole.
std::size_t size_of_split(std::string_view records, const parallel_options& splitting) {
  if (records.size() <= splitting.split_size) return records.size();
  const std::size_t size = static_cast<std::size_t>(splitting.split_size);
  if (!splitting.delimiter) return size;
  const auto found = behind_first(records.substr(size - 1), *splitting.delimiter);
  return found ? size - 1 + *found : records.size();
}

}  // namespace

bool split_by_positions(const detail::source_state& opened, const detail::split_function& f,
                        const parallel_options& splitting, unsigned threads) {
  const std::uint64_t start = opened.input()->start;
  common_end input_end(start);
  const auto make_reader = [&] { return std::make_unique<split_reader>(opened, splitting, input_end); };
  const auto take = [&](split_reader& reader, std::size_t index) {
    const std::uint64_t begin = start + index * splitting.split_size;
    bool past = false;
    const auto split = reader.take(begin, begin + splitting.split_size, index == 0, past);
    if (past) return false;
    hand_out(f, 2 * index, split ? &*split : nullptr, [&reader] { reader.check(); });
    reader.throw_failure();
    f(2 * index + 1, nullptr, [] {});  // a failed split never hands out this index, so no later split counts
    return true;
  };
  return share_splits(opened, threads, make_reader, take, [&] { input_end.stop(); });
}

void split_by_one(source& from, const detail::split_function& f, const parallel_options& splitting) {
  std::size_t kept = 0;
  std::size_t index = 0;
  const std::function<void()> check = [&from] { detail::source_state::of(from).finish_block(); };
  for (bool ended = false; !ended;) {
    const block region = from.next(kept);
    ended = region.size() == kept;
    const std::size_t whole = ended ? region.size() : whole_records(region.bytes, kept, splitting);
    kept = region.size() - whole;
    for (std::size_t place = 0; place != whole;) {
      const std::size_t size = size_of_split(region.bytes.substr(place, whole - place), splitting);
      const block split{region.bytes.substr(place, size), region.offset + place};
      hand_out(f, index++, &split, check);
      place += size;
    }
  }
}

void split_in_turns(source from, const detail::split_function& f, const parallel_options& splitting,
                    unsigned threads) {
  shared_stream stream(std::move(from), splitting);
  const auto make_buffer = [] { return std::optional(std::string()); };
  const auto take = [&](std::string& split, std::size_t& index) {
    std::uint64_t offset = 0;
    if (!stream.take(split, index, offset)) return false;
    const block bytes{split, offset};
    f(index, &bytes, [] {});  // copies of the bytes, which cannot be lost
    return true;
  };
  static_cast<void>(share_splits(stream.opened(), threads, make_buffer, take, [&] { stream.stop(); }));
}

}  // namespace riffle::inline v0
