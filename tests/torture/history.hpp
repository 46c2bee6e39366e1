/// What a file held, and when: so each byte that was read can be held against all that it may have been.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
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

}  // namespace riffle::torture
