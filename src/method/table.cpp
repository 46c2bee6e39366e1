/// The table of methods. To add a method, add a row.
#include <riffle/methods.hpp>

#include <algorithm>
#include <array>

#include "method/active_method.hpp"
#include "os/facts.hpp"
#include "os/ring.hpp"

namespace riffle::inline v0 {

namespace {

bool takes_files(input_kind kind) {
  return kind == input_kind::regular_file || kind == input_kind::block_device;
}
bool takes_descriptors(input_kind kind) {
  return takes_files(kind) || kind == input_kind::stream;
}
bool takes_file_pointers(input_kind kind) {
  return takes_descriptors(kind) || kind == input_kind::file_pointer;
}
bool takes_objects(input_kind kind) {
  return takes_descriptors(kind) || kind == input_kind::object;
}
bool takes_istreams(input_kind kind) {
  return takes_descriptors(kind) || kind == input_kind::istream;
}

std::optional<std::string> always_available() {
  return std::nullopt;
}

struct entry {
  method_info info;
  open_method* open;
};

// In the order of `method`. The first is that of memory, which needs no method.
constexpr std::array<entry, 7> table{{
    {{.id = method::automatic,
      .name = "automatic",
      .description = {},
      .inputs = {},
      .block_size = 0,
      .takes = nullptr,
      .unavailable = always_available},
     open_memory},
    {{.id = method::read,
      .name = "read",
      .description = "read(2) and pread(2) into one buffer",
      .inputs = "paths and descriptors of any kind, objects with read or read_at",
      .block_size = copied_block,
      .takes = takes_objects,
      .unavailable = always_available},
     open_read},
    {{.id = method::stdio,
      .name = "stdio",
      .description = "fread(3)",
      .inputs = "paths and descriptors of any kind, FILE*",
      .block_size = copied_block,
      .takes = takes_file_pointers,
      .unavailable = always_available,
      .one_position = true},
     open_stdio},
    {{.id = method::iostream,
      .name = "iostream",
      .description = "the buffer of a std::ifstream",
      .inputs = "paths and descriptors of any kind, std::istream",
      .block_size = copied_block,
      .takes = takes_istreams,
      .unavailable = always_available,
      .one_position = true},
     open_iostream},
    {{.id = method::mmap,
      .name = "mmap",
      .description = "mapped windows, faulted in before use and guarded against SIGBUS",
      .inputs = "regular files and block devices",
      .block_size = mapped_block,
      .takes = takes_files,
      .unavailable = always_available,
      .maps = true},
     open_mmap},
    {{.id = method::uring,
      .name = "uring",
      .description = "io_uring, a queue of reads kept full",
      .inputs = "paths and descriptors of any kind",
      .block_size = copied_block,
      .takes = takes_descriptors,
      .unavailable = os::ring::unavailable,
      .queues = true},
     open_uring},
    {{.id = method::direct,
      .name = "direct",
      .description = "O_DIRECT, past the page cache, several reads in flight",
      .inputs = "regular files and block devices",
      .block_size = direct_block,
      .takes = takes_files,
      .unavailable = os::direct_unavailable,
      .queues = true,
      .past_cache = true},
     open_direct},
}};

constexpr auto infos = [] {
  std::array<method_info, table.size()> all{};
  std::transform(table.begin(), table.end(), all.begin(), [](const entry& each) { return each.info; });
  return all;
}();

static_assert(std::ranges::all_of(infos,
                                  [](const auto& each) { return &each == &infos[std::size_t(each.id)]; }));

}  // namespace

std::span<const method_info> methods() noexcept {
  return std::span(infos).subspan(1);
}

const method_info* find_method(method id) noexcept {
  const method_info& info = info_of(id);
  return info.id == method::automatic ? nullptr : &info;
}

const method_info& info_of(method id) noexcept {
  const auto row = static_cast<std::size_t>(id);
  return row < infos.size() ? infos[row] : infos.front();
}

std::optional<method> method_named(std::string_view name) noexcept {
  const auto found = std::ranges::find(infos, name, &method_info::name);
  return found != infos.end() ? std::optional(found->id) : std::nullopt;
}

std::string_view name_of(method id) noexcept {
  return info_of(id).name;
}

std::unique_ptr<active_method> open_by_name(const open_file& input, const method_options& options) {
  return table.at(static_cast<std::size_t>(options.method)).open(input, options);
}

}  // namespace riffle::inline v0
