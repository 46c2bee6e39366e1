/// The public face of a reading.
#include <riffle/source.hpp>

#include "source/reading.hpp"

namespace riffle::inline v0 {

source::source(const input& from, const read_options& options)
    : reading_(std::make_unique<detail::reading>(from, options)) {}
source::source(source&&) noexcept = default;
source& source::operator=(source&&) noexcept = default;
source::~source() = default;

block source::next(std::size_t keep) {
  return reading_->next(keep);
}
void source::check() const {
  reading_->check();
}
bool source::seekable() const noexcept {
  return reading_->input()->seekable;
}
void source::seek(std::uint64_t offset) {
  reading_->seek(offset);
}
method source::method() const noexcept {
  return reading_->method();
}
const std::string& source::reason() const noexcept {
  return reading_->reason();
}
const std::string& source::name() const noexcept {
  return reading_->input()->name();
}
std::uint64_t source::start() const noexcept {
  return reading_->input()->start;
}
std::uint64_t source::size_hint() const noexcept {
  return reading_->input()->size;
}

}  // namespace riffle::inline v0
