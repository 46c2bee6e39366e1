/// The method `uring`: io_uring with a queue of reads kept full, delivered in order.
#include "method/block_size.hpp"
#include "method/read_queue.hpp"

namespace riffle {

namespace {

constexpr unsigned default_depth = 8;

}  // namespace

std::unique_ptr<active_method> open_uring(const opened& from, const read_options& options) {
  if (options.sequential) from.file->advise_sequential();
  if (options.will_need) from.file->advise_will_need();
  return std::make_unique<read_queue>(
      from, queue_options{.block_size = options.block_size != 0 ? options.block_size
                                                                : default_block_size(method::uring),
                          .depth = options.queue_depth != 0 ? options.queue_depth : default_depth});
}

}  // namespace riffle
