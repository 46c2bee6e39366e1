/// What a source does inside: one reader of an open input, with its method, its carry and its end.
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

/// Reads an open input by the method that its options lead to. Several may share one input.
class reading {
 public:
  /// Opens the input.
  reading(const riffle::input& from, const read_options& asked);
  /// Reads an input that is open, from its start.
  reading(std::shared_ptr<open_file> input, const read_options& asked);
  /// That of a source.
  static reading& within(source& opened) { return *opened.reading_; }

  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;
  ~reading();

  block next(std::size_t keep);
  void check() const;
  void seek(std::uint64_t offset);

  /// The input that was opened, for others to share.
  const std::shared_ptr<open_file>& input() const noexcept { return input_; }
  /// The options as they were given.
  const read_options& asked() const noexcept { return asked_; }
  riffle::method method() const noexcept { return how_.options.method; }
  const std::string& reason() const noexcept { return how_.reason; }

 private:
  void open();
  void fall_back(const error& refusal);
  block next_of_memory(std::size_t keep);
  block next_of_method(std::size_t keep);
  std::span<char> fetch();
  void end();
  void leave_at_end(std::uint64_t size) const;
  void give_back() noexcept;
  void drop(std::uint64_t begin, std::uint64_t end) noexcept;

  std::shared_ptr<open_file> input_;
  read_options asked_;
  resolved how_;
  std::uint64_t offset_;        // of the first byte not handed out yet
  std::uint64_t origin_;        // where reading began: at the start, or after the last seek
  std::uint64_t dropped_;       // before it, what was read from `origin_` on has left the page cache
  std::uint64_t left_ = 0;      // with `left_end_`: what was read before the last seek and has not yet
  std::uint64_t left_end_ = 0;  // left it
  bool ended_ = false;
  std::optional<error> failure_;
  std::string_view last_;  // the block handed out last, its carry included
  carry carry_;
  std::unique_ptr<active_method> method_;
};

/// The size of a regular file; nothing of anything else.
std::optional<std::uint64_t> regular_size(source& opened);

}  // namespace riffle::inline v0::detail

#endif
