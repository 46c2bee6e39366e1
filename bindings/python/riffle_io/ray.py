"""Reads and counts the lines of files on Ray: each split of a file is a task, or a part of one."""

import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import ray
from ray.data import Datasource, ReadTask
from ray.data.block import BlockMetadata

import riffle_io
from riffle_io._engines import Decode, DialectName, Paths, Rows, file_splits, line_batches
from riffle_io._splits import SPLIT_SIZE

if TYPE_CHECKING:
    from typing import Unpack

    from riffle_io._riffle import _BadRows, _OfRows, _Type

__all__ = ["LinesDatasource", "count", "map_splits", "read_lines", "read_rows"]


def map_splits(
    f: Callable[[riffle_io.Split], Any], paths: Paths, *, split_size: int = SPLIT_SIZE, decode: Decode = "automatic"
) -> list[Any]:
    """Returns the list of `f(split)` for each split of the files, in order, as `riffle_io.dask.map_splits` calls f.

    `f` runs in Ray tasks, which Ray repeats if a worker dies.
    """
    run = ray.remote(lambda part: f(part))
    return ray.get([run.remote(part) for part in file_splits(paths, split_size, decode)])


def count(
    paths: Paths, what: Callable[..., Any] = riffle_io.count_lines, *, split_size: int = SPLIT_SIZE, decode: Decode = "automatic"
) -> Any:
    """Returns the number of lines in the files, or what else `what` counts: `riffle_io.count_words`, for example.

    The workers count; one number a split moves. `Dataset.count()` moves every line.
    """
    return sum(map_splits(what, paths, split_size=split_size, decode=decode))


def read_lines(
    paths: Paths, *, split_size: int | None = None, delimiter: bytes | str = b"\n", keep_delimiter: bool = False,
    encoding: str | None = None, decode: Decode = "automatic", options: dict[str, Any] | None = None,
) -> ray.data.Dataset:  # fmt: skip
    """Returns the lines of the files as a Ray Dataset with the column `text`.

    The arguments are those of `LinesDatasource`; `options` go to `ray.data.read_datasource`.
    """
    given = locals()
    options = given.pop("options") or {}
    return ray.data.read_datasource(LinesDatasource(**given), **options)


def read_rows(
    paths: Paths, *, types: "dict[str, _Type] | None" = None, null: Sequence[bytes | str] = (),
    quoted_null: bool = True, bad_rows: "_BadRows" = "fail", split_size: int = SPLIT_SIZE,
    dialect: DialectName = "csv", options: dict[str, Any] | None = None, **rows: "Unpack[_OfRows]",
) -> ray.data.Dataset:  # fmt: skip
    """Returns the rows of CSV files as a Ray Dataset. The arguments are those of `riffle_io.dask.read_rows`;
    `options` go to `ray.data.read_datasource`.
    """
    found = Rows(paths, split_size, types=types, null=null, quoted_null=quoted_null, bad_rows=bad_rows, dialect=dialect, **rows)
    return ray.data.read_datasource(_Splits(found.parts, partial(_read_rows, rows=found)), **(options or {}))


class _Splits(Datasource):
    """Splits, and `read`, which yields the blocks of some."""

    def __init__(self, parts: list[riffle_io.Split], read: Callable[[list[riffle_io.Split]], Iterator[Any]]) -> None:
        super().__init__()
        self._parts, self._read = parts, read

    def get_name(self) -> str:
        return "riffle"

    def estimate_inmemory_data_size(self) -> int:
        return sum(part.end - part.begin for part in self._parts)

    def get_read_tasks(
        self, parallelism: int, per_task_row_limit: int | None = None, data_context: Any = None
    ) -> list[ReadTask]:
        count = len(self._parts)
        tasks = min(parallelism, count)
        bounds = [count * task // tasks for task in range(tasks + 1)] if count else []
        return [self._task(self._parts[i:j], per_task_row_limit) for i, j in pairwise(bounds)]

    def _task(self, parts, row_limit):
        size = sum(part.end - part.begin for part in parts)
        files = tuple(dict.fromkeys(str(part.path) for part in parts))
        metadata = BlockMetadata(num_rows=None, size_bytes=size, exec_stats=None, input_files=files)
        return ReadTask(partial(self._read, parts), metadata, per_task_row_limit=row_limit)


class LinesDatasource(_Splits):
    """The lines of files, for `ray.data.read_datasource`.

    The arguments are those of `riffle_io.dask.read_lines`; the column is `text`. By default `split_size` is a 2,000th of
    the files, from 1 MiB to 1 GiB. A task reads several splits if Ray asks for fewer tasks. It raises
    `riffle_io.RiffleError` if its file changed since the Dataset was made.
    """

    def __init__(
        self, paths: Paths, *, split_size: int | None = None, delimiter: bytes | str = b"\n", keep_delimiter: bool = False,
        encoding: str | None = None, decode: Decode = "automatic",
    ) -> None:  # fmt: skip
        read = partial(_read, delimiter=delimiter, keep_delimiter=keep_delimiter, encoding=encoding, decode=decode)
        several = [paths] if isinstance(paths, (str, bytes, os.PathLike)) else list(paths)
        if split_size is None:
            size = sum(file.end - file.begin for file in file_splits(several, 1 << 62))
            split_size = min(max(size // 2000, 1 << 20), 1 << 30)
        super().__init__(file_splits(several, split_size, decode), read)


def _read(parts, **how):
    import pyarrow

    for part in parts:
        schema, batches = line_batches(part, "text", **how)
        for batch in batches:
            yield pyarrow.Table.from_batches([batch], schema)


def _read_rows(parts, rows):
    for part in parts:
        yield rows.table(part)
