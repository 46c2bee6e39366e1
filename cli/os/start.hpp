/// What a program has to do at its start, so that bytes and names go through it unchanged.
#pragma once

#include <span>

namespace riffle::os {

/// Returns the words of the command line in UTF-8, or as the system gave them where names are bytes. They
/// live as long as the program. On Windows it also lets the standard streams pass bytes unchanged, and the
/// console show UTF-8. Call it once, before anything is read or written.
std::span<char*> start_program(int count, char** words);

}  // namespace riffle::os
