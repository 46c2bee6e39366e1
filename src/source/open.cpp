/// Makes an open file of a path, a descriptor, a FILE*, an istream, an object, memory or a split.
#include "source/open.hpp"

#include <cerrno>
#include <cwchar>
#include <filesystem>
#include <system_error>

#include "decode/format_of_input.hpp"
#include "os/stream.hpp"
#include "source/split_bounds.hpp"

namespace riffle::inline v0 {

namespace {

template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;

input_kind kind_of(os::file_kind kind) {
  if (kind == os::file_kind::regular) return input_kind::regular_file;
  if (kind == os::file_kind::block_device) return input_kind::block_device;
  return input_kind::stream;
}

open_file examined(os::file file) {
  const os::file_status status = file.status();
  if (status.kind == os::file_kind::directory) os::fail("read", file.name(), std::nullopt, EISDIR);
  open_file known;
  known.reported_kind = kind_of(status.kind);
  known.reported_size = status.size;
  known.sparse = status.sparse;
  known.device = status.storage;
  known.inode = status.inode;
  known.modified = status.modified;
  // What was opened here stands at its start. A file without a size may be a pipe that reports itself as a
  // file, as on tracefs, so it is asked.
  if (known.is_file() && file.owned() && status.size != 0) {
    known.known = open_file::positions::assumed;
  } else if (const auto position = known.is_file() ? file.position() : std::nullopt) {
    known.known = open_file::positions::all;
    known.start = *position;
  }
  known.file = std::move(file);
  return known;
}

open_file named(std::string name) {
  open_file known;
  known.file = os::file::borrow(-1, std::move(name));
  return known;
}

// The C library gives bytes of a stream of wide characters to no one, without an error.
void require_bytes(std::FILE* stream, std::string_view name) {
  if (std::fwide(stream, 0) > 0) {
    throw error(errc::invalid_argument, "read", name, std::nullopt,
                "the stream is read by wide characters; open it again");
  }
}

open_file from_stdio(std::FILE* stream, std::string name) {
  if (stream == nullptr) {
    throw error(errc::invalid_argument, "read", name, std::nullopt,
                "the FILE* is null; check that fopen succeeded");
  }
  require_bytes(stream, name);
  open_file known = named(std::move(name));
  known.reported_kind = input_kind::file_pointer;
  known.stdio = stream;
  known.start = os::position_of(stream);
  return known;
}

open_file from_istream(std::istream& stream, std::string name) {
  if (stream.fail() && !stream.eof()) {
    throw error(errc::invalid_argument, "read", name, std::nullopt,
                "the stream is in a failed state; check that its file was opened");
  }
  open_file known = named(std::move(name));
  known.reported_kind = input_kind::istream;
  known.stream = &stream;
  known.stdio = os::stdio_behind(*stream.rdbuf());
  if (known.stdio != nullptr) require_bytes(known.stdio, known.name());
  const std::streamoff position = stream.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in);
  known.start = position > 0 ? static_cast<std::uint64_t>(position) : 0;
  return known;
}

open_file from_object(const detail::user_object& object, std::string name) {
  open_file known = named(std::move(name));
  known.reported_kind = input_kind::object;
  known.object = object;
  if (object.read_at == nullptr) return known;
  known.reported_size = known.limit = object.size(object.object);
  known.known = open_file::positions::all;
  return known;
}

open_file from_memory(std::string_view bytes, std::string name) {
  open_file known = named(std::move(name));
  known.memory = bytes;
  known.reported_size = bytes.size();
  known.known = open_file::positions::all;
  return known;
}

open_file from_mapped(const detail::mapped_bytes& mapped) {
  open_file known = from_memory(mapped.bytes, "memory");
  known.mapped = mapped;
  return known;
}

open_file from_split(const detail::split_records& part, const read_options& given) {
  if (const auto reason = why_unsplittable(part.split.path)) {
    throw error(errc::invalid_argument, "read", os::name_of(part.split.path), part.split.begin, *reason);
  }
  if (part.records.record_size == 0) {
    throw error(errc::invalid_argument, "read", os::name_of(part.split.path), part.split.begin,
                "record_size is 0; a record has 1 byte at least");
  }
  open_file known = examined(os::file::open(part.split.path));
  known.part = part;
  if (decoder_for(known, given) == decoding::none) {
    restrict_to(known, part, given);
  } else {
    restrict_to_members(known, part);
  }
  return known;
}

}  // namespace

void detail::refuse_null_path() {
  throw error(errc::invalid_argument, "open", "", std::nullopt, "the path is a null pointer");
}

path_string detail::path_of_bytes(std::string_view name) {
  try {
    return std::filesystem::path(std::u8string(name.begin(), name.end()));
  } catch (const std::system_error&) {  // no UTF-8: each byte is a character
    return std::filesystem::path(name);
  }
}

std::string input::name() const {
  if (!name_.empty()) return name_;
  return std::visit(
      overloaded{[](const path_string& path) { return os::name_of(path); },
                 [](int descriptor) {
                   return descriptor == 0 ? std::string("standard input")
                                          : "descriptor " + std::to_string(descriptor);
                 },
                 [](std::FILE* stream) { return std::string(stream == stdin ? "standard input" : "FILE*"); },
                 [](std::istream*) { return std::string("stream"); },
                 [](const detail::user_object& object) { return object.name(object.object); },
                 [](const memory&) { return std::string("memory"); },
                 [](const detail::mapped_bytes&) { return std::string("mapped file"); },
                 [](const detail::split_records& part) { return os::name_of(part.split.path); }},
      place_);
}

open_file open_input(const input& from, const read_options& given) {
  return std::visit(
      overloaded{[](const path_string& path) { return examined(os::file::open(path)); },
                 [&](int descriptor) { return examined(os::file::borrow(descriptor, from.name())); },
                 [&](std::FILE* stream) { return from_stdio(stream, from.name()); },
                 [&](std::istream* stream) { return from_istream(*stream, from.name()); },
                 [&](const detail::user_object& object) { return from_object(object, from.name()); },
                 [&](const memory& bytes) { return from_memory(bytes.bytes(), from.name()); },
                 [](const detail::mapped_bytes& mapped) { return from_mapped(mapped); },
                 [&](const detail::split_records& part) { return from_split(part, given); }},
      from.where());
}

}  // namespace riffle::inline v0
