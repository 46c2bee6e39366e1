/// Makes the inputs of C.
#include "c/input.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "c/options.hpp"

namespace riffle::inline v0::c {

template <>
riffle_callbacks defaults() {
  return {};
}

namespace {

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
