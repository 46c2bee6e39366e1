# Man pages and completions, which the built tool prints from its table of commands. Included by install.cmake; run by the
# build as: cmake -DTOOL=... -DINTO=... -P manual.cmake
if(CMAKE_SCRIPT_MODE_FILE)
  function(generate file)
    execute_process(COMMAND ${EMULATOR} ${TOOL} --generate ${ARGN} OUTPUT_FILE ${INTO}/${file} COMMAND_ERROR_IS_FATAL ANY)
  endfunction()

  file(REMOVE_RECURSE ${INTO})
  file(MAKE_DIRECTORY ${INTO}/man1 ${INTO}/bash-completion/completions ${INTO}/zsh/site-functions
    ${INTO}/fish/vendor_completions.d)
  generate(bash-completion/completions/riffle bash)
  generate(zsh/site-functions/_riffle zsh)
  generate(fish/vendor_completions.d/riffle.fish fish)
  generate(man1/riffle.1 man)
  generate(commands commands)
  file(STRINGS ${INTO}/commands commands)
  foreach(command ${commands})
    string(REPLACE " " "-" page ${command})
    string(REPLACE " " ";" words ${command})
    generate(man1/riffle-${page}.1 man ${words})
  endforeach()
  return()
endif()

if(CMAKE_CROSSCOMPILING AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "riffle: no man pages and completions, as CMAKE_CROSSCOMPILING_EMULATOR is not set")
  return()
endif()
set(manual ${PROJECT_BINARY_DIR}/manual)
add_custom_command(OUTPUT ${manual}/commands
  COMMAND ${CMAKE_COMMAND} "-DEMULATOR=${CMAKE_CROSSCOMPILING_EMULATOR}" -DTOOL=$<TARGET_FILE:riffle-tool>
    -DINTO=${manual} -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS riffle-tool ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Writing man pages and completions" VERBATIM)
add_custom_target(riffle-manual ALL DEPENDS ${manual}/commands)
install(DIRECTORY ${manual}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR} COMPONENT riffle_Tool)
foreach(shell bash-completion zsh fish)
  install(DIRECTORY ${manual}/${shell} DESTINATION ${CMAKE_INSTALL_DATADIR} COMPONENT riffle_Tool)
endforeach()
if(RIFFLE_WC_LINK)
  file(WRITE ${PROJECT_BINARY_DIR}/wc.1 ".so man1/riffle-wc.1\n")
  install(FILES ${PROJECT_BINARY_DIR}/wc.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT riffle_Tool)
endif()
