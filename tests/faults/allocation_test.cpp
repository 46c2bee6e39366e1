/// Memory runs out at each allocation of each public function: an error, nothing lost, and never the end.
#include <fcntl.h>
#include <riffle.h>
#include <unistd.h>
#include <riffle/riffle.hpp>

#include <memory_resource>
#include <new>

#include "tests/support/faults.hpp"
#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

const std::error_code no_memory = std::make_error_code(std::errc::not_enough_memory);

std::string fault_of(const ending& found, bool failed) {
  if (std::string fault = runs::fault_of(found); !fault.empty()) return fault;
  if (!failed && (found.failure || found.out_of_memory)) return "fails without a cause";
  // An error may advise an option only if the function has it.
  if (found.failure && found.way.starts_with("count") &&
      std::string_view(found.failure->what()).find("max_length") != std::string_view::npos)
    return found.failure->what();
  if (found.failure && found.failure->code() != no_memory)
    return std::string("another code: ") + found.failure->what();
  return {};
}

// Calls `one(at, on)` with each place, until it returns false: fewer allocations were made.
template <class Case>
void for_each_allocation(const std::string& name, Case one) {
  for (const bool on : {false, true}) {
    for (std::size_t at = 1; at != 2000; ++at) {
      SCOPED_TRACE(name + ": allocation " + std::to_string(at) + (on ? " and all after it" : ""));
      ::alarm(20);  // a case that hangs
      // Memory that is kept for the next use may be left, but not again each time.
      bool met = false;
      bool grows = true;
      for (int again = 0; grows && again != 5; ++again) {
        const std::size_t before = allocations::alive();
        met = one(at, on);
        if (testing::Test::HasFailure()) return;
        grows = allocations::alive() > before;
      }
      EXPECT_FALSE(grows) << "memory is left";
      if (testing::Test::HasFailure()) return;
      if (!met) break;
    }
  }
  ::alarm(0);
}

EACH_METHOD(each_allocation);

// Descriptors get numbers of two digits, whose text takes more memory.
std::vector<owned_descriptor> ten_descriptors() {
  std::vector<owned_descriptor> all;
  for (int i = 0; i != 10; ++i) all.emplace_back(::open("/dev/null", O_RDONLY | O_CLOEXEC));
  return all;
}

void fail_each_allocation(const runs::run& what, method used, const runs::inputs& from) {
  ASSERT_TRUE(runs::carry_out(what, used, from).whole()) << what.name << " without a failure";
  const std::size_t descriptors = runs::open_descriptors();
  for_each_allocation(what.name, [&](std::size_t at, bool on) {
    bool met = false;
    const ending found = runs::carry_out(
        what, used, from, [&] { allocations::start_failing(at, on); },
        [&] { met = allocations::stop_failing(); });
    EXPECT_EQ(fault_of(found, met), "");
    EXPECT_EQ(runs::open_descriptors(), descriptors);
    return met;
  });
}

TEST_P(each_allocation, that_fails_gives_the_answer_or_an_error) {
  if (const auto reason = allocations::unavailable()) GTEST_SKIP() << *reason;
  const runs::inputs from;
  const auto others = ten_descriptors();
  for (const auto& [what, used] : runs::all()) {
    const bool large = what->bytes.size() > 1'000'000;  // makes the same allocations as the smaller ones
    if (used == GetParam() && !large) fail_each_allocation(*what, used, from);
    if (testing::Test::HasFailure()) return;
  }
}

struct function {
  const char* name;
  void (*call)(const std::filesystem::path& file, const read_options& reading);
};

template <class... T>
void use(const T&...) {}

// Throws what a code of riffle.h stands for.
void use_code(riffle_code code) {
  if (code == RIFFLE_NO_MEMORY) throw std::bad_alloc();
  if (code != RIFFLE_OK) throw std::runtime_error("code " + std::to_string(code));
}

// What the ways do not call of riffle.h. The ways call the rest.
void call_c(const std::filesystem::path& file) {
  using handles = std::tuple<riffle_input*, riffle_mapped*, riffle_input*, riffle_records*>;
  handles all{};
  auto& [input, mapped, of_mapped, rows] = all;
  const auto close = [](handles* of) {
    riffle_records_close(&std::get<3>(*of));
    riffle_input_close(&std::get<2>(*of));
    riffle_mapped_close(&std::get<1>(*of));
    riffle_input_close(&std::get<0>(*of));
  };
  const std::unique_ptr<handles, decltype(close)> closed(&all, close);
  riffle_error error;
  std::uint64_t count = 0;
  riffle_text_counts counts;
  riffle_dialect dialect;
  std::size_t index = 0;
  riffle_string name{"line 0", 6};
  if ((input = riffle_input_path(file.c_str())) == nullptr) throw std::bad_alloc();
  use_code(riffle_count_words(input, 2, nullptr, &count, &error));
  use_code(riffle_count_utf8(input, 1, nullptr, &count, &error));
  use_code(riffle_count_any_of(input, name, 2, nullptr, &count, nullptr));
  use_code(riffle_count_text(input, nullptr, nullptr, &counts, &error));
  use_code(riffle_mapped_open(input, nullptr, &mapped, &error));
  use_code(riffle_mapped_check(mapped, &error));
  if ((of_mapped = riffle_input_mapped(mapped)) == nullptr) throw std::bad_alloc();
  use_code(riffle_open(file.c_str(), &rows, &error));
  riffle_records_close(&rows);
  riffle_dialect_init(&dialect, sizeof dialect, RIFFLE_CSV);
  dialect.header = 1;
  use_code(riffle_rows_open(of_mapped, &dialect, nullptr, &rows, &error));
  use_code(riffle_rows_column(rows, name, &index, &error));
  use_code(riffle_rows_names(rows, &name, 1, &index, &error));
  use_code(riffle_records_check(rows, &error));
}

// What no way calls.
const std::vector<function>& functions() {
  static const std::vector<function> table{
      {"count_bytes_into",
       [](auto& file, auto& reading) {
         byte_counts found{};
         count_bytes_into(found, source(file, reading), {.threads = 2});
       }},
      {"count_text",
       [](auto& file, auto& reading) {
         use(count_text(file, {.longest_line = true, .threads = 2}, reading));
       }},
      {"count_text_into",
       [](auto& file, auto& reading) {
         text_counts found;
         count_text_into(found, source(file, reading), text_counter({.characters = true}), {.threads = 2});
       }},
      {"count_lines_with_into",
       [](auto& file, auto& reading) {
         std::uint64_t found = 0;
         count_lines_with_into(found, source(file, reading), "line", {.threads = 2});
       }},
      {"sum", [](auto& file, auto& reading) { use(sum<std::uint8_t>(file, {.threads = 2}, reading)); }},
      {"sum_of_floats",
       [](auto& file, auto& reading) { use(sum<float>(file, {.order = std::endian::big}, reading)); }},
      {"value_counts",
       [](auto& file, auto& reading) {
         use(value_counts(file, {"line 0"}, csv, {.threads = 2}, reading));
         const value_counter words = value_counts(file, {.values = text_values::words}, reading);
         use(words.top(3));
       }},
      {"value_counts_into",
       [](auto& file, auto& reading) {
         value_counter found(1U << 30U);
         value_counts_into(found, source(file, reading), text_values::lines,
                           {.threads = 2, .split_size = 999});
         const std::size_t columns[] = {0, 0};
         value_counts_into(found, row_range(source(file, reading)), columns);
       }},
      {"sums_by",
       [](auto& file, auto& reading) {
         const dialect words{.separator = ' '};
         const key_sums<> sums = sums_by(file, {"line", "line"}, {"0"}, words, {.threads = 2}, reading);
         use(sums.top(3).size());
       }},
      {"sums_by_into",
       [](auto& file, auto& reading) {
         key_sums<double> found(1U << 30U);
         const std::size_t columns[] = {1};
         row_range words(source(file, reading), {.separator = ' '});
         words.choose([](std::string_view lines, std::vector<row_run>& wanted) {
           wanted.push_back({0, lines.size()});
         });
         sums_by_into(found, std::move(words), columns, columns, {.threads = 2, .split_size = 999});
         const double small = 1e-300;  // which needs an exact sum
         key_sums<double>().add("key", {&small, 1});
         exact_sum().add(small);
       }},
      {"line_index",
       [](auto& file, auto& reading) {
         const line_index index(file, {}, {.threads = 2, .every = 1}, reading);
         if (index.size() > 1) use(index[1], *--index.end());
       }},
      {"rows",
       [](auto& file, auto& reading) {
         for (const row each : rows(file, {.separator = ' '}, reading)) use(each.size());
         for (const row each : rows(file, {.separator = ' ', .ragged = ragged::pad, .trim = true}, reading)) {
           use(each.unescaped(0).size());
         }
         for (const row each : rows(memory(std::string_view("\"a\"\"\"")), {})) {
           use(each.unescaped(0));
         }
       }},
      {"parallel_rows",
       [](auto& file, auto& reading) {
         const auto count = [](row_range& part) {
           std::uint64_t rows = 0;
           for (const row each : part) rows += each.size();
           return rows;
         };
         use(parallel_rows(file, std::uint64_t{0}, count, {}, {.separator = ' '},
                           {.threads = 3, .split_size = 4096}, reading));
       }},
      {"columns",
       [](auto&, auto&) {
         const memory text(std::string_view("a,\"b\"\"\"\n1e400,2\n"));
         for (auto [b] : columns<float>(text, {"b\""})) use(b);
         row_range all = rows(text, {.header = true});
         use(all.names().size());
         try {
           use(all.column("x"));
         } catch (const error& failure) {
           if (failure.code() != errc::no_such_column) throw;
         }
         try {
           for (const row each : all) use(each.template get<double>(0));
         } catch (const error& failure) {
           if (failure.code() != errc::value_out_of_range) throw;
         }
       }},
      {"splits",
       [](auto& file, auto& reading) {
         for (const file_split& split : splits(file, {.size = 5000})) {
           for (const std::string_view line : lines(read_split(split), reading)) use(line);
         }
       }},
      {"for_each",
       [](auto& file, auto& reading) {
         for_each(lines(file, {.max_length = 5000}, reading), [](std::string_view) {});
         for_each(bytes(file, reading), [](char) {});
       }},
      {"parallel_files_of_the_default_size",
       [](auto& file, auto& reading) {
         const std::vector<std::filesystem::path> files(6, file);
         parallel_files(
             files, 0, [](std::string_view) { return 1; }, std::plus<>(),
             [](std::size_t, int, const error* failure) {
               if (failure != nullptr) throw error(*failure);
             },
             {.threads = 3}, {.method = reading.method});
       }},
      {"istream",
       [](auto& file, auto& reading) {
         istream in(file, reading);
         std::string line;
         std::getline(in, line);
         istream moved(std::move(in));
         moved.ignore(5000);
         in = std::move(moved);
         use(in.tellg());
         use(in.seekg(3).get());
         use(in.error() == nullptr && !in.from().name().empty());
       }},
      {"reader",
       [](auto& file, auto& reading) {
         reader in(file, reading);
         in.skip(5);
         use(in.take<std::uint64_t>(700));
         in.skip(1000);
         use(in.line());
         use(in.template get<std::uint16_t>(std::endian::big));
         use(in.from().name());
         in.skip(100'000);
       }},
      {"source",
       [](auto& file, auto& reading) {
         source in(file, reading);
         use(in.next());
         use(in.next(100));
         in.check();
         in.seek(in.size_hint());
         use(in.next());
         source other = std::move(in);
         in = source(file, reading);
         use(in.reason().size() + in.start() + other.name().size());
         use(in.seekable() && in.method() == other.method());
       }},
      {"inputs",
       [](auto& file, auto& reading) {
         use(read_all(memory("abc")));
         std::istringstream stream("abc");
         use(read_all(stream));
         const stdio_file stdio(std::fopen(file.c_str(), "rb"), std::fclose);
         if (stdio) use(read_all(stdio.get()));
         use(input(file).name() + input(5).name());
         use(examine(file, reading));
         use(decoding_of(file));
         use(detail::lacks_end_marker(file));
       }},
      {"mapped_file",
       [](auto& file, auto&) {
         mapped_file mapped(file, {.mode = mapping_mode::copy_on_write});
         use(mapped.writable());
         use(mapped.template as<char>());
         mapped.populate(0, 1);
         use(mapped.view(mapped.size() + 1));
       }},
      {"descriptor",
       [](auto& file, auto&) {
         const owned_descriptor open(::open(file.c_str(), O_RDONLY));
         const mapped_file mapped(open.get());
         use(read_all(open.get()));
       }},
      {"anonymous_memory",
       [](auto&, auto&) {
         anonymous_memory upstream;
         std::pmr::unsynchronized_pool_resource pool(&upstream);
         std::pmr::vector<int> numbers(1000, &pool);
       }},
      {"riffle.h", [](auto& file, auto&) { call_c(file); }},
      {"error",
       [](auto&, auto&) {
         const error one(errc::truncated, "read", "a", 5, "with a detail");
         const error copy = one;
         throw error(make_error_code(std::errc::not_enough_memory), copy.operation(), copy.path(),
                     copy.offset());
       }},
      {"facts",
       [](auto&, auto&) {
         use(kernels());
         use(active_kernel());
         use(measured_processor());
         use(choose({.kind = input_kind::regular_file, .size = 1 << 30, .file_system = "tmpfs"}));
         for (const method_info& info : methods()) use(info.unavailable());
         use(find_method(method::mmap));
         for (const decoder_info& info : decoders()) use(decoding_named(info.name));
         use(find_decoder(decoding::gzip));
         use(method_named("mmap"));
         use(name_of(method::mmap));
         use(version());
         use(riffle_category().message(1));
         use(make_error_code(errc::changed));
       }},
  };
  return table;
}

// Returns whether a function bounds its records, so that an error may advise to.
bool has_max_length(const function& tested) {
  constexpr std::string_view bounded[] = {"rows",          "columns",      "value_counts",
                                          "sums_by",       "sums_by_into", "value_counts_into",
                                          "parallel_rows", "splits",       "for_each"};
  return std::ranges::find(bounded, tested.name) != std::end(bounded);
}

// Returns what a call threw that is no lack of memory, nor a failure that it has anyway, or that names an
// option that the function does not have.
std::string other_exception(const function& tested, const std::filesystem::path& file, method used) {
  try {
    tested.call(file, {.method = used, .block_size = 4096});
  } catch (const error& failure) {
    allocations::stop_failing();
    const bool as_ever = failure.code() == errc::unexpected_end || failure.code() == errc::partial_value;
    const bool typed = has_max_length(tested) ||
                       std::string_view(failure.what()).find("max_length") == std::string_view::npos;
    return as_ever || (failure.code() == no_memory && typed) ? "" : failure.what();
  } catch (const std::bad_alloc&) {
  } catch (const std::exception& failure) {
    allocations::stop_failing();
    return failure.what();
  }
  return {};
}

class each_function : public testing::TestWithParam<method> {};
// The runs take every method.
INSTANTIATE_TEST_SUITE_P(methods, each_function, testing::Values(method::automatic, method::mmap),
                         method_name);

TEST_P(each_function, throws_what_it_promises_if_an_allocation_fails) {
  if (const auto reason = allocations::unavailable()) GTEST_SKIP() << *reason;
  const temporary_file file(numbered_lines(900));
  const std::size_t descriptors = runs::open_descriptors();
  for (const function& tested : functions()) {
    ASSERT_EQ(other_exception(tested, file.path(), GetParam()), "") << tested.name;
    for_each_allocation(tested.name, [&](std::size_t at, bool on) {
      allocations::start_failing(at, on);
      const std::string other = other_exception(tested, file.path(), GetParam());
      const bool met = allocations::stop_failing();
      EXPECT_EQ(other, "");
      return met;
    });
    EXPECT_EQ(runs::open_descriptors(), descriptors) << tested.name;
  }
}

// The list of guarded ranges may have to grow, when the file has grown already.
TEST(a_mapped_file, that_cannot_be_resized_leaves_the_file_as_it_was) {
  if (const auto reason = allocations::unavailable()) GTEST_SKIP() << *reason;
  const temporary_file file("some bytes");
  mapped_file mapped(file.path(), {.mode = mapping_mode::shared});
  std::vector<mapped_file> others;
  for_each_allocation("resize", [&](std::size_t at, bool on) {
    for (int i = 0; i != 100; ++i) others.emplace_back(file.path());
    allocations::start_failing(at, on);
    bool failed = false;
    try {
      mapped.resize(20'000);
    } catch (const std::bad_alloc&) {
      failed = true;
    }
    const bool met = allocations::stop_failing();
    EXPECT_EQ(std::filesystem::file_size(file.path()), failed ? 10 : 20'000);
    mapped.resize(10);
    others.clear();
    return met;
  });
}

// riffle chooses the SIMD kernel at the first scan, which promises not to throw, as `thread_count` does.
TEST(a_scan, needs_no_memory) {
  if (const auto reason = allocations::unavailable()) GTEST_SKIP() << *reason;
  testing::GTEST_FLAG(death_test_style) = "threadsafe";  // a process that has scanned nothing yet
  expect_in_child([&] {
    allocations::start_failing(1, true);
    const std::uint64_t count = scan::count_lines("a\nb\n");
    const unsigned threads = thread_count();
    allocations::stop_failing();
    return count == 2 && threads != 0;
  });
}

// A function that is added to the library is added here.
TEST(allocations, fail_in_each_public_function) {
  const std::filesystem::path folder = std::filesystem::path(build::sources) / "tests";
  const std::string tests = contents_of(folder / "faults/allocation_test.cpp") +
                            contents_of(folder / "support/linux/runs.cpp") +
                            contents_of(folder / "support/posix/ways.cpp");
  std::istringstream symbols(contents_of(folder / "api/symbols.txt"));
  std::size_t functions = 0;
  for (std::string symbol; std::getline(symbols, symbol);) {
    symbol = symbol.substr(0, symbol.find_first_of("([<"));
    if (!symbol.starts_with("riffle::v0::") || symbol.find("::detail::") != std::string::npos) continue;
    symbol.erase(0, std::string_view("riffle::v0::").size());
    std::string name = symbol.substr(0, symbol.find("::"));  // the class stands for its functions
    if (name.ends_with("_range")) name.replace(name.size() - 6, 6, "s(");
    ++functions;
    EXPECT_NE(tests.find(name), std::string::npos) << name;
  }
  EXPECT_GT(functions, 30U);
}

}  // namespace
}  // namespace riffle::test
