# Compiles for another kind of processor by Debian's cross compiler, against the packages in RIFFLE_SYSROOT. The file
# that includes this one sets CMAKE_SYSTEM_PROCESSOR, by the name that the compiler and qemu have for it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RIFFLE_SYSROOT)
set(triplet ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu)
set(CMAKE_SYSROOT "${RIFFLE_SYSROOT}")
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${RIFFLE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${RIFFLE_SYSROOT}/usr/lib/${triplet}/pkgconfig:${RIFFLE_SYSROOT}/usr/share/pkgconfig")
# What starts a test, as the machine cannot run its program.
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-${CMAKE_SYSTEM_PROCESSOR} -L "${RIFFLE_SYSROOT}")
