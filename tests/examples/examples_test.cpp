/// The examples, which users copy, are built, give the answers of naive loops, and name the place of bad
/// input.

#include <cmath>
#include <map>

#include "tests/support/shell.hpp"
#include "tests/support/support.hpp"

namespace riffle::test {
namespace {

using testing::HasSubstr;

void expect_text(const shell_result& found, const testing::Matcher<const std::string&>& text) {
  EXPECT_THAT(found.out, text);
  EXPECT_EQ(found.err, "");
  EXPECT_EQ(found.status, 0);
}

TEST(examples, give_what_tools_give) {
  const temporary_file file(patterned_bytes(500000));
  const std::vector<std::pair<std::string, std::string>> equal{
      {"$examples/gc_count $name", "tr -cd cCgG < $name | wc -c"},
      {"cat $name | $examples/gc_count", "tr -cd cCgG < $name | wc -c"},
      {"$examples/word_count $name", "wc -w < $name"}};
  for (const auto& [example, tool] : equal)
    expect_text(shell("name=" + file.path().string() + "; " + example + " | cmp - <(" + tool + ")"), "");
}

/// Runs an example on a file with these bytes; `more` are the arguments behind the file.
shell_result run(const std::string& example, std::string_view bytes, const std::string& more = "") {
  const temporary_file file(bytes);
  return shell("$examples/" + example + " " + file.path().string() + more);
}

TEST(examples, count_words_from_a_pool) {
  expect_text(run("pool", "b a b\n"), HasSubstr("b"));
}

/// What the one-billion-row task asks for, by a loop over whole numbers.
std::string naive_temperatures(const std::string& rows) {
  std::map<std::string, std::vector<int>> all;
  std::istringstream in(rows);
  for (std::string station, degrees; std::getline(in, station, ';') && std::getline(in, degrees);) {
    degrees.erase(degrees.size() - 2, 1);
    all[station].push_back(std::stoi(degrees));
  }
  std::string result = "{";
  for (const auto& [station, tenths] : all) {
    double sum = 0;
    for (const int one : tenths) sum += one;
    std::array<char, 64> numbers{};
    std::snprintf(numbers.data(), numbers.size(), "=%.1f/%.1f/%.1f", std::ranges::min(tenths) / 10.0,
                  std::floor(sum / static_cast<double>(tenths.size()) + 0.5) / 10,
                  std::ranges::max(tenths) / 10.0);
    result += (result.size() > 1 ? ", " : "") + station + numbers.data();
  }
  return result + "}\n";
}

TEST(record_examples, summarise_temperatures_of_names_of_every_length_in_several_splits) {
  std::string rows;
  for (unsigned i = 0, random = 1; rows.size() < (std::size_t{5} << 20U); ++i) {
    random = random * 1103515245 + 12345;
    const unsigned place = random >> 16U;
    const int tenths = static_cast<int>(i * 7919 % 1999) - 999;
    rows += std::string(1 + place % 33, static_cast<char>('a' + place % 5)) +
            static_cast<char>('A' + place % 7) + ';' + (tenths < 0 ? "-" : "") +
            std::to_string(std::abs(tenths) / 10) + '.' + std::to_string(std::abs(tenths) % 10) + '\n';
  }
  EXPECT_EQ(run("one_billion_rows", rows).out, naive_temperatures(rows));
}

TEST(record_examples, summarise_temperatures_at_the_edges) {
  EXPECT_EQ(run("one_billion_rows", "").out, "{}\n");
  EXPECT_EQ(run("one_billion_rows", "A;1.2").out, "{A=1.2/1.2/1.2}\n");
  // A row of five bytes, and one from which eight can be loaded.
  EXPECT_EQ(run("one_billion_rows", "A;1.2\nA;-99.9\nA;99.9\n").out, "{A=-99.9/0.4/99.9}\n");
  // Means are rounded to the nearest tenth, halves up, and no zero is negative.
  EXPECT_EQ(run("one_billion_rows", "A;-0.1\nA;0.0\nB;0.1\nB;0.0\n").out,
            "{A=-0.1/0.0/0.0, B=0.0/0.1/0.1}\n");
  EXPECT_EQ(run("one_billion_rows", "abcdefgh1ijklmnop;1.0\nabcdefgh2ijklmnop;2.0\n").out,
            "{abcdefgh1ijklmnop=1.0/1.0/1.0, abcdefgh2ijklmnop=2.0/2.0/2.0}\n");
}

TEST(record_examples, refuse_what_is_no_temperature) {
  for (const char* const row :
       {"A", "", "-12.3", ";12.3", "A;1", "A;1.", "A;12.34", "A;1,2", "A;x.2", "A;1.x", "A 12.3", "12.3"}) {
    const shell_result result = run("one_billion_rows", std::string("Hamburg;1.2\n") + row + "\nB;1.2\n");
    EXPECT_EQ(result.status, 1) << row;
    EXPECT_EQ(result.out, "") << row;
    EXPECT_THAT(result.err, HasSubstr("no station and temperature at offset 12\n")) << row;
  }
}

/// The ten most frequent words, by a map.
std::string naive_words(const std::string& text) {
  std::map<std::string, int> counts;
  std::istringstream in(text);
  for (std::string word; in >> word;) ++counts[word];
  std::vector<std::pair<int, std::string>> ranking;
  ranking.reserve(counts.size());
  for (const auto& [word, count] : counts) ranking.emplace_back(-count, word);
  std::ranges::sort(ranking);
  std::string result;
  for (std::size_t i = 0; i < std::min<std::size_t>(10, ranking.size()); ++i) {
    result += std::to_string(-ranking[i].first) + '\t' + ranking[i].second + '\n';
  }
  return result;
}

TEST(record_examples, rank_words) {
  std::string text;
  for (unsigned i = 0; i < 30000; ++i) {
    text +=
        std::to_string(i % 3 == 0 ? i * i % 101 : i) + std::string(i % 19, 'x') + (i % 11 == 0 ? "\n" : " ");
  }
  EXPECT_EQ(run("frequent_words", text).out, naive_words(text));
  for (const std::string few : {"", " \n", "b a b", "b a\nb c d e f g h i j k l"}) {
    EXPECT_EQ(run("frequent_words", few).out, naive_words(few)) << few;
  }
  EXPECT_EQ(shell("echo b a b | $examples/frequent_words").out, "2\tb\n1\ta\n");
}

constexpr const char* fastq_header = "reads\tbases\tGC %\tmean quality\tN50\n";

TEST(record_examples, describe_reads) {
  const auto with_header = [](const std::string& row) { return fastq_header + row; };
  EXPECT_EQ(run("fastq_stats", "").out, with_header("0\t0\t0.00\t0.00\t0\n"));
  EXPECT_EQ(run("fastq_stats", "@a\nGcAT\n+\n!!II").out, with_header("1\t4\t50.00\t20.00\t4\n"));
  EXPECT_EQ(run("fastq_stats", "@a\r\nG\r\n+a\r\n@\r\n@b\r\nA\r\n+\r\n+\r\n@c\r\nTT\r\n+\r\n##\r\n").out,
            with_header("3\t4\t25.00\t11.25\t2\n"));
  std::string reads;
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::size_t length = 20 + i * i % 200;
    reads += "@r\n" + std::string(length, "ACGT"[i % 4]) + "\n+\n" +
             std::string(length, static_cast<char>('!' + i % 41)) + '\n';
  }
  const temporary_file file(reads);
  const std::string awk =
      R"(awk 'NR % 4 == 2 {n += length($0); g += gsub(/[GC]/, "")} END {printf "%d\t%d\t%.2f\n", NR / 4, n, 100 * g / n}' )";
  EXPECT_EQ(shell("$examples/fastq_stats " + file.path().string() + " | tail -n 1 | cut -f 1-3").out,
            shell(awk + file.path().string()).out);
}

// The loop before and the loop after answer the same, but for inputs that cannot be read.
TEST(record_examples, port_loops_to_the_same_answers) {
  const auto both = [](const std::string& program, const temporary_file& file) {
    const std::string call = "$examples/" + program + " ";
    const std::string path = " " + file.path().string();
    const std::string after = shell(call + "after" + path).out;
    EXPECT_EQ(shell(call + "before" + path).out, after) << program;
    return after;
  };
  std::string words = "a b  c\n\n\tb b\n";
  for (unsigned i = 0; i != 40'000; ++i) words += std::to_string(i * i % 977) + (i % 13 == 0 ? "\n" : " ");
  EXPECT_EQ(both("port_vocabulary", temporary_file("a b  c\n\n\tb b\nlast")), "4 6 4\n");
  both("port_vocabulary", temporary_file(words));
  EXPECT_EQ(both("port_vectors", temporary_file("3\n1 2.5 -3e1\n+4 0 .5")), "2 -22.000000\n");
  EXPECT_THAT(shell("echo '2 1 x' | $examples/port_vectors after /dev/stdin").err,
              HasSubstr("at byte 4: 'x' is no number"));
  if (!std::filesystem::exists(std::string(build::examples) + "/port_fastq")) GTEST_SKIP() << "no zlib";
  std::string reads;
  for (unsigned i = 0; i != 5000; ++i)
    reads += "@r" + std::to_string(i) + "\n" + std::string(100 + i % 50, "ACGT"[i % 4]) + "\n+\n" +
             std::string(100 + i % 50, 'F') + "\n";
  EXPECT_EQ(both("port_fastq", temporary_file("@a\nGCA\n+\nFFF\n@b\nT\n+\nF")), "2 4 2\n");
  const temporary_file plain(reads);
  const std::string answer = both("port_fastq", plain);
  const temporary_file packed(shell("gzip -c " + plain.path().string()).out);
  EXPECT_EQ(both("port_fastq", packed), answer);
}

TEST(record_examples, refuse_what_is_no_fastq) {
  EXPECT_THAT(run("fastq_stats", "@a\nA\n+\n!\nb\nA\n+\n!\n").err, HasSubstr("line 5: a read starts with @"));
  EXPECT_THAT(run("fastq_stats", "@a\nA\n-\n!\n").err, HasSubstr("line 3: a + stands between"));
  EXPECT_THAT(run("fastq_stats", "@a\nA\n+\n!!\n").err, HasSubstr("line 4: a read has as many qualities"));
  const shell_result cut = run("fastq_stats", "@a\nA\n+\n");
  EXPECT_THAT(cut.err, HasSubstr("line 3: the last read is not complete"));
  EXPECT_EQ(cut.status, 1);
  EXPECT_EQ(cut.out, "");
}

/// The sum of the column `price` of a table.
shell_result sum(const std::string& format, std::string_view table) {
  const temporary_file file(table);
  return shell("$examples/column_sum " + format + " " + file.path().string() + " price");
}

TEST(record_examples, sum_a_column) {
  EXPECT_EQ(sum("tsv", "name\tprice\na\t1.5\n\"b\t-0.25").out, "1.25\n");
  EXPECT_EQ(sum("tsv", "price\r\n1\r\n2\r\n").out, "3.00\n");
  EXPECT_EQ(sum("csv", "\"a \"\"name\"\"\",\"price\"\n\"x,\ny\",\"1.5\"\n\"\"\"\",2\n").out, "3.50\n");
  EXPECT_EQ(sum("csv", "price\n").out, "0.00\n");
  std::string table = "id,comment,price\n";
  std::uint64_t total = 0;
  for (std::uint64_t i = 0; i < 20000; ++i) {
    table += std::to_string(i) + ",\"a, \"\"b\"\"\n" + std::string(i % 70, ',') + "\"," +
             std::to_string(i % 977) + "\n";
    total += i % 977;
  }
  EXPECT_EQ(sum("csv", table).out, std::to_string(total) + ".00\n");
}

TEST(record_examples, refuse_what_is_no_column_of_numbers) {
  EXPECT_THAT(sum("csv", "").err, HasSubstr("no column 'price'"));
  EXPECT_THAT(sum("csv", "name,prices\n").err, HasSubstr("no column 'price'"));
  EXPECT_THAT(sum("tsv", "price\n1\n1.5x\n").err, HasSubstr("column 'price' of row 2 is no number: '1.5x'"));
  EXPECT_THAT(sum("tsv", "price\tn\n\t1\n").err, HasSubstr("column 'price' of row 1 is no number: ''"));
  EXPECT_THAT(sum("tsv", "name\tprice\na\n").err, HasSubstr("column_sum: "));
  EXPECT_THAT(sum("xls", "price\n1\n").err, HasSubstr("usage"));
  const shell_result open = sum("csv", "price\n\"1\n");
  EXPECT_EQ(open.status, 1);
  EXPECT_EQ(open.out, "");
}

}  // namespace
}  // namespace riffle::test
