/// `output_file` by std::filesystem, the same on each system.
#include "bench/host/output_file.hpp"

#include <unistd.h>
#include <riffle/error.hpp>

#include <array>
#include <cerrno>
#include <optional>
#include <random>

#include "text/os/system.hpp"

namespace riffle::bench {

namespace fs = std::filesystem;

output_file::output_file(const fs::path& typed, overwritable may) : typed_(typed.string()), may_(may) {
  std::error_code failure;
  const fs::file_status found = fs::status(typed, failure);
  if (found.type() == fs::file_type::none) throw error(failure, "write", typed_);  // a loop of links
  if (fs::exists(found) && !fs::is_regular_file(found)) {
    in_place_ = open(typed, "ab");
    return;
  }
  target_ = fs::weakly_canonical(fs::absolute(typed), failure);
  if (failure) throw error(failure, "write", typed_);
  check_start();
  const fs::path folder = target_.parent_path();
  if (access(folder.c_str(), W_OK) == 0) {
    beside_ = folder / (".riffle-bench-" + std::to_string(std::random_device()()));
  } else {
    if (!fs::exists(found)) refuse();
    in_place_ = open(target_, "ab");
  }
}

void output_file::write(std::string_view text) try {
  std::error_code failure;
  if (!beside_.empty()) {
    check_start();
    const std::shared_ptr<void> removed(nullptr, [&](void*) {
      std::error_code gone;
      fs::remove(beside_, gone);
    });
    os::file made = os::create_to_replace(target_, beside_);
    made.write(text);
    if (const int code = os::close_descriptor(made.release()); code != 0) os::fail("write", typed_, {}, code);
    fs::rename(beside_, target_, failure);
    if (!failure) return;
    if (failure != std::errc::device_or_resource_busy) throw error(failure, "write", typed_);
    in_place_ = open(target_, "ab");  // a mount point
  }
  if (fs::is_regular_file(target_, failure)) fs::resize_file(target_, 0, failure);
  if (std::fwrite(text.data(), 1, text.size(), in_place_.get()) != text.size()) refuse();
  if (std::fclose(in_place_.release()) != 0) refuse();
} catch (const error& failure) {  // with the path as typed
  throw error(failure.code(), "write", typed_, std::nullopt, failure.detail());
}

void output_file::refuse() const {
  throw error({errno, std::generic_category()}, "write", typed_);
}

output_file::stream output_file::open(const fs::path& name, const char* mode) const {
  stream opened{std::fopen(name.string().c_str(), mode)};
  if (!opened) refuse();
  return opened;
}

bool output_file::may_overwrite(const fs::path& name, overwritable may) {
  std::error_code failure;
  if (!fs::is_regular_file(name, failure)) return true;
  std::array<char, 300> start{};
  const stream opened{std::fopen(name.string().c_str(), "rb")};
  const std::size_t size = opened ? std::fread(start.data(), 1, start.size(), opened.get()) : 0;
  return opened && (size == 0 || may({start.data(), size}));
}

void output_file::check_start() const {
  std::error_code failure;
  if (fs::is_symlink(target_, failure) || may_overwrite(target_, may_))
    return;  // a link is replaced, not followed
  throw error(errc::invalid_argument, "overwrite", typed_, std::nullopt,
              "it is no report of riffle bench; name another file");
}

}  // namespace riffle::bench
