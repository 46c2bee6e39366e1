/// Memory straight from the kernel, as the ground that a std::pmr pool stands on.
#ifndef RIFFLE_ANONYMOUS_MEMORY_HPP
#define RIFFLE_ANONYMOUS_MEMORY_HPP

#include <riffle/export.hpp>

#include <cstddef>
#include <memory_resource>

namespace riffle::inline v0 {

/// How anonymous memory is mapped; fill in with designated initialisers.
struct anonymous_options {
  /// Ask for huge pages, which save address translation in large pools.
  bool huge_pages = false;
  /// Take the memory now instead of page by page when it is touched.
  bool populate = false;
  /// Keep it common to this process and the children it forks.
  bool shared = false;
};

/// Upstream of a std::pmr pool: every allocation is a mapping of its own,
/// rounded up to pages and filled with zeros; every deallocation gives it
/// back to the kernel at once. Too slow for small objects; put a pool on it.
///
/// Any alignment is honoured. When memory is not to be had it throws std::bad_alloc. It keeps no account, so
/// it may be used by several threads at once, and any object of this type can free what another allocated.
class RIFFLE_API anonymous_memory : public std::pmr::memory_resource {
 public:
  anonymous_memory() noexcept = default;
  explicit anonymous_memory(const anonymous_options& options) noexcept : options_(options) {}

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void* memory, std::size_t bytes, std::size_t alignment) override;
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override;

  anonymous_options options_;
};

}  // namespace riffle::inline v0

#endif
