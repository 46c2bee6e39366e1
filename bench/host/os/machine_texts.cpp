/// Finds the words and numbers in the OS kernel's texts about the machine.
#include "bench/host/os/machine_texts.hpp"
#include "text/numbers.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <utility>

namespace riffle::os {

namespace {

constexpr std::string_view white = " \t\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(white);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(white) + 1 - first);
}

bool has_word(const std::string& text, std::string_view word) {
  std::istringstream words(text);
  for (std::string one; words >> one;) {
    if (one == word) return true;
  }
  return false;
}

// Three figures: "32 KiB", "1.25 MiB", "35.8 MiB".
std::string size_text(std::uint64_t bytes) {
  std::array<char, 32> text{};
  const std::uint64_t unit = bytes < text::mib ? text::kib : text::mib;
  std::snprintf(text.data(), text.size(), "%.3g %s", static_cast<double>(bytes) / static_cast<double>(unit),
                bytes < text::mib ? "KiB" : "MiB");
  return text.data();
}

std::string hypervisor_of(const virtualisation_signs& signs) {
  constexpr std::array<std::pair<std::string_view, const char*>, 4> by_clock{{
      {"kvm-clock", "KVM"},
      {"hyperv_clocksource_tsc_page", "Hyper-V"},
      {"hyperv_clocksource_msr", "Hyper-V"},
      {"xen", "Xen"},
  }};
  if (signs.hypervisor == "xen") return "Xen";
  if (!signs.hypervisor.empty()) return signs.hypervisor;
  for (const auto& [clock, name] : by_clock) {
    if (has_word(signs.clocks, clock)) return name;
  }
  return has_word(signs.processor_flags, "hypervisor") ? "a virtual machine" : std::string();
}

}  // namespace

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

std::string virtualisation_text(const virtualisation_signs& signs) {
  std::string text = hypervisor_of(signs);
  if (text.empty()) {
    text = "none";
  } else if (!signs.maker.empty()) {
    text += " (" + signs.maker + (signs.product.empty() ? "" : " " + signs.product) + ")";
  }
  return signs.container ? text + ", in a container" : text;
}

}  // namespace riffle::os
