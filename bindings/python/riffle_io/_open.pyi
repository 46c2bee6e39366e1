import io
from typing import Literal, overload

from _typeshed import FileDescriptorOrPath, ReadableBuffer, SupportsRead

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
    method: str = "automatic",
    block_size: int = 0,
    decode: str = "automatic",
    max_size: int | None = None,
) -> io.TextIOWrapper: ...
@overload
def open(
    source: _Source,
    mode: Literal["rb", "br"],
    *,
    threads: int = 0,
    method: str = "automatic",
    block_size: int = 0,
    decode: str = "automatic",
    max_size: int | None = None,
) -> io.BufferedReader: ...
