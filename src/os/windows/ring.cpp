/// `os::ring` by a completion port, for handles that were opened with FILE_FLAG_OVERLAPPED, as `direct` has
/// them.
#include "os/ring.hpp"

#include <algorithm>
#include <cerrno>
#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "os/file.hpp"
#include "os/windows/calls.hpp"

namespace riffle::os {

namespace {

// What the system writes to until the read completes. It is the first member, so that its address is that of
// the read.
struct pending_read {
  OVERLAPPED place;
  std::size_t tag;
};

}  // namespace

struct ring::state {
  state(unsigned depth, std::string_view name)
      : name_(name), port_(CreateIoCompletionPort(INVALID_HANDLE_VALUE, nullptr, 0, 1)) {
    if (!port_.valid()) fail_with(GetLastError(), "read", name_, std::nullopt, "no completion port");
    for (unsigned i = 0; i != std::max(depth, 1U); ++i) idle_.push_back(std::make_unique<pending_read>());
    in_flight_.reserve(idle_.size());
  }
  state(const state&) = delete;
  state& operator=(const state&) = delete;
  // The system may still write to what is in flight, so that is not freed.
  ~state() {
    for (auto& read : in_flight_) static_cast<void>(read.release());
  }

  void start(int descriptor, std::span<char> into, std::optional<std::uint64_t> offset, std::size_t tag) {
    HANDLE const handle = handle_of(descriptor);
    attach(handle, offset);
    if (idle_.empty()) fail("read", name_, offset, EBUSY, "the ring is full");
    pending_read& read = *idle_.back();
    read = {overlapped_at(offset.value_or(0)), tag};
    const auto size = static_cast<DWORD>(std::min(into.size(), std::size_t{1} << 30));
    if (ReadFile(handle, into.data(), size, nullptr, &read.place) != 0 ||
        GetLastError() == ERROR_IO_PENDING) {
      in_flight_.push_back(std::move(idle_.back()));
      idle_.pop_back();
    } else {  // the port does not hear of it
      done_.push_back({tag, result_of(GetLastError())});
    }
  }

  completion wait() {
    if (!done_.empty()) {
      const completion first = done_.front();
      done_.pop_front();
      return first;
    }
    DWORD count = 0;
    ULONG_PTR key = 0;
    OVERLAPPED* place = nullptr;
    const bool good = GetQueuedCompletionStatus(port_.get(), &count, &key, &place, INFINITE) != 0;
    if (place == nullptr) fail_with(GetLastError(), "read", name_);
    const auto found = std::find_if(in_flight_.begin(), in_flight_.end(),
                                    [place](const auto& read) { return &read->place == place; });
    const completion done{(*found)->tag, good ? static_cast<int>(count) : result_of(GetLastError())};
    idle_.push_back(std::move(*found));
    in_flight_.erase(found);
    return done;
  }

 private:
  static int result_of(DWORD code) noexcept { return is_end(code) ? 0 : -errno_of(code); }

  void attach(HANDLE handle, std::optional<std::uint64_t> offset) {
    if (handle == attached_) return;
    if (CreateIoCompletionPort(handle, port_.get(), 0, 0) == nullptr) {
      fail_with(GetLastError(), "read", name_, offset);
    }
    attached_ = handle;
  }

  std::string name_;
  owned_handle port_;
  HANDLE attached_ = nullptr;
  std::vector<std::unique_ptr<pending_read>> idle_;
  std::vector<std::unique_ptr<pending_read>> in_flight_;
  std::deque<completion> done_;
};

std::optional<std::string> ring::unavailable() {
  return "riffle has no queue for the page cache of Windows";
}

bool ring::may_hide_short_reads(const file&) noexcept {
  return false;
}

ring::ring(unsigned depth, std::string_view name) : state_(std::make_unique<state>(depth, name)) {}
ring::~ring() = default;

void ring::start(int descriptor, std::span<char> into, std::optional<std::uint64_t> offset, std::size_t tag) {
  state_->start(descriptor, into, offset, tag);
}

ring::completion ring::wait() {
  return state_->wait();
}

bool ring::ours() const noexcept {
  return true;
}

bool ring::ready() const noexcept {
  return false;
}

}  // namespace riffle::os
