/// Cuts xz into the blocks of its streams, which `xz -T` and pixz write (the .xz file format, section 3).
#include <lzma.h>

#include <algorithm>
#include <array>
#include <new>

#include "decode/format.hpp"

namespace riffle::inline v0::decode {

namespace {

// A block of `xz -9` holds 192 MiB, which are seldom compressed to more than this.
constexpr std::size_t largest_xz_block = std::size_t{64} << 20U;
constexpr std::uint64_t most_index_memory = std::uint64_t{64} << 20U;  // for the index of a stream

const std::uint8_t* bytes_of(std::string_view bytes) {
  return reinterpret_cast<const std::uint8_t*>(bytes.data());
}

void require(lzma_ret outcome) {
  if (outcome == LZMA_MEM_ERROR) throw std::bad_alloc();
  if (outcome != LZMA_OK) throw damage(errc::bad_compression, damaged);
}

// Returns the block that begins with these bytes. `unpadded_size` says whether it tells its sizes.
lzma_block block_of(std::string_view bytes, lzma_check check) {
  std::array<lzma_filter, LZMA_FILTERS_MAX + 1> filters{};
  lzma_block block = {};
  block.version = 1;
  block.check = check;
  block.header_size = lzma_block_header_size_decode(static_cast<unsigned char>(bytes.front()));
  block.filters = filters.data();
  if (bytes.size() < block.header_size) fail_cut("xz");
  require(lzma_block_header_decode(&block, nullptr, bytes_of(bytes)));
  lzma_filters_free(filters.data(), nullptr);
  block.filters = nullptr;
  return block;
}

// Makes a stream of one block.
void make_stream(std::string_view bytes, const lzma_block& block, std::vector<char>& stream) {
  struct freed {
    lzma_index* index;
    ~freed() { lzma_index_end(index, nullptr); }
  } const only{lzma_index_init(nullptr)};
  if (only.index == nullptr) throw std::bad_alloc();
  require(lzma_index_append(only.index, nullptr, lzma_block_unpadded_size(&block), block.uncompressed_size));
  lzma_stream_flags flags = {};
  flags.check = block.check;
  flags.backward_size = lzma_index_size(only.index);

  std::size_t used = LZMA_STREAM_HEADER_SIZE + bytes.size();
  stream.resize(used + static_cast<std::size_t>(flags.backward_size) + LZMA_STREAM_HEADER_SIZE);
  auto* const to = reinterpret_cast<std::uint8_t*>(stream.data());
  require(lzma_stream_header_encode(&flags, to));
  std::ranges::copy(bytes, stream.begin() + LZMA_STREAM_HEADER_SIZE);
  require(lzma_index_buffer_encode(only.index, to, &used, stream.size()));
  require(lzma_stream_footer_encode(&flags, to + used));
}

// Skips the index and the footer of a stream.
void end_xz_stream(compressed_input& from, cut_state& state) {
  lzma_index* index = nullptr;
  lzma_stream decoder = LZMA_STREAM_INIT;
  require(lzma_index_decoder(&decoder, &index, most_index_memory));
  lzma_ret outcome = LZMA_OK;
  while (outcome == LZMA_OK && from.fetch()) {
    decoder.next_in = bytes_of(from.at_hand());
    decoder.avail_in = from.at_hand().size();
    outcome = lzma_code(&decoder, LZMA_RUN);
    from.skip(from.at_hand().size() - decoder.avail_in);
  }
  lzma_index_end(index, nullptr);
  lzma_end(&decoder);
  if (outcome != LZMA_STREAM_END) require(outcome);
  std::uint64_t footer = LZMA_STREAM_HEADER_SIZE;
  if (outcome == LZMA_OK || !from.discard(footer)) fail_cut("xz");
  state = state.outside();
}

// Returns the kind of checksum of a stream, as `cut_state::level` has it.
char level_of(std::string_view bytes) {
  if (bytes.size() < LZMA_STREAM_HEADER_SIZE) fail_cut("xz");
  lzma_stream_flags flags = {};
  require(lzma_stream_header_decode(&flags, bytes_of(bytes)));
  return static_cast<char>('0' + flags.check);
}

}  // namespace

cut_state enter_xz(std::string_view first_bytes) {
  return {.inside = true, .level = level_of(first_bytes)};
}

bool cut_xz(compressed_input& from, std::vector<char>& part, cut_state& state) {
  const std::size_t header = state.inside ? 0 : LZMA_STREAM_HEADER_SIZE;
  std::string_view bytes = from.gather(header + LZMA_BLOCK_HEADER_SIZE_MAX);
  const char level = state.inside ? state.level : level_of(bytes);
  if (state.level != '\0' && state.level != level)
    throw damage(errc::invalid_argument, "its streams have checksums of several kinds; compress it again");
  if (bytes.size() <= header) fail_cut("xz");
  if (bytes[header] == '\0') {
    if (!state.inside) return false;  // a stream without blocks
    end_xz_stream(from, state);
    return false;
  }
  const lzma_block block = block_of(bytes.substr(header), static_cast<lzma_check>(level - '0'));
  const lzma_vli size = lzma_block_total_size(&block);
  const bool can_be_cut = size <= largest_xz_block && block.uncompressed_size != LZMA_VLI_UNKNOWN;
  if (can_be_cut) bytes = from.gather(header + static_cast<std::size_t>(size));
  if (!can_be_cut || bytes.size() < header + size) {
    if (state.inside) throw damage(errc::bad_compression, "a block of it cannot be read alone");
    return false;
  }
  make_stream(bytes.substr(header, static_cast<std::size_t>(size)), block, part);
  from.skip(header + static_cast<std::size_t>(size));
  state.inside = true;
  state.level = level;
  return true;
}

}  // namespace riffle::inline v0::decode
