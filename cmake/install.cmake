# What `cmake --install` lays down, by component: riffle_Runtime (the shared library), riffle_Development (headers, the
# static library, find_package and pkg-config files), riffle_Tool, riffle_Documentation.
include(CMakePackageConfigHelpers)

set(riffle_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/riffle)

install(FILES include/riffle.h TYPE INCLUDE COMPONENT riffle_Development)
install(DIRECTORY include/riffle TYPE INCLUDE COMPONENT riffle_Development FILES_MATCHING PATTERN "*.hpp")
# One file of targets for each library, so that one is found where the other, or what the other needs, is missing.
foreach(kind static shared)
  string(TOUPPER RIFFLE_${kind} wanted)
  if(${wanted})
    install(TARGETS riffle-${kind} EXPORT riffle-${kind}-targets
      ARCHIVE COMPONENT riffle_Development
      LIBRARY COMPONENT riffle_Runtime NAMELINK_COMPONENT riffle_Development
      RUNTIME COMPONENT riffle_Runtime)
    install(EXPORT riffle-${kind}-targets NAMESPACE riffle:: DESTINATION ${riffle_package_dir} COMPONENT riffle_Development)
  endif()
endforeach()
if(TARGET riffle-tool)
  install(TARGETS riffle-tool COMPONENT riffle_Tool)
  if(RIFFLE_WC_LINK)
    file(CREATE_LINK riffle ${PROJECT_BINARY_DIR}/wc SYMBOLIC)
    install(PROGRAMS ${PROJECT_BINARY_DIR}/wc TYPE BIN COMPONENT riffle_Tool)
  endif()
  include(cmake/manual.cmake)
endif()
# The folders keep their names, so that the links between the pages lead to the same files as in the source tree.
# The results of machines stay in the source tree: a page has what is in them.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md RELEASING.md CODE_OF_CONDUCT.md TYPE DOC COMPONENT riffle_Documentation)
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT riffle_Documentation FILES_MATCHING PATTERN "*.md" PATTERN "*.png" PATTERN "results" EXCLUDE)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT riffle_Documentation
  FILES_MATCHING PATTERN "*.cpp" PATTERN "*.c")

set(riffle_default static)
if(BUILD_SHARED_LIBS)
  set(riffle_default shared)
endif()
configure_package_config_file(cmake/riffleConfig.cmake.in riffleConfig.cmake INSTALL_DESTINATION ${riffle_package_dir})
write_basic_package_version_file(riffleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/riffleConfig.cmake ${PROJECT_BINARY_DIR}/riffleConfigVersion.cmake
  DESTINATION ${riffle_package_dir} COMPONENT riffle_Development)

# The .pc file finds its prefix from where it lies, so that the installed tree can be moved; not so if the directories are
# absolute, which says that they stay.
cmake_path(SET riffle_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
if(IS_ABSOLUTE ${CMAKE_INSTALL_LIBDIR})
  set(riffle_pc_prefix ${CMAKE_INSTALL_PREFIX})
else()
  cmake_path(ABSOLUTE_PATH riffle_pc_dir BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE riffle_pc_full_dir)
  file(RELATIVE_PATH riffle_pc_prefix ${riffle_pc_full_dir} ${CMAKE_INSTALL_PREFIX})
  set(riffle_pc_prefix "\${pcfiledir}/${riffle_pc_prefix}")
endif()
foreach(kind LIB INCLUDE)
  set(riffle_pc_${kind}DIR ${CMAKE_INSTALL_${kind}DIR})
  if(NOT IS_ABSOLUTE ${CMAKE_INSTALL_${kind}DIR})
    string(PREPEND riffle_pc_${kind}DIR "\${prefix}/")
  endif()
endforeach()
# BUILD_SHARED_LIBS decides here too. What the static library needs is written as flags and not as Requires.private, for
# which pkg-config would want liburing.pc even of those who link the shared library.
set(riffle_pc_static_needs ${liburing_LDFLAGS})
list(TRANSFORM riffle_decoder_libraries PREPEND -l OUTPUT_VARIABLE decoder_flags)
list(APPEND riffle_pc_static_needs ${decoder_flags})
if(WIN32)
  list(APPEND riffle_pc_static_needs -lntdll)
endif()
list(REMOVE_ITEM riffle_pc_static_needs -L/usr/lib -L/usr/lib64 -L/usr/lib/${CMAKE_LIBRARY_ARCHITECTURE})
list(APPEND riffle_pc_static_needs -pthread)
foreach(library stdc++ c++)  # for programs in C, which `cc` links
  if(library IN_LIST CMAKE_CXX_IMPLICIT_LINK_LIBRARIES)
    list(APPEND riffle_pc_static_needs -l${library})
  endif()
endforeach()
list(JOIN riffle_pc_static_needs " " riffle_pc_static_needs)
if(BUILD_SHARED_LIBS)
  set(riffle_pc_libs "-lriffle")
  set(riffle_pc_libs_private ${riffle_pc_static_needs})
else()
  # By its file name, as -lriffle means the shared library if both are installed.
  set(riffle_pc_libs "-l:libriffle.a ${riffle_pc_static_needs}")
  set(riffle_pc_libs_private)
endif()
configure_file(cmake/riffle.pc.in riffle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/riffle.pc DESTINATION ${riffle_pc_dir} COMPONENT riffle_Development)
