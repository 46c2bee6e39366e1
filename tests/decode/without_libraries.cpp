/// A program of a riffle that was built without decoders: it names what is missing, and reads the rest.
#include <riffle/blocks.hpp>
#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include <cstdio>
#include <string>
#include <string_view>

namespace {

using namespace riffle;

int faults = 0;

void expect(bool holds, std::string_view claim, std::string_view found) {
  if (holds) return;
  std::fprintf(stderr, "does not hold: %s: %s\n", std::string(claim).c_str(), std::string(found).c_str());
  ++faults;
}

// What reading gives: the bytes, or the error's text.
std::string read(std::string_view bytes, decoding format) {
  std::string found;
  try {
    for (const block& part : blocks(memory(bytes), {.decode = format})) found += part.bytes;
  } catch (const error& failure) {
    expect(failure.code() == errc::method_unavailable, "the code says that it is unavailable",
           failure.what());
    return failure.what();
  }
  return found;
}

}  // namespace

int main() {
  for (const decoder_info& each : decoders()) {
    expect(each.unavailable.starts_with("riffle was built without ") &&
               each.unavailable.find("-dev and build riffle again") != std::string_view::npos,
           "it says what to install", each.unavailable);
    expect(each.library.empty(), "it has no library", each.library);
    expect(read("some bytes", each.id).find(each.unavailable) != std::string::npos,
           "a named format is refused", each.name);
  }
  constexpr std::string_view member("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  expect(read(member, decoding::automatic).find("zlib1g-dev") != std::string::npos,
         "a format that is found too", "gzip");
  expect(read(member, decoding::none) == member, "without decoding it is read as it is", "gzip");
  expect(read("plain", decoding::automatic) == "plain", "other bytes are read", "plain");
  return faults == 0 ? 0 : 1;
}
