/// Few parts wait, so that their bytes are still in the page cache.
#include "cli/split/copies.hpp"

#include <riffle/input.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

#include "cli/os/new_file.hpp"

namespace riffle::cli {

file_copies::file_copies(const source& from, const std::string& header, unsigned threads)
    : from_(from), header_(header) {
  try {
    while (threads_.size() != std::min(threads, os::most_new_files)) threads_.emplace_back([this] { run(); });
  } catch (const std::system_error&) {
    return;  // it does with those that there are
  }
}

file_copies::~file_copies() {
  join();
}

void file_copies::add(part next) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return failure_ || waiting_.size() < threads_.size(); });
  if (failure_) std::rethrow_exception(failure_);
  waiting_.push_back(std::move(next));
  changed_.notify_all();
}

void file_copies::finish() {
  join();
  if (failure_) std::rethrow_exception(failure_);
}

void file_copies::join() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  changed_.notify_all();
  for (std::thread& each : threads_) each.join();
  threads_.clear();
}

void file_copies::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return failure_ || ended_ || !waiting_.empty(); });
    if (failure_ || waiting_.empty()) return;
    const part mine = std::move(waiting_.front());
    waiting_.pop_front();
    changed_.notify_all();
    lock.unlock();
    std::exception_ptr failure;
    try {
      os::new_file made(detail::path_of(mine.name), from_.descriptor());
      made.write(header_);
      made.copy(from_.descriptor(), from_.name(), mine.offset, mine.size);
      made.finish();
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (!failure || (failure_ && failed_at_ < mine.offset)) continue;
    failure_ = failure;
    failed_at_ = mine.offset;
    changed_.notify_all();
  }
}

}  // namespace riffle::cli
