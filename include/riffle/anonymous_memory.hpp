/// Offers memory of the OS kernel as the upstream of a `std::pmr` pool.
#pragma once

#include <riffle/export.hpp>

#include <cstddef>
#include <memory_resource>

namespace riffle::inline v0 {

/// Says how `anonymous_memory` is mapped. Use designated initialisers: `{.huge_pages = true}`.
struct anonymous_options {
  /// Ask the OS kernel for huge pages (MADV_HUGEPAGE), which save address translation in large pools.
  bool huge_pages = false;
};

/// Allocates memory by mappings: each allocation is a mapping of its own, rounded up to whole pages and
/// filled with zeros. Each deallocation returns the mapping to the OS kernel at once. A system call for each
/// small object is slow, so put a `std::pmr` pool on top.
///
/// Returns memory of any alignment. Throws `std::bad_alloc` if the OS kernel refuses. Lifetime: the memory
/// stays valid until it is deallocated, by this object or by any other of this type. Thread safety: any
/// number of threads may use one object.
class RIFFLE_API anonymous_memory : public std::pmr::memory_resource {
 public:
  /// Allocates with the default options.
  anonymous_memory() noexcept = default;
  /// Allocates as `options` say.
  explicit anonymous_memory(const anonymous_options& options) noexcept : options_(options) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override;

  anonymous_options options_;
};

}  // namespace riffle::inline v0
