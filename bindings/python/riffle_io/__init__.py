"""Reads lines, words, values and bytes of any input, by the C++ library riffle."""

from riffle_io._errors import RiffleError
from riffle_io._riffle import (
    LineBatch,
    LineBatches,
    LineIndex,
    Lines,
    __version__,
    count_any_of,
    count_byte,
    count_lines,
    count_utf8,
    count_words,
    kernels,
    line_index,
    lines,
    sum,
    values,
)

__all__ = [
    "LineBatch",
    "LineBatches",
    "LineIndex",
    "Lines",
    "RiffleError",
    "__version__",
    "count_any_of",
    "count_byte",
    "count_lines",
    "count_utf8",
    "count_words",
    "kernels",
    "line_index",
    "lines",
    "sum",
    "values",
]
