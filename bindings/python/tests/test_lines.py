"""Tests the iterator over lines against bytes.split, and lines as str against open with the same encoding."""

import codecs
import gc
import os
import signal
import threading
import weakref

import pytest
import riffle_io
from conftest import ODDITIES
from oracle import records


@pytest.mark.parametrize("delimiter", [b"\n", b"\r", b"\x00", b";", b"\xff"])
@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("method", ["automatic", "read", "stdio", "iostream", "mmap", "direct"])
def test_each_method_and_delimiter_gives_the_same_lines(oddities, delimiter, keep, method):
    expected = records(ODDITIES, delimiter, keep)
    try:
        found = list(riffle_io.lines(oddities, delimiter, keep, method=method))
    except OSError as refusal:
        if "method unavailable" not in str(refusal):
            raise
        pytest.skip(str(refusal))
    assert found == expected


@pytest.mark.parametrize("block_size", [1, 2, 3, 7, 64, 4096])
def test_each_block_size_gives_the_same_lines(oddities, block_size):
    assert list(riffle_io.lines(oddities, method="read", block_size=block_size)) == records(ODDITIES)


@pytest.mark.parametrize("size", [0, 1, 63, 64, 65, 4095, 4096, 4097, 300_000])
def test_lines_of_one_size(write, size):
    path = write((b"x" * size + b"\n") * 50)
    assert list(riffle_io.lines(path)) == [b"x" * size] * 50


def test_the_end_stays_the_end():
    lines = riffle_io.lines(b"one\ntwo")
    assert list(lines) == [b"one", b"two"]
    assert list(lines) == []
    assert next(lines, "none") == "none"


def test_a_loop_continues_behind_the_last_line(oddities):
    lines = riffle_io.lines(oddities)
    for line in lines:
        break
    assert [line, *lines] == records(ODDITIES)


def test_strip_cr():
    text = b"a\r\nb\r\r\n\r\nc\rd\ne\r"
    assert list(riffle_io.lines(text, strip_cr=True)) == [b"a", b"b\r", b"", b"c\rd", b"e"]
    assert list(riffle_io.lines(text, strip_cr=True, keep_delimiter=True)) == records(text, keep=True)


def test_max_length(write):
    path = write(b"one\nfour\n12345\nlast\n")
    lines = riffle_io.lines(path, max_length=4)
    assert [next(lines), next(lines)] == [b"one", b"four"]
    with pytest.raises(riffle_io.RiffleError) as raised:
        next(lines)
    assert raised.value.offset == 9


@pytest.mark.parametrize("delimiter", [b"", b"\r\n"])
def test_a_delimiter_is_one_byte(delimiter):
    with pytest.raises(ValueError, match="one byte"):
        riffle_io.lines(b"", delimiter)


def test_lines_release_their_source():
    class Bytes(bytearray):
        pass

    data = Bytes(b"one\ntwo\n")
    held = weakref.ref(data)
    lines = riffle_io.lines(data)
    del data
    assert list(lines) == [b"one", b"two"]
    del lines
    gc.collect()
    assert held() is None


def test_ctrl_c_ends_a_long_line_in_a_thread_that_did_not_make_the_iterator(tmp_path):
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(4 << 30)
    made = []
    maker = threading.Thread(target=lambda: made.append(riffle_io.lines(path, method="read", block_size=65536)))
    maker.start()
    maker.join()
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
    try:
        threading.Timer(0.1, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            next(made[0])
    finally:
        signal.signal(signal.SIGINT, before)


TEXT = "plain\nGrüße\n\n日本語\n\U0001f600 emoji\nlast"


@pytest.mark.parametrize("encoding", ["utf-8", "UTF8", "utf-8-sig", "gb18030", "utf-7"])
def test_encoding(encoding):
    assert list(riffle_io.lines(TEXT.encode(encoding), encoding=encoding)) == TEXT.split("\n")


def test_only_the_first_byte_order_mark_is_dropped(tmp_path):
    text = "\ufeffone\n\ufefftwo\n"
    for encoding in "utf-8", "utf-8-sig":
        expected = text.encode().decode(encoding).split("\n")[:-1]
        assert list(riffle_io.lines(text.encode(), encoding=encoding)) == expected


@pytest.mark.parametrize("errors", ["replace", "ignore", "surrogateescape", "backslashreplace"])
@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_errors(encoding, errors):
    expected = [line.decode(encoding, errors) for line in records(ODDITIES)]
    assert list(riffle_io.lines(ODDITIES, encoding=encoding, errors=errors)) == expected


def test_bad_text_is_an_error_and_the_next_line_follows():
    lines = riffle_io.lines(b"one\n\xff\nthree\n", encoding="utf-8")
    assert next(lines) == "one"
    with pytest.raises(UnicodeDecodeError):
        next(lines)
    assert next(lines) == "three"


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1", "cp1252"])
def test_delimiters_that_are_characters(encoding):
    assert list(riffle_io.lines(b"a|b|c", b"|", encoding=encoding)) == ["a", "b", "c"]


def test_unknown_names():
    with pytest.raises(LookupError, match="nonesuch"):
        riffle_io.lines(b"", encoding="nonesuch")
    with pytest.raises(LookupError, match="nonesuch"):
        next(riffle_io.lines(b"\xff", encoding="utf-8", errors="nonesuch"))


def test_codec_that_reads_on_does_not_change_its_line(write):
    path = write(b"".join(b"%07d\n" % number for number in range(3000)))
    lines, met = [], []

    def decode(line, errors="strict"):
        if lines and not met:
            met.append(None)
            for _ in lines[0]:
                pass
        return bytes(line).decode("ascii"), len(line)

    codecs.register(lambda name: codecs.CodecInfo(None, decode, name=name) if name == "reads_on" else None)
    lines.append(riffle_io.lines(path, encoding="reads_on", block_size=4096))
    assert next(lines[0]) == "0000000"
