# What the compilers and linkers of Windows need to be told.
include(CheckCXXCompilerFlag)

# The stack of a thread is aligned to 16 bytes there, but g++ takes it for aligned when it stores a vector of 32 (GCC bug
# 54412). Debian's g++ has a patch. The assembler of others makes every such store one that needs no alignment.
check_cxx_compiler_flag(-Wa,-muse-unaligned-vector-move has_unaligned_vector_move)
if(has_unaligned_vector_move)
  add_compile_options(-Wa,-muse-unaligned-vector-move)
endif()
