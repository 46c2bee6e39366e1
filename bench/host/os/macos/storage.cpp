/// `os::storage` by statfs(2). The OS kernel does not tell how far it reads ahead.
#include "bench/host/os/storage.hpp"

#include <sys/mount.h>
#include <sys/param.h>

namespace riffle::os {

storage storage_of(const file& opened) {
  struct statfs facts{};
  if (fstatfs(opened.descriptor(), &facts) != 0) return {};
  return {.file_system = facts.f_fstypename, .device = facts.f_mntfromname};
}

}  // namespace riffle::os
