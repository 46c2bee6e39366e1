/// The public face of a source.
#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <utility>

#include "source/source_state.hpp"

namespace riffle::inline v0 {

namespace {

const std::string nothing;  // of a source that was moved from

}  // namespace

detail::source_state& detail::source_state::of(const source& opened) {
  if (opened.state_ == nullptr) {
    throw error(errc::invalid_argument, "read", "", std::nullopt, "the source was moved from");
  }
  return *opened.state_;
}

source detail::source_state::source_of(const std::shared_ptr<open_file>& opened, const read_options& given) {
  return source(new source_state(opened, given));
}

source detail::source_state::source_of(std::shared_ptr<open_file> opened, plan how) {
  return source(new source_state(std::move(opened), std::move(how)));
}

const source detail::source_state::moved_from{nullptr};

source::source(detail::source_state* state) noexcept : state_(state) {}
source::source(const input& from, const read_options& options)
    : state_(new detail::source_state(from, options)) {}
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
  return state_ ? state_->reason() : nothing;
}
const std::string& source::name() const noexcept {
  return state_ ? state_->input()->name() : nothing;
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
