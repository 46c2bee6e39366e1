/// `os::ring` by the IoRing of Windows 11, whose functions are looked up, because older versions lack them.
#include "os/windows/calls.hpp"

#include <winternl.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <string>

#include "os/file.hpp"
#include "os/windows/ring.hpp"

namespace riffle::os {

namespace {

// As in ioringapi.h and ntioring_x.h, which the headers of mingw-w64 10 lack.
struct io_ring;
struct creation_flags {
  int required;
  int advisory;
};
struct handle_reference {
  int kind;  // 0: a handle
  HANDLE handle;
};
struct buffer_reference {
  int kind;  // 0: an address
  void* address;
};
struct io_completion {
  std::uintptr_t user_data;
  HRESULT result;
  std::uintptr_t information;
};
constexpr int version_1 = 1;

using create_function = HRESULT WINAPI(int version, creation_flags, std::uint32_t submissions,
                                       std::uint32_t completions, io_ring**);
using read_function = HRESULT WINAPI(io_ring*, handle_reference, buffer_reference, std::uint32_t size,
                                     std::uint64_t offset, std::uintptr_t user_data, int flags);
using submit_function = HRESULT WINAPI(io_ring*, std::uint32_t wait_for, std::uint32_t milliseconds,
                                       std::uint32_t* submitted);
using pop_function = HRESULT WINAPI(io_ring*, io_completion*);
using close_function = HRESULT WINAPI(io_ring*);

struct functions {
  create_function* create = function_named<create_function>(L"kernelbase.dll", "CreateIoRing");
  read_function* read = function_named<read_function>(L"kernelbase.dll", "BuildIoRingReadFile");
  submit_function* submit = function_named<submit_function>(L"kernelbase.dll", "SubmitIoRing");
  pop_function* pop = function_named<pop_function>(L"kernelbase.dll", "PopIoRingCompletion");
  close_function* close = function_named<close_function>(L"kernelbase.dll", "CloseIoRing");
};

const functions& calls() {
  static const functions found;
  return found;
}

// Returns the error of Windows in a HRESULT, which may hold an NTSTATUS instead.
DWORD code_of(HRESULT result) noexcept {
  if ((result & FACILITY_NT_BIT) != 0) return RtlNtStatusToDosError(result & ~FACILITY_NT_BIT);
  return static_cast<DWORD>(HRESULT_CODE(result));
}

std::optional<std::string> probe() {
  const functions& call = calls();
  const bool whole = call.create != nullptr && call.read != nullptr && call.submit != nullptr &&
                     call.pop != nullptr && call.close != nullptr;
  if (!whole) return "this Windows has no IoRing (Windows 11 has it); use another method";
  io_ring* trial = nullptr;
  const HRESULT result = call.create(version_1, {}, 1, 1, &trial);
  if (FAILED(result))
    return "CreateIoRing failed, error " + std::to_string(code_of(result)) + "; use another method";
  call.close(trial);
  return std::nullopt;
}

class io_ring_state final : public ring::state {
 public:
  io_ring_state(unsigned depth, std::string_view name) : name_(name) {
    const unsigned size = std::max(depth, 1U);
    if (const auto reason = ring::unavailable()) refuse(*reason);
    const HRESULT result = calls().create(version_1, {}, size, 2 * size, &ring_);
    if (FAILED(result)) refuse("CreateIoRing failed, error " + std::to_string(code_of(result)));
  }
  io_ring_state(const io_ring_state&) = delete;
  io_ring_state& operator=(const io_ring_state&) = delete;
  ~io_ring_state() override {
    if (ring_ != nullptr) calls().close(ring_);
  }

  void start(int descriptor, std::span<char> into, std::optional<std::uint64_t> offset,
             std::size_t tag) override {
    const auto size = static_cast<std::uint32_t>(std::min(into.size(), std::size_t{1} << 30));
    HRESULT result =
        calls().read(ring_, {0, handle_of(descriptor)}, {0, into.data()}, size, offset.value_or(0), tag, 0);
    std::uint32_t submitted = 0;
    if (SUCCEEDED(result)) result = calls().submit(ring_, 0, 0, &submitted);
    if (FAILED(result)) fail_with(code_of(result), "read", name_, offset);
  }

  ring::completion wait() override {
    io_completion done{};
    HRESULT result = S_OK;
    std::uint32_t submitted = 0;
    while ((result = calls().pop(ring_, &done)) == S_FALSE) {
      const HRESULT waited = calls().submit(ring_, 1, INFINITE, &submitted);
      if (FAILED(waited)) fail_with(code_of(waited), "read", name_);
    }
    if (FAILED(result)) fail_with(code_of(result), "read", name_);
    return {done.user_data, result_of(done)};
  }

 private:
  static int result_of(const io_completion& done) noexcept {
    if (SUCCEEDED(done.result)) return static_cast<int>(done.information);
    const DWORD code = code_of(done.result);
    return is_end(code) ? 0 : -errno_of(code);
  }
  [[noreturn]] void refuse(const std::string& reason) const {
    throw error(errc::method_unavailable, "read", name_, std::nullopt, "uring: " + reason);
  }

  std::string name_;
  io_ring* ring_ = nullptr;
};

}  // namespace

std::optional<std::string> ring::unavailable() {
  static std::atomic<bool> works{false};
  if (works.load(std::memory_order_relaxed)) return std::nullopt;
  std::optional<std::string> reason = probe();
  works.store(!reason, std::memory_order_relaxed);
  return reason;
}

bool ring::may_hide_short_reads(const file&) noexcept {
  return false;
}

std::unique_ptr<ring::state> ring::state::of_io_ring(unsigned depth, std::string_view name) {
  return std::make_unique<io_ring_state>(depth, name);
}

}  // namespace riffle::os
