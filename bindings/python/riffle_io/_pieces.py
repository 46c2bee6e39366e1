"""Makes a source of what an iterable yields: lines as csv.reader takes them, or chunks as a network gives them."""

from itertools import islice, repeat

TYPE_CHECKING = False  # type checkers take it for true; typing takes long to import
if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed import SupportsRead

_AHEAD = 64 << 10  # bytes
_ENDS = b"\n", b"\r"  # csv.reader, too, gets a line that a lone CR ends, of which it may be data


class _Pieces:
    """A file object of the pieces, one after the other. What comes before a failure is read before it is raised."""

    name = "iterable"

    def __init__(self, pieces, end):
        if isinstance(pieces, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"iterable must yield lines or chunks, not be {type(pieces).__name__}: pass a list of them")
        self._pieces, self._end = iter(pieces), end
        self._rest, self._failure = memoryview(b""), None

    def __repr__(self):
        return f"<source of riffle_io, of {self._pieces!r}>"

    def read(self, size=-1, /):
        if size < 0:
            return b"".join(iter(lambda: self.read(_AHEAD), b""))
        if not self._rest:
            self._rest = memoryview(b"".join(self._take(min(size, _AHEAD))))
        if not self._rest and self._failure is not None:
            raise self._failure
        given, self._rest = self._rest[:size], self._rest[size:]
        return bytes(given)

    def _take(self, size):
        """Returns the bytes of the next pieces: so many or more, unless the iterable ends or fails."""
        taken = []
        while size > 0 and self._failure is None:
            batch = []
            try:
                batch.extend(islice(self._pieces, min(64, 1 + size // 64)))  # it has what comes before an exception
            except BaseException as error:
                self._failure = error
            if not batch:
                break
            taken.append(self._joined(batch))
            size -= len(taken[-1])
        return taken

    def _joined(self, batch):
        kind = type(batch[0])
        if kind in (str, bytes) and len(set(map(type, batch))) == 1:
            end, ends = (self._end.decode(), ("\n", "\r")) if kind is str else (self._end, _ENDS)
            if end and not all(map(kind.endswith, batch, repeat(ends))):
                batch = [each if each.endswith(ends) else each + end for each in batch]
            try:
                return _bytes_of(end[:0].join(batch))
            except UnicodeEncodeError:
                pass  # of which piece?
        parts = []
        try:
            for each in batch:
                given = _bytes_of(each)
                parts += [given] if given.endswith(_ENDS) else [given, self._end]
        except Exception as error:
            self._failure = error
        return b"".join(parts)


def _bytes_of(piece):
    if isinstance(piece, (bytes, str)):
        return piece.encode("utf-8", "surrogateescape") if isinstance(piece, str) else piece
    try:
        return memoryview(piece).tobytes()
    except TypeError:
        raise TypeError(f"the iterable yielded {type(piece).__name__}: it must yield bytes or str") from None


def from_lines(iterable: "Iterable[bytes | str]") -> "SupportsRead[bytes]":
    r"""Returns a source of the lines that an iterable yields, such as `text.splitlines()` or a file in text mode.

    A line that ends in neither "\n" nor "\r" gets a "\n", also between quotes, where csv.reader loses it. Text becomes UTF-8:
    pass encoding="utf-8" to get str back. Pass the source to rows or another function, once: it takes up to 64 KiB, or
    block_size bytes, from the iterable before it hands out a record. Raises what the iterable raises, after the records before that,
    and TypeError for what is neither bytes nor str.
    """
    return _Pieces(iterable, b"\n")


def from_chunks(iterable: "Iterable[bytes | str]") -> "SupportsRead[bytes]":
    """Returns a source of the chunks that an iterable yields, such as the body of a response.

    Their bytes are joined as they are, and may be compressed. The rest is as for from_lines.
    """
    return _Pieces(iterable, b"")
