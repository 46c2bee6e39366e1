"""Makes a file object of what riffle reads, as the built-in open does of a file."""

import errno
import io
import os

from riffle_io._files import open_file
from riffle_io._paths import _is_buffer
from riffle_io._riffle import raw_bytes

_BUFFER = 256 << 10
_PLAIN = {"threads": 0, "method": "automatic", "block_size": 0, "decode": "automatic", "max_size": None}


class _Raw(io.RawIOBase):
    """The bytes of a source. What is decoded has no positions: to go back, it is read again from its start.

    An exception of a signal's handler may come between any two steps. So `_at` is where the caller stands, and what is read
    may stand elsewhere, or be none, until the next step."""

    mode = "rb"
    closed = True  # a plain attribute, as io looks at it for each line; the property of io.RawIOBase takes longer

    def __init__(self, source, how):
        self._source, self._how = source, how
        self._start = _place_of(source)
        self._bytes = None
        read = self._opened()
        self._at = read.position
        self.name = source if isinstance(source, (int, str, os.PathLike)) else read.name
        self.closed = False

    def _opened(self):
        if self._bytes is None:
            if isinstance(self._source, int) and self._start is not None:
                os.lseek(self._source, self._start, os.SEEK_SET)
            elif _can_seek(self._source):
                self._source.seek(self._start)
            self._bytes = raw_bytes(self._source, **self._how)
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

    def _base(self, whence):
        if whence not in (io.SEEK_SET, io.SEEK_CUR, io.SEEK_END):
            raise ValueError(f"invalid whence ({whence}, should be 0, 1 or 2)")
        here = self.tell()  # raises if there are no positions
        if whence == io.SEEK_END:
            read = self._opened()
            if read.seekable():
                return read.size
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


def _plain_file(source, how):
    """Returns Python's own file of a path whose bytes are not decoded: io has a shorter way to those."""
    if how != _PLAIN and how != {**_PLAIN, "decode": "none"} or not isinstance(source, (str, os.PathLike)):
        return None
    if not os.path.isfile(source):
        return None
    file = open_file(source)
    if how["decode"] == "none" or _is_plain(file):
        return io.BufferedReader(file, _BUFFER)
    file.close()
    return None


def _is_plain(file):
    """Returns whether a file has no format that riffle decodes or refuses. If it cannot be read, reading it tells why."""
    try:
        read = raw_bytes(os.pread(file.fileno(), 512, 0))
        read.readinto(bytearray(1))
    except OSError:
        return False
    return read.seekable()


def _can_seek(source):
    return hasattr(source, "seekable") and source.seekable()


def _place_of(source):
    """Returns where a source stands that can be read again from there; None if it cannot."""
    if isinstance(source, (int, str, os.PathLike)):
        if not os.path.isfile(source):
            return None
        return os.lseek(source, 0, os.SEEK_CUR) if isinstance(source, int) else 0
    if _can_seek(source):
        return source.tell()
    return 0 if _is_buffer(source) or not hasattr(source, "read") else None


def open(
    source: "_Source", mode: str = "r", *, encoding: str | None = None, errors: str | None = None, newline: str | None = None,
    threads: int = 0, method: "_Method" = "automatic", block_size: int = 0, decode: "_Decode" = "automatic",
    max_size: int | None = None,
) -> io.TextIOWrapper | io.BufferedReader:  # fmt: skip
    """Opens a source for reading, as the built-in open opens a file: text, or with mode="rb" bytes.

    What is compressed is decoded, by `threads` threads, 0: as many as help. A file that is not compressed is Python's own, if
    you give its path and leave the rest to riffle. source, method, block_size, decode and
    max_size are those of riffle_io.lines; encoding, errors and newline those of the built-in open.

    Returns an io.TextIOWrapper, or with "rb" an io.BufferedReader. Both have positions, unless the source is a pipe. To
    seek back in what is decoded, riffle reads it again from its start. Raises RiffleError, an OSError, if the source
    cannot be opened, or in a call that reads it.
    """
    binary = "b" in mode
    if sorted(mode) not in (["r"], ["r", "t"], ["b", "r"]):
        raise ValueError(f"invalid mode: {mode!r}; riffle_io.open reads: 'r', 'rt' or 'rb'")
    for name, value in (("encoding", encoding), ("errors", errors), ("newline", newline)):
        if binary and value is not None:
            raise ValueError(f"binary mode doesn't take an {name} argument")
    how = {"threads": threads, "method": method, "block_size": block_size, "decode": decode, "max_size": max_size}
    file = _plain_file(source, how) or io.BufferedReader(_Raw(source, how), _BUFFER)
    if binary:
        return file
    try:
        text = io.TextIOWrapper(file, encoding, errors, newline)
    except BaseException:
        file.close()
        raise
    text.mode = mode
    return text
