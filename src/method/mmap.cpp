/// The method `mmap`: the file in windows, each faulted in before it is handed out.
#include <algorithm>

#include "method/active_method.hpp"
#include "os/fault_guard.hpp"
#include "os/window.hpp"

namespace riffle::inline v0 {

namespace {

class mmap_method final : public active_method {
 public:
  mmap_method(const open_file& input, const read_options& options)
      : file_(input.file),
        size_(input.size),
        offset_(input.start),
        hints_{.sequential = options.sequential,
               .will_need = options.will_need,
               .populate = options.populate,
               .shared = options.shared},
        guarded_(options.fault_guard),
        window_(headroom, window_size(options.block_size, size_), options.fault_guard, input.name()) {
    advise(input, options);
  }

  std::span<char> next() override {
    if (offset_ >= size_ && !grown()) return {};
    // Asked each time: a loop may have moved to another thread.
    if (guarded_ && os::blocks_bus_errors()) {
      throw os::mapping_refused(
          errc::method_unavailable, "map", file_.name(), offset_,
          "this thread blocks SIGBUS, so a bad page would end the program; unblock it, or use "
          "--method read");
    }
    const std::uint64_t start = offset_ / os::page_size() * os::page_size();
    const std::size_t length =
        static_cast<std::size_t>(std::min<std::uint64_t>(window_.size(), size_ - start));
    const std::size_t before = static_cast<std::size_t>(offset_ - start);
    const std::span<char> bytes = window_.slide(file_, start, length, hints_);
    offset_ = start + length;
    room_ = before == 0 ? headroom : 0;
    return bytes.subspan(before);
  }

  void check() const override { window_.check(file_); }
  std::size_t room() const noexcept override { return room_; }

  void seek(std::uint64_t offset) override { offset_ = offset; }

 private:
  // No larger than the file: to reserve megabytes for a few bytes takes longer than to map these.
  static std::size_t window_size(std::size_t block_size, std::uint64_t size) {
    const auto wanted =
        static_cast<std::size_t>(std::clamp<std::uint64_t>(size, 1, std::max<std::size_t>(block_size, 1)));
    return (wanted + os::page_size() - 1) / os::page_size() * os::page_size();
  }

  // Reads a byte beyond the size. If the file grew, its new size counts. A file that reports a wrong size, as
  // in /proc and /sys, cannot be mapped.
  bool grown() {
    char byte = 0;
    if (file_.read_at({&byte, 1}, offset_) == 0) return false;
    size_ = file_.status().size;
    if (offset_ < size_) return true;
    throw os::mapping_refused(errc::method_unavailable, "map", file_.name(), offset_,
                              "its reported size is wrong; use --method read");
  }

  const os::file& file_;
  std::uint64_t size_;
  std::uint64_t offset_;
  std::size_t room_ = 0;  // what lies before a block that does not start a page is the file's
  os::mapping_hints hints_;
  bool guarded_;
  os::window window_;
};

}  // namespace

std::unique_ptr<active_method> open_mmap(const open_file& input, const read_options& options) {
  return std::make_unique<mmap_method>(input, options);
}

}  // namespace riffle::inline v0
