/// Which inputs are read side by side, and the queue that threads take them from.
#include "parallel/files.hpp"

#include <filesystem>
#include <variant>

#include "source/open.hpp"
#include "source/reading.hpp"

namespace riffle {

namespace {

// Larger files are shared by all threads: below this, a thread that takes it last keeps the others waiting
// for no more than a millisecond or two.
constexpr std::uint64_t largest_side_by_side = std::uint64_t{16} << 20U;

}  // namespace

bool index_queue::take(std::size_t& begin, std::size_t& end) {
  constexpr std::size_t most = 16;
  begin = next_;
  do {
    if (begin == count_) return false;
    end = begin + std::clamp<std::size_t>((count_ - begin) / (std::size_t{4} * threads_), 1, most);
  } while (!next_.compare_exchange_weak(begin, end));
  return true;
}

bool opens_in_turn(const input& from) noexcept {
  return !std::holds_alternative<std::filesystem::path>(from.where());
}

std::map<std::size_t, std::exception_ptr> unreadable_descriptors(std::span<const input> files) {
  std::map<std::size_t, std::exception_ptr> found;
  for (std::size_t index = 0; index != files.size(); ++index) {
    if (!std::holds_alternative<int>(files[index].where())) continue;
    try {
      static_cast<void>(open_input(files[index]));
    } catch (const error&) {
      found[index] = std::current_exception();
    }
  }
  return found;
}

sharing sharing_of(const source& opened, const input& from, std::size_t count, unsigned threads) {
  if (threads != 1 && (count == 1 || opens_in_turn(from))) return sharing::by_all;
  if (opened.seekable() && opened.size_hint() <= largest_side_by_side) return sharing::side_by_side;
  return opened.seekable() && threads != 1 ? sharing::by_all : sharing::in_turn;
}

std::optional<std::uint64_t> regular_size(source& opened) {
  const open_file& file = *detail::reading::within(opened).input();
  return file.kind == input_kind::regular_file ? std::optional(file.size) : std::nullopt;
}

}  // namespace riffle
