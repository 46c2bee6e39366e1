/// Offers an array for large numbers of plain elements: no element is set twice, and large arrays have huge
/// pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include "os/mapping.hpp"

namespace riffle::os {

/// Holds elements that are plain bytes. Throws `std::bad_alloc` if there is no memory for more.
template <class T>
class growing_array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  T* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }

  void push_back(T value) {
    if (size_ == capacity_) reserve(size_ + 1);
    data_.get()[size_++] = value;
  }
  void append(std::span<const T> values) {
    if (values.empty()) return;
    reserve(size_ + values.size());
    std::memcpy(data_.get() + size_, values.data(), values.size_bytes());
    size_ += values.size();
  }
  /// Sets the size. New elements have no value yet.
  void resize(std::size_t size) {
    reserve(size);
    size_ = size;
  }
  std::size_t capacity() const noexcept { return capacity_; }
  /// Makes room for `size` elements, and may make more.
  void reserve(std::size_t size) {
    if (size > capacity_) reallocate(std::max({size, capacity_ * 2, std::size_t{512}}));
  }
  /// Gives back the memory after the last element.
  void shrink() {
    if (size_ != capacity_) reallocate(std::max<std::size_t>(size_, 1));
  }

 private:
  struct free_memory {
    void operator()(T* memory) const noexcept { std::free(memory); }
  };

  void reallocate(std::size_t capacity) {
    if (capacity > std::numeric_limits<std::ptrdiff_t>::max() / sizeof(T)) throw std::bad_alloc();
    void* const moved = std::realloc(data_.get(), capacity * sizeof(T));
    if (moved == nullptr) throw std::bad_alloc();
    static_cast<void>(data_.release());
    data_.reset(static_cast<T*>(moved));
    capacity_ = capacity;
    prefer_huge_pages();
  }
  // In a large array, to fault in pages of 4 KiB takes longer than to fill them.
  void prefer_huge_pages() const noexcept {
    constexpr std::uintptr_t page = std::uintptr_t{2} << 20U;
    const auto begin = reinterpret_cast<std::uintptr_t>(data_.get());
    const std::uintptr_t first = (begin + page - 1) / page * page;
    const std::uintptr_t last = (begin + capacity_ * sizeof(T)) / page * page;
    if (last > first) advise_huge_pages(reinterpret_cast<char*>(first), last - first);
  }

  std::unique_ptr<T, free_memory> data_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace riffle::os
