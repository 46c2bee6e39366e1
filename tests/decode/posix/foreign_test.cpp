/// Files by the formats' own tools are read, and the child of a fork gets an error instead of threads.
#include <riffle/riffle.hpp>

#include <unistd.h>

#include <ostream>

#include "method/active_method.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// What writes a compressed file: `command` writes what "$file" holds, compressed. Of Python it is a module.
struct writer {
  std::string_view name;
  decoding format;
  std::string_view program;
  std::string_view command;
};

void PrintTo(const writer& which, std::ostream* out) {
  *out << which.name;
}

constexpr writer writers[] = {
    {"gzip_with_name", decoding::gzip, "gzip", "gzip -c $file"},
    {"gzip_1", decoding::gzip, "gzip", "gzip -1 < $file"},
    {"gzip_9", decoding::gzip, "gzip", "gzip -9 < $file"},
    {"pigz", decoding::gzip, "pigz", "pigz -c -p 3 -b 128 $file"},
    {"pigz_independent", decoding::gzip, "pigz", "pigz -ci -p 3 -b 32 $file"},
    {"pigz_with_comment", decoding::gzip, "pigz", "pigz -c -C comment $file"},
    {"pigz_zlib", decoding::zlib, "pigz", "pigz -cz $file"},
    {"zopfli", decoding::gzip, "zopfli", "zopfli -c --i1 $file"},
    {"zopfli_zlib", decoding::zlib, "zopfli", "zopfli -c --i1 --zlib $file"},
    {"igzip", decoding::gzip, "igzip", "igzip -c $file"},
    {"bgzip", decoding::gzip, "bgzip", "bgzip -c $file"},
    {"bgzip_threads", decoding::gzip, "bgzip", "bgzip -c -@ 3 $file"},
    {"zstd", decoding::zstd, "zstd", "zstd -qc $file"},
    {"zstd_stream", decoding::zstd, "zstd", "zstd -qc < $file"},
    {"zstd_19", decoding::zstd, "zstd", "zstd -qc -19 $file"},
    {"zstd_long", decoding::zstd, "zstd", "zstd -qc --long=27 < $file"},
    {"zstd_without_checksum", decoding::zstd, "zstd", "zstd -qc --no-check < $file"},
    {"pzstd", decoding::zstd, "pzstd", "pzstd -qc -p 3 $file"},
    {"xz", decoding::xz, "xz", "xz -c $file"},
    {"xz_blocks", decoding::xz, "xz", "xz -c -T2 --block-size=65536 $file"},
    {"xz_list_of_blocks", decoding::xz, "xz", "xz -c --block-list=1,65535,0 $file"},
    {"xz_sha256", decoding::xz, "xz", "xz -c --check=sha256 $file"},
    {"xz_without_checksum", decoding::xz, "xz", "xz -c --check=none $file"},
    {"xz_delta", decoding::xz, "xz", "xz -c --delta=dist=4 --lzma2=preset=1 $file"},
    {"pixz", decoding::xz, "pixz", "pixz -t -1 < $file"},
    {"bzip2", decoding::bzip2, "bzip2", "bzip2 -c $file"},
    {"bzip2_1", decoding::bzip2, "bzip2", "bzip2 -1c $file"},
    {"lbzip2", decoding::bzip2, "lbzip2", "lbzip2 -c -n 3 $file"},
    {"lz4", decoding::lz4, "lz4", "lz4 -qc $file"},
    {"lz4_linked", decoding::lz4, "lz4", "lz4 -qc -9 -BD -B7 $file"},
    {"lz4_block_checksums", decoding::lz4, "lz4", "lz4 -qc -BX -B5 < $file"},
    {"lz4_without_checksum", decoding::lz4, "lz4", "lz4 -qc --no-frame-crc < $file"},
    {"python_gzip", decoding::gzip, "python3", "gzip"},
    {"python_zlib", decoding::zlib, "python3", "zlib"},
    {"python_lzma", decoding::xz, "python3", "lzma"},
    {"python_bz2", decoding::bzip2, "python3", "bz2"},
};

class each_writer : public testing::TestWithParam<writer> {
 protected:
  void SetUp() override {
    const std::string program(GetParam().program);
    if (const std::string_view reason = find_decoder(GetParam().format)->unavailable; !reason.empty())
      GTEST_SKIP() << reason;
    if (shell("command -v " + program).status != 0) GTEST_SKIP() << program << " is not installed";
  }

  // Reads what the writer makes of `content`, in members of `size` bytes.
  static void expect_content(const std::string& content, std::size_t size) {
    const temporary_directory folder;
    const std::string path = folder.path().string();
    const temporary_file plain(content);
    std::string command(GetParam().command);
    if (GetParam().program == "python3")
      command = "python3 -IS -c 'import sys; from " + command +
                " import compress; sys.stdout.buffer.write(compress(sys.stdin.buffer.read()))' < $file";
    const shell_result made =
        shell("cd " + path + " && split -b " + std::to_string(size) + " " + plain.path().string() +
              " part. && { [ -e part.aa ] || touch part.aa; } && for file in part.*; do " + command +
              " || exit; done > compressed");
    ASSERT_EQ(made.status, 0) << made.err;
    const std::filesystem::path compressed = folder.path() / "compressed";
    for (const unsigned threads : {1U, 2U, 4U}) {
      EXPECT_TRUE(read_all(compressed, {.decode = GetParam().format, .decode_threads = threads}) == content)
          << size << ", " << threads;
    }
    if (GetParam().format == decoding::zlib) return;
    EXPECT_TRUE(read_all(compressed, {.decode = decoding::automatic}) == content) << size;
  }
};
INSTANTIATE_TEST_SUITE_P(tools, each_writer, testing::ValuesIn(writers),
                         [](const testing::TestParamInfo<writer>& tested) {
                           return std::string(tested.param.name);
                         });

TEST_P(each_writer, makes_members_of_any_size_around_a_block) {
  constexpr std::size_t bgzf = 65536;
  for (const std::size_t size :
       {bgzf - 1, bgzf, bgzf + 1, copied_block - 1, copied_block, copied_block + 1}) {
    expect_content(patterned_bytes(size + 1), size);
  }
}

TEST_P(each_writer, makes_a_file_of_one_member) {
  const std::size_t lines = GetParam().program == "zopfli" ? 20'000 : 100'000;  // which is slow
  for (const std::string& content : {std::string(), std::string("x"), numbered_lines(lines)})
    expect_content(content, 2'000'000);
}

EACH_CONTAINER(each_forked_container);

// What a child that was forked after some blocks says: "right" if it can destroy the source, or reads on
// without a wrong byte, or gets the error that says what to do.
std::string child_of(source& from, std::string found, const std::string& text, bool reads_on) {
  return in_child([&]() -> std::string {
    const auto failure = !reads_on ? std::nullopt : error_of([&] { read_on(from, found); });
    const bool clear = failure && failure->code() == std::errc::operation_not_permitted &&
                       failure->remedy().what == advice::one_decode_thread &&
                       failure->offset() == found.size() && !failure->compressed_offset();
    {
      const source destroyed = std::move(from);
    }
    if (reads_on && !clear && (failure || found != text)) return "neither whole nor a clear error";
    return failure && !text.starts_with(found) ? "wrong bytes before the error" : "right";
  });
}

TEST_P(each_forked_container, goes_on_in_the_parent_and_fails_or_goes_on_in_the_child) {
  const std::string text = numbered_lines(200'000);
  const temporary_file file(in_members(GetParam(), text, 600'000));
  for (const unsigned threads : {0U, 1U, 2U, 8U}) {
    for (const std::size_t blocks : {0U, 1U, 3U, 100U}) {  // before the fork
      SCOPED_TRACE(std::to_string(threads) + " threads, block " + std::to_string(blocks));
      source from(file.path(), {.decode = GetParam().format, .decode_threads = threads});
      std::string found;
      for (std::size_t i = 0; i != blocks; ++i) found += from.next().bytes;
      EXPECT_EQ(child_of(from, found, text, false), "right") << "a child that destroys the source";
      EXPECT_EQ(child_of(from, found, text, true), "right") << "a child that reads on";
      EXPECT_TRUE(found + rest_of(from) == text);
    }
    const read_options again{.decode = GetParam().format, .decode_threads = threads};
    EXPECT_TRUE(in_child([&] { return all_of(file.path(), again); }) == text)
        << "a child that opens it again";
  }
}

}  // namespace
}  // namespace riffle::test
