/// What files of Windows have of their own: paths, sharing, line ends, offsets of 64 bits, handles of all
/// kinds.
#include "os/windows/calls.hpp"

#include <fcntl.h>
#include <io.h>
#include <riffle/count.hpp>

#include "os/file.hpp"
#include "tests/support/support.hpp"

namespace riffle::os {
namespace {

using test::owned_descriptor;
using test::temporary_directory;
using test::temporary_file;
using test::thrown_by;

class each_windows_method : public testing::TestWithParam<method> {
 protected:
  static std::string all_of(const input& from) {
    std::string found;
    for (const block& part : blocks(from, {.method = GetParam()})) found += part.bytes;
    return found;
  }
};
INSTANTIATE_TEST_SUITE_P(methods, each_windows_method, testing::ValuesIn(test::usable_methods()),
                         test::method_name);

const std::string with_line_ends = "one\r\ntwo\nthree\r\r\n\x1a four\r\n";

TEST_P(each_windows_method, changes_no_line_end) {
  const temporary_file file(with_line_ends);
  EXPECT_EQ(all_of(file.path()), with_line_ends);
  const owned_descriptor as_text(_wopen(file.path().c_str(), _O_RDONLY | _O_TEXT));
  EXPECT_EQ(all_of(as_text.get()), with_line_ends);
}

TEST_P(each_windows_method, takes_paths_of_any_language_and_length) {
  const temporary_directory directory;
  std::filesystem::path folder = directory.path() / L"\u4e2d\u6587 \u00fc\u00df \U0001f600";
  for (int i = 0; i != 8; ++i) folder /= std::wstring(50, L'x');
  std::filesystem::create_directories(LR"(\\?\)" + folder.native());
  const std::filesystem::path path = folder / L"\u00e9.txt";
  std::ofstream(std::filesystem::path(LR"(\\?\)" + path.native()), std::ios::binary) << "some bytes";
  EXPECT_GT(path.native().size(), 400U);
  EXPECT_EQ(all_of(path), "some bytes");
  DeleteFileW((LR"(\\?\)" + path.native()).c_str());
  for (; folder != directory.path(); folder = folder.parent_path()) {
    RemoveDirectoryW((LR"(\\?\)" + folder.native()).c_str());
  }
}

TEST_P(each_windows_method, takes_a_short_name_in_a_deep_folder) {
  const temporary_directory directory;
  const std::filesystem::path before = std::filesystem::current_path();
  const std::filesystem::path deep = directory.path() / std::wstring(100, L'x') / std::wstring(90, L'y');
  std::filesystem::create_directories(LR"(\\?\)" + deep.native());
  const std::wstring name(100, L'z');
  std::ofstream(std::filesystem::path(LR"(\\?\)" + (deep / name).native()), std::ios::binary) << "some bytes";
  std::filesystem::current_path(deep);
  EXPECT_EQ(all_of(name), "some bytes");
  std::filesystem::current_path(before);
  DeleteFileW((LR"(\\?\)" + (deep / name).native()).c_str());
}

TEST_P(each_windows_method, reads_beyond_4_gib) {
  constexpr std::uint64_t gib = std::uint64_t{1} << 30U;
  const temporary_file file;
  {
    const owned_descriptor sparse(test::open_to_write(file.path()));
    DWORD size = 0;
    DeviceIoControl(handle_of(sparse.get()), 0x900c4 /* FSCTL_SET_SPARSE */, nullptr, 0, nullptr, 0, &size,
                    nullptr);
    ASSERT_EQ(test::move_to(sparse.get(), 5 * gib), static_cast<std::int64_t>(5 * gib));
    ASSERT_EQ(test::write_some(sparse.get(), "the end\r\n"), 9);
  }
  source from(file.path(), {.method = GetParam()});
  for (const std::uint64_t place : {5 * gib + 4, 4 * gib - 3, 5 * gib - 1}) {
    from.seek(place);
    const block part = from.next();
    EXPECT_EQ(part.offset, place);
    const std::size_t end = std::min<std::size_t>(part.size(), 5 * gib + 9 - place);
    std::string expected(place < 5 * gib ? std::min<std::size_t>(5 * gib - place, end) : 0, '\0');
    if (expected.size() < end)
      expected += std::string("the end\r\n").substr(place + expected.size() - 5 * gib);
    EXPECT_TRUE(part.bytes == std::string_view(expected).substr(0, end)) << place;
  }
}

TEST(files, may_be_written_renamed_and_removed_while_they_are_read) {
  const temporary_file on_disk("abcdef");
  const file opened = file::open(on_disk.path());
  on_disk.append("ghi");
  const std::filesystem::path renamed = on_disk.path().parent_path() / "renamed";
  std::filesystem::rename(on_disk.path(), renamed);
  EXPECT_TRUE(std::filesystem::remove(renamed));
  std::string bytes(20, '\0');
  bytes.resize(opened.read_at(bytes, 0));
  EXPECT_EQ(bytes, "abcdefghi");
}

TEST(files, that_are_not_shared_are_refused_with_the_reason) {
  const temporary_file on_disk("abc");
  const owned_handle alone(
      CreateFileW(on_disk.path().c_str(), GENERIC_READ, 0, nullptr, OPEN_EXISTING, 0, nullptr));
  ASSERT_TRUE(alone.valid());
  const error thrown = thrown_by([&] { file::open(on_disk.path()); });
  EXPECT_EQ(thrown.code(), std::errc::permission_denied);
  EXPECT_NE(std::string_view(thrown.what()).find("another program"), std::string_view::npos) << thrown.what();
}

TEST(files, have_names_in_utf_8) {
  EXPECT_EQ(name_of(L"C:\\\u00e9\U0001f600"), "C:\\\xc3\xa9\xf0\x9f\x98\x80");
  const std::wstring half = {L'a', wchar_t{0xd83d}, L'b'};
  EXPECT_EQ(name_of(half),
            "a\xef\xbf\xbd"
            "b")
      << "what is no Unicode is replaced";
  EXPECT_EQ(thrown_by([] { file::open(L"\u00e9"); }).path(), "\xc3\xa9");
}

TEST(files, have_paths_from_the_root) {
  std::error_code failure;
  for (const std::filesystem::path path :
       {LR"(C:\a)", LR"(\\server\share\a)", LR"(\\?\C:\a\..\b)", LR"(\\.\pipe\a)"}) {
    EXPECT_EQ(path_from_root(path, failure), path);
  }
  EXPECT_EQ(path_from_root(L"a", failure), std::filesystem::current_path() / "a");
  EXPECT_FALSE(failure);
}

TEST(files, of_others_keep_their_position) {
  const temporary_file on_disk("abcdefghi");
  const owned_descriptor theirs(test::open_to_read(on_disk.path()));
  ASSERT_EQ(test::move_to(theirs.get(), 4), 4);
  const file borrowed = file::borrow(theirs.get(), "theirs");
  char byte = 0;
  EXPECT_EQ(borrowed.read_at({&byte, 1}, 7), 1U);
  EXPECT_EQ(byte, 'h');
  EXPECT_EQ(test::position_of(theirs.get()), 4);
}

TEST(pipes, go_on_after_a_write_of_no_bytes) {
  const auto [reading, writing] = test::make_pipe();
  const owned_descriptor from(reading);
  owned_descriptor to(writing);
  std::jthread writer([&to] {
    DWORD count = 0;
    WriteFile(handle_of(to.get()), "a\n", 2, &count, nullptr);
    WriteFile(handle_of(to.get()), "", 0, &count, nullptr);
    WriteFile(handle_of(to.get()), "b\n", 2, &count, nullptr);
    to.close();
  });
  EXPECT_EQ(count_lines(from.get()), 2U);
}

std::wstring pipe_name() {
  return L"\\\\.\\pipe\\riffle-test-" + std::to_wstring(GetCurrentProcessId());
}

HANDLE named_pipe(DWORD access, DWORD type) {
  return CreateNamedPipeW(pipe_name().c_str(), access, type, 1, 4096, 4096, 0, nullptr);
}

// As runtimes with completion ports of their own make them.
TEST(pipes, may_be_overlapped) {
  HANDLE const server = named_pipe(PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED, PIPE_TYPE_BYTE);
  ASSERT_NE(server, INVALID_HANDLE_VALUE);
  const owned_descriptor from(_open_osfhandle(reinterpret_cast<std::intptr_t>(server), _O_RDONLY));
  HANDLE const client =
      CreateFileW(pipe_name().c_str(), GENERIC_WRITE, 0, nullptr, OPEN_EXISTING, 0, nullptr);
  ASSERT_NE(client, INVALID_HANDLE_VALUE);
  std::jthread writer([client] {
    const owned_descriptor to(_open_osfhandle(reinterpret_cast<std::intptr_t>(client), _O_WRONLY));
    test::write_slowly(to.get(), "a\nb\nc\n", 1);
  });
  EXPECT_EQ(count_lines(from.get()), 3U);
}

TEST(pipes, end_where_their_server_disconnects) {
  const owned_handle server(named_pipe(PIPE_ACCESS_OUTBOUND, PIPE_TYPE_BYTE));
  ASSERT_TRUE(server.valid());
  const file from = file::open(pipe_name());
  DWORD count = 0;
  ASSERT_NE(WriteFile(server.get(), "abc", 3, &count, nullptr), 0);
  std::string bytes(20, '\0');
  EXPECT_EQ(from.read(bytes, 0), 3U);
  ASSERT_NE(DisconnectNamedPipe(server.get()), 0);
  EXPECT_EQ(from.read(bytes, 3), 0U);
}

TEST(pipes, end_no_earlier_than_a_message_that_is_longer_than_a_block) {
  const owned_handle server(named_pipe(PIPE_ACCESS_OUTBOUND, PIPE_TYPE_MESSAGE));
  ASSERT_TRUE(server.valid());
  const file from = file::open(pipe_name());
  DWORD mode = PIPE_READMODE_MESSAGE;
  ASSERT_NE(SetNamedPipeHandleState(handle_of(from.descriptor()), &mode, nullptr, nullptr), 0);
  DWORD count = 0;
  ASSERT_NE(WriteFile(server.get(), "abcdef", 6, &count, nullptr), 0);
  std::string bytes(4, '\0');
  EXPECT_EQ(from.read(bytes, 0), 4U);
  EXPECT_EQ(from.read(bytes, 4), 2U);
}

TEST(a_ring, of_the_page_cache_is_unavailable) {
  EXPECT_TRUE(find_method(method::uring)->unavailable());
  const temporary_file on_disk("a\nb\n");
  EXPECT_EQ(test::code_of([&] { (void)count_lines(on_disk.path(), {}, {.method = method::uring}); }),
            errc::method_unavailable);
}

}  // namespace
}  // namespace riffle::os
