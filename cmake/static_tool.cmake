# Sets RIFFLE_STATIC_LINKS if the tool can be linked statically, and riffle_fmt to {fmt} as the tool links it: compiled
# once, as a header-only {fmt} costs some CPU seconds in each file that formats.
if(NOT TARGET fmt::fmt)
  find_package(fmt REQUIRED)
endif()
set(riffle_fmt fmt::fmt)

# The dynamic linker would take longer than counting a small file.
if(RIFFLE_STATIC_TOOL)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_FLAGS -static)
  set(CMAKE_REQUIRED_LIBRARIES ${liburing_LDFLAGS})
  check_cxx_source_compiles("#include <iostream>\nint main() { std::cout << 1; }" RIFFLE_STATIC_LINKS)
  unset(CMAKE_REQUIRED_FLAGS)
  unset(CMAKE_REQUIRED_LIBRARIES)
endif()

# Debian has {fmt} as a shared library and headers alone.
get_target_property(riffle_fmt_type fmt::fmt TYPE)
if(RIFFLE_STATIC_LINKS AND riffle_fmt_type STREQUAL "SHARED_LIBRARY")
  if(fmt_VERSION VERSION_LESS 12)
    add_library(riffle-fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt_source.cpp)
    target_include_directories(riffle-fmt SYSTEM PUBLIC $<TARGET_PROPERTY:fmt::fmt,INTERFACE_INCLUDE_DIRECTORIES>)
    set(riffle_fmt riffle-fmt)
  else()
    set(riffle_fmt fmt::fmt-header-only)
  endif()
endif()
