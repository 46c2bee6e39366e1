/// Takes the names of a list apart as they come.
#include "cli/wc/names.hpp"

#include <cstdint>
#include <utility>

#include "cli/files.hpp"

namespace riffle::cli {

namespace {

constexpr std::uint64_t most_at_once = std::uint64_t{10} << 20U;

}  // namespace

// A directory, or a closed standard input, is refused to GNU wc when it reads.
wc_names::wc_names(const std::string& list) {
  try {
    list_.emplace(input_of(list));
    at_once_ = list_->kind() == input_kind::regular_file && list_->size_hint() <= most_at_once;
  } catch (const error& told) {
    if (list != "-" && told.code() != std::errc::is_a_directory) throw;
    failure_ = told;
    ended_ = true;
  }
}

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
  try {
    const block next = list_->next();
    unread_.append(next.bytes);
    return !next.empty();
  } catch (const error& told) {
    failure_ = told;
    return false;
  }
}

}  // namespace riffle::cli
