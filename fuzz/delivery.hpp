/// The same bytes in memory or in pieces that the fuzzer chooses, and the end of a fuzz target at a wrong
/// answer.
#pragma once

#include <riffle/riffle.hpp>

#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <istream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/reading.hpp"

namespace riffle::fuzz {

inline void require(bool holds, const std::string& claim) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s\n", claim.c_str());
  std::abort();
}

/// A stream buffer that gives its bytes in pieces of these sizes, over and over again. None is 0.
class piece_buffer : public std::streambuf {
 public:
  piece_buffer(std::string_view bytes, std::vector<std::size_t> sizes)
      : bytes_(bytes), sizes_(std::move(sizes)) {}

 protected:
  int_type underflow() override {
    now_ = bytes_.substr(0, sizes_[place_++ % sizes_.size()]);
    bytes_.remove_prefix(now_.size());
    setg(now_.data(), now_.data(), now_.data() + now_.size());
    return now_.empty() ? traits_type::eof() : traits_type::to_int_type(now_.front());
  }
  std::streamsize showmanyc() override { return 0; }

 private:
  std::string_view bytes_;
  std::vector<std::size_t> sizes_;
  std::size_t place_ = 0;
  std::string now_;
};

/// The text of a run: bytes of the fuzzer, over and over, so that a few of them fill several pages.
inline std::string text_of(FuzzedDataProvider& from, std::size_t longest) {
  const std::size_t times = from.ConsumeIntegralInRange<std::size_t>(1, 64);
  const std::size_t before = from.ConsumeIntegralInRange<std::size_t>(0, 4200);
  const bool long_before = from.ConsumeIntegralInRange(0, 3) == 0;
  const std::string bytes = from.ConsumeRemainingBytesAsString();
  std::string text(long_before ? before : before % 70, 'x');
  for (std::size_t i = 0; i < times && text.size() < longest; ++i) text += bytes;
  return text.substr(0, longest);
}

/// A text, delivered as an input. The input borrows it, so the object stays where it is.
class delivery {
 public:
  /// Takes the parameters from the back of the fuzzer's bytes, and what is left as the text.
  explicit delivery(FuzzedDataProvider& from)
      : in_memory_(from.ConsumeBool()),
        reading_{.block_size = from.PickValueInArray(block_sizes)},
        sizes_(piece_sizes(from)),
        text_(text_of(from, std::min<std::size_t>(40'000, most_in_a_block() * 100))) {}

  input from() const { return in_memory_ ? input(memory(text_)) : input(stream_); }
  const read_options& reading() const { return reading_; }
  /// What is to be read.
  std::string_view text() const { return text_; }

 private:
  static constexpr std::size_t block_sizes[] = {1, 2, 3, 7, 16, 63, 64, 65, 512, 4096, 5000, 8192, 0};

  std::size_t most_in_a_block() const {
    return reading_.block_size == 0 ? std::size_t{256} << 10U : reading_.block_size;
  }
  std::vector<std::size_t> piece_sizes(FuzzedDataProvider& from) const {
    std::vector<std::size_t> sizes(from.ConsumeIntegralInRange<std::size_t>(1, 5));
    for (std::size_t& size : sizes)
      size = from.ConsumeIntegralInRange<std::size_t>(1, std::min<std::size_t>(most_in_a_block(), 5000));
    return sizes;
  }

  bool in_memory_;
  read_options reading_;
  std::vector<std::size_t> sizes_;
  std::string text_;
  piece_buffer buffer_{text_, sizes_};
  mutable std::istream stream_{&buffer_};
};

}  // namespace riffle::fuzz
