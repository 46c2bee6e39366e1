/// Implements the parts of `reader` that go from one block to the next.
#include <riffle/detail/field_value.hpp>
#include <riffle/detail/line_scan.hpp>
#include <riffle/reader.hpp>

#include <algorithm>
#include <cstring>
#include <exception>
#include <new>
#include <string>

#include "os/threads.hpp"
#include "record/decimal.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

struct [[gnu::visibility("hidden")]] reader::full_state : reader::state {
  source from;
  detail::line_scan scan;
  bool scanning = false;         // whether `scan` has been started on this block
  std::unique_ptr<char[]> copy;  // of the values taken last, where they were not aligned
  std::size_t copy_size = 0;
  std::exception_ptr failure;

  full_state(const input& input, const read_options& reading)
      : from(input, reading), scan({}, from.name(), &detail::source_state::of(from)) {
    end_offset = from.start();
  }
  static full_state& of(state& open) { return static_cast<full_state&>(open); }

  // Reads the next block after the `left` bytes that are left.
  position next(std::size_t left, remedy helps) {
    scanning = false;
    const block region = detail::source_state::of(from).next(left, helps);
    end_offset = region.offset + region.size();
    return {region.data(), region.data() + region.size()};
  }
  // The same. Returns false at the end.
  bool more(position& at, remedy helps = {advice::fewer_bytes}) {
    const std::size_t kept = size_of(at);
    at = next(kept, helps);
    return size_of(at) > kept;
  }

  static std::size_t size_of(position at) { return static_cast<std::size_t>(at.end - at.next); }
  std::uint64_t offset_of(position at) const { return end_offset - size_of(at); }

  void seek(position& at, std::uint64_t offset);
  void skip(position& at, std::uint64_t count);
  std::optional<std::string_view> line(position& at, const line_options& options);
  const char* aligned(position at, std::size_t size, std::size_t alignment);
  template <class T>
  [[gnu::noinline]] position number(position at, detail::taken_number<T>& found) noexcept;
  // Returns the bytes up to the next white space, after which the reader still stands before them.
  std::string_view number_text(position& at);
  [[noreturn]] void fail_number(position at, std::string_view text, detail::outcome why,
                                std::string_view type) const;

  // Calls `f`, which moves `at`, and keeps what it throws. Returns where it stood then.
  template <class F>
  position moved(position at, F f) noexcept {
    const os::uncancelled moving;
    try {
      f(at);
    } catch (...) {
      failure = std::current_exception();
      failed = true;
      const detail::source_state& source = detail::source_state::of(from);
      if (source.failed()) {  // the bytes that are left may be unmapped
        end_offset -= size_of(at);
        at.end = at.next;
      } else {  // the block may be used for other bytes, but those that are left are kept
        const std::string_view kept = source.last();
        at = {kept.data() + kept.size() - size_of(at), kept.data() + kept.size()};
      }
    }
    return at;
  }
};

reader::state* reader::open(const input& from, const read_options& reading) {
  return new full_state(from, reading);
}

void reader::destroy(state* open) noexcept {
  delete static_cast<full_state*>(open);
}

const source& reader::source_of(const state* open) noexcept {
  return open == nullptr ? detail::source_state::moved_from : static_cast<const full_state*>(open)->from;
}

void reader::fail_moved_from() {
  throw error(errc::invalid_argument, "read", "", std::nullopt, "the reader was moved from");
}

void reader::fail(const state& open, position at, errc code, std::string_view detail) {
  const auto& full = static_cast<const full_state&>(open);
  full.from.check();  // what was asked for may come of bytes that were lost
  throw error(code, "read", full.from.name(), full.offset_of(at), detail);
}

void reader::fail_unread(const state* open, position at) {
  if (open == nullptr) fail_moved_from();
  fail(*open, at, errc::invalid_argument, "the last call took fewer bytes than are given back");
}

void reader::rethrow(state& open) {
  open.failed = false;
  std::rethrow_exception(std::exchange(full_state::of(open).failure, nullptr));
}

reader::position reader::next_block(state& open) noexcept {
  auto& full = full_state::of(open);
  return full.moved({nullptr, nullptr}, [&](position& moving) { moving = full.next(0, {}); });
}

// Memory grows with the bytes that are there, not with `count`, which may be a hostile length from the file.
reader::position reader::gather(state& open, position at, std::size_t count) noexcept {
  auto& full = full_state::of(open);
  return full.moved(at, [&](position& moving) {
    while (full_state::size_of(moving) < count) {
      if (!full.more(moving)) fail(open, moving, errc::unexpected_end);
    }
  });
}

reader::position reader::fill(state& open, position at, std::size_t count) noexcept {
  auto& full = full_state::of(open);
  return full.moved(at, [&](position& moving) {
    while (full_state::size_of(moving) < count && full.more(moving)) {
    }
  });
}

reader::position reader::seek(state& open, position at, std::uint64_t offset) noexcept {
  auto& full = full_state::of(open);
  return full.moved(at, [&](position& moving) { full.seek(moving, offset); });
}

void reader::full_state::seek(position& at, std::uint64_t offset) {
  const std::uint64_t held = at.end == nullptr ? 0 : detail::source_state::of(from).last().size();
  if (from.seekable() && offset <= end_offset && end_offset - offset <= held) {
    at.next = at.end - (end_offset - offset);
  } else {
    from.seek(offset);
    at = {nullptr, nullptr};
    end_offset = offset;
  }
  scanning = false;
}

reader::position reader::skip(state& open, position at, std::uint64_t count) noexcept {
  auto& full = full_state::of(open);
  return full.moved(at, [&](position& moving) { full.skip(moving, count); });
}

void reader::full_state::skip(position& at, std::uint64_t count) {
  if (!from.seekable()) {
    while (count > size_of(at)) {
      count -= size_of(at);
      at.next = at.end;
      if (!more(at)) fail(*this, at, errc::unexpected_end);
    }
    at.next += count;
    return;
  }
  // If the last byte is there, all of them are.
  const std::uint64_t start = offset_of(at);
  if (count > std::numeric_limits<std::int64_t>::max() - start) fail(*this, at, errc::unexpected_end);
  const auto go_back = [&] {
    from.seek(start);
    end_offset = start;
  };
  from.seek(start + count - 1);
  at.next = at.end = nullptr;
  const bool there = [&] {
    try {
      return more(at);
    } catch (...) {  // of `before_block`: the reader may go on after it
      go_back();
      throw;
    }
  }();
  if (!there) {
    go_back();
    fail(*this, at, errc::unexpected_end);
  }
  ++at.next;
}

reader::position reader::line(state& open, position at, const line_options& options,
                              std::optional<std::string_view>& found) noexcept {
  auto& full = full_state::of(open);
  return full.moved(at, [&](position& moving) { found = full.line(moving, options); });
}

// If the previous call was for a line too, the scan continues after it, so that no byte is scanned twice.
std::optional<std::string_view> reader::full_state::line(position& at, const line_options& options) {
  const auto here = [&] { return block{{at.next, size_of(at)}, offset_of(at)}; };
  if (scanning && options.delimiter == scan.delimiter()) {
    scan.go_on(at.next, options);
  } else {
    scan = detail::line_scan(options, from.name(), &detail::source_state::of(from));
    scan.start(here(), 0);
  }
  detail::line_scan::cursor cursor = scan.resume();
  while (!scan.next(cursor)) {
    const std::size_t kept = scan.unfinished();
    const bool ended = !more(at, {advice::set_max_length});
    scan.start(here(), kept);
    cursor = scan.resume();
    if (!ended) continue;
    cursor = scan.last();
    break;
  }
  scanning = true;
  at.next = scan.place();
  if (cursor.record.data() == nullptr) return std::nullopt;
  return cursor.record;
}

// Most numbers lie in the block and are simple: they need neither a handler nor the end of their text first.
template <class T>
reader::position reader::number(state& open, position at, detail::taken_number<T>& found) noexcept {
  const char* next = at.next;
  while (next != at.end && detail::any_white::is(*next)) ++next;
  const char* const stop = detail::front_number(next, at.end, found.value);
  if (stop == nullptr) return full_state::of(open).number({next, at.end}, found);
  found.size = static_cast<std::size_t>(stop - next);
  return {stop, at.end};
}

template <class T>
reader::position reader::full_state::number(position at, detail::taken_number<T>& found) noexcept {
  return moved(at, [&](position& moving) {
    const std::string_view text = number_text(moving);
    if (text.empty()) return;
    using traits = detail::field_traits<T>;
    const detail::conversion<T> value = traits::convert(text);
    if (value.result != detail::outcome::done) fail_number(moving, text, value.result, traits::name);
    found = {value.value, text.size()};
    moving.next += text.size();
  });
}

template reader::position reader::number(state&, position, detail::taken_number<std::int8_t>&) noexcept;
template reader::position reader::number(state&, position, detail::taken_number<std::uint8_t>&) noexcept;
template reader::position reader::number(state&, position, detail::taken_number<std::int16_t>&) noexcept;
template reader::position reader::number(state&, position, detail::taken_number<std::uint16_t>&) noexcept;
template reader::position reader::number(state&, position, detail::taken_number<std::int32_t>&) noexcept;
template reader::position reader::number(state&, position, detail::taken_number<std::uint32_t>&) noexcept;
template reader::position reader::number(state&, position, detail::taken_number<std::int64_t>&) noexcept;
template reader::position reader::number(state&, position, detail::taken_number<std::uint64_t>&) noexcept;
template reader::position reader::number(state&, position, detail::taken_number<float>&) noexcept;
template reader::position reader::number(state&, position, detail::taken_number<double>&) noexcept;

std::string_view reader::full_state::number_text(position& at) {
  do {
    at.next = std::find_if_not(at.next, at.end, detail::any_white::is);
  } while (at.next == at.end && more(at));
  const char* stop = at.next;
  while (true) {
    stop = std::find_if(stop, at.end, detail::any_white::is);
    const auto size = static_cast<std::size_t>(stop - at.next);
    if (size > detail::longest_number) {
      from.check();
      throw error(errc::record_too_long, "read", from.name(), offset_of(at),
                  "a number has at most " + std::to_string(detail::longest_number) + " bytes");
    }
    if (stop != at.end || !more(at)) return {at.next, size};
    stop = at.next + size;
  }
}

void reader::full_state::fail_number(position at, std::string_view text, detail::outcome why,
                                     std::string_view type) const {
  from.check();  // the text may be bytes that were lost
  constexpr std::size_t shown = 40;
  const bool out_of_range = why == detail::outcome::out_of_range;
  const bool is_float = type.starts_with('f');
  throw error(out_of_range ? errc::value_out_of_range : errc::bad_value, "read", from.name(), offset_of(at),
              "'" + std::string(text.substr(0, shown)) +
                  (out_of_range ? "' is out of range of " : "' is no ") +
                  std::string(is_float && !out_of_range ? "number" : type));
}

const char* reader::aligned(state& open, position at, std::size_t size, std::size_t alignment) noexcept {
  auto& full = full_state::of(open);
  const char* start = nullptr;
  full.moved(at, [&](position&) { start = full.aligned(at, size, alignment); });
  return start;
}

const char* reader::full_state::aligned(position at, std::size_t size, std::size_t alignment) {
  if (copy_size < size + alignment) {
    copy_size = 0;
    const std::size_t wanted = size + size / 2 + alignment;
    try {
      copy = std::make_unique<char[]>(wanted);
    } catch (const std::bad_alloc&) {
      throw error(std::make_error_code(std::errc::not_enough_memory), "read", from.name(), offset_of(at),
                  "no memory to align the values", {advice::fewer_bytes});
    }
    copy_size = wanted;
  }
  void* place = copy.get();
  std::size_t room = copy_size;
  char* start = static_cast<char*>(std::align(alignment, size, place, room));
  std::memcpy(start, at.next, size);
  return start;
}

}  // namespace riffle::inline v0
