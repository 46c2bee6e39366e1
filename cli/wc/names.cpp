/// Hands names on as they come, because the program that writes them may wait for the row of the last.
#include "cli/wc/names.hpp"

#include <riffle/input.hpp>

#include <array>
#include <utility>

namespace riffle::cli {

namespace {

constexpr std::uint64_t most_at_once = std::uint64_t{10} << 20U;

os::file opened(const std::string& list) {
  return list == "-" ? os::file::borrow(0, "standard input") : os::file::open(detail::path_of(list));
}

bool is_small_file(const os::file& list) {
  try {
    const os::file_status status = list.status();
    return status.kind == os::file_kind::regular && status.size <= most_at_once;
  } catch (const error&) {
    return false;  // closed; reading it says so
  }
}

}  // namespace

wc_names::wc_names(const std::string& list) : list_(opened(list)), at_once_(is_small_file(*list_)) {}

std::vector<std::string> wc_names::next() {
  while (!ended_ && (at_once_ || unread_.find('\0') == std::string::npos)) ended_ = !fill();
  // Where standard input is closed the list has its number, by which a name "-" would find the list.
  if (ended_) list_.reset();
  std::vector<std::string> names;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = unread_.find('\0', begin)) != std::string::npos; begin = end + 1) {
    names.push_back(unread_.substr(begin, end - begin));
  }
  unread_.erase(0, begin);
  if (ended_ && !unread_.empty()) names.push_back(std::exchange(unread_, {}));
  if (names.empty() && failure_) throw error(*failure_);
  return names;
}

// Reads what is there; returns false at the end.
bool wc_names::fill() {
  std::array<char, 64 * 1024> space;
  try {
    const std::size_t size = list_->read(space, offset_);
    offset_ += size;
    unread_.append(space.data(), size);
    return size != 0;
  } catch (const error& told) {
    failure_ = told;
    return false;
  }
}

}  // namespace riffle::cli
