"""Reads and counts the lines of files on Spark 4: each split of a file is a partition."""

import json
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle
from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
from pyspark.sql.pandas.types import from_arrow_schema

import riffle_io
from riffle_io._engines import Decode, Paths, Rows, file_splits, line_batches
from riffle_io._splits import SPLIT_SIZE

if TYPE_CHECKING:
    from pyspark import RDD
    from pyspark.sql.types import StructType

__all__ = ["RiffleDataSource", "count", "map_splits"]


def map_splits(
    session: SparkSession, f: Callable[[riffle_io.Split], Any], paths: Paths, *, split_size: int = SPLIT_SIZE, decode: Decode = "automatic"
) -> "RDD[Any]":
    """Returns an RDD with `f(split)` for each split of the files, in order. It needs a classic session, not Connect.

    `f` runs in Spark's Python workers. It takes a `riffle_io.Split`, which `riffle_io.count_lines` and
    `riffle_io.read_split` accept, and it should return little. `decode` is that of `riffle_io.splits`.
    """
    parts = [tuple(part) for part in file_splits(paths, split_size, decode)]
    run = _checked(f)
    return session.sparkContext.parallelize(parts, max(len(parts), 1)).map(run)


def count(
    session: SparkSession, paths: Paths, what: Callable[..., Any] = riffle_io.count_lines, *, split_size: int = SPLIT_SIZE,
    decode: Decode = "automatic",
) -> Any:  # fmt: skip
    """Returns the number of lines in the files, or what else `what` counts: `riffle_io.count_words`, for example.

    The workers count; one number a split moves. `DataFrame.count()` moves every line into the JVM.
    """
    return map_splits(session, what, paths, split_size=split_size, decode=decode).sum()


def _checked(f):
    """Returns f as a function of the fields of a split, which says if the Python of a worker lacks riffle_io."""
    # A worker unpickles this function by value, without riffle_io.
    pickled, version = cloudpickle.dumps(f), riffle_io.__version__

    def run(fields):
        import pickle
        import sys

        try:
            import riffle_io
        except ImportError:
            found = "no riffle_io"
        else:
            if riffle_io.__version__ == version:
                return pickle.loads(pickled)(riffle_io.Split(*fields))
            found = f"riffle_io {riffle_io.__version__}"
        raise ImportError(
            f"the Python of the workers, {sys.executable}, has {found}: set PYSPARK_PYTHON to a Python that has "
            f"riffle_io {version}"
        )

    return run


class RiffleDataSource(DataSource):
    """The lines of files, for `spark.read.format("riffle")`: `spark.dataSource.register(RiffleDataSource)` adds it.

    `load` takes a path, a pattern, a `file:` URL, or several of them. Every worker must reach the files by the same
    paths, or open the URLs. The column `value` is binary. The options are `splitSize` in bytes, or with a unit as
    `128m`; `delimiter`, one character; `keepDelimiter`, `true` for values with their delimiter; `encoding`, `utf-8` for a column
    of strings; and `decode`, as `riffle_io.lines` takes it.

    The option `dialect`, such as `csv`, reads rows: a column of strings for each column of the files, but for those in
    `types`, a JSON object such as `{"price": "decimal(10, 2)"}`, of the types of `riffle_io.columns`; `null`, a JSON list such as
    `["NA"]`, `quotedNull` and `badRows` are those too. The names are the
    first row, unless `header` is `false`: then they are `f0`, `f1` and so on. The other options of rows are the keywords
    of `riffle_io.rows`, such as `separator`, `skipRows`, and `quote`, of which an empty text means none.

    The workers need riffle_io too: set PYSPARK_PYTHON to a Python that has it. Else Spark raises ModuleNotFoundError.

    A task raises `riffle_io.RiffleError` if its file changed since the query was planned.
    """

    @classmethod
    def name(cls) -> str:
        return "riffle"

    def schema(self) -> "str | StructType":
        if "dialect" in self.options:
            return from_arrow_schema(_Reader(self.options).rows.schema)
        return f"value {'string' if self.options.get('encoding') else 'binary'}"

    def reader(self, schema: Any) -> DataSourceReader:
        return _Reader(self.options)


def _flag(text):
    return {"true": True, "false": False}[text.lower()]


# How an option becomes a keyword of riffle_io.lines, or of riffle_io.rows.
_OF_LINES = {"delimiter": str, "keepDelimiter": _flag, "encoding": str, "decode": str}
_OF_ROWS = {
    "types": json.loads, "null": json.loads, "quotedNull": _flag, "badRows": str, "dialect": str, "separator": str, "delimiter": str, "quote": lambda text: text or None, "quoting": str,
    "doubleQuote": _flag, "escape": str, "skipInitialSpace": _flag, "stripCr": _flag, "skipBom": _flag,
    "skipRows": int, "comment": str, "skipBlank": _flag, "ragged": str, "trim": _flag, "header": _flag, "maxLength": int,
}  # fmt: skip
_UNITS = {"": 0, "b": 0, "k": 10, "kb": 10, "m": 20, "mb": 20, "g": 30, "gb": 30, "t": 40, "tb": 40, "p": 50, "pb": 50}


def bytes_of(size: str) -> int:
    """Returns the bytes of a size as Spark takes them: 128m, 1g, 64kb, 1048576. Raises ValueError for another text."""
    match = re.fullmatch(r"\s*(\d+)\s*([a-z]*)\s*", size.lower())
    if match is None or match[2] not in _UNITS:
        raise ValueError(f"the option splitSize must be a size such as 128m or 1g, not {size!r}")
    return int(match[1]) << _UNITS[match[2]]


class _Reader(DataSourceReader):
    def __init__(self, options):
        of_rows = "dialect" in options
        known = {name.lower(): name for name in ("path", "paths", "splitSize", *(_OF_ROWS if of_rows else _OF_LINES))}
        unknown = [name for name in options if name.lower() not in known]
        if unknown:
            records = "rows" if of_rows else "lines"
            listed = ", ".join(list(known.values())[2:])
            raise ValueError(f'the format "riffle" has no option {unknown[0]!r} of {records}: it has {listed}')
        if "path" not in options and "paths" not in options:
            raise ValueError('the format "riffle" needs a path: load(path)')
        self._paths = json.loads(options["paths"]) if "paths" in options else options["path"]
        self._split_size = bytes_of(options.get("splitSize", str(SPLIT_SIZE)))
        self._how = {}
        for name, of_text in (_OF_ROWS if of_rows else _OF_LINES).items():
            if name in options:
                try:
                    self._how[re.sub("([A-Z])", r"_\1", name).lower()] = of_text(options[name])
                except (KeyError, ValueError):
                    wanted = {_flag: "true or false", json.loads: "JSON"}.get(of_text, "a number")
                    raise ValueError(f"the option {name} must be {wanted}, not {options[name]!r}") from None
        self.rows = Rows(self._paths, self._split_size, **self._how) if of_rows else None

    def partitions(self):
        if self.rows:
            return [InputPartition(part) for part in self.rows.parts]
        return [InputPartition(part) for part in file_splits(self._paths, self._split_size, self._how.get("decode", "automatic"))]

    def read(self, partition):
        if self.rows:
            yield from self.rows.table(partition.value).to_batches()
            return
        _, batches = line_batches(partition.value, "value", **self._how)
        yield from batches
