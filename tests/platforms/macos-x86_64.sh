# macOS on Intel processors.
compile_by_zig
compiles_only
