"""Splits files for other processes and machines, and reads the records of a split."""

import os
from collections import namedtuple

from riffle_io import _riffle

SPLIT_SIZE = 128 << 20

TYPE_CHECKING = False  # type checkers take it for true; typing takes long to import
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Any, NamedTuple, TypeVar, Unpack, overload

    from riffle_io._riffle import Lines, _Decode, _DialectName, _Method, _OfLines, _OfRows, _Progress, _Sources

    _Result = TypeVar("_Result")
    _Results = TypeVar("_Results")

    class _Fields(NamedTuple):
        path: str
        begin: int
        end: int
        size: int
        mtime_ns: int
        inode: int
        decode: str = "none"
else:
    _Fields = namedtuple("Split", "path begin end size mtime_ns inode decode", defaults=("none",))


class Split(_Fields):
    """A part of a file, as a plain value: it can be pickled, hashed, compared, and made of its fields.

    Every function of riffle_io that reads a source takes a Split, and then reads the records that start in it.
    `path` is the absolute path of the file, or its URL. `begin` is the offset of the first byte, and `end` that after
    the last; a record may cross them. `size` is that of the whole file in bytes. `mtime_ns` says when it was last
    modified, in nanoseconds since 1970; 0 if the storage of a URL does not say it. `inode` is the inode of the file, or
    a number made of the etag of a URL; 0 is not compared: `split._replace(inode=0)` reads a copy of the file. `decode` is
    the format from which every function decodes its records, "none" for a file that is not compressed.
    """

    __slots__ = ()


def splits(
    source: "_Sources", split_size: int = SPLIT_SIZE, *, decode: "_Decode" = "automatic", dialect: "_DialectName | None" = None,
    **rows: "Unpack[_OfRows]",
) -> list[Split]:  # fmt: skip
    """Returns the splits of a file in the order of their offsets, or those of several files in the order given.

    source is a path, a URL that fsspec opens, such as "s3://bucket/key", a file object of fsspec, or an iterable of
    them. The path of a split is then the URL, and the process that reads it opens it by fsspec too. Each byte of a
    file lies in one split of split_size bytes, of which the last may be shorter. An empty file has none. It looks at
    the size and reads no records.

    With dialect="csv" or another one, each split holds whole rows, whose fields may hold newlines in quotes. It takes
    the keywords of riffle_io.rows, such as separator; pass the same to what reads the splits. A split in which no row
    starts is empty. The first one has the header, and what skip_bom and skip_rows skip. riffle reads the file once to
    find them, and raises RiffleError if a quote is not closed.

    decode is that of riffle_io.lines. A compressed file is split where a block of BGZF or xz or a frame of zstd begins,
    and the sizes and offsets of splits count compressed bytes. riffle reads the file once to find them. What can be
    decoded from its start only, as one member of gzip, is one split, and so is what is compressed at a URL. With dialect
    too, riffle decodes each file twice, and a split may be longer: it ends where no row goes on inside quotes.

    Raises RiffleError, an OSError, if a file cannot be opened; if it is standard input, a pipe, a device or
    bytes, because another process cannot read them again; or if it has more bytes than it reports, as in /proc.
    """
    if split_size < 1:
        raise ValueError("split_size must be at least 1")
    if dialect is None and rows:
        raise ValueError(f"{next(iter(rows))} needs a dialect: with dialect='csv', splits hold whole rows")
    _require_known(rows)
    how = rows if dialect is None else {"dialect": dialect, **rows}
    split_size = min(split_size, 2**64 - 1)
    return [Split(*fields) for path in _each(source) for fields in _fields_of(path, split_size, decode, how)]


if TYPE_CHECKING:

    @overload
    def read_split(
        split: Split, delimiter: bytes | str = b"\n", keep_delimiter: bool = False, *, encoding: None = None, **more: Unpack[_OfLines]
    ) -> Lines[bytes]: ...
    @overload
    def read_split(
        split: Split, delimiter: bytes | str = b"\n", keep_delimiter: bool = False, *, encoding: str, **more: Unpack[_OfLines]
    ) -> Lines[str]: ...
    @overload
    def read_split(
        split: Split, delimiter: bytes | str = b"\n", keep_delimiter: bool = False, *, encoding: str | None, **more: Unpack[_OfLines]
    ) -> Lines[bytes] | Lines[str]: ...


def read_split(
    split: Split, delimiter: bytes | str = b"\n", keep_delimiter: bool = False, *, encoding: str | None = None, errors: str = "strict",
    strip_cr: bool = False, max_length: int | None = None,
    method: "_Method" = "automatic", block_size: int = 0, decode: "_Decode" = "automatic", max_size: int | None = None,
    progress: "_Progress | None" = None,
) -> _riffle.Lines:  # fmt: skip
    """Returns an iterator over the records that start in a split, as riffle_io.lines does for a whole file.

    The splits of a file give each of its records once. A record may be longer than a split: it belongs to the
    split that it starts in, and the splits that it covers have none.

    Raises RiffleError, an OSError, if the file cannot be read, or if its size, its time of modification or its
    inode is not what it was when it was split. They are compared when it is opened, and at its end.
    """
    if not isinstance(split, Split):
        raise TypeError(f"split must be a riffle_io.Split, not {type(split).__name__}")
    given = locals()
    return _riffle.lines(given.pop("split"), **given)


if TYPE_CHECKING:

    @overload
    def map_splits(
        f: Callable[[Split], _Result], source: _Sources, *, split_size: int = SPLIT_SIZE, decode: "_Decode" = "automatic"
    ) -> Iterator[_Result]: ...
    @overload
    def map_splits(
        f: Callable[[Split], _Result], source: _Sources, *, split_size: int = SPLIT_SIZE, decode: "_Decode" = "automatic",
        map: Callable[[Callable[[Split], _Result], list[Split]], _Results],
    ) -> _Results: ...  # fmt: skip


def map_splits(
    f: "Callable[[Split], Any]", source: "_Sources", *, split_size: int = SPLIT_SIZE, decode: "_Decode" = "automatic",
    map: "Callable[..., Any]" = map,
) -> "Any":  # fmt: skip
    """Returns `map(f, splits(source, split_size))`: the results of f for each split, in order.

    A split of a compressed file carries its format, so f decodes it.

    Pass the map of a pool of processes to use several: `map_splits(count_words, path, map=pool.map)`. f takes a
    Split. It should return little, because sending lines between processes takes longer than reading them.
    """
    return map(f, splits(source, split_size, decode=decode))


def number_splits(
    parts: "Iterable[Split]", delimiter: bytes | str = b"\n", *, decode: "_Decode" = "automatic",
    map: "Callable[[Callable[..., int], list[Split]], Iterable[int]]" = map,
) -> list[tuple[Split, int]]:  # fmt: skip
    """Returns each split with the number of its first record. The first record of all has number 1.

    parts are all splits of one file or of several, in order, as `splits` returns them. It counts the records of
    each; pass the map of a pool to do so in several processes. A second pass numbers the records:
    `enumerate(read_split(split), number)`.

    Raises ValueError if map returns fewer or more results than there are parts.
    """
    from functools import partial

    count = partial(_riffle.count_records, delimiter=delimiter, decode=decode)
    parts = list(parts)
    numbered, number = [], 1
    for split, records in zip(parts, map(count, parts), strict=True):
        numbered.append((split, number))
        number += records
    return numbered


def _require_known(rows):
    """Raises TypeError for a keyword that says nothing of rows."""
    known = _riffle.row_splits.__code__.co_varnames
    names = known[known.index("dialect") + 1 : known.index("method")]
    for name in rows:
        if name not in names:
            raise TypeError(f"unexpected keyword argument {name!r}; those of rows are {', '.join(names)}")


def _fields_of(path, split_size, decode, rows):
    """Returns the fields of each Split of a path, a URL or a file of fsspec."""
    from riffle_io._files import has

    if isinstance(path, str) and ":" in path or has(path, "fs"):
        from riffle_io import _ranges

        path = path if isinstance(path, str) else _ranges.name_of(path)
        if _ranges.is_url(path):
            return _ranges.splits_of(path, split_size, decode, rows)
    if not rows:
        return _riffle.splits_of(path, split_size, decode)
    return _riffle.row_splits(path, split_size, decode=decode, **rows)


def _each(source):
    """Yields source itself, or its items if it is an iterable of paths."""
    one = isinstance(source, (str, bytes, bytearray, memoryview, int, os.PathLike, Split))
    if one or hasattr(source, "read") or hasattr(source, "fs"):
        yield source
    else:
        yield from source
