/// Splits an input from front to back; the carry of its source completes the records.
#include <riffle/error.hpp>

#include <exception>
#include <mutex>
#include <new>
#include <string>
#include <utility>

#include "os/stop_event.hpp"
#include "parallel/delimiters.hpp"
#include "parallel/split_input.hpp"
#include "parallel/threads.hpp"

namespace riffle::inline v0 {

namespace {

class shared_stream {
 public:
  shared_stream(source from, const parallel_options& splitting)
      : source_(std::move(from)), splitting_(splitting), offset_(source_.start()) {
    detail::source_state::of(source_).input()->stop = &stop_;
  }

  // Ends the wait of the thread that reads.
  void stop() const noexcept { stop_.stop(); }

  // Fills `split` with whole records. Returns false at the end. Those before a failure come first.
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
  if (!splitting.delimiter) return splitting.split_size;
  const auto found = behind_first(records.substr(splitting.split_size - 1), *splitting.delimiter);
  return found ? splitting.split_size - 1 + *found : records.size();
}

}  // namespace

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
  first_failure failure;
  run_on_threads(threads, [&] {
    std::string split;
    std::size_t index = 0;
    std::uint64_t offset = 0;
    try {
      while (!failure.stop() && stream.take(split, index, offset)) {
        const block bytes{split, offset};
        f(index, &bytes, [] {});  // copies of the bytes, which cannot be lost
      }
    } catch (...) {
      failure.note(index);
      stream.stop();
    }
  });
  failure.rethrow();
}

}  // namespace riffle::inline v0
