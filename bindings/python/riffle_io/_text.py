"""Decides whether text in an encoding can be cut at a delimiter before it is decoded, and turns UTF-16 into UTF-8."""

import codecs
import functools
import os

# What a line means depends on the lines before it, or on the whole text: escape sequences shift it, or a backslash, "-"
# or "." at its end does. In hz, "~" joins two lines.
_OF_WHOLE_TEXT = ("iso2022", "hz", "punycode", "idna", "raw-unicode-escape", "unicode-escape")

# Recoded turns all but the first two into UTF-8.
_CUT_IN_UTF8 = "utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"


@functools.cache
def codec_name(encoding: str, delimiters: bytes) -> str:
    """Returns the name of the codec. Raises LookupError if there is none, ValueError if a delimiter does not fit."""
    codec = codecs.lookup(encoding)
    name = codec.name
    if not codec._is_text_encoding:  # as open() asks it
        raise LookupError(f"'{encoding}' is not a text encoding: decode the bytes by codecs.open()")
    for delimiter in (bytes([each]) for each in delimiters):
        if delimiter > b"\x7f":
            raise ValueError(f"delimiter {delimiter!r} must be ASCII if encoding is set")
        if name not in _CUT_IN_UTF8 and not _is_own_byte(name, delimiter):
            message = f"text in {name} cannot be cut at the byte {delimiter!r} before it is decoded"
            raise ValueError(f"{message}; read it by open(path, encoding='{name}')")
    return name


def _is_own_byte(name: str, delimiter: bytes) -> bool:
    if name.startswith(_OF_WHOLE_TEXT):
        return False
    if delimiter.decode(name, "replace") != delimiter.decode("latin-1"):
        return False  # such as UTF-16 and EBCDIC
    if delimiter < b" ":
        return True
    # If each of the 256 bytes is one character, none is a part of another.
    return name != "utf-7" and len(bytes(range(256)).decode(name, "replace")) == 256


class Recoded:
    """Is a file object that gives the text of a source in UTF-8."""

    def __init__(self, source, encoding, errors):
        self._file, self._is_own, self.name = _opened(source)
        self._decoder = codecs.getincrementaldecoder(encoding)(errors)
        self._rest, self._ended = b"", False

    def read(self, size):
        while not self._rest and not self._ended:
            data = self._file.read(size)
            if data is None:
                return None  # it has no bytes yet
            if isinstance(data, str):
                raise TypeError("the file object returned str: open it in binary mode ('rb')")
            self._ended = not data
            self._rest = self._decoder.decode(data, self._ended).encode("utf-8", "surrogatepass")
        part, self._rest = self._rest[:size], self._rest[size:]
        return part

    def __del__(self):
        if getattr(self, "_is_own", False):
            self._file.close()


def _opened(source):
    """Returns the file object of a source, whether it is riffle's own, and its name."""
    import io

    from riffle_io._files import name_of, open_file
    from riffle_io._splits import Split

    if isinstance(source, Split):
        raise ValueError("text in this encoding has no splits: convert the file to UTF-8")
    if isinstance(source, (str, os.PathLike)):
        return open_file(source), True, os.fsdecode(source)
    if isinstance(source, int) and not isinstance(source, bool):
        return io.FileIO(source, closefd=False), True, f"descriptor {source}"
    if hasattr(source, "read"):
        return source, False, name_of(source)
    return io.BytesIO(memoryview(source)), True, "memory"
