/// Asks further ahead after each wait, and stops when the bytes ahead are cached already.
#include "method/read_ahead.hpp"

#include "os/mapping.hpp"

namespace riffle::inline v0 {

read_ahead::read_ahead(const open_file& input) noexcept
    : input_(input), useful_(input.seekable() && input.size() >= copied_block && input.is_file()) {}

void read_ahead::before(std::uint64_t offset, std::size_t size) {
  if (useful_ && !std::exchange(started_, true)) ask_for_first(offset, offset + size);
  if (!useful_) return;
  if (waiting_.ahead != 0) ask(offset, offset + size);
  start_ = waiting::clock::now();
}

// A large block would be read by one or two requests at a time, before the first wait could be seen. So all
// of it is asked for, unless it is cached.
void read_ahead::ask_for_first(std::uint64_t begin, std::uint64_t end) {
  waits_ = os::waits_of_thread();
  end = std::min(end, input_.size());
  if (end <= begin + copied_block) return;
  if (resident(end - 1) != 0) return;
  look_at_storage();
  if (useful_) ask(begin, end);
}

// Starts anew after a seek.
void read_ahead::ask(std::uint64_t begin, std::uint64_t end) noexcept {
  if (begin < from_ || begin > asked_) asked_ = begin;
  from_ = begin;
  end = std::min(end + waiting_.ahead, input_.size());
  while (asked_ < end && (end - asked_ >= step_ || end == input_.size())) {
    (asking_ ? *asking_ : input_.file).advise_will_need(asked_, step_);
    asked_ += step_;
  }
  if (asked_ < input_.size() && !std::exchange(opened_, true)) open_to_ask();
}

// FUSE may pass every read to its server (FOPEN_DIRECT_IO). No read then finds what was asked for, and a
// short answer to it changes the size of the file (fuse_short_read in fs/fuse/file.c). Before Linux 6.5,
// which has cachestat, nothing tells what of such a file is cached, as it cannot be mapped.
void read_ahead::after(std::uint64_t offset, std::size_t size) {
  if (!useful_) return;
  if (waiting::is_late(start_, size) && has_waited()) {
    if (step_ == 0) {
      useful_ = resident(offset).value_or(0) != 0 || os::file_system_of(input_.file) != "fuse";
      if (useful_) look_at_storage();
    }
    if (!useful_) return;
    waiting_.go_further();
    return ask_again();
  }
  if (!waiting_.is_calm_after(size)) return;
  const std::uint64_t probed = asked_ / step_ * step_;
  if (probed + step_ >= input_.size()) return;
  if (os::resident_pages(input_.file, probed, step_) == os::page_count(step_)) waiting_.ahead = 0;
}

std::optional<std::uint64_t> read_ahead::resident(std::uint64_t offset) const {
  const std::uint64_t page = os::page_size();
  return os::resident_pages(input_.file, offset / page * page, page);
}

// A thread that is merely late did not run.
bool read_ahead::has_waited() noexcept {
  const std::uint64_t now = os::waits_of_thread();
  return std::exchange(waits_, now) != now;
}

// While a file system of FUSE is congested, the OS kernel drops a request of readahead that is no larger than
// the last one of the same descriptor (fuse_readahead in fs/fuse/file.c). So riffle asks through a descriptor
// of its own, which it opens while the first requests are served. A file that cannot be opened again is asked
// for through its own.
void read_ahead::open_to_ask() noexcept {
  if (input_.kind() != input_kind::regular_file) return;
  try {
    asking_ = input_.file.reopen();
    asking_->advise_sequential();  // as `look_at_storage` advises for the other one
  } catch (const std::exception&) {
    return;
  }
}

// A file system that is congested forgets requests, so they are made again. To ask for pages that are there
// takes time too: it comes twice in a depth at most.
void read_ahead::ask_again() noexcept {
  if (from_ >= asked_again_ && from_ - asked_again_ < waiting_.ahead / 2) return;
  asked_again_ = asked_ = from_;
}

// A readahead that reaches as far is left alone, as it makes larger requests: of 4 MiB where WILLNEED makes
// those of 1 MiB, because it takes large folios. (A disk that serves 200 reads a second: 3 times as fast.)
void read_ahead::look_at_storage() {
  constexpr std::uint64_t largest_step = std::uint64_t{4} << 20U;  // more delays what is needed first
  const os::request_sizes sizes = os::request_sizes_of(input_.device);
  // The hint lets the OS kernel read ahead twice as far by one request.
  input_.file.advise_sequential();
  useful_ = 2 * sizes.readahead < waiting_.first;
  step_ = std::min(std::max(2 * sizes.readahead, sizes.largest), largest_step);
  waiting_.most = std::clamp(waiting::share_of_memory(), step_, waiting_for_bytes.most);
}

}  // namespace riffle::inline v0
