/// Decides how many threads share an open input, and how; starts them, and finds the ends of records for
/// them.
#include "parallel/sharing.hpp"

#include <riffle/detail/place_scan.hpp>
#include <riffle/methods.hpp>
#include <riffle/scan.hpp>

#include <array>
#include <new>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "os/facts.hpp"
#include "os/threads.hpp"

namespace riffle::inline v0 {

namespace {

// Joins its threads at the end, also if an exception is the end. The C++ library of macOS has no
// std::jthread.
class joined_threads {
 public:
  explicit joined_threads(std::size_t most) { threads_.reserve(most); }
  joined_threads(const joined_threads&) = delete;
  joined_threads& operator=(const joined_threads&) = delete;
  ~joined_threads() {
    for (std::thread& thread : threads_) thread.join();
  }

  [[nodiscard]] std::size_t size() const noexcept { return threads_.size(); }
  // Returns false if the system has no more, or no memory for one.
  bool start_one_more(const std::function<void()>& work) {
    try {
      threads_.emplace_back(work);
      return true;
    } catch (const std::system_error&) {
      return false;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

 private:
  std::vector<std::thread> threads_;
};

// Offsets of splits and the sizes of rounded ones cannot overflow.
constexpr std::size_t largest_split = std::size_t{1} << (sizeof(std::size_t) == 8 ? 40U : 30U);  // tuning

// Returns whether several threads can read at positions of their own. A stream of the C or C++ library has
// one position, so each thread needs a descriptor that was opened again.
bool can_be_shared(const detail::source_state& opened) {
  if (!info_of(opened.method()).one_position) return true;
  try {
    static_cast<void>(opened.input()->file.reopen());
    return true;
  } catch (const error&) {
    return false;
  }
}

}  // namespace

unsigned thread_count(unsigned threads) noexcept {
  if (threads == 0) return os::usable_processors();
  return std::min(threads, most_threads);
}

void run_on_threads(unsigned threads, const std::function<void()>& work) {
  const os::uncancelled running;
  joined_threads others(threads - 1);
  while (others.size() + 1 < threads && others.start_one_more(work)) {
  }
  work();
}

void first_failure::note(std::size_t index) noexcept {
  const std::lock_guard lock(mutex_);
  if (!failure_ || index < index_) {
    index_ = index;
    failure_ = std::current_exception();
  }
  stop_ = true;
}

void first_failure::rethrow() const {
  if (failure_) std::rethrow_exception(failure_);
}

using detail::batch_size;
using detail::match_delimiter;

std::optional<std::size_t> behind_first(std::string_view bytes, char delimiter) {
  const std::size_t found = scan::find_byte(bytes, delimiter);
  return found == std::string_view::npos ? std::nullopt : std::optional(found + 1);
}

std::optional<std::size_t> behind_last(std::string_view bytes, char delimiter) {
  const match_delimiter match{delimiter};
  std::array<std::uint16_t, batch_size + detail::place_slack> places;
  while (!bytes.empty()) {
    const std::size_t start = (bytes.size() - 1) / batch_size * batch_size;
    const std::size_t found = match(bytes.substr(start), places.data());
    if (found != 0) return start + places.at(found - 1) + 1;
    bytes = bytes.substr(0, start);
  }
  return std::nullopt;
}

std::size_t whole_records(std::string_view bytes, std::size_t searched, const parallel_options& splitting) {
  if (!splitting.delimiter) return bytes.size() / splitting.record_size * splitting.record_size;
  const auto found = behind_last(bytes.substr(searched), *splitting.delimiter);
  return found ? searched + *found : 0;
}

unsigned threads_for(const source& from, const parallel_options& splitting) {
  const std::uint64_t left = from.size_hint() - std::min(from.size_hint(), from.start());
  const std::uint64_t splits = left / splitting.split_size + 1;
  if ((left == 0 || splits > 1) && !from.seekable()) return thread_count(splitting.threads);
  if (splits == 1) return 1;
  const std::uint64_t threads = std::min<std::uint64_t>(thread_count(splitting.threads), splits);
  return threads == 1 || !can_be_shared(detail::source_state::of(from)) ? 1 : static_cast<unsigned>(threads);
}

parallel_options with_defaults(const source& from, parallel_options splitting) {
  require_record_size({splitting.delimiter, splitting.record_size}, from.name(), std::nullopt);
  if (splitting.split_size == 0) splitting.split_size = thread_options().split_size;
  splitting.split_size = std::min<std::uint64_t>(splitting.split_size, largest_split);
  if (!splitting.delimiter) {  // round up to whole records
    const std::uint64_t rest = splitting.split_size % splitting.record_size;
    if (rest != 0) splitting.split_size += splitting.record_size - rest;
  }
  return splitting;
}

plan for_splits(const detail::source_state& opened, std::uint64_t split_size) {
  // A longer split is gathered from several blocks, so that no memory is taken for bytes that
  // may not be there.
  constexpr std::uint64_t longest_block = std::size_t{64} << 20U;  // tuning
  constexpr std::size_t overhang = 16 * 1024;  // tuning: completes the last record of a split
  return opened.how().for_one_of_several(static_cast<std::size_t>(std::min(split_size, longest_block)) +
                                         overhang);
}

void detail::each_split(source from, const split_function& f, const parallel_options& options) {
  const os::uncancelled running;
  const parallel_options splitting = with_defaults(from, options);
  const unsigned threads = threads_for(from, splitting);
  if (threads == 1) return split_by_one(from, f, splitting);
  if (!from.seekable()) return split_in_turns(std::move(from), f, splitting, threads);
  if (!split_by_positions(source_state::of(from), f, splitting, threads)) split_by_one(from, f, splitting);
}

}  // namespace riffle::inline v0
