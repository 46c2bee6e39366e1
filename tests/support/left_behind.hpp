/// Ends the processes that a command leaves behind.
#pragma once

#include <string>

namespace riffle::test {

/// From now on the test program becomes the parent of processes whose own parent ends before them, if the
/// system can do that.
void adopt_orphans();

/// Waits for the orphans whose environment has this variable, "name=value", for at most some seconds, and
/// then kills them. Returns the command lines of those that it killed, one a line.
std::string end_orphans(const std::string& marked);

}  // namespace riffle::test
