/// What several methods do with an open file before they read it, and the buffer that a thread hands on to
/// its next file.
#include "method/active_method.hpp"

#include <riffle/error.hpp>

namespace riffle::inline v0 {

void open_file::read_at(std::span<char> into, std::uint64_t offset, std::size_t& count) const {
  if (!object) {
    count += file.read_at(into.subspan(count), offset + count);
    return;
  }
  while (count < into.size()) {
    const std::span<char> rest = into.subspan(count);
    const std::size_t more = object->read_at(object->object, offset + count, rest);
    require_room(*this, offset + count, more, rest.size());
    if (more == 0) return;
    count += more;
  }
}

void require_room(const open_file& input, std::uint64_t offset, std::size_t count, std::size_t room) {
  if (count <= room) return;
  throw error(errc::invalid_argument, "read", input.name(), offset,
              "the object returned " + std::to_string(count) + " for a span of " + std::to_string(room) +
                  " bytes; return how many it wrote");
}

os::file own_descriptor(const open_file& input, const method_options& options) {
  if (!options.several_readers) return input.file.duplicate();
  os::file own = input.file.reopen();
  if (options.sequential) own.advise_sequential();
  if (input.start != 0) own.set_position(input.start);
  return own;
}

void advise(const open_file& input, const method_options& options) noexcept {
  if (options.several_readers) return;
  if (options.sequential) input.file.advise_sequential();
  if (options.will_need) input.file.advise_will_need();
}

// The kernel hands out and clears fresh memory page by page, at the first touch. (A file of 128 KiB, hot,
// open to close: six times as long with a fresh buffer; of 4 KiB, three times.)
constinit os::thread_slot buffer::spare{[](void* unused) { free()(static_cast<char*>(unused)); }};

buffer::buffer(std::size_t size) : size_(size) {
  void* from = size == default_size ? spare.get() : nullptr;
  if (from == nullptr || !spare.set(nullptr)) from = ::operator new(headroom + size, alignment);
  memory_.reset(static_cast<char*>(from));
}

buffer::~buffer() {
  if (size_ != default_size || !memory_ || spare.get() != nullptr) return;
  if (spare.set(memory_.get())) static_cast<void>(memory_.release());
}

}  // namespace riffle::inline v0
