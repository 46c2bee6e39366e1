/// Holds an input of C, and takes structs of options of every size that a program may have been compiled
/// with.
#pragma once

#include <riffle.h>
#include <riffle/input.hpp>
#include <riffle/options.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <utility>

#include "c/guarded.hpp"

namespace riffle::inline v0::c {

/// Returns the defaults of a struct.
template <class T>
T defaults();

/// Writes the first `size` bytes of `of` to a struct of a program: fewer than it has, or zeros after it.
template <class T>
void init(T* options, std::size_t size, T of) noexcept {
  if (options == nullptr || size < sizeof size) return;
  of.size = size;
  std::memset(static_cast<void*>(options), 0, size);
  std::memcpy(static_cast<void*>(options), &of, std::min(size, sizeof of));
}

/// Returns the options of a struct: the defaults if it is null, and of members that a smaller one lacks.
/// Throws `refusal` if it sets what this library does not know.
template <class T>
T taken(const T* given) {
  T own = defaults<T>();
  if (given == nullptr) return own;
  constexpr std::size_t most = 4096;  // a size beyond was never set
  const std::size_t size = given->size;
  require(size >= sizeof size && size <= most && size % alignof(T) == 0,
          "the size of a struct is wrong; call its init function");
  const char* const bytes = static_cast<const char*>(static_cast<const void*>(given));
  if (size > sizeof own) {
    require(std::all_of(bytes + sizeof own, bytes + size, [](char byte) { return byte == 0; }),
            "a struct sets a member that this version of riffle lacks");
  }
  std::memcpy(&own, bytes, std::min(size, sizeof own));
  return own;
}

/// Returns the value of an enumeration whose last one is `last`. Throws `refusal` if the number of the member
/// `name` is none; `allowed` names them.
template <class Enum>
Enum enumerator(const char* name, std::int32_t number, Enum last, const char* allowed) {
  if (number < 0 || number > static_cast<std::int32_t>(last)) throw refusal{name, number, allowed};
  return static_cast<Enum>(number);
}

/// Returns the byte that the member `name` has as a number; none for -1.
inline std::optional<char> optional_byte(const char* name, std::int32_t number) {
  if (number < -1 || number > 255) throw refusal{name, number, "a byte, 0 to 255, or -1 for none"};
  if (number == -1) return std::nullopt;
  return static_cast<char>(static_cast<unsigned char>(number));
}

/// Holds the options of a reading, and what they refer to.
class reading {
 public:
  explicit reading(const riffle_read_options* options);
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;
  /// Returns them. Valid as long as this object.
  const read_options& get() const noexcept { return options_; }
  /// Calls the function of the user's.
  void operator()() {
    require_zero(given_.before_block(given_.user, bytes_.load(std::memory_order_relaxed)));
  }

 private:
  riffle_read_options given_;
  std::atomic<std::uint64_t> bytes_ = 0;
  read_options options_;
};

}  // namespace riffle::inline v0::c

/// Is the handle of riffle.h. A copy shares what the input borrows of the first.
struct riffle_input {
  explicit riffle_input(riffle::input made, std::shared_ptr<void> borrowed = {})
      : from(std::move(made)), object(std::move(borrowed)) {}

  riffle::input from;
  std::shared_ptr<void> object;  // null: `from` borrows nothing of this library
};

namespace riffle::inline v0::c {

/// Returns an input. Throws `refusal` if there is none.
inline const riffle_input& required(const riffle_input* input) {
  require(input != nullptr, "the input is NULL");
  return *input;
}

}  // namespace riffle::inline v0::c
