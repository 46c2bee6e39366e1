/// Implements `mapped_file` and `anonymous_memory`: the checks before a file is mapped, and the functions on
/// the mapping.
#include <riffle/anonymous_memory.hpp>
#include <riffle/error.hpp>
#include <riffle/mapped_file.hpp>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "os/file.hpp"
#include "os/mapping.hpp"

namespace riffle::inline v0 {

namespace {

[[noreturn]] void fail_without_mapping(const std::string& name) {
  os::fail("map", name, std::nullopt, ENODEV, "it has no mapping", {advice::use_blocks});
}

[[noreturn]] void refuse_argument(const std::string& name, std::string_view reason) {
  throw error(errc::invalid_argument, "map", name, std::nullopt, reason);
}

os::protection protection_of(mapping_mode mode) {
  switch (mode) {
    case mapping_mode::read_only:
      return os::protection::read;
    case mapping_mode::copy_on_write:
      return os::protection::copy_on_write;
    case mapping_mode::shared:
      return os::protection::shared_write;
  }
  return os::protection::read;
}

void check_options(const std::string& name, const mapping_options& options) {
  if (options.random && options.sequential) refuse_argument(name, "random and sequential exclude each other");
  if (options.mode == mapping_mode::shared) return;
  if (options.create) refuse_argument(name, "create is for mapping_mode::shared");
  if (options.minimum_size != 0) refuse_argument(name, "minimum_size is for mapping_mode::shared");
}

// Returns the size of the file; throws if the kind has none. A file of /proc reports the size 0 but has
// bytes, so it must not be taken for an empty one.
std::uint64_t mappable_size(const os::file& file) {
  const os::file_status status = file.status();
  switch (status.kind) {
    case os::file_kind::directory:
      os::fail("map", file.name(), std::nullopt, EISDIR);
    case os::file_kind::pipe:
    case os::file_kind::socket:
    case os::file_kind::terminal:
    case os::file_kind::character_device:
    case os::file_kind::untold:
      fail_without_mapping(file.name());
    case os::file_kind::regular:
    case os::file_kind::block_device:
      break;
  }
  if (status.size != 0 || !file.holds(0)) return status.size;
  if (file.holds_more_than_it_reports()) fail_without_mapping(file.name());
  return file.status().size;
}

std::uint64_t grown_to(const os::file& file, std::uint64_t size, std::uint64_t minimum) {
  if (size >= minimum) return size;
  if (minimum > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    os::fail("resize", file.name(), std::nullopt, EFBIG);
  }
  file.resize(minimum);
  return minimum;
}

// Returns the length as the size of an object, which in 32 bits is less than a file may have.
std::size_t addressable(const os::file& file, std::uint64_t offset, std::uint64_t length) {
  constexpr auto most = static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max());
  if (length > most) {
    const std::string detail = "a program of " + std::to_string(8 * sizeof(void*)) + " bits cannot map " +
                               std::to_string(length) + " bytes; map parts by offset and length";
    os::fail("map", file.name(), offset, ENOMEM, detail, {advice::use_blocks});
  }
  return static_cast<std::size_t>(length);
}

std::size_t length_of(const os::file& file, std::uint64_t size, const mapping_options& options) {
  const bool fits = options.offset <= size && options.length.value_or(0) <= size - options.offset;
  if (!fits) throw error(errc::unexpected_end, "map", file.name(), size, "the range lies past the end");
  return addressable(file, options.offset, options.length.value_or(size - options.offset));
}

// Refuses a FIFO before it is opened, because opening waits for its writer. Sets `created` for a new file.
os::file open(const std::filesystem::path& path, const mapping_options& options, bool& created) {
  check_options(os::name_of(path), options);
  std::error_code ignored;
  if (std::filesystem::is_fifo(path, ignored)) fail_without_mapping(os::name_of(path));
  if (options.create) {
    try {
      os::file made = os::file::open(path, os::open_mode::create_new);
      created = true;
      return made;
    } catch (const error& failure) {
      if (failure.code() != std::errc::file_exists) throw;
    }
    return os::file::open(path, os::open_mode::create);
  }
  return os::file::open(
      path, options.mode == mapping_mode::shared ? os::open_mode::read_write : os::open_mode::read);
}

os::file duplicate(int descriptor, const mapping_options& options) {
  const os::file borrowed = os::file::borrow(descriptor, "descriptor " + std::to_string(descriptor));
  check_options(borrowed.name(), options);
  if (options.create) refuse_argument(borrowed.name(), "create needs a path");
  return borrowed.duplicate();
}

}  // namespace

struct mapped_file::state {
  std::shared_ptr<const os::file> file;
  mapping_options options;
  os::mapping mapping;

  state(std::shared_ptr<const os::file> from, const mapping_options& wanted)
      : file(std::move(from)), options(wanted) {
    // The system refuses that itself, but not for an empty file, of which nothing is mapped.
    if (options.mode == mapping_mode::shared && !file->reads_and_writes()) {
      os::fail("map", file->name(), std::nullopt, EACCES,
               "mapping_mode::shared needs a file that is open for reading and writing");
    }
    const std::uint64_t before = mappable_size(*file);
    const std::size_t length = length_of(*file, std::max(before, options.minimum_size), options);
    const std::uint64_t size = grown_to(*file, before, options.minimum_size);
    try {
      mapping = mapped(length);
    } catch (...) {
      if (size != before) file->resize(before);
      throw;
    }
  }
  // Removes a file that it made but cannot map, if it is still empty.
  static std::unique_ptr<state> of(const std::filesystem::path& path, const mapping_options& options) {
    bool created = false;
    const auto file = std::make_shared<const os::file>(open(path, options, created));
    try {
      return std::make_unique<state>(file, options);
    } catch (...) {
      std::error_code ignored;
      if (created && file->end() == 0) std::filesystem::remove(path, ignored);
      throw;
    }
  }
  os::mapping mapped(std::size_t length) const {
    const os::mapping_hints hints{.sequential = options.sequential,
                                  .will_need = options.will_need,
                                  .random = options.random,
                                  .populate = options.populate};
    return {*file, options.offset, length, protection_of(options.mode), hints, options.fault_guard};
  }
  void check() const { mapping.check(*file); }
  void populate(std::size_t position, std::size_t length) const {
    const std::size_t size = mapping.bytes().size();
    if (position < size) mapping.populate(*file, position, std::min(length, size - position));
  }
  // Maps the file as it was if it cannot be cut, because another mapping of it exists.
  void unmap_and_cut(std::size_t length) {
    const std::size_t before = mapping.bytes().size();
    mapping = {};
    try {
      file->resize(options.offset + length);
    } catch (const error&) {
      mapping = mapped(before);
      throw;
    }
    mapping = mapped(length);
  }
};

mapped_file::mapped_file() noexcept = default;
mapped_file::mapped_file(std::unique_ptr<state> mapped)
    : state_(std::move(mapped)),
      data_(state_->mapping.bytes().data()),
      size_(state_->mapping.bytes().size()) {}
mapped_file::mapped_file(const std::filesystem::path& path, const mapping_options& options)
    : mapped_file(state::of(path, options)) {}
mapped_file::mapped_file(int descriptor, const mapping_options& options)
    : mapped_file(std::make_unique<state>(std::make_shared<const os::file>(duplicate(descriptor, options)),
                                          options)) {}
mapped_file::mapped_file(mapped_file&& other) noexcept
    : state_(std::move(other.state_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}
mapped_file& mapped_file::operator=(mapped_file&& other) noexcept {
  if (this == &other) return *this;
  state_ = std::move(other.state_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  return *this;
}
mapped_file::~mapped_file() = default;

const mapped_file::state& mapped_file::mapped() const {
  if (state_ == nullptr) refuse_argument("", "this mapped_file has no file");
  return *state_;
}

mapped_file::operator input() const& {
  if (state_ == nullptr) return memory();
  return input(detail::mapped_bytes{
      .bytes = view(),
      .file = state_.get(),  // it stays where it is if this object is moved
      .populate = [](const void* file, std::size_t position,
                     std::size_t length) { static_cast<const state*>(file)->populate(position, length); },
      .check = [](const void* file) { static_cast<const state*>(file)->check(); }});
}

mapped_file mapped_file::share(const mapping_options& options) const {
  check_options(mapped().file->name(), options);
  if (options.create) refuse_argument(mapped().file->name(), "create needs a path");
  return mapped_file(std::make_unique<state>(state_->file, options));
}

std::string_view mapped_file::view(std::size_t position, std::size_t length) const {
  if (position > size_) {
    const std::uint64_t end = state_ ? state_->options.offset + size_ : 0;
    throw error(errc::unexpected_end, "view", state_ ? state_->file->name() : "", end);
  }
  return std::string_view(data_, size_).substr(position, length);
}

std::span<char> mapped_file::writable() {
  if (mapped().options.mode == mapping_mode::read_only) {
    refuse_argument(state_->file->name(),
                    "mapped for reading only; use mapping_mode::shared or copy_on_write");
  }
  return state_->mapping.bytes();
}

void mapped_file::flush() {
  flush(0, size_);
}

void mapped_file::flush(std::size_t position, std::size_t length) {
  const state& from = mapped();
  if (position > size_) position = size_;
  from.mapping.flush(*from.file, position, std::min(length, size_ - position));
}

void mapped_file::resize(std::size_t size) {
  const mapping_options& options = mapped().options;
  const os::file& file = *state_->file;
  if (options.mode != mapping_mode::shared || options.length) {
    refuse_argument(file.name(), "only a shared mapping that reaches to the end of its file can be resized");
  }
  constexpr auto furthest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (options.offset > furthest || size > furthest - options.offset)
    os::fail("resize", file.name(), {}, EFBIG);
  static_cast<void>(addressable(file, options.offset, size));
  check();  // the new mapping would know nothing of what was lost in the old one
  const std::uint64_t before = file.status().size;
  const std::uint64_t after = options.offset + size;
  const auto adopt = [this] {
    data_ = state_->mapping.bytes().data();
    size_ = state_->mapping.bytes().size();
  };
  // The new mapping is made before the file shrinks or after it grew, so that a failure can be undone.
  if (after > before) file.resize(after);
  try {
    if (after < before && !os::cuts_mapped_files) {
      state_->unmap_and_cut(size);
    } else {
      os::mapping remapped = state_->mapped(size);
      if (after < before) file.resize(after);
      state_->mapping = std::move(remapped);
    }
  } catch (...) {
    if (after > before) file.resize(before);
    adopt();
    throw;
  }
  adopt();
}

void mapped_file::check() const {
  if (state_ != nullptr) state_->check();
}

void mapped_file::populate(std::size_t position, std::size_t length) const {
  if (state_ != nullptr) state_->populate(position, length);
}

void mapped_file::check_values(std::size_t size, std::size_t alignment) const {
  if (size_ == 0) return;
  const state& from = mapped();
  check_aligned(data_, alignment);
  const std::size_t part = size_ % size;
  if (part != 0) {
    throw error(errc::partial_value, "read", from.file->name(), from.options.offset + size_ - part);
  }
}

void mapped_file::check_values(std::size_t position, std::size_t count, std::size_t size,
                               std::size_t alignment) const {
  if (position > size_ || count > (size_ - position) / size) {
    const state& from = mapped();
    throw error(errc::unexpected_end, "read", from.file->name(), from.options.offset + size_,
                "the values lie past the end of the mapping");
  }
  if (count != 0) check_aligned(data_ + position, alignment);
}

void mapped_file::check_aligned(const char* at, std::size_t alignment) const {
  if (reinterpret_cast<std::uintptr_t>(at) % alignment == 0) return;
  refuse_argument(mapped().file->name(),
                  "the offset is no multiple of what the type needs; read it with riffle::values");
}

void* anonymous_memory::do_allocate(std::size_t bytes, std::size_t alignment) {
  void* const memory = os::map_anonymous(bytes, alignment, options_.huge_pages);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void anonymous_memory::do_deallocate(void* memory, std::size_t bytes, std::size_t /*alignment*/) {
  os::unmap_anonymous(static_cast<char*>(memory), bytes);
}

bool anonymous_memory::do_is_equal(const std::pmr::memory_resource& other) const noexcept {
  return dynamic_cast<const anonymous_memory*>(&other) != nullptr;
}

}  // namespace riffle::inline v0
