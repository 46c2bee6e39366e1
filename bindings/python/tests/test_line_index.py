"""Tests the index of lines against bytes.split."""

import io
import os
import random

import numpy
import pytest

import riffle_io
from conftest import piped, run_in_threads
from inputs import SMALL, offsets_of
from oracle import records


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("delimiter", [b"\n", b"\0", b"x"])
@pytest.mark.parametrize("text", SMALL)
def test_lines_and_offsets_of_small_inputs(text, delimiter, keep, write):
    path = write(text)
    expected = records(text, delimiter, keep)
    for source in (path, text):
        index = riffle_io.line_index(source, delimiter, keep)
        assert len(index) == len(expected)
        assert [index[number] for number in range(len(index))] == index[:] == expected
        assert memoryview(index).tolist() == offsets_of(text, delimiter)


@pytest.fixture(scope="module")
def text():
    draw = random.Random(16)
    lines = [bytes(draw.choices(b"abc \r\0", k=draw.randrange(0, 200))) for _ in range(5000)]
    return b"\n".join(lines * 30) + b"\nno end"


@pytest.fixture(scope="module")
def path(text, tmp_path_factory):
    path = tmp_path_factory.mktemp("line_index") / "text"
    path.write_bytes(text)
    return path


def test_numpy_reads_the_offsets_without_a_copy(path):
    index = riffle_io.line_index(path)
    offsets, view = numpy.asarray(index), memoryview(index)
    assert offsets.dtype == numpy.uint64
    assert not offsets.flags.writeable and not offsets.flags.owndata
    assert numpy.shares_memory(offsets, numpy.frombuffer(view, numpy.uint64))
    assert (view.itemsize, view.shape, view.readonly) == (8, (len(index) + 1,), True)
    expected = offsets.tolist()
    del index, view
    assert offsets.tolist() == expected


def test_negative_numbers_and_those_out_of_range(path, text):
    index = riffle_io.line_index(path)
    lines = records(text)
    count = len(lines)
    for number in (0, -1, -count, count - 1, -2):
        assert index[number] == lines[number]
    assert index[numpy.int64(3)] == lines[3]
    for number in (count, -count - 1, 1 << 70, -(1 << 70)):
        with pytest.raises(IndexError):
            index[number]
    for wrong in ("1", 1.0, None):
        with pytest.raises(TypeError):
            index[wrong]


def test_slices_are_lists_of_lines(path, text):
    index = riffle_io.line_index(path)
    lines = records(text)
    draw = random.Random(16)
    bounds = [None, 0, 1, -1, 5, len(lines), -len(lines) - 3, 1 << 70]
    for _ in range(50):
        start = draw.choice(bounds)
        stop = start + 40 if isinstance(start, int) and start >= 0 else draw.choice([3, -len(lines) + 9])
        cut = slice(start, stop, draw.choice([None, 1, 2, -1, 7]))
        if len(range(*cut.indices(len(lines)))) < 100:
            assert index[cut] == lines[cut]
    assert index[-40:] == lines[-40:]
    assert index[:] == lines  # many reads
    with pytest.raises(ValueError, match="step"):
        index[::0]


def test_an_index_starts_at_the_position_of_a_descriptor(path, text):
    with open(path, "rb") as file:
        first = file.readline()
        index = riffle_io.line_index(file)
    assert memoryview(index)[0] == len(first)
    assert index[0] == records(text)[1]
    assert index[-1] == b"no end"


def test_an_index_has_a_descriptor_of_its_own(path, text):
    descriptor = os.open(path, os.O_RDONLY)
    index = riffle_io.line_index(descriptor)
    os.close(descriptor)
    assert index[7] == records(text)[7]
    assert memoryview(index)[0] == 0


def test_an_index_closes_its_descriptor(path):
    before = len(os.listdir("/proc/self/fd"))
    index = riffle_io.line_index(path)
    assert len(os.listdir("/proc/self/fd")) == before + 1
    del index
    assert len(os.listdir("/proc/self/fd")) == before


def test_an_index_holds_its_bytes():
    source = bytearray(b"one\ntwo\n")
    index = riffle_io.line_index(source)
    with pytest.raises(BufferError):
        source.extend(b"three\n")
    assert index[1] == b"two"
    del index
    source.extend(b"three\n")


@pytest.mark.parametrize("change", ["append", "shorten", "rewrite"])
def test_a_changed_file_is_an_error(change, write):
    path = write(b"one\ntwo\nthree\n")
    os.utime(path, ns=(0, 0))
    index = riffle_io.line_index(path)
    assert index[1] == b"two"
    with open(path, "ab" if change == "append" else "r+b") as file:
        if change == "shorten":
            file.truncate(5)
        else:
            file.write(b"o\ne\n")
    for ask in (lambda: index[1], lambda: index[:2], lambda: list(index)):
        with pytest.raises(riffle_io.RiffleError, match="the file changed; index it again") as raised:
            ask()
        assert raised.value.filename == str(path)
    assert memoryview(index).tolist() == [0, 4, 8, 14]


def test_a_pipe_has_offsets_but_no_lines():
    with piped(b"one\ntwo") as pipe:
        for source in (pipe, io.BytesIO(b"one\ntwo")):
            index = riffle_io.line_index(source, threads=2)
            assert memoryview(index).tolist() == [0, 4, 7]
            for ask in (lambda: index[0], lambda: list(index)):
                with pytest.raises(riffle_io.RiffleError, match="index a path or bytes to get its lines"):
                    ask()


def test_several_threads_read_one_index(path, text):
    index = riffle_io.line_index(path)
    lines = records(text)
    wrong = []

    def read():
        draw = random.Random()
        for number in (draw.randrange(len(lines)) for _ in range(2000)):
            if index[number] != lines[number]:
                wrong.append(number)

    run_in_threads(4, read)
    assert wrong == []


def test_an_index_says_what_it_indexes(write):
    path = write(b"one\ntwo", "t\udcffxt")
    assert repr(riffle_io.line_index(path)) == f"<riffle_io.LineIndex of {str(path)!r}: 2 lines>"


def test_a_loop_over_line_index_gives_its_lines(oddities):
    for keep in (False, True):
        index = riffle_io.line_index(oddities, keep_delimiter=keep)
        assert list(index) == index[:] == [index[n] for n in range(len(index))]
        assert list(reversed(index)) == index[::-1]
        assert index[2] in index and b"no such line" not in index
    assert list(riffle_io.line_index(oddities.read_bytes())) == list(riffle_io.lines(oddities))
    loops = iter(index), iter(index)
    assert [next(loops[0]), next(loops[0]), next(loops[1])] == [index[0], index[1], index[0]]
    assert list(riffle_io.line_index(b"")) == []


def test_a_loop_over_the_index_of_a_file_that_changed(write):
    path = write(b"line\n" * 200_000)
    index = riffle_io.line_index(path)
    loop = iter(index)
    assert next(loop) == b"line"
    os.truncate(path, 500_000)
    for _ in range(2):
        with pytest.raises(riffle_io.RiffleError, match="the file changed; index it again"):
            list(loop)
