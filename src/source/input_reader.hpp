/// The lowest link of the chain: reads an open input by the method that was chosen for it.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "method/active_method.hpp"
#include "source/cache_dropper.hpp"
#include "source/plan.hpp"

namespace riffle::inline v0 {

/// Opens the method at the first block at the latest, goes on by `read` if the OS refuses it, and knows where
/// the input ends. Its offsets are those of the input.
class input_reader final : public active_method {
 public:
  input_reader(std::shared_ptr<open_file> input, plan how);
  ~input_reader() override;

  /// Opens the method, if it is not open.
  void open();
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
  void open_method();
  void fall_back(const error& refusal);
  void wait_unless_stopped() const;
  std::span<char> fetch();
  void end();
  bool was_moved() const;
  void leave_at_end(std::uint64_t size) const;

  std::shared_ptr<open_file> input_;
  plan how_;
  std::uint64_t offset_;  // of the first byte not handed out yet
  std::uint64_t origin_;  // where reading began: at the start, or after the last seek
  cache_dropper dropper_;
  std::unique_ptr<active_method> method_;
};

}  // namespace riffle::inline v0
