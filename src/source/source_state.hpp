/// Implements `source`: takes blocks from the chain, and joins records that were cut.
#pragma once

#include <riffle/error.hpp>
#include <riffle/source.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "source/carry.hpp"
#include "source/input_reader.hpp"

namespace riffle::inline v0::detail {

/// Reads an open input. Several may share one.
class source_state {
 public:
  /// Opens the input, and decides how to read it. The method that riffle chose for a file is opened at the
  /// first block, as several threads open it themselves.
  source_state(const riffle::input& from, const read_options& given);
  /// Reads an input that is open, from its start.
  source_state(const std::shared_ptr<open_file>& input, const read_options& given);
  /// The same, as it was decided before, with the method not open.
  source_state(std::shared_ptr<open_file> input, plan how);
  /// Returns a source of an input that is open, which it reads from its start.
  static source source_of(const std::shared_ptr<open_file>& opened, const read_options& given);
  static source source_of(std::shared_ptr<open_file> opened, plan how);
  /// Returns the state of a source. Throws `riffle::error` if the source was moved from.
  static source_state& of(const source& opened);
  /// A source that was moved from.
  static const source moved_from;

  source_state(const source_state&) = delete;
  source_state& operator=(const source_state&) = delete;

  /// Opens the method, if it is not open.
  void open() { reader_.open(); }
  /// As the functions of `source`. `helps` if there is no memory for what is kept.
  block next(std::size_t keep, remedy helps = {});
  void check();
  void seek(std::uint64_t offset);
  bool seekable() noexcept { return keeps_offsets() && input()->ask_seekable(); }
  std::uint64_t start() const noexcept { return keeps_offsets() ? input()->start : 0; }
  std::uint64_t size_hint() const noexcept { return keeps_offsets() ? input()->size() : 0; }
  std::uint64_t compressed_offset() const noexcept;
  std::optional<std::uint64_t> compressed_size() const noexcept;

  /// As `check`, by a caller that does not use the block handed out last again: `seek` and `next`, which
  /// keeps nothing of it, do not check it a second time.
  void finish_block();

  /// Returns the block handed out last; after a failure of `next` what it kept of it.
  std::string_view last() const noexcept { return last_; }

  /// Throws `riffle::error` (`errc::invalid_argument`) if the input is a split whose records do not end at
  /// `delimiter`.
  void require_delimiter(char delimiter) const;
  /// As that of `input_reader`.
  void require_whole() const { reader_.require_whole(); }
  /// Returns whether it failed for good. What was handed out last may be gone.
  bool failed() const noexcept { return failed_; }

  /// Returns the open input, which others may share.
  const std::shared_ptr<open_file>& input() const noexcept { return reader_.input(); }
  /// Returns the options as the user gave them.
  const read_options& given() const noexcept { return how().given; }
  const plan& how() const noexcept { return reader_.how(); }
  riffle::method method() const noexcept { return how().options.method; }
  const std::string& reason() const noexcept { return how().reason; }

 private:
  void throw_if_failed() const;
  void check_unless_finished(std::size_t keep);
  template <class Action>
  auto failing_for_good(remedy helps, Action act);
  std::span<char> next_block();
  block joined(std::size_t keep);
  void note_progress(std::size_t size) noexcept;
  bool keeps_offsets() const noexcept { return how().decoder == decoding::none; }

  input_reader reader_;
  std::unique_ptr<active_method> decoder_;  // null: none
  active_method& top_;                      // of the chain
  std::uint64_t offset_;                    // of the first byte not handed out yet
  std::uint64_t checked_ = 0;               // the bytes before this offset were checked after their use
  bool finished_ = false;                   // the block handed out last
  bool ended_ = false;
  bool exceeds_ = false;  // the block handed out last was cut at `max_size`
  bool failed_ = false;   // for good; `failure_` says how, if there was memory for it
  std::optional<error> failure_;
  std::uint64_t used_ = compressed_offset();  // of the input, as progress
  std::string_view last_;                     // the block handed out last, its carry included
  carry carry_;
};

}  // namespace riffle::inline v0::detail
