/// The method `stdio`: fread(3), on riffle's stream or the user's.
#include <cerrno>

#include "method/active_method.hpp"
#include "method/buffer.hpp"
#include "os/stream.hpp"

namespace riffle::inline v0 {

namespace {

class stdio_method final : public active_method {
 public:
  stdio_method(const open_file& input, const read_options& options)
      : input_(input),
        owned_(input.stdio == nullptr ? os::open_stdio(own_descriptor(input, options)) : nullptr),
        stream_(owned_ ? owned_.get() : input.stdio),
        offset_(input.start),
        buffer_(options.block_size) {
    if (owned_) advise(input, options);
    // An error of a call before this reading would be taken for one of its reads.
    if (std::ferror(stream_) != 0) std::clearerr(stream_);
  }

  std::span<char> next() override {
    const std::span<char> space = buffer_.space();
    std::size_t count = 0;
    if (pending_ != 0) os::fail("read", input_.name(), offset_, pending_);
    // A file may have grown since, and musl reads no further where it met an end.
    if (owned_ && input_.seekable) std::clearerr(stream_);
    // A signal makes fread return early. Only the end or a lasting error ends the block.
    while (count < space.size()) {
      errno = 0;
      count += std::fread(space.data() + count, 1, space.size() - count, stream_);
      if (count == space.size() || std::ferror(stream_) == 0) break;
      const int code = errno;
      std::clearerr(stream_);
      if (code == EINTR) continue;
      if (code == EAGAIN && count != 0) break;  // delivers the bytes read so far
      if (const int descriptor = os::descriptor_of(stream_); code == EAGAIN && descriptor >= 0) {
        os::wait_readable(descriptor);
        continue;
      }
      pending_ = code != 0 ? code : EIO;
      if (count > 0) break;  // then keeps the failure, as a socket reports it only once
      os::fail("read", input_.name(), offset_, pending_);
    }
    offset_ += count;
    return space.first(count);
  }

  void seek(std::uint64_t offset) override {
    os::seek_stdio(stream_, offset, input_.name());
    offset_ = offset;
    pending_ = 0;
  }

 private:
  const open_file& input_;
  os::stdio_stream owned_;
  std::FILE* stream_;
  std::uint64_t offset_;
  int pending_ = 0;  // the errno of a failure met after bytes that were delivered first; 0: none
  buffer buffer_;
};

}  // namespace

std::unique_ptr<active_method> open_stdio(const open_file& input, const read_options& options) {
  return std::make_unique<stdio_method>(input, options);
}

}  // namespace riffle::inline v0
