/// Finds the delimiters of a region by a list of their places in each batch.
#pragma once

#include <riffle/export.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace riffle::inline v0::detail {

/// The most bytes in a batch.
inline constexpr std::size_t batch_size = 4096;
/// How many elements after the last place a match may overwrite.
inline constexpr std::size_t place_slack = 8;

/// Matches every delimiter.
struct match_delimiter {
  char delimiter;
  /// Writes the places of the delimiters in `batch`, in order, and returns their number. `places` needs room
  /// for `batch.size()` + place_slack elements.
  RIFFLE_API std::size_t operator()(std::string_view batch, std::uint16_t* places) const;
};

/// Holds the places of the matches in a batch, and `none` after them and at `used_up`. A copy copies only
/// these.
class batch_places {
 public:
  static constexpr std::uint16_t none = 0xFFFF;
  static constexpr std::size_t used_up = batch_size + place_slack;

  batch_places() noexcept { places_[0] = places_[used_up] = none; }
  batch_places(const batch_places& other) noexcept : batch_places() { *this = other; }
  batch_places& operator=(const batch_places& other) noexcept {
    count_ = other.count_;
    std::memmove(places_.data(), other.places_.data(), (count_ + 1) * sizeof places_[0]);
    return *this;
  }
  ~batch_places() = default;

  /// Replaces the places by those that `match` finds in `batch`.
  template <class Match>
  void find(Match& match, std::string_view batch) {
    count_ = match(batch, places_.data());
    places_[count_] = none;
  }
  std::uint16_t operator[](std::size_t index) const noexcept { return places_[index]; }

 private:
  std::size_t count_ = 0;
  std::array<std::uint16_t, used_up + 1> places_;
};

/// Holds the place of a scan in its batch. The loop keeps it by value, so that it stays in registers.
struct place_cursor {
  const char* base = nullptr;                 // the batch
  std::size_t index = batch_places::used_up;  // of the next match
};

/// Finds the bytes that `Match` matches, in order, `batch_size` bytes at a time. It can be copied, because it
/// holds no pointer into itself.
template <class Match>
class place_scan {
 public:
  explicit place_scan(Match match) : match_(match) {}

  /// Continues in `region`, which must stay valid until the scan has left it.
  void start(std::string_view region) noexcept {
    rest_ = region;
    batch_ = region.data();
    places_ = {};
    left_ = 0;
  }

  /// Skips the bytes before `place`, unless it lies in the current batch.
  void pass(const char* place) noexcept {
    if (place > rest_.data()) start({place, static_cast<std::size_t>(rest_.data() + rest_.size() - place)});
  }

  /// Returns the cursor before the first match at or after `from`, at which the next loop continues. `from`
  /// does not lie before that of an earlier call: a line that is given back has no match in it.
  place_cursor resume(const char* from) noexcept {
    while (places_[left_] != batch_places::none && batch_ + places_[left_] < from) ++left_;
    return {batch_, left_};
  }

  /// Returns whether there is a match left in the region; `take` then gives it.
  [[gnu::always_inline]] bool more(place_cursor& at) {
    if (places_[at.index] != batch_places::none) [[likely]]
      return true;
    at = next_batch(at.index);
    return places_[at.index] != batch_places::none;
  }
  /// Returns the next matched byte.
  [[gnu::always_inline]] const char* take(place_cursor& at) const noexcept {
    return at.base + places_[at.index++];
  }

 private:
  // Returns the cursor on the first match after the batch. One that left its region stays `used_up` if an
  // error kept the loop from resuming in the next.
  [[gnu::noinline]] place_cursor next_batch(std::size_t index) {
    while (index != batch_places::used_up && !rest_.empty()) {
      const std::string_view batch = rest_.substr(0, batch_size);
      batch_ = batch.data();
      left_ = 0;
      rest_.remove_prefix(batch.size());
      places_.find(match_, batch);
      if (places_[0] != batch_places::none) return {batch_, 0};
    }
    return {};
  }

  Match match_;
  std::string_view rest_;        // of the region, after the batch
  const char* batch_ = nullptr;  // the current one
  std::size_t left_ = 0;         // the index of the first match that was left when a loop began
  batch_places places_;
};

}  // namespace riffle::inline v0::detail
