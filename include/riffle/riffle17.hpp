/// Offers lines, words and a reader to programs in C++17, by the functions of riffle.h. Programs in C++20
/// include <riffle/riffle.hpp> instead; both may stand in one program.
///
/// Throws: what fails throws `riffle17::error`, after the records before the failure. Thread safety: any
/// number of threads may call functions at once; one object is for one thread at a time.
#pragma once

#if __cplusplus < 201703L
#error "riffle/riffle17.hpp needs C++17: compile with -std=c++17"
#endif

#include <riffle.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace riffle17 {

/// Reports a failure: "cannot read 'a.gz' at byte 4096: unexpected end of the input". Copying does not throw;
/// moving copies.
class error : public std::exception {
 public:
  /// Takes what a function of riffle.h said of an input of that name.
  error(const riffle_error& failure, std::string path)
      : place_(std::make_shared<const place>(place{failure, std::move(path)})) {}
  error(const error&) noexcept = default;  // also moves, so that no error lacks its place
  error& operator=(const error&) noexcept = default;

  /// Returns the message. Valid as long as this error or a copy of it, as all that it returns.
  const char* what() const noexcept override { return place_->failure.message; }
  /// Returns RIFFLE_TRUNCATED and the like; RIFFLE_SYSTEM if the operating system failed.
  riffle_code code() const noexcept { return place_->failure.code; }
  /// Returns the number of the operating system (errno), or 0.
  int system_error() const noexcept { return place_->failure.system_error; }
  /// Returns the path as you gave it, or the name of another input.
  const std::string& path() const noexcept { return place_->path; }
  /// Returns where the input failed, in bytes from its start; none if the failure has no place.
  std::optional<std::uint64_t> offset() const noexcept {
    if (place_->failure.offset == RIFFLE_NO_OFFSET) return std::nullopt;
    return place_->failure.offset;
  }

 private:
  struct place {
    riffle_error failure;
    std::string path;
  };
  std::shared_ptr<const place> place_;
};

/// Says how an input is read, with the defaults of riffle.h: `options.decode = RIFFLE_DECODE_AUTOMATIC`.
struct read_options : riffle_read_options {
  read_options() noexcept { riffle_read_options_init(this, sizeof(riffle_read_options)); }
};

/// Says what a line is, with the defaults of riffle.h: `options.strip_cr = 1`.
struct line_options : riffle_line_options {
  line_options() noexcept { riffle_line_options_init(this, sizeof(riffle_line_options)); }
};

namespace detail {

template <class T, void (*close_handle)(T**)>
struct closer {
  void operator()(T* handle) const noexcept { close_handle(&handle); }
};
using input_handle = std::unique_ptr<riffle_input, closer<riffle_input, riffle_input_close>>;
using records_handle = std::unique_ptr<riffle_records, closer<riffle_records, riffle_records_close>>;

[[noreturn]] inline void fail(riffle_code code, std::uint64_t offset, const std::string& name,
                              const std::string& cause) {
  riffle_error failure{};
  failure.code = code;
  failure.offset = offset;
  failure.compressed_offset = RIFFLE_NO_OFFSET;
  const std::string place = offset == RIFFLE_NO_OFFSET ? "" : " at byte " + std::to_string(offset);
  const std::string text = "cannot read '" + name + "'" + place + ": " + cause;
  text.copy(failure.message, sizeof failure.message - 1);
  throw error(failure, name);
}

}  // namespace detail

/// Holds what is read: a path, or what it borrows: an open descriptor, a `FILE*`, bytes in memory. Reading
/// starts at the position of a descriptor or a `FILE*`.
class input {
 public:
  input(const char* path) : input(riffle_input_path(path), path == nullptr ? "" : path) {}
  input(const std::string& path) : input(path.c_str()) {}
  input(int descriptor)
      : input(riffle_input_descriptor(descriptor),
              descriptor == 0 ? "standard input" : "descriptor " + std::to_string(descriptor)) {}
  input(std::FILE* file) : input(riffle_input_file(file), file == stdin ? "standard input" : "FILE*") {}
  /// An input of riffle.h, which this object closes, and the name of it in `error::path`.
  input(riffle_input* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  /// The bytes of a view, which must outlive the reading.
  static input memory(std::string_view bytes) {
    return {riffle_input_memory(bytes.data(), bytes.size()), "memory"};
  }
  /// A temporary would be gone before it is read: keep it in a variable.
  static input memory(std::string&&) = delete;
  static input memory(const char* text) { return memory(std::string_view(text)); }

  /// Returns the name in messages. Valid as long as the input.
  const std::string& name() const noexcept { return name_; }
  /// Returns what functions of riffle.h take. Valid as long as the input.
  const riffle_input* handle() const noexcept { return handle_.get(); }

 private:
  detail::input_handle handle_;
  std::string name_;
};

/// Iterates over records, once: `for (std::string_view line : riffle17::lines("access.log"))`. `lines` and
/// `words` make it. After a `break`, the next loop goes on after the last record. Lifetime: a record stays
/// valid until you advance to the next one.
class record_range {
 public:
  /// Points to a record; equal to another iterator if both are at the end.
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string_view;
    using difference_type = std::ptrdiff_t;
    using pointer = const std::string_view*;
    using reference = const std::string_view&;

    iterator() = default;
    explicit iterator(record_range& range) : range_(&range) { ++*this; }
    reference operator*() const noexcept { return record_; }
    pointer operator->() const noexcept { return &record_; }
    iterator& operator++() {
      if (range_->at_ == range_->count_ && !range_->refill()) {
        range_ = nullptr;
      } else {
        const riffle_string& next = range_->views_[range_->at_++];
        record_ = {next.data, next.size};
      }
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.range_ == b.range_; }
    friend bool operator!=(const iterator& a, const iterator& b) noexcept { return a.range_ != b.range_; }

   private:
    record_range* range_ = nullptr;  // null at the end
    std::string_view record_;
  };

  /// Takes a handle of riffle.h, of lines or words, and the name of its input.
  record_range(riffle_records* records, std::string name)
      : records_(records), name_(std::move(name)), views_(512) {}

  /// A loop over a range that was moved from throws RIFFLE_INVALID_ARGUMENT.
  record_range(record_range&& other) noexcept { swap(other); }
  record_range& operator=(record_range&& other) noexcept {
    record_range(std::move(other)).swap(*this);
    return *this;
  }

  /// Returns an iterator to the first record that is left.
  iterator begin() { return iterator(*this); }
  iterator end() const noexcept { return {}; }

  /// Throws if the records handed out last cannot be trusted: call it if you stop before the end.
  void check() const {
    riffle_error failure;
    if (riffle_records_check(records_.get(), &failure) != RIFFLE_OK) throw error(failure, name_);
  }

 private:
  void swap(record_range& other) noexcept {
    std::swap(records_, other.records_);
    std::swap(name_, other.name_);
    std::swap(views_, other.views_);
    std::swap(at_, other.at_);
    std::swap(count_, other.count_);
  }
  bool refill() {
    if (records_ == nullptr)
      detail::fail(RIFFLE_INVALID_ARGUMENT, RIFFLE_NO_OFFSET, name_, "the range was moved from");
    at_ = count_ = 0;
    riffle_error failure;
    if (riffle_records_next(records_.get(), views_.data(), views_.size(), &count_, &failure) != RIFFLE_OK)
      throw error(failure, name_);
    return count_ != 0;
  }

  detail::records_handle records_;
  std::string name_;
  std::vector<riffle_string> views_;
  std::size_t at_ = 0;
  std::size_t count_ = 0;
};

/// Returns the lines of an input.
inline record_range lines(const input& from, const line_options& options = {},
                          const read_options& reading = {}) {
  riffle_records* opened = nullptr;
  riffle_error failure;
  if (riffle_lines_open(from.handle(), &options, &reading, &opened, &failure) != RIFFLE_OK)
    throw error(failure, from.name());
  return {opened, from.name()};
}
inline record_range lines(const input& from, const read_options& reading) {
  return lines(from, {}, reading);
}

/// Returns the words of an input: runs of bytes that are not white space.
inline record_range words(const input& from, const read_options& reading = {},
                          std::size_t max_length = SIZE_MAX) {
  riffle_records* opened = nullptr;
  riffle_error failure;
  if (riffle_words_open(from.handle(), max_length, &reading, &opened, &failure) != RIFFLE_OK)
    throw error(failure, from.name());
  return {opened, from.name()};
}

/// Takes values, bytes and lines from the front of an input. Lifetime: a view stays valid until the next call
/// of a function that is not const.
class reader {
 public:
  explicit reader(const input& from, const read_options& reading = {}) : name_(from.name()) {
    riffle_records* opened = nullptr;
    riffle_error failure;
    if (riffle_blocks_open(from.handle(), &reading, &opened, &failure) != RIFFLE_OK)
      throw error(failure, name_);
    blocks_.reset(opened);
    end_ = riffle_records_start(opened);
  }
  /// Every call for at least one byte of a reader that was moved from throws RIFFLE_INVALID_ARGUMENT.
  reader(reader&& other) noexcept { swap(other); }
  reader& operator=(reader&& other) noexcept {
    reader(std::move(other)).swap(*this);
    return *this;
  }

  /// Returns the next value, as its bytes lie in memory. Throws RIFFLE_UNEXPECTED_END, and takes nothing, if
  /// fewer bytes are left.
  template <class T>
  T get() {
    static_assert(std::is_trivially_copyable_v<T>, "a value is read as its bytes lie in memory");
    T value;
    std::memcpy(&value, bytes(sizeof(T)).data(), sizeof(T));
    return value;
  }
  /// Returns the next `count` bytes. Throws as `get` does.
  std::string_view bytes(std::size_t count) {
    while (left() < count) {
      if (!more()) detail::fail(RIFFLE_UNEXPECTED_END, offset(), name_, "unexpected end of the input");
    }
    return take(count);
  }
  /// Returns the next line without its newline, none at the end.
  std::optional<std::string_view> line() {
    for (std::size_t searched = 0;;) {
      const void* const newline =
          searched == left() ? nullptr : std::memchr(next() + searched, '\n', left() - searched);
      if (newline != nullptr) {
        const std::string_view whole =
            take(static_cast<std::size_t>(static_cast<const char*>(newline) - next()) + 1);
        return whole.substr(0, whole.size() - 1);
      }
      searched = left();
      if (!more()) break;
    }
    if (left() == 0) return std::nullopt;
    return take(left());
  }
  /// Fills `into` with the next bytes, as `fread` and `gzread` do, and returns their number: fewer than
  /// `room` only at the end. If it throws, the bytes before the failure are in `into`: `offset` says how
  /// many.
  std::size_t read(char* into, std::size_t room) {
    std::size_t count = 0;
    while (count != room) {
      const std::size_t some = read_some(into + count, room - count);
      if (some == 0) break;
      count += some;
    }
    return count;
  }
  /// Copies the next bytes, at most `room`, and returns their number, without waiting for more; 0 at the end,
  /// or if `room` is 0.
  std::size_t read_some(char* into, std::size_t room) {
    if (room == 0) return 0;
    if (left() == 0) return read_block(into, room);
    const std::string_view some = take(left() < room ? left() : room);
    std::memcpy(into, some.data(), some.size());
    return some.size();
  }
  /// Returns whether the input has ended.
  bool at_end() { return left() == 0 && !more(); }
  /// Returns the offset of the next byte, in bytes from the start of the input.
  std::uint64_t offset() const noexcept { return end_ - left(); }

 private:
  std::size_t left() const noexcept { return size_ - at_; }
  const char* next() const noexcept { return block_.data() + at_; }
  std::string_view take(std::size_t count) noexcept {
    at_ += count;
    return {block_.data() + at_ - count, count};
  }
  std::size_t read_block(char* into, std::size_t room) {
    if (blocks_ == nullptr)
      detail::fail(RIFFLE_INVALID_ARGUMENT, RIFFLE_NO_OFFSET, name_, "the reader was moved from");
    std::size_t count = 0;
    riffle_error failure;
    if (riffle_read_some(blocks_.get(), into, room, &count, &failure) != RIFFLE_OK)
      throw error(failure, name_);
    end_ += count;
    return count;
  }
  // Moves what is left to the front, and reads after it. Returns false at the end.
  bool more() {
    if (at_ != 0) std::memmove(block_.data(), next(), left());
    size_ -= std::exchange(at_, 0);
    if (block_.size() - size_ < smallest_read) block_.resize(2 * block_.size() + smallest_read);
    const std::size_t count = read_block(block_.data() + size_, block_.size() - size_);
    size_ += count;
    return count != 0;
  }
  void swap(reader& other) noexcept {
    std::swap(blocks_, other.blocks_);
    std::swap(name_, other.name_);
    std::swap(block_, other.block_);
    std::swap(at_, other.at_);
    std::swap(size_, other.size_);
    std::swap(end_, other.end_);
  }

  static constexpr std::size_t smallest_read = 65536;
  detail::records_handle blocks_;
  std::string name_;
  std::vector<char> block_;
  std::size_t at_ = 0;     // of the next byte in the block
  std::size_t size_ = 0;   // of what was read into the block
  std::uint64_t end_ = 0;  // the offset of the end of that in the input
};

}  // namespace riffle17
