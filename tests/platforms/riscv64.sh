# 64-bit RISC-V Linux. Debian 12 has its cross compiler alone; the packages are those of Debian 13.
packages=(g++-riscv64-linux-gnu qemu-user)
emulator=(qemu-riscv64 -L build/sysroot/riscv64)
prepare() { debian_sysroot riscv64 trixie; }
. tests/platforms/qemu
