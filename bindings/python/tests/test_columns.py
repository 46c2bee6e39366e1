"""Tests columns against csv and float, through pyarrow, polars and pandas."""

import csv
import datetime
import gc
import io
import random
import sys
import warnings
from decimal import Decimal

import pytest
import riffle_io
from conftest import piped, threads_now

pyarrow = pytest.importorskip("pyarrow", reason="columns are read by a library of Arrow")

TABLE = b'id,name,price\n1,"nut, small",2.5\n2,,\n\n3,"""x""",-1e3\n'


def column(source, types=None, **keywords):
    return pyarrow.table(riffle_io.columns(source, types, **keywords)).to_pydict()


@pytest.mark.parametrize("threads", [0, 1, 2])
def test_columns_by_name_and_index(threads):
    wanted = {"price": "f64", "name": "str", 0: "i64"}
    expected = {"price": [2.5, None, -1000.0], "name": ["nut, small", "", '"x"'], "id": [1, 2, 3]}
    assert column(TABLE, wanted, threads=threads) == expected
    found = column(b"7;x\n", {1: "bytes", 0: "u8"}, separator=";", threads=threads)
    assert found == {"f1": [b"x"], "f0": [7]}
    assert column(b"a\n", {"a": "f64"}, threads=threads) == {"a": []}


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("types", "more", "expected"),
    [
        (None, {}, {"id": ["1", "2", "3"], "name": ["nut, small", "", '"x"'], "price": ["2.5", "", "-1e3"]}),
        ({"price": "f64", 0: "u8"}, {"others": "string"}, {"id": [1, 2, 3], "name": ["nut, small", "", '"x"'], "price": [2.5, None, -1000]}),
        ({0: "u8"}, {"others": "decimal(9, 1)", "bad_rows": "skip"}, None),
        ({}, {"others": bytes, "header": True}, {"id": [b"1", b"2", b"3"], "name": [b"nut, small", b"", b'"x"'], "price": [b"2.5", b"", b"-1e3"]}),
    ],
)
def test_the_header_names_the_columns_that_are_not_asked_for(types, more, expected, threads):
    if expected is None:
        with pytest.warns(UserWarning, match=r"2 rows: 2 with a bad value \(rows 1, 3\)"):
            assert column(TABLE, types, threads=threads, **more) == {"id": [2], "name": [None], "price": [None]}
    else:
        found = column(TABLE, types, threads=threads, **more)
        assert found == expected and list(found) == list(expected)
    assert column(b"", threads=threads) == column(b"", others="u8", threads=threads) == {}
    assert column(b"a,,a,\xff\n1,2,3,4\n", threads=threads) == {"a": ["1"], "": ["2"], "f2": ["3"], "f3": ["4"]}


@pytest.fixture
def large(tmp_path):
    """A table of some parts, with quoted newlines, and its rows by csv."""
    draw, text = random.Random(1), io.StringIO(newline="")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["id", "text", "number"])
    for number in range(200_000):
        note = draw.choice(["plain", "é\n,", 'a "b"\n' * 8, "", "x" * draw.randrange(200)])
        writer.writerow([number, note, "" if number % 7 == 0 else draw.randrange(10**6) / 8])
    path = tmp_path / "large.csv"
    path.write_bytes(text.getvalue().encode())
    assert path.stat().st_size > 9 << 20
    return path


@pytest.mark.parametrize("method", ["automatic", "read", "mmap"])
def test_threads_give_the_rows_of_one_in_order(large, method):
    rows = list(csv.DictReader(large.open(newline="", encoding="utf-8")))
    expected = {
        "id": [int(row["id"]) for row in rows],
        "text": [row["text"] for row in rows],
        "number": [float(row["number"]) if row["number"] else None for row in rows],
    }
    types = {"id": "i64", "text": "str", "number": "f64"}
    for threads in (1, 2, 5):
        assert column(large, types, threads=threads, method=method) == expected
    assert column(large.read_bytes(), types, threads=3) == expected
    assert column(large.open("rb"), types, threads=3) == expected
    with piped(large.read_bytes()) as pipe:
        assert column(pipe, types, threads=3) == expected


def test_pandas_takes_columns(large):
    pandas = pytest.importorskip("pandas", reason="one of the consumers")
    frame = pandas.DataFrame.from_arrow(riffle_io.columns(large, {"number": "f64"}))
    assert frame["number"].sum() == sum(number or 0 for number in column(large, {"number": "f64"})["number"])


def integers(bits):
    ends = -(2 ** (bits - 1)), 2 ** (bits - 1) - 1, 2**bits - 1
    return {
        f"i{bits}": ({str(end): end for end in ends[:2]}, [str(ends[0] - 1), str(ends[1] + 1), "1.5", "x"]),
        f"u{bits}": ({"0": 0, str(ends[2]): ends[2]}, [str(ends[2] + 1), "-1", "1e3", " "]),
    }


def times(size):
    """The texts of times and their ticks of so many nanoseconds, which are rounded down."""
    second = 10**9
    texts = {
        "2024-02-29": 1709164800 * second, "2024-02-29 24:00": 1709251200 * second, "2024-02-29T23:59:60Z": 1709251200 * second,
        "1969-12-31t23:59:59.999999999z": -1, "1970-01-01T00:00:00,5+02:30": second // 2 - 9000 * second, "1970-01-01T01:00-0100": 7200 * second,
    }  # fmt: skip
    return {text: time // size for text, time in texts.items()}


NO_TIMES = ["x", "2023-02-29", "24-02-01", "2024-02-29T25:00", "2024-02-29T12", "2024-02-29T12:00+24", "2024-02-29T12:00 UTC"]
NUMBERS = {"1.5": 1.5, "-1e2": -100, "+.25": 0.25}
DECIMALS = "99999999.99", "-99999999.99", "-.5", "+1.", "1.5000", "25e-2", "12.3E+2", "1e00005", "5E-%02000d" % 1, "0e9999", "-0e-1000000", "0.00E+1000000", "-0"
VALUES = {  # of each type: texts and their values, of times the ticks, and texts that are none
    "f64": (NUMBERS | {"1.7976931348623157e308": sys.float_info.max, "5e-324": 5e-324}, ["x", "1,5", "0x1"]),
    "f32": (NUMBERS | {"3.4028235e38": 3.4028234663852886e38}, ["x", "1e39"]),
    **integers(8), **integers(16), **integers(32), **integers(64),
    "bool": ({"true": True, "TRUE": True, "1": True, "False": False, "0": False}, ["yes", "2", "tRUE"]),
    "str": ({"é": "é", "NA": "NA"}, ["\udcff"]),
    "bytes": ({"é": "é".encode(), "\udcff": b"\xff"}, []),
    "date": (times(86400 * 10**9) | {"0000-01-01": -719528, "9999-12-31": 2932896}, NO_TIMES),
    "timestamp[s]": (times(10**9) | {"0000-01-01": -62167219200, "9999-12-31T23:59:59.999999999": 253402300799}, NO_TIMES),
    "timestamp[ms, UTC]": (times(10**6) | {"9999-12-31T23:59:59.9999": 253402300799999}, NO_TIMES),
    "timestamp[us, Europe/Oslo]": (times(10**3) | {"0000-01-01": -62167219200 * 10**6}, NO_TIMES),
    "timestamp[ns]": (times(1) | {"2262-04-11T23:47:16.854775807": 2**63 - 1, "1677-09-21T00:12:43.145224192": -(2**63)},
                      ["2262-04-11T23:47:16.854775808", "1677-09-21T00:12:43.145224191", *NO_TIMES]),
    "decimal(10, 2)": ({text: Decimal(text) for text in DECIMALS},
                       ["1.005", "100000000", "1e8", "1e-3", "x", ".", "-", "1e", "nan", "1.5.", "1_0", " 1", "1e99999", f"1e{2**64 + 5}", "0e1000000x"]),
    "decimal(38, 38)": ({text: Decimal(text) for text in ("0." + "9" * 38, "-1e-38")}, ["1", "0." + "9" * 39, "1e-39"]),
    "decimal(38)": ({"9" * 38: Decimal("9" * 38), "1" + "0" * 37 + "." + "0" * 50: Decimal(10**37)}, ["1" + "0" * 38, "9" * 60, "0.5"]),
}  # fmt: skip


@pytest.mark.parametrize("kind", VALUES)
def test_the_values_of_each_type(kind, write):
    def values_of(source, **keywords):
        found = pyarrow.table(riffle_io.columns(source, {"a": kind}, null=["null"], separator=";", **keywords))["a"]
        found.validate(full=True)
        ticks = {"timesta": "int64", "date": "int32"}.get(kind[:7])
        return (found.cast(ticks) if ticks else found).to_pylist()

    texts, wrong = VALUES[kind]
    rows = [row for text in texts for row in (text, f'"{text}"', "null")]
    expected = [row for value in texts.values() for row in (value, value, None)]
    path = write("\n".join(["a", *rows, ""]).encode("utf-8", "surrogateescape"))
    for size, threads in ((0, 1), (0, 2), (1, 1), (7, 2), (64, 1)):
        assert values_of(path, block_size=size, method="read", threads=threads) == expected
    for size in (1, 9, 100):
        parts = [part for part in riffle_io.splits(path, size, dialect="csv", separator=";") if part.begin < part.end]
        assert [value for part in parts for value in values_of(part)] == expected
    assert values_of(b"a\n" + b"null\n" * 21) == [None] * 21
    assert values_of(b"a\n") == []
    assert values_of(b'a\n""\n') == [{"str": "", "bytes": b""}.get(kind)]
    for text in wrong:
        path = write(f'b;a\n1;null\n2;"{text}"\n'.encode("utf-8", "surrogateescape"))
        with pytest.raises(OSError, match=f"'{path}' at byte 13: column 'a' of row 2 is "):
            values_of(path)


@pytest.mark.parametrize("reader", ["pyarrow", "duckdb"])
def test_columns_are_those_of_other_readers(reader, write):
    draw = random.Random(80)
    kinds = {"i64": "BIGINT", "f64": "DOUBLE", "bool": "BOOLEAN", "date": "DATE", "timestamp[us]": "TIMESTAMP", "decimal(18, 3)": "DECIMAL(18, 3)"}

    def row():
        time = datetime.datetime.min + datetime.timedelta(microseconds=draw.randrange(3 * 10**17))
        number = draw.randrange(-(10**15), 10**15)
        return number, repr(number * 1e-9), draw.choice(["true", "false"]), time.date(), time, Decimal(number) / 1000

    names = [f"c{index}" for index in range(len(kinds))]
    rows = [["" if draw.random() < 0.1 else str(each) for each in row()] for _ in range(5000)]
    path = write("".join(",".join(each) + "\n" for each in [names, *rows]).encode())
    found = pyarrow.table(riffle_io.columns(path, dict(zip(names, kinds))))
    if reader == "pyarrow":
        csv_of_arrow = pytest.importorskip("pyarrow.csv")
        types = dict(zip(names, found.schema.types))
        same = csv_of_arrow.read_csv(path, convert_options=csv_of_arrow.ConvertOptions(column_types=types))
    else:
        duckdb = pytest.importorskip("duckdb", reason="an oracle")
        same = duckdb.read_csv(str(path), header=True, columns=dict(zip(names, kinds.values()))).to_arrow_table()
    assert found.to_pydict() == same.to_pydict()


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("'float64'", "f64"), ("'int8'", "i8"), ("numpy.int64", "i64"), ("numpy.dtype('<u2')", "u16"), ("numpy.float32", "f32"),
        ("pyarrow.float32()", "f32"), ("pyarrow.float64()", "f64"), ("pyarrow.uint8()", "u8"), ("pyarrow.string()", "str"),
        ("pyarrow.timestamp('s')", "timestamp[s]"), ("pyarrow.timestamp('ns', 'UTC')", "timestamp[ns, UTC]"),
        ("pyarrow.date32()", "date"), ("pyarrow.decimal128(38, 9)", "decimal(38, 9)"), ("pyarrow.bool_()", "bool"),
        ("numpy.dtype('M8[ms]')", "timestamp[ms]"), ("polars.Datetime", "timestamp[us]"), ("polars.Date", "date"),
        ("polars.Datetime('ms', 'Europe/Oslo')", "timestamp[ms, Europe/Oslo]"), ("polars.Decimal(5, 1)", "decimal(5, 1)"),
        ("polars.Boolean", "bool"), ("datetime.date", "date"), ("datetime.datetime", "timestamp[us]"), ("'decimal(5)'", "decimal(5, 0)"),
        ("pyarrow.binary()", "bytes"), ("polars.Int32", "i32"), ("polars.Float64()", "f64"), ("polars.String", "str"),
        ("str", "str"), ("bytes", "bytes"),
    ],
)  # fmt: skip
def test_a_type_may_be_that_of_another_library(given, name):
    library, dot, _ = given.partition(".")
    kind = eval(given, {library: pytest.importorskip(library)} if dot else {})
    same, found = (pyarrow.table(riffle_io.columns(b"a\n", {"a": each})) for each in (name, kind))
    assert same.schema == found.schema


@pytest.mark.parametrize("threads", [1, 2])
def test_null_texts_are_null_in_every_column(threads):
    data, how = b'n,t\n1,x\nNA,"NA"\n,\n-9,-\n2\n', {"threads": threads, "ragged": "pad"}
    found = column(data, {"n": "i8", "t": "str"}, null=["NA", b"-9"], **how)
    assert found == {"n": [1, None, None, None, 2], "t": ["x", None, "", "-", ""]}
    assert column(data, {"t": "bytes"}, null=[""], **how) == {"t": [b"x", b"NA", None, b"-", None]}
    assert column(data, {"t": "str"}, null=["NA", ""], quoted_null=False, **how) == {"t": ["x", "NA", None, "-", None]}
    with pytest.raises(TypeError):
        riffle_io.columns(data, {"t": "bytes"}, null="NA")
    with pytest.raises(OSError, match="no i8: 'NA'; if it stands for no value"):
        column(data, {"n": "i8"}, threads=threads)


BAD = {
    "with the wrong number of fields": b"1\n",
    "with a bad value": b"1,x,y\n2,\xff,3\n1,2,\xff\n",
    "with a value out of range": b"1,2,99999\n",
}


@pytest.mark.parametrize("place", ["first", "among", "last", "all"])
def test_bad_rows_are_left_out_of_all_columns(place, write):
    draw, rows, bad = random.Random(2), [], [(kind, row) for kind, rows in BAD.items() for row in rows.splitlines()]
    for number in range(0 if place == "all" else 300_000):
        rows.append((None, b'%d,"%s",%d' % (number, b"\n," * draw.randrange(9), number % 100)))
    if place == "among":
        rows = [draw.choice(bad) if draw.random() < 0.1 else row for row in rows]
    else:
        rows = bad * 9 + rows if place in ("first", "all") else rows + bad * 9
    path = write(b"id,text,small\n" + b"".join(row + b"\n" for _, row in rows))
    good = [next(csv.reader(io.StringIO(row.decode(), newline=""))) for kind, row in rows if not kind]
    expected = {"id": [int(row[0]) for row in good], "text": [row[1] for row in good], "small": [int(row[2]) for row in good]}
    kinds = [kind for kind, _ in rows if kind]
    numbers = [number for number, (kind, _) in enumerate(rows, 1) if kind]
    message = f"skipped {len(kinds)} rows: " + ", ".join(f"{kinds.count(kind)} {kind}" for kind in BAD)
    message += f" (the first are rows {str(numbers[:5])[1:-1]})"
    types, how = {"id": "i64", "text": "str", "small": "i8"}, {"ragged": "fail", "bad_rows": "skip", "method": "read"}
    for threads, size in ((1, 0), (1, 4096), (2, 0), (5, 65536)):
        with pytest.warns(UserWarning) as warned:
            assert column(path, types, threads=threads, block_size=size, **how) == expected
        assert [str(each.message) for each in warned] == [f"cannot read all rows of '{path}': {message}"]


@pytest.mark.parametrize("threads", [1, 2])
def test_bad_quoting_is_not_skipped(threads, write):
    how = {"threads": threads, "bad_rows": "skip"}
    with pytest.raises(OSError, match="a quote is not closed"):
        column(write(b'a\nx\n"1\n'), {"a": "i8"}, **how)
    with pytest.raises(OSError, match="skipped 1 row"), warnings.catch_warnings(action="error"):
        column(write(b"a\nx\n"), {"a": "i8"}, **how)
    with pytest.raises(ValueError, match="bad_rows must be"):
        riffle_io.columns(b"", {0: "i8"}, bad_rows="all")


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("data", "kind", "message", "offset"),
    [
        (b"a,b\n1,2\n1,999\n", "u8", "column 'b' of row 2 is out of range of u8: '999'", 10),
        (b"a,b\n1,2\n1\n", "f64", "row 2 has 1 field, and no column 'b'", 8),
        (b'a,b\n1,2\n1,"x\n', "str", "a quote is not closed", 10),
    ],
)
def test_errors_name_the_file_the_offset_and_the_column(data, kind, message, offset, threads, write):
    path = write(data)
    with pytest.raises(OSError, match=message) as raised:
        column(path, {"b": kind}, threads=threads)
    assert f"'{path}' at byte {offset}" in str(raised.value)


@pytest.mark.parametrize(
    ("end", "message", "whole"), [(b'"1,2\n', "a quote is not closed", True), (b"1,2,x\n", "is no number", False)]
)
def test_the_rows_before_a_failure_are_the_same_for_each_number_of_threads(large, end, message, whole):
    rows_of_file = sum(1 for _ in csv.DictReader(large.open(newline="", encoding="utf-8")))
    with large.open("ab") as file:
        file.write(end)
    given = set()
    for threads in (1, 2, 5):
        reader = pyarrow.RecordBatchReader.from_stream(riffle_io.columns(large, {"number": "f64"}, threads=threads))
        rows = 0
        with pytest.raises(OSError, match=message):
            for batch in reader:
                rows += len(batch)
        with pytest.raises(OSError, match=message):
            reader.read_next_batch()
        given.add(rows)
    (rows,) = given
    assert rows == rows_of_file if whole else 0 < rows < rows_of_file


def test_a_column_whose_name_is_no_text_is_found_by_its_index():
    columns = riffle_io.columns("a,é\n1,2\n".encode("latin-1"), {1: "i64", 0: "i64"}, header=True)
    assert pyarrow.table(columns).to_pydict() == {"f1": [2], "a": [1]}


def test_columns_are_given_once():
    columns = riffle_io.columns(TABLE, {"id": "i64"})
    assert pyarrow.schema(columns) == pyarrow.schema([("id", pyarrow.int64())])
    pyarrow.table(columns)
    with pytest.raises(ValueError, match="given away, or are closed"):
        pyarrow.table(columns)
    with riffle_io.columns(TABLE, {"id": "i64"}) as closed:
        pass
    with pytest.raises(ValueError, match="given away, or are closed"):
        pyarrow.table(closed)


def test_columns_that_nobody_reads_end_their_threads(large):
    before = threads_now()
    for _ in range(5):
        riffle_io.columns(large, {"id": "i64"}, threads=3)
        next(iter(pyarrow.RecordBatchReader.from_stream(riffle_io.columns(large, {"id": "i64"}, threads=3))))
    gc.collect()
    assert threads_now() <= before + 2  # pyarrow may have started its own


def test_memory_is_bounded(large, run):
    script = """
import sys, time, riffle_io
held = riffle_io.columns(sys.argv[1], {"text": "bytes"}, threads=2)
time.sleep(1)
with open("/proc/self/status") as status:
    print(next(int(line.split()[1]) for line in status if line.startswith("VmHWM")))
"""
    with large.open("ab") as file:
        for _ in range(20):
            file.write(large.read_bytes().partition(b"\n")[2] if file.tell() < 200 << 20 else b"")
    assert large.stat().st_size > 150 << 20
    assert int(run(script, large)) < 120 << 10
