/// What reads ahead has many requests in flight, on storage that counts them.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "bench/contenders/registry.hpp"
#include "tests/support/mounts.hpp"

namespace riffle::bench {

namespace {

// Requests in flight at once while the contender read a cold file of 4 MiB.
unsigned long most_in_flight(const std::string& name) {
  const std::string bytes = test::patterned_bytes(4 << 20);
  test::slow_file slow(bytes, {"--latency=20000", "--served=16"});
  std::vector<contender> all;
  add_readahead(task::lines, all);
  const auto found = std::ranges::find(all, name, &contender::name);
  const std::vector<std::filesystem::path> files{slow.path()};
  EXPECT_TRUE(found->run(files));
  return test::requests_of(slow.end()).most_at_once;
}

}  // namespace

TEST(readahead, has_as_many_requests_in_flight_as_the_storage_serves) {
  if (const auto refusal = test::refusal_of_slow_files()) GTEST_SKIP() << *refusal;
  EXPECT_LE(most_in_flight("sequential"), 6U) << "the OS kernel's own readahead";
  for (const char* name : {"willneed-8M", "threads-32"}) EXPECT_GE(most_in_flight(name), 8U) << name;
}

}  // namespace riffle::bench
