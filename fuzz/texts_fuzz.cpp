/// Any text in place of the OS kernel's files, or of a file's name, is understood in part, and shown in
/// UTF-8.
#include <fuzzer/FuzzedDataProvider.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <sstream>
#include <string>
#include <string_view>

#include "bench/host/os/machine.hpp"
#include "bench/host/os/machine_texts.hpp"
#include "fuzz/support/require.hpp"
#include "tests/support/utf8_text.hpp"
#include "text/columns.hpp"

namespace riffle::fuzz {
namespace {

// Of /proc/cpuinfo, /proc/meminfo, /proc/stat, /sys/devices/system/cpu.
void check_machine(FuzzedDataProvider& from) {
  const std::string name = from.ConsumeRandomLengthString(10);
  const auto index = from.ConsumeIntegralInRange<std::size_t>(0, 10);
  const std::string text = from.ConsumeRemainingBytesAsString();
  require(text.find(os::field_of(text, name)) != std::string::npos, "a field is a part of the text");
  static_cast<void>(os::bytes_of(text));
  static_cast<void>(os::number_at(text, index));
  static_cast<void>(os::cache_text(name, text.substr(0, text.find('\n')), text));
}

// Of /proc/self/mountinfo and /sys/block.
void check_storage(FuzzedDataProvider& from) {
  const std::string number = from.ConsumeRandomLengthString(4);
  const os::device_signs signs{.name = from.ConsumeRandomLengthString(10),
                               .model = from.ConsumeRandomLengthString(10),
                               .driver = from.ConsumeRandomLengthString(10),
                               .rotational = from.ConsumeRandomLengthString(2)};
  require(os::device_text(signs).starts_with(signs.name), "a device is called by its name");
  const std::string text = from.ConsumeRemainingBytesAsString();
  const os::mount found = os::mount_in(text, number);
  require(text.find(found.numbers) != std::string::npos && text.find(found.file_system) != std::string::npos,
          "what is found is a part of the text");
  require(found.source.size() <= text.size(), "nothing is made up");
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto next = test::decode(text);
    if (!next) return false;
    text.remove_prefix(next->size);
  }
  return true;
}

void check_columns(FuzzedDataProvider& from) {
  const auto columns = from.ConsumeIntegralInRange<std::size_t>(2, 100);
  const auto hanging = from.ConsumeIntegralInRange<std::size_t>(0, 20);
  const double share = from.ConsumeBool() ? std::bit_cast<double>(from.ConsumeIntegral<std::uint64_t>())
                                          : from.ConsumeProbability<double>();
  const std::string any = from.ConsumeRemainingBytesAsString();
  const std::string utf8 = text::as_utf8(any);
  require(is_utf8(utf8), "as_utf8 gives UTF-8");
  require(!is_utf8(any) || utf8.size() >= any.size(), "as_utf8 leaves nothing out");
  const std::string shown = text::printable(any);
  require(is_utf8(shown), "printable gives UTF-8");
  require(std::ranges::none_of(shown, [](unsigned char c) { return c < 0x20 || c == 0x7F; }),
          "without controls");
  require(text::printable(shown) == shown, "what is printable stays");
  require(text::columns_of(text::shortened(shown, columns)) <= columns, "shortened fits");
  require(is_utf8(text::shortened(shown, columns)), "shortened cuts no character");
  const std::size_t wide = std::max(columns, text::columns_of(shown));
  require(text::columns_of(text::left_aligned(shown, columns)) == wide, "left_aligned fills");
  require(text::columns_of(text::right_aligned(shown, columns)) == wide, "right_aligned fills");
  std::istringstream lines(text::wrapped(shown, hanging));
  for (std::string line; std::getline(lines, line);) {
    require(text::columns_of(line) <= text::widest_line, "wrapped fits");
    require(is_utf8(line), "wrapped cuts no character");
  }
  require(text::columns_of(text::bar(share, columns)) <= columns, "a bar fits");
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace riffle::fuzz;
  FuzzedDataProvider from(data, size);
  constexpr void (*checks[])(FuzzedDataProvider&) = {check_machine, check_storage, check_columns};
  from.PickValueInArray(checks)(from);
  return 0;
}
