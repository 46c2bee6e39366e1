/// Makes the inputs and the options of C++ of those of C.
#include "c/input.hpp"

#include <riffle/dialect.hpp>
#include <riffle/methods.hpp>
#include <riffle/text_options.hpp>
#include <riffle/version.hpp>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace riffle::inline v0::c {

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
      .keep_cache = given_.keep_cache != 0,
      .decode = enumerator("decode", given_.decode, decoding::lz4,
                           "RIFFLE_DECODE_NONE (0) to RIFFLE_DECODE_LZ4 (7)"),
      .decode_threads = given_.decode_threads,
      .max_size = given_.max_size,
      .mapping = {.populate = given_.populate != 0,
                  .shared = given_.shared != 0,
                  .whole_file = given_.whole_file != 0,
                  .fault_guard = given_.fault_guard != 0},
  };
  if (given_.before_block == nullptr) return;
  options_.watch.progress = &bytes_;
  options_.watch.before_block = callback(*this);
}

template <>
riffle_callbacks defaults() {
  return {};
}

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

// Calls functions of the user's that hand out bytes in order.
class ordered_functions {
 public:
  explicit ordered_functions(const riffle_callbacks& given)
      : given_(given), name_(given.name == nullptr ? "object" : given.name) {}

  std::size_t read(std::span<char> into) const {
    std::size_t count = 0;
    require_zero(given_.read(given_.user, into.data(), into.size(), &count));
    return count;
  }
  const std::string& name() const noexcept { return name_; }

 protected:
  const riffle_callbacks& given() const noexcept { return given_; }

 private:
  riffle_callbacks given_;
  std::string name_;
};

// Calls the function of the user's that reads at any offset.
class offset_functions : private ordered_functions {
 public:
  using ordered_functions::name;
  using ordered_functions::ordered_functions;

  std::size_t read_at(std::uint64_t offset, std::span<char> into) const {
    std::size_t count = 0;
    require_zero(given().read_at(given().user, offset, into.data(), into.size(), &count));
    return count;
  }
  std::uint64_t size() const noexcept { return given().length; }
};

template <class Functions>
riffle_input* input_by(const riffle_callbacks& given) {
  auto object = std::make_shared<Functions>(given);
  Functions& functions = *object;
  return new riffle_input(input(functions), std::move(object));
}

}  // namespace

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

riffle_input* riffle_input_path(const char* path) {
  return c::made([&] {
    c::require(path != nullptr, "the path is NULL");
    return new riffle_input(input(path));
  });
}

riffle_input* riffle_input_descriptor(int descriptor) {
  return c::made([&] { return new riffle_input(input(descriptor)); });
}

riffle_input* riffle_input_file(FILE* file) {
  return c::made([&] {
    c::require(file != nullptr, "the FILE* is NULL");
    return new riffle_input(input(file));
  });
}

riffle_input* riffle_input_memory(const void* data, size_t size) {
  return c::made([&] {
    c::require(data != nullptr || size == 0, "the memory is NULL");
    return new riffle_input(input(memory(std::string_view(static_cast<const char*>(data), size))));
  });
}

riffle_input* riffle_input_callbacks(const riffle_callbacks* callbacks) {
  return c::made([&]() -> riffle_input* {
    const riffle_callbacks given = c::taken(callbacks);
    if (given.read_at != nullptr) return c::input_by<c::offset_functions>(given);
    c::require(given.read != nullptr, "the function `read` is NULL");
    return c::input_by<c::ordered_functions>(given);
  });
}

void riffle_input_close(riffle_input** input) {
  c::close(input);
}
