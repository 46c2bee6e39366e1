/// The OS kernel counts them for each process.
#include "cli/os/page_faults.hpp"

#include <sys/resource.h>

namespace riffle::os {

page_faults page_faults_so_far() noexcept {
  struct rusage used{};
  if (getrusage(RUSAGE_SELF, &used) != 0) return {};
  const auto of_storage = static_cast<std::uint64_t>(used.ru_majflt);
  return {static_cast<std::uint64_t>(used.ru_minflt) + of_storage, of_storage};
}

}  // namespace riffle::os
