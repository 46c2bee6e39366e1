"""Reads lines, words, rows, columns, values and bytes of any input, by the C++ library riffle.

    for line in riffle_io.lines("a.log.gz"): ...                    # bytes, or str with encoding="utf-8"
    riffle_io.count_lines("a.log"), riffle_io.value_counts("a.csv", ["city"])
    polars.DataFrame(riffle_io.columns("a.csv", {"price": "f64"}))  # or pyarrow.table, pandas.DataFrame.from_arrow
    riffle_io.open("a.csv.gz")                                      # a file object

open and sum are here too, though `from riffle_io import *` leaves them out. A failure is a RiffleError, an OSError.
"""

from riffle_io._errors import RiffleError
from riffle_io._open import open as open  # as sum below
from riffle_io._pieces import from_chunks, from_lines
from riffle_io._public import ColumnStats, TextCounts, publish
from riffle_io._riffle import (
    Columns, Fasta, Fastq, LineBatch, LineBatches, LineIndex, Lines, Rows, Words, __version__, columns, count_any_of,
    count_byte, count_bytes, count_lines, count_lines_with, count_occurrences, count_records, count_text, count_utf8,
    count_words, decoders, fasta, fastq, kernels, line_index, lines, rows, sum_by, value_counts, values, words,
)  # fmt: skip
from riffle_io._riffle import sum as sum  # also for type checkers, though __all__ lacks it
from riffle_io._scan import scan_lines, scan_rows
from riffle_io._splits import Split, map_splits, number_splits, read_split, splits

__all__ = [  # without sum, which would replace the built-in one
    "ColumnStats", "Columns", "Fasta", "Fastq", "LineBatch", "LineBatches", "LineIndex", "Lines", "RiffleError", "Rows", "Split",
    "TextCounts", "Words", "__version__", "columns", "count_any_of", "count_byte", "count_bytes", "count_lines",
    "count_lines_with", "count_occurrences", "count_records", "count_text", "count_utf8", "count_words", "decoders",
    "fasta", "fastq", "from_chunks", "from_lines", "kernels", "line_index", "lines", "map_splits", "number_splits",
    "read_split", "rows", "scan_lines", "scan_rows", "splits", "sum_by", "value_counts", "values", "words",
]  # fmt: skip

publish(globals())
del publish
