/// The method `mmap`: the file in windows, each faulted in at once, then handed out and checked in parts.
#include <algorithm>
#include <thread>

#include "method/active_method.hpp"
#include "method/block_size.hpp"
#include "method/read_ahead.hpp"
#include "os/fault_guard.hpp"
#include "os/window.hpp"

namespace riffle::inline v0 {

namespace {

class mmap_method final : public active_method {
 public:
  mmap_method(const open_file& input, const method_options& options)
      : file_(input.file),
        size_(input.size()),
        offset_(input.start),
        hints_{.sequential = options.sequential,
               .will_need = options.will_need,
               .populate = options.populate,
               .shared = options.shared},
        guarded_(options.fault_guard),
        window_(headroom, window_size(options), options.fault_guard, input.name()),
        ahead_(input) {
    advise(input, options);
  }

  std::span<char> next() override {
    if (unread_.empty()) {
      if (offset_ >= size_ && !grown()) return {};
      require_guard();
      slide();
    } else {
      room_ = 0;  // what lies before is the file's
      if (has_moved()) require_guard();
    }
    const std::span<char> now = unread_.first(std::min(unread_.size(), part_));
    unread_ = unread_.subspan(now.size());
    offset_ += now.size();
    return now;
  }

  void check(std::uint64_t trusted) const override { window_.check(file_, trusted); }
  void allow_larger_blocks() noexcept override { part_ = window_.size(); }
  std::size_t room() const noexcept override { return room_; }
  // The size was looked at after each part was used.
  bool met_end_behind_data() const noexcept override { return true; }
  // Nothing follows in another thread, which may have to go on by another method.
  const char* following() const noexcept override {
    return unread_.empty() || has_moved() ? nullptr : unread_.data();
  }

  void seek(std::uint64_t offset) override {
    offset_ = offset;
    unread_ = {};
  }

 private:
  bool has_moved() const noexcept { return asked_in_ != std::this_thread::get_id(); }

  // Asked for each window, and when a loop has moved to another thread.
  void require_guard() {
    asked_in_ = std::this_thread::get_id();
    const std::string_view reason = guarded_ ? os::why_unguarded() : std::string_view();
    if (!reason.empty()) {
      throw os::refused(errc::method_unavailable, "map", file_.name(), offset_, reason,
                        {advice::use_method, "read"});
    }
  }

  void slide() {
    const std::uint64_t start = offset_ / os::page_size() * os::page_size();
    const auto length = static_cast<std::size_t>(std::min<std::uint64_t>(window_.size(), size_ - start));
    const auto before = static_cast<std::size_t>(offset_ - start);
    unread_ = ahead_.around(start, length, [&] { return window_.slide(file_, start, length, hints_); });
    unread_ = unread_.subspan(before);
    room_ = before == 0 ? window_.headroom().size() : 0;
  }

  // No larger than the file: to reserve megabytes for a few bytes takes longer than to map these.
  std::size_t window_size(const read_options& options) const {
    return static_cast<std::size_t>(std::min<std::uint64_t>(size_, options.block_size));
  }

  // Looks for a byte beyond the size. If the file grew, its new size counts, unless it was cut meanwhile. A
  // file that reports a wrong size, as in /proc and /sys, cannot be mapped.
  bool grown() {
    constexpr int looks = 8;  // a file may be cut and grow again between each two
    for (int i = 1; file_.holds(offset_); ++i) {
      const os::file_status now = file_.status();
      size_ = now.size;
      if (offset_ < size_) return true;
      if (file_.holds(offset_) && (i == looks || file_.status().modified == now.modified)) {
        throw os::refused(errc::method_unavailable, "map", file_.name(), offset_,
                          "its reported size is wrong", {advice::use_method, "read"});
      }
    }
    return false;
  }

  const os::file& file_;
  std::uint64_t size_;
  std::uint64_t offset_;    // of the next part
  std::span<char> unread_;  // of the window
  std::size_t part_ = checked_part;
  std::thread::id asked_in_;  // whether it is guarded
  std::size_t room_ = 0;      // what lies before a part that does not start a page is the file's
  os::mapping_hints hints_;
  bool guarded_;
  os::window window_;
  read_ahead ahead_;
};

}  // namespace

std::unique_ptr<active_method> open_mmap(const open_file& input, const method_options& options) {
  return std::make_unique<mmap_method>(input, options);
}

}  // namespace riffle::inline v0
