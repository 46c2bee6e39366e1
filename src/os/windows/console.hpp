/// The console, which gives UTF-16.
#pragma once

#include <span>

#include "os/windows/calls.hpp"

namespace riffle::os {

/// Returns whether keys are typed there.
bool is_console(HANDLE handle) noexcept;

/// Reads some of a typed line as UTF-8, with its CR LF; no bytes after Ctrl+Z. Returns an error of Windows.
///
/// Thread safety: any number of threads may read; a process has one console.
DWORD read_console(HANDLE console, std::span<char> into, DWORD& count);

}  // namespace riffle::os
