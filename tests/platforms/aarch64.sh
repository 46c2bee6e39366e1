# 64-bit ARM Linux, by Debian's cross compiler and qemu's user mode.
packages=(g++-aarch64-linux-gnu)
test_packages=(qemu-user)
emulator=(qemu-aarch64 -L build/sysroot/aarch64)
prepare() { debian_sysroot arm64; }
. tests/platforms/qemu
