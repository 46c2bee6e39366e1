"""Tests each kind of file object: riffle reads the bytes that the object's own `read` gives, or raises TypeError."""

import bz2
import codecs
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

import pytest
import riffle_io
from conftest import ODDITIES, Steps, StepsOfReadinto, Upper

SIZED, CHUNKED = b"Content-Length: %d" % len(ODDITIES), b"Transfer-Encoding: chunked"
TEXT = "one\nGrüße\n\u0a0a\u0a0d\n"  # characters whose bytes in UTF-16 are those of line ends


class Forwards:
    """Has nothing but the file."""

    def __init__(self, file):
        self._file = file

    def __getattr__(self, name):
        return getattr(self._file, name)


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


def with_its_own_read(kind):
    """Returns a class derived from this one whose `read` changes the bytes."""
    return type("Upper", (kind,), {"read": lambda self, size=-1: kind.read(self, size).upper()})


UpperBytes = with_its_own_read(io.BytesIO)


class Store:
    """Serves ranges, and reads."""

    def __init__(self):
        self.file, self.size = io.BytesIO(ODDITIES), len(ODDITIES)

    def read(self, size):
        return self.file.read(size)

    def get_ranges(self, starts, ends):
        return [self.file.getvalue()[begin:end] for begin, end in zip(starts, ends)]


class ForwardsTell(Store):
    """Begins at 0, whatever the position of another file is."""

    def __init__(self):
        super().__init__()
        self.other = io.BytesIO(ODDITIES)
        self.other.seek(7)

    def __getattr__(self, name):
        return getattr(self.other, name)


def after_a_line(file):
    file.readline()
    return file


def packed(module, kind=None):
    def opened(path):
        with module.open(path, "wb") as file:
            file.write(ODDITIES)
        return kind(path, "rb") if kind else module.open(path, "rb")

    return opened


def temporary(kind, mode="w+b", **options):
    def opened(path):
        file = kind(mode=mode, **options)
        file.write(ODDITIES if "b" in mode else TEXT)
        file.seek(0)
        return file

    return opened


def encoded(path, encoding):
    path.write_text(TEXT, encoding)
    return path


def zipped(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("member", ODDITIES)
    return zipfile.ZipFile(path).open("member")


def tarred(path):
    member = tarfile.TarInfo("member")
    member.size = len(ODDITIES)
    with tarfile.open(path, "w") as archive:
        archive.addfile(member, io.BytesIO(ODDITIES))
    return tarfile.open(path).extractfile("member")


def received(data):
    """Returns a socket that receives this, and then the end."""
    here, there = socket.socketpair()
    here.settimeout(60)
    there.sendall(data)
    there.close()
    return here


def response(headers, body):
    made = http.client.HTTPResponse(received(b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n\r\n" + body))
    made.begin()
    return made


def chunked(data):
    return b"".join(b"%x\r\n%b\r\n" % (len(part), part) for part in (data[:1000], data[1000:], b""))


def of_urllib3(path, data=ODDITIES):
    urllib3 = pytest.importorskip("urllib3", reason="needs urllib3: pip install urllib3")
    body = response(SIZED, data)
    return urllib3.HTTPResponse(body, preload_content=False, request_method="GET", headers=dict(body.headers))


def piped_file(path):
    reading, writing = os.pipe()
    os.write(writing, ODDITIES)
    os.close(writing)
    return open(reading, "rb")


def mapped(path):
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def replaced(file):
    file.read = Upper(io.BytesIO(ODDITIES)).read
    return file


KINDS = {  # each makes an object of the path of a file
    "BytesIO": lambda path: io.BytesIO(ODDITIES),
    "BytesIO after a line": lambda path: after_a_line(io.BytesIO(ODDITIES)),
    "open rb": lambda path: open(path, "rb"),
    "open rb after a line": lambda path: after_a_line(open(path, "rb")),
    "open r+b": lambda path: open(path, "r+b"),
    "FileIO": lambda path: open(path, "rb", buffering=0),
    "open r": lambda path: open(encoded(path, "utf-8")),
    "StringIO": lambda path: io.StringIO(TEXT),
    "read of text": lambda path: types.SimpleNamespace(read=io.StringIO(TEXT).read),
    "BufferedReader": lambda path: io.BufferedReader(io.BytesIO(ODDITIES)),
    "SpooledTemporaryFile": temporary(tempfile.SpooledTemporaryFile),
    "SpooledTemporaryFile on the disk": temporary(tempfile.SpooledTemporaryFile, max_size=1),
    "SpooledTemporaryFile of text": temporary(tempfile.SpooledTemporaryFile, mode="w+"),
    "NamedTemporaryFile": temporary(tempfile.NamedTemporaryFile),
    "NamedTemporaryFile after a line": lambda path: after_a_line(temporary(tempfile.NamedTemporaryFile)(path)),
    "NamedTemporaryFile of text": temporary(tempfile.NamedTemporaryFile, mode="w+"),
    "gzip": packed(gzip),
    "bz2": packed(bz2),
    "lzma": packed(lzma),
    "member of zip": zipped,
    "member of tar": tarred,
    "codecs.open after a line": lambda path: after_a_line(codecs.open(encoded(path, "utf-8"), "r", "utf-8")),
    "codecs.open of UTF-16": lambda path: codecs.open(encoded(path, "utf-16"), "r", "utf-16"),
    "codecs.getreader": lambda path: codecs.getreader("utf-8")(open(encoded(path, "utf-8"), "rb")),
    "codecs.EncodedFile": lambda path: codecs.EncodedFile(open(encoded(path, "utf-16"), "rb"), "utf-8", "utf-16"),
    "read and __getattr__": lambda path: Upper(open(path, "rb")),
    "__getattr__": lambda path: Forwards(open(path, "rb")),
    "__getattr__ of text": lambda path: Forwards(open(encoded(path, "utf-8"))),
    "readinto": lambda path: OnlyReadinto(io.BytesIO(ODDITIES)),
    "BytesIO with its own read": lambda path: UpperBytes(ODDITIES),
    "BufferedReader with its own read": lambda path: with_its_own_read(io.BufferedReader)(io.FileIO(path)),
    "GzipFile with its own read": packed(gzip, with_its_own_read(gzip.GzipFile)),
    "BytesIO whose read was replaced": lambda path: replaced(UpperBytes(ODDITIES)),
    "open rb whose read was replaced": lambda path: replaced(open(path, "rb")),
    "attributes": lambda path: types.SimpleNamespace(read=UpperBytes(ODDITIES).read, readinto=io.BytesIO().readinto),
    "callback": lambda path: Callback(lambda size: None, open(path, "rb")),
    "ranges": lambda path: Store(),
    "ranges behind a read": lambda path: Upper(Store()),
    "ranges and a read of its own": lambda path: with_its_own_read(Store)(),
    "ranges and the tell of another": lambda path: ForwardsTell(),
    "http.client": lambda path: response(SIZED, ODDITIES),
    "http.client after a line": lambda path: after_a_line(response(SIZED, ODDITIES)),
    "http.client, chunked": lambda path: response(CHUNKED, chunked(ODDITIES)),
    "http.client, no length": lambda path: response(b"Connection: close", ODDITIES),
    "urllib3": of_urllib3,
    "makefile": lambda path: received(ODDITIES).makefile("rb"),
    "makefile without a buffer": lambda path: received(ODDITIES).makefile("rb", buffering=0),
    "fdopen of a pipe": piped_file,
    "mmap": mapped,
}


def bytes_of_read(file):
    """Returns what a loop of `read` gives; None if that is text."""
    if isinstance(file, OnlyReadinto):
        file = file.file
    parts = [file.read(65536)]
    while parts[-1]:
        parts.append(file.read(65536))
    return None if isinstance(parts[0], str) else b"".join(parts)


@pytest.mark.parametrize("read", [lambda file: b"".join(riffle_io.lines(file, keep_delimiter=True)),
                                  lambda file: bytes(riffle_io.values(file, "u1"))])  # fmt: skip
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_file_object_has_the_bytes_of_its_read(oddities, kind, read):
    expected = bytes_of_read(KINDS[kind](oddities))
    assert expected != b""
    if expected is None:
        with pytest.raises(TypeError, match="'rb'"):
            read(KINDS[kind](oddities))
    else:
        assert read(KINDS[kind](oddities)) == expected


def test_a_callback_gets_the_size_of_each_read(oddities):
    sizes = []
    with open(oddities, "rb") as file:
        assert riffle_io.count_lines(Callback(sizes.append, file)) == ODDITIES.count(b"\n")
    assert sum(sizes) == len(ODDITIES)


def test_the_name_is_that_of_the_object(oddities):
    with open(oddities, "rb") as file:
        assert riffle_io.lines(file).name == os.fspath(oddities)
        assert riffle_io.lines(Upper(file)).name == riffle_io.lines(Store()).name == "stream"


def test_an_error_names_the_file_of_a_file_object(tmp_path):
    with gzip.open(tmp_path / "a.gz", "wb") as file:
        file.write(b'"a')
    with gzip.open(tmp_path / "a.gz") as file, pytest.raises(riffle_io.RiffleError, match="cannot read '/.*/a.gz' at byte 0"):
        list(riffle_io.rows(file))
    with pytest.raises(riffle_io.RiffleError, match="cannot read 'stream' at byte 0"):
        list(riffle_io.rows(Upper(io.BytesIO(b'"a'))))
    (tmp_path / "a").write_bytes(b'"a')
    path = os.fsencode(tmp_path / "a")
    for opened in open(tmp_path / "a", "rb"), open(path, "rb"), io.FileIO(tmp_path / "a"):
        with opened as file, pytest.raises(riffle_io.RiffleError, match="cannot read '/.*/a' at byte 0") as raised:
            list(riffle_io.rows(file))
        assert raised.value.filename == str(tmp_path / "a")
    descriptor = os.open(path, os.O_RDONLY)
    with open(descriptor, "rb") as file, pytest.raises(riffle_io.RiffleError, match=f"'descriptor {descriptor}'"):
        list(riffle_io.rows(file))


@pytest.mark.parametrize("kind", ["NamedTemporaryFile", "open rb", "FileIO"])
def test_a_plain_file_is_read_by_its_descriptor_and_keeps_its_position(oddities, kind):
    with KINDS[kind](oddities) as file:
        assert list(riffle_io.lines(file, keep_delimiter=True)) and file.tell() == 0


@pytest.mark.parametrize("headers", [b"Content-Length: 8", CHUNKED])
def test_a_line_of_a_response_is_delivered_at_once(headers):
    here, there = socket.socketpair()
    here.settimeout(60)
    of_chunk = b"4\r\n%b\r\n" if headers == CHUNKED else b"%b"
    there.sendall(b"HTTP/1.1 200 OK\r\n" + headers + b"\r\n\r\n" + of_chunk % b"one\n")
    made = http.client.HTTPResponse(here)
    made.begin()
    lines = riffle_io.lines(made)
    assert next(lines) == b"one"
    there.sendall(of_chunk % b"two\n" + (b"0\r\n\r\n" if headers == CHUNKED else b""))
    assert list(lines) == [b"two"]
    there.close()


@pytest.mark.parametrize(
    ("cut", "lines"),
    [(lambda: response(SIZED, ODDITIES[:-5]), 1),
     (lambda: response(CHUNKED, chunked(ODDITIES)[:-20]), 1),
     (lambda: of_urllib3(None, ODDITIES[:-5]), 0)],
)  # fmt: skip
def test_a_response_that_is_shorter_than_its_length_is_an_error(cut, lines):
    found = []
    with pytest.raises(Exception, match="IncompleteRead"):
        for line in riffle_io.lines(cut()):
            found.append(line)
    assert len(found) >= lines and found == ODDITIES[:-5].split(b"\n")[: len(found)]


@pytest.mark.parametrize("kind", [Steps, StepsOfReadinto])
@pytest.mark.parametrize("late", [None, BlockingIOError])
def test_lines_wait_for_a_file_object_that_has_no_bytes_yet(kind, late):
    assert list(riffle_io.lines(kind(b"one\ntw", late, late, late, b"o\nthree", late, b""))) == [b"one", b"two", b"three"]


NONBLOCKING = {
    "descriptor": lambda reading: reading,
    "FileIO": lambda reading: open(reading, "rb", buffering=0, closefd=False),
    "BufferedReader": lambda reading: open(reading, "rb", closefd=False),
    "method read": lambda reading: reading,
}


@pytest.mark.parametrize("kind", NONBLOCKING)
def test_lines_wait_for_a_descriptor_that_does_not_block(kind):
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    os.write(writing, b"one\ntw")
    lines = riffle_io.lines(NONBLOCKING[kind](reading), method="read" if "method" in kind else "automatic")
    assert next(lines) == b"one"
    for part in b"o\n", b"three":
        threading.Timer(0.05, os.write, [writing, part]).start()
        if part == b"o\n":
            assert next(lines) == b"two"
    threading.Timer(0.15, os.close, [writing]).start()
    assert list(lines) == [b"three"]
    os.close(reading)
