"""Tests sources made of iterables against csv.reader and the joined text, and the names of columns against DictReader."""

import csv
import gzip
import io
import random

import pytest
import riffle_io
from test_rows import TEXTS

ROWS = {"encoding": "utf-8"}


def lines_of(text):
    return list(io.StringIO(text, newline="\n"))


def test_rows_of_lines_are_those_of_csv():
    for text in TEXTS:
        lines = lines_of(text)
        expected = [row for row in csv.reader(lines) if row]
        for block_size in 0, 1, 64:
            how = {**ROWS, "block_size": block_size}
            for given in lines, iter(lines), [line.encode() for line in lines], io.StringIO(text, newline="\n"):
                assert list(riffle_io.rows(riffle_io.from_lines(given), **how)) == expected, text
        dicts = list(csv.DictReader(lines))
        if lines and lines[0].strip("\r\n"):
            assert list(riffle_io.rows(riffle_io.from_lines(lines), header=True, **ROWS)) == dicts
    odd = ["a,b", "", "c,d\r"]
    assert list(riffle_io.rows(riffle_io.from_lines(odd), **ROWS)) == list(filter(None, csv.reader(odd)))


def test_a_line_without_its_newline_gets_one():
    text = 'a,b\n"c\n\nd",e\n'
    assert list(csv.reader(text.splitlines())) != list(csv.reader(lines_of(text)))  # csv.reader loses it
    assert list(riffle_io.rows(riffle_io.from_lines(text.splitlines()), **ROWS)) == list(csv.reader(lines_of(text)))
    for given in ["a", "b\n", "", "c"], [b"a", b"b\n", b"", b"c"], ["a", b"b", bytearray(b""), memoryview(b"c")], [
        memoryview(each) for each in (b"a", b"b\n", b"", b"c")
    ]:
        assert list(riffle_io.lines(riffle_io.from_lines(given))) == [b"a", b"b", b"", b"c"]


def test_a_lone_cr_in_a_file_in_text_mode_is_data():
    text = '"a\rb\r\nc",d\n1,"2\r"\n'
    lines = list(io.StringIO(text, newline=""))
    assert len(lines) == 5
    for given in lines, [line.encode() for line in lines], [*map(bytearray, map(str.encode, lines))]:
        assert list(riffle_io.rows(riffle_io.from_lines(given), **ROWS)) == list(csv.reader(lines))
    with pytest.raises(riffle_io.RiffleError, match=r"its delimiter may be '\\r'"):
        list(riffle_io.rows(riffle_io.from_lines(["a,b\r", "1,2\r"])))
    assert list(riffle_io.rows(riffle_io.from_lines(["a,b\r", "1,2\r"]), delimiter="\r")) == [[b"a", b"b"], [b"1", b"2"]]


def test_chunks_are_joined_as_they_are():
    drawn = random.Random(5)
    for _ in range(300):
        data = "".join(drawn.choices("aé,\n", k=drawn.randrange(3000))).encode()
        packed = gzip.compress(data) if drawn.random() < 0.5 else data
        cuts = sorted(drawn.choices(range(len(packed) + 1), k=drawn.randrange(100)))
        chunks = [packed[a:b] for a, b in zip([0, *cuts], [*cuts, len(packed)], strict=True)]
        kinds = [drawn.choice([bytes, bytearray, memoryview])(each) for each in chunks]
        block_size = drawn.choice([0, 1, 64])
        for given in chunks, kinds, iter(chunks):
            assert list(riffle_io.lines(riffle_io.from_chunks(given), block_size=block_size)) == list(riffle_io.lines(data))
        assert riffle_io.from_chunks(kinds).read() == packed
    assert riffle_io.count_lines(riffle_io.from_chunks(["a\n", b"", "b"])) == 1
    with riffle_io.open(riffle_io.from_chunks(gzip.compress("é\nb".encode())[i : i + 7] for i in range(0, 30, 7))) as file:
        assert file.readlines() == ["é\n", "b"]


def test_what_comes_before_a_failure_is_read():
    def failing(count, failure):
        for number in range(count):
            yield f"{number},x\n"
        raise failure

    for count in 0, 1, 63, 64, 65, 5000:
        for failure in ZeroDivisionError("no"), KeyboardInterrupt():
            rows, found = riffle_io.rows(riffle_io.from_lines(failing(count, failure)), **ROWS), []
            with pytest.raises(type(failure)):
                found.extend(rows)
            assert len(found) == count
        for wrong in 5, None, "\ud800":
            lines = [f"{number},x\n" for number in range(count)]
            rows, found = riffle_io.rows(riffle_io.from_lines([*lines, wrong, "more"]), **ROWS), []
            with pytest.raises(UnicodeEncodeError if wrong == "\ud800" else TypeError, match="surrogates|the iterable yielded"):
                found.extend(rows)
            assert len(found) == count
    with pytest.raises(TypeError, match="'int' object is not iterable"):
        riffle_io.from_lines(5)
    with pytest.raises(TypeError, match="the iterable yielded int"):
        next(riffle_io.lines(riffle_io.from_lines(range(9))))
    for text in "a,b", b"a,b", bytearray(b"a"), memoryview(b"a"):
        with pytest.raises(TypeError, match=f"not be {type(text).__name__}: pass a list of them"):
            riffle_io.from_chunks(text)
    assert list(riffle_io.rows(riffle_io.from_lines(["\udcff"]))) == [[b"\xff"]]  # as open(errors="surrogateescape") gives it
    with pytest.raises(riffle_io.RiffleError, match="cannot read 'iterable' at byte 0"):
        list(riffle_io.rows(riffle_io.from_lines(['"a'])))


def test_an_iterable_is_read_once_and_not_far_ahead():
    taken = []
    rows = riffle_io.rows(riffle_io.from_lines(taken.append(i) or "x" * 1000 for i in range(10000)))
    next(rows)
    assert len(taken) < 200
    taken.clear()
    rows = riffle_io.rows(riffle_io.from_lines(taken.append(i) or "x" for i in range(100)), block_size=1)
    next(rows)
    assert len(taken) < 4


def test_fieldnames_are_those_of_DictReader():
    data = b"a,b\n1,2\n"
    for how in {"header": True}, {"columns": ["b"]}, {"fieldnames": ["é", "y"]}, {"fieldnames": ["x"], "columns": ["x"]}:
        rows = riffle_io.rows(data, **how, **ROWS)
        expected = csv.DictReader(io.StringIO(data.decode()), how.get("fieldnames")).fieldnames
        assert rows.fieldnames == expected
        assert len(list(rows)) == 1 + ("fieldnames" in how)
        assert rows.fieldnames == expected
        after = riffle_io.rows(data, **how, **ROWS)
        next(after)
        assert after.fieldnames == expected
    assert riffle_io.rows(data).fieldnames is None
    assert riffle_io.rows(data, header=True).fieldnames == [b"a", b"b"]
    latin = riffle_io.rows("é\n1".encode("latin-1"), fieldnames=["ü"], encoding="latin-1")
    assert latin.fieldnames == ["ü"] and next(latin) == {"ü": "é"}
    empty = riffle_io.rows(b"", header=True)
    assert (empty.fieldnames, list(empty), empty.fieldnames) == (None, [], None)
    several = riffle_io.rows([data, b"c,d\n3,4\n"], header=True)
    assert [(row, several.fieldnames) for row in several] == [
        ({b"a": b"1", b"b": b"2"}, [b"a", b"b"]), ({b"c": b"3", b"d": b"4"}, [b"c", b"d"]),
    ]  # fmt: skip
    closed = riffle_io.rows(data, header=True)
    closed.close()
    with pytest.raises(ValueError, match="are closed"):
        _ = closed.fieldnames
    lines = (line for line in ["a,b\n", "1,2\n"])
    streamed = riffle_io.rows(riffle_io.from_lines(lines), header=True, skip_rows=0, **ROWS)
    assert streamed.fieldnames == ["a", "b"] and list(streamed) == [{"a": "1", "b": "2"}]
    with pytest.raises(riffle_io.RiffleError, match="quote"):
        _ = riffle_io.rows(b'"a', header=True).fieldnames
