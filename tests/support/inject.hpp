/// System calls that fail on demand, so that every failure can be met at every place.
#ifndef RIFFLE_TESTS_SUPPORT_INJECT_HPP
#define RIFFLE_TESTS_SUPPORT_INJECT_HPP

#include <cstddef>

namespace riffle::test {

/// The calls that can be made to fail. `read` stands for pread(2) too.
enum class call { none, read, mmap, madvise, fstat };

/// While it lives, the armed call misbehaves, in this thread only; all others are as ever.
class injection {
 public:
  struct plan {
    call which = call::none;
    int code = 0;                ///< the errno of a failing call; 0: calls do not fail
    std::size_t at = 0;          ///< the call that fails, counted from 1; 0: every `every`-th
    std::size_t every = 0;       ///< 0: just the one
    bool from_there_on = false;  ///< all after it fail too
    std::size_t longest = 0;     ///< the most bytes a read gives; 0: no limit
  };
  explicit injection(const plan& wanted);
  ~injection();
  injection(const injection&) = delete;
  injection& operator=(const injection&) = delete;
  /// How many armed calls there were.
  std::size_t calls() const;
};

}  // namespace riffle::test

#endif
