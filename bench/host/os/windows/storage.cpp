/// `os::storage` on Windows: the file system. No system call gives the rest for a file.
#include "bench/host/os/storage.hpp"

#include "os/file_system.hpp"

namespace riffle::os {

storage storage_of(const file& opened) {
  return {.file_system = file_system_of(opened)};
}

}  // namespace riffle::os
