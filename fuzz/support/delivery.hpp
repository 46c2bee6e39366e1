/// The same bytes as every kind of input, in the pieces and by the method that the fuzzer chooses.
#pragma once

#include <riffle/riffle.hpp>

#include <fcntl.h>
#include <fuzzer/FuzzedDataProvider.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <istream>
#include <memory>
#include <optional>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fuzz/support/require.hpp"
#include "tests/support/reading.hpp"

namespace riffle::fuzz {

/// Bytes in pieces: each call gives what is left of a piece, or less.
class pieces {
 public:
  pieces(std::string_view bytes, std::vector<std::size_t> sizes)
      : bytes_(bytes), sizes_(std::move(sizes)), left_(next_size()) {}
  /// At most `most` bytes of one piece; empty at the end.
  std::string_view next(std::size_t most) {
    if (left_ == 0) left_ = next_size();
    const std::string_view piece = bytes_.substr(0, std::min(left_, most));
    bytes_.remove_prefix(piece.size());
    left_ -= piece.size();
    return piece;
  }

 private:
  std::size_t next_size() { return std::min(bytes_.size(), sizes_[place_++ % sizes_.size()]); }
  std::string_view bytes_;
  std::vector<std::size_t> sizes_;  // over and over again, none 0
  std::size_t place_ = 0;
  std::size_t left_;
};

/// A stream that gives its bytes in pieces.
class piece_buffer : public std::streambuf {
 public:
  explicit piece_buffer(pieces from) : from_(std::move(from)) {}

 protected:
  int_type underflow() override {
    now_ = from_.next(std::string_view::npos);
    setg(now_.data(), now_.data(), now_.data() + now_.size());
    return now_.empty() ? traits_type::eof() : traits_type::to_int_type(now_.front());
  }
  std::streamsize showmanyc() override { return 0; }

 private:
  pieces from_;
  std::string now_;
};

/// A file without a name, overwritten for each run.
class scratch_file {
 public:
  scratch_file() : descriptor_(::open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600)) {
    require(descriptor_ >= 0, "/tmp takes a file");
  }
  void write(std::string_view bytes) const {
    require(::ftruncate(descriptor_, 0) == 0, "a file can be emptied");
    require(::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()),
            "a file takes its bytes");
  }
  int descriptor() const { return descriptor_; }
  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

 private:
  int descriptor_;
};

/// The text of a run: bytes of the fuzzer, over and over, so that a few of them fill several pages.
inline std::string text_of(FuzzedDataProvider& from, std::size_t longest = 40'000) {
  const std::size_t times = from.ConsumeIntegralInRange<std::size_t>(1, 64);
  const std::size_t before = from.ConsumeIntegralInRange<std::size_t>(0, 4200);
  const bool long_before = from.ConsumeIntegralInRange(0, 3) == 0;
  const std::string bytes = from.ConsumeRemainingBytesAsString();
  std::string text(long_before ? before : before % 70, 'x');
  for (std::size_t i = 0; i < times && text.size() < longest; ++i) text += bytes;
  return text.substr(0, longest);
}

inline std::vector<std::size_t> piece_sizes(FuzzedDataProvider& from, std::size_t largest) {
  std::vector<std::size_t> sizes(from.ConsumeIntegralInRange<std::size_t>(1, 5));
  for (std::size_t& size : sizes) size = from.ConsumeIntegralInRange<std::size_t>(1, largest);
  return sizes;
}

/// A text, delivered as an input. The input borrows it, so the object stays where it is.
class delivery {
 public:
  enum class kind : std::uint8_t {
    memory,
    path,
    descriptor,
    file_pointer,
    stream,
    pipe,
    mapped,
    kMaxValue = mapped
  };

  /// Takes the parameters from the back of the fuzzer's bytes, and what is left as the text.
  explicit delivery(FuzzedDataProvider& from)
      : kind_(from.ConsumeEnum<kind>()),
        options_(options(from)),
        sizes_(piece_sizes(from, std::min<std::size_t>(block_size(), 5000))),
        start_(from.ConsumeBool() ? from.ConsumeIntegralInRange<std::size_t>(0, 5000) : 0),
        text_(text_of(from, std::min<std::size_t>(40'000, block_size() * 100))) {
    options_.method = usable_method(from_method_);
    open();
  }
  ~delivery() {
    if (stream_file_ != nullptr) std::fclose(stream_file_);
    if (pipe_ >= 0) ::close(pipe_);
  }
  delivery(const delivery&) = delete;
  delivery& operator=(const delivery&) = delete;

  const input& from() const { return *input_; }
  const read_options& reading() const { return options_; }
  /// What is to be read.
  std::string_view text() const { return expected_; }
  /// The offset of the text in the input.
  std::uint64_t start() const { return kind_ == kind::descriptor ? start_ : 0; }

 private:
  std::size_t block_size() const {
    return options_.block_size == 0 ? std::size_t{256} << 10U : options_.block_size;
  }

  read_options options(FuzzedDataProvider& from) {
    from_method_ = from.ConsumeIntegral<std::uint8_t>();
    constexpr std::size_t sizes[] = {1, 2, 3, 7, 16, 63, 64, 65, 512, 4096, 5000, 8192, 0};
    return {.block_size = from.PickValueInArray(sizes),
            .queue_depth = from.ConsumeIntegralInRange<unsigned>(0, 9),
            .sequential = from.ConsumeBool(),
            .will_need = from.ConsumeBool(),
            .populate = from.ConsumeBool(),
            .shared = from.ConsumeBool(),
            .whole_file = from.ConsumeBool(),
            .keep_cache = from.ConsumeIntegralInRange(0, 7) != 0,
            .fault_guard = from.ConsumeBool()};
  }

  // One of those that this machine has for the kind.
  method usable_method(unsigned chosen) const {
    input_kind which = input_kind::regular_file;
    if (kind_ == kind::memory || kind_ == kind::mapped) return method::automatic;
    if (kind_ == kind::file_pointer) which = input_kind::file_pointer;
    if (kind_ == kind::stream) which = input_kind::istream;
    if (kind_ == kind::pipe) which = input_kind::stream;
    const std::vector<method> usable = test::usable_methods(which);
    return usable[chosen % usable.size()];
  }

  void open() {
    static const scratch_file file;
    expected_ = text_;
    switch (kind_) {
      case kind::memory:
        input_.emplace(memory(text_));
        break;
      case kind::path:
        file.write(text_);
        input_.emplace(file.path());
        break;
      case kind::descriptor:
        file.write(text_);
        expected_ = std::string_view(text_).substr(std::min(start_, text_.size()));
        ::lseek(file.descriptor(), static_cast<off_t>(start_), SEEK_SET);
        input_.emplace(file.descriptor());
        break;
      case kind::file_pointer:
        open_file_pointer();
        break;
      case kind::stream:
        buffer_.emplace(pieces(text_, sizes_));
        stream_ = std::make_unique<std::istream>(&*buffer_);
        input_.emplace(*stream_);
        break;
      case kind::pipe:
        open_pipe();
        break;
      case kind::mapped:
        file.write(text_);
        mapped_ = mapped_file(file.path());
        input_.emplace(mapped_);
        break;
    }
  }

  void open_file_pointer() {
    pieces_.emplace(text_, sizes_);
    cookie_read_function_t* const read = [](void* self, char* to, std::size_t size) -> ssize_t {
      const std::string_view piece = static_cast<pieces*>(self)->next(size);
      std::ranges::copy(piece, to);
      return static_cast<ssize_t>(piece.size());
    };
    stream_file_ =
        ::fopencookie(&*pieces_, "r", {.read = read, .write = nullptr, .seek = nullptr, .close = nullptr});
    require(stream_file_ != nullptr, "a FILE* opens");
    input_.emplace(stream_file_);
  }

  // A pipe in packet mode hands out a packet for each read(2), so that the cuts are those of the fuzzer. What
  // does not fit into the pipe is not delivered.
  void open_pipe() {
    int ends[2] = {-1, -1};
    require(::pipe2(ends, O_CLOEXEC | O_DIRECT | O_NONBLOCK) == 0, "a pipe opens");
    ::fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
    pieces cut(text_, sizes_);
    std::size_t written = 0;
    for (std::string_view piece = cut.next(4096); !piece.empty(); piece = cut.next(4096)) {
      if (::write(ends[1], piece.data(), piece.size()) < 0) break;
      written += piece.size();
    }
    ::close(ends[1]);
    pipe_ = ends[0];
    expected_ = expected_.substr(0, written);
    input_.emplace(pipe_);
  }

  kind kind_;
  std::uint8_t from_method_;
  read_options options_;
  std::vector<std::size_t> sizes_;
  std::size_t start_;
  std::string text_;
  std::string_view expected_;
  std::optional<pieces> pieces_;
  std::FILE* stream_file_ = nullptr;
  std::optional<piece_buffer> buffer_;
  std::unique_ptr<std::istream> stream_;
  int pipe_ = -1;
  mapped_file mapped_;
  std::optional<input> input_;
};

}  // namespace riffle::fuzz
