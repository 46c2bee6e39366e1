/// Implements the ranges over the records of FASTQ and FASTA.
#include <riffle/error.hpp>
#include <riffle/sequences.hpp>

#include <utility>

#include "record/fasta_scan.hpp"
#include "record/fastq_scan.hpp"

namespace riffle::inline v0::detail {

namespace {

template <class Scan>
Scan& scan_of(const std::unique_ptr<Scan>& held) {
  if (held == nullptr) {
    throw error(errc::invalid_argument, "read", "", std::nullopt, "the range was moved from");
  }
  return *held;
}

}  // namespace

template <class Record>
sequence_range<Record>::sequence_range(const input& from, const sequence_options& options,
                                       const read_options& reading)
    : sequence_range(source(from, reading), options) {}
template <class Record>
sequence_range<Record>::sequence_range(source from, const sequence_options& options)
    : scan_(std::make_unique<sequence_scan<Record>>(std::move(from), options)) {}
template <class Record>
sequence_range<Record>::sequence_range(sequence_range&&) noexcept = default;
template <class Record>
sequence_range<Record>& sequence_range<Record>::operator=(sequence_range&&) noexcept = default;
template <class Record>
sequence_range<Record>::~sequence_range() = default;

template <class Record>
auto sequence_range<Record>::resume() const -> cursor {
  static_cast<void>(scan_of(scan_));
  return {};
}
template <class Record>
bool sequence_range<Record>::advance(cursor& at) {
  return scan_->next(at.record, true);
}
template <class Record>
bool sequence_range<Record>::advance_in_block(cursor& at) {
  return scan_->next(at.record, false);
}
template <class Record>
const source& sequence_range<Record>::from() const {
  return scan_of(scan_).source();
}

template class sequence_range<fastq_record>;
template class sequence_range<fasta_record>;

}  // namespace riffle::inline v0::detail
