/// Finds the control groups that limit this process.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace riffle::os {

/// How the files of a control group are called.
enum class cgroup_version { one, two };

/// Calls `visit` with the folder of each group that limits the process by `controller` ("memory", "cpu"), and
/// of the groups above, which limit it too.
void each_cgroup(std::string_view controller,
                 const std::function<void(cgroup_version version, const std::string& folder)>& visit);

}  // namespace riffle::os
