# 64-bit ARM Linux, by Debian's cross compiler and qemu's user mode.
packages=(g++-aarch64-linux-gnu)
test_packages=(qemu-user)
emulator=(qemu-aarch64 -L build/sysroot/aarch64)
# The others are for the static tool and the wheel of Python.
prepare() { debian_sysroot arm64 libisal-dev zlib1g-dev libzstd-dev liblzma-dev libbz2-dev liblz4-dev python3; }
. tests/platforms/qemu
