/// Joins the two parts of a record that the end of a block cut.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

namespace riffle::inline v0 {

/// Holds the start of a record whose end lies in the next block.
///
/// Call `save` before the next block is fetched, which may overwrite the last one; then `join` it with that
/// block. A short carry is copied into the headroom before the block. For a long one, the block is appended
/// to it in memory that grows here.
class carry {
 public:
  /// Copies the end of the last block. Returns the copy.
  std::string_view save(std::string_view kept) {
    if (kept.data() != memory_.get()) {  // else a record that started here continues
      grow(kept.size());
      if (!kept.empty()) std::char_traits<char>::move(memory_.get(), kept.data(), kept.size());
    }
    size_ = kept.size();
    return saved();
  }

  /// Returns the carry and the block as contiguous bytes. `block` has `room` writable bytes before it.
  std::string_view join(std::span<char> block, std::size_t room) {
    if (size_ == 0 || block.empty())
      return block.empty() ? saved() : std::string_view(block.data(), block.size());
    if (size_ <= room) {
      char* start = block.data() - size_;
      std::char_traits<char>::copy(start, memory_.get(), size_);
      return {start, size_ + block.size()};
    }
    grow(size_ + block.size());
    std::char_traits<char>::copy(memory_.get() + size_, block.data(), block.size());
    return {memory_.get(), size_ + block.size()};
  }

 private:
  struct free {
    void operator()(char* memory) const noexcept { std::free(memory); }
  };

  std::string_view saved() const { return {memory_.get(), size_}; }

  // For a large carry, realloc moves pages instead of bytes.
  void grow(std::size_t size) {
    if (size <= capacity_) return;
    const std::size_t wanted = size < SIZE_MAX / 2 ? size + size / 2 + 256 : size;
    void* larger = std::realloc(memory_.get(), wanted);
    if (larger == nullptr) throw std::bad_alloc();
    static_cast<void>(memory_.release());
    memory_.reset(static_cast<char*>(larger));
    capacity_ = wanted;
  }

  std::unique_ptr<char, free> memory_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace riffle::inline v0
