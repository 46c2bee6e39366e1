/// The methods `stdio` and `iostream`, on riffle's stream or the user's.
#include <algorithm>
#include <cerrno>
#include <exception>
#include <ios>
#include <limits>
#include <new>
#include <string>
#include <string_view>

#include "method/active_method.hpp"
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

// A stream whose exceptions() include eofbit throws here.
void end_stream(const open_file& input, std::uint64_t offset) {
  try {
    input.stream->setstate(std::ios::eofbit);
  } catch (const std::ios_base::failure& failure) {
    throw error(failure.code(), "read", input.name(), offset,
                "take eofbit out of exceptions(), as the stream throws at its end");
  }
}

class iostream_method final : public active_method {
 public:
  iostream_method(const open_file& input, const method_options& options)
      : input_(input),
        owned_(input.stream == nullptr ? os::open_filebuf(own_descriptor(input, options)) : nullptr),
        bytes_(owned_ ? owned_.get() : input.stream->rdbuf()),
        offset_(input.start),
        waits_(owned_ ? input.size() == 0 : os::may_wait(*bytes_)),
        shows_next_(owned_ || os::is_filebuf(*bytes_)),
        buffer_(options.block_size) {
    if (owned_) advise(input, options);
  }

  std::span<char> next() override {
    const std::span<char> space = buffer_.space();
    std::size_t count = 0;
    while (true) {
      errno = 0;
      try {
        count = get(space.first(std::min(space.size(), longest_)));
        break;
      } catch (const std::bad_alloc&) {
        throw;
      } catch (const std::exception& failure) {
        // libstdc++'s filebuf throws on a failing read, and leaves errno behind. Other buffers say why.
        const int code = errno;
        recover(code != 0 ? code : EIO, code != 0 ? std::string() : failure.what());
      }
    }
    if (count == 0 && input_.stream != nullptr) end_stream(input_, offset_);
    offset_ += count;
    return space.first(count);
  }

  void seek(std::uint64_t offset) override {
    errno = 0;
    const auto wanted = static_cast<std::streamoff>(offset);
    std::streamoff at = bytes_->pubseekpos(wanted, std::ios::in);
    // EINVAL: the offset is beyond what the file system can hold, so the end is as good, if it lies before.
    if (at < 0 && errno == EINVAL) at = bytes_->pubseekoff(0, std::ios::end, std::ios::in);
    if (at < 0 || at > wanted) os::fail("seek in", input_.name(), offset, errno != 0 ? errno : EINVAL);
    offset_ = offset;
  }

 private:
  // Reads a whole block at once, past the stream's small buffer. Of a pipe it takes only the bytes that are
  // there: a typed line is delivered at once, and no byte is lost if a later read fails.
  std::size_t get(std::span<char> space) {
    if (waits_) space = space.first(std::min(space.size(), wait()));
    return static_cast<std::size_t>(bytes_->sgetn(space.data(), static_cast<std::streamsize>(space.size())));
  }

  // Waits for a byte, which fills the stream's buffer. Returns how many there are, at least 1; 0 at the end.
  std::size_t wait() {
    if (const std::size_t ready = os::ready_bytes(*bytes_)) return ready;
    if (bytes_->sgetc() != std::char_traits<char>::eof()) {
      shows_next_ = true;
      return std::max<std::size_t>(os::ready_bytes(*bytes_), 1);
    }
    if (shows_next_) return 0;
    waits_ = false;  // it has no more than xsgetn, and gives by it what it has
    return std::numeric_limits<std::size_t>::max();
  }

  // A failing sgetn drops the bytes that it read before. Reads them again: after EAGAIN when there is more,
  // else in small steps, so that they are delivered before the error.
  void recover(int code, std::string_view reason) {
    const bool waits = owned_ && code == EAGAIN;
    const bool retries = owned_ && input_.seekable() && longest_ != smallest_step;
    if (!waits && !retries) os::fail("read", input_.name(), offset_, code, reason);
    if (waits) {
      input_.file.wait();
    } else {
      longest_ = smallest_step;
    }
    if (input_.seekable()) seek(offset_);
  }

  static constexpr std::size_t smallest_step = 512;

  const open_file& input_;
  std::unique_ptr<std::streambuf> owned_;
  std::streambuf* bytes_;
  std::uint64_t offset_;
  bool waits_;       // for a writer
  bool shows_next_;  // by `sgetc`, which a stream of the user's may lack
  std::size_t longest_ = std::numeric_limits<std::size_t>::max();  // bytes asked for at once
  buffer buffer_;
};

// A std::cin that is synchronised with stdio takes a read that fails or is interrupted for its end. So its
// FILE* is read, which tells them apart.
class synchronised_method final : public active_method {
 public:
  synchronised_method(const open_file& input, const method_options& options)
      : input_(input), offset_(input.start), stdio_(open_stdio(input, options)) {}

  std::span<char> next() override {
    const std::span<char> fresh = stdio_->next();
    if (fresh.empty()) end_stream(input_, offset_);
    offset_ += fresh.size();
    return fresh;
  }
  void seek(std::uint64_t offset) override { stdio_->seek(offset); }

 private:
  const open_file& input_;
  std::uint64_t offset_;
  std::unique_ptr<active_method> stdio_;
};

}  // namespace

std::unique_ptr<active_method> open_stdio(const open_file& input, const method_options& options) {
  return std::make_unique<stdio_method>(input, options);
}

std::unique_ptr<active_method> open_iostream(const open_file& input, const method_options& options) {
  if (input.stdio != nullptr) return std::make_unique<synchronised_method>(input, options);
  return std::make_unique<iostream_method>(input, options);
}

}  // namespace riffle::inline v0
