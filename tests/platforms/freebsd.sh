# FreeBSD on x86-64, where nothing is linked: zig 0.17 needed more than nine minutes for an empty program.
compile_by_zig
compiles_only
targets=(riffle-static riffle-commands)
