import io
from typing import Literal, overload

from _typeshed import FileDescriptorOrPath, ReadableBuffer, SupportsRead

from riffle_io._riffle import _Decode, _Method

_Source = FileDescriptorOrPath | ReadableBuffer | SupportsRead[bytes]

@overload
def open(
    source: _Source,
    mode: Literal["r", "rt", "tr"] = "r",
    *,
    encoding: str | None = None,
    errors: str | None = None,
    newline: str | None = None,
    threads: int = 0,
    method: _Method = "automatic",
    block_size: int = 0,
    decode: _Decode = "automatic",
    max_size: int | None = None,
) -> io.TextIOWrapper: ...
@overload
def open(
    source: _Source,
    mode: Literal["rb", "br"],
    *,
    threads: int = 0,
    method: _Method = "automatic",
    block_size: int = 0,
    decode: _Decode = "automatic",
    max_size: int | None = None,
) -> io.BufferedReader: ...
