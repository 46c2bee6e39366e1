/// The parts of `os::storage` that are functions of texts,
/// so that tests can give them the mounts of other machines.
#include <algorithm>
#include <array>
#include <charconv>
#include <sstream>
#include <vector>

#include "bench/host/os/storage.hpp"

namespace riffle::os {

namespace {

constexpr bool is_octal(char digit) {
  return digit >= '0' && digit <= '7';
}

// The OS kernel writes a space as \040, and tab, newline and backslash likewise.
std::string without_escapes(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view digits = text.substr(i + 1, 3);
    if (text[i] == '\\' && digits.size() == 3 && std::all_of(digits.begin(), digits.end(), is_octal)) {
      unsigned code = 0;
      std::from_chars(digits.data(), digits.data() + digits.size(), code, 8);
      plain += static_cast<char>(code);
      i += digits.size();
    } else {
      plain += text[i];
    }
  }
  return plain;
}

// The options of the mount and those of the file system have "rw" in common, mostly.
std::string joined(const std::string& first, const std::string& second) {
  std::string all = first;
  std::istringstream options(second);
  for (std::string option; std::getline(options, option, ',');) {
    if (("," + all + ",").find("," + option + ",") == std::string::npos) all += "," + option;
  }
  return all;
}

}  // namespace

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
    return {.numbers = fields[2],
            .options = without_escapes(joined(fields[5], dash[3])),
            .file_system = dash[1],
            .source = without_escapes(dash[2])};
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
