# Linux on a 32-bit x86 processor. An x86-64 machine runs its programs without an emulator.
packages=(g++-i686-linux-gnu)
prepare() { debian_sysroot i386 zlib1g-dev libzstd-dev liblzma-dev libbz2-dev liblz4-dev; }
not_applicable 'the package is tested on x86-64, and here by the program that is built against it' '^install[.]consumer'
