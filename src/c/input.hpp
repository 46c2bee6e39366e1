/// Holds an input of C, and the object that calls functions of the user's.
#pragma once

#include <riffle.h>
#include <riffle/input.hpp>

#include <memory>
#include <utility>

#include "c/guarded.hpp"

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
