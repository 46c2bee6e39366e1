# macOS on ARM processors. Its programs do not run on other systems.
compile_by_zig aarch64-macos
