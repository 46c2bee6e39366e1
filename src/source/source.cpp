/// Hands out contiguous records, checks what was handed out, and keeps the first failure; the public face of
/// a source.
#include "source/source_state.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "decode/decoder.hpp"

namespace riffle::inline v0::detail {

namespace {

// No file reaches further: an offset that is after it, and a block from there on, can still be expressed.
constexpr std::uint64_t furthest = std::uint64_t{1} << 62U;

const std::string nothing;  // of a source that was moved from

}  // namespace

source_state::source_state(std::shared_ptr<open_file> input, plan how)
    : reader_(std::move(input), std::move(how)),
      decoder_(keeps_offsets() ? nullptr
                               : open_decoder(this->how().decoder, reader_, *this->input(), given())),
      top_(decoder_ ? *decoder_ : reader_),
      offset_(start()),
      used_(this->input()->start) {}

// Throws the exception that is being handled again, and remembers it: what would come next is not what
// follows the bytes handed out. Exceptions of the caller's functions pass, such as Python's
// KeyboardInterrupt: the loop may go on after them. The remedy is for memory that is refused.
void source_state::fail_for_good(remedy helps) {
  try {
    throw;
  } catch (const error& failure) {
    failed_ = true;
    failure_ = failure;
    throw;
  } catch (const std::bad_alloc&) {
    failed_ = true;  // for good, even if there is no memory for the words either
    failure_ = error(std::make_error_code(std::errc::not_enough_memory), "read", input()->name(), offset_, {},
                     helps);
    throw error(*failure_);
  }
}

block source_state::next(std::size_t keep, remedy helps) {
  throw_if_failed();
  if (keep > last_.size()) {
    throw error(errc::invalid_argument, "read", input()->name(), offset_,
                "keep is larger than the block before");
  }
  if (given().watch.before_block) given().watch.before_block();
  try {
    return joined(keep);
  } catch (const std::exception&) {
    fail_for_good(helps);
  }
}

// The same again: bytes may be missing between what was handed out and what would come next.
void source_state::throw_if_failed() const {
  if (failure_) throw error(*failure_);
  if (failed_) throw std::bad_alloc();
}

void source_state::check() {
  if (last_.empty()) return;  // as after a seek: what was handed out before it was checked then
  try {
    top_.check(checked_);
  } catch (const std::exception&) {
    fail_for_good({});
  }
}

void source_state::finish_block() {
  check();
  finished_ = true;
  top_.allow_larger_blocks();
}

// Bytes that are kept are used again, by a copy at the latest.
void source_state::check_unless_finished(std::size_t keep) {
  if (!std::exchange(finished_, false) || keep != 0) check();
}

void source_state::seek(std::uint64_t offset) {
  if (!seekable()) {
    throw error(std::make_error_code(std::errc::invalid_seek), "seek in", input()->name(), offset);
  }
  throw_if_failed();
  check_unless_finished(0);
  if (offset > furthest && offset < input()->size()) {
    throw error(std::make_error_code(std::errc::file_too_large), "seek in", input()->name(), offset,
                "riffle reads no bytes after 4 EiB");
  }
  ended_ = offset > furthest;
  exceeds_ = false;
  if (!ended_) top_.seek(offset);
  offset_ = checked_ = offset;
  last_ = {};
  used_ = compressed_offset();
}

// What passes through a decoder as it is has the offsets of its bytes.
std::uint64_t source_state::compressed_offset() const noexcept {
  if (!decoder_) return offset_;
  return decoder_->compressed_offset().value_or(input()->start + offset_);
}

// A file may have grown, and the last record of a compressed split ends in the next one.
std::optional<std::uint64_t> source_state::compressed_size() const noexcept {
  std::uint64_t size = input()->size();
  if (size == 0) return std::nullopt;
  if (decoder_ && input()->part) size = input()->part->split.end;
  return std::max(size, compressed_offset());
}

void source_state::note_progress(std::size_t size) noexcept {
  if (given().watch.progress != nullptr) given().watch.progress->fetch_add(size, std::memory_order_relaxed);
  if (given().watch.compressed_progress == nullptr) return;
  const std::uint64_t now = compressed_offset();
  given().watch.compressed_progress->fetch_add(now - used_, std::memory_order_relaxed);
  used_ = now;
}

// Hands out no byte that lies `max_size` or further after the start.
std::span<char> source_state::fresh_bytes() {
  std::span<char> fresh;
  try {
    if (!ended_ && !exceeds_) fresh = top_.next();
  } catch (const std::bad_alloc&) {
    fail_for_good({});  // what is kept takes no memory there
  }
  const std::uint64_t before = offset_ - std::min(offset_, start());
  const std::uint64_t left = given().max_size - std::min(before, given().max_size);
  if (exceeds_ || (left == 0 && !fresh.empty())) {
    throw error(errc::too_large, "read", input()->name(), offset_,
                "it holds more than " + std::to_string(given().max_size) + " bytes",
                {advice::larger_max_size}, top_.compressed_offset());
  }
  exceeds_ = fresh.size() > left;
  return exceeds_ ? fresh.first(static_cast<std::size_t>(left)) : fresh;
}

block source_state::joined(std::size_t keep) {
  const std::string_view kept = last_.substr(last_.size() - keep);
  const char* const following = top_.following();
  const bool in_place = following != nullptr && following == last_.data() + last_.size();
  const std::string_view saved = in_place || keep == 0 ? kept : carry_.save(kept);
  check_unless_finished(keep);  // now, as a page may be lost while it is copied
  last_ = saved;
  const std::uint64_t start = checked_ = offset_ - keep;
  const std::span<char> fresh = fresh_bytes();
  offset_ += fresh.size();
  if (given().watch.progress != nullptr || given().watch.compressed_progress != nullptr)
    note_progress(fresh.size());
  ended_ = fresh.empty();
  if (keep == 0) {
    last_ = {fresh.data(), fresh.size()};
  } else {
    last_ = in_place ? std::string_view(kept.data(), keep + fresh.size()) : carry_.join(fresh, top_.room());
  }
  return {last_, start};
}

void source_state::require_delimiter(char delimiter) const {
  const std::optional<split_records>& part = input()->part;
  if (!part || part->records.delimiter == delimiter) return;
  throw error(errc::invalid_argument, "read", input()->name(), std::nullopt,
              "the split was cut at another delimiter; pass the same one to read_split");
}

}  // namespace riffle::inline v0::detail

namespace riffle::inline v0 {

detail::source_state& detail::source_state::of(const source& opened) {
  if (opened.state_ == nullptr) {
    throw error(errc::invalid_argument, "read", "", std::nullopt, "the source was moved from");
  }
  return *opened.state_;
}

source detail::source_state::source_of(std::shared_ptr<open_file> opened, plan how) {
  return source(new source_state(std::move(opened), std::move(how)));
}

const source detail::source_state::moved_from{nullptr};

source::source(detail::source_state* state) noexcept : state_(state) {}

source::source(const input& from, const read_options& options) {
  auto opened = std::make_shared<open_file>(open_input(from, options));
  plan how = decide(*opened, options);
  state_ = new detail::source_state(std::move(opened), std::move(how));
}
source::source(source&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
source& source::operator=(source&& other) noexcept {
  delete std::exchange(state_, std::exchange(other.state_, nullptr));
  return *this;
}
source::~source() {
  delete state_;
}

block source::next(std::size_t keep) {
  return detail::source_state::of(*this).next(keep);
}
void source::check() const {
  detail::source_state::of(*this).check();
}
void source::finish_block() {
  detail::source_state::of(*this).finish_block();
}
bool source::seekable() const noexcept {
  return state_ && state_->seekable();
}
void source::seek(std::uint64_t offset) {
  detail::source_state::of(*this).seek(offset);
}
method source::method() const noexcept {
  return state_ ? state_->method() : riffle::method::automatic;
}
const std::string& source::reason() const noexcept {
  return state_ ? state_->reason() : detail::nothing;
}
const std::string& source::name() const noexcept {
  return state_ ? state_->input()->name() : detail::nothing;
}
input_kind source::kind() const noexcept {
  return state_ ? state_->input()->kind() : input_kind::memory;
}
int source::descriptor() const noexcept {
  return state_ ? state_->input()->file.descriptor() : -1;
}
std::uint64_t source::start() const noexcept {
  return state_ ? state_->start() : 0;
}
std::uint64_t source::size_hint() const noexcept {
  return state_ ? state_->size_hint() : 0;
}
std::uint64_t source::compressed_offset() const noexcept {
  return state_ ? state_->compressed_offset() : 0;
}
std::optional<std::uint64_t> source::compressed_size() const noexcept {
  return state_ ? state_->compressed_size() : std::nullopt;
}

}  // namespace riffle::inline v0
