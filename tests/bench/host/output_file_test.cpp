/// Reports are written into directories that others may write to, and onto disks that are full.
#include <sys/stat.h>
#include <unistd.h>

#include <future>

#include "bench/host/output_file.hpp"
#include "tests/support/support.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;
using testing::HasSubstr;

class output_file_in : public testing::Test {
 protected:
  path at(const char* name) const { return directory_.path() / name; }
  path with(const char* name, std::string_view text) const {
    std::ofstream(at(name)) << text;
    return at(name);
  }
  std::string contents(const char* name) const {
    std::ifstream in(at(name));
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::ptrdiff_t files() const {
    return std::distance(std::filesystem::directory_iterator(directory_.path()), {});
  }
  static bool is_report(std::string_view start) { return start.starts_with("report"); }
  output_file file(const char* name) const { return {at(name), is_report}; }
  std::string refusal_of(output_file&& to) const {
    const auto failure = test::error_of([&] { to.write("report 2"); });
    return failure ? failure->what() : "";
  }

  test::temporary_directory directory_;
};

}  // namespace

TEST_F(output_file_in, makes_no_file_before_it_is_written_and_keeps_the_mode_of_an_earlier_report) {
  output_file to = file("new");
  EXPECT_TRUE(std::filesystem::is_empty(directory_.path()));
  to.write("report 2");
  EXPECT_EQ(contents("new"), "report 2");
  std::filesystem::permissions(at("new"), std::filesystem::perms(04640));
  std::filesystem::create_hard_link(at("new"), at("other"));
  file("new").write("report 3");
  EXPECT_EQ(contents("new"), "report 3");
  EXPECT_EQ(contents("other"), "report 2");  // the earlier one was not written to
  EXPECT_EQ(std::filesystem::status(at("new")).permissions(), std::filesystem::perms(0640));
  EXPECT_EQ(files(), 2);
}

TEST_F(output_file_in, follows_a_link_at_the_start_and_never_again) {
  with("precious", "report of others");
  with("report", "report 1");
  std::filesystem::create_symlink("report", at("link"));
  output_file to = file("link");
  output_file other = file("new");
  std::filesystem::remove(at("link"));
  for (const char* name : {"link", "new"}) std::filesystem::create_symlink("precious", at(name));
  to.write("report 2");
  other.write("report 3");
  EXPECT_EQ(contents("report"), "report 2");
  EXPECT_EQ(contents("new"), "report 3");
  EXPECT_EQ(contents("precious"), "report of others");
  EXPECT_TRUE(std::filesystem::is_symlink(at("link")));
}

TEST_F(output_file_in, overwrites_no_other_file_that_was_put_in_its_place) {
  output_file to = file("report");
  with("report", "precious");
  EXPECT_THAT(refusal_of(std::move(to)),
              HasSubstr("/report': it is no report of riffle bench; name another file"));
  EXPECT_EQ(contents("report"), "precious");
  with("report", "report of another run");
  EXPECT_EQ(refusal_of(std::move(to)), "");
  EXPECT_EQ(files(), 1);
}

TEST_F(output_file_in, refuses_what_it_cannot_write_at_the_start) {
  with("precious", "text");
  std::filesystem::create_directory(at("directory"));
  std::filesystem::create_symlink("loop", at("loop"));
  for (const auto& [name, said] : {std::pair("precious", std::string("it is no report of riffle bench")),
                                   std::pair("directory", std::string("Is a directory")),
                                   std::pair("directory/", std::string("Is a directory")),
                                   std::pair("loop", std::generic_category().message(ELOOP)),
                                   std::pair("nowhere/report", std::string("No such file or directory"))})
    EXPECT_THAT(test::thrown_by([&, name = name] { file(name); }).what(), HasSubstr(said)) << name;
}

TEST_F(output_file_in, opens_a_fifo_once) {
  ASSERT_EQ(mkfifo(at("fifo").c_str(), 0600), 0);
  // A reader of a FIFO that is opened twice sees the end in between, and the second writer waits for ever.
  alarm(30);
  auto read = std::async(std::launch::async, [&] { return contents("fifo"); });
  file("fifo").write("report 2");
  EXPECT_EQ(read.get(), "report 2");
  alarm(0);
}

TEST_F(output_file_in, writes_devices_in_place) {
  output_file("/dev/null", is_report).write("report 2");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_THAT(refusal_of(output_file("/dev/full", is_report)),
              HasSubstr("'/dev/full': No space left on device"));
}

TEST_F(output_file_in, writes_in_place_if_the_directory_takes_no_new_file) {
  if (geteuid() == 0) GTEST_SKIP() << "root may write to any directory";
  with("report", "report 1");
  std::filesystem::permissions(directory_.path(), std::filesystem::perms(0500));
  EXPECT_EQ(refusal_of(file("report")), "");
  const auto refused = test::error_of([&] { file("new"); });
  std::filesystem::permissions(directory_.path(), std::filesystem::perms(0700));
  EXPECT_EQ(contents("report"), "report 2");
  EXPECT_THAT(refused.value().what(), HasSubstr("Permission denied"));
}

}  // namespace riffle::bench
