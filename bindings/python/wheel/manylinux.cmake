# Compiles the wheel with zig's C library, glibc 2.28, and Debian's libstdc++, from the folder of make-sysroot.
# The cache entries RIFFLE_ZIG (the program) and RIFFLE_SYSROOT (the folder) say where both are.
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RIFFLE_ZIG RIFFLE_SYSROOT)
set(CMAKE_CXX_COMPILER ${RIFFLE_ZIG} c++ -target ${CMAKE_HOST_SYSTEM_PROCESSOR}-linux-gnu.2.28)

# nanobind's backend shares exceptions with its modules, so both need one libstdc++; zig would take libc++. Only -I
# comes before zig's own headers. zig sanitizes what it compiles, unless it is told not to.
set(CMAKE_CXX_FLAGS_INIT "-fno-sanitize=all -nostdinc++ -I${RIFFLE_SYSROOT}/include -I${RIFFLE_SYSROOT}/c++ -I${RIFFLE_SYSROOT}/c++-config")
set(CMAKE_CXX_STANDARD_LIBRARIES_INIT "-nostdlib++")
foreach(file libstdc++.o libgcc_s.o libstdc++-newer.a libgcc.a single_threaded.o)
  string(APPEND CMAKE_CXX_STANDARD_LIBRARIES_INIT " ${RIFFLE_SYSROOT}/lib/${file}")
endforeach()

list(PREPEND CMAKE_PREFIX_PATH ${RIFFLE_SYSROOT})
set(ENV{PKG_CONFIG_LIBDIR} ${RIFFLE_SYSROOT}/lib/pkgconfig)
