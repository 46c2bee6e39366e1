# macOS on Intel processors. Its programs do not run on other systems.
compile_by_zig x86_64-macos
