/// Finds the facts about an open input, and from them and the options the method.
#include "source/plan.hpp"

#include <riffle/decoders.hpp>
#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>
#include <variant>

#include "decode/format_of_input.hpp"
#include "os/file_system.hpp"
#include "os/mapping.hpp"
#include "os/page_cache.hpp"
#include "source/open.hpp"

namespace riffle::inline v0 {

namespace {

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

// Returns the bytes from the start of the reading on: those of a split count, not those of its file.
std::uint64_t bytes_left(const open_file& input) {
  return input.size() - std::min(input.size(), input.start);
}

// Returns the facts that the automatic choice needs, or all.
facts facts_of(const open_file& input, const read_options& options, bool all) {
  facts known;
  known.kind = input.kind();
  known.size = bytes_left(input);
  known.fault_guard = options.fault_guard;
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

}  // namespace

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
    if (given.block_size == 0) options.block_size = info_of(given.method).block_size;
  }
  if (options.whole_file && info_of(options.method).maps && bytes_left(input) <= largest_block) {
    // The mapping begins at the page in which the reading starts.
    options.block_size = static_cast<std::size_t>(bytes_left(input) + input.start % os::page_size());
  }
  made.decoder = decoder_for(input, given);
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
  one.options.several_readers = true;
  if (options.queue_depth == 0) one.options.queue_depth = 1;
  const bool whole = options.whole_file && info_of(options.method).maps;
  if (block_size != 0 && given.block_size == 0 && !whole) one.options.block_size = block_size;
  return one;
}

namespace {

// To open it would wait for its writer, and tell nothing more.
bool is_path_of_fifo(const input& from) {
  const auto* const path = std::get_if<path_string>(&from.where());
  std::error_code ignored;
  return path != nullptr && std::filesystem::is_fifo(*path, ignored);
}

}  // namespace

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

bool lacks_end_marker(const input& from) {
  return !is_path_of_fifo(from) && lacks_end_marker(open_input(from));
}

}  // namespace riffle::inline v0
