/// Decodes in order in the thread that reads, or ahead of it if that helps, and gives errors their offsets.
#include "decode/decoder.hpp"
#include "decode/ahead.hpp"

#include <riffle/error.hpp>
#include <riffle/scan.hpp>

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <utility>

#include "decode/members.hpp"
#include "os/facts.hpp"
#include "os/threads.hpp"

namespace riffle::inline v0::decode {

/// Decodes an input member by member, in order.
class in_order {
 public:
  /// Drops the first `skipped` decoded bytes. `first`: no member was met yet.
  in_order(const format& of, compressed_input& from, unsigned threads, bool first, std::uint64_t skipped)
      : codec_(of.open(threads)), memory_(copied_block), reader_(of, from, *codec_, first), left_(skipped) {}

  /// Returns the next decoded bytes, none at the end. `before_block` is called before it decodes on to pass
  /// what is dropped. Valid until the next call. Throws as `member_reader::read`.
  std::span<char> next(const callback& before_block) {
    const std::span<char> space = memory_.space();
    while (true) {
      const std::span<char> block = space.first(reader_.read(space));
      const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(left_, block.size()));
      left_ -= skipped;
      if (skipped != block.size() || block.empty()) return block.subspan(skipped);
      if (before_block) before_block();
    }
  }
  member_reader& reader() noexcept { return reader_; }
  /// Leaves the threads of the codec, which are in another process.
  void abandon() noexcept { static_cast<void>(codec_.release()); }

 private:
  std::unique_ptr<codec> codec_;
  buffer memory_;
  member_reader reader_;
  std::uint64_t left_;  // of those to be dropped
};

/// Says whether the reader is slow enough for a thread that decodes ahead. To hand a block to another
/// processor costs about an eighth of decoding it, so that thread has to save more.
class pace {
 public:
  /// Notes that the reader asks for a block. Returns true, once in a while, if it took more than a quarter of
  /// the time of decoding for the last ones.
  bool asked() {
    asked_ = clock::now();
    if (blocks_ != 0) reading_ += asked_ - returned_;
    if (blocks_ != blocks_of_look) return false;
    const bool slow = reading_ > decoding_ / 4;
    blocks_ = 0;
    decoding_ = reading_ = {};
    return slow;
  }
  /// Notes that the block was decoded.
  void returned() {
    returned_ = clock::now();
    decoding_ += returned_ - asked_;
    ++blocks_;
  }

 private:
  using clock = std::chrono::steady_clock;
  static constexpr unsigned blocks_of_look = 16;
  unsigned blocks_ = 0;
  clock::time_point asked_;
  clock::time_point returned_;
  clock::duration decoding_{};
  clock::duration reading_{};
};

std::span<char> part_reader::next(callback waiting) {
  while (!ended_) {
    const std::span<char> block = from_.next(waiting);
    if (block.empty()) {
      ended_ = past_end_ || !owns_;
      past_end_ = true;
      if (!ended_) from_.go_on();
      continue;
    }
    if (owns_ && !past_end_) return block;
    const std::size_t found = scan::find_byte({block.data(), block.size()}, delimiter_);
    if (found == std::string_view::npos) {
      if (owns_) return block;
      continue;
    }
    if (past_end_) {
      ended_ = true;
      return block.first(found + 1);
    }
    owns_ = true;
    if (found + 1 != block.size()) return block.subspan(found + 1);
  }
  return {};
}

}  // namespace riffle::inline v0::decode

namespace riffle::inline v0 {

namespace {

using namespace decode;

class decoder final : public active_method {
 public:
  /// `of`: null if the first bytes tell it.
  decoder(const format* of, active_method& below, const open_file& input, const read_options& given)
      : below_(below),
        input_(input),
        split_(input.part && !is_whole(input.part->split) ? &*input.part : nullptr),
        given_(given),
        from_(below, input.start),
        format_(of),
        used_(input.start) {}
  // The child of a fork has no threads to be joined, and they may have held locks.
  ~decoder() override {
    if (!lacks_threads()) return;
    if (ahead_) ahead_->abandon();
    if (in_order_) in_order_->abandon();
  }

  std::span<char> next() override {
    const std::span<char> block = decoded_uncancelled();
    os::end_if_cancelled();
    offset_ += block.size();
    if (!passes_on_) used_ = std::max(used_, ahead_ ? ahead_->used() : from_.offset());
    return block;
  }
  std::size_t room() const noexcept override { return passes_on_ ? below_.room() : headroom; }
  void check(std::uint64_t trusted) const override {
    if (passes_on_) below_.check(trusted);
  }
  std::optional<std::uint64_t> compressed_offset() const noexcept override {
    return passes_on_ ? std::nullopt : std::optional(used_);
  }
  void seek(std::uint64_t /*offset*/) override {}

 private:
  // What a codec or a member throws is kept for later.
  std::span<char> decoded_uncancelled() {
    const os::uncancelled decoding;
    if (lacks_threads()) fail_as_forked();
    return decoded();
  }
  std::span<char> decoded() {
    try {
      return fetched();
    } catch (const failure& what) {
      throw error(what.code(), "decode", input_.name(), offset_,
                  with_unverified(what.what(), what.verified()), what.remedy(), what.compressed_offset());
    } catch (const damage& what) {
      throw error(what.code(), "decode", input_.name(), offset_, what.what(), what.remedy(), from_.offset());
    } catch (const read_failure& problem) {
      throw error(problem.code(), problem.operation(), problem.path(), offset_,
                  with_unverified(problem.detail(), problem.verified()), problem.remedy(), problem.offset());
    } catch (const error& problem) {
      if (passes_on_) throw;
      throw error(problem.code(), problem.operation(), problem.path(), offset_, problem.detail(),
                  problem.remedy(), problem.offset());
    }
  }

  // Adds which bytes that were handed out had no right checksum yet. `verified` counts from the part.
  std::string with_unverified(std::string detail, std::uint64_t verified) const {
    verified += ahead_ ? ahead_->before_part() : 0;
    if (verified >= offset_) return detail;
    if (!detail.empty()) detail += "; ";
    return detail.append("the bytes from ").append(std::to_string(verified)).append(" on are not verified");
  }

  std::span<char> fetched() {
    if (passes_on_) return below_.next();
    try {
      if (std::exchange(again_, false)) return read_again();
      if (!ahead_ && !in_order_ && !start()) return looked_at();
      if (part_) return part_->next(given_.watch.before_block);
      if (ahead_) return read_ahead();
      return threads_ > 1 ? read_at_pace() : in_order_->next(given_.watch.before_block);
    } catch (const damage&) {
      // What was cut may be no part, and the threads of a library drop what they decoded before a failure.
      const bool guessed = format_->cut_guesses && (ahead_ || !in_order_) && split_ == nullptr;
      const bool dropped = format_->own_threads && threads_of_;
      if (!guessed && !dropped) throw;
    } catch (const no_threads&) {
      threads_ = 1;
    } catch (...) {  // an exception of the input has ended the threads
      again_ = ahead_ && ahead_->failed();
      throw;
    }
    return read_again();
  }

  // Returns false if the bytes are handed on as they are. After an exception of the input it can be called
  // again.
  bool start() {
    if (format_ == nullptr) format_ = format_of(from_);
    if (format_ == nullptr) require_plain(from_.at_hand(), input_.name());
    passes_on_ = format_ == nullptr;
    if (passes_on_) return false;
    require_library(*format_, input_.name());
    if (input_.seekable()) {
      if (from_.offset() != input_.start) start_again();
      if (split_ == nullptr)
        threads_ = given_.decode_threads == 0 ? os::usable_processors() : given_.decode_threads;
      begun_work begun{.cut_at = state_at_start()};
      const bool more = to_part(*format_, from_, begun.met, begun.cut_at, !begun.cut_at.inside);
      from_.check();
      first_ = false;
      const bool has_parts = split_ != nullptr || (more && !begun.met.bytes.empty());
      if (has_parts || (threads_ > 1 && given_.decode_threads != 0)) {
        if (go_ahead(std::move(begun))) {
          if (split_ != nullptr) part_.emplace(*ahead_, *split_);
          return true;
        }
        start_again();
      }
    }
    decode_in_order();
    return true;
  }

  // A split may begin inside a member.
  cut_state state_at_start() {
    cut_state state;
    if (split_ != nullptr) {
      if (format_->enter != nullptr && !starts(*format_, from_.gather(longest_magic))) {
        std::array<char, longest_magic> space{};
        state = format_->enter(first_bytes(input_, space).value_or(std::string_view()));
      }
      state.stop = split_->split.end;
    } else {
      state.in_order = format_->own_threads;
    }
    return state;
  }

  // Returns false if the system has no more threads.
  bool go_ahead(begun_work begun) {
    try {
      ahead_.emplace(*format_, from_, threads_, std::move(begun));
      if (threads_ > 1) threads_of_ = os::process();
      return true;
    } catch (const std::system_error&) {
      threads_ = 1;
      return false;
    }
  }

  // Without the first `skipped` decoded bytes, which were handed out.
  void decode_in_order(std::uint64_t skipped = 0) {
    in_order_.emplace(*format_, from_, threads_, first_, skipped);
    if (threads_ > 1 && format_->own_threads) threads_of_ = os::process();
  }

  // What was looked at to find a format.
  std::span<char> looked_at() {
    const std::string_view bytes = from_.at_hand();
    looked_at_.emplace(std::max(bytes.size(), std::size_t{1}));
    std::ranges::copy(bytes, looked_at_->space().begin());
    return looked_at_->space().first(bytes.size());
  }

  // Decodes in order as long as the reader is fast.
  std::span<char> read_at_pace() {
    if (pace_.asked() && go_ahead({.reader = &in_order_->reader(), .taken = offset_})) return read_ahead();
    const std::span<char> block = in_order_->next(given_.watch.before_block);
    pace_.returned();
    return block;
  }
  std::span<char> read_ahead() { return ahead_->next(given_.watch.before_block); }

  void start_again() {
    below_.seek(input_.start);
    from_ = compressed_input(below_, input_.start);
    first_ = true;
  }

  // Decodes in order from the start, without the bytes that were handed out already.
  std::span<char> read_again() {
    ahead_.reset();
    threads_ = 1;
    threads_of_.reset();
    start_again();
    decode_in_order(offset_);
    return in_order_->next(given_.watch.before_block);
  }

  // Returns whether threads that decode, riffle's or those of a library, are in another process.
  bool lacks_threads() const noexcept { return threads_of_ && *threads_of_ != os::process(); }

  [[noreturn]] void fail_as_forked() const {
    throw error(std::make_error_code(std::errc::operation_not_permitted), "decode", input_.name(), offset_,
                "another process opened it and has the threads that decode", {advice::one_decode_thread});
  }

  active_method& below_;
  const open_file& input_;
  const detail::split_records* const split_;  // null: the whole file
  const read_options& given_;
  compressed_input from_;
  const format* format_;
  unsigned threads_ = 1;                     // that may decode
  std::optional<std::uint64_t> threads_of_;  // the process that has them; none: there are none
  bool first_ = true;                        // no member was met yet
  bool again_ = false;                       // to be decoded from the start
  bool passes_on_ = false;                   // the bytes below, as they are
  std::uint64_t offset_ = 0;                 // of the decoded bytes handed out
  std::uint64_t used_;                       // of the compressed bytes, for those that were handed out
  std::optional<buffer> looked_at_;
  std::optional<in_order> in_order_;
  pace pace_;
  std::optional<part_reader> part_;
  std::optional<decode_ahead> ahead_;
};

}  // namespace

std::unique_ptr<active_method> open_decoder(decoding format, active_method& below, const open_file& input,
                                            const read_options& given) {
  return std::make_unique<decoder>(find_format(format), below, input, given);
}

}  // namespace riffle::inline v0
