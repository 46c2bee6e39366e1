/// Disks that fail, real ones as far as the OS kernel knows: file systems on loop devices, damaged under way.
#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <riffle/riffle.hpp>

#include "tests/faults/answers.hpp"
#include "tests/support/mounts.hpp"
#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

const std::string text = patterned_bytes(160 << 10);
constexpr std::size_t small_block = 16384;

// A file of `size` bytes with a file system in it, made by `program`, a path after its options.
class image {
 public:
  image(const std::string& program, std::uint64_t size) {
    file_.resize(size);
    const shell_result made = shell(program + " " + file_.path().string() + " 2>&1");
    if (made.status != 0) refusal_ = program + ": " + made.out;
  }
  const std::string& refusal() const { return refusal_; }
  std::filesystem::path path() const { return file_.path(); }

  // Changes the byte at `offset` of the file whose bytes are `truth`, where it lies in the image.
  void damage(std::string_view truth, std::size_t offset) const {
    const std::size_t at = read_all(file_.path()).find(truth.substr(offset, 4096));
    ASSERT_NE(at, std::string::npos);
    const owned_descriptor opened(::open(file_.path().c_str(), O_WRONLY | O_CLOEXEC));
    ASSERT_EQ(::pwrite(opened.get(), "!", 1, static_cast<off_t>(at)), 1);
  }

 private:
  temporary_file file_;
  std::string refusal_;
};

void write_through(const std::filesystem::path& path, std::string_view bytes) {
  const owned_descriptor opened(::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644));
  ASSERT_EQ(::write(opened.get(), bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  ASSERT_EQ(::fsync(opened.get()), 0);
}

void forget(const std::filesystem::path& path) {
  const owned_descriptor opened(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  ASSERT_EQ(::posix_fadvise(opened.get(), 0, 0, POSIX_FADV_DONTNEED), 0);
}

class a_disk : public timed_test<> {
 protected:
  void SetUp() override {
    if (const auto refusal = refusal_of_mounts()) GTEST_SKIP() << *refusal;
    if (::access("/dev/loop-control", R_OK | W_OK) != 0) GTEST_SKIP() << "no loop devices here";
    timed_test::SetUp();
  }
};

TEST_F(a_disk, with_a_bad_block_is_right_up_to_it_by_every_method) {
  const image disk("mkfs.btrfs -q --mixed", 32 << 20);
  if (!disk.refusal().empty()) GTEST_SKIP() << disk.refusal();
  constexpr std::size_t bad = 80 << 10;
  {
    const loop_device device(disk.path());
    const mounted place(device.path(), "btrfs");
    write_through(place.path() / "file", text);
  }
  disk.damage(text, bad);
  const loop_device device(disk.path());
  const mounted place(device.path(), "btrfs");
  const std::filesystem::path file = place.path() / "file";
  const auto refusal = refusal_of_populate();
  for (const method used : usable_methods()) {
    if (refusal && used == method::mmap) continue;
    SCOPED_TRACE(name_of(used));
    forget(file);
    expect_errors(answers(file, text, {.method = used, .block_size = small_block}), file,
                  {std::errc::io_error}, bad);
  }
  if (refusal) GTEST_SKIP() << "by mmap: " << *refusal;
}

TEST_F(a_disk, that_shrinks_is_right_up_to_its_end_or_an_error) {
  const image disk("mkfs.ext4 -q -F", 8 << 20);
  if (!disk.refusal().empty()) GTEST_SKIP() << disk.refusal();
  const loop_device device(disk.path());
  const mounted place(device.path(), "ext4");
  const std::filesystem::path file = place.path() / "file";
  write_through(file, patterned_bytes(4 << 20));
  forget(file);
  std::filesystem::resize_file(disk.path(), 3 << 20);
  device.follow_size();
  const auto refusal = refusal_of_populate();
  for (const method used : usable_methods()) {
    if (refusal && used == method::mmap) continue;
    SCOPED_TRACE(name_of(used));
    forget(file);
    const ending given = answer_in_blocks(file, patterned_bytes(4 << 20), {.method = used});
    expect_errors({given}, file, {std::errc::io_error});
  }
  if (refusal) GTEST_SKIP() << "by mmap: " << *refusal;
}

// Pages in the cache outlive the file system; read(2) fails at once.
TEST_F(a_disk, whose_file_system_dies_is_an_error_after_what_was_read) {
  for (const method used : usable_methods()) {
    SCOPED_TRACE(name_of(used));
    const image disk("mkfs.ext4 -q -F", 2 << 20);
    if (!disk.refusal().empty()) GTEST_SKIP() << disk.refusal();
    const loop_device device(disk.path());
    const mounted place(device.path(), "ext4");
    const std::filesystem::path file = place.path() / "file";
    write_through(file, text);
    forget(file);
    source from(file, {.method = used, .block_size = small_block, .queue_depth = queued(used, 2)});
    std::string found(from.next().bytes);
    const owned_descriptor opened(::open(place.path().c_str(), O_RDONLY | O_CLOEXEC));
    std::uint32_t without_flush = 2;
    const int ended = ::ioctl(opened.get(), _IOR('X', 125, std::uint32_t), &without_flush);
    if (ended != 0 && (errno == ENOTTY || errno == ENOSYS))
      GTEST_SKIP() << "no file system can be shut down here, as by qemu's user mode";
    ASSERT_EQ(ended, 0);
    const auto failure = error_of([&] { read_on(from, found); });
    expect_right_or_error({{"source", {.truth = text, .bytes = found}, failure}}, file, {std::errc::io_error},
                          failure ? std::optional(found.size()) : std::nullopt);
    EXPECT_TRUE(failure || from.method() == method::mmap);
  }
}

// As many NVMe disks have: O_DIRECT takes no smaller step there.
TEST_F(a_disk, of_sectors_of_4096_bytes_is_read_from_any_offset_by_every_method) {
  const image disk("mkfs.ext4 -q -F -b 4096", 4 << 20);
  if (!disk.refusal().empty()) GTEST_SKIP() << disk.refusal();
  const loop_device device(disk.path(), 4096);
  const mounted place(device.path(), "ext4");
  const std::filesystem::path file = place.path() / "file";
  const std::string_view odd = std::string_view(text).substr(77);
  write_through(file, odd);
  for (const method used : usable_methods()) {
    for (const std::size_t block_size : {std::size_t{512}, small_block}) {
      for (const std::size_t offset : {0U, 1U, 511U, 512U, 4095U, 4096U, 50'000U}) {
        SCOPED_TRACE(std::string(name_of(used)) + " from " + std::to_string(offset));
        source from(file, {.method = used, .block_size = block_size});
        from.seek(offset);
        EXPECT_TRUE(rest_of(from) == odd.substr(offset));
        EXPECT_TRUE(used == method::automatic || from.method() == used);
      }
    }
  }
}

TEST_F(a_disk, that_is_read_as_a_device_is_left_at_its_end_and_chosen_for_as_a_file) {
  const temporary_file bytes(patterned_bytes(9 << 20));
  const loop_device device(bytes.path());
  for (const method used : usable_methods()) {
    SCOPED_TRACE(name_of(used));
    const owned_descriptor opened(::open(device.path().c_str(), O_RDONLY | O_CLOEXEC));
    std::size_t found = 0;
    for (const block& part : blocks(opened.get(), {.method = used})) found += part.bytes.size();
    EXPECT_EQ(found, 9U << 20);
    EXPECT_EQ(::lseek(opened.get(), 0, SEEK_CUR), 9 << 20);
  }
  const source chosen(std::filesystem::path(device.path()));
  EXPECT_EQ(chosen.method(), source(bytes.path()).method());
}

TEST_F(a_disk, of_memory_or_of_layers_is_read_to_its_last_byte_with_o_direct) {
  const temporary_directory parts;
  const std::string base = parts.path().string();
  for (const char* const part : {"/lower", "/upper", "/work"}) std::filesystem::create_directory(base + part);
  const mounted memory("riffle-test", "tmpfs");
  const mounted layers("riffle-test", "overlay",
                       "lowerdir=" + base + "/lower,upperdir=" + base + "/upper,workdir=" + base + "/work");
  for (const mounted* place : {&memory, &layers}) {
    for (const std::size_t odd : {1U, 511U, 4095U, 4097U, 100'000U}) {
      SCOPED_TRACE(odd);
      const std::filesystem::path file = place->path() / std::to_string(odd);
      const std::string_view part = std::string_view(text).substr(0, odd);
      write_through(file, part);
      expect_right_or_error({answer_in_blocks(file, part, {.method = method::direct})}, file,
                            {std::errc::operation_not_supported});
    }
  }
}

// As the cheapest disks of a cloud.
TEST_F(a_disk, that_is_throttled_is_read_right_and_can_be_interrupted) {
  const std::string group = "/sys/fs/cgroup/blkio/riffle-test-" + std::to_string(::getpid());
  std::error_code refused;
  if (!std::filesystem::create_directory(group, refused) ||
      !std::filesystem::exists(group + "/blkio.throttle.read_bps_device")) {
    GTEST_SKIP() << "no control group of block devices of version 1 here";
  }
  const image disk("mkfs.ext4 -q -F", 4 << 20);
  if (!disk.refusal().empty()) GTEST_SKIP() << disk.refusal();
  {
    const loop_device device(disk.path());
    const mounted place(device.path(), "ext4");
    const std::string file = (place.path() / "file").string();
    const std::string bytes = patterned_bytes(1 << 20);
    const std::string lines = std::to_string(std::ranges::count(bytes, '\n'));
    write_through(file, bytes);
    struct stat status{};
    ASSERT_EQ(::stat(device.path().c_str(), &status), 0);
    const auto read_at = [&](unsigned bytes_a_second, const std::string& command) {
      forget(file);
      std::ofstream(group + "/blkio.throttle.read_bps_device")
          << major(status.st_rdev) << ":" << minor(status.st_rdev) << " " << bytes_a_second;
      return shell("echo $$ > " + group + "/cgroup.procs; " + command);
    };
    for (const method used : usable_methods()) {
      SCOPED_TRACE(name_of(used));
      const std::string wc = "$riffle wc --lines --method " + std::string(name_of(used)) + " " + file;
      EXPECT_EQ(read_at(16 << 20, wc).out, lines + " " + file + "\n");
      EXPECT_EQ(read_at(65536, "timeout --foreground -s INT -k 5 0.2 " + wc).status, 124);
    }
  }
  ::rmdir(group.c_str());
}

}  // namespace
}  // namespace riffle::test
