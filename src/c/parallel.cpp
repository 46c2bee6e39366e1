/// Splits an input among threads that call a function of the user's.
#include <riffle/parallel.hpp>

#include "c/input.hpp"
#include "c/options.hpp"

namespace riffle::inline v0::c {

template <>
riffle_parallel_options defaults() {
  riffle_parallel_options to{};
  to.size = sizeof to;
  to.record_size = 1;
  to.delimiter = '\n';
  return to;
}

namespace {

parallel_options options_of(const riffle_parallel_options* given) {
  const riffle_parallel_options own = taken(given);
  return {.threads = own.threads,
          .split_size = own.split_size,
          .delimiter = optional_byte("delimiter", own.delimiter),
          .record_size = own.record_size};
}

}  // namespace

}  // namespace riffle::inline v0::c

using namespace riffle;

void riffle_parallel_options_init(riffle_parallel_options* options, size_t size) {
  c::init(options, size, c::defaults<riffle_parallel_options>());
}

riffle_code riffle_parallel(const riffle_input* input,
                            int (*each)(void* user, riffle_string split, uint64_t offset), void* user,
                            const riffle_parallel_options* splitting, const riffle_read_options* reading,
                            riffle_error* error) {
  return c::guarded(error, [&] {
    c::require(each != nullptr, "the function is NULL");
    const c::reading with(reading);
    parallel_for_each(
        c::required(input).from,
        [&](const block& split) { c::require_zero(each(user, {split.data(), split.size()}, split.offset)); },
        c::options_of(splitting), with.get());
  });
}
