/// A kernel asked for by name is used or refused in clear words, never replaced.
#include <riffle/error.hpp>
#include <riffle/kernels.hpp>
#include <riffle/scan.hpp>

#include <gmock/gmock.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "kernel/kernels.hpp"
#include "kernel/processor.hpp"
#include "tests/support/shell.hpp"

namespace riffle::test {
namespace {

#if defined(__x86_64__)
using kernel::vendor;

struct processor_row {
  const char* what;
  kernel::processor processor;
  const char* chosen;
  bool measured;
};

constexpr kernel::processor made(vendor by, unsigned family, unsigned model, int instructions) {
  return {.made_by = by,
          .family = family,
          .model = model,
          .ssse3 = instructions > 0,
          .sse4 = instructions > 1,
          .avx2 = instructions > 2,
          .avx512 = instructions > 3,
          .vbmi2 = instructions > 4};
}

// Instruction sets: 1 SSSE3, 2 SSE4, 3 AVX2, 4 AVX-512, 5 the AVX-512 that does not lower the clock.
constexpr processor_row processor_rows[] = {
    {"Emerald Rapids", made(vendor::intel, 6, 0xCF, 5), "avx512_pages", true},
    {"Sapphire Rapids", made(vendor::intel, 6, 0x8F, 5), "avx512_pages", true},
    {"Emerald Rapids whose system keeps no AVX-512", made(vendor::intel, 6, 0xCF, 3), "avx2_ahead", true},
    {"Ice Lake", made(vendor::intel, 6, 0x6A, 5), "avx512_ahead", false},
    {"Cascade Lake", made(vendor::intel, 6, 0x55, 4), "avx2_pages", true},
    {"Cascade Lake whose system keeps no AVX", made(vendor::intel, 6, 0x55, 2), "sse4", true},
    {"Alder Lake", made(vendor::intel, 6, 0x97, 3), "avx2_ahead", false},
    {"Zen 5", made(vendor::amd, 0x1A, 0x02, 5), "avx512_far", true},
    {"Zen 5 whose system keeps no AVX-512", made(vendor::amd, 0x1A, 0x02, 3), "avx2", false},
    {"Zen 4", made(vendor::amd, 0x19, 0x11, 5), "avx512", true},
    {"Zen 3, of the family of Zen 4", made(vendor::amd, 0x19, 0x01, 3), "avx2", false},
    {"Zen 2", made(vendor::amd, 0x17, 0x31, 3), "avx2", false},
    {"another vendor", made(vendor::other, 7, 0x3B, 3), "avx2", false},
    {"Core 2", made(vendor::intel, 6, 0x0F, 1), "ssse3", false}};

// What a processor gained is not taken away by a measurement on another one.
TEST(kernel_order, begins_with_what_was_measured_on_the_kind_of_processor) {
  for (const processor_row& row : processor_rows) {
    const auto chosen = std::ranges::find_if(kernel::simd_tables(), [&](const kernel::simd_table& each) {
      return each.runs(row.processor) && each.fast(row.processor);
    });
    ASSERT_NE(chosen, kernel::simd_tables().end()) << row.what;
    EXPECT_STREQ(chosen->kernels->name, row.chosen) << row.what;
    EXPECT_EQ(kernel::measured_kind(row.processor) != nullptr, row.measured) << row.what;
  }
}

struct fetching_row {
  std::string_view name;
  kernel::fetching by;  // places, rows, counts, words, UTF-8
};

constexpr kernel::prefetching ahead{.in_order = 2048, .in_places = 2048};
constexpr kernel::prefetching skylake{.in_order = 2048, .in_places = 512, .pages = true};
constexpr kernel::prefetching rapids{.in_order = 4096, .in_places = 1024, .pages = true};
constexpr kernel::prefetching far_and_joined{.in_order = 8192, .joined = true};
constexpr fetching_row fetching_rows[] = {
    {"avx512_pages", {rapids, rapids, rapids, rapids, rapids}},
    {"avx512_far", {{.in_order = 8192}, rapids, {.in_places = 4096}, {.in_places = 8192}, far_and_joined}},
    {"avx512_ahead", {ahead, ahead, ahead, {}, {}}},
    {"avx2_pages", {skylake, skylake, skylake, skylake, {}}},
    {"avx2_ahead", {ahead, ahead, ahead, {}, {}}}};

// A group is fetched as it was measured on the processors of the row, and by the instruction set alone
// without one.
TEST(kernel_order, fetches_each_group_as_it_was_measured) {
  for (const kernel::simd_table& each : kernel::simd_tables()) {
    const auto* const row = std::ranges::find(fetching_rows, each.kernels->name, &fetching_row::name);
    const bool listed = row != std::end(fetching_rows);
    EXPECT_TRUE(each.kernels->by == (listed ? row->by : kernel::fetching{})) << each.kernels->name;
    EXPECT_EQ(listed, std::string(each.kernels->name) != each.kernels->instructions) << each.kernels->name;
  }
}

TEST(kernel_order, knows_the_processor_at_hand) {
  const kernel::processor here = kernel::this_processor();
  EXPECT_EQ(here.made_by == vendor::intel, shell("grep -q GenuineIntel /proc/cpuinfo").status == 0);
  EXPECT_EQ(
      std::to_string(here.family) + " " + std::to_string(here.model) + "\n",
      shell("awk '/^cpu family/ { f = $4 } /^model\t/ { m = $3 } END { print f, m }' /proc/cpuinfo").out);
}
#endif

TEST(kernel_names, say_how_far_ahead_they_fetch) {
  const auto described = [](const char* instructions, const kernel::fetching& by) {
    kernel::table some = kernel::scalar();
    some.instructions = instructions;
    some.by = by;
    return kernel::description(some);
  };
  EXPECT_EQ(described("avx512", kernel::other_intel), "avx512 kernels, prefetching 2 KiB ahead");
  EXPECT_EQ(described("avx2", kernel::skylake),
            "avx2 kernels, prefetching 2 KiB ahead, four pages side by side");
  EXPECT_EQ(described("avx512", kernel::zen5), "avx512 kernels, prefetching 8 KiB ahead");
  EXPECT_EQ(described("neon", {}), "neon kernels");
}

TEST(kernel_names, are_found_or_refused_with_a_list) {
  for (const kernel::table* const table : kernel::available()) EXPECT_EQ(&kernel::named(table->name), table);
  try {
    (void)kernel::named("avx");
    FAIL() << "'avx' is only the start of a name";
  } catch (const error& failure) {
    EXPECT_EQ(failure.code(), make_error_code(errc::invalid_argument));
    for (const kernel::table* const table : kernel::available()) {
      EXPECT_THAT(failure.what(), testing::HasSubstr(table->name));
    }
  }
  EXPECT_EQ(kernel::available().back(), &kernel::scalar());
}

TEST(kernels, one_is_active) {
  EXPECT_EQ(kernels().size(), kernel::available().size());
  int active = 0;
  for (const kernel_info& kernel : kernels()) active += kernel.active ? 1 : 0;
  EXPECT_EQ(active, 1);
  EXPECT_EQ(active_kernel().name, kernel::active().name);
  EXPECT_EQ(active_kernel().description, kernel::description(kernel::active()));
}

TEST(scan, stops_where_the_masks_end_and_counts_what_it_says) {
  const std::string text(200, 'a');
  std::vector<std::uint64_t> masks{7, 7, 7};
  scan::match_byte(text, 'a', std::span(masks).first(2));
  EXPECT_EQ(masks, (std::vector<std::uint64_t>{~std::uint64_t{0}, ~std::uint64_t{0}, 7}));
  scan::match_any_of(text, byte_set("b"), std::span(masks).first(1));
  EXPECT_EQ(masks, (std::vector<std::uint64_t>{0, ~std::uint64_t{0}, 7}));
  constexpr std::string_view words = "two  w\xC3\xB6rds\nand\tno more";
  EXPECT_EQ(scan::count_lines(words), 1U);
  EXPECT_EQ(scan::count_words(words), 5U);
  EXPECT_EQ(scan::count_words(words, true), 4U);
  EXPECT_EQ(scan::count_utf8(words), words.size() - 1);
  EXPECT_EQ(scan::count_any_of(words, "od"), 5U);
  EXPECT_EQ(scan::count_byte(words, 'w'), 2U);
}

}  // namespace
}  // namespace riffle::test
