/// Cuts an input without positions; the carry of its source completes the records.
#include <mutex>
#include <string>
#include <utility>

#include "parallel/delimiters.hpp"
#include "parallel/splits.hpp"
#include "parallel/threads.hpp"

namespace riffle {

namespace {

class shared_stream {
 public:
  shared_stream(source from, const parallel_options& splitting)
      : source_(std::move(from)), splitting_(splitting), offset_(source_.start()) {}

  // Fills `split` with whole records; false at the end.
  bool take(std::string& split, std::size_t& index, std::uint64_t& offset) {
    const std::lock_guard lock(mutex_);
    split.clear();
    while (!ended_ && split.size() < splitting_.split_size) {
      const block region = source_.next(kept_);
      ended_ = region.size() == kept_;
      const std::size_t whole = ended_ ? region.size() : whole_records(region.bytes);
      split.append(region.bytes, 0, whole);
      kept_ = region.size() - whole;
    }
    index = index_++;
    offset = offset_;
    offset_ += split.size();
    return !split.empty();
  }

 private:
  // The size of those in a region that starts with `kept_` bytes of a record.
  std::size_t whole_records(std::string_view region) const {
    if (!splitting_.delimiter) return region.size() / splitting_.record_size * splitting_.record_size;
    const auto found = behind_last(region.substr(kept_), *splitting_.delimiter);
    return found ? kept_ + *found : 0;
  }

  std::mutex mutex_;
  source source_;
  parallel_options splitting_;
  std::size_t kept_ = 0;  // the start of a record at the end of the block, whose end was not there yet
  std::size_t index_ = 0;
  std::uint64_t offset_;  // of the next split in the input
  bool ended_ = false;
};

}  // namespace

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
        f(index, &bytes, [] {});  // copies of what was read, never mapped
      }
    } catch (...) {
      failure.note(index);
    }
  });
  failure.rethrow();
}

}  // namespace riffle
