/// Implements `os::ring` by liburing.
#include "os/ring.hpp"

#include <liburing.h>
#include <linux/magic.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <system_error>

#include "os/file.hpp"
#include "os/threads.hpp"

namespace riffle::os {

namespace {

// Why a ring could not be made, and by which call.
struct refusal {
  const char* call;
  int code;
};

std::string reason_for(const refusal& met) {
  std::string reason = std::string(met.call) + ": " + std::generic_category().message(met.code);
  switch (met.code) {
    case EPERM:
    case EACCES:
      return reason + ", from a sandbox or sysctl kernel.io_uring_disabled";
    case ENOSYS:
      return reason + ", as this OS kernel has no io_uring or a sandbox hides it";
    case ENOMEM:
      return reason + "; raise the limit of locked memory with ulimit -l";
    case EMFILE:
      return reason + "; raise the limit of open files with ulimit -n";
    default:
      return reason;
  }
}

// Makes a ring, and enters it once, for nothing: a sandbox may allow the one call and refuse the other.
std::optional<refusal> open(unsigned depth, io_uring& kernel) {
  const int result = io_uring_queue_init(depth, &kernel, 0);
  if (result < 0) return refusal{"io_uring_setup", -result};
  while (syscall(SYS_io_uring_enter, kernel.ring_fd, 0U, 0U, 0U, nullptr, std::size_t{0}) < 0) {
    const int code = errno;
    if (code == EAGAIN || code == EBUSY) break;
    if (code == EINTR) continue;
    io_uring_queue_exit(&kernel);
    return refusal{"io_uring_enter", code};
  }
  return std::nullopt;
}

std::optional<std::string> probe() {
  io_uring trial{};
  if (const auto met = open(1, trial)) return reason_for(*met);
  io_uring_queue_exit(&trial);
  return std::nullopt;
}

constexpr unsigned most_in_flight = 128;  // by threads of the OS kernel

// Reads that would wait, as all of FUSE do with O_DIRECT, are made by threads of the OS kernel: by default at
// most four for each processor, so that a deeper queue had no more in flight. An OS kernel before 5.15
// refuses.
void allow_in_flight(io_uring& kernel, unsigned depth) {
  unsigned most[2] = {depth, 0};  // of those that end; 0: unchanged
  io_uring_register_iowq_max_workers(&kernel, most);
}

[[noreturn]] void fail_as_inherited(std::string_view name, std::optional<std::uint64_t> offset) {
  throw error(errc::method_unavailable, "read", name, offset,
              "uring: the ring belongs to the process that forked this one; open the input after the fork");
}

}  // namespace

struct ring::state {
  io_uring kernel{};
  std::string name;
  pid_t owner = getpid();
};

std::optional<std::string> ring::unavailable() {
  static std::atomic<bool> works{false};
  if (works.load(std::memory_order_relaxed)) return std::nullopt;
  std::optional<std::string> reason = probe();
  works.store(!reason, std::memory_order_relaxed);
  return reason;
}

// With FOPEN_DIRECT_IO and without FUSE_ASYNC_DIO, FUSE leaves the position of the request as it was after a
// short read (fuse_direct_IO in fs/fuse/file.c). io_uring then reads the rest from that position, and reports
// one whole read (__io_read in io_uring/rw.c, seen on Linux 6.18). A server of FUSE may refuse fstatfs.
bool ring::may_hide_short_reads(const file& read) noexcept {
  struct statfs facts{};
  return fstatfs(read.descriptor(), &facts) != 0 ||
         static_cast<std::uint32_t>(facts.f_type) == FUSE_SUPER_MAGIC;
}

ring::ring(unsigned depth, std::string_view name) : state_(std::make_unique<state>()) {
  state_->name = name;
  if (const auto met = open(std::max(depth, 1U), state_->kernel)) {
    throw error(errc::method_unavailable, "read", name, std::nullopt, "uring: " + reason_for(*met),
                {advice::use_method});
  }
  allow_in_flight(state_->kernel, std::min(depth, most_in_flight));
}

ring::~ring() {
  const uncancelled closing;  // liburing calls close(2) on some processors
  io_uring_queue_exit(&state_->kernel);
}

bool ring::ours() const noexcept {
  return state_->owner == getpid();
}

void ring::start(int descriptor, std::span<char> into, std::optional<std::uint64_t> offset, std::size_t tag) {
  if (!ours()) fail_as_inherited(state_->name, offset);
  io_uring_sqe* entry = io_uring_get_sqe(&state_->kernel);
  if (entry == nullptr) fail("read", state_->name, offset, EBUSY, "the ring is full");
  const std::size_t size = std::min(into.size(), std::size_t{1} << 30);
  io_uring_prep_read(entry, descriptor, into.data(), static_cast<unsigned>(size),
                     offset.value_or(~std::uint64_t{0}));
  io_uring_sqe_set_data64(entry, tag);
  int result = 0;
  do result = io_uring_submit(&state_->kernel);
  while (result == -EINTR || result == -EAGAIN);
  if (result < 0) fail("read", state_->name, offset, -result);
}

ring::completion ring::wait() {
  if (!ours()) fail_as_inherited(state_->name, std::nullopt);
  io_uring_cqe* entry = nullptr;
  int result = 0;
  do result = io_uring_wait_cqe(&state_->kernel, &entry);
  while (result == -EINTR || result == -EAGAIN);
  if (result < 0) fail("read", state_->name, std::nullopt, -result);
  const completion done{static_cast<std::size_t>(io_uring_cqe_get_data64(entry)), entry->res};
  io_uring_cqe_seen(&state_->kernel, entry);
  return done;
}

bool ring::ready() const noexcept {
  return io_uring_cq_ready(&state_->kernel) != 0;
}

}  // namespace riffle::os
