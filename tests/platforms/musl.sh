# Linux with musl, the C library of Alpine. An x86-64 machine runs its programs, which are static.
compile_by_zig
native=(riffle-slow-fs)
not_applicable 'zig does not take -fsyntax-only, by which these ask a compiler' '^(misuse|no_exceptions|no_rtti)[.]|^c[.]cpp17'
not_applicable 'libc++abi ends the program at the third exception that finds no memory' '^methods/each_(allocation|function)[.]'
not_applicable 'musl reads into two places by one call, which O_DIRECT refuses' '^methods/each_direct_descriptor[.].*/stdio$'
not_applicable 'musl has other texts of errors' '^a_bad_block[.]in_a_list|^riffle_split[.]leaves_whole_files_only_when_reading|^plan[.]names_those'
not_applicable 'the white space and the widths of musl are not those of glibc' '^count_text[.]counts_a_text_beside|/each_text_method[.]counts_the_same_with_any|^wc_width[.]is_never'
not_applicable 'musl and libc++ make other calls' '^calls[.]are_all_in_the_table|^a_new_file[.]is_whole'
not_applicable 'a file stream of libc++ goes back less far' '/each_istream_method[.]does_what'
not_applicable 'liburing is not compiled for it' '^a_refused_ring[.]'
not_applicable 'a child of a fork may wait for ever for a lock of the malloc of zig 0.17, also in a program without riffle' '^a_fork[.]while_threads'
not_applicable 'the shared library is not built' '^shared_library[.]'
not_applicable 'pages, package and hardening are tested with glibc' '^(docs|install)[.]'
