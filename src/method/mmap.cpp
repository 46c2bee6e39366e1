/// Memory, and the method `mmap`: windows that are faulted in at once, handed out and checked in parts.
#include <algorithm>
#include <limits>
#include <thread>

#include "method/active_method.hpp"
#include "method/read_ahead.hpp"
#include "os/fault_guard.hpp"
#include "os/mapping.hpp"

namespace riffle::inline v0 {

namespace {

// Memory comes as one block, unless there is a function to call before each. A mapped file comes in parts,
// each checked after its use, of windows that one call faults in. Smaller windows need more calls. From
// larger ones of a file larger than memory, the OS kernel may evict pages before they are used.
class memory_method final : public active_method {
 public:
  memory_method(const open_file& input, const read_options& options)
      : input_(input),
        part_(input.mapped || options.watch.before_block ? checked_part
                                                         : std::numeric_limits<std::size_t>::max()),
        offset_(input.start) {}

  std::span<char> next() override {
    const std::size_t start = place();
    const std::size_t left = input_.memory.size() - start;
    const std::size_t size = std::min(left, part_);
    if (input_.mapped && start + size > faulted_in_) {
      faulted_in_ = start + std::min(left, window);
      input_.mapped->populate(input_.mapped->file, start, faulted_in_ - start);
    }
    offset_ += size;
    return {at(start), size};
  }
  const char* following() const noexcept override { return at(place()); }
  void allow_larger_blocks() noexcept override {
    if (input_.mapped) part_ = window;
  }
  // Where zeros began cannot be told; see os::window.
  void check(std::uint64_t trusted) const override {
    if (!input_.mapped) return;
    try {
      input_.mapped->check(input_.mapped->file);
    } catch (const error& failure) {
      throw error(failure.code(), failure.operation(), failure.path(), trusted);
    }
  }
  void seek(std::uint64_t offset) override {
    offset_ = offset;
    faulted_in_ = 0;
  }

 private:
  static constexpr std::size_t window = std::size_t{8} << 20U;  // tuning: what one call faults in

  std::size_t place() const noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(offset_, input_.memory.size()));
  }
  // Nobody writes to it: what follows lies in place, so no carry is copied before it.
  char* at(std::size_t place) const noexcept { return const_cast<char*>(input_.memory.data()) + place; }

  const open_file& input_;
  std::size_t part_;            // the most bytes handed out at once
  std::uint64_t offset_;        // of the next part
  std::size_t faulted_in_ = 0;  // of a mapped file, up to here
};

class mmap_method final : public active_method {
 public:
  mmap_method(const open_file& input, const method_options& options)
      : file_(input.file),
        size_(input.size()),
        offset_(input.start),
        hints_{.sequential = options.sequential,
               .will_need = options.will_need,
               .populate = options.mapping.populate,
               .shared = options.mapping.shared},
        guarded_(options.mapping.fault_guard),
        window_(headroom, window_size(options), options.mapping.fault_guard, input.name()),
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
    ahead_.before(start, length);
    unread_ = window_.slide(file_, start, length, hints_).subspan(before);
    ahead_.after(start, length);
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

std::unique_ptr<active_method> open_memory(const open_file& input, const method_options& options) {
  return std::make_unique<memory_method>(input, options);
}

std::unique_ptr<active_method> open_mmap(const open_file& input, const method_options& options) {
  return std::make_unique<mmap_method>(input, options);
}

}  // namespace riffle::inline v0
