/// Calls the one function of each library that compresses a whole buffer.
#include "tests/support/compress.hpp"

#include <riffle/methods.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <stdexcept>

#if RIFFLE_WITH_ZLIB
#include <zlib.h>
#endif
#if RIFFLE_WITH_ZSTD
#include <zstd.h>
#endif
#if RIFFLE_WITH_XZ
#include <lzma.h>
#endif
#if RIFFLE_WITH_BZIP2
#include <bzlib.h>
#endif
#if RIFFLE_WITH_LZ4
#include <lz4frame.h>
#endif

namespace riffle::test {

namespace {

[[maybe_unused]] void require(bool worked) {
  if (!worked) throw std::runtime_error("cannot compress");
}

// A number in the order of little-endian machines.
std::string little_endian(std::uint64_t number, std::size_t size) {
  std::string bytes;
  for (std::size_t i = 0; i != size; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xFFU);
  return bytes;
}

// The CRC-32 that gzip and xz have in common.
std::uint32_t checksum_of(std::string_view bytes) {
  std::uint32_t sum = ~std::uint32_t{0};
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit != 8; ++bit) sum = sum >> 1U ^ ((sum & 1U) != 0 ? 0xEDB88320U : 0U);
  }
  return ~sum;
}

[[maybe_unused]] constexpr int raw = -15;
constexpr int with_zlib_header = 15;
constexpr int with_gzip_header = 15 + 16;

#if RIFFLE_WITH_ZLIB
Bytef* input_of(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}
std::string deflated(std::string_view bytes, int header, gz_header* fields = nullptr) {
  z_stream state = {};
  require(deflateInit2(&state, 6, Z_DEFLATED, header, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  if (fields != nullptr) deflateSetHeader(&state, fields);
  std::string made(deflateBound(&state, static_cast<uLong>(bytes.size())), '\0');
  state.next_in = input_of(bytes);
  state.avail_in = static_cast<uInt>(bytes.size());
  state.next_out = reinterpret_cast<Bytef*>(made.data());
  state.avail_out = static_cast<uInt>(made.size());
  require(deflate(&state, Z_FINISH) == Z_STREAM_END);
  made.resize(state.total_out);
  deflateEnd(&state);
  return made;
}
template <int header>
std::string member(std::string_view bytes) {
  return deflated(bytes, header);
}
// A header with every field that it may have, longer than what is read of it at a time.
std::string gzip_member_with_fields(std::string_view bytes) {
  std::string extra = "XX" + little_endian(66, 2) + std::string(66, 'x');
  std::string name(100, 'n');
  std::string comment(70, 'c');
  gz_header fields = {};
  fields.text = 1;
  fields.extra = input_of(extra);
  fields.extra_len = static_cast<uInt>(extra.size());
  fields.name = input_of(name);
  fields.comment = input_of(comment);
  fields.hcrc = 1;
  return deflated(bytes, with_gzip_header, &fields);
}
// A member with the field that has its size.
std::string bgzf_block(std::string_view bytes) {
  const std::string body = deflated(bytes, raw);
  constexpr std::size_t around = 26;  // the header and the checksum
  return std::string("\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0", 16) +
         little_endian(body.size() + around - 1, 2) + body + little_endian(checksum_of(bytes), 4) +
         little_endian(bytes.size(), 4);
}
// As bgzip writes it: blocks of 65280 bytes, and an empty one at the end.
std::string bgzf_blocks(std::string_view bytes) {
  constexpr std::size_t longest = 65280;
  std::string made;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(longest, bytes.size())))
    made += bgzf_block(bytes.substr(0, longest));
  return made + bgzf_block({});
}
#else
template <int>
constexpr std::nullptr_t member = nullptr;
constexpr std::nullptr_t gzip_member_with_fields = nullptr;
constexpr std::nullptr_t bgzf_blocks = nullptr;
#endif

#if RIFFLE_WITH_ZSTD
template <bool tell_size>
std::string zstd_frame(std::string_view bytes) {
  ZSTD_CCtx* const state = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(state, ZSTD_c_checksumFlag, 1);
  ZSTD_CCtx_setParameter(state, ZSTD_c_contentSizeFlag, tell_size ? 1 : 0);
  std::string made(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size = ZSTD_compress2(state, made.data(), made.size(), bytes.data(), bytes.size());
  ZSTD_freeCCtx(state);
  require(ZSTD_isError(size) == 0);
  made.resize(size);
  return made;
}
#else
template <bool>
constexpr std::nullptr_t zstd_frame = nullptr;
#endif

#if RIFFLE_WITH_XZ
constexpr std::uint32_t fast = 0;

std::string xz_stream(std::string_view bytes) {
  std::string made(lzma_stream_buffer_bound(bytes.size()), '\0');
  std::size_t size = 0;
  require(lzma_easy_buffer_encode(
              fast, LZMA_CHECK_CRC64, nullptr, reinterpret_cast<const std::uint8_t*>(bytes.data()),
              bytes.size(), reinterpret_cast<std::uint8_t*>(made.data()), &size, made.size()) == LZMA_OK);
  made.resize(size);
  return made;
}
std::string xz_by(lzma_stream& state, std::string_view bytes) {
  std::string made(2 * lzma_stream_buffer_bound(bytes.size()) + bytes.size() / 100, '\0');
  state.next_in = reinterpret_cast<const std::uint8_t*>(bytes.data());
  state.avail_in = bytes.size();
  state.next_out = reinterpret_cast<std::uint8_t*>(made.data());
  state.avail_out = made.size();
  require(lzma_code(&state, LZMA_FINISH) == LZMA_STREAM_END);
  made.resize(made.size() - state.avail_out);
  lzma_end(&state);
  return made;
}
// As `xz -T1` writes it.
std::string xz_without_sizes(std::string_view bytes) {
  lzma_stream state = LZMA_STREAM_INIT;
  require(lzma_easy_encoder(&state, fast, LZMA_CHECK_CRC64) == LZMA_OK);
  return xz_by(state, bytes);
}
// A stream of several blocks that tell their sizes.
std::string xz_blocks(std::string_view bytes) {
  lzma_mt how = {};
  how.threads = 1;
  how.block_size = 50'000;
  how.preset = fast;
  how.check = LZMA_CHECK_CRC32;
  lzma_stream state = LZMA_STREAM_INIT;
  require(lzma_stream_encoder_mt(&state, &how) == LZMA_OK);
  return xz_by(state, bytes);
}
#else
constexpr std::nullptr_t xz_stream = nullptr;
constexpr std::nullptr_t xz_without_sizes = nullptr;
constexpr std::nullptr_t xz_blocks = nullptr;
#endif

#if RIFFLE_WITH_BZIP2
std::string bzip2_stream(std::string_view bytes) {
  constexpr int blocks_of_100_kb = 1;
  auto size = static_cast<unsigned>(bytes.size() + bytes.size() / 100 + 600);
  std::string made(size, '\0');
  require(BZ2_bzBuffToBuffCompress(made.data(), &size, const_cast<char*>(bytes.empty() ? "" : bytes.data()),
                                   static_cast<unsigned>(bytes.size()), blocks_of_100_kb, 0, 0) == BZ_OK);
  made.resize(size);
  return made;
}
#else
constexpr std::nullptr_t bzip2_stream = nullptr;
#endif

#if RIFFLE_WITH_LZ4
std::string lz4_frame(std::string_view bytes) {
  LZ4F_preferences_t how = {};
  how.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
  std::string made(LZ4F_compressFrameBound(bytes.size(), &how), '\0');
  const std::size_t size = LZ4F_compressFrame(made.data(), made.size(), bytes.data(), bytes.size(), &how);
  require(LZ4F_isError(size) == 0);
  made.resize(size);
  return made;
}
#else
constexpr std::nullptr_t lz4_frame = nullptr;
#endif

constexpr std::array<container, 11> all{{
    {"gzip", decoding::gzip, member<with_gzip_header>},
    {"gzip_with_fields", decoding::gzip, gzip_member_with_fields},
    {"bgzf", decoding::gzip, bgzf_blocks},
    {"zlib", decoding::zlib, member<with_zlib_header>},
    {"zstd", decoding::zstd, zstd_frame<true>},
    {"zstd_without_size", decoding::zstd, zstd_frame<false>},
    {"xz", decoding::xz, xz_stream},
    {"xz_without_sizes", decoding::xz, xz_without_sizes},
    {"xz_blocks", decoding::xz, xz_blocks},
    {"bzip2", decoding::bzip2, bzip2_stream},
    {"lz4", decoding::lz4, lz4_frame},
}};

}  // namespace

std::span<const container> containers() {
  return all;
}
const container& container_named(std::string_view name) {
  return *std::ranges::find(all, name, &container::name);
}

std::optional<std::string> missing(const container& which) {
  if (which.member == nullptr)
    return "the tests were built without the library of " + std::string(which.name);
  const std::string_view reason = find_decoder(which.format)->unavailable;
  return reason.empty() ? std::nullopt : std::optional(std::string(reason));
}

bool can_be_split(const container& which) {
  return which.name == "bgzf" || which.name == "xz" || which.name == "xz_blocks" ||
         which.format == decoding::zstd;
}

std::string in_members(const container& which, std::string_view bytes, std::size_t size) {
  std::string made;
  for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size())))
    made += which.member(bytes.substr(0, size));
  return made;
}

// The header begins behind the 12 bytes of the stream's: its size, flags, two sizes, the filter, and the
// code.
std::string with_dictionary(std::string stream, std::uint8_t code) {
  constexpr std::size_t header = 12;
  constexpr std::size_t checksum = 8;
  stream[header + 6] = static_cast<char>(code);
  return stream.replace(header + checksum, 4,
                        little_endian(checksum_of(std::string_view(stream).substr(header, checksum)), 4));
}

std::string skippable_frame(std::string_view content) {
  return "\x50\x2A\x4D\x18" + little_endian(content.size(), 4) + std::string(content);
}

}  // namespace riffle::test
