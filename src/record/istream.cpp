/// Implements the stream: its buffer is the block that the source handed out last.
#include <riffle/istream.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <streambuf>
#include <utility>

#include "source/source_state.hpp"

namespace riffle::inline v0 {

class [[gnu::visibility("hidden")]] istream::buffer final : public std::streambuf {
 public:
  explicit buffer(source from) : from_(std::move(from)), end_offset_(from_.start()) {}

  const source& from() const noexcept { return from_; }
  const riffle::error* failure() const noexcept { return failure_ ? &*failure_ : nullptr; }

 private:
  std::uint64_t left() const { return static_cast<std::uint64_t>(egptr() - gptr() + (kept_end_ - kept_)); }
  bool has_another() const { return kept_start_ != nullptr; }

  // Continues in the block: after a byte that is not its own, or before its own if that byte was not read.
  void drop_another() {
    if (!has_another()) return;
    setg(kept_start_, kept_ - (egptr() - gptr()), kept_end_);
    kept_start_ = kept_ = kept_end_ = nullptr;
  }

  // After an exception the block may be unmapped, or used for other bytes.
  template <class Action>
  auto noting_failure(Action act) {
    try {
      return act();
    } catch (const riffle::error& failure) {
      failure_ = failure;
      forget();
      throw;
    } catch (...) {
      forget();
      throw;
    }
  }
  void forget() {
    end_offset_ -= left();
    setg(nullptr, nullptr, nullptr);
  }

  // The byte before the next block stays, for `unget`.
  int_type underflow() override {
    if (gptr() == egptr()) drop_another();
    if (gptr() == egptr()) {
      const std::size_t kept = gptr() == eback() ? 0 : 1;
      const block next = noting_failure([&] { return from_.next(kept); });
      // Nobody writes to it: `pbackfail` keeps another byte elsewhere.
      char* const start = const_cast<char*>(next.data());
      setg(start, start + std::min(kept, next.size()), start + next.size());
      end_offset_ = next.offset + next.size();
    }
    ended_ = gptr() == egptr();
    return ended_ ? traits_type::eof() : traits_type::to_int_type(*gptr());
  }

  // As std::filebuf does: one byte that was not read stands in a buffer of its own; the byte before the block
  // is read again if the source is seekable.
  int_type pbackfail(int_type byte) override {
    const bool had_another = has_another();
    if (gptr() != eback()) {
      gbump(-1);
    } else if (seekoff(-1, std::ios_base::cur, std::ios_base::in) == pos_type(failed_position) ||
               underflow() == traits_type::eof()) {
      return traits_type::eof();
    }
    if (byte == traits_type::eof() || byte == traits_type::to_int_type(*gptr()))
      return traits_type::not_eof(byte);
    if (had_another) return traits_type::eof();
    kept_start_ = eback();
    kept_ = gptr() + 1;
    kept_end_ = egptr();
    another_ = traits_type::to_char_type(byte);
    setg(&another_, &another_, &another_ + 1);
    return byte;
  }

  std::streamsize showmanyc() override {
    if (ended_) return -1;
    const std::uint64_t size = from_.size_hint();
    const std::uint64_t place = end_offset_ - left();
    return size > place ? static_cast<std::streamsize>(size - place) : 0;
  }

  pos_type seekoff(off_type by, std::ios_base::seekdir way, std::ios_base::openmode which) override {
    if ((which & std::ios_base::in) == 0 || !from_.seekable()) return failed_position;
    const std::uint64_t base = way == std::ios_base::beg   ? 0
                               : way == std::ios_base::cur ? end_offset_ - left()
                                                           : from_.size_hint();
    if (by == 0 && way == std::ios_base::cur) return static_cast<off_type>(base);
    drop_another();
    const auto furthest = static_cast<std::uint64_t>(std::numeric_limits<off_type>::max());
    const std::uint64_t distance =
        by < 0 ? 0 - static_cast<std::uint64_t>(by) : static_cast<std::uint64_t>(by);
    if (by < 0 ? distance > base : distance > furthest - base) return failed_position;
    const std::uint64_t target = by < 0 ? base - distance : base + distance;
    if (target <= end_offset_ && end_offset_ - target <= static_cast<std::uint64_t>(egptr() - eback())) {
      setg(eback(), egptr() - (end_offset_ - target), egptr());
    } else {
      noting_failure([&] { from_.seek(target); });
      setg(nullptr, nullptr, nullptr);
      end_offset_ = target;
    }
    ended_ = false;
    return static_cast<off_type>(target);
  }
  pos_type seekpos(pos_type to, std::ios_base::openmode which) override {
    return seekoff(off_type(to), std::ios_base::beg, which);
  }

  static constexpr off_type failed_position = -1;

  source from_;
  std::uint64_t end_offset_;  // of the block in the input
  bool ended_ = false;
  std::optional<riffle::error> failure_;
  char another_ = '\0';         // the buffer, while a byte that was not read was put back
  char* kept_start_ = nullptr;  // what the buffer was before; null: the buffer is the block
  char* kept_ = nullptr;
  char* kept_end_ = nullptr;
};

istream::istream(const input& from, const read_options& reading) : istream(source(from, reading)) {}

istream::istream(source from) : std::istream(nullptr), buffer_(std::make_unique<buffer>(std::move(from))) {
  rdbuf(buffer_.get());
  exceptions(badbit);
}

istream::istream(istream&& other) noexcept
    : std::istream(static_cast<std::istream&&>(other)), buffer_(std::move(other.buffer_)) {
  set_rdbuf(buffer_.get());
  other.exceptions(goodbit);
  static_cast<std::ios&>(other).rdbuf(nullptr);  // which sets badbit
}

istream& istream::operator=(istream&& other) noexcept {
  istream taken(std::move(other));
  swap(taken);
  std::swap(buffer_, taken.buffer_);
  set_rdbuf(buffer_.get());
  taken.set_rdbuf(taken.buffer_.get());
  return *this;
}

istream::~istream() = default;

const riffle::error* istream::error() const noexcept {
  return buffer_ == nullptr ? nullptr : buffer_->failure();
}

const source& istream::from() const noexcept {
  return buffer_ == nullptr ? detail::source_state::moved_from : buffer_->from();
}

}  // namespace riffle::inline v0
