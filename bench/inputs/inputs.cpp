/// Puts the generated inputs into files and looks at the user's before they are timed.
#include "bench/inputs/inputs.hpp"

#include <array>
#include <cerrno>
#include <fstream>
#include <functional>
#include <riffle/error.hpp>

#include "os/file_system.hpp"

namespace riffle::bench {

namespace {

using std::filesystem::path;

// Program 4 reads 185 files of 0.02 to 1.8 MB. Here their sizes go from
// a third to five thirds of the average. Together they have a quarter of
// the size asked for, as the 30 contenders that count words are slow.
constexpr std::uint64_t number_of_small_files = 185;

constexpr std::uint64_t longest_line = 128;

/// The large input of a task.
struct recipe {
  const char* name;
  const char* file;
  void (*write)(std::ostream&, std::uint64_t size);
  std::uint64_t least;  // size for which it is not empty
};

constexpr recipe text{"text", "text.txt",
                      [](std::ostream& out, std::uint64_t size) { write_text(out, size); }, longest_line};

// In the order of the tasks.
constexpr std::array<recipe, all_tasks.size()> recipes{{{"genome", "genome.fa", write_genome, longest_line},
                                                        text,
                                                        text,
                                                        {"arrays", "arrays.bin", write_ints, 4096},
                                                        {"primes", "primes.dat", write_primes, 8}}};

const recipe& recipe_of(task which) noexcept {
  return recipes[static_cast<std::size_t>(which)];
}

/// Takes no more bytes once a run is interrupted.
class input_file : public std::filebuf {
 public:
  explicit input_file(const std::function<bool()>& interrupted) : interrupted_(interrupted) {}
  bool interrupted() const { return interrupted_ && interrupted_(); }

 private:
  std::streamsize xsputn(const char* bytes, std::streamsize size) override {
    return interrupted() ? 0 : std::filebuf::xsputn(bytes, size);
  }
  const std::function<bool()>& interrupted_;
};

/// Writes the inputs of one task.
class input_writer {
 public:
  input_writer(const path& directory, const std::function<bool()>& interrupted)
      : directory_(directory), interrupted_(interrupted) {}

  input one(const recipe& by, std::uint64_t size) const {
    const path file = directory_ / by.file;
    const std::uint64_t bytes = write_file(file, [&](std::ostream& out) { by.write(out, size); });
    return {by.name, {file}, bytes, true};
  }

  input small_files(std::uint64_t size) const {
    input all{"small files", {}, 0, true};
    for (std::uint64_t i = 0; i < number_of_small_files; ++i) {
      const std::uint64_t share = size / 4 / number_of_small_files * (1 + i % 5) / 3;
      path file = directory_ / ("book" + std::to_string(i) + ".txt");
      all.bytes += write_file(file, [&](std::ostream& out) { write_text(out, share, 100 + i); });
      all.files.push_back(std::move(file));
    }
    return all;
  }

 private:
  template <class Write>
  std::uint64_t write_file(const path& file, Write write) const {
    errno = 0;
    input_file bytes(interrupted_);
    const bool opened = bytes.open(file, std::ios::out | std::ios::binary) != nullptr;
    std::ostream out(opened ? &bytes : nullptr);
    write(out);
    const bool closed = bytes.close() != nullptr;
    if (!opened || ((!out || !closed) && !bytes.interrupted()))
      throw error({errno, std::generic_category()}, "write", file.string());
    return std::filesystem::file_size(file);
  }

  const path& directory_;
  const std::function<bool()>& interrupted_;
};

// Walks from length to length: every array must lie within the file.
void check_arrays(const path& file, std::uint64_t size) {
  std::ifstream in(file, std::ios::binary);
  std::uint64_t offset = 0;
  std::int32_t length = 0;
  while (in.read(static_cast<char*>(static_cast<void*>(&length)), sizeof length)) {
    const std::uint64_t array = sizeof length + static_cast<std::uint64_t>(length) * sizeof(std::int32_t);
    if (length < 0 || array > size - offset) break;
    offset += array;
    in.seekg(static_cast<std::streamoff>(offset));
  }
  if (offset == size) return;
  throw error(errc::invalid_argument, "read", file.string(), offset,
              "the task ints needs arrays of 32-bit integers, each after its length");
}

void check_format(task which, const path& file, std::uint64_t size) {
  if (which == task::ints) check_arrays(file, size);
  if (which == task::primes && size % sizeof(std::uint64_t) != 0) {
    throw error(errc::invalid_argument, "read", file.string(), size,
                "the task primes needs 64-bit values, and the size is not a multiple of 8 bytes");
  }
}

}  // namespace

std::vector<input> make_inputs(task which, std::uint64_t size, const path& directory,
                               const std::function<bool()>& interrupted) {
  const input_writer made(directory, interrupted);
  std::vector<input> all{made.one(recipe_of(which), size)};
  if (inputs_made(which) > 1) all.push_back(made.small_files(size));
  return all;
}

std::uint64_t least_size(task which, std::size_t input) noexcept {
  return input == 0 ? recipe_of(which).least : number_of_small_files * 4 * longest_line * 3 / 5;
}

std::size_t inputs_made(task which) noexcept {
  return which == task::words ? 2 : 1;
}

input copy_of(const input& original, const path& directory) {
  input copy{original.name, {}, original.bytes, false};
  for (const path& file : original.files) {
    path to = directory / ("copy" + std::to_string(copy.files.size()));
    std::error_code failure;
    std::filesystem::copy_file(file, to, failure);
    if (failure) throw error(failure, "copy", file.string());
    copy.files.push_back(std::move(to));
  }
  return copy;
}

std::optional<std::string> not_measurable(const path& file) {
  using std::filesystem::file_type;
  const file_type type = std::filesystem::status(file).type();
  if (type == file_type::fifo) {
    return "a pipe, which each contender must read anew; write it to a file first";
  }
  if (type != file_type::regular) {
    return "a device, socket or terminal, which may give other bytes each time; copy it to a file first";
  }
  const os::file opened = os::file::open(file);
  const std::string file_system = os::file_system_of(opened);
  if (file_system == "proc" || file_system == "sysfs" || !opened.seekable()) {
    return "a file that the OS kernel generates on each read; copy it to a file first";
  }
  return std::nullopt;
}

input take_files(task which, const std::vector<path>& files) {
  input all{files.size() == 1 ? files.front().filename().string() : std::to_string(files.size()) + " files",
            files};
  for (const path& file : files) {
    std::error_code failure;
    const std::filesystem::file_status status = std::filesystem::status(file, failure);
    if (status.type() == std::filesystem::file_type::not_found) {
      throw error(std::make_error_code(std::errc::no_such_file_or_directory), "open", file.string());
    }
    if (failure) throw error(failure, "examine", file.string());
    if (std::filesystem::is_directory(status)) {
      throw error(std::make_error_code(std::errc::is_a_directory), "read", file.string());
    }
    if (const auto reason = not_measurable(file))
      throw error(errc::invalid_argument, "measure", file.string(), std::nullopt, "it is " + *reason);
    const std::uint64_t size = std::filesystem::file_size(file);
    check_format(which, file, size);
    all.bytes += size;
  }
  if (all.bytes == 0)
    throw error(errc::invalid_argument, "measure", files.front().string(), std::nullopt,
                "it is empty; name a file that is not");
  return all;
}

}  // namespace riffle::bench
