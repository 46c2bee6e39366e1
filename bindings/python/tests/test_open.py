"""Tests that riffle_io.open gives file objects that do what those of the built-in open, gzip and bz2 do."""

import bz2
import csv
import gzip
import io
import itertools
import json
import linecache
import lzma
import os
import random
import subprocess
import sys
import tarfile
import xml.etree.ElementTree
import zipfile

import pytest
import riffle_io
from conftest import Interruption, run_in_threads

TEXT = "".join(f"line {i} of {'é' * (i % 7)} text\r\n" if i % 5 else f"{i}\n" for i in range(4000)).encode()
FORMATS = {"plain": bytes, "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


@pytest.fixture(params=FORMATS)
def path(request, tmp_path):
    made = tmp_path / "file"
    made.write_bytes(FORMATS[request.param](TEXT))
    return made


@pytest.fixture
def plain(tmp_path):
    made = tmp_path / "plain"
    made.write_bytes(TEXT)
    return made


def sources(path):
    with open(path, "rb") as file:
        yield from (path, str(path), path.read_bytes(), io.BytesIO(path.read_bytes()), file)


def step(file, draw):
    """One call of a file of bytes, and what it gives; an exception by its class."""
    size = draw.choice((0, 1, 7, 100, 5000, 70000))
    whence = draw.choice((io.SEEK_SET, io.SEEK_CUR, io.SEEK_END))
    offset = draw.randrange(-3000, 3000) if whence else draw.randrange(len(TEXT) + 50)
    space = bytearray(size)
    calls = {
        "read": lambda: file.read(size), "read1": lambda: file.read(size), "peek": lambda: file.peek(1)[:1],
        "readline": file.readline, "short line": lambda: file.readline(size), "readinto": lambda: (file.readinto(space), space),
        "lines": lambda: file.readlines(size), "next": lambda: next(file, None), "tell": file.tell,
        "seek": lambda: file.seek(offset, whence),
    }  # fmt: skip
    name = draw.choice(list(calls))
    try:
        return name, calls[name]()
    except (OSError, ValueError) as error:
        return name, ValueError if isinstance(error, ValueError) else OSError


def test_bytes_are_read_as_from_a_file(path, plain):
    for seed, source in enumerate(sources(path)):
        draw, again = random.Random(seed), random.Random(seed)
        with open(plain, "rb") as expected, riffle_io.open(source, "rb") as file:
            assert isinstance(file, io.BufferedReader) and file.seekable() and file.readable() and not file.writable()
            for number in range(300):
                a, b = step(file, draw), step(expected, again)
                if a[0] == "seek" and (b[1] in (OSError, ValueError) or b[1] > len(TEXT)):  # outside of the file
                    assert b[1] == a[1] or a[1] in (ValueError, len(TEXT))  # as GzipFile does
                    a, b = (file.seek(0), expected.seek(0))
                assert a == b, (seed, number)


def standing(path, place):
    """Yields the kinds of sources that stand at a place in the middle of a file."""
    with open(path, "rb") as file, open(path, "rb") as read_from, open(path, "rb", buffering=0) as raw:
        descriptor = os.open(path, os.O_RDONLY)
        os.lseek(descriptor, place, os.SEEK_SET)
        file.seek(place), raw.seek(place), read_from.read(place)
        memory = io.BytesIO(path.read_bytes())
        memory.seek(place)
        yield from (descriptor, file, read_from, raw, memory)
        os.close(descriptor)


def test_what_stands_in_the_middle_is_read_from_there(path):
    before = b"1,2\n3"
    packed = not path.read_bytes().startswith(TEXT)
    path.write_bytes(before + path.read_bytes())
    for number, source in enumerate(standing(path, len(before))):
        start = 0 if packed or number == 4 else len(before)  # offsets count from the place where Python reads or riffle decodes
        with riffle_io.open(source, "rb") as file:
            assert file.tell() == start and file.read(100) == TEXT[:100], number
            assert file.seek(start + 7) == start + 7 and file.read() == TEXT[7:], number
            assert file.seek(0) == 0 and file.read(9) == (before + TEXT if start else TEXT)[:9], number
            assert file.seek(-5, io.SEEK_END) == start + len(TEXT) - 5 and file.read() == TEXT[-5:], number
    wanted = [list(riffle_io.lines(TEXT)), list(riffle_io.words(TEXT)), riffle_io.count_words(TEXT), riffle_io.value_counts(TEXT)]
    for function, result in zip((riffle_io.lines, riffle_io.words, riffle_io.count_words, riffle_io.value_counts), wanted):
        for number, source in enumerate(standing(path, len(before))):
            assert (function(source) if isinstance(result, (int, dict)) else list(function(source))) == result, (function, number)


def test_a_file_that_grows_gives_what_was_added(tmp_path):
    grows = tmp_path / "grows"
    for how in {}, {"method": "read"}, {"method": "mmap"}, {"block_size": 3}:
        grows.write_bytes(b"")
        for source in itertools.chain([grows], standing(grows, 0)):
            if isinstance(source, io.BytesIO):
                continue
            grows.write_bytes(b"one\n")
            with riffle_io.open(source, "rb", **how) as file, open(grows, "ab", 0) as log:
                assert file.read() == b"one\n" and file.read() == b""
                log.write(b"two\n")
                assert file.read() == b"two\n" and file.seek(0, io.SEEK_END) == 8
                log.write(b"three\n")
                assert file.readlines() == [b"three\n"] and file.seek(-6, io.SEEK_END) == 8


def test_a_mapped_file_that_shrinks_gives_no_byte_that_it_lacks(tmp_path):
    shrinks = tmp_path / "shrinks"
    shrinks.write_bytes(b"x" * 3_000_000)
    with riffle_io.open(shrinks, "rb", method="mmap") as file:
        assert file.raw.read(1000) == b"x" * 1000
        os.truncate(shrinks, 500)
        with pytest.raises(riffle_io.RiffleError, match="shrank"):
            file.raw.read(1000)


def test_the_file_stays_the_one_that_was_opened(path):
    packed = path.read_bytes()
    for source in path, open(path, "rb"), open(path, "rb", buffering=0):
        with riffle_io.open(source, "rb") as file:
            assert file.read(5000) == TEXT[:5000]
            if source is not path:
                assert source.tell() == 0
                source.close()
            path.rename(path.with_suffix(".1"))
            path.write_bytes(packed[:10])
            assert file.seek(7) == 7 and file.read() == TEXT[7:]
            path.with_suffix(".1").rename(path)


def test_a_path_that_is_replaced_meanwhile_is_opened_once(path, monkeypatch):
    packed, module = path.read_bytes(), sys.modules["riffle_io._open"]
    open_file = module.open_file

    def replaced(source):
        file = open_file(source)
        path.rename(path.with_suffix(".1"))
        path.write_bytes(packed[: len(packed) // 2])
        return file

    monkeypatch.setattr(module, "open_file", replaced)
    with riffle_io.open(path, "rb", block_size=4096) as file:
        assert file.read(10) == TEXT[:10] and file.seek(0) == 0 and file.read() == TEXT
        assert file.raw.name == path


def test_a_split_is_a_file_of_its_own(put):
    source = put(TEXT)
    for part in riffle_io.splits(source, 30_000):
        rest = b"".join(riffle_io.read_split(part, keep_delimiter=True))
        with riffle_io.open(part, "rb") as file:
            assert file.tell() == 0 and file.read(10) == rest[:10]
            assert file.seek(0) == 0 and file.read() == rest
            assert file.seek(-3, io.SEEK_END) == len(rest) - 3 and file.read() == rest[-3:]
            with pytest.raises(io.UnsupportedOperation):
                file.fileno()


def test_text_is_read_as_from_a_file(path, plain):
    for encoding, newline in itertools.product(("utf-8", "latin-1", "ascii"), (None, "", "\n", "\r\n")):
        errors = "replace" if encoding == "ascii" else None
        with open(plain, encoding=encoding, errors=errors, newline=newline) as expected:
            with riffle_io.open(path, encoding=encoding, errors=errors, newline=newline) as file:
                assert isinstance(file, io.TextIOWrapper) and file.mode == "r" and file.name == path
                assert file.readline() == expected.readline()
                place = file.tell()
                assert list(file) == list(expected)
                file.seek(place), expected.seek(place)
                assert file.read() == expected.read()


def test_what_reads_a_file_object_takes_it(tmp_path):
    numbers = tmp_path / "numbers.csv.gz"
    numbers.write_bytes(gzip.compress(b'a,b\n1,"x\ny"\n2,z\n'))
    with riffle_io.open(numbers, newline="") as file:
        assert list(csv.reader(file)) == [["a", "b"], ["1", "x\ny"], ["2", "z"]]
    with riffle_io.open(gzip.compress(b'{"a": [1]}')) as file:
        assert json.load(file) == {"a": [1]}
    with riffle_io.open(gzip.compress(b"<a><b/></a>"), "rb") as file:
        assert xml.etree.ElementTree.parse(file).getroot().tag == "a"
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as made:
        made.add(numbers, "one")
    with riffle_io.open(bz2.compress(archive.getvalue()), "rb") as file, tarfile.open(fileobj=file) as read:
        assert read.extractfile("one").read() == numbers.read_bytes()
    with riffle_io.open(numbers, "rb") as file:
        assert list(riffle_io.lines(file)) == gzip.decompress(numbers.read_bytes()).splitlines()
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    with riffle_io.open(numbers, "rb") as file:
        assert pandas.read_csv(file).a.tolist() == [1, 2]
    polars = pytest.importorskip("polars", reason="polars is not installed")
    with riffle_io.open(numbers, "rb") as file:
        assert polars.read_csv(file)["a"].to_list() == [1, 2]


def test_a_pipe_has_no_positions(tmp_path):
    with subprocess.Popen(["printf", "a\\nb"], stdout=subprocess.PIPE) as process:
        with riffle_io.open(process.stdout, "rb") as file:
            assert not file.seekable()
            for call in (file.tell, file.fileno, lambda: file.seek(1)):
                with pytest.raises(io.UnsupportedOperation):
                    call()
            assert file.readlines() == [b"a\n", b"b"]


def test_a_descriptor_is_that_of_the_bytes(plain):
    with riffle_io.open(plain, "rb") as file:
        assert os.fstat(file.fileno()).st_size == len(TEXT)
    with riffle_io.open(gzip.compress(b"abc"), "rb") as file, pytest.raises(io.UnsupportedOperation):
        file.fileno()


def test_a_format_that_riffle_does_not_read_is_named(tmp_path):
    archive = tmp_path / "x.zip"
    with zipfile.ZipFile(archive, "w") as made:
        made.writestr("a", "text")
    with pytest.raises(riffle_io.RiffleError, match="unzip"), riffle_io.open(archive) as file:
        file.read()
    with riffle_io.open(archive, "rb", decode="none") as file:
        assert file.read() == archive.read_bytes()


def test_a_cut_file_raises_what_is_an_eof_error(tmp_path):
    cut = tmp_path / "cut.gz"
    cut.write_bytes(gzip.compress(random.Random(1).randbytes(300_000))[:-10])
    with riffle_io.open(cut, "rb") as file, pytest.raises(EOFError) as raised:
        while file.read(10_000):
            pass
    assert isinstance(raised.value, riffle_io.RiffleError) and str(cut) in str(raised.value)


def test_a_closed_file_is_refused():
    file = riffle_io.open(b"a\n", "rb")
    file.close()
    file.close()
    assert file.closed
    for call in (file.read, file.readline, file.tell, file.seekable, lambda: file.seek(0), lambda: next(file)):
        with pytest.raises(ValueError):
            call()


def test_threads_share_one_file(tmp_path):
    with riffle_io.open(gzip.compress(TEXT), "rb") as file:
        found = []
        run_in_threads(4, lambda: found.extend(iter(file.readline, b"")))
    assert sorted(found) == sorted(io.BytesIO(TEXT))


def stop_at(step_of_open):
    """Returns a trace that raises at a line of _open.py, as a signal's handler may at any. As a seek returns, io loses the
    place, as it does for gzip.open."""
    left = step_of_open

    def trace(frame, event, _):
        nonlocal left
        if not frame.f_code.co_filename.endswith("_open.py"):
            return None
        if event == "line" and "return self._at" not in linecache.getline(frame.f_code.co_filename, frame.f_lineno):
            left -= 1
            if left == 0:
                raise Interruption
        return trace

    return trace


def test_an_exception_between_any_two_steps_loses_no_place(path):
    for step_of_open in itertools.count(1):
        with riffle_io.open(path, "rb", method="read") as file:
            assert file.read(20000) == TEXT[:20000]
            sys.settrace(stop_at(step_of_open))
            try:
                file.seek(-len(TEXT) + 700, io.SEEK_END)
                file.read(10)
                break
            except Interruption:
                sys.settrace(None)
                at = file.tell()
                assert file.read(300000) == TEXT[at:]
                assert file.seek(5) == 5 and file.read(50) == TEXT[5:55]
            finally:
                sys.settrace(None)
    assert step_of_open > 10
