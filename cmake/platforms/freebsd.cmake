# FreeBSD on x86-64. Nothing is linked: zig 0.17 needed more than nine minutes for an empty program.
set(CMAKE_SYSTEM_NAME FreeBSD)
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
set(target x86_64-freebsd)
include(${CMAKE_CURRENT_LIST_DIR}/zig.cmake)
