/// `riffle wc`: counts lines, words, characters and bytes, and prints rows as GNU wc does.
#include <riffle/parallel.hpp>

#include "cli/command_line.hpp"
#include "cli/commands.hpp"
#include "cli/files.hpp"
#include "cli/wc_count.hpp"
#include "cli/wc_table.hpp"
#include "source/reading.hpp"

namespace riffle::cli {

namespace {

// As GNU wc does, riffle prints what it counted before a failure, reports the failure and ends with status 1.
struct file_counts {
  counts sum;
  std::optional<std::uint64_t> size;  // of a file that was read to its end
};

struct wc_arguments : reading_arguments {
  wanted what;
};

struct word_count {
  const reading_arguments& reading;
  wanted what;

  int run() {
    if (!what.lines && !what.words && !what.characters && !what.bytes) what = {true, true, false, true};
    wc_table table(what, reading.files);
    const int status = for_each_file<file_counts>(
        reading,
        [this](source from, unsigned threads, std::optional<file_counts>& result) {
          count_by(threads, std::move(from), result.emplace());
        },
        [&](const std::string&, const std::optional<file_counts>& result) {
          if (result) {
            table.add(result->sum, result->size);
          } else {
            table.add(std::nullopt, std::nullopt);
          }
        },
        [&] { table.catch_up(); });
    table.finish();
    return status;
  }

 private:
  // Handing out splits costs a twentieth of what a file of 4 KiB takes from open to close.
  void count_in(source& from, counts& sum, const part_counter& count) const {
    for (block next = from.next(); !next.empty(); next = from.next()) {
      const counts part = count(next.bytes);
      from.check();
      sum = sum + part;
    }
  }

  void count_by(unsigned threads, source from, file_counts& result) const {
    const std::optional<std::uint64_t> size = detail::regular_size(from);
    const part_counter count(what);
    if (threads == 1) {
      count_in(from, result.sum, count);
      result.size = size;
      return;
    }
    detail::parallel_reduce_into(result.sum, std::move(from), count, std::plus<>(),
                                 {.threads = threads, .delimiter = std::nullopt});
    result.size = size;
  }
};

template <bool wanted::* column>
void want(arguments& given, std::string_view /*value*/) {
  static_cast<wc_arguments&>(given).what.*column = true;
}

constexpr std::array own_options{
    option{.name = "lines", .short_form = 'l', .help = "Count newlines", .set = want<&wanted::lines>},
    option{.name = "words",
           .short_form = 'w',
           .help = "Count words: runs of bytes that are not white space",
           .set = want<&wanted::words>},
    option{.name = "chars",
           .short_form = 'm',
           .help = "Count UTF-8 characters",
           .set = want<&wanted::characters>},
    option{.name = "bytes", .short_form = 'c', .help = "Count bytes", .set = want<&wanted::bytes>}};
constexpr auto options = concatenated(own_options, reading_options, thread_options);

int run_wc(const wc_arguments& given) {
  return word_count{given, given.what}.run();
}

}  // namespace

constexpr command wc_command{
    .name = "wc",
    .summary = "Count lines, words, characters and bytes",
    .options = options,
    .operands = files_to_read,
    .notes =
        "Without -l, -w, -m and -c, riffle counts lines, words and bytes. White space is that of the C "
        "locale.\n"
        "Threads share many files or one large file. The output does not depend on their number.",
    .examples =
        "  riffle wc access.log\n"
        "  riffle wc -l --threads 0 *.csv\n"
        "  zcat big.gz | riffle wc -w\n"
        "  riffle wc --method mmap --block-size 1MiB book.txt\n",
    .run = run<wc_arguments, run_wc>};

}  // namespace riffle::cli
