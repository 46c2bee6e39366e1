/// Implements `source`: opens an input once, decides how it is read, reads it by the method, and joins
/// records that were cut.
#pragma once

#include <riffle/error.hpp>
#include <riffle/input.hpp>
#include <riffle/methods.hpp>
#include <riffle/options.hpp>
#include <riffle/source.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "method/active_method.hpp"
#include "os/mapping.hpp"
#include "source/carry.hpp"

namespace riffle::inline v0 {

/// Opens an input and returns the facts about it. Throws `riffle::error` if it cannot be opened, is a
/// directory (EISDIR), or is a stream that has failed before. Calls `given.watch.before_block` while it
/// looks for the ends of a split.
open_file open_input(const input& from, const read_options& given = {});

/// Returns why another process cannot read what lies at this path, without opening it, which waits for the
/// writer of a FIFO; `std::nullopt` if it can, or if there is nothing.
std::optional<std::string> why_unsplittable(const std::filesystem::path& path);

/// Throws `riffle::error` (`errc::changed`) if the file is not as it was when it was split.
void require_unchanged(const os::file& file, const file_split& split);

/// Throws `errc::invalid_argument` for a record of no bytes, and for a size beside a delimiter.
void require_record_size(const record_options& records, const std::string& name,
                         std::optional<std::uint64_t> offset);

/// Sets where reading starts and stops. Throws `riffle::error` if the split is not one of this file, or if
/// the file cannot be read. Calls `given.watch.before_block` while it looks for the ends of
/// records.
void restrict_to(open_file& known, const detail::split_records& part, const read_options& given);

/// The same for a compressed file, whose splits begin at members.
void restrict_to_members(open_file& known, const detail::split_records& part);

/// Says how an input is read.
struct plan {
  read_options given;      // by the user
  method_options options;  // with final numbers; the method is `automatic` for memory only
  decoding decoder;        // `automatic`: the first bytes of a stream tell it
  std::string reason;      // for the method
  bool at_once = false;    // whether the method is opened before the first block

  /// Returns the same by `read`, after the OS refused the method; nothing if the user named it.
  std::optional<plan> by_read(const error& refusal) const;
  /// Returns the same for one of several threads, without a queue that reads ahead into the part of another
  /// one. It opens the method at once: a thread that gets no descriptor leaves its work to the others.
  /// `block_size`: of blocks whose size the user did not give; 0 leaves it.
  plan for_one_of_several(std::size_t block_size) const;
};

/// Returns how the input is read. Throws `riffle::error` if an option is out of range, or if the method that
/// the user named cannot read the input.
plan decide(const open_file& input, const read_options& given);

/// Returns whether the size alone decides the method, so that riffle need not ask for the other facts, which
/// takes a few system calls.
bool size_decides(std::uint64_t size) noexcept;

/// Knows what was read and is still in the page cache. Mapped pages stay there, so it drops the bytes before
/// a block once that block was fetched.
class cache_dropper {
 public:
  explicit cache_dropper(const open_file& input) noexcept : file_(input.file), dropped_(input.start) {}

  /// The bytes up to `offset` were used: drops them, many at a time.
  void used(std::uint64_t offset) noexcept {
    drop(before_seek_, before_seek_end_);
    before_seek_ = before_seek_end_ = 0;
    const std::uint64_t done = offset / drop_step * drop_step;
    if (done <= dropped_) return;
    drop(dropped_, done);
    dropped_ = done;
  }
  /// Reading goes on at `to`. What was read up to `offset` is dropped with the next block.
  void leave(std::uint64_t offset, std::uint64_t to) noexcept {
    if (offset > dropped_) {
      before_seek_ = dropped_;
      before_seek_end_ = offset;
    }
    dropped_ = to;
  }
  /// Drops the rest, up to `offset`, once nothing is mapped.
  void finish(std::uint64_t offset) noexcept {
    drop(before_seek_, before_seek_end_);
    drop(dropped_, offset);
  }
  /// Drops the pages of these bytes.
  void drop(std::uint64_t begin, std::uint64_t end) noexcept {
    if (begin >= end) return;
    const std::uint64_t page = os::page_size();
    const std::uint64_t first = begin / page * page;
    file_.drop_cache(first, os::round_up(end, page) - first);
  }

 private:
  // The bytes to drop at a time, because a call for each block would take longer than reading a small one.
  // Linux drops only folios that lie in the range as a whole: they have up to 2 MiB, and start at a multiple
  // of their size.
  static constexpr std::uint64_t drop_step = std::uint64_t{2} << 20U;  // tuning

  const os::file& file_;
  std::uint64_t dropped_;  // what was read up to here, from the start or the last seek on, was dropped
  std::uint64_t before_seek_ = 0;      // from here to `before_seek_end_`: what was read before the last seek
  std::uint64_t before_seek_end_ = 0;  // and was not dropped yet
};

/// Opens the method at the first block at the latest, goes on by `read` if the OS refuses it, and knows where
/// the input ends. Its offsets are those of the input.
class input_reader final : public active_method {
 public:
  input_reader(std::shared_ptr<open_file> input, plan how);
  ~input_reader() override;

  /// Throws `riffle::error` with `errc::truncated` at the end of a file that is shorter than before.
  std::span<char> next() override;
  std::size_t room() const noexcept override { return method_ ? method_->room() : 0; }
  const char* following() const noexcept override { return method_ ? method_->following() : nullptr; }
  void check(std::uint64_t trusted) const override {
    if (method_) method_->check(trusted);
  }
  void allow_larger_blocks() noexcept override {
    if (method_) method_->allow_larger_blocks();
  }
  void seek(std::uint64_t offset) override;
  /// Throws `riffle::error` (`errc::truncated`) if a regular file is shorter now than when it was opened.
  void require_whole() const;

  const std::shared_ptr<open_file>& input() const noexcept { return input_; }
  const plan& how() const noexcept { return how_; }

 private:
  void open();
  void open_method();
  void fall_back(const error& refusal);
  void wait_unless_stopped() const;
  std::span<char> fetch();
  void end();
  bool was_moved() const;
  void leave_at_end(std::uint64_t size) const;

  std::shared_ptr<open_file> input_;
  plan how_;
  std::uint64_t offset_;                  // of the first byte not handed out yet
  std::uint64_t origin_;                  // where reading began: at the start, or after the last seek
  std::optional<cache_dropper> dropper_;  // unless the cache is to keep what was read
  std::unique_ptr<active_method> method_;
};

}  // namespace riffle::inline v0

namespace riffle::inline v0::detail {

/// Reads an open input. Several may share one.
class source_state {
 public:
  /// Reads an open input from its start, as was decided.
  source_state(std::shared_ptr<open_file> input, plan how);
  static source source_of(std::shared_ptr<open_file> opened, plan how);
  /// Returns the state of a source. Throws `riffle::error` if the source was moved from.
  static source_state& of(const source& opened);
  /// A source that was moved from.
  static const source moved_from;

  source_state(const source_state&) = delete;
  source_state& operator=(const source_state&) = delete;

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
  [[noreturn]] void fail_for_good(remedy helps);
  std::span<char> fresh_bytes();
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
  std::uint64_t used_;     // of the input, as progress
  std::string_view last_;  // the block handed out last, its carry included
  carry carry_;
};

}  // namespace riffle::inline v0::detail
