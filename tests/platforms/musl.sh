# Linux with musl, the C library of Alpine. An x86-64 machine runs its programs, which are static.
compile_by_zig
