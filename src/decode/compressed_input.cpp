/// Keeps the place in the compressed bytes, and joins those that a block cut.
#include "decode/compressed_input.hpp"

#include <algorithm>

namespace riffle::inline v0::decode {

bool compressed_input::fetch() {
  if (view_.empty()) view_ = read();
  return !view_.empty();
}

std::string_view compressed_input::gather(std::size_t size) {
  if (view_.size() >= size || !fetch() || view_.size() >= size) return view_;
  const bool gathered = !gathered_.empty() && view_.data() >= gathered_.data() &&
                        view_.data() < gathered_.data() + gathered_.size();
  if (gathered) {
    gathered_.erase(gathered_.begin(), gathered_.end() - static_cast<std::ptrdiff_t>(view_.size()));
  } else {
    gathered_.assign(view_.begin(), view_.end());
  }
  while (true) {
    view_ = {gathered_.data(), gathered_.size()};
    if (view_.size() >= size) return view_;
    const std::string_view more = read();
    if (more.empty()) return view_;
    gathered_.insert(gathered_.end(), more.begin(), more.end());
  }
}

void compressed_input::skip(std::size_t size) noexcept {
  view_.remove_prefix(size);
  offset_ += size;
}

bool compressed_input::discard(std::uint64_t& size) {
  while (size != 0 && fetch()) {
    const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(size, view_.size()));
    skip(now);
    size -= now;
  }
  return size == 0;
}

void compressed_input::check() {
  if (below_ == nullptr) return;
  below_->check(checked_);
  checked_ = offset_;
}

// The block before is not used again once the next one is read.
std::string_view compressed_input::read() {
  if (below_ == nullptr) return {};
  below_->check(checked_);
  checked_ = offset_ + view_.size();
  const std::span<char> block = below_->next();
  return {block.data(), block.size()};
}

}  // namespace riffle::inline v0::decode
