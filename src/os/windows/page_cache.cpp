/// Evicts files from the cache of Windows, which does not tell what it holds.
#include "os/page_cache.hpp"

#include "os/mapping.hpp"
#include "os/windows/calls.hpp"

namespace riffle::os {

std::optional<std::uint64_t> resident_pages(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

std::optional<double> resident_share(const file&, std::uint64_t, std::uint64_t) {
  return std::nullopt;
}

void write_back(const file& file) noexcept {
  FlushFileBuffers(handle_of(file.descriptor()));
}

// A file system drops the pages of a file that is opened past the cache and mapped by no one.
void evict(const file& file) noexcept {
  write_back(file);
  try {
    static_cast<void>(file.reopen_direct());
  } catch (const std::exception&) {  // it stays in the cache
    return;
  }
}

bool evict_all_files() noexcept {
  using function = LONG WINAPI(int, void*, ULONG);
  static function* const set = function_named<function>(L"ntdll.dll", "NtSetSystemInformation");
  constexpr int memory_lists = 80;
  int purge_standby = 4;
  return set != nullptr && set(memory_lists, &purge_standby, sizeof purge_standby) == 0;
}

}  // namespace riffle::os
