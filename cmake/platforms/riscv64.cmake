# 64-bit RISC-V Linux, by Debian's cross compiler with its own C and C++ libraries; RIFFLE_SYSROOT has the others.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR riscv64)
set(triplet riscv64-linux-gnu)
set(CMAKE_C_COMPILER ${triplet}-gcc)
set(CMAKE_CXX_COMPILER ${triplet}-g++)
include(${CMAKE_CURRENT_LIST_DIR}/compiled.cmake)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-riscv64 -L /usr/${triplet})
