# What platforms have in common whose libraries are compiled into RIFFLE_SYSROOT: nothing is looked for elsewhere but in
# the folder of `triplet`, if it is set.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RIFFLE_SYSROOT)
set(CMAKE_FIND_ROOT_PATH "${RIFFLE_SYSROOT}")
if(triplet)
  list(APPEND CMAKE_FIND_ROOT_PATH /usr/${triplet})
endif()
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
foreach(kind LIBRARY INCLUDE PACKAGE)
  set(CMAKE_FIND_ROOT_PATH_MODE_${kind} ONLY)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} "${RIFFLE_SYSROOT}/lib/pkgconfig")
