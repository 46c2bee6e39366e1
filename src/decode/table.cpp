/// The table of formats, and what their first bytes look like.
#include <riffle/error.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "decode/format.hpp"

namespace riffle::inline v0 {

namespace decode {

namespace {

// What decodes a format; nothing if this build lacks the library.
struct library {
  std::string_view name;
  open_codec* open = nullptr;
};

#if RIFFLE_WITH_IGZIP
constexpr library igzip{"ISA-L's igzip", open_igzip};
#else
constexpr library igzip{};
#endif
#if RIFFLE_WITH_ZLIB
constexpr library inflate{"zlib", open_inflate};
constexpr library zlib{"zlib", open_zlib};
#else
constexpr library inflate{};
constexpr library zlib{};
#endif
#if RIFFLE_WITH_ZSTD
constexpr library zstd{"libzstd", open_zstd};
constexpr cut_function* cut_frames = cut_zstd;
#else
constexpr library zstd{};
constexpr cut_function* cut_frames = nullptr;
#endif
#if RIFFLE_WITH_XZ
constexpr library xz{"liblzma", open_xz};
constexpr cut_function* cut_streams = cut_xz;
constexpr auto* enter_streams = enter_xz;
#else
constexpr library xz{};
constexpr cut_function* cut_streams = nullptr;
constexpr decltype(&enter_xz) enter_streams = nullptr;
#endif
#if RIFFLE_WITH_BZIP2
constexpr library bzip2{"libbz2", open_bzip2};
#else
constexpr library bzip2{};
#endif
#if RIFFLE_WITH_LZ4
constexpr library lz4{"liblz4", open_lz4};
#else
constexpr library lz4{};
#endif

#if RIFFLE_WITH_BZIP2
constexpr cut_function* cut_blocks = cut_bzip2;
#else
constexpr cut_function* cut_blocks = nullptr;
#endif

constexpr library gzip = igzip.name.empty() ? inflate : igzip;

std::uint32_t word_at(std::string_view bytes, std::size_t place) {
  std::uint32_t word = 0;
  for (std::size_t i = 4; i-- != 0;) word = word << 8U | byte_at(bytes, place + i);
  return word;
}

// Frames of Zstandard and LZ4 that hold what their users want, and no data. Returns the size; 0: it is none.
std::uint64_t skippable(std::string_view bytes) {
  constexpr std::uint32_t first = 0x184D2A50;
  constexpr std::uint32_t kinds = 0xF;
  constexpr std::size_t header = 8;
  const bool is_one = bytes.size() >= header && (word_at(bytes, 0) & ~kinds) == first;
  return is_one ? header + std::uint64_t{word_at(bytes, 4)} : 0;
}

// A file may begin with a frame to be skipped, as those of pzstd do. One after which the bytes at hand have
// no magic may be of either format.
std::string_view behind_skippable(std::string_view bytes) {
  constexpr std::size_t magic = 4;
  for (std::uint64_t size = skippable(bytes); size != 0 && size + magic <= bytes.size();
       size = skippable(bytes))
    bytes.remove_prefix(static_cast<std::size_t>(size));
  return bytes;
}

// Returns whether `bytes` are the first ones of `whole`, or more than that.
bool agrees(std::string_view whole, std::string_view bytes) {
  return whole.starts_with(bytes.substr(0, whole.size()));
}

// Two bytes, which a text may have.
bool is_zlib(std::string_view bytes) {
  constexpr unsigned deflate = 8;
  return (byte_at(bytes, 0) & 0xFU) == deflate && byte_at(bytes, 0) >> 4U <= 7 &&
         (bytes.size() < 2 || (byte_at(bytes, 0) << 8U | byte_at(bytes, 1)) % 31 == 0);
}
// The size of the blocks, and the first one or the end of the stream.
bool is_bzip2(std::string_view bytes) {
  const std::string_view block = bytes.substr(std::min<std::size_t>(bytes.size(), 4));
  return (bytes.size() < 4 || byte_at(bytes, 3) - unsigned{'1'} < 9) &&
         (agrees("1AY&SY", block) || agrees("\x17\x72\x45\x38\x50\x90", block));
}

constexpr decoder_info describe(decoding id, std::string_view name, const library& by, std::string_view parts,
                                std::string_view remedy) {
  return {id, name, by.name, parts, by.name.empty() ? remedy : std::string_view()};
}

constexpr std::array<format, 6> table{{
    {.info = describe(decoding::gzip, "gzip", gzip, "blocks of BGZF",
                      "riffle was built without zlib; install zlib1g-dev and build riffle again"),
     .magic = "\x1f\x8b\x08",
     .open = gzip.open,
     .cut = cut_bgzf},
    {.info = describe(decoding::zlib, "zlib", zlib, "",
                      "riffle was built without zlib; install zlib1g-dev and build riffle again"),
     .least = 2,
     .also = is_zlib,
     .open = zlib.open},
    {.info = describe(decoding::zstd, "zstd", zstd, "frames of at most 8 MiB",
                      "riffle was built without libzstd; install libzstd-dev and build riffle again"),
     .magic = "\x28\xB5\x2F\xFD",
     .skips = true,
     .zeros_at_end = false,
     .open = zstd.open,
     .cut = cut_frames},
    {.info = describe(decoding::xz, "xz", xz, "blocks",
                      "riffle was built without liblzma; install liblzma-dev and build riffle again"),
     .magic = {"\xFD\x37zXZ\0", 6},
     .padding = 4,
     .open = xz.open,
     .cut = cut_streams,
     .own_threads = true,
     .enter = enter_streams},
    {.info = describe(decoding::bzip2, "bzip2", bzip2, "blocks",
                      "riffle was built without libbz2; install libbz2-dev and build riffle again"),
     .magic = "BZh",
     .least = 10,
     .also = is_bzip2,
     .open = bzip2.open,
     .cut = cut_blocks,
     .cut_guesses = true},
    {.info = describe(decoding::lz4, "lz4", lz4, "",
                      "riffle was built without liblz4; install liblz4-dev and build riffle again"),
     .magic = "\x04\x22\x4D\x18",
     .skips = true,
     .zeros_at_end = false,
     .open = lz4.open},
}};

// What riffle knows, and does not decode.
struct other {
  std::string_view what;
  std::string_view by;
  std::string_view magic;
  std::size_t least = 0;
  bool (*also)(std::string_view bytes) = nullptr;
};

// The third byte has the largest code, of 9 to 16 bits, and one flag.
bool is_compress(std::string_view bytes) {
  const unsigned bits = byte_at(bytes, 2) & 0x1FU;
  return bytes.size() < 3 || ((byte_at(bytes, 2) & 0x60U) == 0 && bits >= 9 && bits <= 16);
}
// A dictionary of whole blocks of 64 KiB, at least one, and a size, which may be unknown.
bool is_lzma(std::string_view bytes) {
  if (bytes.size() < 13) return true;
  if (bytes[3] == '\0' && bytes[4] == '\0') return false;
  const std::string_view size = bytes.substr(5, 8);
  return size == std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff") ||
         size.substr(5) == std::string_view("\0\0\0", 3);
}

constexpr std::array<other, 11> others{{
    {"an LZ4 legacy frame", "lz4 -dc", "\x02\x21\x4C\x18"},
    {"a file of compress", "gzip -dc", "\x1f\x9d", 3, is_compress},
    {"an .lzma file", "xz -dc", {"\x5d\0\0", 3}, 13, is_lzma},
    {"an lzip file", "lzip -dc", "LZIP\x01"},
    {"an lzip file", "lzip -dc", {"LZIP\0", 5}},
    {"an lzop file", "lzop -dc", {"\x89LZO\0\r\n\x1a\n", 9}},
    {"a framed Snappy file", "snzip -dc", {"\xff\x06\0\0sNaPpY", 10}},
    {"a ZIP archive", "unzip -p", "PK\x03\x04"},
    {"an empty ZIP archive", "unzip -p", "PK\x05\x06"},
    {"a 7z archive", "7z x -so", "7z\xBC\xAF\x27\x1C"},
    {"a RAR archive", "unrar p -inul", "Rar!\x1A\x07"},
}};

// A format or another one: whether it begins so, and whether it may with more bytes after them.
bool begins(const auto& of, std::string_view bytes) {
  return bytes.starts_with(of.magic) && bytes.size() >= of.least && (of.also == nullptr || of.also(bytes));
}
bool may_begin(const auto& of, std::string_view bytes) {
  return bytes.size() < std::max(of.magic.size(), of.least) && agrees(of.magic, bytes) &&
         (bytes.size() < of.magic.size() || of.also == nullptr || of.also(bytes));
}
bool may_be_skippable(std::string_view bytes) {
  return byte_at(bytes, 0) >> 4U == 5 && agrees("\x2A\x4D\x18", bytes.substr(1));
}

// Returns whether more bytes are needed to tell the format.
bool may_start(std::string_view bytes) {
  const auto is_of = [&](const auto& each) { return !each.magic.empty() && may_begin(each, bytes); };
  return std::ranges::any_of(table, is_of) || std::ranges::any_of(others, is_of) || may_be_skippable(bytes);
}

constexpr auto infos = [] {
  std::array<decoder_info, table.size()> all{};
  std::transform(table.begin(), table.end(), all.begin(), [](const format& each) { return each.info; });
  return all;
}();

}  // namespace

bool starts(const format& of, std::string_view bytes) {
  return begins(of, bytes) || (of.skips && skippable(bytes) != 0);
}

bool is_cut_start(const format& of, std::string_view bytes) {
  return !bytes.empty() &&
         (may_begin(of, bytes) || (of.skips && bytes.size() < 8 && may_be_skippable(bytes)));
}

const format* cut_start(std::string_view bytes) noexcept {
  const bool is_text = std::ranges::all_of(bytes, [](char byte) { return byte >= ' ' && byte <= '~'; });
  if (bytes.size() < 2 || (is_text && !bytes.starts_with("BZh"))) return nullptr;
  const auto is_of = [&](const format& each) { return !each.magic.empty() && is_cut_start(each, bytes); };
  const auto* const found = std::ranges::find_if(table, is_of);
  return found != table.end() ? found : nullptr;
}

const format* find_format(decoding id) noexcept {
  const auto* const found = std::ranges::find(table, id, [](const format& each) { return each.info.id; });
  return found != table.end() ? found : nullptr;
}

const format* format_of(std::string_view bytes) noexcept {
  const std::string_view member = behind_skippable(bytes);
  const bool skipped = member.size() != bytes.size();
  for (const format& each : table) {
    if (!each.magic.empty() && (each.skips || !skipped) && starts(each, member)) return &each;
  }
  return nullptr;
}

std::string other_format(std::string_view bytes) {
  for (const other& each : others) {
    if (begins(each, bytes))
      return "it is " + std::string(each.what) + "; decode it by " + std::string(each.by);
  }
  return {};
}

bool cut(const format& of, compressed_input& from, cut_part& part, cut_state& state) {
  part.offset = from.offset();
  const bool was_cut = of.cut != nullptr && of.cut(from, part.bytes, state);
  part.end = from.offset();
  return was_cut;
}

bool to_part(const format& of, compressed_input& from, cut_part& part, cut_state& state, bool first) {
  part.bytes.clear();
  way_to_member way{.first = first};
  while (part.bytes.empty()) {
    const bool was_inside = state.inside;
    if (!was_inside && !to_member(of, from, way)) return false;
    if (from.offset() >= state.stop) return false;
    if (state.in_order || (!cut(of, from, part, state) && !was_inside)) break;  // else the member ended
  }
  return true;
}

const format* format_of(compressed_input& from) {
  std::string_view bytes = from.gather(1);
  while (bytes.size() < longest_magic && may_start(bytes)) {
    if (!other_format(bytes).empty() || (skippable(bytes) == 0 && format_of(bytes) != nullptr)) break;
    const std::size_t before = bytes.size();
    bytes = from.gather(before + 1);
    if (bytes.size() == before) break;
  }
  return format_of(bytes.substr(0, longest_magic));  // as of an input that can be read again
}

bool to_member(const format& of, compressed_input& from, way_to_member& way) {
  const std::string name(of.info.name);
  while (true) {
    if (!from.discard(way.frame)) throw damage(errc::unexpected_end, "the last frame, to be skipped, is cut");
    std::string_view bytes = from.gather(1);
    if (!starts(of, bytes)) bytes = from.gather(longest_magic);
    const bool follows = starts(of, bytes);
    if (!follows && is_cut_start(of, bytes))
      throw damage(errc::unexpected_end, "the first bytes of a " + name + " member are cut");
    if (!follows && way.first) {
      const std::string other = other_format(bytes);
      if (!other.empty()) throw damage(errc::method_unavailable, other);
      if (bytes.empty()) throw damage(errc::unexpected_end, "it is empty");
      throw damage(errc::bad_compression, "it does not begin as " + name + " does", 0,
                   {advice::use_decoding, "automatic"});
    }
    const std::size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
    from.skip(zeros);
    way.zeros += zeros;
    if (zeros != 0) continue;
    if (!follows && !bytes.empty()) {
      throw damage(errc::bad_compression, "other bytes follow the last " + name + " member; cut them off");
    }
    if (way.zeros % of.padding != 0 || (!follows && way.zeros != 0 && !of.zeros_at_end)) {
      std::string zeros_found = std::to_string(way.zeros) + " zeros follow a member of " + name;
      if (of.padding != 1) zeros_found += ", which must be a multiple of " + std::to_string(of.padding);
      throw damage(errc::bad_compression, zeros_found + "; cut them off");
    }
    if (!follows) return false;
    way = {.first = false, .frame = of.skips ? skippable(bytes) : 0};
    if (way.frame == 0) return true;
  }
}

}  // namespace decode

std::span<const decoder_info> decoders() noexcept {
  return decode::infos;
}

const decoder_info* find_decoder(decoding id) noexcept {
  const auto* const found = std::ranges::find(decode::infos, id, &decoder_info::id);
  return found != decode::infos.end() ? found : nullptr;
}

std::optional<decoding> decoding_named(std::string_view name) noexcept {
  for (const decoding each : {decoding::none, decoding::automatic}) {
    if (name == name_of(each)) return each;
  }
  const auto* const found = std::ranges::find(decode::infos, name, &decoder_info::name);
  return found != decode::infos.end() ? std::optional(found->id) : std::nullopt;
}

std::string_view name_of(decoding id) noexcept {
  if (id == decoding::none) return "none";
  const decoder_info* const info = find_decoder(id);
  return info != nullptr ? info->name : "automatic";
}

}  // namespace riffle::inline v0
