/// Any bytes decode to the same by one thread and by several of each kind of input, or to an error by each of
/// them.
///
/// There is a program for each format, decode_gzip_fuzz and its like, which takes it from its own name.
#include "fuzz/delivery.hpp"

namespace riffle::fuzz {
namespace {

void check_one(const test::read_outcome& found, std::uint64_t size, const read_options& reading) {
  require(found.bytes.size() <= reading.max_size, "no more is decoded than max_size allows");
  if (!found.failure) return;
  const error& failure = *found.failure;
  if (failure.code() == errc::method_unavailable) return;  // another format, which was named before a read
  require(failure.offset() == found.bytes.size(), failure.what());
  // Threads that decode ahead are at several places when too much was decoded.
  require(
      failure.compressed_offset() ? *failure.compressed_offset() <= size : failure.code() == errc::too_large,
      failure.what());
}

// Several threads hand out a part once its checksum was right, so one outcome may have more bytes before the
// error.
void check_same(const test::read_outcome& one, const test::read_outcome& other) {
  require(one.failure.has_value() == other.failure.has_value(),
          "each fails, or none: " + std::string(one.failure ? one.failure->what() : "no error") + "; " +
              std::string(other.failure ? other.failure->what() : "no error"));
  if (!one.failure) return require(one.bytes == other.bytes, "the bytes are the same");
  const std::size_t common = std::min(one.bytes.size(), other.bytes.size());
  require(one.bytes.compare(0, common, other.bytes, 0, common) == 0,
          "the bytes before the error are the same");
}

decoding format = decoding::automatic;

// The first byte chooses the limit; the others are the input.
void check(std::string_view data) {
  if (data.empty()) return;
  read_options reading{.decode = format,
                       .decode_threads = 1,
                       .max_size = data.front() % 2 == 0 ? std::uint64_t{1} << 20U : 100};
  data.remove_prefix(1);
  if (const decoder_info* const info = find_decoder(reading.decode);
      info != nullptr && !info->unavailable.empty())
    return;

  std::vector<test::read_outcome> found{test::read_blocks(memory(data), reading)};
  reading.decode_threads = 3;
  for (const test::kind_of_input* const kind : kinds_in_memory()) {
    kind->open({.bytes = data, .front = {}, .pieces = {1, 7, 64, 1000}},
               [&](const input& from, std::uint64_t) { found.push_back(test::read_blocks(from, reading)); });
  }
  const bool passed_on = reading.decode == decoding::automatic && found[0].bytes == data;
  for (const test::read_outcome& each : found) {
    if (!passed_on) check_one(each, data.size(), reading);
    check_same(found[0], each);
  }
}

}  // namespace
}  // namespace riffle::fuzz

extern "C" int LLVMFuzzerInitialize(int* /*count*/, char*** words) {
  std::string name = **words;
  name.erase(0, name.rfind("decode_") + 7);
  riffle::fuzz::format = riffle::decoding_named(name.substr(0, name.find("_fuzz"))).value();
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  riffle::fuzz::check({reinterpret_cast<const char*>(data), size});
  return 0;
}
