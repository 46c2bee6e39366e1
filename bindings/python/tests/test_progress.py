"""Tests how riffle reports the progress of a call, and the offset and the size of stored bytes."""

import gzip
import io
import os

import pytest
import riffle_io
from conftest import piped
from inputs import WAYS

TEXT = b"".join(b"%d,%d,x\n" % (number, 7 * number) for number in range(100_000))
CALLS = ["lines", "words", "rows", "view", "count_lines", "count_records", "value_counts", "line_index"]


def read(call, source, **how):
    return WAYS[call].all(WAYS[call].make(source, **how))


class Bar:
    """Does what a bar of tqdm does."""

    n, total = 0, None

    def update(self, step):
        self.n += step


def standing_at(path, place):
    file = open(path, "rb")
    file.seek(place)
    return file


SPLIT = TEXT[TEXT.index(b"\n", 4999) + 1 : TEXT.index(b"\n", 5999) + 1]
SOURCES = {  # of bytes and of packed bytes: the source, how much is left of it, and its bytes
    "path": lambda plain, packed: (plain, len(TEXT), TEXT),
    "packed": lambda plain, packed: (packed, os.path.getsize(packed), TEXT),
    "memory": lambda plain, packed: (TEXT, len(TEXT), TEXT),
    "split": lambda plain, packed: (riffle_io.splits(plain, 1000)[5], 1000, SPLIT),
    "in the middle": lambda plain, packed: (standing_at(plain, len(b"0,0,x\n")), len(TEXT) - 6, TEXT[6:]),
    "stream": lambda plain, packed: (io.BytesIO(TEXT), None, TEXT),
}


@pytest.fixture
def files(tmp_path):
    (tmp_path / "plain").write_bytes(TEXT)
    (tmp_path / "packed").write_bytes(gzip.compress(TEXT, 1))
    return tmp_path / "plain", tmp_path / "packed"


@pytest.mark.parametrize("kind", SOURCES)
@pytest.mark.parametrize("call", CALLS)
def test_each_call_tells_its_progress(call, kind, files):
    source, size, data = SOURCES[kind](*files)
    told = []
    assert read(call, source, progress=lambda *place: told.append(place), block_size=4096) == WAYS[call].truth(data)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert {total for _, total in told} == {size} and told
    assert told[-1][0] == (size or len(TEXT))


def test_several_sources_are_told_as_one_and_a_bar_is_moved(files):
    plain, packed = files
    for several, size in (
        (iter([plain, TEXT, packed]), 2 * len(TEXT) + os.path.getsize(packed)),
        (riffle_io.splits(plain, 1000)[4:6], 2000),
        ([plain, io.BytesIO(TEXT)], None),
    ):
        bar = Bar()
        for _ in riffle_io.lines(several, progress=bar):
            assert bar.n <= (size or 2 * len(TEXT))
        assert (bar.n, bar.total) == (size or 2 * len(TEXT), size)
    bar = Bar()
    assert riffle_io.count_lines([plain, plain], threads=3, progress=bar) == 200_000 and bar.n == bar.total == 2 * len(TEXT)
    columns = riffle_io.columns(plain, {0: "i64"}, threads=3, progress=bar)
    pyarrow = pytest.importorskip("pyarrow")
    assert pyarrow.RecordBatchReader.from_stream(columns).read_all().num_rows == 100_000 and bar.n == 3 * len(TEXT)


@pytest.mark.parametrize("call", CALLS)
def test_what_it_raises_ends_the_call(call, files):
    def progress(done, total):
        raise KeyError(done)

    def ends(done, total):
        raise StopIteration  # a step of an iterator must not take it for the end

    with pytest.raises(KeyError):
        read(call, files[0], progress=progress)
    with pytest.raises((RuntimeError, StopIteration)):
        read(call, files[0], progress=ends)
    for wrong in 5, "bar":
        with pytest.raises(TypeError, match="progress must be a function, or a bar with update.. as tqdm's, not "):
            read(call, files[0], progress=wrong)


def test_lines_tell_what_was_used_of_the_stored_bytes(files):
    for path in files:
        size = os.path.getsize(path)
        with riffle_io.lines(path, block_size=4096) as lines:
            offsets = [lines.compressed_offset for _ in lines]
            assert lines.compressed_offset == lines.compressed_size == size
        assert offsets == sorted(offsets) and 0 < offsets[0] < size / 2 and lines.compressed_size == size
    with piped(b"a\nb") as reading:
        lines = riffle_io.lines(reading)
        assert (next(lines), lines.compressed_offset > 0, lines.compressed_size, [*lines], lines.compressed_offset) == (b"a", True, None, [b"b"], 3)


def test_a_function_that_holds_the_iterator_is_collected(files):
    import gc
    import weakref

    class Told:
        def __call__(self, *_):
            pass

    for make in riffle_io.lines, riffle_io.rows, riffle_io.words:
        told = Told()
        told.iterator, gone = make(files[0], progress=told), weakref.ref(told)
        next(told.iterator)
        del told
        gc.collect()
        assert gone() is None
