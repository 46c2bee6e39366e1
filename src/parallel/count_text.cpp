/// Counts a text in blocks, or in splits by several threads, and joins the counts in the order of the input.
#include <riffle/count_text.hpp>

#include <functional>
#include <utility>

#include "count/part.hpp"

namespace riffle::inline v0 {

text_counter::text_counter(const text_options& what) : parts_(std::make_shared<part_counter>(what)) {}

bool text_counter::needs_only_size() const noexcept {
  return parts_->needs_only_size();
}

void count_text_into(text_counts& counts, source from, const text_counter& by,
                     const parallel_options& splitting) {
  const part_counter& count = *by.parts_;
  counts = {};
  if (!count.takes_parts()) return count.count_in_order(from, counts);
  text_part all;
  if (splitting.threads == 1) {  // to hand out splits costs a twentieth of what a file of 4 KiB takes
    for (block next = from.next(); !next.empty(); next = from.next()) {
      const text_part part = count(next.bytes);
      from.finish_block();
      counts = all = count.join(all, part);
    }
    return;
  }
  parallel_options anywhere = splitting;
  anywhere.delimiter.reset();
  const auto join = [&](const text_part& left, const text_part& right) {
    const text_part both = count.join(left, right);
    counts = both;
    return both;
  };
  parallel_reduce_into(all, std::move(from), std::cref(count), join, anywhere);
}

text_counts count_text(const input& from, const text_options& options, const read_options& reading) {
  text_counts own;
  text_counts& counts = options.counted == nullptr ? own : *options.counted;
  count_text_into(counts, source(from, reading), text_counter(options), {.threads = options.threads});
  return counts;
}

}  // namespace riffle::inline v0
