"""Tests compressed input: each format by every function, kind of source and split, and what damage leaves right."""

import bz2
import contextlib
import errno
import functools
import gzip
import io
import lzma
import os
import pickle
import shutil
import subprocess
import zlib
from itertools import chain

import pytest
import riffle_io
from conftest import Steps, threads_now
from inputs import INPUTS, WAYS, Given, made
from oracle import bgzf, content, decodes, needs_bzip2, needs_gzip, records

TEXT = content(repeat=4000) + b"\n"  # a megabyte, so that there are several blocks
LINES = records(TEXT)


def by(*command):
    def compress(data):
        if shutil.which(command[0]) is None:
            pytest.skip(f"{command[0]} is not installed")
        return subprocess.run(command, input=data, capture_output=True, check=True).stdout

    return compress


def in_pieces(compress, size=100_000):
    """A function that compresses each piece by itself."""
    return lambda data: b"".join(compress(data[start : start + size]) for start in range(0, len(data), size))


# What makes a format, the name of the format, and whether its parts are checked before they are handed out.
MAKERS = {
    "gzip": (gzip.compress, "gzip", False),
    "gzip members": (in_pieces(gzip.compress), "gzip", False),
    "bgzf": (bgzf, "gzip", True),
    "bgzip": (by("bgzip", "-c"), "gzip", True),
    "zlib": (zlib.compress, "zlib", False),
    "bzip2": (lambda data: bz2.compress(data, 1), "bzip2", True),
    "xz": (lzma.compress, "xz", False),
    "zstd": (by("zstd", "-qc"), "zstd", False),
    "zstd frames": (in_pieces(by("zstd", "-qc")), "zstd", True),
    "lz4": (by("lz4", "-qc"), "lz4", False),
}
SPLITTABLE = ["bgzf", "bgzip", "zstd frames"]


@functools.cache
def packed(maker):
    """Returns the compressed data, and the name of its format."""
    compress, name, _ = MAKERS[maker]
    if not decodes(name):
        pytest.skip(f"riffle was built without what decodes {name}")
    return compress(TEXT), name


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("maker", MAKERS)
def test_each_way_decodes_each_format(write, maker, way):
    make, everything, truth, of_records, threaded = WAYS[way]
    data, name = packed(maker)
    path, expected = write(data), truth(TEXT)
    for decode in (name, "automatic") if name != "zlib" else (name,):
        for how in {}, {"method": "read", "block_size": 1}, {"method": "mmap", "block_size": 5000}, *([{"threads": 3}] if threaded else []):
            assert everything(make(path, decode=decode, **how)) == expected
    if name != "zlib":
        assert everything(make(riffle_io.splits(path)[0])) == expected
        for source in data, path, io.BytesIO(data):
            assert (everything(make(source)) == expected) == of_records


@pytest.mark.parametrize("kind", INPUTS)
@pytest.mark.parametrize("maker", MAKERS)
def test_each_kind_of_input_is_decoded(maker, kind, tmp_path):
    data, name = packed(maker)
    with contextlib.ExitStack() as stack:
        source, given = made(kind, Given(data, tmp_path, stack))
        if given == data and kind != "split":
            assert list(riffle_io.lines(source, decode=name)) == LINES


@needs_gzip
def test_a_split_carries_its_format(write):
    data = gzip.compress(TEXT)
    path = write(data)
    (part,), (raw,) = riffle_io.splits(path), riffle_io.splits(path, decode="none")
    assert (part.decode, raw.decode, riffle_io.Split(*part[:6]).decode) == ("gzip", "none", "none")
    assert list(riffle_io.lines([part, raw], keep_delimiter=True)) == records(TEXT, keep=True) + records(data, keep=True)
    assert list(riffle_io.map_splits(riffle_io.count_lines, path)) == [TEXT.count(b"\n")]
    with pytest.raises(riffle_io.RiffleError, match="the decode of the split is gzip"):
        riffle_io.count_lines(part, decode="xz")


@needs_gzip
def test_nothing_is_decoded_twice(write):
    data = gzip.compress(gzip.compress(TEXT))
    assert b"".join(riffle_io.lines(data, keep_delimiter=True)) == gzip.decompress(data)


@needs_gzip
def test_a_live_pipe_is_not_delayed():
    for how in ({}, {"method": "read"}):
        for text in (b"a\n", b"\n", b"BZh\n", b"(\n", b"\x1f\n"):
            reading, writing = os.pipe()
            with open(reading, "rb", buffering=0) as reader, open(writing, "wb", buffering=0) as writer:
                writer.write(text)
                lines = riffle_io.lines(reader.fileno() if how else reader, keep_delimiter=True, **how)
                assert next(lines) == text
                for byte in b"bc":
                    writer.write(bytes([byte]))
                writer.write(b"\n")
                assert next(lines) == b"bc\n"


@needs_gzip
@pytest.mark.parametrize(("decode", "size"), [("gzip", 0), ("gzip", 300_000), ("none", 1998), ("automatic", 1998)])
def test_more_than_max_size_is_an_error(decode, size):
    text = b"x\n" * (200_000 if decode == "gzip" else 1000)
    data = gzip.compress(text) if decode == "gzip" else text
    lines = riffle_io.lines(data, decode=decode, max_size=size)
    assert [next(lines) for _ in range(size // 2)] == [b"x"] * (size // 2)
    for more in (lambda: next(lines), lambda: riffle_io.count_lines(io.BytesIO(data), decode=decode, max_size=size)):
        with pytest.raises(riffle_io.RiffleError, match="use a larger max_size") as raised:
            more()
        assert (raised.value.errno, raised.value.offset) == (errno.EFBIG, size)
    assert riffle_io.count_lines(data, decode=decode, max_size=len(text)) == len(text) // 2


@needs_gzip
@pytest.mark.parametrize("data", [b"plain\n", gzip.compress(b"plain\n")])
@pytest.mark.parametrize("decode", ["gzip", "automatic", "none"])
def test_a_loop_after_an_exception_in_the_first_read_neither_ends_nor_crashes(data, decode):
    lines = riffle_io.lines(Steps(TimeoutError("timed out"), data, b""), decode=decode)
    with pytest.raises(TimeoutError):
        next(lines)
    with pytest.raises(ValueError, match="raised an exception before"):
        next(lines)


@needs_gzip
@pytest.mark.parametrize("maker", ["gzip", "bgzf"])
def test_an_index_has_lines_of_a_path_that_has_parts(maker, write):
    data, _ = packed(maker)
    index = riffle_io.line_index(write(data))
    assert list(index) == LINES and index[-3:] == LINES[-3:]
    large, name = gzip.compress(os.urandom(300_000)), MAKERS[maker][1]
    with pytest.raises(riffle_io.RiffleError, match="decompress it first, and index the result"):
        riffle_io.line_index(write(large, "large"))[1]
    for source in data, io.BytesIO(data):
        index = riffle_io.line_index(source, decode=name)
        assert len(index) == len(LINES)
        with pytest.raises(riffle_io.RiffleError, match="decompress it first, and index the result"):
            index[1]
    assert riffle_io.line_index(TEXT, decode="automatic")[1:4] == LINES[1:4]


@pytest.mark.parametrize("maker", MAKERS)
@pytest.mark.parametrize("how", [open, io.BytesIO])
def test_the_lines_before_damage_are_right(write, maker, how):
    data, name = packed(maker)
    cut = data[: len(data) * 2 // 3]
    flipped = bytearray(data)
    flipped[len(data) * 2 // 3] ^= 0x40
    for damaged in (cut, flipped) if MAKERS[maker][2] else (cut,):
        source = io.BytesIO(damaged) if how is io.BytesIO else write(damaged)
        found = []
        with pytest.raises(riffle_io.RiffleError, match="cannot decode") as raised:
            for line in riffle_io.lines(source, keep_delimiter=True, decode=name):
                found.append(line)
        assert TEXT.startswith(b"".join(found)) and len(found) < len(LINES)
        error = raised.value
        assert error.errno == errno.EBADMSG and error.operation == "decode"
        assert len(b"".join(found)) <= error.offset < len(TEXT)
        assert 0 < error.compressed_offset <= len(damaged)
        assert isinstance(error, EOFError) == (damaged is cut)
        again = pickle.loads(pickle.dumps(error))
        assert (type(again), vars(again), str(again)) == (type(error), vars(error), str(error))
    for threads in (1, 2):
        with pytest.raises(riffle_io.RiffleError) as raised:
            riffle_io.count_lines(write(flipped if name != "lz4" else cut), decode=name, threads=threads)
        assert raised.value.compressed_offset is not None


@pytest.mark.parametrize("maker", SPLITTABLE)
def test_splits_hold_each_record_once(write, maker):
    data, name = packed(maker)
    path = write(data)
    for decode in (name, "automatic"):
        for size in (1, len(data) // 3, 1 << 30):
            parts = riffle_io.splits(path, size, decode=decode)
            assert (len(parts) > 1) == (size < 1 << 30)
            assert (parts[0].begin, parts[-1].end) == (0, len(data))
            found = [list(riffle_io.read_split(part)) for part in parts]
            assert [*chain(*found)] == LINES
            assert [riffle_io.count_records(part, decode=decode) for part in parts] == [*map(len, found)]
            words = riffle_io.map_splits(riffle_io.count_words, path, split_size=size, decode=decode)
            assert sum(words) == len(TEXT.split())
            numbers = [number for _, number in riffle_io.number_splits(parts, decode=decode)]
            assert numbers == [1 + sum(map(len, found[:n])) for n in range(len(parts))]


@needs_gzip
def test_splits_in_processes(write, pool):
    counts = riffle_io.map_splits(riffle_io.count_lines, write(bgzf(TEXT)), split_size=20_000, decode="automatic", map=pool.map)
    assert sum(counts) == TEXT.count(b"\n")


@needs_gzip
def test_text_of_splits_starts_once(write):
    path = write(bgzf("\ufeffone\n\ufefftwo\n".encode(), 7))
    parts = riffle_io.splits(path, 1, decode="gzip")
    found = [list(riffle_io.read_split(part, encoding="utf-8-sig", decode="gzip")) for part in parts]
    assert [*chain(*found)] == ["one", "\ufefftwo"]


@needs_gzip
@pytest.mark.parametrize("how", [{}, {"dialect": "csv"}])
def test_what_is_decoded_from_its_start_is_one_split(write, how):
    (part,) = riffle_io.splits(write(gzip.compress(TEXT)), 1000, **how)
    assert list(riffle_io.lines(part)) == LINES


@needs_gzip
def test_splits_of_compressed_rows_hold_whole_rows(write):
    rows = [[b"%d" % number, b"a\n" * (number % 9)] for number in range(5000)]
    path = write(bgzf(b"".join(b'%s,"%s"\n' % tuple(row) for row in rows), 700))
    for size in (1, 5000, 1 << 30):
        parts = riffle_io.splits(path, size, dialect="csv", decode="gzip")
        assert (len(parts) > 2) == (size < 1 << 30)
        assert [row for part in parts for row in riffle_io.rows(part, decode="gzip")] == rows


@needs_bzip2
def test_a_dropped_iterator_ends_its_threads(write):
    path, before = write(bz2.compress(TEXT * 4, 1)), threads_now()
    for _ in range(20):
        lines = riffle_io.lines(path, decode="bzip2")
        assert next(lines) == LINES[0]
        assert threads_now() > before or len(os.sched_getaffinity(0)) == 1
        del lines
    assert threads_now() == before
