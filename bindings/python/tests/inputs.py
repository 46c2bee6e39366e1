"""The inputs that riffle reads in Python, and the ways to read one. Tests combine the two tables: a row is tried by all.

A name that stands in tests/support/inputs.cpp or posix/ways.cpp too means the same there."""

import array
import bz2
import codecs
import collections
import contextlib
import functools
import gzip
import http.client
import io
import lzma
import mmap
import os
import socket
import tarfile
import tempfile
import threading
import types
import zipfile
from itertools import accumulate
from typing import Any, Callable, NamedTuple

import numpy
import pytest
import riffle_io
from conftest import Steps, piped
from oracle import records

pyarrow = pytest.importorskip("pyarrow", reason="it reads the columns")

FRONT = b"front\n"  # before the bytes, for what stands in the middle of a file
TEXT = "one\nGrüße\n\u0a0a\u0a0d\n"  # characters whose bytes in UTF-16 are those of line ends


class Given:
    """Bytes, the folder for the files with them, and what is closed at the end."""

    def __init__(self, data, folder, stack):
        self.data, self.folder, self.keep = data, folder, stack.enter_context

    def path(self, front=b"", name="given"):
        (self.folder / name).write_bytes(front + self.data)
        return self.folder / name

    def open(self, mode="rb", buffering=-1, front=b""):
        """Returns a file that stands after the front, before the bytes."""
        file = self.keep(open(self.path(front), mode, buffering))
        file.seek(len(front))
        return file


@contextlib.contextmanager
def named_pipe(given):
    path = given.folder / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(given.data))
    writer.start()
    yield path
    writer.join()
    path.unlink()


class PathLike:
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


class Forwards:
    """Has nothing but the file."""

    def __init__(self, file):
        self._file = file

    def __getattr__(self, name):
        return getattr(self._file, name)


class Upper(Forwards):
    """Changes what it reads, and forwards the rest to the file, as wrappers do."""

    def read(self, size=-1):
        return self._file.read(size).upper()


class Callback(Forwards):
    """Is as tqdm's CallbackIOWrapper: `read` is an attribute of the object."""

    def __init__(self, callback, file):
        super().__init__(file)

        def read(*arguments):
            data = file.read(*arguments)
            callback(len(data))
            return data

        self.read = read


class OnlyReadinto:
    def __init__(self, file):
        self.file = file

    def readinto(self, buffer):
        return self.file.readinto(buffer)


class UpperReadinto(io.FileIO):
    def readinto(self, buffer):
        count = super().readinto(buffer)
        buffer[:count] = bytes(buffer[:count]).upper()
        return count

    def read(self, size=-1):
        return super().read(size).upper()


def in_pieces(data, size):
    return Steps(*(data[at : at + size] for at in range(0, len(data), size)), *[b""] * 9)  # it may be asked again


def with_its_own_read(kind):
    """Returns a class derived from this one whose `read` changes the bytes."""
    return type("Upper", (kind,), {"read": lambda self, size=-1: kind.read(self, size).upper()})


UpperBytes = with_its_own_read(io.BytesIO)


class Store:
    """Serves ranges, and reads. `cut` is the most bytes of an answer."""

    def __init__(self, data, cut=None):
        self.file, self.size, self.cut, self.asked = io.BytesIO(data), len(data), cut, 0

    def read(self, size):
        return self.file.read(size)

    def get_ranges(self, starts, ends):
        self.asked += 1
        return [self.file.getvalue()[begin:end][: self.cut] for begin, end in zip(starts, ends)]


class ForwardsTell(Store):
    """Begins at 0, whatever the position of another file is."""

    def __init__(self, data):
        super().__init__(data)
        self.other = io.BytesIO(data)
        self.other.seek(7)

    def __getattr__(self, name):
        return getattr(self.other, name)


def after_front(file):
    file.readline()
    return file


def packed(module, kind=None):
    def opened(given):
        with module.open(given.folder / "given", "wb") as file:
            file.write(given.data)
        return given.keep((kind or module.open)(given.folder / "given", "rb"))

    return opened


def temporary(kind, mode="w+b", front=b"", **options):
    def opened(given):
        file = given.keep(kind(mode=mode, **options))
        file.write(front + given.data if "b" in mode else TEXT)
        file.seek(len(front))
        return file

    return opened


def encoded(given, encoding="utf-8"):
    path = given.folder / "text"
    path.write_text(TEXT, encoding)
    return path


def zipped(given):
    with zipfile.ZipFile(given.folder / "zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("member", given.data)
    return given.keep(zipfile.ZipFile(given.folder / "zip").open("member"))


def tarred(given):
    with tarfile.open(given.folder / "tar", "w") as archive:
        archive.add(given.path(), "member")
    return given.keep(tarfile.open(given.folder / "tar")).extractfile("member")


def received(data):
    """Returns a socket that receives this, and then the end."""
    here, there = socket.socketpair()
    here.settimeout(60)

    def send():
        with there, contextlib.suppress(OSError):
            there.sendall(data)

    threading.Thread(target=send, daemon=True).start()
    return here


def sized(data):
    return b"Content-Length: %d" % len(data)


CHUNKED = b"Transfer-Encoding: chunked"


def response(headers, body):
    made = http.client.HTTPResponse(received(b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n\r\n" + body))
    made.begin()
    return made


def chunked(data):
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (data[:500], data[500:], b""))


def of_urllib3(headers, body):
    urllib3 = pytest.importorskip("urllib3", reason="needs urllib3: pip install urllib3")
    made = response(headers, body)
    return urllib3.HTTPResponse(made, preload_content=False, request_method="GET", headers=dict(made.headers))


def mapped(given):
    with open(given.path(), "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def replaced(file, data):
    file.read = UpperBytes(data).read
    return file


def not_blocking(reading):
    os.set_blocking(reading, False)
    return reading


def after_taking(reading):
    os.read(reading, len(FRONT))
    return reading


def peeked(file):
    assert file.peek(1)
    return file


INPUTS = {  # each makes a source of what is given
    "path": lambda given: given.path(),
    "str": lambda given: str(given.path()),
    "str of a path-like": lambda given: PathLike(str(given.path())),
    "bytes of a path-like": lambda given: PathLike(os.fsencode(given.path())),
    "path that is not UTF-8": lambda given: os.fsdecode(bytes(given.path(name=os.fsdecode(b"\xff\xfe")))),
    "bytes path that is not UTF-8": lambda given: PathLike(bytes(given.path(name=os.fsdecode(b"\xff\xfe")))),
    "named pipe": lambda given: given.keep(named_pipe(given)),
    "memory": lambda given: given.data,
    "bytearray": lambda given: bytearray(given.data),
    "memoryview": lambda given: memoryview(given.data),
    "array": lambda given: array.array("b", given.data),
    "array of NumPy": lambda given: numpy.frombuffer(given.data, "u1"),
    "slice": lambda given: memoryview(b"x" + given.data + b"y")[1:-1],
    "descriptor": lambda given: given.open(buffering=0, front=FRONT).fileno(),
    "descriptor of NumPy": lambda given: numpy.int64(given.open(buffering=0).fileno()),
    "descriptor by __index__": lambda given: type("Index", (), {"__index__": lambda self, file=given.open(): file.fileno()})(),
    "pipe": lambda given: given.keep(piped(given.data)),
    "pipe that does not block": lambda given: not_blocking(given.keep(piped(given.data))),
    "pipe after its front": lambda given: after_taking(given.keep(piped(FRONT + given.data))),
    "stream in pieces": lambda given: in_pieces(given.data, 3),
    "stream in bytes": lambda given: in_pieces(given.data, 1),
    "stream in large pieces": lambda given: in_pieces(given.data, 1000),
    "from_chunks": lambda given: riffle_io.from_chunks(in_pieces(given.data, 7).steps),
    "split": lambda given: riffle_io.splits(given.path(), decode="none")[0],
    "BytesIO": lambda given: io.BytesIO(given.data),
    "BytesIO after its front": lambda given: after_front(io.BytesIO(FRONT + given.data)),
    "open rb": lambda given: given.open(),
    "open rb after its front": lambda given: after_front(given.keep(open(given.path(FRONT), "rb"))),
    "open r+b": lambda given: given.open("r+b", front=FRONT),
    "FileIO": lambda given: given.open(buffering=0),
    "FileIO after its front": lambda given: given.open(buffering=0, front=FRONT),
    "open r": lambda given: given.keep(open(encoded(given))),
    "StringIO": lambda given: io.StringIO(TEXT),
    "read of text": lambda given: types.SimpleNamespace(read=io.StringIO(TEXT).read),
    "BufferedReader": lambda given: io.BufferedReader(io.BytesIO(given.data)),
    "SpooledTemporaryFile": temporary(tempfile.SpooledTemporaryFile),
    "SpooledTemporaryFile on the disk": temporary(tempfile.SpooledTemporaryFile, max_size=1),
    "SpooledTemporaryFile of text": temporary(tempfile.SpooledTemporaryFile, mode="w+"),
    "NamedTemporaryFile": temporary(tempfile.NamedTemporaryFile),
    "NamedTemporaryFile after its front": temporary(tempfile.NamedTemporaryFile, front=FRONT),
    "NamedTemporaryFile of text": temporary(tempfile.NamedTemporaryFile, mode="w+"),
    "gzip": packed(gzip),
    "bz2": packed(bz2),
    "lzma": packed(lzma),
    "member of zip": zipped,
    "member of tar": tarred,
    "codecs.open after a line": lambda given: after_front(given.keep(codecs.open(encoded(given), "r", "utf-8"))),
    "codecs.open of UTF-16": lambda given: given.keep(codecs.open(encoded(given, "utf-16"), "r", "utf-16")),
    "codecs.getreader": lambda given: codecs.getreader("utf-8")(given.keep(open(encoded(given), "rb"))),
    "codecs.EncodedFile": lambda given: codecs.EncodedFile(given.keep(open(encoded(given, "utf-16"), "rb")), "utf-8", "utf-16"),
    "read and __getattr__": lambda given: Upper(given.open()),
    "__getattr__": lambda given: Forwards(given.open()),
    "__getattr__ of text": lambda given: Forwards(given.keep(open(encoded(given)))),
    "readinto": lambda given: OnlyReadinto(io.BytesIO(given.data)),
    "FileIO with its own readinto": lambda given: given.keep(UpperReadinto(given.path())),
    "BytesIO with its own read": lambda given: UpperBytes(given.data),
    "BufferedReader with its own read": lambda given: given.keep(with_its_own_read(io.BufferedReader)(io.FileIO(given.path()))),
    "GzipFile with its own read": packed(gzip, with_its_own_read(gzip.GzipFile)),
    "BytesIO whose read was replaced": lambda given: replaced(UpperBytes(given.data), given.data),
    "open rb whose read was replaced": lambda given: replaced(given.open(), given.data),
    "attributes": lambda given: types.SimpleNamespace(read=UpperBytes(given.data).read, readinto=io.BytesIO().readinto),
    "callback": lambda given: Callback(lambda size: None, given.open()),
    "ranges": lambda given: Store(given.data),
    "ranges behind a read": lambda given: Upper(Store(given.data)),
    "ranges and a read of its own": lambda given: with_its_own_read(Store)(given.data),
    "ranges and the tell of another": lambda given: ForwardsTell(given.data),
    "http.client": lambda given: response(sized(given.data), given.data),
    "http.client after its front": lambda given: after_front(response(sized(FRONT + given.data), FRONT + given.data)),
    "http.client, chunked": lambda given: response(CHUNKED, chunked(given.data)),
    "http.client, no length": lambda given: response(b"Connection: close", given.data),
    "urllib3": lambda given: of_urllib3(sized(given.data), given.data),
    "makefile": lambda given: given.keep(received(given.data).makefile("rb")),
    "makefile without a buffer": lambda given: given.keep(received(given.data).makefile("rb", buffering=0)),
    "fdopen of a pipe": lambda given: given.keep(open(given.keep(piped(given.data)), "rb", closefd=False)),
    "fdopen of a pipe, peeked": lambda given: peeked(given.keep(open(given.keep(piped(given.data)), "rb", closefd=False))),
    "mmap": mapped,
}


def made(kind, given):
    """Returns a source of this kind, and what a loop of its `read` gives, or the data if it has none; None if that is text."""
    source = INPUTS[kind](given)
    file = source.file if isinstance(source, OnlyReadinto) else source
    if not hasattr(file, "read"):
        return source, given.data
    parts = [file.read(65536)]
    while parts[-1]:
        parts.append(file.read(65536))
    return INPUTS[kind](given), b"".join(parts) if isinstance(parts[0], bytes) else None


def offsets_of(text, delimiter=b"\n"):
    return [*accumulate(map(len, records(text, delimiter, keep=True)), initial=0)]


class Way(NamedTuple):
    """A function, what takes all of what it returns, and what that is for some bytes."""

    make: Callable[..., Any]
    all: Callable[..., Any]
    truth: Callable[[bytes], Any]
    decodes: bool = True  # what begins as a known format
    threads: bool = False


def same(answer):
    return answer


def by_arrow(readable):
    table = pyarrow.table(readable)
    table.validate(full=True)
    return table.column(0).to_pylist()


def whole(file):
    with file:
        return file.read()


def of_bytes(name, truth, *arguments, decodes=False, **keywords):
    """A way that returns a count, by the function of this name."""
    function = getattr(riffle_io, name)
    return Way(lambda source, **how: function(source, *arguments, **keywords, **how), same, truth, decodes, threads=True)


def batches(layout):
    def everything(batches):
        return by_arrow(pyarrow.Table.from_batches(map(pyarrow.record_batch, batches), pyarrow.schema(batches)))

    return Way(lambda source, **how: riffle_io.lines(source, **how).batches(layout), everything,
               lambda data: records(data, keep=layout == "terminated"))  # fmt: skip


SMALL = [b"", b"\n", b"\n\n", b"one", b"one\n", b"\none", b"a\r\nb\0\n\n\xff\n", b"x" * 5000 + b"\n" + b"y" * 5000,
         b"a\n" + b"long" * 100_000 + b"\nb\n"]  # fmt: skip
PLAIN = {"dialect": "plain", "skip_bom": False}
WAYS = {
    "lines": Way(riffle_io.lines, list, records),
    "whole_lines": Way(functools.partial(riffle_io.lines, keep_delimiter=True), list, lambda data: records(data, keep=True)),
    **{f"lines_by_{mark}_{keep}": Way(lambda source, mark=mark, keep=keep, **how: riffle_io.lines(source, mark, keep, **how), list,
                                     lambda data, mark=mark, keep=keep: records(data, mark, keep))
       for mark in (b"\r", b"\0", b";", b"\xff") for keep in (False, True)},
    "text_lines": Way(functools.partial(riffle_io.lines, encoding="latin-1"), list, lambda data: records(data.decode("latin-1"), "\n")),
    "view": batches("view"), "terminated": batches("terminated"), "packed": batches("packed"),
    "words": Way(riffle_io.words, list, bytes.split),
    "rows": Way(functools.partial(riffle_io.rows, **PLAIN), list, lambda data: [line.split(b",") for line in records(data)]),
    "columns": Way(functools.partial(riffle_io.columns, types={0: "bytes"}, header=False, **PLAIN), by_arrow,
                   lambda data: [line.split(b",")[0] for line in records(data)], threads=True),
    "line_index": Way(riffle_io.line_index, lambda index: [end - memoryview(index)[0] for end in memoryview(index)], offsets_of, threads=True),
    "values": Way(functools.partial(riffle_io.values, dtype="u1"), bytes, bytes, decodes=False, threads=True),
    "open": Way(functools.partial(riffle_io.open, mode="rb"), whole, bytes, threads=True),
    "sum": of_bytes("sum", sum, dtype="u1"),
    "value_counts": of_bytes("value_counts", lambda data: collections.Counter(records(data)), decodes=True),
    "count_lines": of_bytes("count_lines", lambda data: data.count(b"\n"), decodes=True),
    "count_records": of_bytes("count_records", lambda data: len(records(data)), decodes=True),
    "count_words": of_bytes("count_words", lambda data: len(data.split()), decodes=True),
    "count_lines_with": of_bytes("count_lines_with", lambda data: sum(b"o" in line for line in data.split(b"\n")), b"o", decodes=True),
    "count_text": of_bytes("count_text", lambda data: (data.count(b"\n"), len(data.split()), len(data), len(data), 0),
                           characters=True, encoding="bytes", decodes=True),
    "count_utf8": of_bytes("count_utf8", lambda data: len(data) - sum(map(data.count, (bytes([byte]) for byte in range(0x80, 0xC0))))),
    "count_byte": of_bytes("count_byte", lambda data: data.count(b"e"), b"e"),
    "count_any_of": of_bytes("count_any_of", lambda data: data.count(b"a") + data.count(b"\xc3") + data.count(b"\0"), b"a\xc3\0"),
    "count_occurrences": of_bytes("count_occurrences", lambda data: data.count(b"lo"), "lo"),
    "count_bytes": of_bytes("count_bytes", lambda data: [data.count(bytes([byte])) for byte in range(256)]),
}  # fmt: skip
THREADED = [name for name, way in WAYS.items() if way.threads]
