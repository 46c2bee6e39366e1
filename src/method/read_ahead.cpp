/// Asks further ahead after each wait, and stops when the bytes ahead are cached already.
#include "method/read_ahead.hpp"

#include <algorithm>
#include <utility>

#include "os/calls.hpp"
#include "os/file_system.hpp"
#include "os/machine.hpp"
#include "os/mapping.hpp"
#include "os/page_cache.hpp"

namespace riffle::inline v0 {

namespace {

constexpr std::uint64_t mib = std::uint64_t{1} << 20U;

// A smaller file is over before the second request.
constexpr std::uint64_t smallest = 256 * 1024;
// Memory gives its bytes faster, and the storage in a machine one block.
constexpr double bytes_per_second_of_a_wait = 1.5e9;
constexpr double shortest_wait = 100e-6;
// Who reads only the first block of a file asks for nothing. Far storage that takes 10 ms for a request of
// 256 KiB, and serves 64 at once, is busy with 16 MiB.
constexpr std::uint64_t first_depth = 8 * mib;
constexpr std::uint64_t largest_depth = 32 * mib;
// A larger one only delays the bytes that are needed first.
constexpr std::uint64_t largest_step = 4 * mib;
// A probe takes about as long as a request, so it comes seldom.
constexpr std::uint64_t probed_after = 64 * mib;

}  // namespace

read_ahead::read_ahead(const open_file& input) noexcept
    : input_(input),
      useful_(input.seekable && input.size >= smallest &&
              (input.kind == input_kind::regular_file || input.kind == input_kind::block_device)) {}

// A large block would be read by one or two requests at a time, before the first wait could be seen. So all
// of it is asked for, unless it is cached.
void read_ahead::ask_for_first(std::uint64_t begin, std::uint64_t end) {
  if (!useful_) return;
  waits_ = os::waits_of_thread();
  end = std::min(end, input_.size);
  if (end <= begin + smallest) return;
  const std::uint64_t page = os::page_size();
  if (os::resident_pages(input_.file, (end - 1) / page * page, page) != 0) return;
  look_at_storage();
  if (useful_) ask(begin, end);
}

// Starts anew behind a seek.
void read_ahead::ask(std::uint64_t begin, std::uint64_t end) noexcept {
  if (begin < from_ || begin > asked_) asked_ = begin;
  from_ = begin;
  end = std::min(end + depth_, input_.size);
  while (asked_ < end && (end - asked_ >= step_ || end == input_.size)) {
    (asking_ ? *asking_ : input_.file).advise_will_need(asked_, step_);
    asked_ += step_;
  }
  if (asked_ < input_.size && !std::exchange(opened_, true)) open_to_ask();
}

void read_ahead::judge(std::uint64_t offset, std::size_t size, clock::duration took) {
  const double seconds = std::chrono::duration<double>(took).count();
  const bool late = seconds > std::max(shortest_wait, static_cast<double>(size) / bytes_per_second_of_a_wait);
  if (late && has_waited()) {
    without_wait_ = 0;
    if (deepest_ == 0 && passes_the_cache(offset)) {
      useful_ = false;
      return;
    }
    go_deeper();
    return ask_again();
  }
  without_wait_ += size;
  if (depth_ == 0 || without_wait_ < probed_after) return;
  without_wait_ = 0;
  const std::uint64_t probed = asked_ / step_ * step_;
  if (probed + step_ >= input_.size) return;
  if (os::resident_pages(input_.file, probed, step_) == os::page_count(step_)) depth_ = 0;
}

// FUSE may pass every read to its server (FOPEN_DIRECT_IO). No read then finds what was asked for, and a
// short answer to it changes the size of the file (fuse_short_read in fs/fuse/file.c).
bool read_ahead::passes_the_cache(std::uint64_t offset) const {
  const std::uint64_t page = os::page_size();
  return os::resident_pages(input_.file, offset / page * page, page) == 0 &&
         os::file_system_of(input_.file) == "fuse";
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
  if (input_.kind != input_kind::regular_file) return;
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
  if (from_ >= asked_again_ && from_ - asked_again_ < depth_ / 2) return;
  asked_again_ = asked_ = from_;
}

// A readahead that reaches as far is left alone, as it makes larger requests: of 4 MiB where WILLNEED makes
// those of 1 MiB, because it takes large folios. (A disk that serves 200 reads a second: 3 times as fast.)
void read_ahead::look_at_storage() {
  const os::request_sizes sizes = os::request_sizes_of(input_.device);
  // The hint lets the OS kernel read ahead twice as far by one request.
  input_.file.advise_sequential();
  useful_ = 2 * sizes.readahead < first_depth;
  step_ = std::min(std::max(2 * sizes.readahead, sizes.largest), largest_step);
  deepest_ = std::clamp(os::memory_for_cache() / 8, step_, largest_depth);
}

void read_ahead::go_deeper() {
  if (deepest_ == 0) look_at_storage();
  if (useful_) depth_ = std::min(std::max(first_depth, 2 * depth_), deepest_);
}

}  // namespace riffle::inline v0
