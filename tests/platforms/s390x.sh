# Linux on a big-endian machine, by Debian's cross compiler and qemu's user mode.
packages=(g++-s390x-linux-gnu)
test_packages=(qemu-user)
emulator=(qemu-s390x -L build/sysroot/s390x)
prepare() { debian_sysroot s390x; }
. tests/platforms/qemu
not_applicable 'qemu gives a wrong address for a page that is lost (si_addr), so the fault guard passes the signal on' \
  '^a_mapping_of_a_published_program[.]survives|^mapped_file[.](that_was_cut_does_not|on_a_full_disk)|^many_mappings[.]|^fault_guard[.]|^foreign_fault[.]|^window[.]truncation|^a_window[.](that_(was_)?lost|of_a_file_that_was_cut)|^a_mapped_file[.]that_shrank|^torture[.]short|^riffle_split[.]leaves_whole_files_only_when_reading|/each_cut[.]gives_few_zeros.*/0$|(nine_files_of_ten|that_ends_before_its_size|tells_that_(a_file_was_cut|it_was_shorter)).*/mmap$'
