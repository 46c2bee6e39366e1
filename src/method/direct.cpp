/// The method `direct`: O_DIRECT, past the page cache, by io_uring if it is available.
#include "method/read_queue.hpp"
#include "os/calls.hpp"
#include "os/mapping.hpp"

namespace riffle::inline v0 {

namespace {

// Owns the second descriptor that reads past the page cache.
class direct_method final : public active_method {
 public:
  direct_method(const open_file& input, const read_options& options)
      : file_(reopen(input.file)), queue_(input, queue_for(options)) {}

  std::span<char> next() override { return queue_.next(); }
  void seek(std::uint64_t offset) override { queue_.seek(offset); }

 private:
  static os::file reopen(const os::file& file) {
    try {
      return file.reopen_direct();
    } catch (const error& failure) {
      if (failure.code() != std::errc::invalid_argument &&
          failure.code() != std::errc::operation_not_supported) {
        throw os::refused(failure);
      }
      throw os::refused(errc::method_unavailable, "read", file.name(), std::nullopt,
                        "the file system refuses O_DIRECT: " + failure.code().message(),
                        {advice::use_method, "read"});
    }
  }

  queue_options queue_for(const read_options& options) const {
    const std::size_t alignment = os::direct_alignment(file_.descriptor());
    return {.block_size = static_cast<std::size_t>(os::round_up(options.block_size, alignment)),
            .depth = options.queue_depth,
            .alignment = alignment,
            .through = &file_,
            .ring_needed = false};
  }

  os::file file_;
  read_queue queue_;
};

}  // namespace

std::unique_ptr<active_method> open_direct(const open_file& input, const method_options& options) {
  return std::make_unique<direct_method>(input, options);
}

}  // namespace riffle::inline v0
