# Compiles a wheel by zig, with the C library of its target, against the folder of make-sysroot.
# The cache entries RIFFLE_ZIG (the program), RIFFLE_TARGET (zig's name of the target) and RIFFLE_SYSROOT say what to use.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RIFFLE_ZIG RIFFLE_TARGET RIFFLE_SYSROOT)
set(CMAKE_C_COMPILER ${RIFFLE_ZIG} cc -target ${RIFFLE_TARGET})
set(CMAKE_CXX_COMPILER ${RIFFLE_ZIG} c++ -target ${RIFFLE_TARGET})

# Only -I comes before zig's own headers. zig sanitizes what it compiles, unless it is told not to.
set(CMAKE_C_FLAGS_INIT "-fno-sanitize=all")
set(CMAKE_CXX_FLAGS_INIT "-fno-sanitize=all -I${RIFFLE_SYSROOT}/include")

# nanobind's backend shares exceptions with its modules, so both need one libstdc++. A module for musl holds zig's libc++,
# which does not include cstdio for nanobind, as libstdc++ does.
if(RIFFLE_TARGET MATCHES "musl")
  string(APPEND CMAKE_CXX_FLAGS_INIT " -include cstdio")
else()
  string(APPEND CMAKE_CXX_FLAGS_INIT " -nostdinc++ -I${RIFFLE_SYSROOT}/newer -I${RIFFLE_SYSROOT}/c++ -I${RIFFLE_SYSROOT}/c++-config")
  set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-nostdlib++")
  foreach(file libstdc++.o libgcc_s.o libstdc++-newer.a single_threaded.o)
    string(APPEND CMAKE_CXX_STANDARD_LIBRARIES_INIT " ${RIFFLE_SYSROOT}/lib/${file}")
  endforeach()
endif()

list(PREPEND CMAKE_PREFIX_PATH ${RIFFLE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${RIFFLE_SYSROOT}/lib/pkgconfig)
