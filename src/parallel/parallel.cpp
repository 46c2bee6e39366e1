/// Cuts an input into splits where records start, and runs the threads that take them.
#include <riffle/parallel.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <limits>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <variant>
#include <vector>

namespace riffle {

namespace {

using detail::split_function;

// Read beyond the end of a split, in the same block, to complete its last record.
constexpr std::size_t overhang = 16 * 1024;

// The first failure in the order of the splits; the others stop as soon as there is one.
class first_failure {
 public:
  void note(std::size_t index) noexcept {
    const std::lock_guard lock(mutex_);
    if (index < index_) {
      index_ = index;
      failure_ = std::current_exception();
    }
    stop_ = true;
  }
  bool stop() const noexcept { return stop_; }
  void rethrow() const {
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  std::mutex mutex_;
  std::size_t index_ = std::numeric_limits<std::size_t>::max();
  std::exception_ptr failure_;
  std::atomic<bool> stop_ = false;
};

// One thread's view of an input that has positions: it goes to a split and gathers the records that start
// there.
class split_reader {
 public:
  split_reader(const input& from, const parallel_options& splitting, const read_options& reading)
      : splitting_(splitting), source_(from, with_block(splitting, reading)) {}

  // The records that follow a delimiter in [begin, end), or, of the first split, the start of the input. So a
  // split owns the records that start in it, one byte further on: reading starts at `begin`, where a mapping
  // of large pages can start too, and not at the byte before it. Without a delimiter: the bytes in [begin,
  // end). Nothing where there are none. `past` is set when the input ends before `begin`.
  std::optional<block> take(std::uint64_t begin, std::uint64_t end, bool first, bool& past) {
    source_.seek(begin);
    block region = source_.next();
    past = region.empty();
    if (past) return std::nullopt;
    gather(region, end - begin);
    const std::size_t size = static_cast<std::size_t>(end - begin);
    if (!splitting_.delimiter) return block{region.bytes.substr(0, size), begin};
    std::size_t start = 0;
    if (!first) {
      start = find(region, 0);
      if (start > size || start >= region.size()) return std::nullopt;
    }
    std::size_t searched = size;
    std::size_t stop = find(region, searched);
    while (stop > region.size()) {
      searched = region.size();
      if (!more(region)) break;
      stop = find(region, searched);
    }
    stop = std::min(stop, region.size());
    return block{region.bytes.substr(start, stop - start), begin + start};
  }

  // To be called when the split has been used, before its result counts.
  void check() const { source_.check(); }
  bool seekable() const noexcept { return source_.seekable(); }

 private:
  static read_options with_block(const parallel_options& splitting, read_options reading) {
    // A longer split is gathered from several blocks; memory is not taken for what may not be there.
    constexpr std::size_t longest_block = std::size_t{64} << 20U;
    if (reading.block_size == 0)
      reading.block_size = std::min(splitting.split_size, longest_block) + overhang;
    // What a queue reads ahead of a split is another thread's.
    if (reading.queue_depth == 0) reading.queue_depth = 1;
    return reading;
  }

  bool more(block& region) {
    const std::size_t had = region.size();
    region = source_.next(had);
    return region.size() > had;
  }
  void gather(block& region, std::uint64_t size) {
    while (region.size() < size && more(region)) continue;
  }

  // The place after the first delimiter at or after `from`; beyond the region where there is none.
  std::size_t find(const block& region, std::size_t from) const {
    constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
    if (from >= region.size()) return none;
    const void* found = std::memchr(region.data() + from, *splitting_.delimiter, region.size() - from);
    return found == nullptr ? none
                            : static_cast<std::size_t>(static_cast<const char*>(found) - region.data()) + 1;
  }

  parallel_options splitting_;
  source source_;
};

// An input without positions, read by one thread at a time, which copies a split out of it.
class shared_stream {
 public:
  shared_stream(source from, const parallel_options& splitting)
      : source_(std::move(from)), splitting_(splitting), offset_(source_.start()) {}

  // Fills `split` with whole records; false at the end.
  bool take(std::string& split, std::size_t& index, std::uint64_t& offset) {
    const std::lock_guard lock(mutex_);
    split.swap(rest_);
    rest_.clear();
    std::size_t whole = 0;
    std::size_t searched = 0;
    while (!ended_ && (split.size() < splitting_.split_size || whole == 0)) {
      const block next = source_.next();
      ended_ = next.empty();
      split.append(next.bytes);
      whole = std::max(whole, whole_records(split, searched));
      searched = split.size();
    }
    if (!ended_) {
      rest_.assign(split, whole);
      split.resize(whole);
    }
    index = index_++;
    offset = offset_;
    offset_ += split.size();
    return !split.empty();
  }

 private:
  std::size_t whole_records(const std::string& bytes, std::size_t searched) const {
    if (!splitting_.delimiter) return bytes.size() / splitting_.record_size * splitting_.record_size;
    const std::size_t found = std::string_view(bytes).substr(searched).rfind(*splitting_.delimiter);
    return found == std::string_view::npos ? 0 : searched + found + 1;
  }

  std::mutex mutex_;
  source source_;
  parallel_options splitting_;
  std::string rest_;  // the start of a record whose end was not there yet
  std::size_t index_ = 0;
  std::uint64_t offset_;  // of the next split in the input
  bool ended_ = false;
};

void split_stream(source from, const split_function& f, const parallel_options& splitting, unsigned threads) {
  shared_stream stream(std::move(from), splitting);
  first_failure failure;
  detail::run_on_threads(threads, [&] {
    std::string split;
    std::size_t index = 0;
    std::uint64_t offset = 0;
    try {
      while (!failure.stop() && stream.take(split, index, offset)) {
        const block bytes{split, offset};
        f(index, &bytes);
      }
    } catch (...) {
      failure.note(index);
    }
  });
  failure.rethrow();
}

void split_file(const input& from, const split_function& f, const parallel_options& splitting,
                const read_options& reading, std::uint64_t start, unsigned threads) {
  std::atomic<std::size_t> next = 0;
  first_failure failure;
  detail::run_on_threads(threads, [&] {
    std::size_t index = 0;
    try {
      split_reader reader(from, splitting, reading);
      for (bool past = false; !past && !failure.stop();) {
        index = next++;
        const std::uint64_t begin = start + index * std::uint64_t{splitting.split_size};
        const auto split = reader.take(begin, begin + splitting.split_size, index == 0, past);
        if (past) break;
        f(index, split ? &*split : nullptr);
        reader.check();
      }
    } catch (...) {
      failure.note(index);
    }
  });
  failure.rethrow();
}

// False where no more are to be had: those that run do all the work.
bool start_one_more(std::vector<std::jthread>& threads, const std::function<void()>& work) {
  try {
    threads.emplace_back(work);
    return true;
  } catch (const std::system_error&) {
    return false;
  }
}

}  // namespace

unsigned detail::thread_count(unsigned threads) noexcept {
  return threads != 0 ? threads : std::max(std::thread::hardware_concurrency(), 1U);
}

void detail::run_on_threads(unsigned threads, const std::function<void()>& work) {
  std::vector<std::jthread> others;
  others.reserve(threads - 1);
  while (others.size() + 1 < threads && start_one_more(others, work)) {
  }
  work();
}

void detail::each_split(const input& from, const split_function& f, const parallel_options& options,
                        const read_options& reading) {
  parallel_options splitting = options;
  splitting.record_size = std::max<std::size_t>(splitting.record_size, 1);
  splitting.split_size = std::clamp<std::size_t>(splitting.split_size, 1, std::size_t{1} << 40U);
  if (!splitting.delimiter) {  // up to whole records
    const std::size_t rest = splitting.split_size % splitting.record_size;
    if (rest != 0) splitting.split_size += splitting.record_size - rest;
  }
  unsigned threads = thread_count(splitting.threads);
  source probe(from, reading);
  if (!probe.seekable()) return split_stream(std::move(probe), f, splitting, threads);
  const std::uint64_t splits = probe.size_hint() / splitting.split_size + 1;
  threads = static_cast<unsigned>(std::min<std::uint64_t>(threads, splits));
  // Streams of the C and C++ libraries on one borrowed descriptor would share, and fight over, its one
  // position.
  const bool positions_shared = probe.method() == method::stdio || probe.method() == method::iostream;
  if (positions_shared && std::holds_alternative<int>(from.where())) threads = 1;
  const std::uint64_t start = probe.start();
  split_file(from, f, splitting, reading, start, threads);
}

}  // namespace riffle
