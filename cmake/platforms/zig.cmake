# Compiles by zig, which brings the C and C++ libraries of its targets; the other libraries are in RIFFLE_SYSROOT. The
# file that includes this one sets CMAKE_SYSTEM_NAME, CMAKE_SYSTEM_PROCESSOR, and `target`, their name to zig.
set(platforms "${CMAKE_CURRENT_LIST_DIR}/../../tests/platforms")
# Without optimisation zig would make undefined behaviour a trap.
set(CMAKE_C_COMPILER "${platforms}/zig" cc -fno-sanitize=undefined)
set(CMAKE_CXX_COMPILER "${platforms}/zig" c++ -fno-sanitize=undefined)
# The first program that zig links for a target takes a minute, in which it compiles libc++: CMake's questions link none.
set(CMAKE_C_COMPILER_TARGET ${target})
set(CMAKE_CXX_COMPILER_TARGET ${target})
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(CMAKE_AR "${RIFFLE_SYSROOT}/bin/ar" CACHE FILEPATH "")
set(CMAKE_RANLIB "${RIFFLE_SYSROOT}/bin/ranlib" CACHE FILEPATH "")
include(${CMAKE_CURRENT_LIST_DIR}/compiled.cmake)
