# What the two processors of macOS have in common: without Apple's SDK there is nothing for CMake to look for.
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_OSX_SYSROOT "" CACHE STRING "")
set(CMAKE_INSTALL_NAME_TOOL true CACHE FILEPATH "")
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
