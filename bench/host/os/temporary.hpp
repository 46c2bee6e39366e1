/// New folders for temporary files, which nobody else may use.
#ifndef RIFFLE_BENCH_HOST_OS_TEMPORARY_HPP
#define RIFFLE_BENCH_HOST_OS_TEMPORARY_HPP

#include <filesystem>

namespace riffle::os {

/// Returns the folder in which the system wants temporary files: /tmp, or the user's own on Windows. It may
/// not exist.
std::filesystem::path temporary_folder();

/// Makes a folder whose name is `prefix` and more. Returns its path; an empty one, with errno, if it cannot.
std::filesystem::path make_folder(const std::filesystem::path& prefix);

}  // namespace riffle::os

#endif
