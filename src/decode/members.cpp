/// Goes from member to member of the compressed bytes, joins those that a block cut, and says where it had to
/// stop.
#include "decode/members.hpp"

#include <algorithm>
#include <utility>

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

std::size_t member_reader::read(std::span<char> to) {
  if (later_) std::rethrow_exception(std::exchange(later_, {}));
  std::size_t filled = 0;
  try {
    while (!ended_ && filled != to.size()) {
      const bool may_wait = !inside_ && from_.at_hand().size() < longest_magic;
      if (may_wait && filled != 0) break;
      if (!inside_ && !begin_member()) break;
      const std::size_t written = decode(to.subspan(filled));
      filled += written;
      written_ += written;
      if (!inside_) verified_ = written_;
      if (!inside_ || written != 0 || !from_.at_hand().empty()) continue;
      if (filled != 0) break;
      if (!from_.fetch()) fail_cut(format_.info.name);
    }
    from_.check();
  } catch (const damage& what) {
    later_ = lost();  // which explains the damage
    if (later_) filled = 0;
    if (!later_)
      later_ = std::make_exception_ptr(
          failure(what, from_.offset() + static_cast<std::uint64_t>(what.place()), verified_));
  } catch (const error& problem) {
    later_ = std::make_exception_ptr(read_failure(problem, verified_));
    if (lost()) filled = 0;
  } catch (...) {
    later_ = std::current_exception();
    if (lost()) filled = 0;
  }
  if (filled == 0 && later_) std::rethrow_exception(std::exchange(later_, {}));
  return filled;
}

// Returns what is wrong with the compressed bytes so far, of which a page may have been lost; null: nothing.
std::exception_ptr member_reader::lost() const noexcept {
  try {
    from_.check();
    return nullptr;
  } catch (const error& problem) {
    return std::make_exception_ptr(read_failure(problem, verified_));
  } catch (...) {
    return std::current_exception();
  }
}

bool member_reader::begin_member() {
  if (began_ && part_ != nullptr) {
    ended_ = !to_part(format_, from_, *part_, *cut_) || !part_->bytes.empty();
  } else {
    ended_ = !to_member(format_, from_, way_);
  }
  if (ended_) return false;
  codec_.start();
  began_ = inside_ = true;
  return true;
}

// Returns the number of decoded bytes.
std::size_t member_reader::decode(std::span<char> to) {
  const step made = codec_.decode(from_.at_hand(), to);
  from_.skip(made.read);
  inside_ = !made.ended;
  const bool stuck = made.read == 0 && made.written == 0 && inside_ && !from_.at_hand().empty();
  if (stuck) throw damage(errc::bad_compression, damaged);
  return made.written;
}

}  // namespace riffle::inline v0::decode
