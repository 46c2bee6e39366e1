/// Makes the options of C++ of those of C.
#include "c/options.hpp"

#include <riffle/dialect.hpp>
#include <riffle/methods.hpp>
#include <riffle/text_options.hpp>
#include <riffle/version.hpp>

namespace riffle::inline v0::c {

namespace {

static_assert(static_cast<int>(method::automatic) == RIFFLE_METHOD_AUTOMATIC &&
              static_cast<int>(method::read) == RIFFLE_METHOD_READ &&
              static_cast<int>(method::stdio) == RIFFLE_METHOD_STDIO &&
              static_cast<int>(method::iostream) == RIFFLE_METHOD_IOSTREAM &&
              static_cast<int>(method::mmap) == RIFFLE_METHOD_MMAP &&
              static_cast<int>(method::uring) == RIFFLE_METHOD_URING &&
              static_cast<int>(method::direct) == RIFFLE_METHOD_DIRECT);
static_assert(static_cast<int>(decoding::none) == RIFFLE_DECODE_NONE &&
              static_cast<int>(decoding::automatic) == RIFFLE_DECODE_AUTOMATIC &&
              static_cast<int>(decoding::gzip) == RIFFLE_DECODE_GZIP &&
              static_cast<int>(decoding::zlib) == RIFFLE_DECODE_ZLIB &&
              static_cast<int>(decoding::zstd) == RIFFLE_DECODE_ZSTD &&
              static_cast<int>(decoding::xz) == RIFFLE_DECODE_XZ &&
              static_cast<int>(decoding::bzip2) == RIFFLE_DECODE_BZIP2 &&
              static_cast<int>(decoding::lz4) == RIFFLE_DECODE_LZ4);

}  // namespace

template <>
riffle_read_options defaults() {
  const read_options of;
  riffle_read_options to{};
  to.size = sizeof to;
  to.max_size = of.max_size;
  to.populate = to.keep_cache = to.fault_guard = 1;
  return to;
}

reading::reading(const riffle_read_options* options) : given_(taken(options)) {
  options_ = {
      .method = enumerator("method", given_.method, method::direct,
                           "RIFFLE_METHOD_AUTOMATIC (0) to RIFFLE_METHOD_DIRECT (6)"),
      .block_size = given_.block_size,
      .queue_depth = given_.queue_depth,
      .sequential = given_.sequential != 0,
      .will_need = given_.will_need != 0,
      .populate = given_.populate != 0,
      .shared = given_.shared != 0,
      .whole_file = given_.whole_file != 0,
      .keep_cache = given_.keep_cache != 0,
      .fault_guard = given_.fault_guard != 0,
      .decode = enumerator("decode", given_.decode, decoding::lz4,
                           "RIFFLE_DECODE_NONE (0) to RIFFLE_DECODE_LZ4 (7)"),
      .decode_threads = given_.decode_threads,
      .max_size = given_.max_size,
  };
  if (given_.before_block == nullptr) return;
  options_.progress = &bytes_;
  options_.before_block = callback(*this);
}

}  // namespace riffle::inline v0::c

using namespace riffle;

void riffle_read_options_init(riffle_read_options* options, size_t size) {
  c::init(options, size, c::defaults<riffle_read_options>());
}

const char* riffle_version() {
  return version().data();
}

const char* riffle_method_name(int32_t number) {
  if (number < 0 || number > static_cast<int32_t>(method::direct)) return nullptr;
  return name_of(static_cast<method>(number)).data();
}
