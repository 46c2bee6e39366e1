# Linux on a 32-bit x86 processor. Its programs run on x86-64: the loader and the libraries are those of the sysroot.
set(CMAKE_SYSTEM_PROCESSOR i686)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
set(CMAKE_LIBRARY_ARCHITECTURE i386-linux-gnu)
set(ENV{PKG_CONFIG_LIBDIR} "${RIFFLE_SYSROOT}/usr/lib/i386-linux-gnu/pkgconfig:${RIFFLE_SYSROOT}/usr/share/pkgconfig")
set(CMAKE_CROSSCOMPILING_EMULATOR env)
string(CONCAT CMAKE_EXE_LINKER_FLAGS_INIT "-Wl,--dynamic-linker,${RIFFLE_SYSROOT}/lib/ld-linux.so.2"
  " -Wl,--disable-new-dtags,-rpath,${RIFFLE_SYSROOT}/lib/i386-linux-gnu:${RIFFLE_SYSROOT}/usr/lib/i386-linux-gnu")
