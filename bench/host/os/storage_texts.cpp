/// The parts of `os::storage` that are functions of texts,
/// so that tests can give them the mounts of other machines.
#include <algorithm>
#include <sstream>
#include <vector>

#include "bench/host/os/storage.hpp"

namespace riffle::os {

// number parent major:minor root point options [optional fields ...] - type source super-options
mount mount_in(std::string_view mountinfo, std::string_view number) {
  std::istringstream lines{std::string(mountinfo)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream in(line);
    std::vector<std::string> fields;
    for (std::string field; in >> field;) fields.push_back(field);
    const auto dash =
        std::find(fields.begin() + std::min<std::ptrdiff_t>(6, std::ssize(fields)), fields.end(), "-");
    if (fields.empty() || fields[0] != number || fields.end() - dash < 4) continue;
    return {.numbers = fields[2], .file_system = dash[1], .source = dash[2]};
  }
  return {};
}

std::string device_text(const device_signs& signs) {
  if (signs.name.empty()) return {};
  std::string about = signs.model.empty() ? signs.driver : signs.model;
  if (!signs.rotational.empty()) {
    about += about.empty() ? "" : ", ";
    about += signs.rotational == "0" ? "not rotational" : "rotational";
  }
  return about.empty() ? signs.name : signs.name + " (" + about + ")";
}

}  // namespace riffle::os
