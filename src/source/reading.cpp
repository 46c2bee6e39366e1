/// Reads an open input by a method, and joins records that were cut.
#include "source/reading.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "method/block_size.hpp"
#include "os/mapping.hpp"
#include "source/open.hpp"
#include "source/splits.hpp"

namespace riffle::inline v0::detail {

namespace {

// The bytes to drop at a time, because a call for each block would take longer than reading a small one.
// Linux drops only folios that lie in the range as a whole: they have up to 2 MiB, and start at a multiple of
// their size.
constexpr std::uint64_t drop_step = std::uint64_t{2} << 20U;

// No file reaches further: an offset that is behind it, and a block from there on, can still be expressed.
constexpr std::uint64_t furthest = std::uint64_t{1} << 62U;

// What to do if memory is refused to a block.
constexpr std::string_view smaller_blocks = "use a smaller block_size";

std::uint64_t page_before(std::uint64_t offset) {
  return offset / os::page_size() * os::page_size();
}

std::uint64_t page_after(std::uint64_t offset) {
  return os::round_up(offset, os::page_size());
}

}  // namespace

reading::reading(const riffle::input& from, const read_options& asked)
    : reading(std::make_shared<open_file>(open_input(from, asked)), asked) {}

reading::reading(std::shared_ptr<open_file> input, const read_options& asked)
    : input_(std::move(input)),
      asked_(asked),
      how_(resolve(*input_, asked)),
      offset_(input_->start),
      origin_(offset_),
      dropped_(page_before(offset_)) {
  if (method() == riffle::method::automatic) return;
  try {
    if (method() != riffle::method::read && input_->assumed && !seekable()) {
      read_in_order();
    } else {
      open();
    }
  } catch (const os::refused& refusal) {
    fall_back(refusal);
  }
}

// Drops what was read last too. The mapping must be unmapped first, because mapped pages stay in the cache. A
// thread that asks ahead asks for parts that another one has read and dropped, so the last one drops all.
reading::~reading() {
  method_.reset();
  if (input_->shared && input_.use_count() == 1) drop(page_before(input_->start), page_after(input_->size));
  drop(left_, left_end_);
  if (offset_ > origin_) drop(dropped_, page_after(offset_));
}

// Remembers the failure of `act`: what would come next is not what follows the bytes handed out. Exceptions
// of the caller's functions pass, such as Python's KeyboardInterrupt: the loop may go on behind them. The
// remedy is for memory that is refused.
template <class Action>
auto reading::failing_for_good(std::string_view remedy, Action act) {
  try {
    return act();
  } catch (const error& failure) {
    failed_ = true;
    failure_ = failure;
    throw;
  } catch (const std::bad_alloc&) {
    failed_ = true;  // for good, even if there is no memory for the words either
    failure_ =
        error(std::make_error_code(std::errc::not_enough_memory), "read", input_->name(), offset_, remedy);
    throw error(*failure_);
  }
}

block reading::next(std::size_t keep, std::string_view remedy) {
  throw_if_failed();
  if (keep > last_.size()) {
    throw error(errc::invalid_argument, "read", input_->name(), offset_,
                "keep is larger than the block before");
  }
  if (asked_.before_block) asked_.before_block();
  return failing_for_good(keep == 0 ? smaller_blocks : remedy, [&] {
    return input_->kind == input_kind::memory ? next_of_memory(keep) : next_of_method(keep);
  });
}

// The same again: bytes may be missing between what was handed out and what would come next.
void reading::throw_if_failed() const {
  if (failure_) throw error(*failure_);
  if (failed_) throw std::bad_alloc();
}

void reading::check() {
  if (last_.empty()) return;  // as after a seek: what was handed out before it was checked then
  failing_for_good(smaller_blocks, [this] {
    if (method_) method_->check(checked_);
    if (input_->mapped) check_mapped();
  });
}

void reading::finish_block() {
  check();
  finished_ = true;
}

// Bytes that are kept are used again, by a copy at the latest.
void reading::check_unless_finished(std::size_t keep) {
  if (!std::exchange(finished_, false) || keep != 0) check();
}

// Where zeros began cannot be told; see os::window. The bytes before what was handed out last were checked.
void reading::check_mapped() const {
  try {
    input_->mapped->check(input_->mapped->file);
  } catch (const error& failure) {
    throw error(failure.code(), failure.operation(), failure.path(), checked_);
  }
}

// Asks the system only if someone wants to know, because a small file is read in five calls.
bool reading::seekable() noexcept {
  if (input_->assumed) input_->assumed = !input_->file.seekable();
  return input_->seekable && !input_->assumed;
}

void reading::seek(std::uint64_t offset) {
  if (!seekable()) {
    throw error(std::make_error_code(std::errc::invalid_seek), "seek in", input_->name(), offset);
  }
  throw_if_failed();
  check_unless_finished(0);
  if (offset_ > origin_) {
    left_ = dropped_;
    left_end_ = page_after(offset_);
  }
  dropped_ = page_before(offset);
  ended_ = offset > furthest;
  if (method_ && !ended_) method_->seek(offset);
  offset_ = origin_ = checked_ = offset;
  faulted_in_ = 0;
  last_ = {};
}

void reading::open() {
  try {
    method_ = open_by_name(*input_, how_.options);
  } catch (const std::bad_alloc&) {
    throw error(std::make_error_code(std::errc::not_enough_memory), "read", input_->name(), std::nullopt,
                "use blocks smaller than " + std::to_string(how_.options.block_size) + " bytes");
  }
}

// If riffle chose `mmap` or `direct` and it is refused (no addresses left, the file system cannot), `read`
// continues at the same offset. It uses its own block size, because there may be no memory for a block of the
// size of a window.
void reading::fall_back(const error& refusal) {
  if (!how_.automatic) throw;
  read_options plain = asked_;
  plain.block_size = 0;
  how_ = resolve_again(
      plain, riffle::method::read,
      "the OS refused " + std::string(name_of(method())) + " (" + refusal.code().message() + ")");
  method_.reset();
  open();
  if (offset_ != input_->start) method_->seek(offset_);
}

// A file has a size but no positions, as FUSE allows. `read` learns it from its first read, and other methods
// ask before.
void reading::read_in_order() {
  input_->become_stream();
  how_ = resolve(*input_, asked_);
  method_.reset();
  open();
}

// Hands out memory at once, unless there is a function to call before each block. A mapped file comes in
// parts, each checked after its use, of windows that one call faults in. Smaller windows need more calls.
// From larger ones of a file larger than memory, the OS kernel may evict pages before they are used.
block reading::next_of_memory(std::size_t keep) {
  constexpr std::size_t window = std::size_t{8} << 20U;
  const std::size_t size = input_->memory.size();
  const auto from = static_cast<std::size_t>(std::min<std::uint64_t>(offset_, size));
  const bool in_parts = input_->mapped || asked_.before_block;
  const std::size_t end = in_parts ? from + std::min(size - from, checked_part) : size;
  const std::uint64_t start = offset_ - keep;  // behind the end too, if the caller went there
  if (input_->mapped) {
    check_unless_finished(keep);
    checked_ = from - keep;
    if (end > faulted_in_) {
      faulted_in_ = from + std::min(size - from, window);
      input_->mapped->populate(input_->mapped->file, from, faulted_in_ - from);
    }
  }
  count_progress(end - from);
  offset_ = std::max<std::uint64_t>(offset_, end);
  last_ = input_->memory.substr(from - keep, end - (from - keep));
  return {last_, start};
}

block reading::next_of_method(std::size_t keep) {
  const std::string_view kept = last_.substr(last_.size() - keep);
  const char* const following = ended_ ? nullptr : method_->following();
  const bool in_place = following != nullptr && following == last_.data() + last_.size();
  if (!in_place) carry_.save(kept);
  check_unless_finished(keep);  // now, as a page may be lost while it is copied
  const std::uint64_t start = checked_ = offset_ - keep;
  const std::span<char> fresh = ended_ ? std::span<char>() : fetch();
  if (!in_place && !fresh.empty()) give_back();  // at the end, the last window is still mapped
  offset_ += fresh.size();
  count_progress(fresh.size());
  if (fresh.empty() && !ended_) end();
  last_ = in_place ? std::string_view(kept.data(), keep + fresh.size()) : carry_.join(fresh, method_->room());
  return {last_, start};
}

void reading::count_progress(std::size_t bytes) const noexcept {
  if (asked_.progress != nullptr) asked_.progress->fetch_add(bytes, std::memory_order_relaxed);
}

std::span<char> reading::fetch() {
  if (offset_ >= input_->limit) return {};
  const std::span<char> fresh = fetch_block();
  return fresh.first(
      static_cast<std::size_t>(std::min<std::uint64_t>(fresh.size(), input_->limit - offset_)));
}

std::span<char> reading::fetch_block() {
  try {
    return method_->next();
  } catch (const os::refused& refusal) {
    fall_back(refusal);
  } catch (const error& failure) {
    if (!input_->assumed || failure.code() != std::errc::invalid_seek) throw;
    read_in_order();
  }
  return fetch_block();
}

// Drops from the page cache what was handed out before the current block: whole folios, many at a time. It
// runs after that block was fetched, because the pages of a mapping stay in the cache.
void reading::give_back() noexcept {
  drop(left_, left_end_);
  left_ = left_end_ = 0;
  const std::uint64_t done = offset_ / drop_step * drop_step;
  if (done <= dropped_) return;
  drop(dropped_, done);
  dropped_ = done;
}

void reading::drop(std::uint64_t begin, std::uint64_t end) noexcept {
  if (begin < end && !how_.options.keep_cache) input_->file.drop_cache(begin, end - begin);
}

// Handles the end of the input. If a regular file is now shorter than before, that is an error. So it is if
// it was shorter and has grown again, which a byte at the end or a change shows; the byte may be gone once
// more. Files of /sys are shorter than they say. If the file was cut while its last block was copied, the
// block may hold zeros: then its last byte is gone.
void reading::end() {
  ended_ = true;
  if (input_->part) require_unchanged(input_->file, input_->part->split);
  const bool borrowed = !input_->file.owned();
  if (input_->kind == input_kind::block_device && borrowed) leave_at_end(input_->size);
  if (input_->kind != input_kind::regular_file) return;
  const bool early = offset_ < input_->size;
  const bool unsure = input_->size != 0 && offset_ > origin_ && !method_->met_end_behind_data();
  if (!early && !unsure && !borrowed) return;
  const os::file_status now = input_->file.status();
  if (early && (now.size < input_->size || now.modified != input_->modified || input_->file.holds(offset_))) {
    throw error(errc::truncated, "read", input_->name(), offset_);
  }
  if (unsure && now.size < offset_ && !input_->file.holds(offset_ - 1)) {
    throw error(errc::truncated, "read", input_->name(), now.size);
  }
  if (borrowed) leave_at_end(now.size);
}

void reading::require_whole() const {
  if (input_->kind != input_kind::regular_file || input_->size == 0) return;
  const std::uint64_t size = input_->file.status().size;
  if (size < input_->size) throw error(errc::truncated, "read", input_->name(), size);
}

// Sets the position of a borrowed descriptor to the end of the bytes that were read. After a seek
// behind the end, that is the reported size. A descriptor that stood behind the end stays there.
void reading::leave_at_end(std::uint64_t size) const {
  input_->file.set_position(offset_ > origin_ ? offset_ : std::max(std::min(offset_, size), input_->start));
}

std::optional<std::uint64_t> regular_size(source& opened) {
  const open_file& file = *reading::within(opened).input();
  return file.kind == input_kind::regular_file ? std::optional(file.size) : std::nullopt;
}

}  // namespace riffle::inline v0::detail
