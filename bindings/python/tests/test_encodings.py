"""Tests the keywords encoding and errors beyond lines of one byte a character."""

import io

import pyarrow as pa
import pytest
import riffle_io

WIDE = ["utf-16", "utf-16-le", "utf-16-be", "utf-32"]
WIDE_TEXT = "one\nGrüße\n\u0a0a\u0a0d😀\n" * 5000 + "last"


@pytest.mark.parametrize("name", WIDE)
@pytest.mark.parametrize("source", ["path", "descriptor", "file", "memory"])
def test_text_of_two_or_four_bytes_a_character_is_read_as_open_reads_it(tmp_path, name, source):
    path = tmp_path / "wide"
    path.write_bytes(WIDE_TEXT.encode(name))
    with open(path, "rb", buffering=0) as file:
        given = {"path": path, "descriptor": file.fileno(), "file": file, "memory": bytearray(path.read_bytes())}[source]
        lines = riffle_io.lines(given, encoding=name)
        assert list(lines) == WIDE_TEXT.split("\n")
        assert lines.name == {"descriptor": f"descriptor {file.fileno()}", "memory": "memory"}.get(source, str(path))
    assert list(riffle_io.words(path, encoding=name)) == WIDE_TEXT.split()
    assert list(riffle_io.rows(path, encoding=name))[0] == ["one"]
    assert list(riffle_io.lines([path, path], encoding=name)) == 2 * WIDE_TEXT.split("\n")
    assert len(pa.table(riffle_io.lines(path, encoding=name))) == WIDE_TEXT.count("\n") + 1


def test_errors_of_wide_text(write):
    cut = "one\ntwo".encode("utf-16")[:-1]
    with pytest.raises(UnicodeDecodeError, match="truncated data"):
        list(riffle_io.lines(cut, encoding="utf-16"))
    assert list(riffle_io.lines(cut, encoding="utf-16", errors="replace")) == ["one", "tw\ufffd"]
    lone = "one\n\ud800".encode("utf-16", "surrogatepass")
    assert list(riffle_io.lines(lone, encoding="utf-16", errors="surrogatepass")) == ["one", "\ud800"]
    with pytest.raises(riffle_io.RiffleError, match="cannot open 'missing': No such file") as raised:
        riffle_io.lines("missing", encoding="utf-16")
    assert isinstance(raised.value, FileNotFoundError)
    with pytest.raises(ValueError, match="pass gzip.open"):
        riffle_io.lines(b"", encoding="utf-16", decode="gzip")
    with pytest.raises(ValueError, match="has no splits"):
        riffle_io.read_split(riffle_io.splits(write(b"a"))[0], encoding="utf-16")
    for wrong in None, True, 1.5, io.StringIO("text"):
        with pytest.raises(TypeError):
            list(riffle_io.lines(wrong, encoding="utf-16"))


@pytest.mark.parametrize("read", [riffle_io.lines, riffle_io.words, riffle_io.rows, lambda source, **how: riffle_io.rows(source, [0], **how)])
def test_errors_without_an_encoding_is_refused_as_open_does(read):
    with pytest.raises(ValueError, match="errors needs an encoding"):
        read(b"a\n", errors="replace")
