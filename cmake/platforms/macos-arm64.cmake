# macOS on ARM processors.
set(CMAKE_SYSTEM_PROCESSOR arm64)
set(target aarch64-macos)
include(${CMAKE_CURRENT_LIST_DIR}/macos.cmake)
