# FreeBSD on x86-64. Its programs do not run on other systems, and are not linked.
compile_by_zig x86_64-freebsd
targets=(riffle-static riffle-commands)
