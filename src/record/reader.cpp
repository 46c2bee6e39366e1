/// Implements the parts of `reader` that go from one block to the next.
#include <riffle/reader.hpp>

#include <algorithm>
#include <new>

namespace riffle::inline v0 {

void reader::fail(errc code) const {
  throw error(code, "read", source_.name(), offset());
}

// Reads the next block behind the bytes that are left. Returns false at the end.
bool reader::more() {
  const std::size_t kept = left();
  scanning_ = false;
  const block region = source_.next(kept);
  next_ = region.data();
  end_ = region.data() + region.size();
  end_offset_ = region.offset + region.size();
  return region.size() > kept;
}

// Memory grows with the bytes that are there, not with `count`, which may be a hostile length from the file.
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
  // If the last byte is there, all of them are.
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

// If the previous call was for a line too, the scan continues behind it, so that no byte is scanned twice.
std::optional<std::string_view> reader::line(const line_options& options) {
  if (scanning_ && options.delimiter == scan_.delimiter()) {
    scan_.go_on(next_, options);
  } else {
    scan_ = detail::line_scan(options, source_.name());
    scan_.start({{next_, left()}, offset()}, 0);
    scanning_ = true;
  }
  detail::line_scan::cursor at = scan_.resume();
  while (!scan_.next(at)) {
    const std::size_t kept = scan_.unfinished();
    const bool ended = !more();
    scan_.start({{next_, left()}, offset()}, kept);
    scanning_ = true;
    at = scan_.resume();
    if (!ended) continue;
    at = scan_.last();
    break;
  }
  next_ = scan_.place();
  if (at.record.data() == nullptr) return std::nullopt;
  return at.record;
}

const char* reader::aligned(std::size_t size, std::size_t alignment) {
  if (copy_size_ < size + alignment) {
    copy_size_ = 0;
    const std::size_t wanted = size + size / 2 + alignment;
    try {
      copy_ = std::make_unique<char[]>(wanted);
    } catch (const std::bad_alloc&) {
      throw error(std::make_error_code(std::errc::not_enough_memory), "read", source_.name(), offset(),
                  "no memory to align the values; take fewer at a time");
    }
    copy_size_ = wanted;
  }
  void* place = copy_.get();
  std::size_t room = copy_size_;
  char* start = static_cast<char*>(std::align(alignment, size, place, room));
  std::memcpy(start, next_, size);
  return start;
}

}  // namespace riffle::inline v0
