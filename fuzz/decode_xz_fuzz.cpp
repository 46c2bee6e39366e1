/// Bytes as xz decode to the same in each way, or to an error.
#include "fuzz/support/decode.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  riffle::fuzz::check(riffle::decoding::xz, {reinterpret_cast<const char*>(data), size});
  return 0;
}
