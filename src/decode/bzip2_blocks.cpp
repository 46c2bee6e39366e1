/// Cuts bzip2 into its blocks, which begin at any bit, and makes a file of each.
#include <algorithm>
#include <array>
#include <optional>

#include "decode/format.hpp"

namespace riffle::inline v0::decode {

namespace {

// The first bits of a block and of the end of a stream. They may also occur inside a block, by chance or by
// malice: then what was cut is no block, and the decoder begins again in order.
constexpr std::uint64_t block_magic = 0x314159265359;
constexpr std::uint64_t end_magic = 0x177245385090;
constexpr unsigned magic_bits = 48;
constexpr unsigned checksum_bits = 32;
constexpr std::size_t stream_header = 4;                      // "BZh9"
constexpr std::size_t longest_block = std::size_t{2} << 20U;  // of 900,000 bytes that cannot be compressed

// Returns up to 64 bits from the bit `at` on; zeros stand after the end.
std::uint64_t bits_at(std::string_view bytes, std::size_t at, unsigned count) {
  std::uint64_t bits = 0;
  for (unsigned i = 0; i != count; ++i, ++at) {
    const auto byte = static_cast<unsigned char>(at / 8 < bytes.size() ? bytes[at / 8] : 0);
    bits = bits << 1U | (byte >> (7 - at % 8) & 1U);
  }
  return bits;
}

// The values that the third byte before the last one of a magic can have: a magic begins at one of eight
// bits.
constexpr std::array<bool, 256> may_be_inside = [] {
  std::array<bool, 256> values{};
  for (const std::uint64_t magic : {block_magic, end_magic}) {
    for (unsigned shift = 0; shift != 8; ++shift) values[magic >> (16 - shift) & 0xFFU] = true;
  }
  return values;
}();

// Returns the bit at which a magic begins: the first one from the bit `least` on whose last byte is not
// before the byte `from`.
std::optional<std::size_t> find_magic(std::string_view bytes, std::size_t least, std::size_t from) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << magic_bits) - 1;
  for (std::size_t last = std::max<std::size_t>(from, 6); last < bytes.size(); ++last) {
    if (!may_be_inside[static_cast<unsigned char>(bytes[last - 2])]) continue;
    std::uint64_t window = 0;
    for (std::size_t i = last - 6; i <= last; ++i)
      window = window << 8U | static_cast<unsigned char>(bytes[i]);
    for (unsigned shift = 8; shift-- != 0;) {
      const std::uint64_t bits = window >> shift & mask;
      const std::size_t begin = 8 * (last + 1) - shift - magic_bits;
      if ((bits == block_magic || bits == end_magic) && begin >= least) return begin;
    }
  }
  return std::nullopt;
}

class bit_writer {
 public:
  explicit bit_writer(std::vector<char>& to) : to_(to) {}

  void add(std::uint64_t bits, unsigned count) {
    while (count-- != 0) {
      if (used_ == 0) to_.push_back('\0');
      if ((bits >> count & 1U) != 0)
        to_.back() = static_cast<char>(static_cast<unsigned char>(to_.back()) | 0x80U >> used_);
      used_ = (used_ + 1) % 8;
    }
  }

 private:
  std::vector<char>& to_;
  unsigned used_ = 0;  // bits of the last byte
};

// Makes a file of one block, which lies in the bits from `begin` to `end`.
void make_file(std::string_view bytes, std::size_t begin, std::size_t end, char level,
               std::vector<char>& file) {
  file = {'B', 'Z', 'h', level};
  file.reserve(bytes.size() + 32);
  const unsigned shift = begin % 8;
  const std::size_t whole = (end - begin) / 8;
  for (std::size_t i = begin / 8; i != begin / 8 + whole; ++i) {
    const unsigned next = i + 1 < bytes.size() ? static_cast<unsigned char>(bytes[i + 1]) : 0;
    const unsigned both = unsigned{static_cast<unsigned char>(bytes[i])} << 8U | next;
    file.push_back(static_cast<char>(both >> (8 - shift)));
  }
  bit_writer writer(file);
  const std::size_t rest = begin + 8 * whole;
  writer.add(bits_at(bytes, rest, static_cast<unsigned>(end - rest)), static_cast<unsigned>(end - rest));
  writer.add(end_magic, magic_bits);
  writer.add(bits_at(bytes, begin + magic_bits, checksum_bits),
             checksum_bits);  // of all blocks: it is the only one
}

// Ends a stream: holds the checksum of all blocks against the one that is there.
void end_bzip2_stream(compressed_input& from, cut_state& state) {
  const std::size_t bits = state.bits + magic_bits + checksum_bits;
  const std::size_t size = (bits + 7) / 8;
  const std::string_view bytes = from.gather(size);
  if (bytes.size() < size) fail_cut("bzip2");
  if (bits_at(bytes, state.bits + magic_bits, checksum_bits) != state.checksum)
    throw damage(errc::bad_compression, "its checksum does not match");
  from.skip(size);
  state = state.outside();
}

}  // namespace

bool cut_bzip2(compressed_input& from, std::vector<char>& part, cut_state& state) {
  if (!state.inside) {
    const std::string_view bytes = from.gather(stream_header + magic_bits / 8);
    if (bits_at(bytes, 8 * stream_header, magic_bits) != block_magic) return false;
    state.inside = true;
    state.level = bytes[stream_header - 1];
    from.skip(stream_header);
  } else if (bits_at(from.gather((state.bits + magic_bits + 7) / 8), state.bits, magic_bits) == end_magic) {
    end_bzip2_stream(from, state);
    return false;
  }
  std::size_t searched = 0;
  for (std::size_t wanted = std::size_t{256} << 10U;; wanted += wanted) {
    const std::string_view bytes = from.gather(wanted);
    if (const auto end = find_magic(bytes, state.bits + magic_bits, searched)) {
      make_file(bytes, state.bits, *end, state.level, part);
      const auto checksum =
          static_cast<std::uint32_t>(bits_at(bytes, state.bits + magic_bits, checksum_bits));
      state.checksum = (state.checksum << 1U | state.checksum >> 31U) ^ checksum;
      state.bits = *end % 8;
      from.skip(*end / 8);
      return true;
    }
    if (bytes.size() < wanted) fail_cut("bzip2");
    if (wanted > longest_block) throw damage(errc::bad_compression, damaged);
    searched = bytes.size();
  }
}

}  // namespace riffle::inline v0::decode
