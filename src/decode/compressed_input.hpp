/// Hands the compressed bytes of an input to a codec, without a copy where that is possible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "method/active_method.hpp"

namespace riffle::inline v0::decode {

/// The bytes of a method, or of a part in memory, from the first one that was not used yet.
class compressed_input {
 public:
  /// Reads `below`, which stands at `offset` and outlives this.
  compressed_input(active_method& below, std::uint64_t offset) : below_(&below), offset_(offset) {}
  /// The bytes at `offset` of an input, which outlive this.
  compressed_input(std::string_view bytes, std::uint64_t offset) : view_(bytes), offset_(offset) {}

  /// The bytes that can be had without reading.
  std::string_view at_hand() const noexcept { return view_; }
  /// Where they begin.
  std::uint64_t offset() const noexcept { return offset_; }
  /// Reads what follows, if nothing is at hand. Returns false at the end. Throws `riffle::error`.
  bool fetch();
  /// Returns at least `size` bytes; fewer only if the input ends before. Throws `riffle::error`. After an
  /// exception of the input it can be called again: no byte is lost.
  std::string_view gather(std::size_t size);
  /// Uses the first `size` bytes at hand.
  void skip(std::size_t size) noexcept;
  /// The same for bytes that may not be at hand, which it takes off `size`. Returns false if the input ends
  /// before. Throws as `gather`.
  bool discard(std::uint64_t& size);
  /// Throws `riffle::error` if the bytes that were used cannot be trusted. Call it before what was made of
  /// them is handed out.
  void check();

 private:
  std::string_view read();

  active_method* below_ = nullptr;
  std::string_view view_;  // of the block below, or of `gathered_`
  std::uint64_t offset_;
  std::uint64_t checked_ = 0;
  std::vector<char> gathered_;
};

}  // namespace riffle::inline v0::decode
