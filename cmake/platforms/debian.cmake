# Compiles for another kind of processor by Debian's cross compiler, against the packages in RIFFLE_SYSROOT. The file
# that includes this one sets CMAKE_SYSTEM_PROCESSOR, and `triplet`, the name of the platform to that compiler.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RIFFLE_SYSROOT)
set(CMAKE_SYSROOT "${RIFFLE_SYSROOT}")
set(CMAKE_CXX_COMPILER ${triplet}-g++)
set(CMAKE_LIBRARY_ARCHITECTURE ${triplet})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${RIFFLE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${RIFFLE_SYSROOT}/usr/lib/${triplet}/pkgconfig:${RIFFLE_SYSROOT}/usr/share/pkgconfig")
