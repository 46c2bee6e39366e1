/// Every table of ways to read with every other one: methods, formats, threads, splits, inputs, records,
/// sizes of blocks and loops. The default run has each pair of values; RIFFLE_PRODUCT=full has all that makes
/// sense.
#include <riffle/riffle.hpp>

#include "tests/product/pairs.hpp"
#include "tests/support/compress.hpp"
#include "tests/support/inputs.hpp"
#include "tests/support/posix/ways.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

// How much of a file is read at a time: all of it, or one split after another.
struct extent {
  std::string_view name;
  std::uint64_t split_size;  // 0: no split
};
constexpr std::array extents{extent{"whole", 0}, extent{"splits", 2000}, extent{"one split", 1 << 30}};

constexpr std::array<unsigned, 4> threads_to_decode{0, 1, 2, 8};
constexpr std::array<std::size_t, 4> block_sizes{0, 7, 4096, 100'000};
constexpr std::array<std::size_t, 3> loops{SIZE_MAX, 3, 1};
constexpr std::array<std::size_t, 3> pieces{1000, 7, 100'000};
constexpr std::array<unsigned, 3> depths{0, 2, 9};

// Lines whose sizes are multiples of 16, so that every part of them is one of whole values: most of 16 bytes,
// some of any bytes, empty ones, and a long one.
std::string lines_of_16_bytes(std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i != count; ++i) {
    text += std::to_string(100'000 + i) + ", bb c d,\n";
    if (i % 100 == 7) text.append("\0\r\xFF\x80 caf\xC3\xA9\v\f\r\r\r\n", 16);
    if (i % 300 == 8) text.append(16, '\n');
  }
  return text.insert(text.size() / 32 * 16, std::string(9999, 'z') + '\n');
}

// What the tables decide. What is not decided yet is null.
struct scenario {
  std::string name = {};
  read_options reading = {};
  bool has_method = false;
  const container* format = nullptr;
  const std::string* bytes = nullptr;  // the text in that format
  const extent* part = nullptr;
  const kind_of_input* from = nullptr;
  const way* how = nullptr;
  std::size_t step = SIZE_MAX;
  std::size_t piece = 0;
};

class all_tables {
 public:
  all_tables() {
    for (const container& each : containers()) {
      if (missing(each)) continue;
      formats_.push_back(each);
      bytes_.push_back(in_members(each, text_, 7000));
    }
    add(methods_, [](scenario& made, method used, std::size_t) {
      made.has_method = true;
      made.reading.method = used;
      return std::string(name_of(used));
    });
    add(formats_, [this](scenario& made, const container& each, std::size_t i) {
      made.format = &each;
      made.bytes = &bytes_[i];
      made.reading.decode = each.format;
      return std::string(each.name);
    });
    add(threads_to_decode, [](scenario& made, unsigned threads, std::size_t) {
      made.reading.decode_threads = threads;
      return std::to_string(threads) + " threads";
    });
    add(extents, [](scenario& made, const extent& each, std::size_t) {
      made.part = &each;
      return std::string(each.name);
    });
    add(kinds_of_input(), [](scenario& made, const kind_of_input& each, std::size_t) {
      made.from = &each;
      return std::string(each.name);
    });
    add(ways(), [](scenario& made, const way& each, std::size_t) {
      made.how = &each;
      return std::string(each.name);
    });
    add(block_sizes, [](scenario& made, std::size_t size, std::size_t) {
      made.reading.block_size = size;
      return "blocks of " + std::to_string(size);
    });
    add(loops, [](scenario& made, std::size_t step, std::size_t) {
      made.step = step;
      return "loops of " + std::to_string(step);
    });
    add(pieces, [](scenario& made, std::size_t piece, std::size_t) {
      made.piece = piece;
      return "pieces of " + std::to_string(piece);
    });
    add(depths, [](scenario& made, unsigned depth, std::size_t) {
      made.reading.queue_depth = depth;
      return "a queue of " + std::to_string(depth);
    });
  }

  const std::vector<std::size_t>& sizes() const { return sizes_; }

  scenario made_of(const product_case& each) const {
    scenario made;
    for (std::size_t i = 0; i != each.size(); ++i) {
      if (each[i] != undecided) made.name += apply_[i](made, each[i]) + ", ";
    }
    return made;
  }

  // Splits are those of paths, some formats have none, and each method reads some kinds of input.
  bool allows(const product_case& each) const {
    const scenario made = made_of(each);
    const bool in_splits = made.part != nullptr && made.part->split_size != 0;
    if (in_splits && made.from != nullptr && made.from != kinds_of_input().data()) return false;
    if (!made.has_method || made.reading.method == method::automatic) return true;
    const method_info& by = *find_method(made.reading.method);
    if (made.reading.queue_depth != 0 && !by.queues) return false;
    return made.from == nullptr || by.takes(made.from->kind);
  }

  void expect_truth(const scenario& made) const {
    SCOPED_TRACE(made.name);
    const auto expect = [&](const input& opened, std::uint64_t start, std::string expected) {
      const ending found = read_by(*made.how, opened,
                                   {.reading = made.reading,
                                    .truth = std::move(expected),
                                    .start = made.reading.decode == decoding::none ? start : 0,
                                    .step = made.step});
      EXPECT_EQ(fault_of(found), "");
      EXPECT_TRUE(found.whole()) << found.got.bytes.size() << " bytes, not " << found.got.truth.size();
      EXPECT_FALSE(found.failure) << found.failure->what();
    };
    if (made.part->split_size == 0) {
      made.from->open(
          {.bytes = *made.bytes, .pieces = {made.piece}},
          [&](const input& opened, std::uint64_t start) { expect(opened, start, made.how->truth(text_)); });
      return;
    }
    const temporary_file file(*made.bytes);
    std::string before;
    const split_options splitting{.size = made.part->split_size, .decode = made.reading.decode};
    for (const file_split& split : splits(file.path(), splitting)) {
      const std::string bytes = all_of(read_split(split), {.decode = made.reading.decode});
      expect(read_split(split), before.size(),
             made.how->truth(before + bytes).substr(made.how->truth(before).size()));
      before += bytes;
    }
    EXPECT_TRUE(before == text_);
  }

 private:
  // `decide` applies a value of the table to a scenario, and returns its name.
  template <class Table, class Decide>
  void add(const Table& table, Decide decide) {
    sizes_.push_back(table.size());
    apply_.push_back([values = std::span(table), decide](scenario& made, std::size_t i) {
      return decide(made, values[i], i);
    });
  }

  std::string text_ = lines_of_16_bytes(3000);
  std::vector<method> methods_ = usable_methods();
  std::vector<container> formats_{{"plain", decoding::none, nullptr}};
  std::vector<std::string> bytes_{text_};
  std::vector<std::size_t> sizes_;
  std::vector<std::function<std::string(scenario& made, std::size_t i)>> apply_;
};

TEST(the_product, of_all_tables_gives_the_truth) {
  const all_tables all;
  product made(all.sizes(), [&](const product_case& each) { return all.allows(each); });
  const char* const wanted = std::getenv("RIFFLE_PRODUCT");
  const bool full = wanted != nullptr && std::string_view(wanted) == "full";
  const std::vector<product_case> cases = full ? made.all() : made.pairs();
  EXPECT_GT(cases.size(), 100U);
  for (const product_case& each : cases) {
    all.expect_truth(all.made_of(each));
    if (HasFailure()) return;
  }
}

}  // namespace
}  // namespace riffle::test
