/// The method `read`: read(2) and pread(2) into one buffer.
#include "method/buffer.hpp"

namespace riffle {

namespace {

class read_method final : public active_method {
 public:
  read_method(const opened& from, const read_options& options)
      : from_(from), keep_cache_(options.keep_cache), offset_(from.start), buffer_(options) {
    if (options.sequential) from_.file->advise_sequential();
    if (options.will_need) from_.file->advise_will_need();
    if (!from_.seekable) from_.file->widen_pipe();
  }

  std::span<char> next() override {
    const std::span<char> space = buffer_.space();
    // The position of a descriptor of ours is nobody else's, and files of /proc like read(2) better than
    // pread(2).
    const bool stands_there = !from_.seekable || (from_.file->owned() && keep_cache_ && position_ == offset_);
    const std::size_t count =
        stands_there ? from_.file->read(space, offset_) : from_.file->read_at(space, offset_, !keep_cache_);
    offset_ += count;
    if (stands_there) position_ = offset_;
    return space.first(count);
  }

  void seek(std::uint64_t offset) override { offset_ = offset; }

 private:
  opened from_;
  bool keep_cache_;
  std::uint64_t offset_;
  std::uint64_t position_ = 0;  // of the descriptor, if it is ours
  buffer buffer_;
};

}  // namespace

std::unique_ptr<active_method> open_read(const opened& from, const read_options& options) {
  return std::make_unique<read_method>(from, options);
}

}  // namespace riffle
