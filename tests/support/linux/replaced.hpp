/// How tests stand between the program and functions of the C library, by glibc and by musl.
#pragma once

#include <pthread.h>

#include <cstddef>

// A sanitizer has a pthread_create and an allocator of its own.
#if defined(__has_feature)
#define RIFFLE_SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RIFFLE_SANITIZED 1
#else
#define RIFFLE_SANITIZED 0
#endif

namespace riffle::test::allocations {
// Whether this thread is in the allocator, whose own mmap(2) must not fail. That of zig's musl calls the
// function of the C library.
extern constinit thread_local bool active;
}  // namespace riffle::test::allocations

// RIFFLE_REPLACEMENT: what the test program calls its own function of the allocator, and RIFFLE_ORIGINAL:
// what the C library's is called then.
#ifdef __GLIBC__

#include <dlfcn.h>

#define RIFFLE_REPLACEMENT(name) name
#define RIFFLE_ORIGINAL(name) __libc_##name
inline auto original_pthread_create() {
  return reinterpret_cast<decltype(&pthread_create)>(dlsym(RTLD_NEXT, "pthread_create"));
}

#else

// musl is linked statically, and the linker has been told --wrap for the allocator. The headers of musl
// declare no function noexcept.
#define __THROW
#define RIFFLE_REPLACEMENT(name) __wrap_##name
#define RIFFLE_ORIGINAL(name) __real_##name
extern "C" decltype(pthread_create) __pthread_create;
inline auto original_pthread_create() {
  return &__pthread_create;
}

#endif
