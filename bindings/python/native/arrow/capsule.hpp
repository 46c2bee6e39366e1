/// Offers the capsules in which Python hands on the structs of Arrow.
#ifndef RIFFLE_PYTHON_CAPSULE_HPP
#define RIFFLE_PYTHON_CAPSULE_HPP

#include <nanobind/nanobind.h>

#include <memory>

namespace riffle::python::arrow {

/// Destroys a struct of Arrow, unless a consumer has moved it out, which sets its `release` to null.
template <class Struct>
struct released {
  void operator()(Struct* owned) const noexcept {
    if (owned->release != nullptr) owned->release(owned);
    delete owned;
  }
};

/// Returns a capsule with the struct that `fill` writes. Its name says of which type it is.
template <class Struct, class Fill>
nanobind::capsule capsule_of(const char* name, Fill fill) {
  std::unique_ptr<Struct, released<Struct>> made(new Struct{});
  fill(*made);
  return {made.release(), name, [](void* held) noexcept { released<Struct>()(static_cast<Struct*>(held)); }};
}

}  // namespace riffle::python::arrow

#endif
