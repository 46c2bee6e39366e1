"""Makes a file object of what riffle reads, as the built-in open does of a file."""

import errno
import io
import os

from riffle_io import _riffle
from riffle_io._files import is_buffer, is_plain, open_file
from riffle_io._splits import Split

TYPE_CHECKING = False  # type checkers take it for true; typing takes long to import
if TYPE_CHECKING:
    from typing import Literal, overload

    from riffle_io._riffle import _Decode, _Method, _Source

_BUFFER = 256 << 10
_PLAIN = {"threads": 0, "method": "automatic", "block_size": 0, "decode": "automatic", "max_size": None}


class _Raw(io.RawIOBase):
    """The bytes of a source. A decoded source has no positions: to go back, riffle reads it again from its start.

    An exception of a signal's handler may come between any two steps. So `_at` is where the caller stands, and what is read
    may stand elsewhere, or be none, until the next step."""

    mode = "rb"
    closed = True  # a plain attribute, as io looks at it for each line; the property of io.RawIOBase takes longer

    def __init__(self, source, how, own):
        self._how, self._own = how, own
        self._source = own or source  # as a path may name another file, and the user may close his
        self._start = _place_of(self._source)
        self._bytes = None
        read = self._opened()
        self._at = read.position
        self.name = source if isinstance(source, (int, str, os.PathLike)) else read.name
        self.closed = False

    def _opened(self):
        if self._bytes is None:
            if _can_seek(self._source):
                self._source.seek(self._start)
            self._bytes = _riffle.raw_bytes(self._source, **self._how)
        return self._bytes

    def readable(self):
        self._opened().seekable()  # which raises if it was closed
        return True

    def readinto(self, buffer):
        read = self._opened()
        if read.position != self._at and self.seekable():
            self._move(self._at)
            read = self._opened()
        size = read.readinto(buffer)
        if not size and len(buffer) and read.seekable() and self._size() > read.position:  # the file has grown
            read.seek(read.position)
            size = read.readinto(buffer)
        self._at = read.position
        return size

    def seekable(self):
        return self._opened().seekable() or self._start is not None

    def tell(self):
        if not self.seekable():
            raise io.UnsupportedOperation(f"'{self.name}' has no positions")
        return self._at

    def seek(self, offset, whence=io.SEEK_SET):
        target = offset + self._base(whence)
        if target < 0:
            raise OSError(errno.EINVAL, os.strerror(errno.EINVAL))  # as a file does
        self._move(target)
        self._at = self._opened().position
        return self._at

    def fileno(self):
        read = self._opened()
        if not read.seekable() or read.descriptor < 0:
            raise io.UnsupportedOperation(f"'{self.name}' has no descriptor with the bytes that it gives")
        return read.descriptor

    def close(self):
        if not self.closed:
            self._opened().close()
            self.closed = True
            if self._own:
                self._own.close()

    def _size(self):
        return os.fstat(self._own.fileno()).st_size if self._own else self._opened().size

    def _base(self, whence):
        if whence not in (io.SEEK_SET, io.SEEK_CUR, io.SEEK_END):
            raise ValueError(f"invalid whence ({whence}, should be 0, 1 or 2)")
        here = self.tell()  # raises if there are no positions
        if whence == io.SEEK_END:
            read = self._opened()
            if read.seekable():
                return self._size()
            self._pass(None)
            return read.position
        return here if whence == io.SEEK_CUR else 0

    def _move(self, target):
        read = self._opened()
        if read.seekable():
            read.seek(target)
            return
        if target < read.position:
            self._bytes = None
            read.close()
        self._pass(target)

    def _pass(self, target):
        """Reads on to an offset, or to the end."""
        read = self._opened()
        space = bytearray(_BUFFER)
        while target is None or read.position < target:
            left = len(space) if target is None else target - read.position
            if read.readinto(memoryview(space)[:left]) == 0:
                return


def _own_file(source):
    """Returns Python's own unbuffered file of a path, a descriptor or a plain file object, at its position; None of others."""
    if isinstance(source, (str, os.PathLike)):
        return open_file(source) if os.path.isfile(source) else None
    if isinstance(source, int):
        return io.FileIO(source, closefd=False) if type(source) is int and os.path.isfile(source) else None
    if not is_plain(source) or not os.path.isfile(source.fileno()):
        return None
    source.flush()
    try:
        file = io.FileIO(f"/proc/self/fd/{source.fileno()}")
    except OSError:
        return None
    file.seek(source.tell())
    file.name = source.name
    return file


def _opened(source, how):
    """Returns an unbuffered file: Python's own if its bytes are not decoded, as io has a shorter way to those."""
    own = _own_file(source)
    try:
        if own and (how == {**_PLAIN, "decode": "none"} or how == _PLAIN and _is_undecoded(own)):
            return own
        return _Raw(source, how, own)
    except BaseException:
        if own:
            own.close()
        raise


def _is_undecoded(file):
    """Returns whether a file has no format that riffle decodes or refuses. If it cannot be read, reading it tells why."""
    try:
        read = _riffle.raw_bytes(os.pread(file.fileno(), 512, file.tell()))
        read.readinto(bytearray(1))
    except OSError:
        return False
    return read.seekable()


def _can_seek(source):
    return hasattr(source, "seekable") and source.seekable()


def _place_of(source):
    """Returns where a source stands that can be read again from there; None if it cannot."""
    if _can_seek(source):
        return source.tell()
    return 0 if is_buffer(source) or isinstance(source, Split) else None


if TYPE_CHECKING:

    @overload
    def open(
        source: _Source, mode: Literal["r", "rt", "tr"] = "r", *, encoding: str | None = None, errors: str | None = None,
        newline: str | None = None, threads: int = 0, method: _Method = "automatic", block_size: int = 0,
        decode: _Decode = "automatic", max_size: int | None = None,
    ) -> io.TextIOWrapper: ...  # fmt: skip
    @overload
    def open(
        source: _Source, mode: Literal["rb", "br"], *, threads: int = 0, method: _Method = "automatic", block_size: int = 0,
        decode: _Decode = "automatic", max_size: int | None = None,
    ) -> io.BufferedReader: ...  # fmt: skip


def open(
    source: "_Source", mode: str = "r", *, encoding: str | None = None, errors: str | None = None, newline: str | None = None,
    threads: int = 0, method: "_Method" = "automatic", block_size: int = 0, decode: "_Decode" = "automatic",
    max_size: int | None = None,
) -> io.TextIOWrapper | io.BufferedReader:  # fmt: skip
    """Opens a source for reading, as the built-in open opens a file: text, or with mode="rb" bytes.

    riffle decodes a compressed source, with `threads` threads, 0: as many as help. A file that is not compressed is Python's own, if
    you give its path, its descriptor or a plain file object, and leave the rest to riffle. source, method, block_size, decode
    and max_size are those of riffle_io.lines; encoding, errors and newline those of the built-in open.

    Returns an io.TextIOWrapper, or with "rb" an io.BufferedReader. Both have positions, unless the source is a pipe. To
    seek back in what is decoded, riffle reads it again from the place where it was opened. Raises RiffleError, an OSError, if the source
    cannot be opened, or in a call that reads it.
    """
    binary = "b" in mode
    if sorted(mode) not in (["r"], ["r", "t"], ["b", "r"]):
        raise ValueError(f"invalid mode: {mode!r}; riffle_io.open reads: 'r', 'rt' or 'rb'")
    for name, value in (("encoding", encoding), ("errors", errors), ("newline", newline)):
        if binary and value is not None:
            raise ValueError(f"binary mode doesn't take an {name} argument")
    how = {"threads": threads, "method": method, "block_size": block_size, "decode": decode, "max_size": max_size}
    file = io.BufferedReader(_opened(source, how), _BUFFER)
    if binary:
        return file
    try:
        text = io.TextIOWrapper(file, encoding, errors, newline)
    except BaseException:
        file.close()
        raise
    text._CHUNK_SIZE = 32 << 10  # type: ignore[attr-defined]  # bytes to decode at a time; of more, tell() takes longer
    text.mode = mode  # type: ignore[misc]
    return text
