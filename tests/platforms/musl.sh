# Linux with musl, the C library of Alpine. An x86-64 machine runs its programs, which are static.
compile_by_zig
native=(riffle-slow-fs)
not_applicable 'zig does not take -fsyntax-only, by which these ask a compiler' '^(misuse|no_exceptions|no_rtti)[.]'
not_applicable 'libc++abi ends the program at the third exception that finds no memory' '^methods/each_(allocation|function)[.]'
not_applicable 'musl reads into two places by one call, which O_DIRECT refuses' '^methods/each_direct_descriptor[.].*/stdio$'
not_applicable 'the shared library is not built' '^shared_library[.]'
not_applicable 'pages, package and hardening are tested with glibc' '^(docs|install)[.]'
