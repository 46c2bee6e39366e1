/// The method `read`: read(2) and pread(2) into one buffer.
#include <riffle/error.hpp>

#include <algorithm>

#include "method/active_method.hpp"
#include "method/buffer.hpp"
#include "method/read_ahead.hpp"
#include "os/mapping.hpp"

namespace riffle::inline v0 {

namespace {

class read_method final : public active_method {
 public:
  read_method(const open_file& input, const method_options& options)
      : input_(input),
        keep_cache_(options.keep_cache),
        several_readers_(options.several_readers),
        offset_(input.start),
        origin_(input.start),
        buffer_(options.block_size),
        ahead_(input) {
    advise(input, options);
    if (!input.seekable()) input.file.widen_pipe();
  }

  std::span<char> next() override {
    const std::span<char> space = buffer_.space();
    const bool stands = stands_there();
    const std::size_t again = ends_here() ? 1 : 0;
    std::size_t count = 0;
    try {
      count = ahead_.around(offset_, space.size(), [&] {
        return stands ? input_.file.read(space, offset_)
                      : input_.file.read_at(space, offset_ - again, uncached(space.size()));
      });
    } catch (const error& failure) {
      if (failure.code() == std::errc::invalid_seek && input_.known == open_file::positions::assumed) {
        input_.known = open_file::positions::none;
        return next();
      }
      if (again != 0 && failure.code() == std::errc::invalid_argument) {
        rereads_ = false;
        return next();
      }
      throw error(failure.code(), failure.operation(), failure.path(), offset_);
    }
    met_end_behind_data_ = again != 0 && count == again;
    if (count < again) {
      throw error(errc::truncated, "read", input_.name(), std::min(offset_, input_.file.status().size));
    }
    count -= again;
    if (offset_ + count < std::min(offset_ + space.size(), input_.size())) rereads_ = false;
    offset_ += count;
    if (stands) position_ = offset_;
    return space.subspan(again, count);
  }

  bool met_end_behind_data() const noexcept override { return met_end_behind_data_; }
  void seek(std::uint64_t offset) override { offset_ = origin_ = offset; }

 private:
  // /proc, whose files report no size, serves read(2) better than pread(2). For other files the position is
  // of no use: it is shared with the children of a fork, which may read on.
  bool stands_there() const {
    return !input_.seekable() || (input_.file.owned() && !several_readers_ && keep_cache_ &&
                                  input_.size() == 0 && position_ == offset_);
  }

  // Where a file ends by its size, the last byte is read once more, in the call that looks for more bytes: if
  // it is gone, the file was cut, and what was copied of it meanwhile may be zeros. If a read was short
  // before, one that gives no more than this byte may be short too. If the cache was not to keep the byte,
  // it would be read from the device again. A descriptor that the user opened with O_DIRECT refuses this
  // offset.
  bool ends_here() const {
    return offset_ == input_.size() && offset_ != origin_ && keep_cache_ && rereads_ &&
           input_.kind() == input_kind::regular_file;
  }

  // A page that is read in parts would be given up, and read from the device again, between the parts.
  bool uncached(std::size_t size) const {
    return !keep_cache_ && size % os::page_size() == 0 && offset_ % os::page_size() == 0;
  }

  const open_file& input_;
  bool keep_cache_;
  bool several_readers_;
  std::uint64_t offset_;
  std::uint64_t origin_;  // where reading began: at the start, or after the last seek
  bool rereads_ = true;   // the last byte: no read was short without a reason in the size, or refused
  bool met_end_behind_data_ = false;
  std::uint64_t position_ = 0;  // of the descriptor, if it is ours
  buffer buffer_;
  read_ahead ahead_;
};

}  // namespace

std::unique_ptr<active_method> open_read(const open_file& input, const method_options& options) {
  if (input.object) return open_object(input, options);
  return std::make_unique<read_method>(input, options);
}

}  // namespace riffle::inline v0
