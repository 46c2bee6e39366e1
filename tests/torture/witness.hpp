/// Follows one reading, and holds what it delivers and how it ends against the history of the file.
#pragma once

#include <riffle/error.hpp>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/torture/history.hpp"

namespace riffle::torture {

/// The reading was wrong; what() says how.
struct wrong : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class witness {
 public:
  /// Before the file is opened. `window`: how far the zeros in place of lost pages may reach before the
  /// error; 0: there are none.
  witness(const place& read, std::uint64_t window) : place_(read), window_(window), first_(read.first()) {
    for (const auto& file : read.files()) complete_.push_back(std::max<std::size_t>(1, file->complete()));
  }

  /// The bytes were delivered. Throws `wrong` if they were in no file that the path led to.
  void take(std::uint64_t offset, std::string_view bytes) {
    if (offset != begin_ + held_.size() || held_.size() > 8192) flush();
    if (held_.empty()) begin_ = offset;
    held_ += bytes;
    end_ = offset + bytes.size();
  }
  /// The reading ended there, without an error. `exact`: it delivered every byte before.
  void finish(std::uint64_t end, bool exact = true) {
    flush();
    if (lost_ && !stream && !any([](const past& file) { return file.grew_larger_after_a_cut(); }))
      throw wrong("zeros at " + std::to_string(*lost_) + " for data, without an error");
    const auto may_end = [&](const past& file) { return file.may_end_at(end) || (stream && file.was_cut()); };
    if (exact && !any(may_end)) throw wrong("ended at " + std::to_string(end) + ", which was never the size");
  }
  void finish() { finish(end_); }
  /// Throws `wrong` if nothing that happened to the file explains the error.
  void fail(const error& failure) {
    flush();
    if (lost_ && window_ != 0 && end_ > *lost_ + window_)
      throw wrong("zeros from " + std::to_string(*lost_) + " to " + std::to_string(end_));
    const auto code = failure.code();
    const bool cut = any([](const past& file) { return file.was_cut(); });
    const bool changed = any([](const past& file) { return file.changes.size() > file.since; });
    const bool explained = code == errc::truncated || code == errc::unexpected_end ? cut
                           : code == errc::partial_value                           ? true
                           : code == errc::method_unavailable
                               ? few_descriptors || (window_ != 0 && (changed || blocked))
                           : code == std::errc::no_such_file_or_directory
                               ? place_.removed.load()
                               : code == std::errc::too_many_files_open && few_descriptors;
    if (!explained) throw wrong(std::string("an error without a cause: ") + failure.what());
  }
  /// A count, which is `count(size, generation of no matter)` of a file of that size.
  template <class Count>
  void finish_count(std::uint64_t found, Count count) {
    const bool fits = any([&](const past& file) {
      std::uint64_t least = file.size_at_start();
      std::uint64_t most = least;
      bool zeros = std::any_of(file.changes.begin(), file.changes.end(),
                               [](const change& each) { return each.what == change::kind::zeros; });
      file.each_step([&](std::uint64_t size, const change& step) {
        least = std::min(least, step.size_after(size));
        most = std::max(most, step.size_after(size));
      });
      zeros = zeros || (window_ != 0 && file.grew_larger_after_a_cut());
      return found <= count(most) && (zeros || found >= count(least));
    });
    if (!fits) throw wrong("the count " + std::to_string(found) + " is that of no size");
  }

  bool blocked = false;          // the thread blocks all signals
  bool few_descriptors = false;  // RLIMIT_NOFILE is low
  std::function<void()> beat;    // is called as bytes are checked, which takes longer than reading them
  bool stream = false;           // a FILE* or std::istream has no size that could shrink

 private:
  // The files that this reading may have opened, as far as the bytes so far tell.
  std::vector<past> candidates() const {
    std::vector<past> found;
    const auto files = place_.files();
    for (std::size_t i = first_; i < files.size(); ++i) {
      if (!excluded_.empty() && (i >= excluded_.size() || excluded_[i])) continue;
      found.push_back(files[i]->since(i < complete_.size() ? complete_[i] : 1));
    }
    return found;
  }
  template <class F>
  bool any(F f) const {
    return std::ranges::any_of(candidates(), f);
  }

  void flush() {
    const std::string bytes = std::exchange(held_, {});
    if (bytes.empty()) return;
    const auto files = place_.files();
    excluded_.resize(files.size(), !excluded_.empty());  // what came after the first bytes was not opened
    std::optional<std::uint64_t> bad;
    bool left = false;
    for (std::size_t i = first_; i < files.size(); ++i) {
      if (excluded_[i]) continue;
      const past file = files[i]->since(i < complete_.size() ? complete_[i] : 1);
      std::optional<std::uint64_t> zeros;
      excluded_[i] = !fits(file, bytes, zeros, bad);
      left = left || !excluded_[i];
      if (!excluded_[i] && zeros && !lost_) lost_ = zeros;
    }
    if (left) return;
    const char byte = bytes[*bad - begin_];
    throw wrong("byte " + std::to_string(*bad) + " is '" + (byte == '\0' ? "\\0" : std::string(1, byte)) +
                "' of " + std::to_string(bytes.size()) + " from " + std::to_string(begin_));
  }
  bool fits(const past& file, std::string_view bytes, std::optional<std::uint64_t>& zeros,
            std::optional<std::uint64_t>& bad) const {
    for (std::size_t i = 0; i < bytes.size(); ++i) {
      if (i % 4096 == 0 && beat) beat();
      if (file.allows(bytes[i], begin_ + i, false)) continue;
      // Bytes that the system copied while the file was cut need an error as those of a lost page do.
      const bool may_be_lost = window_ != 0 ? file.was_cut() : file.allows(bytes[i], begin_ + i, true);
      if (bytes[i] == '\0' && may_be_lost) {
        if (!zeros) zeros = begin_ + i;
        continue;
      }
      bad = begin_ + i;
      return false;
    }
    return true;
  }

  const place& place_;
  std::uint64_t window_;
  std::size_t first_;
  std::vector<std::size_t> complete_;  // of each file, before the opening
  std::vector<bool> excluded_;
  std::string held_;                   // not yet checked
  std::uint64_t begin_ = 0;            // of them
  std::uint64_t end_ = 0;              // of what was delivered
  std::optional<std::uint64_t> lost_;  // the first zero in place of data
};

}  // namespace riffle::torture
