/// Implements `line_index`: moves, single lines, and what an iterator reads.
#include <riffle/error.hpp>
#include <riffle/line_index.hpp>

#include "parallel/indexed_lines.hpp"

namespace riffle::inline v0 {

namespace {

const detail::indexed_lines& of(const std::unique_ptr<const detail::indexed_lines>& lines) {
  if (lines == nullptr) {
    throw error(errc::invalid_argument, "read a line of", "", std::nullopt, "this line_index was moved from");
  }
  return *lines;
}

}  // namespace

line_index::line_index(const input& from, const line_index_options& options, const read_options& reading)
    : lines_(std::make_unique<const detail::indexed_lines>(from, options, reading)) {}
line_index::line_index(line_index&&) noexcept = default;
line_index& line_index::operator=(line_index&&) noexcept = default;
line_index::~line_index() = default;

std::uint64_t line_index::size() const noexcept {
  return lines_ == nullptr ? 0 : lines_->size();
}

std::string line_index::operator[](std::uint64_t line) const {
  return std::string(of(lines_).around(line).line(line));
}

std::uint64_t line_index::offset(std::uint64_t line) const {
  return of(lines_).offset(line);
}

std::span<const std::uint64_t> line_index::offsets() const noexcept {
  return lines_ == nullptr ? std::span<const std::uint64_t>() : lines_->offsets();
}

std::string_view line_index::name() const noexcept {
  return lines_ == nullptr ? std::string_view() : lines_->name();
}

bool line_index::in_memory() const noexcept {
  return lines_ != nullptr && lines_->in_memory();
}

line_index::iterator line_index::begin() const noexcept {
  return lines_ == nullptr ? iterator() : iterator(*lines_, 0);
}

line_index::iterator line_index::end() const noexcept {
  return lines_ == nullptr ? iterator() : iterator(*lines_, size());
}

bool line_index::iterator::ready() const noexcept {
  return part_ != nullptr && part_->has(line_);
}

std::string_view line_index::iterator::view() const {
  if (!ready()) part_ = lines_->around(line_, part_.get());
  return part_->line(line_);
}

}  // namespace riffle::inline v0
