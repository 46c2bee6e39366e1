/// A remedy is data: the library words it for C++, and the tool as what can be typed for the command that
/// runs.
#include "cli/remedies.hpp"

#include <gtest/gtest.h>

#include <string>

#include "cli/commands.hpp"
#include "tests/support/build.hpp"
#include "tests/support/shell.hpp"

namespace riffle::cli {
namespace {

struct row {
  remedy helps;
  const char* of_library;
  const command* running;
  const char* typed;
  const char* option = "";  // that is given
};

TEST(remedies, name_what_the_command_has) {
  constexpr const char* words = "cannot read 'a; set max_length': Is a directory; why";
  for (const row& each : {
           row{{}, "", &cat_command, ""},
           {{advice::use_method, "read"}, "; use method::read", &wc_command, "; use --method read"},
           {{advice::use_method, "read"}, "; use method::read", &advise_command, ""},
           {{advice::use_method}, "; use another method", &wc_command, "; use another --method"},
           {{advice::use_decoding, "automatic"},
            "; use decoding::automatic",
            &wc_command,
            "; use --decode automatic"},
           {{advice::use_blocks},
            "; read it with riffle::blocks or another method",
            &cat_command,
            "; use another --method"},
           {{advice::smaller_block_size},
            "; use a smaller block_size",
            &sum_command,
            "; use a smaller --block-size"},
           {{advice::set_max_length},
            "; set max_length to refuse a record this long",
            &cat_command,
            "; set --max-length to refuse a record this long"},
           {{advice::set_max_length}, "; set max_length to refuse a record this long", &wc_command, ""},
           {{advice::set_max_length}, "; set max_length to refuse a record this long", &count_command, ""},
           {{advice::set_max_length},
            "; set max_length to refuse a record this long",
            &count_command,
            "; set --max-length to refuse a record this long",
            "rows"},
           {{advice::set_max_length}, "; set max_length to refuse a record this long", &freq_command, ""},
           {{advice::set_max_length},
            "; set max_length to refuse a record this long",
            &freq_command,
            "; set --max-length to refuse a record this long",
            "columns"},
           {{advice::larger_max_length},
            "; use a larger max_length",
            &cat_command,
            "; use a larger --max-length"},
           {{advice::larger_max_size}, "; use a larger max_size", &wc_command, "; use a larger --max-size"},
           {{advice::larger_split_size}, "; use a larger split_size", &wc_command, "; use fewer --threads"},
           {{advice::fewer_threads}, "; use fewer threads", &wc_command, "; use fewer --threads"},
           {{advice::fewer_threads}, "; use fewer threads", &advise_command, ""},
           {{advice::one_decode_thread}, "; open it again, or set decode_threads to 1", &wc_command, ""},
           {{advice::name_null},
            "; if it stands for no value, name it in dialect::null and ask for a std::optional",
            &sum_command,
            ""},
           {{advice::fewer_bytes}, "; take fewer bytes at a time", &wc_command, ""},
       }) {
    const error failure(std::make_error_code(std::errc::is_a_directory), "read", "a; set max_length",
                        std::nullopt, "why", each.helps);
    EXPECT_EQ(failure.message(), words);
    EXPECT_EQ(failure.what(), failure.message() + each.of_library);
    const option given{.name = each.option};
    EXPECT_EQ(as_typed(failure, {each.running, {&given}}), failure.message() + each.typed)
        << each.running->name;
  }
}

// The line of zstd names another program's options: they are the same in all languages.
TEST(remedies, name_no_option_of_the_tool_in_the_library) {
  const test::shell_result found =
      test::shell(std::string("grep -rnE '\"([^\"]* )?--[a-z]' '") + test::build::sources +
                  "/src' --include=*.cpp --include=*.hpp | grep -v 'zstd -dc'; true");
  EXPECT_EQ(found.out, "");
}

}  // namespace
}  // namespace riffle::cli
