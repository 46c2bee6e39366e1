/// Implements `source`: reads an open input by a method, with a carry.
#ifndef RIFFLE_SOURCE_READING_HPP
#define RIFFLE_SOURCE_READING_HPP

#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "method/active_method.hpp"
#include "source/carry.hpp"
#include "source/resolve.hpp"

namespace riffle::inline v0::detail {

/// Reads an open input by the method that `resolve` gives. Several may share one input.
class reading {
 public:
  /// Opens the input.
  reading(const riffle::input& from, const read_options& asked);
  /// Reads an input that is open, from its start.
  reading(std::shared_ptr<open_file> input, const read_options& asked);
  /// Returns a source of an input that is open, which it reads from its start.
  static source source_of(std::shared_ptr<open_file> opened, const read_options& asked);
  /// Returns the reading of a source. Throws `riffle::error` if the source was moved from.
  static reading& within(const source& opened);
  /// A source that was moved from.
  static const source moved_from;

  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;
  ~reading();

  /// As the functions of `source`. `remedy` is what to do if there is no memory for what is kept.
  block next(std::size_t keep, std::string_view remedy = {});
  void check();
  void seek(std::uint64_t offset);
  bool seekable() noexcept;

  /// As `check`, by a caller that does not use the block handed out last again: `seek` and `next`, which
  /// keeps nothing of it, do not check it a second time.
  void finish_block();

  /// Throws `riffle::error` (`errc::truncated`) if a regular file is shorter now than when it was opened.
  void require_whole() const;

  /// Returns the open input, which others may share.
  const std::shared_ptr<open_file>& input() const noexcept { return input_; }
  /// Returns the options as the user gave them.
  const read_options& asked() const noexcept { return asked_; }
  riffle::method method() const noexcept { return how_.options.method; }
  const std::string& reason() const noexcept { return how_.reason; }

 private:
  void throw_if_failed() const;
  void check_unless_finished(std::size_t keep);
  void open();
  template <class Action>
  auto failing_for_good(std::string_view remedy, Action act);
  void check_mapped() const;
  void fall_back(const error& refusal);
  void read_in_order();
  block next_of_memory(std::size_t keep);
  block next_of_method(std::size_t keep);
  void count_progress(std::size_t bytes) const noexcept;
  std::span<char> fetch();
  std::span<char> fetch_block();
  void end();
  void leave_at_end(std::uint64_t size) const;
  void give_back() noexcept;
  void drop(std::uint64_t begin, std::uint64_t end) noexcept;

  std::shared_ptr<open_file> input_;
  read_options asked_;
  resolved how_;
  std::uint64_t offset_;        // of the first byte not handed out yet
  std::uint64_t origin_;        // where reading began: at the start, or after the last seek
  std::uint64_t dropped_;       // what was read from `origin_` to here was dropped from the page cache
  std::uint64_t left_ = 0;      // from here to `left_end_`: what was read before the last seek
  std::uint64_t left_end_ = 0;  // and was not dropped yet
  std::size_t faulted_in_ = 0;  // of a mapped file, up to here
  std::uint64_t checked_ = 0;   // the bytes before this offset were checked after their use
  bool finished_ = false;       // the block handed out last
  bool ended_ = false;
  bool failed_ = false;  // for good; `failure_` says how, if there was memory for it
  std::optional<error> failure_;
  std::string_view last_;  // the block handed out last, its carry included
  carry carry_;
  std::unique_ptr<active_method> method_;
};

/// Returns the size of a regular file in bytes; `std::nullopt` for another kind of input.
std::optional<std::uint64_t> regular_size(source& opened);

}  // namespace riffle::inline v0::detail

#endif
