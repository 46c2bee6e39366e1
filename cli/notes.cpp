/// Looks at the ends and at the first bytes of files.
#include "cli/notes.hpp"

#include <fmt/core.h>
#include <riffle/decoders.hpp>
#include <riffle/error.hpp>

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <string_view>

#include "cli/os/descriptor.hpp"
#include "text/os/terminal.hpp"

namespace riffle::cli {

namespace {

std::string quoted(const std::string& name) {
  return fmt::format("'{}'", name == "-" ? "standard input" : name);
}

// It can be read from its start.
std::filesystem::path path_of(const std::string& name) {
  return name == "-" ? "/dev/stdin" : name;
}

constexpr std::array<std::string_view, 12> endings{".gz", ".tgz", ".bgz", ".Z",    ".zip", ".bz2",
                                                   ".xz", ".lz",  ".zst", ".lzma", ".lz4", ".tzst"};

bool is_named_so(std::string_view name) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return name.ends_with(ending); });
}

bool begins_as_utf_16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

}  // namespace

void require_compressed(const std::string& name, const source& opened, const reading_arguments& given) {
  const bool asked = given.decode_typed && given.options.decode == decoding::automatic;
  if (!asked || opened.kind() != input_kind::regular_file || opened.size_hint() == 0) return;
  if (!is_named_so(name) || decoding_of(opened.descriptor()) != decoding::none) return;
  throw error(errc::bad_compression, "decode", opened.name(), std::nullopt,
              "its name says that it is compressed, and its first bytes do not; leave -z out to read it");
}

std::string note_of_format(const std::string& name, bool failed, const reading_arguments& given) {
  if (given.decode_typed || given.options.decode != decoding::none) return {};
  if (!failed && !(is_named_so(name) && os::is_terminal(stderr)))
    return {};  // a look takes as long as a small file
  try {
    const decoding format = decoding_of(path_of(name));
    if (format == decoding::none) return {};
    return fmt::format("{} is compressed by {}; use -z to decode it", quoted(name), name_of(format));
  } catch (const std::exception&) {
    return {};  // reading it tells
  }
}

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
  const std::filesystem::path path = path_of(name);
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return {};
  reading.method = method::read;
  reading.decode_threads = 1;
  reading.progress = nullptr;
  reading.compressed_progress = nullptr;
  reading.before_block = {};
  reading.before_read = {};
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
