/// Falls back where the OS refuses a method, and holds the end of a file against its size.
#include "source/source_state.hpp"

#include <algorithm>
#include <new>
#include <utility>

namespace riffle::inline v0 {

input_reader::input_reader(std::shared_ptr<open_file> input, plan how)
    : input_(std::move(input)), how_(std::move(how)), offset_(input_->start), origin_(offset_) {
  if (!how_.given.keep_cache) dropper_.emplace(*input_);
  if (std::exchange(how_.at_once, false)) open();
}

// The mapping must be unmapped first, because mapped pages stay in the cache.
input_reader::~input_reader() {
  method_.reset();
  if (dropper_) dropper_->finish(offset_);
}

std::span<char> input_reader::next() {
  const bool in_place = following() != nullptr;
  std::span<char> fresh = offset_ < input_->limit ? fetch() : std::span<char>();
  fresh =
      fresh.first(static_cast<std::size_t>(std::min<std::uint64_t>(fresh.size(), input_->limit - offset_)));
  if (fresh.empty()) {
    end();
  } else if (dropper_ && !in_place) {  // at the end, the last window is still mapped
    dropper_->used(offset_);
  }
  offset_ += fresh.size();
  return fresh;
}

void input_reader::seek(std::uint64_t offset) {
  if (dropper_) dropper_->leave(offset_, offset);
  if (method_) method_->seek(offset);
  offset_ = origin_ = offset;
}

void input_reader::open() {
  if (method_) return;
  try {
    open_method();
  } catch (const os::refused& refusal) {
    fall_back(refusal);
  }
}

void input_reader::open_method() {
  try {
    method_ = open_by_name(*input_, how_.options);
  } catch (const std::bad_alloc&) {
    throw error(std::make_error_code(std::errc::not_enough_memory), "read", input_->name(), std::nullopt,
                "a block has " + std::to_string(how_.options.block_size) + " bytes",
                {advice::smaller_block_size});
  }
  if (offset_ != input_->start) method_->seek(offset_);
}

// A stream of the C or C++ library may hold bytes that the descriptor does not show.
void input_reader::wait_unless_stopped() const {
  if (input_->kind() != input_kind::stream || info_of(how_.options.method).one_position) return;
  if (input_->stop->wait_readable(input_->file.descriptor())) return;
  throw error(std::make_error_code(std::errc::operation_canceled), "read", input_->name(), offset_);
}

std::span<char> input_reader::fetch() {
  open();
  if (how_.given.watch.before_read && input_->kind() == input_kind::stream) how_.given.watch.before_read();
  if (input_->stop != nullptr) wait_unless_stopped();
  try {
    return method_->next();
  } catch (const os::refused& refusal) {
    fall_back(refusal);
  }
  return fetch();
}

// If riffle chose `mmap` or `direct` and it is refused (no addresses left, the file system cannot), `read`
// continues at the same offset.
void input_reader::fall_back(const error& refusal) {
  std::optional<plan> other = how_.by_read(refusal);
  if (!other) throw;
  how_ = *std::move(other);
  method_.reset();
  open_method();
}

// Handles the end of the input. If a regular file is now shorter than before, that is an error. A file that
// was cut and has grown again is an error too: a byte at that end, or another time of modification, shows it.
// That byte may be gone once more when riffle looks. Files of /sys are shorter than they say. If the file was
// cut while its last block was copied, the block may hold zeros: then its last byte is gone.
void input_reader::end() {
  if (input_->part) require_unchanged(input_->file, input_->part->split);
  const bool borrowed = !input_->file.owned();
  if (input_->kind() == input_kind::block_device && borrowed) leave_at_end(input_->size());
  const bool early = offset_ < input_->size();
  if (early && input_->object) throw error(errc::truncated, "read", input_->name(), offset_);
  if (input_->kind() != input_kind::regular_file) return;
  const bool unsure = input_->size() != 0 && offset_ > origin_ && !method_->met_end_behind_data();
  if (!early && !unsure && !borrowed) return;
  const os::file_status now = input_->file.status();
  if (early && was_moved()) {
    throw error(std::make_error_code(std::errc::io_error), "read", input_->name(), offset_,
                "another process or thread moved the position that it shares", {advice::use_method, "read"});
  }
  if (early &&
      (now.size < input_->size() || now.modified != input_->modified || input_->file.holds(offset_))) {
    throw error(errc::truncated, "read", input_->name(), offset_);
  }
  if (unsure && now.size < offset_ && !input_->file.holds(offset_ - 1)) {
    throw error(errc::truncated, "read", input_->name(), now.size);
  }
  if (borrowed) leave_at_end(now.size);
}

// The child of a fork that reads on by the same position takes its bytes from this process.
bool input_reader::was_moved() const {
  const bool shares = info_of(how_.options.method).one_position && !how_.options.several_readers;
  return shares && input_->file.position() != offset_;
}

void input_reader::require_whole() const {
  if (input_->kind() != input_kind::regular_file || input_->size() == 0) return;
  const std::uint64_t size = input_->file.status().size;
  if (size < input_->size()) throw error(errc::truncated, "read", input_->name(), size);
}

// Sets the position of a borrowed descriptor to the end of the bytes that were read. After a seek
// after the end, that is the reported size. A descriptor that stood after the end stays there.
void input_reader::leave_at_end(std::uint64_t size) const {
  input_->file.set_position(offset_ > origin_ ? offset_ : std::max(std::min(offset_, size), input_->start));
}

}  // namespace riffle::inline v0
