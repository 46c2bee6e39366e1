/// The method `uring`: io_uring with a queue of reads kept full, delivered in order.
#include "method/read_queue.hpp"

namespace riffle::inline v0 {

std::unique_ptr<active_method> open_uring(const open_file& input, const method_options& options) {
  advise(input, options);
  return std::make_unique<read_queue>(
      input, queue_options{.block_size = options.block_size, .depth = options.queue_depth});
}

}  // namespace riffle::inline v0
