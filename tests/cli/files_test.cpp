/// The tool decodes what it is told to, and its output depends on neither descriptors nor threads nor failed
/// files.
#include <riffle/methods.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/compress.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::_;
using testing::AllOf;
using testing::HasSubstr;

TEST(tool_decoding, does_what_the_options_say) {
  if (const std::string_view reason = find_decoder(decoding::gzip)->unavailable; !reason.empty())
    GTEST_SKIP() << reason;
  if (shell("command -v gzip").status != 0) GTEST_SKIP() << "gzip is not installed";
  expect_rows(
      {{"$riffle wc -z x.gz plain",
        "      2       3       6 x.gz\n      2       3       6 plain\n      4       6      12 total\n"},
       {"$riffle wc -lz --threads 2 x.gz", "2 x.gz\n"},
       {"$riffle wc -cz < x.gz", "6\n"},
       {"cat x.gz | $riffle wc --decompress -l", "2\n"},
       {"$riffle wc -l --decode gzip x.gz", "2 x.gz\n"},
       {"$riffle cat -z x.gz plain", "a b\nc\na b\nc\n"},
       {"$riffle cat -z --tail 1 x.gz", "c\n"},
       {"$riffle cat -z --range 2:2 x.gz", "c\n"},
       {"$riffle cat --decode none x.gz | cmp - x.gz"},
       {"$riffle count -z --tsv --rows x.gz", "2\n"},
       {"$riffle wc -l --decode gzip plain", "0 plain\n", _, 1},
       {"$riffle wc -cz --max-size 5 x.gz", "5 x.gz\n",
        "riffle: cannot read 'x.gz' at byte 5 (compressed byte 26): it holds more than 5 bytes; use a larger "
        "--max-size\n",
        1},
       {"head -c 1000 /dev/zero | tr '\\0' y | $riffle wc -cz --max-size 100", "100\n",
        "riffle: cannot read 'standard input' at byte 100: it holds more than 100 bytes; use a larger "
        "--max-size\n",
        1},
       {"$riffle cat --max-size 3 plain", "a b", HasSubstr("more than 3 bytes; use a larger --max-size"), 1},
       {"head -c 300000 /dev/zero > big; $riffle cat --max-size 1000 big > out; wc -c < out", "1000\n",
        HasSubstr("more than 1000 bytes; use a larger --max-size")},
       {"$riffle wc -c --max-size 3 plain", _, HasSubstr("more than 3 bytes; use a larger --max-size"), 1},
       {"$riffle wc -c --max-size 6 plain", "6 plain\n"},
       {"printf 'LZIP\\001' > x.lz; $riffle wc -lz x.lz plain", "      2 plain\n      2 total\n",
        "riffle: cannot decode 'x.lz': it is an lzip file; decode it by lzip -dc; use --decode none\n", 1},
       {"$riffle wc --decode tar x.gz", _, _, 1},
       {"ln -sf $riffle wc; ./wc -z x.gz", _,
        "./wc: invalid option -- 'z'\nTry './wc --help' for more information.\n", 1},
       {"$riffle advise x.gz | grep -c 'compressed   gzip'", "1\n"},
       {"$riffle advise x.gz | grep -Ec 'C.*decode = riffle::decoding::automatic|flags.* --decompress$'",
        "2\n"},
       {"head -c 24 x.gz > cut.gz; $riffle wc -lz cut.gz", _,
        AllOf(HasSubstr("riffle: cannot decode 'cut.gz' at byte "), HasSubstr("the gzip data is cut")), 1}},
      "printf 'a b\\nc\\n' > plain; gzip -nc plain > x.gz");
}

// What gives records decodes what begins as a known format, unless --decode none is typed. What gives bytes
// does not, and says so of a file of which it cannot make sense.
TEST(tool_decoding, is_of_records_and_not_of_bytes) {
  if (const std::string_view reason = find_decoder(decoding::gzip)->unavailable; !reason.empty())
    GTEST_SKIP() << reason;
  if (shell("command -v gzip").status != 0) GTEST_SKIP() << "gzip is not installed";
  const std::string note = "riffle: 'x.gz' is compressed by gzip; use -z to decode it\n";
  for (const std::string records :
       {"count --rows", "count --fasta", "count --fastq", "count --byte a --per-line", "count --containing 1",
        "count --starting-with 1", "count --every 1~1", "cat --starting-with 1", "cat --every 1~1",
        "count --occurrences 1 --per-line", "sum --column 1 --stats", "cat --columns 1", "cat --head 1",
        "cat --tail 1", "cat --range 1:2", "cat --number", "cat --containing 1", "cat --strip-cr",
        "cat --lines"}) {
    const std::string text = records.find("fast") == std::string::npos ? "plain" : records.substr(8);
    expect_rows(
        {{"$riffle " + records + " " + text + " > one; gzip -nc " + text + " > t.gz; $riffle " + records +
          " t.gz | cmp one; $riffle " + records + " < t.gz | cmp one; cat t.gz | $riffle " + records +
          " | cmp one; test -s one; $riffle " + records +
          " --decode none t.gz 2>&1 | cmp -s one - && echo same; true"}},
        "printf '1\\n2\\n' > plain; printf '>a\\nACGT\\n' > fasta; printf '@a\\nA\\n+\\n#\\n' > fastq");
  }
  for (const std::string bytes :
       {"wc", "count --lines", "count --byte 1", "count --any-of 12", "count --none-of 12", "count --bytes",
        "count --occurrences 1", "cat", "sum --type u8"}) {
    expect_rows({{"$riffle " + bytes + " < x.gz > one; cp x.gz y; $riffle " + bytes +
                  " < y | cmp one; $riffle " + bytes + " --decode none < y | cmp one; test -s one"}},
                "printf '1\\n2\\n' | gzip -nc > x.gz");
  }
  expect_rows(
      {{"$riffle sum --type u64 x.gz", _, AllOf(HasSubstr("riffle: "), HasSubstr(note)), 1},
       {"$riffle sum --type u64 --decode none x.gz", _, testing::Not(HasSubstr("use -z")), 1},
       {"$riffle wc -l x.gz", _, ""},
       {"script -qec '$riffle wc -l x.gz; $riffle cat x.gz > y; $riffle count -l x.gz' /dev/null | tr -d "
        "'\\r' | grep -ac \"$(printf \"is compressed by gzip; use -z to decode it\")\"",
        "3\n"}},
      "head -c 10007 /dev/urandom | gzip -nc > x.gz; test $(($(wc -c < x.gz) % 8)) != 0 || printf x >> x.gz");
}

TEST(tool_decoding, that_was_typed_is_no_copy_of_another_file) {
  if (const std::string_view reason = find_decoder(decoding::gzip)->unavailable; !reason.empty())
    GTEST_SKIP() << reason;
  const auto named = [](const std::string& name) {
    return "riffle: cannot decode '" + name +
           "': the compressed bytes are damaged; its name says that it is compressed, and its first bytes do "
           "not; leave -z out to read it\n";
  };
  expect_rows({{"$riffle cat -z page.gz", "", named("page.gz"), 1},
               {"$riffle wc -lz page.Z plain", "      1 plain\n      1 total\n", named("page.Z"), 1},
               {"$riffle count --rows -z page.zip", "", named("page.zip"), 1},
               {"$riffle count --rows page.gz", "1\n"},
               {"$riffle cat -z < page.gz", "<p>\n"},
               {"$riffle cat -z empty.gz"},
               {"printf 'BZh91AY&S' | $riffle cat -z", "",
                HasSubstr("the first bytes of a bzip2 member are cut; use --decode none"), 1}},
              ": > empty.gz; printf '<p>\\n' | tee page.gz page.Z page.zip > plain");
}

// Counts pipes that are written one after the other, under a limit of open files.
shell_result count_pipes(std::size_t count, unsigned threads, unsigned limit) {
  const temporary_directory folder;
  return shell("cd " + folder.path().string() + "; names=$(seq 1 " + std::to_string(count) +
               "); mkfifo $names; (for name in $names; do echo \"a $name\" > $name; done) & ulimit -n " +
               std::to_string(limit) + "; timeout 30 $riffle wc --threads " + std::to_string(threads) +
               " $names; status=$?; kill $! 2> /dev/null; exit $status");
}

TEST(wc_of_pipes, does_not_depend_on_threads_or_the_limit_of_descriptors) {
  const shell_result by_one = count_pipes(100, 1, 64);
  ASSERT_EQ(by_one.status, 0) << by_one.err;
  ASSERT_TRUE(by_one.out.ends_with("total\n")) << by_one.out;
  for (const auto& [threads, limit] : {std::pair(16U, 64U), {20U, 12U}, {100U, 64U}}) {
    const shell_result found = count_pipes(100, threads, limit);
    EXPECT_EQ(found.out, by_one.out) << threads << " threads, limit " << limit << ": " << found.err;
    EXPECT_EQ(found.err, "");
    EXPECT_EQ(found.status, 0);
  }
}

TEST(wc_of_pipes, may_be_of_many_more_than_descriptors) {
  const shell_result found = count_pipes(1200, 16, 64);
  EXPECT_EQ(found.status, 0);
  EXPECT_EQ(found.err, "");
  EXPECT_TRUE(found.out.ends_with(" 7293 total\n")) << found.out.substr(found.out.size() / 2);
}

// A thread that gets no descriptor of its own leaves its work to the others. If none gets what it needs, the
// calling thread reads alone.
TEST(wc_of_a_large_file, needs_no_descriptor_for_each_thread) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs descriptors to look at memory";
  std::string text(std::size_t{40} << 20U, '\n');
  for (std::size_t i = 0; i < text.size(); i += 2) text[i] = 'a';
  const temporary_file file(text);
  for (const method used : usable_methods()) {
    for (const std::string command :
         {"ulimit -n 8; $riffle wc -l", "ulimit -n 6; $riffle wc -l", "ulimit -n 6; $riffle count --rows"}) {
      const shell_result found = shell("exec 3>&- 4>&- 5>&-; " + command + " --threads 20 --method " +
                                       std::string(name_of(used)) + " < /dev/null " + file.path().string());
      EXPECT_TRUE(found.out.starts_with("20971520")) << command << name_of(used) << ": " << found.out;
      EXPECT_EQ(found.err, "") << command << name_of(used);
    }
  }
}

// O_DIRECT takes a second descriptor.
TEST(wc_of_a_cold_file, that_the_cache_is_not_to_keep_needs_one_descriptor) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs descriptors of its own";
  const temporary_file file(std::string(std::size_t{9} << 20U, '\n'));
  const std::string name = file.path().string();
  const shell_result found = shell("sync " + name + "; dd if=" + name +
                                   " iflag=nocache count=0 2> /dev/null; exec 3>&- 4>&- 5>&- 6>&-; ulimit -n "
                                   "4; $riffle wc -l --no-cache " +
                                   name);
  EXPECT_EQ(found.out, std::to_string(9 << 20) + " " + name + "\n") << found.err;
}

TEST(wc, names_the_limit_of_open_files) {
  if (build::instrumented) GTEST_SKIP() << "a sanitizer needs descriptors of its own";
  expect_rows({{"exec 3>&- 4>&- 5>&- 6>&-; ulimit -n 4; $riffle wc --method stdio a", testing::_,
                testing::HasSubstr("RLIMIT_NOFILE"), 1}});
}

// Each command that shares a file, or decodes it, by several threads.
const std::vector<std::string>& commands() {
  static const std::vector<std::string> all{"wc -lwc", "count --byte 7 --per-line", "count --rows --header",
                                            "cat --columns 2 --plain --separator ' '"};
  return all;
}

void expect_one_answer(const std::string& command, const std::string& input,
                       const testing::Matcher<const std::string&>& answer = testing::_) {
  const auto by = [&](const std::string& threads) {
    return shell("$riffle " + command + " --threads " + threads + input);
  };
  const shell_result one = by("1");
  EXPECT_EQ(one.status, 1) << command;
  EXPECT_THAT(one.out, answer);
  for (const char* const threads : {"2", "5"}) {
    const shell_result found = by(threads);
    EXPECT_EQ(found.status, 1);
    EXPECT_TRUE(found.out == one.out) << command << " by " << threads << ": " << found.out.substr(0, 200)
                                      << " for " << one.out.substr(0, 200);
  }
}

class each_damaged_container : public of_container {};
INSTANTIATE_TEST_SUITE_P(formats, each_damaged_container, testing::ValuesIn(containers()), container_name);

TEST_P(each_damaged_container, is_counted_by_threads_as_by_one) {
  const std::string text = numbered_lines(30'000);
  for (const std::size_t member : {text.size(), std::size_t{20'000}}) {
    const std::string whole = in_members(GetParam(), text, member);
    std::string flipped = whole;
    flipped[whole.size() / 3] = static_cast<char>(flipped[whole.size() / 3] ^ 0x10);
    for (const std::string& bytes : {whole + "garbage", whole.substr(0, whole.size() * 2 / 3), flipped}) {
      const temporary_file file(bytes);
      const std::string decode = " --decode " + std::string(find_decoder(GetParam().format)->name) + ' ';
      for (const std::string& command : commands()) {
        expect_one_answer(command, decode + file.path().string());
        // How much of damaged bytes a library decodes depends on how they come out of a pipe.
        if (bytes != flipped) expect_one_answer(command, decode + "<(cat " + file.path().string() + ")");
        if (HasFailure()) FAIL() << bytes.size() << " of " << whole.size() << " bytes, members of " << member;
      }
    }
    const temporary_file file(whole + "garbage");
    const std::string counted =
        shell("$riffle wc -l --threads 2 --decode " + std::string(find_decoder(GetParam().format)->name) +
              " < " + file.path().string())
            .out;
    EXPECT_EQ(counted, "30000\n");
  }
}

TEST(an_unclosed_quote, is_counted_up_to_its_row) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "a,b\n";
  const temporary_file file(text + "\"c,\n" + text);
  expect_one_answer("count --rows", " " + file.path().string(), "1000\n");
}

TEST(a_bad_block, is_counted_up_to_by_any_number_of_threads) {
  if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  const std::string text = numbered_lines(60'000);
  const slow_file failing(text, {"--eio-at=282000"});
  for (const char* const command :
       {"wc -lwc", "count --lines", "count --rows --header", "cat --columns 2 --separator ' '"})
    expect_one_answer(command, " --method read " + failing.path().string());
}

}  // namespace

}  // namespace riffle::test
