/// The paths that the build passes as definitions to this file alone.
#include "tests/support/shell.hpp"

namespace riffle::test {

const char* const build::tool = RIFFLE_TOOL_PATH;
const char* const build::examples = RIFFLE_EXAMPLES_DIR;
const char* const build::programs = RIFFLE_PROGRAMS_DIR;
const char* const build::slow_fs = RIFFLE_SLOW_FS_PATH;
const char* const build::compiler = RIFFLE_COMPILER;
const char* const build::sources = RIFFLE_SOURCE_DIR;
const char* const build::shared_library = RIFFLE_SHARED_PATH;
const bool build::instrumented = RIFFLE_INSTRUMENTED;

}  // namespace riffle::test
