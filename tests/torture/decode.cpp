/// Cuts, restores and replaces a compressed file while it is decoded by any method and number of threads.
#include <riffle/riffle.hpp>

#include <unistd.h>

#include <fstream>
#include <vector>

#include "tests/support/compress.hpp"
#include "tests/support/support.hpp"
#include "tests/torture/torture.hpp"
#include "tests/torture/witness.hpp"

namespace riffle::torture {

namespace {

constexpr std::uint64_t member_size = 20'000;
constexpr std::uint64_t members = 40;

// The content is the same in every format, so that a file may be replaced by one of another.
const std::string& whole() {
  static const std::string all = [] {
    std::string made;
    for (std::uint64_t at = 0; at != members * member_size; ++at) made += content(1, at);
    return made;
  }();
  return all;
}

const std::vector<std::string>& compressed() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> made;
    for (const test::container& each : test::containers()) {
      if (!test::missing(each) && each.format != decoding::zlib)
        made.push_back(test::in_members(each, whole(), member_size));
    }
    return made;
  }();
  return all;
}

}  // namespace

bool place_compressed(const std::filesystem::path& path, dice& random) {
  if (compressed().empty()) return false;
  const std::filesystem::path other = path.string() + ".new";
  std::ofstream(other, std::ios::binary) << compressed()[random.below(compressed().size())];
  std::filesystem::rename(other, path);
  return true;
}

void mutate_compressed(const std::filesystem::path& path, dice& random) {
  for (std::uint64_t left = random.below(12); left != 0; --left) {
    ::usleep(static_cast<useconds_t>(random.below(random.below(4) == 0 ? 3000 : 200)));
    if (random.below(3) == 0) {
      place_compressed(path, random);
    } else {
      std::filesystem::resize_file(path, random.below(std::filesystem::file_size(path) + 1));
    }
  }
}

std::string decode_once(const std::filesystem::path& path, dice& random, const std::function<void()>& beat) {
  const std::vector<method> usable = test::usable_methods();
  constexpr std::size_t sizes[] = {0, 4096, 65'536};
  const read_options options{.method = usable[random.below(usable.size())],
                             .block_size = sizes[random.below(3)],
                             .decode = decoding::automatic,
                             .decode_threads = static_cast<unsigned>(random.below(4))};
  test::read_outcome outcome;
  auto& [found, failure] = outcome;
  try {
    for (const block& each : blocks(path, options)) {
      beat();
      found += each.bytes;
      if (random.below(8) == 0) ::usleep(static_cast<useconds_t>(random.below(400)));
      if (random.below(200) == 0) return {};
    }
  } catch (const error& raised) {
    failure = raised;
  }
  const std::string how = std::string(name_of(options.method)) + " " + std::to_string(options.decode_threads);
  const std::uint64_t right = failure ? verified(outcome) : found.size();
  constexpr std::size_t no_magic = 64;  // what is left of a file may show no format
  if (found.size() >= no_magic && !whole().starts_with(std::string_view(found).substr(0, right)))
    throw wrong(how + ": the first " + std::to_string(right) + " bytes are wrong");
  if (!failure) {
    if (found.size() >= no_magic && found.size() % member_size != 0)
      throw wrong(how + ": ended at " + std::to_string(found.size()) + ", inside a member, without an error");
    return {};
  }
  const std::error_code code = failure->code();
  if (code != errc::truncated && code != errc::bad_compression && code != errc::unexpected_end &&
      !(code == errc::method_unavailable && options.method != method::automatic))
    throw wrong(how + ": an error without a cause: " + failure->what());
  return code.message();
}

}  // namespace riffle::torture
