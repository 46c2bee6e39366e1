/// The parts of riffle-torture: dice, what a file held and when, and readings that are held against it.
#pragma once

#include <riffle/error.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace riffle::torture {

/// The byte at a place in a generation of a file: cells of 15 letters, which differ by place and generation,
/// and a space or newline, which differs by place only.
inline char content(unsigned generation, std::uint64_t place) {
  const bool separator = place % 16 == 15;
  std::uint64_t mixed =
      (place / 8 + 1) * 0x9E3779B97F4A7C15U + (separator ? 0 : generation) * 0xC2B2AE3D27D4EB4FU;
  mixed = (mixed ^ mixed >> 31U) * 0xD6E8FEB86659FD93U;
  if (separator) return mixed >> 62U == 0 ? '\n' : ' ';
  return static_cast<char>('A' + (mixed >> (place % 8 * 4 + 28) & 31U));
}

/// A step in the life of a file. Writing beyond the end extends it; a cut ends it at `begin`.
struct change {
  enum class kind : std::uint8_t { write, zeros, cut } what;
  std::uint64_t begin;
  std::uint64_t end;
  unsigned generation;

  std::uint64_t size_after(std::uint64_t size) const {
    return what == kind::cut ? begin : std::max(size, end);
  }
  bool covers(std::uint64_t place) const { return place >= begin && (what == kind::cut || place < end); }
  bool gives(char byte, std::uint64_t place) const {
    return what == kind::zeros ? byte == '\0' : what == kind::write && byte == content(generation, place);
  }
};

/// What one reading may have met: all changes up to now. Those before `since` were complete when it began.
struct past {
  std::vector<change> changes;
  std::size_t since;

  /// `copied`: by the system, not mapped. Linux looks at the size, then copies: read(2) itself gives zeros
  /// behind a cut that comes in between.
  bool allows(char byte, std::uint64_t place, bool copied) const {
    for (std::size_t i = changes.size(); i-- > 0;) {
      if (!changes[i].covers(place)) continue;
      if (copied && byte == '\0' && i >= since && changes[i].what == change::kind::cut) return true;
      if (changes[i].gives(byte, place)) return true;
      if (i < since) return false;
    }
    return false;
  }
  /// Calls `f(size before, change)` for all that happened since the reading began.
  template <class F>
  std::uint64_t each_step(F f) const {
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (i >= since) f(size, changes[i]);
      size = changes[i].size_after(size);
    }
    return size;
  }
  std::uint64_t size_at_start() const {
    std::uint64_t size = 0;
    for (std::size_t i = 0; i < since; ++i) size = changes[i].size_after(size);
    return size;
  }
  /// Whether the file ended there at some time, perhaps while a write extended it, which shows page by page.
  bool may_end_at(std::uint64_t end) const {
    bool may = end == size_at_start();
    each_step([&](std::uint64_t size, const change& step) {
      const std::uint64_t after = step.size_after(size);
      const bool between = end > size && end < after && end % 4096 == 0;
      may = may || end == after || (between && step.what == change::kind::write);
    });
    return may;
  }
  bool was_cut() const {
    return std::any_of(changes.begin() + static_cast<std::ptrdiff_t>(since), changes.end(),
                       [](const change& each) { return each.what == change::kind::cut; });
  }
  /// It was cut, and then grew beyond a size that it had before: what the library cannot notice.
  bool grew_larger_after_a_cut() const {
    std::uint64_t smallest = UINT64_MAX;
    bool cut = false;
    bool grew = false;
    each_step([&](std::uint64_t size, const change& step) {
      smallest = std::min(smallest, size);
      cut = cut || step.what == change::kind::cut;
      grew = grew || (cut && step.size_after(size) > smallest);
    });
    return grew;
  }
};

/// A file, which one thread changes while others read it.
class history {
 public:
  void begin(const change& next) {
    const std::lock_guard lock(mutex_);
    changes_.push_back(next);
  }
  void end() {
    const std::lock_guard lock(mutex_);
    complete_ = changes_.size();
  }
  std::size_t complete() const {
    const std::lock_guard lock(mutex_);
    return complete_;
  }
  past since(std::size_t complete) const {
    const std::lock_guard lock(mutex_);
    return {changes_, std::min(complete, changes_.size())};  // a file that was just added has no change yet
  }

 private:
  mutable std::mutex mutex_;
  std::vector<change> changes_;
  std::size_t complete_ = 0;
};

/// A path, and the files that it led to, one after the other.
class place {
 public:
  place(std::filesystem::path path, bool can_be_empty)
      : path_(std::move(path)), can_be_empty_(can_be_empty) {}
  const std::filesystem::path& path() const { return path_; }
  bool can_be_empty() const { return can_be_empty_; }
  std::shared_ptr<history> add() {
    const std::lock_guard lock(mutex_);
    return files_.emplace_back(std::make_shared<history>());
  }
  /// The newest file is there, and those before it are gone.
  void added() {
    const std::lock_guard lock(mutex_);
    first_ = files_.size() - 1;
  }
  /// The files that the path may lead to from now on: that in place, and those that come.
  std::size_t first() const {
    const std::lock_guard lock(mutex_);
    return first_;
  }
  std::atomic<bool> removed = false;  // the path led nowhere for a while
  std::vector<std::shared_ptr<history>> files() const {
    const std::lock_guard lock(mutex_);
    return files_;
  }

 private:
  std::filesystem::path path_;
  bool can_be_empty_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<history>> files_;
  std::size_t first_ = 0;
};

class dice {
 public:
  explicit dice(std::uint64_t seed) : random_(seed) {}
  std::uint64_t below(std::uint64_t most) { return most == 0 ? 0 : random_() % most; }

 private:
  std::mt19937_64 random_;
};

/// Reads the file once, in any way. Returns the kind of error that ended it, or an empty text. Throws
/// `wrong`. `beat` is called as records come, and `progress` counts the bytes that were read.
std::string read_once(const place& at, dice& random, bool large, bool few_descriptors,
                      const std::function<void()>& beat, std::atomic<std::uint64_t>& progress);

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
  /// The reading ended there, or up to `more` bytes later, without an error. `exact`: it delivered every byte
  /// before.
  void finish(std::uint64_t end, bool exact = true, std::uint64_t more = 0) {
    flush();
    if (lost_ && !stream && !any([](const past& file) { return file.grew_larger_after_a_cut(); }))
      throw wrong("zeros at " + std::to_string(*lost_) + " for data, without an error");
    const auto may_end = [&](const past& file) {
      return file.may_end_at(end) || file.may_end_at(end + more) || (stream && file.was_cut());
    };
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
  bool marks = false;            // a NUL byte stands for what is between two records
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
      // What stands between records differs by its place only.
      if (marks && bytes[i] == '\0' && file.allows(content(0, begin_ + i), begin_ + i, false)) continue;
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
