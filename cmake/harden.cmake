# Limits what a memory fault in riffle, or in what it is linked with, can be used for.
include(CheckCXXCompilerFlag)

foreach(flag -fstack-protector-strong -fstack-clash-protection -fcf-protection)
  string(MAKE_C_IDENTIFIER "has${flag}" known)
  check_cxx_compiler_flag("${flag} -Werror" ${known})
  if(${known})
    add_compile_options(${flag})
  endif()
endforeach()
# The C library checks sizes only in optimised code. A compiler may define it already.
add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE> $<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=2>)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_link_options(LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)
