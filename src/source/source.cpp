/// The public face of a reading.
#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <utility>

#include "source/reading.hpp"

namespace riffle::inline v0 {

namespace {

const std::string nothing;  // of a source that was moved from

}  // namespace

detail::reading& detail::reading::within(const source& opened) {
  if (opened.reading_ == nullptr) {
    throw error(errc::invalid_argument, "read", "", std::nullopt, "the source was moved from");
  }
  return *opened.reading_;
}

source detail::reading::source_of(const std::shared_ptr<open_file>& opened, const read_options& asked) {
  return source(std::make_unique<reading>(opened, asked));
}

source detail::reading::source_of(std::shared_ptr<open_file> opened, const read_options& asked,
                                  resolved how) {
  return source(std::make_unique<reading>(std::move(opened), asked, std::move(how)));
}

const source detail::reading::moved_from{std::unique_ptr<reading>()};

source::source(std::unique_ptr<detail::reading> reading) noexcept : reading_(std::move(reading)) {}
source::source(const input& from, const read_options& options)
    : reading_(std::make_unique<detail::reading>(from, options)) {}
source::source(source&&) noexcept = default;
source& source::operator=(source&&) noexcept = default;
source::~source() = default;

block source::next(std::size_t keep) {
  return detail::reading::within(*this).next(keep);
}
void source::check() const {
  detail::reading::within(*this).check();
}
bool source::seekable() const noexcept {
  return reading_ && reading_->seekable();
}
void source::seek(std::uint64_t offset) {
  detail::reading::within(*this).seek(offset);
}
method source::method() const noexcept {
  return reading_ ? reading_->method() : riffle::method::automatic;
}
const std::string& source::reason() const noexcept {
  return reading_ ? reading_->reason() : nothing;
}
const std::string& source::name() const noexcept {
  return reading_ ? reading_->input()->name() : nothing;
}
std::uint64_t source::start() const noexcept {
  return reading_ ? reading_->start() : 0;
}
std::uint64_t source::size_hint() const noexcept {
  return reading_ ? reading_->size_hint() : 0;
}

}  // namespace riffle::inline v0
