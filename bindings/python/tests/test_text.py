"""Tests lines as str, against open with the same encoding."""

import codecs

import pytest
import riffle_io
from conftest import ODDITIES
from oracle import records

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
