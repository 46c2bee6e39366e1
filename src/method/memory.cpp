/// Hands out memory, and the memory of a mapped file in parts that are checked.
#include <algorithm>
#include <limits>

#include "method/active_method.hpp"
#include "method/block_size.hpp"

namespace riffle::inline v0 {

namespace {

// Memory comes as one block, unless there is a function to call before each. A mapped file comes in parts,
// each checked after its use, of windows that one call faults in. Smaller windows need more calls. From
// larger ones of a file larger than memory, the OS kernel may evict pages before they are used.
class memory_method final : public active_method {
 public:
  memory_method(const open_file& input, const read_options& options)
      : input_(input),
        part_(input.mapped || options.before_block ? checked_part : std::numeric_limits<std::size_t>::max()),
        offset_(input.start) {}

  std::span<char> next() override {
    const std::size_t start = place();
    const std::size_t left = input_.memory.size() - start;
    const std::size_t size = std::min(left, part_);
    if (input_.mapped && start + size > faulted_in_) {
      faulted_in_ = start + std::min(left, window);
      input_.mapped->populate(input_.mapped->file, start, faulted_in_ - start);
    }
    offset_ += size;
    return {at(start), size};
  }
  const char* following() const noexcept override { return at(place()); }
  void allow_larger_blocks() noexcept override {
    if (input_.mapped) part_ = window;
  }
  // Where zeros began cannot be told; see os::window.
  void check(std::uint64_t trusted) const override {
    if (!input_.mapped) return;
    try {
      input_.mapped->check(input_.mapped->file);
    } catch (const error& failure) {
      throw error(failure.code(), failure.operation(), failure.path(), trusted);
    }
  }
  void seek(std::uint64_t offset) override {
    offset_ = offset;
    faulted_in_ = 0;
  }

 private:
  static constexpr std::size_t window = std::size_t{8} << 20U;  // tuning: what one call faults in

  std::size_t place() const noexcept {
    return static_cast<std::size_t>(std::min<std::uint64_t>(offset_, input_.memory.size()));
  }
  // Nobody writes to it: what follows lies in place, so no carry is copied before it.
  char* at(std::size_t place) const noexcept { return const_cast<char*>(input_.memory.data()) + place; }

  const open_file& input_;
  std::size_t part_;            // the most bytes handed out at once
  std::uint64_t offset_;        // of the next part
  std::size_t faulted_in_ = 0;  // of a mapped file, up to here
};

}  // namespace

std::unique_ptr<active_method> open_memory(const open_file& input, const method_options& options) {
  return std::make_unique<memory_method>(input, options);
}

}  // namespace riffle::inline v0
