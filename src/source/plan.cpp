/// Makes an open file of each kind of input, finds the facts about it, and from them and the options the
/// method.
#include "source/source_state.hpp"

#include <algorithm>
#include <cerrno>
#include <cwchar>
#include <filesystem>
#include <limits>
#include <system_error>
#include <utility>
#include <variant>

#include "decode/decoder.hpp"
#include "os/facts.hpp"
#include "os/stream.hpp"

namespace riffle::inline v0 {

namespace {

template <class... Cases>
struct overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;

open_file examined(os::file file) {
  const os::file_status status = file.status();
  if (status.kind == os::file_kind::directory) os::fail("read", file.name(), std::nullopt, EISDIR);
  open_file known{.file = std::move(file),
                  .reported_kind = status.kind == os::file_kind::regular        ? input_kind::regular_file
                                   : status.kind == os::file_kind::block_device ? input_kind::block_device
                                                                                : input_kind::stream,
                  .reported_size = status.size,
                  .sparse = status.sparse,
                  .device = status.storage,
                  .inode = status.inode,
                  .modified = status.modified};
  // What was opened here stands at its start. A file without a size may be a pipe that reports itself as a
  // file, as on tracefs, so it is asked.
  if (known.is_file() && known.file.owned() && status.size != 0) {
    known.known = open_file::positions::assumed;
  } else if (const auto position = known.is_file() ? known.file.position() : std::nullopt) {
    known.known = open_file::positions::all;
    known.start = *position;
  }
  return known;
}

open_file named(std::string name) {
  return {.file = os::file::borrow(-1, std::move(name))};
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
  require_record_size(part.records, os::name_of(part.split.path), part.split.begin);
  open_file known = examined(os::file::open(part.split.path));
  known.part = part;
  if (decoder_for(known, given) == decoding::none) {
    restrict_to(known, part, given);
  } else {
    restrict_to_members(known, part);
  }
  return known;
}

constexpr std::size_t largest_block = std::numeric_limits<std::size_t>::max() / 4;

void validate(const read_options& options, const std::string& name) {
  if (options.block_size > largest_block) {
    throw error(errc::invalid_argument, "read", name, std::nullopt,
                "block_size is " + std::to_string(options.block_size) + "; a block has at most " +
                    std::to_string(largest_block) + " bytes",
                {advice::smaller_block_size});
  }
  if (options.queue_depth > 4096) {
    throw error(
        errc::invalid_argument, "read", name, std::nullopt,
        "queue_depth is " + std::to_string(options.queue_depth) + "; a queue has at most 4096 requests");
  }
}

// Throws, with the reason, if the method that the user named cannot read the input.
void require(method wanted, input_kind kind, const std::string& name) {
  const method_info* info = find_method(wanted);
  std::string detail(name_of(wanted));
  if (info == nullptr)
    throw error(errc::invalid_argument, "read", name, std::nullopt,
                "read_options::method is " + std::to_string(static_cast<int>(wanted)) +
                    "; use one that riffle::method names");
  if (!info->takes(kind)) {
    throw error(errc::method_unavailable, "read", name, std::nullopt,
                detail.append(" reads only ").append(info->inputs),
                {advice::use_method, name_of(method::automatic)});
  }
  if (const auto reason = info->unavailable()) {
    throw error(errc::method_unavailable, "read", name, std::nullopt, detail.append(": ").append(*reason),
                {advice::use_method});
  }
}

// Throws if the method that the user named has no use for an option that was set.
void require_use(const read_options& given, const open_file& input) {
  const method_info& info = info_of(given.method);
  const bool queues = info.queues || (input.object && input.object->read_at != nullptr);
  const char* unused = nullptr;
  if (given.mapping != read_mapping() && !info.maps) {
    unused = " maps no file, as mmap does; leave the options of the mapping out";
  }
  if (given.queue_depth != 0 && !queues) {
    unused = " keeps no queue of reads, as uring and direct do; leave the queue depth out";
  }
  if (unused == nullptr) return;
  throw error(errc::invalid_argument, "read", input.name(), std::nullopt,
              std::string(info.name).append(unused));
}

// Returns the bytes from the start of the reading on: those of a split count, not those of its file.
std::uint64_t bytes_left(const open_file& input) {
  return input.size() - std::min(input.size(), input.start);
}

// Returns the facts that the automatic choice needs, or all.
facts facts_of(const open_file& input, const read_options& options, bool all) {
  facts known;
  known.kind = input.kind();
  known.size = bytes_left(input);
  known.fault_guard = options.mapping.fault_guard;
  known.block_size = options.block_size;
  if (!input.is_file() || !input.seekable()) return known;
  if (!all && size_decides(known.size)) return known;
  // The file system of a device is the one of /dev.
  if (input.kind() == input_kind::regular_file) known.file_system = os::file_system_of(input.file);
  known.sparse = input.sparse;
  known.mappable = os::can_populate();
  known.keep_cache = options.keep_cache;
  known.cached = os::resident_share(input.file, known.size, input.start);
  return known;
}

// To open it would wait for its writer, and tell nothing more.
bool is_path_of_fifo(const input& from) {
  const auto* const path = std::get_if<path_string>(&from.where());
  std::error_code ignored;
  return path != nullptr && std::filesystem::is_fifo(*path, ignored);
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

plan decide(const open_file& input, const read_options& given) {
  validate(given, input.name());
  // A small file is read without a question.
  const bool read_first =
      given.method == method::read || (given.method == method::automatic && size_decides(bytes_left(input)));
  if (!read_first) input.ask_seekable();
  plan made{.given = given, .options = {given}, .decoder = decoding::none, .reason = "the options name it"};
  method_options& options = made.options;
  if (given.method == method::automatic) {
    choice chosen = choose(facts_of(input, given, false));
    options.method = chosen.method;
    options.block_size = chosen.block_size;
    made.reason = std::move(chosen.reason);
  } else {
    require(given.method, input.kind(), input.name());
    require_use(given, input);
    if (given.block_size == 0) options.block_size = info_of(given.method).block_size;
  }
  if (options.mapping.whole_file && info_of(options.method).maps && bytes_left(input) <= largest_block) {
    // The mapping begins at the page in which the reading starts.
    options.block_size = static_cast<std::size_t>(bytes_left(input) + input.start % os::page_size());
  }
  if (given.decode != decoding::none || input.part) made.decoder = decoder_for(input, given);
  // Several threads open the method that riffle chose for a file themselves.
  made.at_once = given.method != method::automatic || !input.seekable();
  return made;
}

// `read` uses its own block size, because there may be no memory for a block of the size of a window.
std::optional<plan> plan::by_read(const error& refusal) const {
  if (given.method != method::automatic || options.method == method::automatic) return std::nullopt;
  plan other = *this;
  other.options.method = method::read;
  other.options.block_size = info_of(method::read).block_size;
  other.reason =
      "the OS refused " + std::string(name_of(options.method)) + " (" + refusal.code().message() + ")";
  return other;
}

plan plan::for_one_of_several(std::size_t block_size) const {
  plan one = *this;
  one.at_once = true;
  one.options.several_readers = true;
  if (options.queue_depth == 0) one.options.queue_depth = 1;
  const bool whole = options.mapping.whole_file && info_of(options.method).maps;
  if (block_size != 0 && given.block_size == 0 && !whole) one.options.block_size = block_size;
  return one;
}

facts examine(const input& from, const read_options& options) {
  if (is_path_of_fifo(from)) {
    open_file unopened;
    unopened.reported_kind = input_kind::stream;
    return facts_of(unopened, options, true);
  }
  const open_file opened = open_input(from);
  opened.ask_seekable();
  return facts_of(opened, options, true);
}

decoding decoding_of(const input& from) {
  return is_path_of_fifo(from) ? decoding::none : format_in(open_input(from));
}

bool detail::lacks_end_marker(const input& from) {
  return !is_path_of_fifo(from) && riffle::lacks_end_marker(open_input(from));
}

}  // namespace riffle::inline v0
