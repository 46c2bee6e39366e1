# 32-bit Linux on x86, which this processor runs itself: only its loader and libraries come from the sysroot.
set(CMAKE_SYSTEM_PROCESSOR i686)
set(triplet i686-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
