# Windows, by Debian's mingw-w64 and Wine.
packages=(g++-mingw-w64-x86-64-posix "${compiled_packages[@]}")
test_packages=(wine wine64 "${compiled_test_packages[@]}")
emulator=(tests/platforms/wine)
not_applicable 'Wine grants any amount of memory' 'refuses_blocks_that_memory_cannot_hold'
not_applicable "Wine's C library reads no further where it met an end" '(file_that_grows|cut_after_its_last_block)/(stdio|iostream)'
not_applicable 'The C library of Windows cannot wait for a pipe that does not block' 'pipe_that_does_not_block/(stdio|iostream)'
not_applicable "Wine's C library reports no error of a stream that was opened for writing" 'opened_for_writing_is_refused'
not_applicable 'A view of Windows begins at a multiple of 64 KiB, so mmap reads more than a block' '^parallel_rows[.]leave_a_wrong_guess'
not_applicable 'Windows does not count how often a thread waits' '^an_object[.]that_makes_riffle_wait'

prepare() {
  compiled_sysroot
  [[ -z $no_tests ]] || return 0
  [[ -e build/sysroot/wine ]] || tests/platforms/wine wineboot --init
  # While a program waits for input, Wine's services stay up: then another one starts in 0.1 seconds instead of 2.
  [[ -n ${waiting:-} ]] || exec {waiting}> >(exec tests/platforms/wine cmd >/dev/null 2>&1)
}
