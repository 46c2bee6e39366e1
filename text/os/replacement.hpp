/// Makes files that take the place of others.
#pragma once

#include <filesystem>

#include "os/file.hpp"

namespace riffle::os {

/// Makes a file of a new name, which is to replace `target`. If that is a regular file of the same owner, and
/// no link, the new one gets its permissions, but no set-user-ID and the like, and never has more. If its
/// group differs, that may do no more than everyone. Other files are made as the umask has it. Windows gives
/// a file the permissions of its folder.
file create_to_replace(const std::filesystem::path& target, const std::filesystem::path& name);

/// Closes a descriptor. Returns the errno of a failure, such as that of bytes that a file server did not
/// take; 0: none.
int close_descriptor(int descriptor) noexcept;

}  // namespace riffle::os
