# macOS on Intel processors.
set(CMAKE_SYSTEM_PROCESSOR x86_64)
set(target x86_64-macos)
include(${CMAKE_CURRENT_LIST_DIR}/macos.cmake)
