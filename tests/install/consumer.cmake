# Installs the build tree BUILD_DIR, then builds and runs a project that uses what was installed: by find_package with
# the static and the shared library, and by pkg-config with both. Run as: cmake -D... -P consumer.cmake
cmake_minimum_required(VERSION 3.25)

set(prefix ${WORK_DIR}/prefix)
file(REMOVE_RECURSE ${WORK_DIR})
file(MAKE_DIRECTORY ${WORK_DIR})

function(run)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${WORK_DIR} COMMAND_ECHO STDOUT COMMAND_ERROR_IS_FATAL ANY)
endfunction()

function(pkg_config out)
  execute_process(COMMAND pkg-config ${ARGN} riffle OUTPUT_VARIABLE flags COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  set(${out} ${flags} PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${prefix})
# Moved, because nothing in an installed tree may know where it was built or first laid down.
file(RENAME ${prefix} ${WORK_DIR}/moved)
set(prefix ${WORK_DIR}/moved)

run(${CMAKE_COMMAND} -S ${SOURCE_DIR} -B found -G Ninja -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_CXX_FLAGS=${CXX_FLAGS}
  -DCMAKE_PREFIX_PATH=${prefix})
run(${CMAKE_COMMAND} --build found)
run(found/with-static)
run(found/with-shared)

file(GLOB_RECURSE pc_file ${prefix}/*/riffle.pc)
cmake_path(GET pc_file PARENT_PATH pc_dir)
set(ENV{PKG_CONFIG_PATH} ${pc_dir})
pkg_config(flags --cflags --libs)
pkg_config(library_dir --variable=libdir)
run(${CXX} -std=c++20 ${SOURCE_DIR}/main.cpp ${flags} -Wl,-rpath,${library_dir} -o by-pkg-config)
run(./by-pkg-config)
pkg_config(flags --static --cflags --libs)
list(TRANSFORM flags REPLACE "^-lriffle$" "-l:libriffle.a")
run(${CXX} -std=c++20 ${SOURCE_DIR}/main.cpp ${flags} -o by-pkg-config-static)
run(./by-pkg-config-static)

if(EXISTS ${BUILD_DIR}/riffle)
  run(${prefix}/bin/riffle --version)
endif()
