/// The table of formats: what was compressed is read as the plain bytes, and nothing else is taken for
/// compressed.
#include <riffle/riffle.hpp>

#include "method/active_method.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

TEST(decoders, are_found_by_id_and_name) {
  EXPECT_EQ(decoders().size(), 6U);
  for (const decoder_info& each : decoders()) {
    EXPECT_EQ(find_decoder(each.id), &each);
    EXPECT_EQ(decoding_named(each.name), each.id);
    EXPECT_EQ(name_of(each.id), each.name);
    EXPECT_NE(each.library.empty(), each.unavailable.empty()) << each.name;
  }
  for (const decoding none : {decoding::none, decoding::automatic}) {
    EXPECT_EQ(find_decoder(none), nullptr);
    EXPECT_EQ(decoding_named(name_of(none)), none);
  }
  for (const char* name : {"", "gz", "GZIP", "gzip ", "bgzf"})
    EXPECT_EQ(decoding_named(name), std::nullopt) << name;
}

TEST(decoders, refuse_a_number_that_is_no_format) {
  const error failure =
      thrown_by([] { const source opened(memory("x"), {.decode = static_cast<decoding>(99)}); });
  EXPECT_EQ(failure.code(), errc::invalid_argument);
  EXPECT_EQ(find_decoder(static_cast<decoding>(99)), nullptr);
}

// Reads some bytes from each kind of input, and calls `f` with what that throws unless it gives them.
template <class F>
void read_as_any_format(const std::string& bytes, F f) {
  const temporary_file file(bytes);
  std::istringstream stream(bytes);
  const fed_pipe pipe(bytes, 1);
  for (const input& from : {input(file.path()), input(memory(bytes)), input(stream), input(pipe.get())})
    f(error_of([&] { EXPECT_EQ(read_all(from, {.decode = decoding::automatic}), bytes); }));
}

// Each is named, with what decodes it. What only begins like one is text.
TEST(decoders, name_what_riffle_knows_and_does_not_decode) {
  struct {
    std::string bytes;
    std::string_view named;  // empty: it is text
  } const rows[] = {
      {{"\x02\x21\x4C\x18\x05\0\0\0", 8}, "it is an LZ4 legacy frame; decode it by lz4 -dc"},
      {"\x1f\x9d\x90 more", "it is a file of compress; decode it by gzip -dc"},
      {"\x1f\x9d", ""},
      {"\x1f\x9d\x08 of 8 bits", ""},
      {"\x1f\x9d\xf0 with a flag", ""},
      {{"\x5d\0\0\x80\0\xff\xff\xff\xff\xff\xff\xff\xff", 13}, "it is an .lzma file; decode it by xz -dc"},
      {{"\x5d\0\0\x80\0\x04\0\0\0\0\0\0\0", 13}, "it is an .lzma file; decode it by xz -dc"},
      {{"\x5d\0\0\x80\0\x04\0\0\0\0\0\0", 12}, ""},
      {{"\x5d\0\0\x80\0 no size", 13}, ""},
      {"LZIP\x01\x0c", "it is an lzip file; decode it by lzip -dc"},
      {"LZIP is a format\n", ""},
      {{"\x89LZO\0\r\n\x1a\n", 9}, "it is an lzop file; decode it by lzop -dc"},
      {{"\xff\x06\0\0sNaPpY", 10}, "it is a framed Snappy file; decode it by snzip -dc"},
      {"PK\x03\x04", "it is a ZIP archive; decode it by unzip -p"},
      {"PK\x05\x06", "it is an empty ZIP archive; decode it by unzip -p"},
      {"PK\n", ""},
      {"7z\xBC\xAF\x27\x1C", "it is a 7z archive; decode it by 7z x -so"},
      {"Rar!\x1A\x07", "it is a RAR archive; decode it by unrar p -inul"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.bytes);
    read_as_any_format(row.bytes, [&](const std::optional<error>& failure) {
      ASSERT_EQ(failure.has_value(), !row.named.empty());
      if (!failure) return;
      EXPECT_EQ(failure->code(), errc::method_unavailable);
      EXPECT_EQ(failure->detail(), row.named);
    });
    EXPECT_EQ(read_all(memory(row.bytes)), row.bytes) << "by default nothing is decoded";
    for (const decoder_info& each : decoders()) {
      if (!each.unavailable.empty()) continue;
      const error failure = thrown_by([&] { (void)read_all(memory(row.bytes), {.decode = each.id}); });
      if (!row.named.empty()) {
        EXPECT_EQ(failure.detail(), row.named) << each.name;
      }
    }
  }
}

// An input that ends in the first bytes of a format is cut, unless it may be text.
TEST(decoders, name_what_is_cut_in_its_first_bytes) {
  struct {
    std::string bytes;
    decoding format;  // none: it is text
  } const rows[] = {
      {"\xFD\x37zX", decoding::xz},
      {"\x28\xB5\x2F", decoding::zstd},
      {"\x5f\x2a\x4d\x18", decoding::zstd},
      {"\x04\x22\x4D", decoding::lz4},
      {"\x1f\x8b", decoding::gzip},
      {"BZh", decoding::bzip2},
      {"BZh91AY&S", decoding::bzip2},
      {"\x1f", decoding::none},
      {"(", decoding::none},
      {"BZ", decoding::none},
      {"_*M", decoding::none},
      {"BZhello", decoding::none},
      {"BZh91 is text", decoding::none},
      {"\x1f\x8b\n", decoding::none},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.bytes);
    read_as_any_format(row.bytes, [&](const std::optional<error>& failure) {
      ASSERT_EQ(failure.has_value(), row.format != decoding::none);
      if (!failure) return;
      EXPECT_EQ(failure->code(), errc::unexpected_end);
      EXPECT_EQ(failure->detail(),
                "the first bytes of a " + std::string(name_of(row.format)) + " member are cut");
      EXPECT_EQ(failure->remedy().value, "none");
    });
  }
}

EACH_CONTAINER(each_first_byte);

TEST_P(each_first_byte, of_a_named_format_says_what_is_wrong) {
  const auto failure_of = [&](const std::string& bytes) {
    return thrown_by([&] { (void)read_all(memory(bytes), {.decode = GetParam().format}); });
  };
  EXPECT_THAT(failure_of(""), is_error(errc::unexpected_end, {}, "it is empty"));
  const std::string whole = member("a\n");
  for (const std::string& before : {std::string(), whole}) {
    const error cut = failure_of(before + whole.substr(0, 1));
    EXPECT_EQ(cut.code(), errc::unexpected_end);
    EXPECT_EQ(cut.detail(),
              "the first bytes of a " + std::string(name_of(GetParam().format)) + " member are cut");
    EXPECT_EQ(failure_of(before + "other").code(), errc::bad_compression);
  }
}

TEST(decoders, know_whether_bgzf_has_its_end_marker) {
  const container& bgzf = container_named("bgzf");
  if (const auto reason = missing(bgzf)) GTEST_SKIP() << *reason;
  const std::string whole = bgzf.member(numbered_lines(100));
  const std::string marker = bgzf.member({});
  const std::string cut = whole.substr(0, whole.size() - marker.size());
  const auto lacks = [](const std::string& bytes) {
    const temporary_file file(bytes);
    EXPECT_EQ(detail::lacks_end_marker(memory(bytes)), detail::lacks_end_marker(file.path()));
    return detail::lacks_end_marker(file.path());
  };
  EXPECT_FALSE(lacks(whole));
  EXPECT_FALSE(lacks(marker));
  EXPECT_TRUE(lacks(cut));
  EXPECT_TRUE(lacks(whole.substr(0, whole.size() - 1)));
  EXPECT_FALSE(lacks("")) << "a file that is no BGZF has no marker to lack";
  EXPECT_FALSE(lacks("text\n"));
  EXPECT_FALSE(lacks(container_named("gzip").member("text")));
  const fed_pipe pipe(cut);
  EXPECT_FALSE(detail::lacks_end_marker(pipe.get())) << "a pipe is not looked at";
  EXPECT_EQ(read_all(pipe.get(), {.decode = decoding::gzip}), numbered_lines(100));
}

// No format but those that have such frames begins with one, wherever the bytes that are looked at end.
TEST(decoders, see_the_same_format_in_a_stream_as_in_memory) {
  for (std::size_t size = 0; size != 80; ++size) {
    const std::string bytes = skippable_frame(std::string(size, 's')) + "\x1f\x8b\x08 no member of gzip";
    std::istringstream stream(bytes);
    const auto failure = [](const input& from) {
      return error_of([&] { (void)read_all(from, {.decode = decoding::automatic}); });
    };
    const std::optional<error> of_memory = failure(memory(bytes));
    const std::optional<error> of_stream = failure(stream);
    ASSERT_EQ(of_memory.has_value(), of_stream.has_value()) << size;
    if (of_memory) {
      EXPECT_EQ(of_memory->detail(), of_stream->detail()) << size;
      EXPECT_EQ(of_memory->detail().find("gzip"), std::string::npos) << of_memory->what();
    }
  }
}

// The bytes of the content, of which a block of bzip2 has a map, are chosen so that the map is the first bits
// of a block, or of the end of a stream.
TEST(bzip2, survives_what_only_looks_like_the_first_bits_of_a_block) {
  const container& bzip2 = container_named("bzip2");
  if (const auto reason = missing(bzip2)) GTEST_SKIP() << *reason;
  for (const std::uint64_t magic : {std::uint64_t{0x314159265359}, std::uint64_t{0x177245385090}}) {
    std::string alphabet;
    for (unsigned bit = 0; bit != 48; ++bit) {
      if ((magic >> (47 - bit) & 1U) != 0) alphabet += static_cast<char>(0x40 + bit);
    }
    const std::string content = random_text(350'000, 3, alphabet);
    const std::string compressed = bzip2.member(content);
    for (const unsigned threads : {1U, 2U, 4U}) {
      EXPECT_TRUE(read_all(memory(compressed), {.decode = decoding::bzip2, .decode_threads = threads}) ==
                  content)
          << threads;
    }
  }
}

const std::string text = numbered_lines(3000) + "a last line without an end";

EACH_CONTAINER(each_container);

// The content ends at a block of riffle's own, or a byte from there.
TEST_P(each_container, ends_at_any_byte_around_a_block) {
  const std::string longer = patterned_bytes(2 * copied_block + 1);
  for (const std::size_t size : {copied_block - 1, copied_block, copied_block + 1, 2 * copied_block - 1,
                                 2 * copied_block, 2 * copied_block + 1}) {
    const std::string_view content = std::string_view(longer).substr(0, size);
    const std::string compressed = member(content);
    for_each_threads([&](const read_options& reading) {
      EXPECT_TRUE(all_of(memory(compressed), reading) == content) << size;
    });
  }
}

TEST_P(each_container, may_be_empty) {
  const std::string once = member({});
  const std::string twice = once + once;
  const std::string between = once + member("some") + once + once + member(" bytes") + once;
  for_each_threads([&](const read_options& reading) {
    EXPECT_EQ(all_of(memory(once), reading), "");
    EXPECT_EQ(all_of(memory(twice), reading), "");
    EXPECT_EQ(all_of(memory(between), reading), "some bytes");
    EXPECT_EQ(count_lines(memory(once), {}, reading), 0U);
  });
}

TEST_P(each_container, may_be_incompressible) {
  const std::string noise = random_text(1'000'000, 1);
  const temporary_file whole(member(noise));
  const temporary_file pieces(in_members(GetParam(), noise, 70'000));
  for_each_threads([&](const read_options& reading) {
    EXPECT_TRUE(all_of(whole.path(), reading) == noise);
    EXPECT_TRUE(all_of(pieces.path(), reading) == noise);
  });
}

TEST_P(each_container, is_found_by_its_first_bytes) {
  const std::string compressed = member(text);
  const bool found = GetParam().format != decoding::zlib;
  for (const unsigned threads : {1U, 2U}) {
    const read_options reading{.decode = decoding::automatic, .decode_threads = threads};
    EXPECT_TRUE(all_of(memory(compressed), reading) == (found ? text : compressed));
  }
  const std::string small = member(text.substr(0, 1000));
  const fed_pipe pipe(small, 1);
  EXPECT_TRUE(all_of(pipe.get(), {.decode = decoding::automatic}) == (found ? text.substr(0, 1000) : small));
  EXPECT_TRUE(all_of(memory(compressed), {}) == compressed) << "by default nothing is decoded";
}

// As one that is decoded twice would be a surprise, a member of the format inside stays as it is.
TEST_P(each_container, keeps_a_second_layer) {
  const std::string inner = member(text);
  const std::string outer = member(inner);
  for_each_threads(
      [&](const read_options& reading) { EXPECT_TRUE(all_of(memory(outer), reading) == inner); });
}

TEST_P(each_container, has_the_offsets_of_its_decoded_bytes) {
  const temporary_file file(in_members(GetParam(), text, 5000));
  for_each_threads([&](const read_options& reading) {
    std::uint64_t place = 0;
    for (const numbered_line line : numbered_lines(file.path(), {}, reading)) {
      EXPECT_EQ(line.offset, place);
      place += line.text.size() + 1;
    }
    reader in(file.path(), reading);
    in.skip(text.size() / 2);
    EXPECT_EQ(in.bytes(100), text.substr(text.size() / 2, 100));
  });
}

// Empty and plain files are read as they are.
TEST(automatic, hands_on_what_is_not_compressed) {
  for (const std::string& plain : {std::string(), std::string("\n"), text, std::string("\x1f"),
                                   std::string(100'000, '\0'), random_text(100'000, 7)}) {
    const temporary_file file(plain);
    for (const method used : usable_methods()) {
      const read_options reading{.method = used, .decode = decoding::automatic};
      EXPECT_TRUE(all_of(file.path(), reading) == plain) << name_of(used) << ", " << plain.size();
      EXPECT_EQ(count_lines(file.path(), {}, reading), naive_lines(plain + "x").size() - 1);
    }
    for (const std::size_t piece : {1U, 7U, 100'000U}) {
      if (plain.size() > 1000 * piece) continue;
      const fed_pipe pipe(plain, piece);
      EXPECT_TRUE(all_of(pipe.get(), {.decode = decoding::automatic}) == plain) << piece;
    }
  }
}

TEST(automatic, leaves_a_plain_file_its_offsets) {
  const temporary_file file(text);
  source from(file.path(), {.decode = decoding::automatic});
  EXPECT_EQ(from.size_hint(), text.size());
  EXPECT_TRUE(from.seekable());
}

// A decoded input of unknown size has no positions.
TEST_P(each_container, has_no_positions) {
  const temporary_file file(member(text));
  source from(file.path(), decoded(2));
  EXPECT_EQ(from.size_hint(), 0U);
  EXPECT_FALSE(from.seekable());
  EXPECT_EQ(code_of([&] { from.seek(1); }), std::errc::invalid_seek);
}

}  // namespace
}  // namespace riffle::test
