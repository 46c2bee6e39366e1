/// What must not compile does not, and what the shared library exports changes only on purpose.

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

struct misuse {
  const char* name;
  const char* code;     // in a function, with a path and a view
  const char* message;  // a part of what the compiler says at that place
};

constexpr const char* refused = "error:";
constexpr const char* remedy = "write_std_filesystem_path_or_riffle_memory_around_this_view";
constexpr const char* variable = "pass_a_variable_that_has_read_of_span_or_read_at_and_size";
constexpr const char* owner = "keep_what_owns_the_bytes_in_a_variable";
constexpr const char* one_name = "takes one name for each type";
constexpr const char* narrows = "std::uint64_t{0} instead of 0";

const misuse misuses[] = {
    {"view_of_lines", "(void)lines(view);", remedy},
    {"view_counted", "(void)count_lines(view);", remedy},
    {"view_opened", "source opened(view);", remedy},
    {"view_read", "reader opened(view);", remedy},
    {"view_in_parallel", "(void)parallel_reduce(view, 0, [](std::string_view) { return 0; });", remedy},
    {"char", "(void)lines('a');", refused},
    {"bool", "(void)lines(true);", refused},
    {"double", "(void)lines(3.7);", refused},
    {"long", "(void)lines(3L);", refused},
    {"null", "(void)lines(nullptr);", "deleted"},
    {"object_of_pointers", "struct { int read(char*, int); } object; (void)lines(object);", variable},
    {"object_without_size",
     "struct { std::size_t read_at(std::uint64_t, std::span<char>); } object; (void)lines(object);",
     variable},
    {"object_that_is_signed", "struct { long read(std::span<char>); } object; (void)lines(object);",
     variable},
    {"object_that_is_temporary", "struct own { std::size_t read(std::span<char>); }; (void)lines(own());",
     variable},
    {"object_that_is_const",
     "struct { std::size_t read(std::span<char>); } const object{}; (void)lines(object);", variable},
    {"narrow",
     "(void)parallel_reduce(path, 0, [](std::string_view part) { return scan::count_lines(part); });",
     narrows},
    {"narrow_float", "(void)parallel_reduce(path, 0, [](std::string_view) { return 0.5; });", narrows},
    {"kernel_of_input", "(void)scan::count_lines(std::filesystem::path(path));", refused},
    {"sum_of_input_without_type", "(void)sum(path);", refused},
    {"fields_of_temporary", "(void)fields(path + path, ',');", "deleted"},
    {"split_temporary", "std::string_view all[2]; (void)fields(path + path, ',', all);", "deleted"},
    {"lines_of_temporary", "for (auto line : lines(memory(path + path))) (void)line;", owner},
    {"lines17_of_temporary", "(void)riffle17::input::memory(path + path);", "deleted"},
    {"words_of_temporary", "(void)words(memory(path + path));", owner},
    {"tokens_of_temporary", "(void)tokens(memory(path + path));", owner},
    {"rows_of_temporary", "(void)rows(memory(path + path));", owner},
    {"bytes_of_temporary", "(void)bytes(memory(path + path));", owner},
    {"values_of_temporary", "(void)values<int>(memory(std::vector<char>(4)));", owner},
    {"numbers_of_temporary", "(void)numbers<int>(memory(path + path));", owner},
    {"fasta_of_temporary", "(void)fasta(memory(path + path));", owner},
    {"columns_of_temporary", "(void)columns<int>(memory(path + path), {\"a\"});", owner},
    {"blocks_of_temporary", "(void)blocks(memory(path + path));", owner},
    {"reader_of_temporary", "reader in(memory(path + path));", owner},
    {"stream_of_temporary", "riffle::istream in(memory(path + path));", owner},
    {"source_of_temporary", "source from(memory(std::move(path)));", owner},
    {"lines_of_temporary_mapping", "(void)lines(mapped_file(path));", "deleted"},
    {"memory_of_temporary_mapping", "(void)lines(memory(mapped_file(path)));", owner},
    {"lines_of_reader", "reader in(path); (void)lines(in);", "deleted"},
    {"fewer_names", "(void)columns<int, double>(path, {\"a\"});", one_name},
    {"more_names", "(void)columns<int>(path, {\"a\", \"b\"});", one_name},
    {"fewer_names_of_file_read", "(void)columns<int, long>(path, {\"a\"}, {.method = method::read});",
     one_name},
    {"no_name", "(void)columns<int>(path, {});", refused},
    {"copied_iterator", "auto range = lines(path); auto first = range.begin(); auto second = first;",
     "deleted"},
};

constexpr const char* right =
    "(void)count_lines(path); (void)scan::count_lines(view); (void)lines(memory(view));"
    "struct { std::size_t read_at(std::uint64_t, std::span<char>) const { return 0; }"
    "         std::uint64_t size() const { return 0; } } const object{}; (void)lines(object);"
    // Each function by each number of arguments that the guide teaches.
    "constexpr read_options how{.method = method::read};"
    "(void)lines(path, how); (void)lines(path, {.strip_cr = true}); (void)lines(path, {}, how);"
    "(void)numbered_lines(path, how); (void)numbered_lines(path, {}, how);"
    "(void)words(path, how); (void)words(path, {}, how); (void)tokens(path, how); (void)tokens(path, {}, "
    "how);"
    "(void)rows(path, how); (void)rows(path, tsv, how); (void)rows(path, {}, how); (void)blocks(path, how);"
    "(void)columns<int>(path, {\"a\"}, how); (void)columns<int>(path, {\"a\"}, {}, how);"
    "(void)values<int>(path, how); (void)values<int>(path, {}, how); (void)bytes(path, how);"
    "(void)numbers<int>(path, how); (void)fastq(path, how); (void)fastq(path, {}, how);"
    "(void)fasta(path, how); (void)fasta(path, {}, how); (void)read_all(path, how);"
    "(void)count_lines(path, {}); (void)count_lines(path, {.threads = 2});"
    "(void)count_lines(path, {.method = method::read}); (void)count_lines(path, {}, how);"
    "(void)count_words(path, how); (void)count_utf8(path, how); (void)count_byte(path, 'a', how);"
    "(void)count_any_of(path, \"ab\", how); (void)count_any_of(path, byte_set(\"ab\"), how);"
    "(void)count_any_of(path, \"ab\", {.decode = decoding::gzip}); (void)count_bytes(path, how);"
    "(void)count_lines_with(path, \"a\", how); (void)count_occurrences(path, \"a\", how);"
    "(void)count_text(path, how); (void)count_text(path, {}, how); (void)count_text(path, {.lines = true});"
    "(void)sum<int>(path, how); (void)sum<int>(path, {}, how); (void)sum<int>(path, {.threads = 2});"
    "(void)value_counts(path, how); (void)value_counts(path, {\"a\"}, how);"
    "(void)value_counts(path, {\"a\"}, tsv, {}, how); (void)value_counts(path, {.threads = 2}, how);"
    "(void)value_counts(path, {}); (void)value_counts(path, {.threads = 2});"
    "(void)value_counts(path, {.block_size = 4096}); (void)value_counts(path, std::vector<std::string>(2));"
    "line_index a(path, how); line_index b(path, {}, {.every = 2}, how); reader c(path, how); source d(path, "
    "how);"
    "riffle::istream e(path, how); (void)splits(path, {.size = 9});"
    "parallel_for_each(path, [](std::string_view) {}, {.threads = 2}, how);"
    "(void)parallel_reduce(path, 0, [](std::string_view) { return 0; }, std::plus<>(), {}, how);"
    "(void)parallel_rows(path, 0, [](row_range&) { return 0; }, std::plus<>(), csv, {}, how);";

// What the compiler of this build says of a source; nothing if it compiles.
std::string told_of(const std::string& source, const std::string& options = "-fsyntax-only") {
  const temporary_file file(source);
  const shell_result result =
      shell(std::string("LC_ALL=C ") + build::compiler + " -std=c++20 " + options + " -I '" + build::sources +
            "/include' -x c++ '" + file.path().string() + "' 2>&1");
  return result.status == 0 ? std::string() : result.out;
}

// A function with the code, in a file of that name as far as messages go.
std::string function(const std::string& name, const std::string& code) {
  return "#line 1 \"" + name + ".cpp\"\nvoid f_" + name +
         "(const std::string& path, std::string_view view) { (void)path; (void)view; " + code + " }\n";
}

// All of them at once, as each would parse the same headers.
TEST(misuse, does_not_compile_and_says_what_to_write) {
  std::string source =
      "#include <riffle/riffle.hpp>\n#include <riffle/riffle17.hpp>\nusing namespace riffle;\n" +
      function("right", right);
  for (const misuse& each : misuses) source += function(each.name, each.code);
  const std::string told = told_of(source);
  EXPECT_THAT(told, testing::Not(testing::HasSubstr("right.cpp:")));
  for (const misuse& each : misuses) {
    const std::size_t place = told.find(std::string(each.name) + ".cpp:");
    ASSERT_NE(place, std::string::npos) << each.name << " compiles";
    EXPECT_THAT(told.substr(place, 2000), testing::HasSubstr(each.message)) << each.name;
    EXPECT_THAT(told.substr(place, 2000), testing::HasSubstr("error:")) << each.name;
  }
}

TEST(no_exceptions, is_told_in_a_sentence) {
  EXPECT_THAT(told_of("#include <riffle/lines.hpp>\n", "-fno-exceptions -fsyntax-only"),
              testing::HasSubstr("compile without -fno-exceptions"));
}

TEST(no_rtti, is_no_hindrance) {
  EXPECT_EQ(told_of("#include <riffle/riffle.hpp>\n", "-fno-rtti -fsyntax-only"), "");
}

// Lines to parse, which repeat exactly; the time follows them.
TEST(lines_hpp, is_little_more_than_the_headers_of_the_standard_that_it_needs) {
  const auto size_of = [](std::string_view includes) {
    const shell_result parsed = shell("printf '" + std::string(includes) + "' | " + build::compiler +
                                      " -std=c++20 -E -I '" + build::sources + "/include' -x c++ - | wc -l");
    return std::stod(parsed.out);
  };
  const double standard = size_of("#include <ranges>\\n#include <filesystem>\\n#include <istream>\\n");
  EXPECT_LT(size_of("#include <riffle/lines.hpp>\\n") / standard, 1.2);
}

class shared_library : public testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(build::shared_library))
      GTEST_SKIP() << "this build has no shared library: set RIFFLE_SHARED=ON";
  }
  static std::string nm(const std::string& how) {
    return shell(std::string("nm '") + build::shared_library + "' " + how).out;
  }
};

// Without weak tables of virtual functions: a compiler writes those where it needs them, also in a user's
// program. To accept a change, run the command below on the new library and write its output to symbols.txt.
TEST_F(shared_library, exports_what_the_list_says) {
  const std::string found =
      nm("-DC --defined-only | grep -v ' V vtable' | sed -n 's/^[0-9a-f]* [A-Z] //p' | "
         "grep '^riffle::\\|^vtable for riffle\\|^typeinfo for riffle' | LC_ALL=C sort -u");
  EXPECT_EQ(found, contents_of(std::string(build::sources) + "/tests/api/symbols.txt"));
}

// Which version each function of riffle.h has, and that a program in C calls each.
TEST_F(shared_library, has_the_functions_of_c_in_the_versions_of_the_map) {
  const std::string sources = build::sources;
  const auto listed =
      shell("sed -n 's/^\\(RIFFLE_C_[0-9]*\\) {/\\1/p; s/^ *\\(riffle_.*\\);/\\1/p' '" + sources +
            "/src/c/exports.map' | awk '/^RIFFLE/ {version = $0; next} {print $0 \"@@\" version}' | sort");
  EXPECT_EQ(nm("-D --defined-only | sed -n 's/.* T \\(riffle_.*\\)/\\1/p' | sort"), listed.out);
  EXPECT_EQ(shell("sed -n 's/^ *\\(riffle_.*\\);/\\1/p' '" + sources +
                  "/src/c/exports.map' | while read name; do grep -q \"$name(\" '" + sources +
                  "/tests/c/interface.c' || echo \"$name is not called\"; done")
                .out,
            "");
  EXPECT_GE(std::ranges::count(listed.out, '\n'), 36);
}

// A static local variable that is computed has such a guard. While one thread computes it, others wait; and a
// child that was forked meanwhile waits for ever. `remembered` takes its place.
TEST_F(shared_library, has_no_guard_that_the_child_of_a_fork_could_wait_for) {
  if (nm("-C").find("page_size") == std::string::npos)
    GTEST_SKIP() << "the library has no table of its own symbols";
  EXPECT_EQ(nm("-C | grep 'guard variable for riffle'"), "");
}

}  // namespace
}  // namespace riffle::test
