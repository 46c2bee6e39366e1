"""The types of _splits.py, whose runtime loads no module of types."""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar, overload

from _typeshed import FileDescriptorOrPath, ReadableBuffer, SupportsRead

from riffle_io._riffle import Lines

_Result = TypeVar("_Result")
_Results = TypeVar("_Results")
_Source = FileDescriptorOrPath | ReadableBuffer | SupportsRead[bytes]

SPLIT_SIZE: int

class Split(NamedTuple):
    path: str
    begin: int
    end: int
    size: int
    mtime_ns: int
    inode: int

def splits(
    source: _Source | Iterable[_Source],
    split_size: int = 134217728,
    *,
    quote: bytes | None = None,
    field: bytes = b",",
    decode: str | None = None,
) -> list[Split]: ...
@overload
def read_split(
    split: Split,
    delimiter: bytes = b"\n",
    keep: bool = False,
    *,
    encoding: None = None,
    errors: str = "strict",
    strip_cr: bool = False,
    max_length: int | None = None,
    method: str = "automatic",
    block_size: int = 0,
    decode: str | None = None,
    max_size: int | None = None,
) -> Lines[bytes]: ...
@overload
def read_split(
    split: Split,
    delimiter: bytes = b"\n",
    keep: bool = False,
    *,
    encoding: str,
    errors: str = "strict",
    strip_cr: bool = False,
    max_length: int | None = None,
    method: str = "automatic",
    block_size: int = 0,
    decode: str | None = None,
    max_size: int | None = None,
) -> Lines[str]: ...
@overload
def read_split(
    split: Split,
    delimiter: bytes = b"\n",
    keep: bool = False,
    *,
    encoding: str | None,
    errors: str = "strict",
    strip_cr: bool = False,
    max_length: int | None = None,
    method: str = "automatic",
    block_size: int = 0,
    decode: str | None = None,
    max_size: int | None = None,
) -> Lines[bytes] | Lines[str]: ...
@overload
def map_splits(
    f: Callable[..., _Result],
    source: _Source | Iterable[_Source],
    *,
    split_size: int = 134217728,
    decode: str | None = None,
) -> Iterator[_Result]: ...
@overload
def map_splits(
    f: Callable[..., _Result],
    source: _Source | Iterable[_Source],
    *,
    split_size: int = 134217728,
    decode: str | None = None,
    map: Callable[[Callable[..., _Result], list[Split]], _Results],
) -> _Results: ...
def number_splits(
    parts: Iterable[Split],
    delimiter: bytes = b"\n",
    *,
    decode: str | None = None,
    map: Callable[[Callable[..., int], list[Split]], Iterable[int]] = ...,
) -> list[tuple[Split, int]]: ...
def with_decode(f: Callable[..., _Result], decode: str | None) -> Callable[..., _Result]: ...
