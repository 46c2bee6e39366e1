/// Implements the step from one block to the next, for lines, words and values.
#include <riffle/lines.hpp>
#include <riffle/values.hpp>
#include <riffle/words.hpp>

#include <algorithm>
#include <new>
#include <utility>

#include "kernel/kernels.hpp"
#include "os/threads.hpp"
#include "record/record_too_long.hpp"
#include "source/source_state.hpp"

namespace riffle::inline v0 {

void detail::fail_too_long(std::string_view name, std::uint64_t offset, source_state* from) {
  if (from != nullptr) from->check();
  throw too_long(name, offset);
}

template <class Scan>
detail::scanned_range<Scan>::scanned_range(source from, const typename Scan::options_type& options)
    : source_(std::move(from)),
      scan_(options, source_state::of(source_).input()->name(), &source_state::of(source_)) {
  if constexpr (requires { options.delimiter; }) {
    source_state::of(source_).require_delimiter(options.delimiter);
  }
}

template <class Scan>
auto detail::scanned_range<Scan>::next_block() -> cursor {
  while (true) {
    const std::size_t kept = scan_.unfinished();
    const block region = source_state::of(source_).next(kept, {advice::set_max_length});
    scan_.start(region, kept);
    if (region.size() == kept) return scan_.last();
    cursor at = scan_.resume();
    if constexpr (requires { scan_.first(at); }) {
      if (scan_.first(at)) return at;
    } else {
      if (scan_.next(at)) return at;
    }
  }
}

template class detail::scanned_range<detail::line_scan>;
template class detail::scanned_range<detail::word_scan>;
template class detail::scanned_range<detail::token_scan>;

line_range::line_range(const input& from, const line_options& lines, const read_options& reading)
    : scanned_range(source(from, reading), lines) {}

line_range::line_range(source from, const line_options& lines) : scanned_range(std::move(from), lines) {}

word_range::word_range(const input& from, const word_options& words, const read_options& reading)
    : scanned_range(source(from, reading), words) {}

token_range::token_range(const input& from, const word_options& words, const read_options& reading)
    : scanned_range(source(from, reading), words) {}

}  // namespace riffle::inline v0

namespace riffle::inline v0::detail {

namespace {

constexpr std::size_t copy_bytes = 8192;  // half of what the smallest first-level caches hold

void reverse_each(std::string_view values, std::size_t size, char* to) noexcept {
  const kernel::table& kernel = kernel::active();
  if (size == 2) return kernel.reverse_16(values.data(), values.size(), to);
  if (size == 4) return kernel.reverse_32(values.data(), values.size(), to);
  if (size == 8) return kernel.reverse_64(values.data(), values.size(), to);
  for (std::size_t i = 0; i != values.size(); i += size) {
    std::reverse_copy(values.data() + i, values.data() + i + size, to + i);
  }
}

}  // namespace

std::string_view value_source::next() noexcept {
  const os::uncancelled reading;
  try {
    if (rest_.size() < size_) next_block();
    std::string_view values = rest_.substr(0, rest_.size() - rest_.size() % size_);
    const std::string_view handed = swapped_ && !values.empty() ? copied(values) : values;
    rest_.remove_prefix(handed.size());
    return handed;
  } catch (...) {
    failure_ = std::current_exception();
    return {};
  }
}

std::string_view value_source::align(std::string_view values) noexcept {
  try {
    return copied(values);
  } catch (...) {
    failure_ = std::current_exception();
    return {};
  }
}

// Reads until there is a whole value, or the end.
void value_source::next_block() {
  while (rest_.size() < size_) {
    if (cut_) throw error(errc::partial_value, "read", source_.name(), cut_);
    const std::size_t kept = rest_.size();
    const block region = source_.next(kept);
    rest_ = region.bytes;
    if (rest_.empty()) return;
    if (rest_.size() == kept) cut_ = region.offset;
  }
}

std::string_view value_source::copied(std::string_view values) {
  const std::size_t most = std::max(copy_bytes / size_, std::size_t{1}) * size_;
  std::size_t room = most + alignment_;
  try {
    if (copy_ == nullptr) copy_.reset(new char[room]);
  } catch (const std::bad_alloc&) {
    throw error(std::make_error_code(std::errc::not_enough_memory), "read", source_.name(), std::nullopt,
                "no memory for a copy of values");
  }
  values = values.substr(0, most);
  void* place = copy_.get();
  char* const to = static_cast<char*>(std::align(alignment_, most, place, room));
  if (swapped_) {
    reverse_each(values, size_, to);
  } else {
    std::memcpy(to, values.data(), values.size());
  }
  return {to, values.size()};
}

void value_source::fail() {
  std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace riffle::inline v0::detail
