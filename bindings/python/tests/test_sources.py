"""Tests each kind of Python object that lines takes as a source."""

import array
import io
import os
import pathlib
import pty
import subprocess
import sys
import tempfile
import threading
import warnings

import pytest
import riffle_io
from conftest import ODDITIES, piped
from oracle import records

LINES = records(ODDITIES)


class PathLike:
    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return self.path


class OnlyReads:
    """Has read alone, and returns fewer bytes than it is asked for."""

    def __init__(self, step):
        self.rest, self.step = ODDITIES, step

    def read(self, size):
        part, self.rest = self.rest[: self.step], self.rest[self.step :]
        return part


KINDS = {  # of sources, made of the path of a file
    "str": str,
    "Path": pathlib.Path,
    "str of a path-like": lambda path: PathLike(str(path)),
    "bytes of a path-like": lambda path: PathLike(os.fsencode(path)),
    "bytes": lambda path: ODDITIES,
    "bytearray": lambda path: bytearray(ODDITIES),
    "memoryview": lambda path: memoryview(ODDITIES),
    "array": lambda path: array.array("b", ODDITIES),
    "slice": lambda path: memoryview(b"x" + ODDITIES + b"y")[1:-1],
    **{f"read of {size}": lambda path, size=size: OnlyReads(size) for size in (1, 3, 1000)},
}


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_source_has_the_same_lines(oddities, kind):
    assert list(riffle_io.lines(KINDS[kind](oddities))) == LINES


def test_path_that_is_not_utf8(tmp_path):
    path = os.fsencode(tmp_path) + b"/\xff\xfe"
    with open(path, "wb") as file:
        file.write(ODDITIES)
    assert list(riffle_io.lines(PathLike(path))) == LINES
    assert list(riffle_io.lines(os.fsdecode(path))) == LINES


def test_memory_is_never_taken_for_a_path(oddities):
    path = os.fsencode(oddities)
    assert list(riffle_io.lines(path)) == [path]


def test_memory_cannot_be_resized_while_it_is_read():
    data = bytearray(b"one\ntwo\n")
    lines = riffle_io.lines(data)
    with pytest.raises(BufferError):
        data.clear()
    assert list(lines) == [b"one", b"two"]
    del lines
    data.clear()


def test_descriptor_is_read_from_its_position_and_stays_open(oddities):
    with open(oddities, "rb", buffering=0) as file:
        file.seek(6)
        assert list(riffle_io.lines(file.fileno())) == records(ODDITIES[6:])
        assert os.fstat(file.fileno())


@pytest.mark.parametrize("buffering", [0, -1])
@pytest.mark.parametrize("mode", ["rb", "r+b"])
def test_file_is_read_from_its_position_and_keeps_it(oddities, mode, buffering):
    with open(oddities, mode, buffering=buffering) as file:
        assert file.read(6) == b"plain\n"
        lines = riffle_io.lines(file)
        next(lines)
        assert file.tell() == 6
        assert file.read() == ODDITIES[6:]
        assert [next(lines), *lines] == records(ODDITIES[6:])[1:]


def test_file_may_be_closed_while_its_lines_are_read(oddities):
    with open(oddities, "rb") as file:
        lines = riffle_io.lines(file)
    with open(os.devnull, "rb"):  # takes the number of the descriptor
        assert list(lines) == LINES


def test_bytes_written_to_a_file_are_read():
    with tempfile.TemporaryFile() as file:
        file.write(b"one\ntwo\n")
        file.seek(0)
        file.write(b"ONE")
        assert list(riffle_io.lines(file)) == [b"", b"two"]


def test_file_object_of_the_users_class_is_asked_not_its_descriptor(oddities):
    class Upper(io.FileIO):
        def readinto(self, buffer):
            count = super().readinto(buffer)
            buffer[:count] = bytes(buffer[:count]).upper()
            return count

    with Upper(oddities) as file:
        assert list(riffle_io.lines(file)) == records(ODDITIES.upper())


def test_pipe_of_which_python_has_read_ahead():
    with piped(ODDITIES) as pipe, open(pipe, "rb", closefd=False) as file:
        assert file.peek(1)[:1] == b"p"
        assert list(riffle_io.lines(file)) == LINES


def test_named_pipe_is_closed_after_use(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=lambda: path.write_bytes(ODDITIES))
    writer.start()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert list(riffle_io.lines(path)) == LINES
    writer.join()


ECHO = """
import riffle_io, sys
if sys.argv[1] == "peeked":
    print(sys.stdin.buffer.readline().decode(), end="", flush=True)
for line in riffle_io.lines(sys.stdin.buffer):
    print(line.decode(), flush=True)
"""


@pytest.mark.parametrize("peeked", ["peeked", ""])
@pytest.mark.parametrize("terminal", [False, True])
def test_lines_of_stdin_are_live(terminal, peeked):
    """A line that has arrived is handed out while the writer waits, as `for line in sys.stdin.buffer` does."""
    reading, writing = pty.openpty()[::-1] if terminal else os.pipe()
    process = subprocess.Popen([sys.executable, "-c", ECHO, peeked], stdin=reading, stdout=subprocess.PIPE, text=True)
    os.close(reading)
    for number in range(5):
        os.write(writing, b"line %d\n" % number)
        assert process.stdout.readline() == f"line {number}\n"
    os.write(writing, b"one\ntwo\nthr")
    assert [process.stdout.readline() for _ in range(2)] == ["one\n", "two\n"]
    os.write(writing, b"ee\n")
    assert process.stdout.readline() == "three\n"
    if terminal:
        os.write(writing, b"\x04")  # Ctrl-D
    else:
        os.close(writing)
    assert process.communicate(timeout=60)[0] == ""
    assert process.returncode == 0


def test_an_integer_of_numpy_is_a_descriptor(write):
    numpy = pytest.importorskip("numpy", reason="its integers are tried")

    class Index:
        def __index__(self):
            return descriptor

    with open(write(b"a\nb\nc\n"), "rb", buffering=0) as file:
        descriptor = file.fileno()
        for source in (numpy.int64(descriptor), numpy.uint8(descriptor), Index()):
            file.seek(0)
            assert riffle_io.count_lines(source) == 3
    # Arrays are bytes, also those that could be an index.
    assert riffle_io.count_lines(numpy.array([10], "u1")) == riffle_io.count_lines(numpy.array(10, "u1")) == 1
