"""Reads and counts the lines of files on Spark 4: each split of a file is a partition."""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING

from pyspark.sql import SparkSession
from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition

import riffle_io
from riffle_io._engines import Paths, file_splits, line_batches
from riffle_io._splits import SPLIT_SIZE, with_decode

if TYPE_CHECKING:
    from pyspark import RDD

__all__ = ["RiffleDataSource", "count", "map_splits"]


def map_splits(
    session: SparkSession,
    f: Callable,
    paths: Paths,
    *,
    split_size: int = SPLIT_SIZE,
    decode: str | None = None,
) -> "RDD":
    """Returns an RDD with `f(split)` for each split of the files, in order. It needs a classic session, not Connect.

    `f` runs in Spark's Python workers. It takes a `riffle_io.Split`, which `riffle_io.count_lines` and
    `riffle_io.read_split` accept, and it should return little. With `decode`, the files are compressed, and `f` is
    called as `f(split, decode=decode)`.
    """
    parts = file_splits(paths, split_size, decode)
    return session.sparkContext.parallelize(parts, max(len(parts), 1)).map(with_decode(f, decode))


def count(
    session: SparkSession,
    paths: Paths,
    what: Callable = riffle_io.count_lines,
    *,
    split_size: int = SPLIT_SIZE,
    decode: str | None = None,
):
    """Returns the number of lines in the files, or what else `what` counts: `riffle_io.count_words`, for example.

    The workers count; one number a split moves. `DataFrame.count()` moves every line into the JVM.
    """
    return map_splits(session, what, paths, split_size=split_size, decode=decode).sum()


class RiffleDataSource(DataSource):
    """The lines of files, for `spark.read.format("riffle")`: `spark.dataSource.register(RiffleDataSource)` adds it.

    `load` takes a path, a pattern, a `file:` URL, or several of them. Every worker must reach the files by the same
    paths. The column `value` is binary. The options are `splitSize` in bytes, `delimiter`, one character;
    `keep`, `true` for values with their delimiter; `encoding`, `utf-8` for a column of strings; and `decode`, the
    format of compressed files.

    A task raises `riffle_io.RiffleError` if its file changed since the query was planned.
    """

    @classmethod
    def name(cls):
        return "riffle"

    def schema(self):
        return f"value {'string' if self.options.get('encoding') else 'binary'}"

    def reader(self, schema):
        return _Reader(self.options)


class _Reader(DataSourceReader):
    def __init__(self, options):
        if "path" not in options and "paths" not in options:
            raise ValueError('the format "riffle" needs a path: load(path)')
        if options.get("keep", "false").lower() not in ("true", "false"):
            raise ValueError(f"the option keep must be true or false, not {options['keep']!r}")
        self._paths = json.loads(options["paths"]) if "paths" in options else options["path"]
        self._split_size = int(options.get("splitSize", SPLIT_SIZE))
        self._how = {
            "delimiter": options.get("delimiter", "\n").encode(),
            "keep": options.get("keep", "false").lower() == "true",
            "encoding": options.get("encoding"),
            "decode": options.get("decode"),
        }

    def partitions(self):
        return [InputPartition(part) for part in file_splits(self._paths, self._split_size, self._how["decode"])]

    def read(self, partition):
        _, batches = line_batches(partition.value, "value", **self._how)
        yield from batches
