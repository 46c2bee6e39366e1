/// Any bytes decode to the same by one thread, by several and piece by piece, or to an error by each of them.
#include "fuzz/support/decode.hpp"

#include "fuzz/support/delivery.hpp"

namespace riffle::fuzz {
namespace {

struct outcome {
  std::string bytes;
  std::optional<error> failure;
};

outcome decode(const input& from, const read_options& reading) {
  outcome found;
  try {
    for (const block& part : blocks(from, reading)) found.bytes += part.bytes;
  } catch (const error& failure) {
    found.failure = failure;
  }
  return found;
}

void check_one(const outcome& found, std::uint64_t size, const read_options& reading) {
  require(found.bytes.size() <= reading.max_size, "no more is decoded than max_size allows");
  if (!found.failure) return;
  const error& failure = *found.failure;
  require(failure.offset() == found.bytes.size(), failure.what());
  // Threads that decode ahead are at several places when too much was decoded.
  require(
      failure.compressed_offset() ? *failure.compressed_offset() <= size : failure.code() == errc::too_large,
      failure.what());
}

// Several threads hand out a part once its checksum was right, so one outcome may have more bytes before the
// error.
void check_same(const outcome& one, const outcome& other) {
  require(one.failure.has_value() == other.failure.has_value(),
          "each fails, or none: " + std::string(one.failure ? one.failure->what() : "no error") + "; " +
              std::string(other.failure ? other.failure->what() : "no error"));
  if (!one.failure) return require(one.bytes == other.bytes, "the bytes are the same");
  const std::size_t common = std::min(one.bytes.size(), other.bytes.size());
  require(one.bytes.compare(0, common, other.bytes, 0, common) == 0,
          "the bytes before the error are the same");
}

}  // namespace

// The first byte chooses the limit; the others are the input.
void check(decoding format, std::string_view data) {
  if (data.empty()) return;
  read_options reading{.decode = format,
                       .decode_threads = 1,
                       .max_size = data.front() % 2 == 0 ? std::uint64_t{1} << 20U : 100};
  data.remove_prefix(1);
  if (const decoder_info* const info = find_decoder(reading.decode);
      info != nullptr && !info->unavailable.empty())
    return;

  const outcome by_one = decode(memory(data), reading);
  reading.decode_threads = 3;
  const outcome by_three = decode(memory(data), reading);
  piece_buffer buffer(pieces(data, {1, 7, 64, 1000}));
  std::istream stream(&buffer);
  const outcome in_pieces = decode(stream, reading);
  const bool passed_on = reading.decode == decoding::automatic && by_one.bytes == data;
  if (!passed_on) {
    for (const outcome* const found : {&by_one, &by_three, &in_pieces})
      check_one(*found, data.size(), reading);
  }
  check_same(by_one, by_three);
  check_same(by_one, in_pieces);
}

}  // namespace riffle::fuzz
