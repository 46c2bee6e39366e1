/// Offers the lines of an input by their numbers.
#pragma once

#include <riffle/detail/record_iterator.hpp>
#include <riffle/export.hpp>
#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace riffle::inline v0 {

/// Says how the index of the lines is made, and what it holds. Use designated initialisers.
struct line_index_options {
  /// Threads that read the input; 0: as many as the process may run.
  unsigned threads = 0;
  /// Keep the offset of each such line at least; 0 is taken for 1. An offset takes 16 bytes, with 1 it takes
  /// 8 bytes. To read a line reads the lines since the last offset, or 64 KiB of them. So a large number
  /// saves memory, and a small one time.
  std::size_t every = 64;
  /// The most bytes that the offsets may take, at least 4 KiB; 0: no limit. If there are more, riffle drops
  /// every second one.
  std::uint64_t max_memory = 0;
};

namespace detail {

class indexed_lines;
class line_part;

}  // namespace detail

/// Knows where the lines of an input start, and reads a line by its number: `index[n]`. It counts from 0.
///
/// It reads a line of a file from the file. It has a descriptor of its own for that, and no mapping. Of BGZF,
/// xz of several blocks, and Zstandard of several frames it decodes the block with the line, and what follows
/// it up to the line's end.
///
/// Outcomes: a line, or `riffle::error`. `errc::changed` if the file has another size or time of modification
/// than when it was indexed; `errc::invalid_argument` if there is no line of that number, or for an index
/// that was moved from; `errc::record_too_long` for a line over `max_length`;
/// `std::errc::invalid_seek` if the input can be read only once or from its start only,
/// as a pipe, a `std::istream` or plain gzip: of these the index knows `size()` and the offsets.
/// Lifetime: memory, a mapped file and an object of yours must outlive the index. Other inputs may be closed.
/// Moving an index keeps its iterators valid. Thread safety: any number of threads may call const functions
/// at once. An iterator is for one thread at a time.
class RIFFLE_API line_index {
 public:
  /// Stands at a line of an index. It can be copied, and moves by any number of lines in both directions. It
  /// reads neighbouring lines together, so a loop over all lines reads the file once: it keeps up to 256 KiB
  /// of lines (4 MiB if they are decoded), or one line, which its copies share.
  class RIFFLE_API iterator {
   public:
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;
    using value_type = std::string;
    using difference_type = std::ptrdiff_t;
    using reference = std::string;
    using pointer = detail::arrow<std::string>;

    iterator() noexcept = default;

    /// Returns a copy of the line. Throws as `line_index::operator[]` does; it may be called again.
    [[nodiscard]] std::string operator*() const { return std::string(view()); }
    [[nodiscard]] pointer operator->() const { return {**this}; }
    [[nodiscard]] std::string operator[](difference_type distance) const { return *(*this + distance); }
    /// Returns the line without a copy. Valid until `view` or `*` is called for another line, or this
    /// iterator is destroyed or assigned to. Throws as `*` does.
    [[nodiscard]] std::string_view view() const RIFFLE_LIFETIMEBOUND;
    /// Returns whether the line was read already, so that `view` waits for nothing.
    [[nodiscard]] bool ready() const noexcept;
    /// Returns the number of the line, from 0; at the end `size()`.
    [[nodiscard]] std::uint64_t line() const noexcept { return line_; }

    iterator& operator++() noexcept { return *this += 1; }
    iterator& operator--() noexcept { return *this -= 1; }
    iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
    iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }
    iterator& operator+=(difference_type distance) noexcept {
      line_ += static_cast<std::uint64_t>(distance);
      return *this;
    }
    iterator& operator-=(difference_type distance) noexcept {
      line_ -= static_cast<std::uint64_t>(distance);
      return *this;
    }
    friend iterator operator+(iterator from, difference_type distance) noexcept { return from += distance; }
    friend iterator operator+(difference_type distance, iterator from) noexcept { return from += distance; }
    friend iterator operator-(iterator from, difference_type distance) noexcept { return from -= distance; }
    friend difference_type operator-(const iterator& left, const iterator& right) noexcept {
      return static_cast<difference_type>(left.line_ - right.line_);
    }
    friend bool operator==(const iterator& left, const iterator& right) noexcept {
      return left.line_ == right.line_;
    }
    friend std::strong_ordering operator<=>(const iterator& left, const iterator& right) noexcept {
      return left.line_ <=> right.line_;
    }

   private:
    friend line_index;
    iterator(const detail::indexed_lines& lines, std::uint64_t line) noexcept : lines_(&lines), line_(line) {}

    const detail::indexed_lines* lines_ = nullptr;
    std::uint64_t line_ = 0;
    mutable std::shared_ptr<const detail::line_part> part_;  // the lines read last
  };
  using const_iterator = iterator;
  using value_type = std::string;

  /// Reads the input to its end, by several threads. If it has to be decoded and has parts, riffle reads it
  /// twice and decodes it once.
  ///
  /// Throws `riffle::error` if the input cannot be opened or read, or its bytes not be decoded.
  explicit line_index(const input& from, const line_options& lines = {},
                      const line_index_options& options = {}, const read_options& reading = {});
  template <std::same_as<read_options> Options = read_options>
  explicit line_index(const input& from, const Options& reading) : line_index(from, {}, {}, reading) {}
  line_index(line_index&& other) noexcept;
  line_index& operator=(line_index&& other) noexcept;
  ~line_index();

  /// Returns the number of lines. Bytes after the last delimiter are a line.
  [[nodiscard]] std::uint64_t size() const noexcept;
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Returns a copy of a line. Throws as the class says.
  [[nodiscard]] std::string operator[](std::uint64_t line) const;
  /// Returns where a line starts, in bytes of the decoded input; for `size()`, where the last one ends. It
  /// reads the lines since the last offset if it does not hold this one. Throws as `operator[]` does.
  [[nodiscard]] std::uint64_t offset(std::uint64_t line) const;
  /// Returns the offsets that it holds, in bytes: of lines in their order, and of the end of the last one. If
  /// `every` is 1 and `max_memory` 0, these are `size() + 1`. Valid as long as the index or what it was moved
  /// to.
  [[nodiscard]] std::span<const std::uint64_t> offsets() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Returns the name of the input in messages. Valid as `offsets()`.
  [[nodiscard]] std::string_view name() const noexcept RIFFLE_LIFETIMEBOUND;
  /// Returns whether the lines are in memory that the index borrows.
  [[nodiscard]] bool in_memory() const noexcept;

  /// Return iterators to the first line and past the last one. Valid as `offsets()`.
  [[nodiscard]] iterator begin() const noexcept RIFFLE_LIFETIMEBOUND;
  [[nodiscard]] iterator end() const noexcept RIFFLE_LIFETIMEBOUND;

 private:
  std::unique_ptr<const detail::indexed_lines> lines_;
};

static_assert(std::random_access_iterator<line_index::iterator>);

}  // namespace riffle::inline v0
