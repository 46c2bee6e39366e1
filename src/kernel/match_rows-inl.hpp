/// SIMD kernels that find the ends of fields and of rows in a batch, with and without quotes.

#include <bit>

HWY_BEFORE_NAMESPACE();
namespace riffle::inline v0::kernel::HWY_NAMESPACE {

/// Writes where the matches lie. The first writes of each call do not depend on the number of matches,
/// because a branch for each match is mispredicted too often; the next call overwrites what is too much. (G.
/// Langdale and D. Lemire, "Parsing gigabytes of JSON per second".)
class row_writer {
 public:
  HWY_INLINE row_writer(std::uint64_t base, std::uint64_t* ends, std::uint32_t* rows)
      : base_(base), first_end_(ends), ends_(ends), first_row_(rows), rows_(rows) {}

  /// Adds the matches of the 64 bytes at `position`: `rows` ends a row, `fields` one more field of it.
  HWY_INLINE void add(std::size_t position, std::uint64_t fields, std::uint64_t rows) {
    const std::uint64_t all = fields | rows;
    const auto before = static_cast<std::uint32_t>(ends_ - first_end_);
    const std::size_t row_count = hwy::PopCount(rows);
    std::size_t i = 0;
    for (; i < 2; ++i) rows = write_row(i, before, all, rows);
    for (; i < row_count; ++i) rows = write_row(i, before, all, rows);
    rows_ += row_count;

    const std::uint64_t start = base_ + position;
    const std::size_t count = hwy::PopCount(all);
    std::uint64_t left = all;
    for (i = 0; i < 8; ++i) left = write_end(i, start, left);
    if (count > 8) {
      for (; i < 16; ++i) left = write_end(i, start, left);
      for (; i < count; ++i) left = write_end(i, start, left);
    }
    ends_ += count;
  }

  /// Returns what was added, in the first `size` bytes.
  HWY_INLINE row_matches found(std::size_t size, std::uint64_t doubled = 0) const {
    return {size, static_cast<std::size_t>(ends_ - first_end_), static_cast<std::size_t>(rows_ - first_row_),
            doubled};
  }

 private:
  HWY_INLINE std::uint64_t write_end(std::size_t i, std::uint64_t start, std::uint64_t left) {
    ends_[i] = start + zeros_below(left);
    return left & (left - 1);
  }
  HWY_INLINE std::uint64_t write_row(std::size_t i, std::uint32_t before, std::uint64_t all,
                                     std::uint64_t rows) {
    const std::uint64_t through = rows ^ (rows - 1);  // the bits up to the lowest of `rows`
    rows_[i] = before + static_cast<std::uint32_t>(hwy::PopCount(all & through));
    return rows & (rows - 1);
  }

  std::uint64_t base_;
  std::uint64_t* first_end_;
  std::uint64_t* ends_;
  std::uint32_t* first_row_;
  std::uint32_t* rows_;
};

template <prefetching by>
inline row_matches match_rows(const char* data, std::size_t size, row_bytes bytes, std::uint64_t base,
                              std::uint64_t* ends, std::uint32_t* rows) {
  const auto* const from = reinterpret_cast<const std::uint8_t*>(data);
  const one_byte field(bytes.field);
  const one_byte row(bytes.row);
  row_writer out(base, ends, rows);
  std::size_t i = 0;
  for (; size - i >= 64; i += 64) {
    prefetch<by>(from + i);
    out.add(i, match_64(field, from + i), match_64(row, from + i));
  }
  if (const std::size_t rest = size - i; rest != 0) {
    out.add(i, match_rest(field, from, size, rest), match_rest(row, from, size, rest));
  }
  return out.found(size);
}

#if HWY_ARCH_X86 && HWY_TARGET <= HWY_SSE4
/// Returns a mask whose bit i is the XOR of the bits 0 to i of `bits`: their product by all ones, without
/// carries.
HWY_INLINE std::uint64_t prefix_xor(std::uint64_t bits) {
  const hn::FixedTag<std::uint64_t, 2> tag;
  return hn::GetLane(hn::CLMulLower(hn::Set(tag, bits), hn::Set(tag, ~std::uint64_t{0})));
}
#else
/// Returns a mask whose bit i is the XOR of the bits 0 to i of `bits`.
HWY_INLINE std::uint64_t prefix_xor(std::uint64_t bits) {
  for (unsigned shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}
#endif

/// Says which of some bytes lie inside quotes, and what follows from them for the next.
struct lax_quotes {
  std::uint64_t inside;
  quote_state after;
};

/// Finds the quotes of `count` (1 to 64) bytes by lax rules, one field in quotes after the other.
inline HWY_NOINLINE lax_quotes walk_quotes(std::size_t count, std::uint64_t quote, std::uint64_t delimiters,
                                           quote_state before) {
  const auto from = [](std::size_t at) { return at < 64 ? ~std::uint64_t{0} << at : 0; };
  const std::uint64_t fresh = before.may_open & ~before.closed;
  const std::uint64_t openings = quote & (delimiters << 1U | fresh);
  lax_quotes found{};
  bool open = before.inside != 0;
  bool closed = false;
  std::size_t at = 0;
  if (before.closed != 0 && (quote & 1U) != 0) {  // the second of two
    open = true;
    at = 1;
  }
  if (open) found.inside = ~std::uint64_t{0};
  while (true) {
    const std::uint64_t next = (open ? quote : openings) & from(at);
    if (next == 0) break;
    const auto place = static_cast<std::size_t>(std::countr_zero(next));
    at = place + 1;
    if (!open) {
      open = true;
      found.inside |= from(place);
    } else if (at < count && (quote >> at & 1U) != 0) {
      ++at;
    } else {
      open = false;
      closed = at == count;
      found.inside &= ~from(place);
    }
  }
  const bool delimited = !open && (delimiters >> (count - 1) & 1U) != 0;
  found.after = {.inside = std::uint64_t{open},
                 .may_open = std::uint64_t{closed || delimited},
                 .closed = std::uint64_t{closed}};
  return found;
}

/// Finds which delimiters lie outside quotes, and the first byte that breaks the rules of quoting.
class quote_masks {
 public:
  explicit HWY_INLINE quote_masks(const quote_state& before)
      : inside_(std::uint64_t{0} - before.inside),
        may_open_(before.may_open),
        closed_(before.closed),
        cr_(before.cr) {}

  /// Looks at the next `count` (1 to 64) bytes: their quotes, and their delimiters of both kinds. `row` and
  /// `cr()` are the masks of row delimiters and of CRs; few calls need the latter. Returns the bytes inside
  /// quotes, and sets `bad` to those that break the rules, `doubled` to the quotes after closing ones. If
  /// none is bad, the next call is for the bytes after these.
  template <class Cr>
  HWY_INLINE std::uint64_t inside(std::size_t count, std::uint64_t quote, std::uint64_t delimiters,
                                  std::uint64_t row, Cr cr, std::uint64_t& bad, std::uint64_t& doubled) {
    const std::size_t last = count - 1;
    const std::uint64_t valid = ~std::uint64_t{0} >> (63 - last);
    const std::uint64_t inside = prefix_xor(quote) ^ inside_;
    const std::uint64_t opens = quote & inside;
    const std::uint64_t closes = quote & ~inside;
    const std::uint64_t edges = quote | delimiters;
    bad = opens & ~(edges << 1U | may_open_);
    const std::uint64_t behind_closing = closes << 1U | closed_;
    doubled = behind_closing & opens;
    // After a closing quote there is an edge, or a CR and then the end of the row.
    const std::uint64_t behind = behind_closing & ~edges & valid;
    std::uint64_t ends_in_cr = 0;
    if ((behind | cr_) != 0) {
      const std::uint64_t crs = behind & cr();
      bad |= (behind & ~crs) | ((crs << 1U | cr_) & ~row & valid);
      ends_in_cr = crs >> last & 1U;
    }
    if (bad != 0) return inside;
    cr_ = ends_in_cr;
    inside_ = std::uint64_t{0} - (inside >> 63U);
    may_open_ = edges >> last & 1U;
    closed_ = closes >> last & 1U;
    return inside;
  }

  HWY_INLINE quote_state after() const { return {inside_ & 1U, may_open_, closed_, cr_}; }

 private:
  std::uint64_t inside_;  // all bits or none
  std::uint64_t may_open_;
  std::uint64_t closed_;
  std::uint64_t cr_;
};

/// Finds rows and fields outside quotes, 64 bytes at a time.
class quoted_rows {
 public:
  HWY_INLINE quoted_rows(row_bytes bytes, const quote_state& before, row_writer out)
      : field_(bytes.field), row_(bytes.row), quote_(bytes.quote), cr_('\r'), quotes_(before), out_(out) {}

  /// Adds the `count` bytes at `at`, of which `match` gives the mask of a byte value. Returns false, and adds
  /// none, if they are not well quoted.
  template <class Match>
  HWY_INLINE bool add(std::size_t at, std::size_t count, const Match& match) {
    const found_masks found(*this, count, match);
    if (found.bad != 0) return false;
    add(at, found, ~found.inside);
    return true;
  }
  /// Adds those before the first bad byte, and returns their number.
  template <class Match>
  HWY_INLINE std::size_t add_well_quoted(std::size_t at, std::size_t count, const Match& match) {
    found_masks found(*this, count, match);
    const auto good = static_cast<std::size_t>(std::countr_zero(found.bad));
    const std::uint64_t before = (std::uint64_t{1} << good) - 1;
    found.doubled &= before;
    add(at, found, ~found.inside & before);
    return good;
  }
  /// Adds them by lax rules.
  template <class Match>
  HWY_INLINE void add_by_lax_rules(std::size_t at, std::size_t count, const Match& match) {
    found_masks found(*this, count, match);
    const lax_quotes lax = walk_quotes(count, match(quote_), found.fields | found.rows, quotes_.after());
    quotes_ = quote_masks(lax.after);
    found.doubled = found.bad;
    add(at, found, ~lax.inside);
  }

  HWY_INLINE row_matches found(std::size_t size) const { return out_.found(size, doubled_); }
  HWY_INLINE quote_state after() const { return quotes_.after(); }

 private:
  struct found_masks {
    template <class Match>
    HWY_INLINE found_masks(quoted_rows& by, std::size_t count, const Match& match)
        : fields(match(by.field_)), rows(match(by.row_)) {
      inside = by.quotes_.inside(
          count, match(by.quote_), fields | rows, rows, [&]() HWY_ATTR { return match(by.cr_); }, bad,
          doubled);
    }
    std::uint64_t fields;
    std::uint64_t rows;
    std::uint64_t inside;
    std::uint64_t bad = 0;
    std::uint64_t doubled = 0;
  };

  HWY_INLINE void add(std::size_t at, const found_masks& found, std::uint64_t outside) {
    doubled_ |= std::uint64_t{found.doubled != 0} << HWY_MIN(at / 64, std::size_t{63});
    out_.add(at, found.fields & outside, found.rows & outside);
  }

  one_byte field_;
  one_byte row_;
  one_byte quote_;
  one_byte cr_;
  quote_masks quotes_;
  row_writer out_;
  std::uint64_t doubled_ = 0;
};

template <prefetching by>
inline row_matches match_quoted_rows(const char* data, std::size_t size, row_bytes bytes, quote_state& state,
                                     std::uint64_t base, std::uint64_t* ends, std::uint32_t* rows) {
  const auto* const from = reinterpret_cast<const std::uint8_t*>(data);
  quoted_rows found(bytes, state, row_writer(base, ends, rows));
  std::size_t i = 0;
  // The loop over well quoted bytes calls no function, so that it keeps its vectors in registers.
  while (true) {
    const auto match = [&](const one_byte& byte) HWY_ATTR { return match_64(byte, from + i); };
    for (; size - i >= 64; i += 64) {
      prefetch<by>(from + i);
      if (!found.add(i, 64, match)) break;
    }
    if (size - i < 64) break;
    if (!bytes.lax) return found.found(i + found.add_well_quoted(i, 64, match));
    found.add_by_lax_rules(i, 64, match);
    i += 64;
  }
  if (const std::size_t rest = size - i; rest != 0) {
    const auto match = [&](const one_byte& byte) HWY_ATTR { return match_rest(byte, from, size, rest); };
    if (!found.add(i, rest, match)) {
      if (!bytes.lax) return found.found(i + found.add_well_quoted(i, rest, match));
      found.add_by_lax_rules(i, rest, match);
    }
  }
  state = found.after();
  return found.found(size);
}

}  // namespace riffle::inline v0::kernel::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
