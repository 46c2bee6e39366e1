/// Finds the words and numbers in the OS kernel's texts about the machine and its mounts.
#include "bench/host/os/machine_texts.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

#include "bench/host/os/machine.hpp"
#include "text/numbers.hpp"

namespace riffle::os {

namespace {

constexpr std::string_view white = " \t\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) + 1 - first);
}

// Three figures: "32 KiB", "1.25 MiB", "35.8 MiB".
std::string size_text(std::uint64_t bytes) {
  std::array<char, 32> text{};
  const std::uint64_t unit = bytes < text::mib ? text::kib : text::mib;
  std::snprintf(text.data(), text.size(), "%.3g %s", static_cast<double>(bytes) / static_cast<double>(unit),
                bytes < text::mib ? "KiB" : "MiB");
  return text.data();
}

}  // namespace

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.erase(text.find_last_not_of(" \n") + 1);
  return text;
}

std::string field_of(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos && trimmed(line.substr(0, colon)) == name) {
      return std::string(trimmed(line.substr(colon + 1)));
    }
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  return {};
}

std::uint64_t bytes_of(std::string_view size) {
  std::uint64_t number = 0;
  const auto [end, failure] = std::from_chars(size.data(), size.data() + size.size(), number);
  if (failure != std::errc()) return 0;
  const std::string_view unit = trimmed(size.substr(static_cast<std::size_t>(end - size.data())));
  if (unit.empty()) return number;
  switch (unit.front()) {
    case 'k':
    case 'K':
      return number << 10;
    case 'M':
      return number << 20;
    case 'G':
      return number << 30;
    default:
      return 0;
  }
}

double number_at(std::string_view text, std::size_t index) {
  std::istringstream words{std::string(text)};
  std::string word;
  for (std::size_t i = 0; i <= index; ++i) {
    if (!(words >> word)) return 0;
  }
  return std::strtod(word.c_str(), nullptr);
}

std::string cache_text(std::string_view level, std::string_view type, std::string_view size) {
  const std::uint64_t bytes = bytes_of(size);
  if (level.empty() || bytes == 0 || type == "Instruction") return {};
  return "L" + std::string(level) + (type == "Data" ? "d " : " ") + size_text(bytes);
}

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
