/// The method `read`: read(2) and pread(2) into one buffer, and the functions of an object of the user's.
#include <riffle/error.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "method/active_method.hpp"
#include "method/read_ahead.hpp"
#include "os/facts.hpp"
#include "os/mapping.hpp"
#include "os/threads.hpp"

namespace riffle::inline v0 {

namespace {

class object_in_order final : public active_method {
 public:
  object_in_order(const open_file& input, const method_options& options)
      : input_(input), buffer_(options.block_size) {}

  std::span<char> next() override {
    const std::span<char> space = buffer_.space();
    const std::size_t count = input_.object->read(input_.object->object, space);
    require_room(input_, offset_, count, space.size());
    offset_ += count;
    return space.first(count);
  }
  void seek(std::uint64_t /*offset*/) override {}

 private:
  const open_file& input_;
  std::uint64_t offset_ = 0;
  buffer buffer_;
};

// The bytes of one block, which a thread asks for.
struct request {
  explicit request(std::size_t most) : memory(most) {}

  enum class state : std::uint8_t { waits, runs, done };

  buffer memory;
  std::uint64_t offset = 0;
  std::size_t size = 0;
  std::size_t count = 0;  // of `size` that are there
  state is = state::waits;
  std::exception_ptr failure = {};
};

// The requests in flight, in the order of their offsets, and the threads that serve them.
class request_queue {
 public:
  explicit request_queue(const open_file& input) : input_(input) {}
  ~request_queue() {
    const os::uncancelled joining;
    drop();
    {
      const std::lock_guard lock(mutex_);
      stopped_ = true;
      begun_.notify_all();
    }
    for (std::thread& each : threads_) each.join();
  }

  std::size_t threads() const noexcept { return threads_.size(); }
  // Starts one more thread. Throws std::system_error if the system has none.
  void add_thread() {
    const os::without_signals inherited;
    threads_.emplace_back([this] { serve(); });
  }

  request* front() const noexcept { return queued_.empty() ? nullptr : queued_.front(); }
  void push(request& fresh) {
    const std::lock_guard lock(mutex_);
    queued_.push_back(&fresh);
    begun_.notify_one();
  }
  void pop() {
    const std::lock_guard lock(mutex_);
    queued_.pop_front();
  }

  // Waits for the front, or asks for it if no thread does. An exception of the object passes; the next call
  // asks for the rest.
  void finish_front() {
    std::unique_lock lock(mutex_);
    request& first = *queued_.front();
    if (first.is == request::state::waits) {
      run(first, lock);
    } else {
      ended_.wait(lock, [&] { return first.is == request::state::done; });
    }
    if (first.failure == nullptr) return;
    first.is = request::state::waits;
    std::rethrow_exception(std::exchange(first.failure, {}));
  }

  // Drops all requests, after those that threads have begun.
  void drop() noexcept {
    const os::uncancelled dropping;
    std::unique_lock lock(mutex_);
    std::erase_if(queued_, [](const request* each) { return each->is != request::state::runs; });
    ended_.wait(lock, [this] {
      return std::ranges::all_of(queued_,
                                 [](const request* each) { return each->is == request::state::done; });
    });
    queued_.clear();
  }

 private:
  // What the thread that reads throws is not caught: it may be the end of the thread.
  void run(request& of, std::unique_lock<std::mutex>& lock) {
    of.is = request::state::runs;
    lock.unlock();
    try {
      input_.read_at(of.memory.space().first(of.size), of.offset, of.count);
    } catch (...) {
      lock.lock();
      of.is = request::state::waits;
      throw;
    }
    lock.lock();
    of.is = request::state::done;
  }

  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      request* next = nullptr;
      begun_.wait(lock, [&] {
        const auto found = std::ranges::find(queued_, request::state::waits, &request::is);
        next = found == queued_.end() ? nullptr : *found;
        return stopped_ || next != nullptr;
      });
      if (stopped_) return;
      try {
        run(*next, lock);
      } catch (...) {
        next->failure = std::current_exception();
        next->is = request::state::done;
      }
      ended_.notify_one();
    }
  }

  const open_file& input_;
  std::mutex mutex_;
  std::condition_variable begun_;
  std::condition_variable ended_;
  std::deque<request*> queued_;
  bool stopped_ = false;
  std::vector<std::thread> threads_;
};

class object_at_offsets final : public active_method {
 public:
  object_at_offsets(const open_file& input, const method_options& options)
      : input_(input),
        block_size_(static_cast<std::size_t>(std::clamp<std::uint64_t>(input.size(), 1, options.block_size))),
        most_(static_cast<std::size_t>(std::min<std::uint64_t>(
            options.queue_depth != 0 ? options.queue_depth : waiting::deepest(block_size_),
            input.size() / block_size_ + 1))),
        queue_(std::make_unique<request_queue>(input)) {
    add(options.queue_depth == 0 ? 1 : most_);
  }
  // The child of a fork has no threads to be joined.
  ~object_at_offsets() override {
    if (lacks_threads()) static_cast<void>(queue_.release());
  }

  std::span<char> next() override {
    require_threads();
    if (lent_ != nullptr) idle_.push_back(std::exchange(lent_, nullptr));
    while (!idle_.empty() && next_offset_ < input_.limit) begin(*idle_.back());
    request* const first = queue_->front();
    if (first == nullptr) return {};
    const std::uint64_t waits = os::waits_of_thread();
    const auto start = waiting::clock::now();
    queue_->finish_front();
    if (requests_.size() < most_ && waiting::is_late(start, first->size) && os::waits_of_thread() != waits) {
      deepen(waiting::clock::now() - start);
    }
    queue_->pop();
    lent_ = first;
    if (first->count < first->size) restart_at(input_.limit);  // it ended early: nothing follows
    return first->memory.space().first(first->count);
  }

  void seek(std::uint64_t offset) override {
    require_threads();
    restart_at(offset);
  }

 private:
  bool lacks_threads() const noexcept { return threads_of_ && *threads_of_ != os::process(); }

  void require_threads() const {
    if (!lacks_threads()) return;
    throw error(std::make_error_code(std::errc::operation_not_permitted), "read", input_.name(), {},
                "another process opened it and has the threads that read; open it again");
  }

  void restart_at(std::uint64_t offset) {
    queue_->drop();
    idle_.clear();
    for (request& each : requests_) {
      if (&each != lent_) idle_.push_back(&each);
    }
    next_offset_ = offset;
  }

  void begin(request& fresh) {
    idle_.pop_back();
    fresh.offset = next_offset_;
    fresh.size = static_cast<std::size_t>(std::min<std::uint64_t>(block_size_, input_.limit - next_offset_));
    fresh.count = 0;
    fresh.is = request::state::waits;
    fresh.failure = {};
    next_offset_ += fresh.size;
    queue_->push(fresh);
  }

  void deepen(waiting::clock::duration waited) {
    const std::uint64_t share = waiting::share_of_memory() / block_size_;
    const std::size_t depth = waiting::answered_in(waited, block_size_, most_);
    try {
      add(static_cast<std::size_t>(std::min<std::uint64_t>(depth, share)));
    } catch (const std::bad_alloc&) {
      most_ = requests_.size();
    }
  }

  // Each request but one has a thread, as far as the system has them: the thread that reads asks too.
  void add(std::size_t depth) {
    idle_.reserve(depth);
    while (requests_.size() < depth) idle_.push_back(&requests_.emplace_back(block_size_));
    try {
      for (; queue_->threads() + 1 < depth; threads_of_ = os::process()) queue_->add_thread();
    } catch (const std::system_error&) {
      most_ = requests_.size();
    }
  }

  const open_file& input_;
  std::size_t block_size_;
  std::size_t most_;  // requests
  std::deque<request> requests_;
  std::vector<request*> idle_;
  request* lent_ = nullptr;  // whose bytes the caller holds
  std::uint64_t next_offset_ = 0;
  std::optional<std::uint64_t> threads_of_;  // the process that has them
  std::unique_ptr<request_queue> queue_;     // after what its threads use
};

class read_method final : public active_method {
 public:
  read_method(const open_file& input, const method_options& options)
      : input_(input),
        keep_cache_(options.keep_cache),
        several_readers_(options.several_readers),
        offset_(input.start),
        origin_(input.start),
        buffer_(options.block_size),
        ahead_(input) {
    advise(input, options);
    if (!input.seekable()) input.file.widen_pipe();
  }

  std::span<char> next() override {
    const std::span<char> space = buffer_.space();
    const bool stands = stands_there();
    const std::size_t again = ends_here() ? 1 : 0;
    std::size_t count = 0;
    try {
      ahead_.before(offset_, space.size());
      count = stands
                  ? input_.file.read(space, offset_)
                  : input_.file.read_at(space, offset_ - again, !keep_cache_ && in_whole_pages(space.size()));
      ahead_.after(offset_, space.size());
    } catch (const error& failure) {
      if (failure.code() == std::errc::invalid_seek && input_.known == open_file::positions::assumed) {
        input_.known = open_file::positions::none;
        return next();
      }
      if (again != 0 && failure.code() == std::errc::invalid_argument) {
        rereads_ = false;
        return next();
      }
      throw error(failure.code(), failure.operation(), failure.path(), offset_);
    }
    met_end_behind_data_ = again != 0 && count == again;
    if (count < again) {
      throw error(errc::truncated, "read", input_.name(), std::min(offset_, input_.file.status().size));
    }
    count -= again;
    if (offset_ + count < std::min(offset_ + space.size(), input_.size())) rereads_ = false;
    offset_ += count;
    if (stands) position_ = offset_;
    return space.subspan(again, count);
  }

  bool met_end_behind_data() const noexcept override { return met_end_behind_data_; }
  void seek(std::uint64_t offset) override { offset_ = origin_ = offset; }

 private:
  // /proc, whose files report no size, serves read(2) better than pread(2). For other files the position is
  // of no use: it is shared with the children of a fork, which may read on.
  bool stands_there() const {
    return !input_.seekable() || (input_.file.owned() && !several_readers_ && keep_cache_ &&
                                  input_.size() == 0 && position_ == offset_);
  }

  // Where a file ends by its size, the last byte is read once more, in the call that looks for more bytes: if
  // it is gone, the file was cut, and what was copied of it meanwhile may be zeros. If a read was short
  // before, one that gives no more than this byte may be short too. If the cache was not to keep the byte,
  // it would be read from the device again. A descriptor that the user opened with O_DIRECT refuses this
  // offset.
  bool ends_here() const {
    return offset_ == input_.size() && offset_ != origin_ && keep_cache_ && rereads_ &&
           input_.kind() == input_kind::regular_file;
  }

  // A page that is read in parts would be given up, and read from the device again, between the parts.
  bool in_whole_pages(std::size_t size) const {
    return size % os::page_size() == 0 && offset_ % os::page_size() == 0;
  }

  const open_file& input_;
  bool keep_cache_;
  bool several_readers_;
  std::uint64_t offset_;
  std::uint64_t origin_;  // where reading began: at the start, or after the last seek
  bool rereads_ = true;   // the last byte: no read was short without a reason in the size, or refused
  bool met_end_behind_data_ = false;
  std::uint64_t position_ = 0;  // of the descriptor, if it is ours
  buffer buffer_;
  read_ahead ahead_;
};

}  // namespace

std::unique_ptr<active_method> open_object(const open_file& input, const method_options& options) {
  if (input.object->read_at == nullptr) return std::make_unique<object_in_order>(input, options);
  return std::make_unique<object_at_offsets>(input, options);
}

std::unique_ptr<active_method> open_read(const open_file& input, const method_options& options) {
  if (input.object) return open_object(input, options);
  return std::make_unique<read_method>(input, options);
}

}  // namespace riffle::inline v0
