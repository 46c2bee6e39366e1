"""Tests the exceptions: their classes, fields and texts, and that the lines before a failure arrive."""

import copy
import errno
import io
import os
import pickle
import socket
import types

import pytest
import riffle_io
from conftest import Steps, StepsOfReadinto


def test_missing_file_is_a_file_not_found_error(tmp_path):
    path = tmp_path / "missing"
    with pytest.raises(FileNotFoundError) as raised:
        riffle_io.lines(path)
    error = raised.value
    assert isinstance(error, riffle_io.RiffleError) and isinstance(error, OSError)
    assert (error.errno, error.filename, error.offset, error.operation) == (errno.ENOENT, str(path), None, "open")
    assert error.compressed_offset is error.remedy is None
    assert error.strerror == os.strerror(errno.ENOENT)
    assert str(error) == f"cannot open '{path}': No such file or directory"
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))


REMEDIES = {  # of an option that fails: the end of the message, and the remedy
    "max_length=3": ("; use a larger max_length", ("larger_max_length", "")),
    "decode='gzip'": ('; use decode="automatic"', ("use_decoding", "automatic")),
}


@pytest.mark.parametrize("option", REMEDIES)
def test_a_remedy_is_data_and_in_the_words_of_python(option):
    with pytest.raises(riffle_io.RiffleError) as raised:
        eval(f"list(riffle_io.lines(b'a long line\\n', {option}))")
    words, remedy = REMEDIES[option]
    for error in raised.value, pickle.loads(pickle.dumps(raised.value)):
        assert str(error).endswith(words) and error.remedy == remedy


@pytest.mark.parametrize("text", ["some text\n" * 1000, "is this a pattern?\n" * 1000])
def test_a_text_that_was_passed_as_a_path_is_not_echoed_whole(text):
    with pytest.raises(OSError, match="; a str is a path: pass bytes to read the text itself$") as raised:
        riffle_io.lines(text)
    assert len(str(raised.value)) < 500 and raised.value.filename == text
    assert str(pickle.loads(pickle.dumps(raised.value))) == str(raised.value)


def test_error_has_the_offset_of_the_failure(write):
    path = write(b"short\n" + b"x" * 100)
    lines = riffle_io.lines(path, max_length=10)
    assert next(lines) == b"short"
    for _ in range(2):  # a failure is final
        with pytest.raises(riffle_io.RiffleError) as raised:
            next(lines)
        assert (raised.value.errno, raised.value.offset) == (errno.EMSGSIZE, 6)


def test_file_that_shrinks_is_an_error(write):
    path = write(b"0123456\n" * 1_000_000)
    lines = riffle_io.lines(path)
    assert next(lines) == b"0123456"
    os.truncate(path, 100_000)
    with pytest.raises(riffle_io.RiffleError, match="truncated|shrank"):
        for line in lines:
            pass


@pytest.mark.parametrize("kind", [Steps, StepsOfReadinto])
def test_exception_of_a_file_object_arrives_unchanged(kind):
    lines = riffle_io.lines(kind(b"one\ntw", b"o\nthr", KeyError("the object's own"), b""))
    assert [next(lines), next(lines)] == [b"one", b"two"]
    with pytest.raises(KeyError, match="the object's own"):
        next(lines)
    with pytest.raises(ValueError, match="raised an exception before"):
        next(lines)


@pytest.mark.parametrize(
    ("function", "answer", "error"),
    [("read", "text", TypeError), ("read", b"x" * 10_000_000, ValueError), ("read", 7, TypeError),
     ("readinto", -5, ValueError), ("readinto", 10**9, ValueError), ("readinto", 10**30, OverflowError),
     ("readinto", "no", TypeError)],
)  # fmt: skip
def test_wrong_answers_of_a_file_object(function, answer, error):
    with pytest.raises(error):
        next(riffle_io.lines(types.SimpleNamespace(**{function: lambda given: answer})))


@pytest.mark.parametrize("buffering", [0, -1])
def test_file_that_is_closed_or_open_for_writing_is_an_error(tmp_path, buffering):
    with open(tmp_path / "new", "wb", buffering=buffering) as file, pytest.raises(io.UnsupportedOperation):
        next(riffle_io.lines(file))
    with open(tmp_path / "new", "rb", buffering=buffering) as file:
        pass
    with pytest.raises(ValueError, match="closed file"):
        riffle_io.lines(file)


def test_no_memory_is_a_memory_error(run, tmp_path):
    (tmp_path / "text").write_bytes(b"one\n" + b"x" * 300_000_000)
    script = """
import resource, riffle_io
for method in "read", "mmap", "automatic":
    lines = riffle_io.lines("text", method=method)
    print(next(lines))
    resource.setrlimit(resource.RLIMIT_AS, (400_000_000, resource.RLIM_INFINITY))
    try:
        next(lines)
    except MemoryError:
        print("MemoryError")
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
"""
    assert run(script) == "b'one'\nMemoryError\n" * 3


def test_view_of_a_failed_read_is_released():
    class Keeps:
        def readinto(self, view):
            self.view = view
            raise KeyError("the object's own")

    source = Keeps()
    with pytest.raises(KeyError):
        next(riffle_io.lines(source))
    with pytest.raises(ValueError, match="released"):
        bytes(source.view)


def test_error_that_python_code_makes_survives_pickle_and_copy():
    named = riffle_io.RiffleError(errno.EIO, "it failed", "a path")
    assert (named.offset, named.operation, named.remedy) == (None, "", None)
    assert str(named) == "[Errno 5] it failed: 'a path'"
    for error in (named, riffle_io.RiffleError("it failed"), riffle_io.RiffleError(2, "its own text")):
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert (type(again), str(again), again.errno) == (type(error), str(error), error.errno)


def test_failure_of_what_python_reads_for_riffle_is_a_riffle_error(tmp_path):
    path = tmp_path / "socket"
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.fspath(path))
        with pytest.raises(riffle_io.RiffleError, match="cannot open '.*socket'") as caught:
            riffle_io.lines(path)
    assert (caught.value.errno, caught.value.filename) == (errno.ENXIO, os.fspath(path))
    reading, writing = os.pipe()
    with pytest.raises(riffle_io.RiffleError, match=f"cannot read 'descriptor {writing}'") as caught:
        riffle_io.count_lines(writing)
    assert caught.value.errno == errno.EBADF
    os.close(writing)
    os.close(reading)


@pytest.mark.parametrize("before", [1, 100_000])
def test_the_offset_of_a_mapped_file_that_was_cut_is_where_the_block_in_use_began(tmp_path, before):
    path, cut = tmp_path / "cut", (3 << 20) + 5000
    path.write_bytes(b"0123456\n" * (1 << 20))
    lines = riffle_io.lines(path, method="mmap")
    given = sum(len(line) + 1 for line, _ in zip(lines, range(before)))
    os.truncate(path, cut)
    with pytest.raises(riffle_io.RiffleError, match="the file shrank") as raised:
        for line in lines:
            given += len(line) + 1
    assert raised.value.offset <= min(given, cut)
    assert given - raised.value.offset <= 256 << 10
