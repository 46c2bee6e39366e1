# Linux on a big-endian machine, by Debian's cross compiler and qemu's user mode.
packages=(g++-s390x-linux-gnu qemu-user)
emulator=(qemu-s390x -L build/sysroot/s390x)
prepare() { debian_sysroot s390x; }
. tests/platforms/qemu
