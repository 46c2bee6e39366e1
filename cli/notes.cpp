/// Looks at the ends and at the first bytes of files.
#include "cli/notes.hpp"

#include <fmt/core.h>
#include <riffle/decoders.hpp>
#include <riffle/error.hpp>

#include <exception>
#include <filesystem>
#include <string_view>

#include "cli/os/descriptor.hpp"

namespace riffle::cli {

namespace {

std::string quoted(const std::string& name) {
  return fmt::format("'{}'", name == "-" ? "standard input" : name);
}

bool begins_as_utf_16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

}  // namespace

std::string note_of_end(const std::string& name, const source& opened, const read_options& reading) {
  if (reading.decode == decoding::none || opened.descriptor() < 0) return {};
  try {
    if (!lacks_end_marker(opened.descriptor())) return {};
  } catch (const error&) {
    return {};  // reading it tells
  }
  return fmt::format("{} ends without the marker of BGZF: it may be cut", quoted(name));
}

bool may_be_utf_16(const source& opened, const read_options& reading) {
  if (reading.decode != decoding::none) return true;
  char front[2] = {};
  return os::read_front(opened.descriptor(), front) == 2 && begins_as_utf_16({front, 2});
}

std::string note_of_encoding(const std::string& name, read_options reading) {
  const std::filesystem::path path = name == "-" ? "/dev/stdin" : name;  // from its start
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  reading.method = method::read;
  reading.decode_threads = 1;
  reading.progress = nullptr;
  reading.before_block = {};
  try {
    source again(path, reading);
    const std::string_view front = again.next().bytes;
    const bool utf32 = front.starts_with(std::string_view("\xFF\xFE\0\0", 4));
    if (utf32 || !begins_as_utf_16(front)) return {};
  } catch (const std::exception&) {
    return {};
  }
  return fmt::format("{} is UTF-16; convert it by iconv -f UTF-16 -t UTF-8", quoted(name));
}

}  // namespace riffle::cli
