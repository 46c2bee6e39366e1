# 64-bit RISC-V Linux, by Debian's cross compiler and qemu's user mode. Debian 12 has no packages for it.
packages=(g++-riscv64-linux-gnu "${compiled_packages[@]}")
test_packages=(qemu-user "${compiled_test_packages[@]}")
emulator=(qemu-riscv64 -L /usr/riscv64-linux-gnu)
prepare() { compiled_sysroot; }
. tests/platforms/qemu
not_applicable 'qemu runs a handler without blocking the signals of its sa_mask' '^foreign_fault[.]a_former_handler_runs_with_the_signals'
