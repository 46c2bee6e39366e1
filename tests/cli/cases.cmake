# Read by ctest whenever it starts: each title of a file of cases is a test, so that an edit of a case builds nothing.
# The build writes who includes this, with `seconds`, `tool` and `instrumented`.
file(GLOB_RECURSE files "${CMAKE_CURRENT_LIST_DIR}/*.rows")
foreach(file IN LISTS files)
  cmake_path(GET file STEM suite)
  file(STRINGS "${file}" titles REGEX "^== ")
  foreach(title IN LISTS titles)
    string(SUBSTRING "${title}" 3 -1 title)
    string(REPLACE " " "_" name "${suite}.${title}")
    add_test("${name}" "${CMAKE_CURRENT_LIST_DIR}/cases.pl" "${file}" "${title}")
    set_tests_properties("${name}" PROPERTIES TIMEOUT ${seconds} SKIP_RETURN_CODE 77
      ENVIRONMENT "riffle=${tool};instrumented=${instrumented};seconds=${seconds}")
  endforeach()
endforeach()
