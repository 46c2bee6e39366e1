/// The automatic choice is pinned down by a table, and options mean the numbers that they say, up to their
/// bounds.
#include <riffle/mapped_file.hpp>
#include <riffle/splits.hpp>

#include <set>

#include "os/mapping.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

constexpr std::uint64_t mib = 1024 * 1024;

struct choice_row {
  facts known;
  method expected;
  std::string_view deciding;  // a word of the reason
};

facts cached_file() {
  return {.size = 100 * mib, .file_system = "ext4"};
}

template <class Change>
facts but(Change change) {
  facts known = cached_file();
  change(known);
  return known;
}

std::vector<choice_row> rows() {
  const auto on = [](const char* file_system) { return but([&](facts& f) { f.file_system = file_system; }); };
  const auto of_kind = [](input_kind kind) { return but([&](facts& f) { f.kind = kind; }); };
  const auto of_size = [](std::uint64_t size) { return but([&](facts& f) { f.size = size; }); };
  const auto not_kept = [](std::optional<double> cached, const char* file_system) {
    return but([&](facts& f) {
      f.keep_cache = false;
      f.cached = cached;
      f.file_system = file_system;
    });
  };
  return {{cached_file(), method::mmap, "avoids the copy"},
          {of_kind(input_kind::block_device), method::mmap, "avoids the copy"},
          {of_size(0), method::read, "size is unknown"},
          {of_size(1), method::read, "smaller than 8 MiB"},
          {of_size(8 * mib - 1), method::read, "smaller than 8 MiB"},
          {of_size(8 * mib), method::mmap, "avoids the copy"},
          {of_size(std::uint64_t{1} << 40U), method::mmap, "avoids the copy"},
          {on(""), method::mmap, "avoids the copy"},
          {but([](facts& f) { f.cached = 0.4; }), method::read, "less than half"},
          {but([](facts& f) { f.cached = 0.5; }), method::mmap, "avoids the copy"},
          {not_kept(0.0, "ext4"), method::direct, "not to keep"},
          {not_kept(0.5, "ext4"), method::mmap, "avoids the copy"},
          {not_kept(std::nullopt, "ext4"), method::direct, "does not tell"},
          {but([](facts& f) { f.keep_cache = f.mappable = false; }), method::read, "OS kernel"},
          {but([](facts& f) { f.fault_guard = false; }), method::read, "fault guard"},
          {but([](facts& f) { f.mappable = false; }), method::read, "OS kernel"},
          {of_kind(input_kind::stream), method::read, "pipe"},
          {of_kind(input_kind::file_pointer), method::stdio, "FILE*"},
          {of_kind(input_kind::istream), method::iostream, "istream"},
          {of_kind(input_kind::object), method::read, "an object"},
          {of_kind(input_kind::memory), method::automatic, "memory"}};
}

TEST(choice, follows_the_table_and_keeps_the_block_size_that_was_asked_for) {
  const std::vector<choice_row> all = rows();
  for (std::size_t index = 0; index < all.size(); ++index) {
    for (const std::size_t block_size : {0U, 12345U}) {
      const auto& [known, expected, deciding] = all[index];
      facts asked = known;
      asked.block_size = block_size;
      const choice made = choose(asked);
      SCOPED_TRACE("row " + std::to_string(index) + ": " + made.reason);
      EXPECT_EQ(made.method, expected);
      EXPECT_NE(made.reason.find(deciding), std::string::npos);
      EXPECT_EQ(made.block_size == 0, expected == method::automatic);
      EXPECT_TRUE(made.block_size == 0 || block_size == 0 || made.block_size == block_size);
    }
  }
}

TEST(choice, is_made_from_the_facts_of_the_input) {
  const temporary_file file(std::string(1 << 20, 'x'));
  const facts known = examine(file.path(), {.block_size = 77, .mapping = {.fault_guard = false}});
  EXPECT_EQ(known.kind, input_kind::regular_file);
  EXPECT_EQ(known.size, std::uint64_t{1} << 20U);
  EXPECT_EQ(known.block_size, 77U);
  EXPECT_FALSE(known.fault_guard);
  if (std::filesystem::exists("/proc/cpuinfo")) {
    EXPECT_EQ(examine("/proc/cpuinfo").size, 0U);
  }
  EXPECT_EQ(examine(test::null_device).kind, input_kind::stream);
  EXPECT_EQ(examine(memory("abc")).kind, input_kind::memory);
  EXPECT_EQ(examine(stdin).kind, input_kind::file_pointer);
  EXPECT_TRUE(error_of([] { examine("/no/such/file"); }));
}

TEST(choice, is_made_from_the_size_of_what_is_left_to_read) {
  const temporary_file file(std::string(1 << 20, '\n'));
  file_split last = splits(file.path()).at(0);
  last.begin = last.end - 10;
  EXPECT_EQ(examine(read_split(last)).size, 10U);
}

TEST(methods, have_names_that_lead_back) {
  std::set<std::string_view> names{"automatic"};
  for (const method_info& info : methods()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_EQ(method_named(info.name), info.id);
    EXPECT_EQ(name_of(info.id), info.name);
    EXPECT_EQ(find_method(info.id), &info);
    EXPECT_FALSE(info.description.empty());
    EXPECT_FALSE(info.inputs.empty());
    const auto reason = info.unavailable();
    EXPECT_TRUE(!reason || !reason->empty());
  }
  EXPECT_EQ(names.size(), 7U);
  EXPECT_EQ(method_named("automatic"), method::automatic);
  EXPECT_EQ(name_of(method::automatic), "automatic");
  EXPECT_EQ(find_method(method::automatic), nullptr);
  for (const std::string_view none : {"", "Read", "read ", "nosuch"})
    EXPECT_EQ(method_named(none), std::nullopt) << none;
}

TEST(methods, take_the_inputs_they_say) {
  const auto takers = [](input_kind kind) {
    std::set<std::string_view> names;
    for (const method_info& info : methods()) {
      if (info.takes(kind)) names.insert(info.name);
    }
    return names;
  };
  using set = std::set<std::string_view>;
  EXPECT_EQ(takers(input_kind::regular_file), (set{"read", "stdio", "iostream", "mmap", "uring", "direct"}));
  EXPECT_EQ(takers(input_kind::block_device), takers(input_kind::regular_file));
  EXPECT_EQ(takers(input_kind::stream), (set{"read", "stdio", "iostream", "uring"}));
  EXPECT_EQ(takers(input_kind::file_pointer), set{"stdio"});
  EXPECT_EQ(takers(input_kind::istream), set{"iostream"});
  EXPECT_EQ(takers(input_kind::object), set{"read"});
  EXPECT_EQ(takers(input_kind::memory), set{});
}

const std::size_t page = os::page_size();

std::error_code code_of(const input& from, const read_options& reading) {
  return test::code_of([&] { const source opened(from, reading); });
}

TEST(source, hands_out_larger_parts_of_a_window_to_who_finishes_each) {
  const temporary_file file(std::string(std::size_t{1} << 20, 'x'));
  const mapped_file mapped(file.path());
  const auto expect = [](source from) {
    const std::size_t part = from.next().size();
    EXPECT_EQ(from.next().size(), part);
    from.finish_block();
    EXPECT_EQ(from.next().size(), (std::size_t{1} << 20) - 2 * part);
  };
  expect(source(file.path(), {.method = method::mmap}));
  expect(source(mapped));
}

TEST(options, have_bounds) {
  const temporary_file file("x");
  const std::size_t largest = std::numeric_limits<std::size_t>::max() / 4;
  EXPECT_EQ(code_of(file.path(), {.queue_depth = 4096}), std::error_code());
  for (const read_options& wrong : {read_options{.method = method::read, .block_size = largest + 1},
                                    {.queue_depth = 4097},
                                    {.method = static_cast<method>(99)}})
    EXPECT_EQ(code_of(file.path(), wrong), errc::invalid_argument);
}

// By a named method alone: with the automatic choice no error depends on the file.
TEST(options, that_a_named_method_has_no_use_for_are_errors) {
  const temporary_file file("x");
  struct row {
    read_options set;
    bool (*used)(const method_info&);
  };
  const auto queues = [](const method_info& by) { return by.queues; };
  const auto maps = [](const method_info& by) { return by.maps; };
  const row rows[] = {{{.queue_depth = 1}, queues},
                      {{.mapping = {.populate = false}}, maps},
                      {{.mapping = {.shared = true}}, maps},
                      {{.mapping = {.whole_file = true}}, maps},
                      {{.mapping = {.fault_guard = false}}, maps}};
  for (std::size_t index = 0; index != std::size(rows); ++index) {
    read_options reading = rows[index].set;
    EXPECT_EQ(code_of(file.path(), reading), std::error_code()) << index;
    for (const method_info& each : methods()) {
      if (each.unavailable()) continue;
      reading.method = each.id;
      EXPECT_EQ(code_of(file.path(), reading),
                rows[index].used(each) ? std::error_code() : errc::invalid_argument)
          << each.name << ", " << index;
    }
  }
  for (const auto& [reading, said] :
       {std::pair(read_options{.method = method::mmap, .queue_depth = 8},
                  "mmap keeps no queue of reads, as uring and direct do; leave the queue depth out"),
        {{.method = method::read, .mapping = {.whole_file = true}},
         "read maps no file, as mmap does; leave the options of the mapping out"}})
    EXPECT_THAT(thrown_by([&, how = reading] { source(file.path(), how); }),
                is_error(errc::invalid_argument, {}, said));
}

using list = std::vector<std::size_t>;

list sizes_of_blocks(const input& from, const read_options& reading) {
  list sizes;
  for (const block& part : blocks(from, reading)) sizes.push_back(part.size());
  return sizes;
}

TEST(options, give_the_size_of_blocks) {
  const temporary_file file(patterned_bytes(4 * page));
  for (const method_info& used : methods()) {
    if (const std::error_code refused = code_of(file.path(), {.method = used.id})) {
      EXPECT_TRUE(used.queues) << used.name << ": " << refused.message();
      continue;
    }
    const auto sizes = [&](std::size_t size) {
      return sizes_of_blocks(file.path(), {.method = used.id, .block_size = size});
    };
    EXPECT_EQ(sizes(page), (list{page, page, page, page})) << used.name;
    EXPECT_EQ(sizes(3 * page), (list{3 * page, page})) << used.name;
    EXPECT_EQ(sizes(4 * page), list{4 * page}) << used.name;
    if (!used.maps) continue;
    EXPECT_EQ(sizes(1), (list{page, page, page, page}));
    EXPECT_EQ(sizes(page + 1), (list{2 * page, 2 * page}));
  }
}

// The mapping starts at a page, so before a reading that starts elsewhere.
TEST(options, map_the_whole_file_from_where_it_stands_if_asked_to) {
  const temporary_file file("\n" + std::string(4 * page - 1, 'x'));
  const read_options whole{.method = method::mmap, .block_size = page, .mapping = {.whole_file = true}};
  EXPECT_EQ(sizes_of_blocks(file.path(), whole), list{4 * page});
  file_split behind_the_first = splits(file.path()).at(0);
  behind_the_first.begin = 1;
  EXPECT_EQ(sizes_of_blocks(read_split(behind_the_first), whole), list{4 * page - 1});
}

}  // namespace
}  // namespace riffle::test
