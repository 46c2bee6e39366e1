/// What is cut or damaged gives what was right, and then an error; never wrong bytes as if they were right.
#include <riffle/riffle.hpp>

#include <set>

#include "method/active_method.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

void expect_places(const read_outcome& found, std::size_t compressed_size) {
  const error& failure = *found.failure;
  EXPECT_EQ(failure.offset(), found.bytes.size()) << failure.what();
  ASSERT_TRUE(failure.compressed_offset()) << failure.what();
  EXPECT_LE(*failure.compressed_offset(), compressed_size) << failure.what();
  EXPECT_FALSE(failure.detail().empty()) << failure.what();
}

// A small file, and where its members end.
struct sample {
  std::string content;
  std::string compressed;
  std::set<std::size_t> ends;  // of bytes in `compressed`
};

sample sample_of(const container& which, std::size_t members) {
  sample made{.content = numbered_lines(150), .compressed = {}, .ends = {}};
  const std::size_t size = made.content.size() / members + 1;
  const std::size_t end_block = which.name == "bgzf" ? which.member({}).size() : 0;
  for (std::size_t at = 0; at < made.content.size(); at += size) {
    made.compressed += which.member(std::string_view(made.content).substr(at, size));
    made.ends.insert(made.compressed.size());
    made.ends.insert(made.compressed.size() - end_block);
  }
  return made;
}

class each_damage : public of_container {
 protected:
  // Reads by the thread that reads, by others, and piece by piece.
  template <class F>
  static void for_each_reading(const std::string& compressed, F f) {
    for (const unsigned threads : {1U, 3U}) {
      SCOPED_TRACE(threads);
      f(read_blocks(memory(compressed), decoded(threads)));
    }
    SCOPED_TRACE("stream");
    std::istringstream stream(compressed);
    f(read_blocks(stream, {.block_size = 64, .decode = GetParam().format}));
  }
};
INSTANTIATE_TEST_SUITE_P(formats, each_damage, testing::ValuesIn(containers()), container_name);

TEST_P(each_damage, of_a_cut_gives_what_was_there_and_an_error) {
  for (const std::size_t members : {1U, 3U}) {
    const sample whole = sample_of(GetParam(), members);
    for (std::size_t size = 0; size != whole.compressed.size(); ++size) {
      SCOPED_TRACE("cut to " + std::to_string(size));
      const bool at_end = whole.ends.contains(size);
      for_each_reading(whole.compressed.substr(0, size), [&](const read_outcome& found) {
        EXPECT_TRUE(whole.content.starts_with(found.bytes));
        EXPECT_EQ(found.failure.has_value(), !at_end);
        if (found.failure) expect_places(found, size);
      });
      if (HasFailure()) return;
    }
  }
}

TEST_P(each_damage, of_a_byte_gives_the_content_or_an_error) {
  for (const std::size_t members : {1U, 3U}) {
    const sample whole = sample_of(GetParam(), members);
    for (std::size_t at = 0; at != whole.compressed.size(); ++at) {
      for (const unsigned bits : {0x01U, 0x80U, 0xFFU}) {
        SCOPED_TRACE("byte " + std::to_string(at) + " with " + std::to_string(bits));
        std::string damaged = whole.compressed;
        damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ bits);
        for_each_reading(damaged, [&](const read_outcome& found) {
          if (!found.failure) {
            EXPECT_TRUE(found.bytes == whole.content);
            return;
          }
          expect_places(found, damaged.size());
          EXPECT_TRUE(whole.content.starts_with(found.bytes.substr(0, verified(found))))
              << found.failure->what();
        });
        if (HasFailure()) return;
      }
    }
  }
}

// A part that has its own checksum is held back until that was right.
TEST_P(each_damage, of_a_part_hands_out_none_of_it) {
  const std::string name(GetParam().name);
  const bool has_parts = GetParam().format == decoding::zstd || name == "bgzf" || name == "bzip2";
  if (!has_parts) return;
  const std::string content = numbered_lines(100);
  std::string damaged = member(content) + member(content);
  const std::size_t second = damaged.size();
  damaged += member(content);
  const std::size_t end_block = name == "bgzf" ? member({}).size() : 0;
  const std::size_t checksum = name == "bzip2" ? second + 10 : damaged.size() - end_block - 4;
  damaged[checksum] = static_cast<char>(damaged[checksum] ^ 1);
  for (const unsigned threads : {1U, 3U}) {
    const read_outcome found = read_blocks(memory(damaged), decoded(threads));
    ASSERT_TRUE(found.failure);
    EXPECT_EQ(found.bytes, content + content);
    EXPECT_THAT(found.failure->detail(), testing::Not(testing::HasSubstr("not verified")));
  }
  if (name == "bzip2") return;  // it cannot be split
  const temporary_file file(damaged);
  for (const file_split& part : splits(file.path(), {.size = 1, .decode = decoding::automatic})) {
    if (part.begin < second || part.begin >= checksum) continue;
    const read_outcome found = read_blocks(read_split(part), {.decode = decoding::automatic});
    EXPECT_TRUE(found.failure);
    EXPECT_EQ(found.bytes, "");
  }
}

// The error comes behind a block that is full.
TEST_P(each_damage, of_a_checksum_behind_whole_blocks_is_an_error) {
  const std::string content = patterned_bytes(2 * copied_block);
  const std::string whole = member(content);
  for (const std::size_t back : {std::size_t{5}, std::size_t{1}}) {
    for_each_reading(whole.substr(0, whole.size() - back), [&](const read_outcome& found) {
      EXPECT_TRUE(content.starts_with(found.bytes));
      ASSERT_TRUE(GetParam().name == "bgzf" || found.failure);
    });
  }
  const std::size_t of_content = GetParam().name == "bgzf" ? whole.size() - member({}).size() : whole.size();
  std::string damaged = whole;
  damaged[of_content - 6] ^= 1;
  for_each_reading(damaged, [&](const read_outcome& found) {
    ASSERT_TRUE(found.failure);
    expect_places(found, damaged.size());
  });
}

TEST_P(each_damage, names_the_last_verified_byte) {
  const std::string content = patterned_bytes(3000);
  const std::string right = member(content) + member(content);
  std::string damaged = member(content);
  damaged[damaged.size() / 2] ^= 0x55;
  for_each_reading(right + damaged, [&](const read_outcome& found) {
    EXPECT_THAT(found.failure, testing::Optional(is_error(errc::bad_compression)));
    EXPECT_EQ(verified(found), 2 * content.size()) << found.failure->what();
    EXPECT_GE(found.failure->compressed_offset(), right.size());
    EXPECT_TRUE(found.bytes.starts_with(content + content));
  });
}

// The last 8 bytes of a member of gzip are its checksum and its size; the last 4 of zlib its checksum.
TEST_P(each_damage, of_a_trailer_is_at_the_trailer) {
  const decoding format = GetParam().format;
  if (format != decoding::gzip && format != decoding::zlib) return;
  const std::string first = member("first");
  const std::string second = member("second");
  const std::size_t end_block = GetParam().name == "bgzf" ? member({}).size() : 0;
  const std::size_t end = first.size() + second.size() - end_block;
  const std::size_t trailer = end - (format == decoding::gzip ? 8 : 4);
  for (std::size_t at = trailer; at != end; ++at) {
    std::string damaged = first + second;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    for_each_reading(damaged, [&](const read_outcome& found) {
      ASSERT_TRUE(found.failure);
      EXPECT_EQ(found.failure->compressed_offset(), trailer) << found.failure->what();
      EXPECT_THAT(found.failure->detail(), testing::HasSubstr("does not match"));
    });
  }
}

// RFC 1952 has no meaning for them yet, and says to refuse them.
TEST_P(each_damage, of_reserved_flags_is_an_error) {
  if (GetParam().format != decoding::gzip) return;
  for (const unsigned flag : {0x20U, 0x40U, 0x80U}) {
    std::string damaged = member("content");
    damaged[3] = static_cast<char>(static_cast<unsigned char>(damaged[3]) | flag);
    for_each_reading(damaged, [&](const read_outcome& found) {
      ASSERT_TRUE(found.failure) << flag;
      EXPECT_EQ(found.bytes, "");
      EXPECT_EQ(found.failure->code(), errc::bad_compression);
    });
  }
}

// What a block is cut by is a guess. If the only block has no end, it is decoded in order, as of a pipe.
TEST(bzip2, of_which_the_end_is_damaged_gives_what_a_pipe_gives) {
  const container& bzip2 = container_named("bzip2");
  if (const auto reason = missing(bzip2)) GTEST_SKIP() << *reason;
  std::string content;  // of which one block holds a megabyte
  for (char byte = 'a'; content.size() < 1'000'000; byte = byte == 'z' ? 'a' : static_cast<char>(byte + 1))
    content.append(250, byte);
  const std::string whole = bzip2.member(content);
  for (std::size_t back = 6; back != 10; ++back) {
    std::string damaged = whole;
    damaged[whole.size() - back] = static_cast<char>(damaged[whole.size() - back] ^ 1);
    std::istringstream stream(damaged);
    const read_outcome expected = read_blocks(stream, {.decode = decoding::bzip2});
    ASSERT_TRUE(expected.failure);
    EXPECT_GT(expected.bytes.size(), content.size() / 2);
    for (const unsigned threads : {0U, 1U, 3U}) {
      const read_outcome found =
          read_blocks(memory(damaged), {.decode = decoding::bzip2, .decode_threads = threads});
      EXPECT_TRUE(found.bytes == expected.bytes) << found.bytes.size();
      ASSERT_TRUE(found.failure);
      EXPECT_STREQ(found.failure->detail().c_str(), expected.failure->detail().c_str());
    }
  }
}

// As the formats' tools do, or, between members, more than they do: docs/guide.md says how they differ.
TEST_P(each_damage, of_zeros_gives_all_members_and_an_error_where_they_are_no_padding) {
  const sample whole = sample_of(GetParam(), 2);
  const decoding format = GetParam().format;
  const bool may_end = format != decoding::zstd && format != decoding::lz4;
  for (const std::size_t size : {1U, 3U, 4U, 5U, 63U, 64U, 66U, 100'000U}) {
    const bool whole_words = format != decoding::xz || size % 4 == 0;
    const std::string zeros(size, '\0');
    struct {
      std::string compressed;
      std::string content;
      bool right;
    } const rows[] = {
        {whole.compressed + zeros, whole.content, may_end && whole_words},
        {whole.compressed + zeros + member("more"), whole.content + (whole_words ? "more" : ""), whole_words},
    };
    for (const auto& row : rows) {
      SCOPED_TRACE(std::to_string(size) + (&row == rows ? " zeros at the end" : " zeros between members"));
      for_each_reading(row.compressed, [&](const read_outcome& found) {
        EXPECT_EQ(found.bytes, row.content);
        ASSERT_EQ(found.failure.has_value(), !row.right);
        if (row.right) return;
        EXPECT_THAT(*found.failure, is_error(errc::bad_compression));
        EXPECT_THAT(found.failure->detail(), testing::StartsWith(std::to_string(size) + " zeros"));
        expect_places(found, row.compressed.size());
      });
    }
  }
}

// The first bytes of another member are not to be cut off: the file is cut.
TEST_P(each_damage, of_other_bytes_behind_the_end_is_an_error_after_all_data) {
  const sample whole = sample_of(GetParam(), 2);
  const std::string first_byte = whole.compressed.substr(0, 1);
  for (const std::string& garbage :
       {std::string("x"), std::string("garbage\n"), std::string(100'000, 'x'), std::string("\0\0\0\0x", 5),
        std::string(100'000, '\0') + "x", first_byte, first_byte + std::string(70, '\0')}) {
    const bool cut = garbage.substr(garbage.find_first_not_of('\0')) == first_byte;
    for_each_reading(whole.compressed + garbage, [&](const read_outcome& found) {
      ASSERT_TRUE(found.failure);
      EXPECT_EQ(found.bytes, whole.content);
      EXPECT_EQ(verified(found), whole.content.size());
      EXPECT_THAT(*found.failure, is_error(cut ? errc::unexpected_end : errc::bad_compression, {},
                                           cut ? "are cut" : "cut them off"));
      EXPECT_GE(found.failure->compressed_offset(), whole.compressed.size());
      expect_places(found, whole.compressed.size() + garbage.size());
    });
  }
}

TEST_P(each_damage, of_another_format_is_named) {
  for (const container& other : containers()) {
    if (other.format == GetParam().format || missing(other)) continue;
    const std::string compressed = other.member("content");
    for_each_reading(compressed, [&](const read_outcome& found) {
      ASSERT_TRUE(found.failure) << other.name;
      EXPECT_EQ(found.bytes, "");
      EXPECT_THAT(*found.failure, is_error(errc::bad_compression, 0,
                                           "as " + std::string(name_of(GetParam().format)) + " does"));
      EXPECT_EQ(found.failure->compressed_offset(), 0U);
    });
  }
}

TEST_P(each_damage, stays_an_error) {
  const std::string whole = member(numbered_lines(1000));
  for (const unsigned threads : {1U, 3U}) {
    source from(memory(std::string_view(whole).substr(0, whole.size() / 2)), decoded(threads));
    const auto to_the_end = [&] {
      while (!from.next().empty()) continue;
    };
    const error first = thrown_by(to_the_end);
    const error again = thrown_by(to_the_end);
    EXPECT_STREQ(again.what(), first.what());
    EXPECT_EQ(again.compressed_offset(), first.compressed_offset());
  }
}

TEST_P(each_damage, of_a_count_gives_no_count) {
  const std::string whole = member(patterned_bytes(700'000));
  std::string damaged = whole;
  damaged[damaged.size() / 2] ^= 0x55;
  for (const std::string& bytes : {damaged, whole.substr(0, whole.size() / 2)}) {
    for (const unsigned threads : {1U, 3U}) {
      EXPECT_TRUE(error_of([&] { (void)count_lines(memory(bytes), {}, decoded(threads)); }));
      EXPECT_TRUE(error_of([&] { (void)read_all(memory(bytes), decoded(threads)); }));
    }
  }
}

TEST_P(each_damage, of_too_large_a_content_is_found_at_its_border) {
  for (const std::size_t size :
       {std::size_t{1}, std::size_t{5000}, copied_block, copied_block + 1, std::size_t{600'000}}) {
    const std::string content = patterned_bytes(size);
    const std::string compressed = in_members(GetParam(), content, 200'000);
    for (const std::size_t most : {std::size_t{0}, size / 2, size - 1, size, size + 1}) {
      for (const unsigned threads : {1U, 3U}) {
        const read_outcome found = read_blocks(
            memory(compressed), {.decode = GetParam().format, .decode_threads = threads, .max_size = most});
        EXPECT_TRUE(found.bytes == content.substr(0, most)) << size << ", " << most;
        ASSERT_EQ(found.failure.has_value(), most < size) << size << ", " << most;
        if (!found.failure) continue;
        EXPECT_THAT(*found.failure, is_error(errc::too_large, most));
        EXPECT_EQ(found.failure->remedy().what, advice::larger_max_size) << found.failure->what();
        if (threads == 1) expect_places(found, compressed.size());
      }
    }
  }
}

TEST_P(each_damage, of_too_large_a_content_ends_a_loop_over_lines) {
  const std::string content = numbered_lines(1000);
  const std::string compressed = member(content);
  for (const unsigned threads : {1U, 3U}) {
    std::string found;
    const error failure = thrown_by([&] {
      const read_options reading{.decode = GetParam().format, .decode_threads = threads, .max_size = 3003};
      for (const std::string_view line : lines(memory(compressed), reading)) found.append(line).append("\n");
    });
    EXPECT_EQ(failure.code(), errc::too_large);
    EXPECT_TRUE(content.starts_with(found));
    EXPECT_EQ(found.size(), content.rfind('\n', 3002) + 1) << "every line that ends before it, and no part";
  }
}

// Decoded or not, whatever hands them on.
TEST(max_size, bounds_what_is_not_compressed) {
  const std::string plain = numbered_lines(1000);
  const temporary_file file(plain);
  for (const decoding format : {decoding::none, decoding::automatic}) {
    for (const std::size_t most : {std::size_t{0}, std::size_t{100}, plain.size() - 1, plain.size()}) {
      const auto expect = [&](const input& from, read_options reading) {
        reading.decode = format;
        reading.max_size = most;
        const read_outcome found = read_blocks(from, reading);
        EXPECT_TRUE(found.bytes == plain.substr(0, most));
        ASSERT_EQ(found.failure.has_value(), most < plain.size());
        if (!found.failure) return;
        EXPECT_THAT(*found.failure, is_error(errc::too_large, most));
        EXPECT_FALSE(found.failure->compressed_offset());
        EXPECT_EQ(found.failure->remedy().what, advice::larger_max_size) << found.failure->what();
      };
      expect(memory(plain), {});
      for (const method used : usable_methods()) {
        for (const std::size_t block_size : {0U, 7U})
          expect(file.path(), {.method = used, .block_size = block_size});
      }
      std::istringstream stream(plain);
      expect(stream, {});
      const fed_pipe pipe(plain);
      expect(pipe.get(), {});
      for (const unsigned threads : {1U, 3U}) {
        const auto failure = error_of([&] {
          parallel_for_each(file.path(), [](std::string_view) {}, {.threads = threads, .split_size = 500},
                            {.decode = format, .max_size = most});
        });
        ASSERT_EQ(failure.has_value(), most < plain.size());
        if (failure) {
          EXPECT_EQ(failure->offset(), most);
        }
      }
    }
  }
}

// A descriptor that does not stand at the start, and a seek.
TEST(max_size, counts_from_the_start_of_the_reading) {
  const temporary_file file("0123456789");
  const owned_descriptor opened = open_at(file.path(), 4);
  EXPECT_EQ(read_blocks(opened.get(), {.max_size = 5}).bytes, "45678");
  source from(file.path(), {.max_size = 5});
  from.seek(7);
  EXPECT_EQ(code_of([&] { from.next(); }), errc::too_large);
  source again(file.path(), {.block_size = 4, .max_size = 5});
  EXPECT_EQ(again.next().bytes, "0123");
  EXPECT_EQ(again.next().bytes, "4");
  again.seek(3);
  EXPECT_EQ(again.next().bytes, "34");
}

TEST_P(each_damage, of_a_frame_that_is_skipped_is_none_wherever_it_stands) {
  if (GetParam().format != decoding::zstd && GetParam().format != decoding::lz4) return;
  const std::string one = member("one\n");
  const std::string two = member("two\n");
  for (const std::size_t size : {0U, 12U, 60U, 1000U, 300'000U}) {
    const std::string frame = skippable_frame(std::string(size, 's'));
    for (const std::string& compressed : {frame, frame + one + two, one + frame + two, one + two + frame,
                                          frame + frame + one + frame + frame + two + frame}) {
      for_each_reading(compressed, [&](const read_outcome& found) {
        EXPECT_FALSE(found.failure) << found.failure->what();
        EXPECT_EQ(found.bytes, compressed == frame ? "" : "one\ntwo\n") << size;
      });
    }
    for_each_reading(one + frame.substr(0, frame.size() - 1), [&](const read_outcome& found) {
      ASSERT_EQ(found.failure.has_value(), true);
      EXPECT_EQ(found.bytes, "one\n");
      expect_places(found, one.size() + frame.size() - 1);
    });
  }
}

// The damaged block fills the second block that is held back to its end, and goes on in a third.
TEST(bgzf, of_which_a_late_block_is_damaged_gives_those_before_it) {
  const container& bgzf = container_named("bgzf");
  if (const auto reason = missing(bgzf)) GTEST_SKIP() << *reason;
  const std::string content = patterned_bytes(3 * copied_block);
  std::string damaged = bgzf.member(content);
  const auto number_at = [&](std::size_t place) {
    const auto byte_at = [&](std::size_t at) -> std::size_t {
      return static_cast<unsigned char>(damaged[at]);
    };
    return byte_at(place) | byte_at(place + 1) << 8U;
  };
  std::size_t end = 0;  // of a block, whose last four bytes say its size
  std::size_t before = 0;
  for (std::size_t size = 0; before + size <= 2 * copied_block;) {
    before += size;
    end += number_at(end + 16) + 1;
    size = number_at(end - 4);
  }
  damaged[end - 8] ^= 1;  // its checksum
  for (const unsigned threads : {1U, 3U}) {
    const read_outcome found =
        read_blocks(memory(damaged), {.decode = decoding::gzip, .decode_threads = threads});
    EXPECT_TRUE(found.failure);
    EXPECT_TRUE(found.bytes == content.substr(0, before)) << found.bytes.size() << " of " << before;
  }
}

// A window of 2 to the power of 31 or 27, and no content.
std::string zstd_of_window(unsigned power) {
  return std::string("\x28\xB5\x2F\xFD\0", 5) + static_cast<char>((power - 10) << 3U) +
         std::string("\x01\0\0", 3);
}

TEST(a_limit, of_windows_and_dictionaries_names_the_remedy) {
  struct {
    std::string_view container;
    std::string compressed;
    std::string_view remedy;  // empty: it can be read
  } const rows[] = {
      {"zstd", zstd_of_window(31), "zstd -dc --long=31"},
      {"zstd", zstd_of_window(28), "zstd -dc --long=31"},
      {"zstd", zstd_of_window(27), ""},
      {"xz", "33", "xz -dc"},  // the code of 384 MiB
      {"xz", "32", ""},        // of 256 MiB
  };
  int tried = 0;
  for (const auto& row : rows) {
    const container& which = container_named(row.container);
    if (missing(which)) continue;
    ++tried;
    std::string compressed = row.compressed;
    if (row.container == "xz")
      compressed = with_dictionary(which.member("content"), static_cast<std::uint8_t>(std::stoi(compressed)));
    for (const unsigned threads : {1U, 3U}) {
      const read_outcome found =
          read_blocks(memory(compressed), {.decode = decoding::automatic, .decode_threads = threads});
      ASSERT_EQ(found.failure.has_value(), !row.remedy.empty()) << row.container << row.compressed.size();
      if (!found.failure) continue;
      EXPECT_THAT(*found.failure, is_error(errc::too_large, {}, row.remedy));
    }
  }
  if (tried == 0) GTEST_SKIP() << "no decoder of zstd or xz is there";
}

}  // namespace
}  // namespace riffle::test
