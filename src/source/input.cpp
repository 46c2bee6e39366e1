/// Opens each kind of input and finds the facts about it.
#include "source/input.hpp"

#include <cerrno>

#include "os/file_system.hpp"
#include "os/stream.hpp"

namespace riffle {

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
  known.kind = kind_of(status.kind);
  known.size = status.size;
  // A file that was opened here stands at its start. One without a size may be no more than the look of a
  // file (tracefs has pipes of that kind).
  known.how.seekable =
      known.kind != input_kind::stream && ((file.owned() && status.size != 0) || file.seekable());
  if (!known.how.seekable) known.kind = input_kind::stream;
  if (known.how.seekable && !file.owned()) known.how.start = file.position();
  known.how.name = file.name();
  known.file = std::move(file);
  return known;
}

open_file from_stdio(std::FILE* stream, std::string name) {
  if (stream == nullptr) {
    throw error(errc::invalid_argument, "read", name, std::nullopt,
                "the FILE* is null (was its file opened?)");
  }
  open_file known;
  known.kind = input_kind::file_pointer;
  known.how.stdio = stream;
  known.how.start = os::position_of(stream);
  known.how.name = std::move(name);
  return known;
}

open_file from_istream(std::istream& stream, std::string name) {
  if (stream.fail() && !stream.eof()) {
    throw error(errc::invalid_argument, "read", name, std::nullopt,
                "the stream has failed before (was its file opened?)");
  }
  open_file known;
  known.kind = input_kind::istream;
  known.how.stream = &stream;
  const std::streamoff position = stream.rdbuf()->pubseekoff(0, std::ios::cur, std::ios::in);
  known.how.start = position > 0 ? static_cast<std::uint64_t>(position) : 0;
  known.how.name = std::move(name);
  return known;
}

open_file from_memory(std::string_view memory) {
  open_file known;
  known.memory = memory;
  known.size = memory.size();
  known.how.seekable = true;
  known.how.name = "memory";
  return known;
}

}  // namespace

std::string input::name() const {
  return std::visit(
      overloaded{[](const std::filesystem::path& path) { return path.string(); },
                 [](int descriptor) {
                   return descriptor == 0 ? std::string("standard input")
                                          : "descriptor " + std::to_string(descriptor);
                 },
                 [](std::FILE* stream) { return std::string(stream == stdin ? "standard input" : "FILE*"); },
                 [](std::istream*) { return std::string("stream"); },
                 [](std::string_view) { return std::string("memory"); }},
      place_);
}

open_file open_input(const input& from) {
  return std::visit(
      overloaded{[](const std::filesystem::path& path) { return examined(os::file::open(path)); },
                 [&](int descriptor) { return examined(os::file::borrow(descriptor, from.name())); },
                 [&](std::FILE* stream) { return from_stdio(stream, from.name()); },
                 [&](std::istream* stream) { return from_istream(*stream, from.name()); },
                 [](std::string_view memory) { return from_memory(memory); }},
      from.where());
}

facts facts_of(const open_file& known, const read_options& options, bool all) {
  facts result;
  result.kind = known.kind;
  result.size = known.size;
  result.fault_guard = options.fault_guard;
  result.block_size = options.block_size;
  if (known.kind != input_kind::regular_file && known.kind != input_kind::block_device) return result;
  if (!all && size_decides(known.size)) return result;
  result.file_system = os::file_system_of(known.file);
  result.mappable = os::can_populate();
  if (all) result.resident = os::resident_share(known.file, known.size);
  return result;
}

facts examine(const input& from, const read_options& options) {
  return facts_of(open_input(from), options, true);
}

}  // namespace riffle
