/// Offers the iterator over the lines of a LineIndex, which reads neighbours together.
#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "bindings/python/native/records/record_iterator.hpp"
#include "bindings/python/native/records/text_maker.hpp"
#include "bindings/python/native/whole/line_index.hpp"

namespace riffle::python {

/// Iterates over the lines from their offsets, which outlive it.
class indexed_lines {
 public:
  struct cursor {
    std::string_view record = {};
  };

  /// Those from `first` to before `last`.
  indexed_lines(const line_offsets& offsets, std::size_t first, std::size_t last)
      : offsets_(&offsets), last_(last), next_(first), end_(first) {}

  [[gnu::always_inline]] bool advance_in_block(cursor& at) noexcept {
    if (next_ == end_) return false;
    at.record = {part_.data() + (offsets_->offset_of(next_) - offset_), offsets_->size(next_)};
    ++next_;
    return true;
  }
  /// Throws as `line_offsets::read` does; the next call tries again.
  bool advance(cursor& at) {
    if (next_ == end_ && end_ != last_) {
      const std::size_t end = offsets_->end_of_part(next_, last_, line_index::part_size);
      offset_ = offsets_->offset_of(next_);
      part_.resize(static_cast<std::size_t>(offsets_->offset_of(end) - offset_));
      offsets_->read(offset_, {part_.data(), part_.size()});
      end_ = end;
    }
    return advance_in_block(at);
  }

 private:
  const line_offsets* offsets_;
  growing_array<char> part_;
  std::uint64_t offset_ = 0;  // of the part
  std::size_t last_;
  std::size_t next_;
  std::size_t end_;  // after the lines of the part
};

/// Holds an index while its lines are read.
struct opened_index {
  static constexpr const char* what = "lines";

  explicit opened_index(nanobind::handle self) : index(nanobind::borrow(self)) {
    const line_offsets& offsets = nanobind::inst_ptr<line_index>(self)->offsets();
    range.emplace(offsets, 0, offsets.lines());
  }

  const std::string& name() const { return nanobind::inst_ptr<line_index>(index)->name(); }
  signal_checks& checks() const noexcept { return *signals; }
  bool in_memory() const { return nanobind::inst_ptr<line_index>(index)->offsets().in_memory(); }
  static bool starts_inside() noexcept { return false; }
  static bool is_record(std::string_view) noexcept { return true; }
  static indexed_lines::cursor begin() noexcept { return {}; }
  static bool open_next() noexcept { return false; }
  int visit(visitproc visit, void* arg) const {
    Py_VISIT(index.ptr());
    return 0;
  }

  nanobind::object index;
  std::unique_ptr<signal_checks> signals = std::make_unique<signal_checks>();
  std::optional<indexed_lines> range;
};

using index_iterator = record_iterator<opened_index, text_maker>;

}  // namespace riffle::python
