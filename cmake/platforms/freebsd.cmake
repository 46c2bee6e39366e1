# FreeBSD on x86-64.
set(CMAKE_SYSTEM_NAME FreeBSD)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(target x86_64-freebsd)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
