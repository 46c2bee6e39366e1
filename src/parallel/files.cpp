/// Reads many inputs side by side by several threads, and gives the results that one thread would give.
#include <riffle/detail/ordered.hpp>
#include <riffle/parallel_files.hpp>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "os/facts.hpp"
#include "os/threads.hpp"
#include "parallel/files_ahead.hpp"
#include "parallel/sharing.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

namespace {

// All threads share a larger file. A smaller one does not keep the thread that takes it last busy for long.
constexpr std::uint64_t largest_side_by_side = std::uint64_t{32} << 20U;  // tuning

// Hands out the indices below a count, in short runs.
class index_queue {
 public:
  index_queue(std::size_t count, unsigned threads) : count_(count), threads_(threads) {}

  // Sets `begin` and `end`; returns false if no files are left. A call takes up to 64 files while many are
  // left, so that threads seldom contend and the next files are known, and one at a time at the end, so that
  // threads end together.
  bool take(std::size_t& begin, std::size_t& end) {
    constexpr std::size_t most = 64;  // tuning
    begin = next_;
    do {
      if (begin == count_) return false;
      const std::size_t left = count_ - begin;
      end = begin +
            (threads_ == 1 ? left : std::clamp<std::size_t>(left / (std::size_t{4} * threads_), 1, most));
    } while (!next_.compare_exchange_weak(begin, end));
    return true;
  }

 private:
  std::size_t count_;
  std::size_t threads_;
  std::atomic<std::size_t> next_ = 0;
};

// Returns whether to open an input only after all before it are finished: what is open already may
// be one of those.
bool opens_in_turn(const input& from) noexcept {
  return !std::holds_alternative<path_string>(from.where());
}

// Returns whether all threads share an input, after all inputs before it are finished: a large file, and an
// input that may be a pipe. One thread reads any other input.
bool is_shared(const source& opened, const input& from) {
  if (opens_in_turn(from)) return true;
  const std::uint64_t size =
      detail::source_state::of(opened).input()->size();  // of the file, also if it is decoded
  // One thread may read an input that has a size, so no system call finds out whether it is read at
  // positions.
  return size == 0 ? !opened.seekable() : size > largest_side_by_side;
}

// Returns the descriptors among the inputs that cannot be read, by their indices, and why. It is called
// before any file is opened, because a file that is opened may get the number of a closed descriptor.
std::map<std::size_t, std::exception_ptr> unreadable_descriptors(std::span<const input> files) {
  std::map<std::size_t, std::exception_ptr> found;
  for (std::size_t index = 0; index != files.size(); ++index) {
    if (!std::holds_alternative<int>(files[index].where())) continue;
    try {
      static_cast<void>(open_input(files[index]));
    } catch (const error&) {
      found[index] = std::current_exception();
    }
  }
  return found;
}

// Returns that many threads, or fewer if they might run out of descriptors. A thread holds one for the input,
// one with a position of its own, and one of a ring. If each has its own, none waits for what another one
// holds.
unsigned with_descriptors(unsigned threads) {
  constexpr std::size_t most_of_one = 3;
  if (threads == 1) return 1;
  return static_cast<unsigned>(std::clamp<std::size_t>(os::free_descriptors() / most_of_one, 1, threads));
}

// The only input needs no order, and all threads may share it.
void read_alone(const input& from, const file_work& work, unsigned threads, const read_options& reading) {
  std::exception_ptr failure;
  try {
    work.read(0, source(from, reading), thread_count(threads));
  } catch (...) {
    failure = std::current_exception();
  }
  work.finish(0, failure);
}

// One call of `parallel_files`.
class file_run {
 public:
  file_run(std::span<const input> files, unsigned threads, const read_options& reading, const file_work& work,
           bool own_descriptors)
      : files_(files),
        threads_(with_descriptors(thread_count(threads))),
        reading_(reading),
        work_(work),
        own_descriptors_(own_descriptors),
        unreadable_(unreadable_descriptors(files)) {}

  void run() {
    workers_ = static_cast<unsigned>(std::clamp<std::size_t>(files_.size(), 1, threads_));
    index_queue indices(files_.size(), workers_);
    const bool separate = own_descriptors_ && std::none_of(files_.begin(), files_.end(), opens_in_turn);
    run_on_threads(workers_, [&, caller = std::this_thread::get_id()] {
      if (separate && std::this_thread::get_id() != caller) os::separate_descriptors();
      take_files(indices);
    });
    failure_.rethrow();
  }

 private:
  struct outcome {
    std::size_t index;
    std::exception_ptr failure;
  };

  // Hands the outcomes on by the handful, as threads that do it for each file wait for each other.
  void take_files(index_queue& indices) {
    const std::size_t handful = workers_ == 1 ? 1 : 16;  // tuning
    std::size_t index = 0;
    std::size_t end = 0;
    try {
      files_ahead ahead(files_, reading_, workers_);
      std::vector<outcome> done;
      while (indices.take(index, end)) {
        ahead.expect(index, end);
        for (; index != end; ++index) {
          done.push_back({index, read(index, ahead, done)});
          if (done.size() == handful && !hand_on(done)) return;
        }
        if (!hand_on(done)) return;
      }
    } catch (...) {
      failure_.note(index);
      outcomes_.stop();
    }
  }

  // Returns false if the run stops.
  bool hand_on(std::vector<outcome>& done) {
    if (workers_ == 1) {
      finish(done);
      done.clear();
    }
    if (done.empty()) return true;
    const std::size_t first = done.front().index;
    const std::size_t count = done.size();
    return outcomes_.add(
        first, std::exchange(done, {}), [this](const std::vector<outcome>& files) { finish(files); }, count);
  }

  void finish(const std::vector<outcome>& files) const {
    for (const outcome& file : files) work_.finish(file.index, file.failure);
  }

  // Reads one input; returns what opening or reading it threw, or null.
  std::exception_ptr read(std::size_t index, files_ahead& ahead, std::vector<outcome>& done) {
    const input& from = files_[index];
    if (const auto found = unreadable_.find(index); found != unreadable_.end()) return found->second;
    if (opens_in_turn(from) && !wait_for(index, done)) return nullptr;
    std::optional<source> opened;
    try {
      const std::shared_ptr<open_file> file = ahead.take(index);
      opened = detail::source_state::source_of(file, decide(*file, reading_of(*file)));
    } catch (...) {
      return std::current_exception();
    }
    const bool shared = is_shared(*opened, from);
    if (shared && !wait_for(index, done)) return nullptr;
    try {
      work_.read(index, *std::move(opened), shared ? threads_ : 1);
    } catch (...) {
      return std::current_exception();
    }
    return nullptr;
  }

  // A small file that is compressed is decoded by the thread that reads it.
  read_options reading_of(const open_file& file) const {
    read_options reading = reading_;
    if (workers_ != 1 && file.size() <= largest_side_by_side) reading.decode_threads = 1;
    return reading;
  }

  // Waits until all inputs before are finished. Returns false if the run stops.
  bool wait_for(std::size_t index, std::vector<outcome>& done) {
    if (!hand_on(done) || (workers_ != 1 && !outcomes_.wait_for(index))) return false;
    if (index != 0) work_.catch_up();
    return true;
  }

  std::span<const input> files_;
  unsigned threads_;
  unsigned workers_ = 1;
  const read_options& reading_;
  const file_work& work_;
  bool own_descriptors_;
  std::map<std::size_t, std::exception_ptr> unreadable_;
  detail::ordered<std::vector<outcome>> outcomes_;
  first_failure failure_;
};

}  // namespace

void detail::each_file(std::span<const input> files, const file_work& work, unsigned threads,
                       const read_options& reading, bool own_descriptors) {
  const os::uncancelled running;
  if (files.size() == 1) return read_alone(files.front(), work, threads, reading);
  file_run(files, threads, reading, work, own_descriptors).run();
}

}  // namespace riffle::inline v0
