/// Records by plain loops over the bytes, to hold those of riffle against. For the tests and the fuzz
/// targets.
#pragma once

#include <riffle/byte_set.hpp>
#include <riffle/dialect.hpp>
#include <riffle/options.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace riffle::test {

/// The size of the byte order mark that a text starts with, or 0.
inline std::size_t size_of_mark(std::string_view text) {
  return text.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

/// Lines by a plain loop over the bytes. Knows no `max_length`.
inline std::vector<std::string> naive_lines(std::string_view text, const line_options& options = {}) {
  std::vector<std::string> lines;
  std::string line;
  const auto end_line = [&](bool delimited) {
    if (options.keep_delimiter && delimited) line += options.delimiter;
    if (!options.keep_delimiter && options.strip_cr && !line.empty() && line.back() == '\r') line.pop_back();
    lines.push_back(std::exchange(line, {}));
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == options.delimiter) {
      end_line(true);
    } else {
      line += text[i];
      if (i + 1 == text.size()) end_line(false);
    }
  }
  return lines;
}

/// Fields by a plain loop over the bytes.
inline std::vector<std::string> naive_fields(std::string_view line, char delimiter) {
  std::vector<std::string> fields(1);
  for (const char byte : line) {
    if (byte == delimiter) {
      fields.emplace_back();
    } else {
      fields.back() += byte;
    }
  }
  return fields;
}

/// Words between separators, and an empty one at the end of each line if `line_ends`.
inline std::vector<std::string> naive_tokens(std::string_view text, const byte_set& separators,
                                             bool line_ends) {
  std::vector<std::string> tokens;
  std::string word;
  const auto end_word = [&] {
    if (!word.empty()) tokens.push_back(std::exchange(word, {}));
  };
  for (const char byte : text) {
    const bool ends_line = line_ends && byte == '\n';
    if (!ends_line && !separators.contains(byte)) {
      word += byte;
      continue;
    }
    end_word();
    if (ends_line) tokens.emplace_back();
  }
  end_word();
  if (line_ends && !text.empty() && text.back() != '\n') tokens.emplace_back();
  return tokens;
}

/// Words between white space of ASCII.
inline std::vector<std::string> naive_words(std::string_view text) {
  return naive_tokens(text, byte_set(" \t\n\v\f\r"), false);
}

/// Records before the first that is too long, where each starts, and where that one does.
struct naive_records {
  std::vector<std::string> records = {};
  std::vector<std::uint64_t> offsets = {};
  std::optional<std::uint64_t> too_long = {};
  /// Returns whether the record, which has so many bytes for the limit, is short enough.
  bool add(std::string record, std::uint64_t offset, std::size_t size, std::size_t most) {
    if (size > most) {
      too_long = offset;
      return false;
    }
    records.push_back(std::move(record));
    offsets.push_back(offset);
    return true;
  }
};

/// Lines up to the first that is longer than `max_length`.
inline naive_records naive_bounded_lines(std::string_view text, const line_options& options) {
  naive_records all;
  std::uint64_t offset = 0;
  for (const std::string& whole :
       naive_lines(text, {.delimiter = options.delimiter, .keep_delimiter = true})) {
    std::string line = naive_lines(whole, options).front();
    const bool delimited = options.keep_delimiter && line.ends_with(options.delimiter);
    const std::size_t size = line.size() - (delimited ? 1 : 0);
    if (!all.add(std::move(line), offset, size, options.max_length)) break;
    offset += whole.size();
  }
  return all;
}

/// Words up to the first that is longer than `most` bytes.
inline naive_records naive_bounded_words(std::string_view text, std::size_t most) {
  naive_records all;
  std::size_t place = 0;
  for (const std::string& word : naive_words(text)) {
    place = text.find(word, place);
    if (!all.add(word, place, word.size(), most)) break;
    place += word.size();
  }
  return all;
}

/// The byte order that this machine does not have.
inline constexpr std::endian other_order =
    std::endian::native == std::endian::little ? std::endian::big : std::endian::little;

/// The bytes of whole values of `size` bytes, those of each in the other order if `swapped`.
inline std::string naive_values(std::string_view text, std::size_t size, bool swapped) {
  std::string bytes(text.substr(0, text.size() / size * size));
  for (std::size_t at = 0; swapped && at != bytes.size(); at += size)
    std::reverse(bytes.data() + at, bytes.data() + at + size);
  return bytes;
}

/// A row by a plain loop.
struct naive_row {
  std::vector<std::string> raw = {};
  std::vector<std::string> unescaped = {};
  std::uint64_t offset = 0;
  friend bool operator==(const naive_row&, const naive_row&) = default;
};

/// What a text holds before the first failure, and that failure.
struct naive_table {
  std::vector<naive_row> rows;
  std::vector<std::uint64_t> ends;        // the delimiters outside quotes
  std::vector<std::uint32_t> row_ends;    // how many of them up to the end of each row
  std::optional<std::uint64_t> bad;       // the byte that breaks the rules of quoting
  std::optional<std::uint64_t> open;      // the quote that is not closed
  std::optional<std::uint64_t> too_long;  // the row over `max_length`
  std::optional<std::uint64_t> lone_cr;   // a CR of the first row, if no delimiter ends it
};

/// Rows by a parser that looks at one byte after another. The quote must not be a CR.
class naive_parser {
 public:
  naive_parser(std::string_view text, const dialect& options) : text_(text), options_(options) {}

  naive_table parse() && {
    if (options_.skip_bom) at_ = size_of_mark(text_);
    first_ = at_;
    for (std::uint64_t i = 0; i < options_.skip_rows && at_ < text_.size(); ++i) skip_row();
    while (at_ < text_.size()) {
      if (options_.comment && is(at_, *options_.comment)) {
        skip_row();
      } else if (!parse_row()) {
        break;
      }
    }
    return std::move(table_);
  }

 private:
  bool is(std::size_t at, char byte) const { return at < text_.size() && text_[at] == byte; }
  bool quote(std::size_t at) const { return options_.quote && is(at, *options_.quote); }
  void skip_row() {
    while (at_ < text_.size() && !is(at_++, options_.delimiter)) {
    }
  }
  bool escape(std::size_t at) const { return options_.escape && is(at, *options_.escape); }
  // Takes a byte, or what an escape stands before.
  bool take(std::string& field) {
    if (escape(at_) && ++at_ == text_.size()) return fail(table_.bad, at_ - 1, at_);
    field += text_[at_++];
    return true;
  }
  bool ends_row(std::size_t at) const { return at == text_.size() || is(at, options_.delimiter); }
  bool ends_field(std::size_t at) const {
    return ends_row(at) || (!options_.whitespace && is(at, options_.separator));
  }
  bool fail(std::optional<std::uint64_t>& how, std::size_t at, std::size_t reached) {
    const std::size_t allowed =
        options_.max_length + (options_.strip_cr && options_.max_length + 1 != 0 ? 1 : 0);
    if (reached - start_ > allowed) {
      table_.too_long = start_;
    } else {
      how = at;
    }
    return false;
  }

  bool parse_row() {
    start_ = at_;
    naive_row row{.offset = at_};
    while (true) {
      const std::size_t from = at_;
      std::string unescaped;
      while (options_.skip_initial_space && is(at_, ' ')) ++at_;
      if (!(quote(at_) ? parse_quoted(unescaped) : parse_plain(unescaped))) return false;
      std::size_t end = at_;
      if (ends_row(at_) && options_.strip_cr && end > from && text_[end - 1] == '\r') {
        --end;
        unescaped.pop_back();
      }
      row.raw.emplace_back(text_.substr(from, end - from));
      row.unescaped.push_back(unescaped);
      if (at_ < text_.size()) table_.ends.push_back(at_);
      if (!ends_row(at_)) {
        ++at_;
        continue;
      }
      if (at_ == text_.size() && start_ == first_ && is_refused(cr_)) return fail(table_.lone_cr, cr_, at_);
      if (at_++ < text_.size()) table_.row_ends.push_back(static_cast<std::uint32_t>(table_.ends.size()));
      if (end - start_ > options_.max_length) {
        table_.too_long = start_;
        return false;
      }
      if (options_.whitespace) {
        row.raw = naive_tokens(row.raw[0], byte_set(" \t"), false);  // as awk does it
        if (row.raw.empty()) row.raw.emplace_back();
        row.unescaped = row.raw;
      }
      const bool blank =
          row.raw.size() == 1 && (row.raw[0].empty() || (row.raw[0] == "\r" && !options_.strip_cr));
      if (!blank || !options_.skip_blank) table_.rows.push_back(std::move(row));
      return true;
    }
  }
  bool is_refused(std::size_t cr) const {
    return options_.strip_cr && options_.delimiter == '\n' && options_.separator != '\r' && cr != none;
  }
  void note_cr(std::size_t at) {
    if (cr_ == none && is(at, '\r') && at + 1 < text_.size() && !is(at + 1, '\r')) cr_ = at;
  }
  bool parse_plain(std::string& field) {
    while (!ends_field(at_)) {
      note_cr(at_);
      if (quote(at_) && strict()) return fail(table_.bad, at_, at_);
      if (!take(field)) return false;
    }
    return true;
  }
  bool parse_quoted(std::string& field) {
    const std::size_t opening = at_++;
    while (!quote(at_) || (options_.double_quote && quote(at_ + 1))) {
      if (at_ >= text_.size()) return fail(table_.open, opening, text_.size());
      if (quote(at_)) ++at_;
      if (escape(at_) && at_ + 1 == text_.size()) return fail(table_.open, opening, text_.size());
      if (!take(field)) return false;
    }
    const std::size_t behind = ++at_;
    if (strict()) {
      if (!ends_field(at_) && (!is(at_, '\r') || !ends_row(++at_))) return fail(table_.bad, at_, at_);
      const std::string_view rest = text_.substr(behind, at_ - behind);
      if (rest != "\r" || options_.strip_cr) field += rest;
      return true;
    }
    std::string rest;
    if (options_.double_quote && escape(at_)) rest += text_[at_++];  // nothing is escaped right after a quote
    while (!ends_field(at_)) {
      note_cr(at_);
      if (!take(rest)) return false;
    }
    if (rest != "\r" || !ends_row(at_) || options_.strip_cr) field += rest;
    return true;
  }
  bool strict() const { return options_.quoting == quoting::strict; }

  std::string_view text_;
  dialect options_;
  static constexpr std::size_t none = std::string_view::npos;
  std::size_t at_ = 0;
  std::size_t start_ = 0;
  std::size_t first_ = 0;  // where the first row starts
  std::size_t cr_ = none;
  naive_table table_;
};
inline naive_table naive_rows(std::string_view text, const dialect& options) {
  return naive_parser(text, options).parse();
}

/// Random bytes out of `alphabet`, the same for the same seed; any bytes at all without one.
inline std::string random_text(std::size_t size, unsigned seed, std::string_view alphabet = {}) {
  std::mt19937 random(seed);
  std::string text(size, '\0');
  for (char& byte : text) {
    byte = alphabet.empty() ? static_cast<char>(random() & 0xFFU) : alphabet[random() % alphabet.size()];
  }
  return text;
}

/// Text that is mostly well quoted: random bytes of a small alphabet break the rules at once.
inline std::string random_csv(std::mt19937& random, std::size_t fields) {
  const auto some = [&](std::string_view alphabet) {
    return random_text(random() % 12, static_cast<unsigned>(random()), alphabet);
  };
  std::string text;
  for (std::size_t i = 0; i < fields; ++i) {
    const std::string inside = some("a,\n\r#");
    const std::string plain = some("ab\r");
    if (random() % 40 == 0) text += "b\",\"";
    switch (random() % 4) {
      case 0:
        text += '"' + inside + '"';
        break;
      case 1:
        text += '"' + inside + "\"\"" + plain + '"';
        break;
      default:
        text += plain;
    }
    if (random() % 60 == 0) text += "\"x";
    if (random() % 60 == 0) text += "5'8\"";
    text += random() % 3 == 0 ? (random() % 2 == 0 ? "\r\n" : "\n") : ",";
  }
  return text;
}

}  // namespace riffle::test
