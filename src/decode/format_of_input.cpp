/// Tells the format of an input by its first bytes, and where its members begin.
#include "decode/decoder.hpp"

#include <riffle/error.hpp>

#include <algorithm>
#include <array>

namespace riffle::inline v0 {

using namespace decode;

void decode::require_library(const format& of, const std::string& name) {
  if (of.open == nullptr) {
    throw error(errc::method_unavailable, "decode", name, std::nullopt, of.info.unavailable);
  }
}

void decode::require_plain(std::string_view bytes, const std::string& name) {
  const remedy as_it_is{advice::use_decoding, name_of(decoding::none)};
  const std::string other = other_format(bytes);
  if (!other.empty()) throw error(errc::method_unavailable, "decode", name, std::nullopt, other, as_it_is);
  if (const format* const cut = bytes.size() < longest_magic ? cut_start(bytes) : nullptr; cut != nullptr) {
    throw error(errc::unexpected_end, "decode", name, 0,
                "the first bytes of a " + std::string(cut->info.name) + " member are cut", as_it_is,
                bytes.size());
  }
}

std::optional<std::string_view> decode::first_bytes(const open_file& input, std::span<char> space) {
  if (!input.seekable()) return std::nullopt;
  if (input.kind() == input_kind::memory) return input.memory.substr(0, space.size());
  const std::uint64_t start = input.part ? 0 : input.start;
  if (input.object)
    space = space.first(static_cast<std::size_t>(std::min<std::uint64_t>(space.size(), input.size())));
  std::size_t count = 0;
  try {
    input.read_at(space, start, count);
    return std::string_view(space.data(), count);
  } catch (const error&) {
    return std::nullopt;  // reading it tells why
  }
}

std::vector<std::uint64_t> members_of(decoding format, active_method& from, const std::string& name) {
  const decode::format* const of = find_format(format);
  std::vector<std::uint64_t> begins;
  cut_part part;
  cut_state state{.in_order = of->cut_guesses, .small_parts = true};
  compressed_input input(from, 0);
  try {
    for (bool first = true; to_part(*of, input, part, state, first); first = false) {
      begins.push_back(part.offset);
      if (part.bytes.empty()) return {};
      input.check();
    }
  } catch (const damage& what) {
    if (what.code() == errc::invalid_argument) return {};  // what it holds has parts of several kinds
    throw error(what.code(), "split", name, std::nullopt, what.what(), what.remedy(), input.offset());
  }
  begins.push_back(input.offset());
  return begins;
}

decoding format_in(const open_file& input) {
  std::array<char, longest_magic> space{};
  const auto bytes = first_bytes(input, space);
  const format* const found = bytes ? format_of(*bytes) : nullptr;
  return found != nullptr ? found->info.id : decoding::none;
}

bool lacks_end_marker(const open_file& input) {
  std::array<char, longest_magic> space{};
  const auto bytes = first_bytes(input, space);
  if (!bytes || input.part || !is_bgzf(*bytes) || input.size() < bgzf_end.size()) return false;
  const std::uint64_t end = input.size() - bgzf_end.size();
  if (input.kind() == input_kind::memory)
    return input.memory.substr(static_cast<std::size_t>(end)) != bgzf_end;
  std::size_t count = 0;
  input.read_at(std::span(space).first(bgzf_end.size()), end, count);
  return std::string_view(space.data(), count) != bgzf_end;
}

namespace {

// A split carries its format.
decoding decoder_of_split(decoding cut, decoding given, const std::string& name) {
  const format* const of = find_format(cut);
  if ((of == nullptr && cut != decoding::none) ||
      (given != decoding::none && given != decoding::automatic && given != cut)) {
    throw error(errc::invalid_argument, "decode", name, std::nullopt,
                "the decode of the split is " + std::string(name_of(cut)));
  }
  if (of != nullptr) require_library(*of, name);
  return cut;
}

}  // namespace

decoding decoder_for(const open_file& input, const read_options& given) {
  if (input.part) return decoder_of_split(input.part->split.decode, given.decode, input.name());
  if (given.decode == decoding::none) return decoding::none;
  if (given.decode != decoding::automatic) {
    const format* const named = find_format(given.decode);
    if (named == nullptr) {
      throw error(errc::invalid_argument, "decode", input.name(), std::nullopt,
                  "read_options::decode is " + std::to_string(static_cast<int>(given.decode)) +
                      "; use one that riffle::decoding names");
    }
    require_library(*named, input.name());
    return given.decode;
  }
  std::array<char, longest_magic> space{};
  if (const auto bytes = first_bytes(input, space)) {
    const format* const found = format_of(*bytes);
    if (found == nullptr) require_plain(*bytes, input.name());
    if (found == nullptr) return decoding::none;
    require_library(*found, input.name());
    return found->info.id;
  }
  return decoding::automatic;
}

}  // namespace riffle::inline v0
