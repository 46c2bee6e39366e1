"""Tests the keywords encoding and errors beyond lines of one byte a character."""

import codecs
import contextlib
import encodings
import encodings.aliases
import io
import pkgutil
import random

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
    with pytest.raises(ValueError, match="has no splits"):
        riffle_io.read_split(riffle_io.splits(write(b"a"))[0], encoding="utf-16")


def test_each_file_may_start_with_a_mark(logs):
    (logs / "mark").write_bytes(b"\xef\xbb\xbf1\n")
    assert list(riffle_io.lines(["mark", "mark"], encoding="utf-8-sig")) == ["1", "1"]


def test_a_byte_order_mark_is_what_it_is_to_open(tmp_path):
    path = tmp_path / "text"
    for text in "\ufeff", "\ufeff\n", "", "\ufeff\ufeff", "\n\ufeff", "\ufeffone\n\ufefftwo\n", "1\r\n2\r3\n":
        path.write_bytes(text.encode())
        for encoding in "utf-8", "utf-8-sig":
            with open(path, encoding=encoding, newline="\n") as file:
                assert list(riffle_io.lines(path, encoding=encoding, keep_delimiter=True)) == list(file), text


def test_bad_utf_8_says_the_offset_in_the_file(logs):
    (logs / "bad").write_bytes(b"ok\nG\xc3\xbc\xff\nmore\n")
    lines = riffle_io.lines("bad", encoding="utf-8")
    assert next(lines) == "ok"
    with pytest.raises(UnicodeDecodeError) as raised:
        next(lines)
    assert raised.value.start == 3
    assert raised.value.__notes__ == ["at byte 6, in the line that starts at byte 3 of 'bad'"]
    assert next(lines) == "more"
    with pytest.raises(UnicodeDecodeError) as raised:
        next(riffle_io.lines(b"\xef\xbb\xbf\xff", encoding="utf-8-sig"))
    assert raised.value.__notes__ == ["at byte 3, in the line that starts at byte 0 of 'memory'"]


FRAGMENTS = [
    b"\n", b"\n", b"\n", b"a", b"Z", b" ", b"-", b"~", b"~{", b"~}", b"~\n", b"0!", b"V8", b"\x0e", b"\x0f",
    b"\x1b$B", b"\x1b$A", b"\x1b$)C", b"\x1b$)A", b"\x1b(B", b"\x1b(J", b"\x1b(I", b"\x1b$(D", b"\x1b.A", b"\x1bN",
    b"+AGE", b"+AGE-", b"+2D3eAA-", b"\\u0041", b"\\", b"xn--mnchen-3ya", b".", b"\x80", b"\xa4\xa2", b"\xc3\xbc",
    b"\xff", b"\xe9", b"\x81\x30\x81\x30", b"\r",
]  # fmt: skip


def codecs_of_encodings():
    names = {module.name for module in pkgutil.iter_modules(encodings.__path__)} | set(encodings.aliases.aliases.values())
    for name in sorted(names - {"aliases"}):
        with contextlib.suppress(LookupError, ImportError):
            codecs.lookup(name)
            yield name


def is_right(name, text, lines):
    """Whether the lines are those of the whole text as open() reads it, if it is text."""
    try:
        whole = io.TextIOWrapper(io.BytesIO(text), name, newline="\n").read()
    except UnicodeError:
        return True
    pieces = whole.split("\n")
    return lines == (pieces if pieces[-1] else pieces[:-1])


@pytest.mark.parametrize("name", list(codecs_of_encodings()))
def test_each_codec_is_refused_or_gives_the_lines_of_the_whole_text(name):
    drawn = random.Random(name)
    try:
        riffle_io.lines(b"", encoding=name)
    except (ValueError, LookupError) as refusal:
        assert any(words in str(refusal) for words in ("cannot be cut", "not a text encoding", "undefined encoding"))
        return
    for _ in range(3000):
        text = b"".join(drawn.choices(FRAGMENTS, k=drawn.randrange(1, 9)))
        try:
            lines = list(riffle_io.lines(text, encoding=name))
        except UnicodeError:
            lines = None
        assert is_right(name, text, lines), text


REFUSED = {  # by the delimiter and the message
    (b"\n", r"cannot be cut .*; read it by open\(path, encoding='\S+'\)$"):
        "iso2022_jp iso2022_jp_2 iso2022_kr hz punycode idna unicode_escape raw_unicode_escape cp037",
    (b"|", "cannot be cut"): "shift_jis gb18030 big5 utf-7",
    (b"\xa0", "ASCII"): "latin-1",
    (b"\n", "not a text encoding"): "hex zlib rot13",  # as open refuses them
}  # fmt: skip


@pytest.mark.parametrize(("how", "name"), [(how, name) for how, names in REFUSED.items() for name in names.split()])
def test_codecs_that_carry_state_over_a_newline_or_are_no_text_are_refused(how, name):
    with pytest.raises((ValueError, LookupError), match=how[1]):
        riffle_io.lines(b"", how[0], encoding=name)


@pytest.mark.parametrize("name", "utf_8 latin_1 cp1252 koi8_r big5 euc_jp gb18030 cp932 shift_jis mac_roman".split())
def test_codecs_that_people_use_are_accepted(name):
    assert list(riffle_io.lines(b"a\nb", encoding=name)) == ["a", "b"]


@pytest.mark.parametrize("read", [riffle_io.lines, riffle_io.words])
def test_stop_iteration_out_of_a_codec_does_not_end_the_loop_silently(read):
    def decode(line, errors="strict"):
        if line != b"a":
            return bytes(line).decode("latin-1"), len(line)
        raise StopIteration

    codecs.register(lambda name: codecs.CodecInfo(None, decode, name=name) if name == "stops" else None)
    with pytest.raises(RuntimeError, match="the codec raised StopIteration"):
        list(read(b"a\n", encoding="stops"))
