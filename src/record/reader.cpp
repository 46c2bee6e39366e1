/// The parts of `reader` that cross from one block to the next.
#include <riffle/reader.hpp>

#include <algorithm>

namespace riffle {

void reader::fail(errc code) const {
  throw error(code, "read", source_.name(), offset());
}

// Reads on by one block, keeping what is left; false at the end.
bool reader::more() {
  const std::size_t kept = left();
  const block region = source_.next(kept);
  next_ = region.data();
  end_ = region.data() + region.size();
  end_offset_ = region.offset + region.size();
  return region.size() > kept;
}

// Memory grows with what is there, not with what is asked for: a length in a hostile file costs nothing.
void reader::gather(std::size_t count) {
  while (left() < count) {
    if (!more()) fail(errc::unexpected_end);
  }
}

void reader::skip(std::uint64_t count) {
  if (count <= left()) {
    next_ += count;
    return;
  }
  if (!source_.seekable()) {
    while (count > left()) {
      count -= left();
      next_ = end_;
      if (!more()) fail(errc::unexpected_end);
    }
    next_ += count;
    return;
  }
  // Only the last byte passed over tells whether they are all there.
  const std::uint64_t from = offset();
  if (count > std::numeric_limits<std::int64_t>::max() - from) fail(errc::unexpected_end);
  source_.seek(from + count - 1);
  next_ = end_ = nullptr;
  if (!more()) {
    source_.seek(from);
    end_offset_ = from;
    fail(errc::unexpected_end);
  }
  ++next_;
}

std::optional<std::string_view> reader::line(const line_options& options) {
  std::size_t searched = 0;
  const void* found = nullptr;
  while (found == nullptr) {
    if (searched < left()) found = std::memchr(next_ + searched, options.delimiter, left() - searched);
    if (found != nullptr) break;
    searched = left();
    if (searched > options.max_length && searched - options.max_length > (options.strip_cr ? 1U : 0U)) {
      fail(errc::record_too_long);
    }
    if (!more()) break;
  }
  if (found == nullptr && left() == 0) return std::nullopt;
  const char* stop = found != nullptr ? static_cast<const char*>(found) : end_;
  std::string_view line(next_, static_cast<std::size_t>(stop - next_));
  const bool cr = options.strip_cr && !line.empty() && line.back() == '\r' && !options.keep_delimiter;
  if (cr) line.remove_suffix(1);
  if (line.size() > options.max_length) fail(errc::record_too_long);
  const char* after = found != nullptr ? stop + 1 : stop;
  if (options.keep_delimiter) line = std::string_view(next_, static_cast<std::size_t>(after - next_));
  next_ = after;
  return line;
}

const char* reader::aligned(std::size_t size, std::size_t alignment) {
  if (copy_size_ < size + alignment) {
    copy_size_ = size + size / 2 + alignment;
    copy_ = std::make_unique<char[]>(copy_size_);
  }
  void* place = copy_.get();
  std::size_t room = copy_size_;
  char* start = static_cast<char*>(std::align(alignment, size, place, room));
  std::memcpy(start, next_ - size, size);
  return start;
}

}  // namespace riffle
