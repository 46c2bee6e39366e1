/// Makes the Python objects of words, which occur again and again.
#ifndef RIFFLE_PYTHON_WORD_MAKER_HPP
#define RIFFLE_PYTHON_WORD_MAKER_HPP

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "bindings/python/native/records/text_maker.hpp"

namespace riffle::python {

/// Makes words as `text_maker` does, and hands out the object of a short word again if it met the word
/// before: its hash is computed already, and a dict finds it by its address. It holds 96 KiB at most. Call it
/// with the GIL.
class word_maker : public text_maker {
 public:
  explicit word_maker(decoder decode = {})
      : text_maker(std::move(decode)), keeps_(!this->decode().text() || this->decode().strict_utf8()) {}
  ~word_maker() {
    for (std::size_t i = 0; met_ != nullptr && i != places; ++i) Py_XDECREF(met_[i].object);
  }
  word_maker(word_maker&&) noexcept = default;
  word_maker& operator=(word_maker&&) = delete;

  /// Returns a new reference, or nullptr with a Python exception set.
  [[gnu::always_inline]] PyObject* operator()(std::string_view word) noexcept {
    if (!keeps_ || word.size() < least || word.size() > most) return text_maker::operator()(word);
    const auto [low, high] = halves_of(word);
    const std::uint64_t mixed = (low ^ (high + word.size()) * 0x9E3779B97F4A7C15U) * 0xD6E8FEB86659FD93U;
    entry& met = met_[mixed >> (64 - bits)];
    if (met.low == low && met.high == high && met.size == word.size()) {
      Py_INCREF(met.object);
      return met.object;
    }
    PyObject* const object = text_maker::operator()(word);
    if (object == nullptr) return nullptr;
    Py_INCREF(object);
    Py_XDECREF(met.object);
    met = {low, high, word.size(), object};
    return object;
  }

 private:
  struct entry {
    std::uint64_t low = 0;   // the first 8 bytes
    std::uint64_t high = 0;  // the last 8
    std::size_t size = 0;    // of the word
    PyObject* object = nullptr;
  };

  static constexpr std::size_t least = 2;  // Python itself keeps those of one byte
  static constexpr std::size_t most = 16;
  static constexpr unsigned bits = 10;
  static constexpr std::size_t places = std::size_t{1} << bits;

  template <class T>
  static std::uint64_t loaded(const char* from) noexcept {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  // With the size, they tell all bytes: they overlap in a word of fewer.
  [[gnu::always_inline]] static std::pair<std::uint64_t, std::uint64_t> halves_of(
      std::string_view word) noexcept {
    const char* const first = word.data();
    const char* const end = first + word.size();
    if (word.size() >= 8) return {loaded<std::uint64_t>(first), loaded<std::uint64_t>(end - 8)};
    if (word.size() >= 4) return {loaded<std::uint32_t>(first), loaded<std::uint32_t>(end - 4)};
    return {loaded<std::uint16_t>(first), loaded<std::uint16_t>(end - 2)};
  }

  bool keeps_;  // whether the object depends on the bytes alone
  std::unique_ptr<entry[]> met_ = std::make_unique<entry[]>(places);
};

}  // namespace riffle::python

#endif
