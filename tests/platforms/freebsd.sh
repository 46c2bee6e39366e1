# FreeBSD on x86-64, where nothing is linked.
compile_by_zig
compiles_only
targets=(riffle-static riffle-commands)
