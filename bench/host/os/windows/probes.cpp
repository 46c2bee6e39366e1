/// `os::probes` on Windows.
#include "bench/host/os/probes.hpp"

#include "os/windows/calls.hpp"  // before the other headers of the system

#include <psapi.h>

#include <algorithm>
#include <memory>
#include <thread>

#include "os/mapping.hpp"

namespace riffle::os {

namespace {

constexpr DWORD piece = 256 << 10;
constexpr DWORD pipe_size = 1 << 20;

std::uint64_t faults_so_far() {
  PROCESS_MEMORY_COUNTERS memory{};
  K32GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof memory);
  return memory.PageFaultCount;
}

// Ends early when the reader has gone.
void write_all(HANDLE to, const char* buffer, std::uint64_t bytes) noexcept {
  DWORD count = 0;
  while (bytes > 0 &&
         WriteFile(to, buffer, static_cast<DWORD>(std::min<std::uint64_t>(piece, bytes)), &count, nullptr))
    bytes -= count;
}

std::uint64_t read_all(HANDLE from) {
  const auto buffer = std::make_unique<char[]>(piece);
  std::uint64_t total = 0;
  DWORD count = 0;
  while (ReadFile(from, buffer.get(), piece, &count, nullptr) != 0 && count != 0) total += count;
  return total;
}

}  // namespace

std::uint64_t faults_of_walk(const file& opened, std::uint64_t length) {
  const mapping pages(opened, 0, length, protection::read, {.populate = false}, true);
  const std::span<char> bytes = pages.bytes();
  const std::uint64_t before = faults_so_far();
  const volatile char* const at = bytes.data();
  for (std::uint64_t offset = 0; offset < length; offset += page_size()) static_cast<void>(at[offset]);
  return faults_so_far() - before;
}

void call_system(unsigned times) noexcept {
  const owned_handle event(CreateEventW(nullptr, TRUE, TRUE, nullptr));
  for (unsigned i = 0; i < times; ++i) WaitForSingleObject(event.get(), 0);
}

// A thread may write here: no C library of Windows locks less before a program has a second one.
bool send_through_pipe(std::uint64_t bytes) {
  HANDLE ends[2] = {};
  if (CreatePipe(&ends[0], &ends[1], nullptr, pipe_size) == 0) return false;
  const owned_handle reading(ends[0]);
  const auto buffer = std::make_unique<char[]>(piece);
  const std::jthread writer([&, to = ends[1]] {
    const owned_handle writing(to);
    write_all(writing.get(), buffer.get(), bytes);
  });
  return read_all(reading.get()) == bytes;
}

}  // namespace riffle::os
