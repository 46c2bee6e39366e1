# macOS on ARM processors.
compile_by_zig
compiles_only
