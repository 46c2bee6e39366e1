# Windows, by Debian's mingw-w64 and Wine.
packages=(g++-mingw-w64-x86-64-posix wine wine64 googletest libhwy-dev libfmt-dev nlohmann-json3-dev libboost-dev)
emulator=(tests/platforms/wine)
not_applicable 'Wine grants any amount of memory' 'refuses_blocks_that_memory_cannot_hold'
not_applicable "Wine's C library reads no further where it met an end" 'file_that_grows/(stdio|iostream)'
not_applicable 'The C library of Windows cannot wait for a pipe that does not block' 'pipe_that_does_not_block/(stdio|iostream)'
not_applicable "Wine's C library reports no error of a stream that was opened for writing" 'opened_for_writing_is_refused'

# The headers are those of this machine, which hold for every platform; {fmt} and GoogleTest are compiled from what Debian has of their source.
prepare() {
  local sysroot=$PWD/build/sysroot/windows part
  local toolchain=(-DCMAKE_TOOLCHAIN_FILE="$PWD/cmake/platforms/windows.cmake" -DRIFFLE_SYSROOT="$sysroot" -DCMAKE_BUILD_TYPE=Release)
  [[ ! -e $sysroot/complete ]] || return 0
  mkdir -p "$sysroot"/{include,share/cmake,lib/cmake/hwy,lib/cmake/fmt}
  ln -sf /usr/include/{hwy,fmt,nlohmann,boost} "$sysroot/include/"
  cp -r /usr/share/cmake/nlohmann_json "$sysroot/share/cmake/"
  part='"${CMAKE_CURRENT_LIST_DIR}/../../../include"'
  echo "add_library(hwy::hwy INTERFACE IMPORTED)
target_include_directories(hwy::hwy INTERFACE $part)" >"$sysroot/lib/cmake/hwy/hwy-config.cmake"
  echo "add_library(fmt::fmt STATIC IMPORTED)
target_include_directories(fmt::fmt INTERFACE $part)
set_target_properties(fmt::fmt PROPERTIES IMPORTED_LOCATION \"\${CMAKE_CURRENT_LIST_DIR}/../../libfmt.a\")" \
    >"$sysroot/lib/cmake/fmt/fmt-config.cmake"
  x86_64-w64-mingw32-g++-posix -std=c++20 -O2 -c -I"$sysroot/include" cmake/fmt_source.cpp -o "$sysroot/fmt.o"
  x86_64-w64-mingw32-ar rcs "$sysroot/lib/libfmt.a" "$sysroot/fmt.o"
  cmake -S /usr/src/googletest -B "$sysroot/googletest" -G Ninja "${toolchain[@]}" \
    -DCMAKE_INSTALL_PREFIX="$sysroot" -DCMAKE_INSTALL_LIBDIR=lib
  cmake --build "$sysroot/googletest" --target install -j "$(nproc)"
  tests/platforms/wine wineboot --init
  touch "$sysroot/complete"
}
