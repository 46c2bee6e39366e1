/// Holds the values of a column while they are made.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include "bindings/python/native/arrow/table.hpp"
#include "os/growing_array.hpp"

namespace riffle::python::arrow {

/// Returns a buffer of these elements.
template <class T>
buffer buffer_of(os::growing_array<T> from) {
  from.shrink();
  const auto held = std::make_shared<os::growing_array<T>>(std::move(from));
  return {held, held->data()};
}

/// Returns one bit for each of these: whether it is true.
inline buffer bits_of(const os::growing_array<bool>& from) {
  os::growing_array<unsigned char> bits;
  bits.resize((from.size() + 7) / 8);
  std::fill_n(bits.data(), bits.size(), static_cast<unsigned char>(0));
  for (std::size_t i = 0; i != from.size(); ++i) {
    bits.data()[i / 8] |= static_cast<unsigned char>(unsigned{from.data()[i]} << i % 8);
  }
  return buffer_of(std::move(bits));
}

/// The rows of a column that have no value.
class null_rows {
 public:
  void add(std::size_t row) { rows_.push_back(row); }
  /// Drops those from `row` on.
  void take_back(std::size_t row) {
    while (rows_.size() != 0 && rows_.data()[rows_.size() - 1] >= row) rows_.resize(rows_.size() - 1);
  }
  /// The column of `size` rows with these buffers of its values.
  template <class... Buffers>
  column_values column(std::size_t size, Buffers... buffers) const {
    return {static_cast<std::int64_t>(rows_.size()), {valid_bits(size), std::move(buffers)...}};
  }

 private:
  buffer valid_bits(std::size_t size) const {
    if (rows_.size() == 0) return nullptr;
    os::growing_array<unsigned char> bits;
    bits.resize((size + 7) / 8);
    std::fill_n(bits.data(), bits.size(), static_cast<unsigned char>(0xFF));
    for (std::size_t i = 0; i != rows_.size(); ++i) {
      const std::size_t row = rows_.data()[i];
      bits.data()[row / 8] &= static_cast<unsigned char>(~(1U << row % 8));
    }
    return buffer_of(std::move(bits));
  }

  os::growing_array<std::size_t> rows_;
};

/// Values of a size that is fixed.
template <class T>
class fixed_values {
 public:
  void put(const std::optional<T>& value) {
    if (!value) nulls_.add(values_.size());
    values_.push_back(value.value_or(T{}));
  }
  /// Drops those after the first `rows`.
  void take_back(std::size_t rows) {
    values_.resize(rows);
    nulls_.take_back(rows);
  }
  column_values finish() {
    const std::size_t size = values_.size();
    if constexpr (std::is_same_v<T, bool>) return nulls_.column(size, bits_of(values_));
    return nulls_.column(size, buffer_of(std::move(values_)));
  }

 private:
  os::growing_array<T> values_;
  null_rows nulls_;
};

/// Texts, of less than 2 GiB.
class text_values {
 public:
  text_values() { ends_.push_back(0); }

  /// Returns false if there is no room.
  [[nodiscard]] bool put(const std::optional<std::string_view>& value) {
    const std::string_view text = value.value_or(std::string_view());
    if (text.size() > std::numeric_limits<std::int32_t>::max() - bytes_.size()) return false;
    if (!value) nulls_.add(ends_.size() - 1);
    bytes_.append({text.data(), text.size()});
    ends_.push_back(static_cast<std::int32_t>(bytes_.size()));
    return true;
  }
  void take_back(std::size_t rows) {
    ends_.resize(rows + 1);
    bytes_.resize(static_cast<std::size_t>(ends_.data()[rows]));
    nulls_.take_back(rows);
  }
  column_values finish() {
    const std::size_t size = ends_.size() - 1;
    return nulls_.column(size, buffer_of(std::move(ends_)), buffer_of(std::move(bytes_)));
  }

 private:
  os::growing_array<char> bytes_;
  os::growing_array<std::int32_t> ends_;  // with a 0 before the first
  null_rows nulls_;
};

}  // namespace riffle::python::arrow
