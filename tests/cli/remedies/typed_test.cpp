/// The remedies of the library's errors become what can be typed for the command that runs.
#include "cli/remedies/typed.hpp"

#include <gtest/gtest.h>

#include <string>

#include "cli/commands.hpp"

namespace riffle::cli {
namespace {

struct row {
  const command* running;
  const char* message;
  const char* typed;
};

TEST(remedies, name_what_the_command_has) {
  for (const row& each : {
           row{&cat_command, "cannot read 'f' at byte 3: no memory; set max_length to refuse it",
               "cannot read 'f' at byte 3: no memory; set --max-length to refuse it"},
           {&sum_command, "cannot read 'f' at byte 3: no memory; set max_length to refuse it",
            "cannot read 'f' at byte 3: no memory"},
           {&cat_command, "cannot read 'f': the record is longer than max_length",
            "cannot read 'f': the record is longer than --max-length"},
           {&wc_command, "cannot read 'f': no memory; use a larger split_size",
            "cannot read 'f': no memory; use fewer --threads"},
           {&advise_command, "cannot read 'f': no memory; use a larger split_size",
            "cannot read 'f': no memory"},
           {&sum_command, "cannot read 'f': no memory; use a smaller block_size",
            "cannot read 'f': no memory; use a smaller --block-size"},
           {&sum_command, "cannot read 'f': no memory; use blocks smaller than 64 bytes",
            "cannot read 'f': no memory; use a --block-size below 64 bytes"},
           {&wc_command,
            "cannot map 'f': No such device; read this kind of file with riffle::blocks or another method",
            "cannot map 'f': No such device; read this kind of file with another --method"},
           {&wc_command, "cannot read 'f': uring: refused, by a sandbox; use another method",
            "cannot read 'f': uring: refused, by a sandbox; use another --method"},
           {&wc_command, "cannot read 'f': mmap reads only files; use the method automatic",
            "cannot read 'f': mmap reads only files; use --method automatic"},
           {&sum_command, "cannot open 'a; set max_length': No such file or directory",
            "cannot open 'a; set max_length': No such file or directory"},
           {&wc_command, "cannot read 'f': it holds more than max_size, 5 bytes",
            "cannot read 'f': it holds more than --max-size, 5 bytes"},
           {&wc_command, "cannot decode 'f': damaged; use the format automatic, or none",
            "cannot decode 'f': damaged; use --decode automatic, or none"},
           {&sum_command, "cannot open 'max_length'", "cannot open 'max_length'"},
           {&sum_command, "", ""},
       }) {
    set_running(*each.running);
    EXPECT_EQ(as_typed(each.message), each.typed) << each.running->name;
  }
}

}  // namespace
}  // namespace riffle::cli
