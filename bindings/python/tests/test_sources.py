"""Tests sources beyond their bytes, which test_inputs.py compares: positions, what is held, live lines."""

import contextlib
import os
import pty
import subprocess
import sys
import tempfile

import pytest
import riffle_io
from conftest import ODDITIES
from inputs import Given, named_pipe
from oracle import records

LINES = records(ODDITIES)


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


def test_named_pipe_is_closed_after_use(tmp_path):
    before = os.listdir("/proc/self/fd")
    with named_pipe(Given(ODDITIES, tmp_path, contextlib.ExitStack())) as path:
        assert list(riffle_io.lines(path)) == LINES
    assert os.listdir("/proc/self/fd") == before


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


def test_arrays_of_numpy_are_bytes_also_those_that_could_be_an_index():
    numpy = pytest.importorskip("numpy", reason="its arrays are tried")
    assert riffle_io.count_lines(numpy.array([10], "u1")) == riffle_io.count_lines(numpy.array(10, "u1")) == 1
