/// File systems that tests mount: none outlives the test, whatever becomes of it.
#pragma once

#include <sys/types.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/support.hpp"

namespace riffle::test {

/// Gives this process mounts of its own, which go with it. Returns why it cannot, as it may not without root.
std::optional<std::string> refusal_of_mounts();

/// A file system on a directory of its own. Needs `refusal_of_mounts` to have found nothing.
class mounted : not_copied {
 public:
  /// As mount(2). Throws std::system_error.
  mounted(const std::string& source, const std::string& type, const std::string& data = {});
  ~mounted();
  std::filesystem::path path() const { return directory_.path(); }

 private:
  temporary_directory directory_;
};

/// A block device whose bytes are those of a file. It goes when no one has it open or mounted.
class loop_device {
 public:
  /// A sector of 0 bytes is as the OS has it, mostly of 512. Throws std::system_error.
  explicit loop_device(const std::filesystem::path& image, std::uint32_t sector = 0);
  const std::string& path() const { return path_; }
  /// Asks for the size of the file again.
  void follow_size() const;

 private:
  std::string path_;
  std::optional<owned_descriptor> device_;  // open while it lives
};

/// A file served by riffle-slow-fs.
class slow_file : not_copied {
 public:
  /// Serves `bytes` with these options: "--latency=1000". Throws std::runtime_error.
  slow_file(const std::string& bytes, const std::vector<std::string>& options);
  ~slow_file();
  std::filesystem::path path() const { return directory_.path() / "1"; }
  /// Ends the file system. Returns what it prints at its end.
  std::string end();

 private:
  temporary_file backing_;
  temporary_directory directory_;
  owned_descriptor output_;
  pid_t process_ = -1;
};

/// What a slow_file tells at its end: "2050 requests, 32 at once at most, 268435456 bytes".
struct slow_requests {
  std::uint64_t most_at_once;
  std::uint64_t bytes;
};
slow_requests requests_of(const std::string& told);

/// Returns why no slow_file can be had here.
std::optional<std::string> refusal_of_slow_files();

/// Tests that are ended if they hang.
template <class Base = testing::Test>
class timed_test : public Base {
 protected:
  void SetUp() override { ::alarm(110); }
  void TearDown() override { ::alarm(0); }
};

/// The same, which need slow files.
template <class Base = testing::Test>
class test_of_slow_files : public timed_test<Base> {
 protected:
  void SetUp() override {
    if (const auto refusal = refusal_of_slow_files()) GTEST_SKIP() << *refusal;
    timed_test<Base>::SetUp();
  }
};

}  // namespace riffle::test
