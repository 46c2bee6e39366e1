"""Reads lines, words, values and bytes of any input, by the C++ library riffle."""

import copyreg

from riffle_io._errors import RiffleError
from riffle_io._public import publish
from riffle_io._riffle import (
    LineBatch,
    LineBatches,
    LineIndex,
    Lines,
    __version__,
    count_any_of,
    count_byte,
    count_lines,
    count_records,
    count_utf8,
    count_words,
    kernels,
    line_index,
    lines,
    sum,
    values,
)
from riffle_io._splits import Split, map_splits, number_splits, read_split, splits

__all__ = [
    "LineBatch",
    "LineBatches",
    "LineIndex",
    "Lines",
    "RiffleError",
    "Split",
    "__version__",
    "count_any_of",
    "count_byte",
    "count_lines",
    "count_records",
    "count_utf8",
    "count_words",
    "kernels",
    "line_index",
    "lines",
    "map_splits",
    "number_splits",
    "read_split",
    "splits",
    "sum",
    "values",
]

# Lets pickle take a function of the extension by its name, as it takes those of Python: a pool of processes needs it.
copyreg.pickle(type(lines), lambda function: function.__qualname__)
publish(globals())
