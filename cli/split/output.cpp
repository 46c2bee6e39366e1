/// Names the files of a split, and writes them: a file is open from its first byte on, and threads copy
/// parts.
#include "cli/split/split.hpp"

#include <riffle/error.hpp>
#include <riffle/input.hpp>
#include <riffle/parallel.hpp>
#include <riffle/scan.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <system_error>
#include <utility>

#include "cli/os/system.hpp"
#include "cli/output.hpp"
#include "text/shown.hpp"
#include "text/typed.hpp"

namespace riffle::cli {

namespace {

constexpr std::size_t shortest = 2;

std::uint64_t base_of(bool numeric) {
  return numeric ? 10 : 26;
}

// Returns the last digits of a number, and what is left of it.
std::string digits_of(std::uint64_t& number, std::size_t length, bool numeric) {
  std::string digits(length, '\0');
  for (std::size_t i = length; i-- != 0; number /= base_of(numeric)) {
    digits[i] = static_cast<char>((numeric ? '0' : 'a') + static_cast<char>(number % base_of(numeric)));
  }
  return digits;
}

// Smaller pieces are joined.
constexpr std::size_t joined = 64 * text::kib;

// Larger files are written as their bytes are read: several would not stay in the page cache until they are
// copied.
constexpr std::uint64_t largest_copied = 256 * text::mib;

// Whether the user left it to riffle how the bytes are read.
bool may_be_copied(const source& from, const read_options& reading) {
  const read_options usual;
  return from.kind() == input_kind::regular_file && from.seekable() && reading.method == method::automatic &&
         reading.block_size == 0 && reading.keep_cache && reading.max_size == usual.max_size;
}

}  // namespace

std::string suffix_of(std::uint64_t index, std::size_t length, bool numeric) {
  if (length != 0) {
    std::string digits = digits_of(index, length, numeric);
    return index == 0 ? digits : std::string();
  }
  // The last letter as the first one says that the suffix is two longer.
  const std::uint64_t base = base_of(numeric);
  std::string longer;
  std::uint64_t here = (base - 1) * base;  // suffixes of this length
  for (; index >= here; here *= base) {
    index -= here;
    longer += numeric ? '9' : 'z';
  }
  return longer + digits_of(index, shortest + longer.size(), numeric);
}

std::size_t suffix_length_for(std::uint64_t files, bool numeric) noexcept {
  std::size_t length = 1;
  for (std::uint64_t last = (files - 1) / base_of(numeric); last != 0; last /= base_of(numeric)) ++length;
  return std::max(length, shortest);
}

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

split_output::split_output(const split_arguments& given, const source& from, unsigned threads)
    : given_(given), from_(from), offset_(from.start()) {
  if (threads == 1 || given.dry_run || !may_be_copied(from, given.options)) return;
  copies_.emplace(from, header_, thread_count(threads));
  if (!copies_->can_copy()) copies_.reset();
}

void split_output::set_header(std::string_view bytes) {
  header_ = bytes;
  offset_ += bytes.size();
}

void split_output::add(std::string_view bytes, std::uint64_t rows) {
  if (bytes.empty()) return;
  size_ += bytes.size();
  if (given_.dry_run) {
    lines_ += rows != 0 || given_.by_rows() ? rows : scan::count_byte(bytes, given_.delimiter);
    last_ = bytes.back();
    return;
  }
  if (!file_) {
    if (copies_ && size_ <= largest_copied) return;
    open();
    if (copies_) copy_start(size_ - bytes.size());
  }
  if (held_.size() + bytes.size() > joined) flush();
  if (bytes.size() > joined) return write_to_file(bytes);
  held_ += bytes;
}

void split_output::end_file() {
  if (given_.dry_run) {
    list();
  } else if (copies_ && !file_) {
    from_.check();
    copies_->add({name(), offset_, size_});
  } else {
    if (!file_) open();
    flush();
    from_.check();  // bytes that were lost are zeros
    file_->finish();
    file_.reset();
  }
  ++files_;
  offset_ += std::exchange(size_, 0);
  lines_ = 0;
}

std::string split_output::name() const {
  const std::string suffix = suffix_of(files_, given_.suffix_length, given_.numeric);
  if (suffix.empty()) {
    throw error(errc::invalid_argument, "split", from_.name(), offset_,
                fmt::format("the {} suffixes of length {} are used up; set a larger --suffix-length", files_,
                            given_.suffix_length));
  }
  return given_.prefix + suffix + given_.suffix;
}

void split_output::finish() {
  if (copies_) copies_->finish();
}

void split_output::copy_start(std::uint64_t size) {
  flush();
  file_->copy(from_.descriptor(), from_.name(), offset_, size);
}

void split_output::open() {
  file_.emplace(detail::path_of(name()), from_.descriptor());
  held_ = header_;
}

void split_output::flush() {
  if (!held_.empty()) write_to_file(held_);
  held_.clear();
}

void split_output::write_to_file(std::string_view bytes) try { file_->write(bytes); } catch (const error&) {
  from_.check();  // a page that the input lost while it was mapped makes write(2) fail
  throw;
}

void split_output::list() const {
  const bool unfinished = !given_.by_rows() && size_ != 0 && last_ != given_.delimiter;
  const std::uint64_t lines = lines_ + (unfinished ? 1 : 0);
  if (given_.json) {
    write(json_row::of_file(name())
              .add("offset", offset_)
              .add("bytes", size_)
              .add(given_.by_rows() ? "rows" : "lines", lines)
              .line());
  } else {
    write(fmt::format("{}\t{}\t{}\t{}\n", offset_, size_, lines, text::printable(name())));
  }
}

}  // namespace riffle::cli
