"""Tests rows and words against the module csv and bytes.split."""

import collections
import csv
import io
import os
import random
import warnings

import pytest
import riffle_io
from conftest import ODDITIES, Interruption, alarms, interrupt

PIECES = ["a", "bc", '"', '""', '"', ",", ",", "\n", "\n", "\r\n", "#", '","', '"\n"', "d,e\n", "5'8\"", '"x"', "é", " "]
ODD = [
    "", "\n", "\n\n", "a", "a,b", "a,b\n", ",\n", '""\n', '"a"b,c\n', '"a""b"\n', '"a\nb",c\r\n"d"\r\n', 'x"y"z\n',
    '"' + "long\n" * 3000 + '",end\n', ",".join("x" * 3000) + "\n", 'é,"日""本"\n', '"a"\r\n', " \"a\",b\n", '"",""\n',
]  # fmt: skip


def random_texts(count):
    draw = random.Random(7)
    for _ in range(count):
        text = "".join(draw.choice(PIECES) for _ in range(draw.randrange(60)))
        yield text + '"' * (text.count('"') % 2)


def numbered_rows_of_csv(text, comment=None):
    """The rows without empty ones, and the line that each ends in. Comments stand between rows only."""
    taken, number = [], 0

    def lines():
        nonlocal number
        for number, line in enumerate(io.StringIO(text, newline=""), 1):
            if taken or not comment or not line.startswith(comment):
                taken.append(line)
                yield line

    for row in csv.reader(lines()):
        if row:
            yield row, number
        taken.clear()


def rows_of_csv(text, comment=None):
    return [row for row, _ in numbered_rows_of_csv(text, comment)]


def is_closed(text, comment=None):
    return rows_of_csv(text + "\nmark", comment)[-1] == ["mark"]


TEXTS = [text for text in [*ODD, *random_texts(500)] if is_closed(text)]


@pytest.mark.parametrize("comment", [None, "#"])
@pytest.mark.parametrize("block_size", [0, 1, 7, 64])
def test_rows_are_those_of_csv(block_size, comment, tmp_path):
    texts = [text for text in TEXTS if is_closed(text, comment)]
    assert len(texts) > 300
    path = tmp_path / "odd.csv"
    for number, text in enumerate(texts):
        data = (text if number % 7 else "\ufeff" + text).encode()
        path.write_bytes(data)
        expected = list(numbered_rows_of_csv(text, comment))
        how = {"block_size": block_size, "comment": comment}
        rows = riffle_io.rows(path, encoding="utf-8", method="read", **how)
        assert rows.line_num == 0
        assert [(row, rows.line_num) for row in rows] == expected
        assert rows.line_num == len(list(io.StringIO(text, newline="")))
        assert list(riffle_io.rows(data, **how)) == [[field.encode() for field in row] for row, _ in expected]


@pytest.mark.parametrize("block_size", [0, 1, 7, 64])
def test_line_num_counts_up_to_the_row_before_a_failure(block_size, tmp_path):
    path = tmp_path / "odd.csv"
    good = '#x\n"a\nb",c\n\n1,2\n' * 300  # four fields and five lines each
    cases = [
        ('x"y,1\n', {"quoting": "strict"}, {1501}),
        ('"open,1\n', {}, {1501}),
        ("1\n", {"columns": [1]}, {1502}),  # the row was read
        ("1\n", {"ragged": "fail"}, {1501, 1502}),  # a block that ends before it hides it
        ("x" * 90 + "\n", {"max_length": 80}, {1501}),
    ]
    for bad, how, expected in cases:
        path.write_text("n,m\n" + good + bad)
        rows = riffle_io.rows(path, header=True, comment="#", method="read", block_size=block_size, **how)
        seen = []
        with pytest.raises(riffle_io.RiffleError):
            for _ in rows:
                seen.append(rows.line_num)
        assert seen == [line for i in range(300) for line in (5 * i + 4, 5 * i + 6)]
        assert rows.line_num in expected, bad
        assert repr(rows).endswith(f", at line {rows.line_num}>")
    for text in "a,b\\\n", "x\n\\\n", "\\\n\\\n\n", "a\\\nb\\\n", '"a\n"\\\n':  # an escaped newline at the end begins no line
        rows = riffle_io.rows(text.encode(), escape="\\", block_size=block_size)
        reader = csv.reader(io.StringIO(text, newline=""), escapechar="\\")
        assert [(len(row), rows.line_num) for row in rows] == [(len(row), reader.line_num) for row in reader if row], text
        assert rows.line_num == reader.line_num
    two = riffle_io.rows([b"a\nb\n", b"c\n"])
    assert [two.line_num for _ in two] == [1, 2, 1]
    assert two.line_num == 1


def test_dicts_are_those_of_DictReader():
    for text in [*TEXTS, "a,b\n1\n1,2,3\n\n\n4,5\n", "a,a\n1,2\n", "a\n"]:
        expected = list(csv.DictReader(io.StringIO(text, newline="")))
        if text.startswith(("\n", "\r\n")):
            continue  # DictReader takes the empty line for the header
        assert list(riffle_io.rows(text.encode(), header=True, encoding="utf-8")) == expected, text
    assert list(riffle_io.rows(b"a,b\n1,2\n", header=True)) == [{b"a": b"1", b"b": b"2"}]


def test_the_keywords_of_rows():
    for tab in {"dialect": "tsv"}, {"separator": "\t"}, {"separator": b"\t"}:
        assert list(riffle_io.rows(b"a\tb\n", **tab)) == [[b"a", b"b"]]
    assert list(riffle_io.rows(b'"a,b"\n', quote=None)) == [[b'"a', b'b"']]
    assert list(riffle_io.rows(b"'a,b'\n", quote="'")) == [[b"a,b"]]
    assert list(riffle_io.rows(b"a\r\n", strip_cr=False)) == [[b"a\r"]]
    assert list(riffle_io.rows(b"one\ntwo\n#no\na\n", skip_rows=2, comment="#")) == [[b"a"]]
    assert list(riffle_io.rows(b"\xef\xbb\xbfa\n", encoding="utf-8-sig")) == [["a"]]
    with pytest.raises(riffle_io.RiffleError, match="quote") as raised:
        list(riffle_io.rows(b'a\nb"c\n', quoting="strict"))
    assert raised.value.offset == 3
    rows = riffle_io.rows(b"a\n" + b"x" * 100, max_length=10)
    assert next(rows) == [b"a"]
    for _ in range(2):
        with pytest.raises(riffle_io.RiffleError, match="use a larger max_length"):
            next(rows)


def test_ragged_rows_are_kept_refused_or_padded_as_by_csv(tmp_path):
    draw = random.Random(3)
    text = "a,b,c\n" + "".join(",".join(draw.choice([" x ", "1", "", '"q "', "\t"]) for _ in range(draw.randrange(1, 5))) + "\n"
                              for _ in range(3000))  # fmt: skip
    path = tmp_path / "ragged.csv"
    path.write_text(text)
    kept = [row for row in rows_of_csv(text) if row != [""]]
    for size in (0, 1, 64):
        how = {"encoding": "utf-8", "method": "read", "block_size": size}
        assert list(riffle_io.rows(path, ragged="keep", **how)) == kept
        assert list(riffle_io.rows(path, ragged="pad", **how)) == [row + [""] * (3 - len(row)) for row in kept]
        good, bad = [], 0
        rows = riffle_io.rows(path, ragged="fail", **how)
        while True:
            try:
                good.extend(rows)
                break
            except riffle_io.RiffleError as failure:
                assert ", the first row 3" in str(failure)
                bad += 1
        assert good == [row for row in kept if len(row) == 3]
        assert bad == len(kept) - len(good) > 1000
        numbers = [number for number, row in enumerate(kept, 1) if len(row) != 3]
        skipped = f"{bad} rows: {bad} with the wrong number of fields (the first are rows {str(numbers[:5])[1:-1]})"
        with pytest.warns(UserWarning) as warned:
            assert list(riffle_io.rows([path, path], ragged="fail", bad_rows="skip", **how)) == good * 2
        assert [str(each.message) for each in warned] == [f"cannot read all rows of '{path}': skipped {skipped}"] * 2
    for word in ("ragged", "dialect", "quoting", "bad_rows"):
        with pytest.raises(ValueError, match=word):
            riffle_io.rows(b"", **{word: "all"})


def test_bad_rows_are_skipped_only_if_ragged_refuses_them():
    skip = {"ragged": "fail", "bad_rows": "skip"}
    with pytest.raises(ValueError, match="add ragged='fail'"):
        riffle_io.rows(b"a\n", bad_rows="skip")
    assert list(riffle_io.rows(b"a\nb\n", **skip)) == [[b"a"], [b"b"]]
    with pytest.warns(UserWarning, match=r"skipped 1 row: 1 with the wrong number of fields \(row 2\)$"):
        assert list(riffle_io.rows(b"a,b\n1\n2\n3,4\n", header=True, skip_rows=1, **skip)) == [{b"1": b"2"}]
    with pytest.raises(riffle_io.RiffleError, match="a quote is not closed"):
        list(riffle_io.rows(b'a\nb,c\n"d', **skip))
    rows = riffle_io.rows([b"a,b\nc\n", b"d\n"], **skip)
    with warnings.catch_warnings(action="error"), pytest.raises(UserWarning, match="skipped 1 row"):
        list(rows)
    assert list(rows) == [[b"d"]]


def test_trim_drops_blanks_around_names_and_unquoted_fields():
    data = b' a ,"b "\n 1\t,"2 "\n" 3" , 4\n'
    assert list(riffle_io.rows(data, header=True, trim=True)) == [{b"a": b"1", b"b ": b"2 "}, {b"a": b" 3 ", b"b ": b"4"}]
    assert list(riffle_io.rows(data, ["a"], trim=True)) == [(b"1",), (b" 3 ",)]


def test_columns_of_rows():
    table = b'name,price,"size, cm"\nnut,1,2\nbolt,"3",4\n'
    assert list(riffle_io.rows(b"a\tb\tc\nd\te\tf\n", [2, 0], dialect="tsv")) == [(b"c", b"a"), (b"f", b"d")]
    by_name = riffle_io.rows(table, ["price", "name"], encoding="utf-8")
    assert list(by_name) == [("1", "nut"), ("3", "bolt")]
    assert list(riffle_io.rows(table, [1], header=True)) == [(b"1",), (b"3",)]
    latin = "a,é\n1,2\n".encode("latin-1")
    assert list(riffle_io.rows(latin, ["é"], encoding="latin-1")) == [("2",)]
    assert list(riffle_io.rows("a,é\n1,2\n".encode(), ["é"], encoding="utf-8-sig")) == [("2",)]
    assert list(riffle_io.rows("a,é\n1,2\n".encode("utf-16"), ["é"], encoding="utf-16")) == [("2",)]
    with pytest.raises(riffle_io.RiffleError, match="row 2 has 1 field, and no field 2") as raised:
        list(riffle_io.rows(b"a,b\nc\n", [1]))
    assert raised.value.offset == 4


@pytest.mark.parametrize("block_size", [0, 1, 64, 4096])
def test_words_are_those_of_split(oddities, block_size):
    assert list(riffle_io.words(oddities, method="read", block_size=block_size)) == ODDITIES.split()
    text = "Grüße an\tdie 日本語\n"
    assert list(riffle_io.words(text.encode(), encoding="utf-8")) == text.split()
    assert list(riffle_io.words(b"\xef\xbb\xbfa \xef\xbb\xbfb", encoding="utf-8-sig")) == ["a", "\ufeffb"]
    assert list(riffle_io.words(b"\xef\xbb\xbf \xef\xbb\xbfb", encoding="utf-8-sig")) == ["\ufeffb"]
    assert collections.Counter(riffle_io.words(b"a bb a\nbb bb")) == {b"a": 2, b"bb": 3}
    with pytest.raises(riffle_io.RiffleError, match="use a larger max_length"):
        list(riffle_io.words(b"x" * 100, max_length=64))


def test_rows_that_end_in_cr_need_the_delimiter():
    for text in b"a,b\r1,2\r", b'\xef\xbb\xbf"a\r",b\r1,2', b"a,b\r1,2":
        with pytest.raises(riffle_io.RiffleError, match=r"at byte \d+: .*its delimiter may be '\\r'"):
            list(riffle_io.rows(text))
        assert list(riffle_io.rows(text, delimiter="\r"))[-1] == [b"1", b"2"]
    legal = {b"a\rb,c\nd\re": [["a\rb", "c"], ["d\re"]], b'"a\rb"': [["a\rb"]], b"a,b\r": [["a", "b"]]}
    for text, expected in legal.items():
        assert list(riffle_io.rows(text, encoding="utf-8")) == expected
    assert list(riffle_io.rows(b"a\rb", dialect="plain")) == [[b"a\rb"]]


def test_a_loop_goes_on_after_an_exception_in_its_first_step():
    reads = {
        (b"b", b"a"): lambda pipe: riffle_io.rows(pipe, [1, 0]),
        ("b",): lambda pipe: riffle_io.rows(pipe, ["x"], encoding="utf-8"),
        "x,y": lambda pipe: riffle_io.lines(pipe, encoding="utf-8-sig"),
    }
    for first, read in reads.items():
        reading, writing = os.pipe()
        with read(reading) as records:
            with alarms(interrupt, 0.05), pytest.raises(Interruption):
                next(records)
            os.write(writing, b"a,b\n" if first == (b"b", b"a") else b"\xef\xbb\xbfx,y\nb,c\n")
            os.close(writing)
            assert next(records) == first
        os.close(reading)


def test_a_column_that_is_missing_is_an_error_in_each_step():
    rows = riffle_io.rows(b"a,b\n1,2\n3,4\n", ["x"])
    for _ in range(4):
        with pytest.raises(riffle_io.RiffleError, match="x"):
            next(rows)


def test_fields_between_white_space_are_those_of_split():
    data = b"  n \t v\n\n \t\na  1\r\n\tb\t20  \nc"
    lines = [line.split() for line in data.replace(b"\r\n", b"\n").split(b"\n") if line.split()]
    assert list(riffle_io.rows(data, dialect="whitespace")) == lines
    assert list(riffle_io.rows(data, dialect="whitespace", skip_blank=False))[1:3] == [[b""], [b""]]
    assert list(riffle_io.rows(data, ["v"], dialect="whitespace", ragged="pad")) == [(b"1",), (b"20",), (b"",)]
    columns = riffle_io.columns(b"n   v\n  a  1\nb 20\n", {"v": "i64"}, dialect="whitespace")
    assert pytest.importorskip("pyarrow").table(columns).to_pydict() == {"v": [1, 20]}
    for wrong in {"separator": ","}, {"quote": '"'}, {"delimiter": "\t"}:
        with pytest.raises((ValueError, riffle_io.RiffleError)):
            list(riffle_io.rows(data, dialect="whitespace", **wrong))


CSV_RULES = [
    ({}, {}),
    ({"escapechar": "\\"}, {"escape": "\\"}),
    ({"doublequote": False}, {"double_quote": False}),
    ({"doublequote": False, "escapechar": "\\"}, {"double_quote": False, "escape": b"\\"}),
    ({"skipinitialspace": True}, {"skip_initial_space": True}),
    ({"quoting": csv.QUOTE_NONE, "escapechar": "^"}, {"quote": None, "escape": "^"}),
]


@pytest.mark.parametrize(("of_csv", "of_riffle"), CSV_RULES)
def test_rows_are_those_of_csv_by_each_rule(of_csv, of_riffle):
    drawn, whole = random.Random(4), 0
    for _ in range(3000):
        text = "".join(drawn.choices('a \\^",\n', k=drawn.randrange(30))) + "z\n"
        # csv takes an input that ends inside quotes, or after an escape.
        expected = [row for row in csv.reader(io.StringIO(text, newline=""), **of_csv) if row]
        try:
            found = list(riffle_io.rows(text.encode(), encoding="utf-8", **of_riffle))
        except riffle_io.RiffleError as error:
            assert "quote is not closed" in str(error) or "escape" in str(error)
            continue
        assert found == expected, text
        whole += 1
    assert whole > 1500


def test_names_that_the_caller_gives():
    data = "a,é\n1,2\n3\n".encode("latin-1")
    how = {"fieldnames": ["é", "b"], "encoding": "latin-1"}
    as_text = io.TextIOWrapper(io.BytesIO(data), encoding="latin-1", newline="")
    assert list(riffle_io.rows(data, **how)) == list(csv.DictReader(as_text, fieldnames=["é", "b"]))
    assert list(riffle_io.rows(data, header=True, **how)) == [{"é": "1", "b": "2"}, {"é": "3", "b": None}]
    assert list(riffle_io.rows(data, fieldnames=["x"])) == [
        {b"x": b"a", None: [b"\xe9"]}, {b"x": b"1", None: [b"2"]}, {b"x": b"3"},
    ]  # fmt: skip
    assert list(riffle_io.rows(b"1,2\n", ["b", 0], fieldnames=["a", "b"])) == [(b"2", b"1")]
