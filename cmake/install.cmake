# What `cmake --install` lays down: headers, both libraries, the tool, find_package and pkg-config files, documents.
include(CMakePackageConfigHelpers)

set(riffle_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/riffle)

install(DIRECTORY include/riffle TYPE INCLUDE FILES_MATCHING PATTERN "*.hpp")
install(TARGETS riffle-static riffle-shared EXPORT riffle-targets)
install(EXPORT riffle-targets FILE riffleTargets.cmake NAMESPACE riffle:: DESTINATION ${riffle_package_dir})
if(TARGET riffle-tool)
  install(TARGETS riffle-tool)
endif()
install(FILES LICENSE README.md CHANGELOG.md TYPE DOC)
install(DIRECTORY docs/ TYPE DOC FILES_MATCHING PATTERN "*.md")

configure_package_config_file(cmake/riffleConfig.cmake.in riffleConfig.cmake INSTALL_DESTINATION ${riffle_package_dir})
write_basic_package_version_file(riffleConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/riffleConfig.cmake ${PROJECT_BINARY_DIR}/riffleConfigVersion.cmake
  DESTINATION ${riffle_package_dir})

# The .pc file finds its prefix from where it lies, so that the installed tree can be moved.
cmake_path(SET riffle_pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
cmake_path(ABSOLUTE_PATH riffle_pc_dir BASE_DIRECTORY ${CMAKE_INSTALL_PREFIX} OUTPUT_VARIABLE riffle_pc_full_dir)
file(RELATIVE_PATH riffle_pc_to_prefix ${riffle_pc_full_dir} ${CMAKE_INSTALL_PREFIX})
set(riffle_pc_requires)
if(liburing_FOUND)
  set(riffle_pc_requires liburing)
endif()
configure_file(cmake/riffle.pc.in riffle.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/riffle.pc DESTINATION ${riffle_pc_dir})
