/// Finds the facts about an open input, and from them and the options the method.
#include "source/resolve.hpp"

#include <riffle/decoders.hpp>
#include <riffle/error.hpp>
#include <riffle/methods.hpp>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <utility>
#include <variant>

#include "decode/decoder.hpp"
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
                "block_size is too large; use at most " + std::to_string(largest_block));
  }
  if (options.queue_depth > 4096) {
    throw error(errc::invalid_argument, "read", name, std::nullopt,
                "queue_depth is too large; use at most 4096");
  }
}

// Throws, with the reason, if the method that the user named cannot read the input.
void require(method wanted, input_kind kind, const std::string& name) {
  const method_info* info = find_method(wanted);
  std::string detail(name_of(wanted));
  if (info == nullptr)
    throw error(errc::invalid_argument, "read", name, std::nullopt, "options.method is no riffle::method");
  if (!info->takes(kind)) {
    detail.append(" reads only ").append(info->inputs).append("; use the method automatic");
    throw error(errc::method_unavailable, "read", name, std::nullopt, detail);
  }
  if (const auto reason = info->unavailable()) {
    throw error(errc::method_unavailable, "read", name, std::nullopt, detail.append(": ").append(*reason));
  }
}

// Returns the bytes from the start of the reading on: those of a split count, not those of its file.
std::uint64_t bytes_left(const open_file& input) {
  return input.size - std::min(input.size, input.start);
}

// Returns the facts that the automatic choice needs, or all.
facts facts_of(const open_file& input, const read_options& options, bool all) {
  facts known;
  known.kind = input.kind;
  known.size = bytes_left(input);
  known.fault_guard = options.fault_guard;
  known.block_size = options.block_size;
  if (input.kind != input_kind::regular_file && input.kind != input_kind::block_device) return known;
  if (!all && size_decides(known.size)) return known;
  // The file system of a device is the one of /dev.
  if (input.kind == input_kind::regular_file) known.file_system = os::file_system_of(input.file);
  known.sparse = input.sparse;
  known.mappable = os::can_populate();
  known.keep_cache = options.keep_cache;
  known.cached = os::resident_share(input.file, known.size, input.start);
  return known;
}

// Fills in the numbers that the user did not give.
method_options filled(const read_options& given) {
  method_options options{given};
  if (options.block_size == 0) options.block_size = info_of(options.method).block_size;
  return options;
}

resolved resolve_method(const open_file& input, const read_options& given) {
  if (given.method != method::automatic) {
    require(given.method, input.kind, input.name());
    return {filled(given), "the options name it", false};
  }
  choice chosen = choose(facts_of(input, given, false));
  return resolve_again(given, chosen.method, std::move(chosen.reason));
}

}  // namespace

resolved resolve_again(const read_options& given, method other, std::string reason) {
  read_options options = given;
  options.method = other;
  return {filled(options), std::move(reason), true};
}

resolved resolve(const open_file& input, const read_options& given) {
  validate(given, input.name());
  resolved result = resolve_method(input, given);
  method_options& options = result.options;
  if (options.whole_file && info_of(options.method).maps && bytes_left(input) <= largest_block) {
    // The mapping begins at the page in which the reading starts.
    options.block_size = static_cast<std::size_t>(bytes_left(input) + input.start % os::page_size());
  }
  result.through = decoder_for(input, given);
  return result;
}

namespace {

// To open it would wait for its writer, and tell nothing more.
bool is_path_of_fifo(const input& from) {
  const auto* const path = std::get_if<std::filesystem::path>(&from.where());
  std::error_code ignored;
  return path != nullptr && std::filesystem::is_fifo(*path, ignored);
}

}  // namespace

facts examine(const input& from, const read_options& options) {
  if (is_path_of_fifo(from)) {
    open_file unopened;
    unopened.become_stream();
    return facts_of(unopened, options, true);
  }
  return facts_of(open_input(from), options, true);
}

decoding decoding_of(const input& from) {
  return is_path_of_fifo(from) ? decoding::none : format_in(open_input(from));
}

bool lacks_end_marker(const input& from) {
  return !is_path_of_fifo(from) && lacks_end_marker(open_input(from));
}

}  // namespace riffle::inline v0
