/// The tool itself, as data like its commands.
#include "cli/commands.hpp"
#include "cli/generate/generate.hpp"

namespace riffle::cli {

namespace {

constexpr std::array options{
    option{.name = "version", .short_form = 'V', .help = "Print the version and exit"},
    option{.name = "generate",
           .argument = "FORM",
           .help =
               "Print the man page of the tool or of the COMMAND after FORM, the completion of a shell, or "
               "the names of the commands, and exit",
           .words = form_names}};

constexpr std::array statuses{
    definition{"0", "success"}, definition{"1", "an input or the output failed"},
    definition{"2", "the command line is wrong, or RIFFLE_KERNEL names no SIMD kernel of this processor"},
    definition{"130, 143, 129",
               "SIGINT (Ctrl-C), SIGTERM or SIGHUP ended riffle; the status is the shell's"}};

constexpr std::array variables{
    definition{"RIFFLE_KERNEL",
               "the SIMD kernel to use: one that riffle methods lists; default: the best one"},
    definition{"TERM", "if it is dumb, riffle shows no progress and prints without colour"},
    definition{"POSIXLY_CORRECT", "if it is set, the first file ends the options"}};

}  // namespace

constexpr command tool_command{
    .name = "",
    .summary = "Count, sum, copy and split files, by the reading method that riffle picks",
    .options = options,
    .notes = "Options and examples of a command: riffle wc --help",
    .examples =
        "  riffle wc access.log\n"
        "  riffle --generate man bench reproduce | man -l -\n"
        "  source <(riffle --generate bash)\n",
    .statuses = statuses,
    .variables = variables};

}  // namespace riffle::cli
