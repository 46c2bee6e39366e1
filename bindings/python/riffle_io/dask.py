"""Reads and counts the lines of files on Dask: each split of a file is a task."""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING, Any

import dask.bag

import riffle_io
from riffle_io._engines import Decode, DialectName, Paths, Rows, file_splits, line_batches
from riffle_io._splits import SPLIT_SIZE

if TYPE_CHECKING:
    from typing import Unpack

    from riffle_io._riffle import _BadRows, _OfRows, _Type

__all__ = ["count", "map_splits", "read_lines", "read_rows"]


def map_splits(
    f: Callable[[riffle_io.Split], Any], urls: Paths, *, split_size: int = SPLIT_SIZE, decode: Decode = "automatic"
) -> dask.bag.Bag:
    """Returns a Dask bag with `f(split)` for each split of the files, in order.

    `f` runs on the workers. It takes a `riffle_io.Split`, which `riffle_io.count_lines` and `riffle_io.read_split`
    accept, and it should return little: a bag that moves lines between workers is slower than the reading.
    `decode` is that of `riffle_io.splits`.
    """
    return _map(f, file_splits(urls, split_size, decode))


def count(
    urls: Paths, what: Callable[..., Any] = riffle_io.count_lines, *, split_size: int = SPLIT_SIZE, decode: Decode = "automatic"
) -> dask.bag.Item:
    """Returns the lines of the files as a Dask item: `.compute()` gives the number.

    `what` counts something else: `riffle_io.count_words`, or any function of a split whose results can be added.
    The workers count; one number a split moves.
    """
    return map_splits(what, urls, split_size=split_size, decode=decode).sum()


def read_lines(
    urls: Paths, *, split_size: int = SPLIT_SIZE, delimiter: bytes | str = b"\n", keep_delimiter: bool = False,
    encoding: str | None = None, number: bool = False, decode: Decode = "automatic",
) -> "dask.dataframe.DataFrame":  # fmt: skip
    """Returns the lines of the files as a Dask DataFrame with the column `line`: each split is a partition.

    `urls` is a path, a pattern, a URL, several of them, or a list of splits. Every worker must reach the files by the
    same paths; fsspec opens a URL such as `s3://bucket/*.log`. `split_size` is in bytes. `delimiter` and `keep_delimiter` are
    those of `riffle_io.lines`. The column holds bytes, or text with `encoding="utf-8"`. `decode` is
    that of `riffle_io.splits`.

    With `number=True` the index is the line's number, from 1 through all the files, and Dask knows its divisions. The
    call then counts the lines on the workers before it returns. Without, it reads only the sizes of the files.

    A task raises `riffle_io.RiffleError` if its file changed since the call.
    """
    import dask.dataframe

    parts = file_splits(urls, split_size, decode)
    read = partial(_read, delimiter=delimiter, keep_delimiter=keep_delimiter, encoding=encoding, decode=decode)
    meta = read(None, 1 if number else None)
    if not parts:
        return dask.dataframe.from_pandas(meta, npartitions=1)
    if not number:
        return dask.dataframe.from_map(read, parts, meta=meta)
    counts = _map(partial(riffle_io.count_records, delimiter=delimiter, decode=decode), parts).compute()
    parts = [part for part, lines in zip(parts, counts) if lines]  # Dask wants divisions that increase
    *firsts, end = accumulate(filter(None, counts), initial=1)
    return dask.dataframe.from_map(read, parts, firsts, meta=meta, divisions=[*firsts, end - 1])


def read_rows(
    urls: Paths, *, types: "dict[str, _Type] | None" = None, null: Sequence[bytes | str] = (),
    quoted_null: bool = True, bad_rows: "_BadRows" = "fail", split_size: int = SPLIT_SIZE,
    dialect: DialectName = "csv", **rows: "Unpack[_OfRows]",
) -> "dask.dataframe.DataFrame":  # fmt: skip
    """Returns the rows of CSV files as a Dask DataFrame: each split of whole rows is a partition.

    A field in quotes may hold newlines. To find the splits, the call reads each file once. The keywords are those of
    `riffle_io.rows`. A table names its columns, so there is a header unless `header=False`: the first row of each file,
    of which the first file says which columns there are. Without, the columns are f0, f1 and so on. Fields are text, but for the
    columns in `types`, such as `{"price": "float64"}`: types of `riffle_io.columns`, or of pyarrow, which converts the text then.
    """
    import dask.dataframe

    found = Rows(urls, split_size, types=types, null=null, quoted_null=quoted_null, bad_rows=bad_rows, dialect=dialect, **rows)
    read = partial(_read_rows, rows=found)
    if not found.parts:
        return dask.dataframe.from_pandas(read(None), npartitions=1)
    return dask.dataframe.from_map(read, found.parts, meta=read(None))


def _read_rows(part, rows):
    import pandas

    return rows.table(part).to_pandas(types_mapper=pandas.ArrowDtype)


def _map(f, parts):
    return dask.bag.from_sequence(parts, partition_size=1).map(f)


def _read(part, first=None, **how):
    import pandas
    import pyarrow

    schema, batches = line_batches(part, "line", **how)
    frame = pyarrow.Table.from_batches(batches, schema).to_pandas(types_mapper=pandas.ArrowDtype)
    if first is not None:
        frame.index = pandas.RangeIndex(first, first + len(frame), name="number")
    return frame
