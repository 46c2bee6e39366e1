/// The method `stdio`: fread(3), on riffle's stream or the user's.
#include <algorithm>
#include <cerrno>

#include "method/active_method.hpp"
#include "method/buffer.hpp"
#include "os/stream.hpp"

namespace riffle::inline v0 {

namespace {

class stdio_method final : public active_method {
 public:
  stdio_method(const open_file& input, const method_options& options)
      : input_(input),
        owned_(input.stdio == nullptr ? os::open_stdio(own_descriptor(input, options)) : nullptr),
        stream_(owned_ ? owned_.get() : input.stdio),
        offset_(input.start),
        buffer_(options.block_size) {
    if (owned_) advise(input, options);
    // An error of a call before this reading would be taken for one of its reads. At an end that was met
    // before, there may be more by now, as at a terminal.
    std::clearerr(stream_);
    waits_ = owned_ ? input.size() == 0 : os::may_wait(stream_);
  }

  std::span<char> next() override {
    const std::span<char> space = buffer_.space();
    std::size_t count = 0;
    if (pending_ != 0) os::fail("read", input_.name(), offset_, pending_);
    // A file may have grown since, and musl reads no further where it met an end.
    if (owned_ && input_.seekable()) std::clearerr(stream_);
    // A signal makes fread return early. Only the end or a lasting error ends the block, or a wait for more.
    while (const std::size_t wanted = at_once(space.size() - count, count != 0)) {
      errno = 0;
      const std::size_t got = std::fread(space.data() + count, 1, wanted, stream_);
      count += got;
      if (got == wanted) continue;
      if (std::ferror(stream_) == 0) break;
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
  // Returns how many bytes to ask for, at most `room`. fread waits for all of them, so of a pipe they are
  // those that are there. If none is, it is one byte to wait for, unless the block has `some`.
  std::size_t at_once(std::size_t room, bool some) const {
    if (!waits_ || room == 0) return room;
    return std::min(room, std::max<std::size_t>(os::ready_bytes(stream_), some ? 0 : 1));
  }

  const open_file& input_;
  os::stdio_stream owned_;
  std::FILE* stream_;
  std::uint64_t offset_;
  bool waits_ = false;  // for a writer
  int pending_ = 0;     // the errno of a failure met after bytes that were delivered first; 0: none
  buffer buffer_;
};

}  // namespace

std::unique_ptr<active_method> open_stdio(const open_file& input, const method_options& options) {
  return std::make_unique<stdio_method>(input, options);
}

}  // namespace riffle::inline v0
