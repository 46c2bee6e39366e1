"""Each library of data frames reads the columns through the Arrow interfaces, and computes on them."""

import duckdb
import nanoarrow as na
import oracle
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc
import pytest

import riffle_io

DATA = b"".join(b"%d: %s\n" % (i, b"ERROR disk" if i % 10 == 3 else b"fine") for i in range(100_000))
LINES = oracle.records(DATA)
ERRORS = sum(b"ERROR" in line for line in LINES)
SIZE = sum(map(len, LINES))
LAYOUTS = ["view", "terminated", "packed"]


def by_pyarrow(batches):
    lines = pa.table(batches)["line"].cast(pa.string())
    return pc.sum(pc.match_substring(lines, "ERROR")).as_py(), pc.sum(pc.binary_length(lines)).as_py()


def by_pyarrow_in_turn(batches):
    found = [by_pyarrow(pa.record_batch(batch)) for batch in pa.RecordBatchReader.from_stream(batches)]
    return tuple(map(sum, zip(*found)))


def by_polars(batches):
    lines = pl.DataFrame(batches)["line"].str
    return lines.contains("ERROR", literal=True).sum(), lines.len_bytes().sum()


def by_duckdb(batches):
    connection = duckdb.connect()
    connection.register("log", batches)
    return connection.sql("select count(*) filter (line like '%ERROR%'), sum(strlen(line)) from log").fetchall()[0]


def by_pandas(batches):
    lines = pd.DataFrame.from_arrow(batches)["line"].str
    return lines.contains("ERROR").sum(), lines.len().sum()


def by_nanoarrow(batches):  # by tuples: 0.9 crashes if it exports a column of views again, also one of pyarrow's
    lines = [line for (line,) in na.ArrayStream(batches).iter_tuples()]
    return sum("ERROR" in line for line in lines), sum(map(len, lines))


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(
    "consumer", [by_pyarrow, by_pyarrow_in_turn, by_polars, by_duckdb, by_pandas, by_nanoarrow]
)
def test_a_consumer_computes_on_the_lines(consumer, layout):
    size = SIZE + (len(LINES) if layout == "terminated" else 0)
    assert consumer(riffle_io.lines(DATA).batches(layout, string=True)) == (ERRORS, size)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_polars_has_bytes_as_binary(layout):
    frame = pl.DataFrame(riffle_io.lines(DATA).batches(layout))
    assert frame.schema == {"line": pl.Binary}
    assert frame["line"].bin.contains(b"ERROR").sum() == ERRORS


def test_duckdb_queries_a_variable_that_holds_lines():
    log = riffle_io.lines(DATA, encoding="utf-8")
    assert duckdb.sql("select count(*), sum(strlen(line)) from log").fetchall() == [(len(LINES), SIZE)]
    with pytest.raises(ValueError, match="given away"):
        next(log)


@pytest.mark.parametrize("layout", ["view", "packed", "terminated"])
def test_batches_of_several_files(logs, layout):
    table = pa.table(riffle_io.lines(["b1.log", "b2.log", "b1.log"]).batches(layout))
    assert [line.rstrip(b"\n") for line in table["line"].to_pylist()] == [b"x", b"y", b"x", b"y"]
    with pytest.raises(OSError, match="'missing'"):
        pa.table(riffle_io.lines(["a", "missing"]))


def test_close_leaves_given_batches_open(logs):
    with riffle_io.lines("a") as lines:
        batches = lines.batches("packed")
    assert pa.table(batches)["line"].to_pylist() == [b"1", b"22", b"333"]


def test_the_schema_stays_after_batches(logs):
    for layout in "view", "packed":
        lines = riffle_io.lines("a", encoding="utf-8")
        before = pa.schema(lines)
        batches = lines.batches(layout)
        assert pa.schema(lines) == before == pa.schema([("line", pa.string())])
        list(batches)
        lines.close()
        assert pa.schema(lines) == before


def test_column_that_people_can_use_at_once_is_the_default(logs):
    lines = pa.table(riffle_io.lines("a"))["line"]
    assert (lines.type, pc.sum(pc.binary_length(lines)).as_py()) == (pa.binary(), 6)
    assert pc.starts_with(lines, b"2").to_pylist() == [False, True, False]
    text = pa.table(riffle_io.lines("a", encoding="utf-8"))["line"]
    assert (text.type, pc.sum(pc.utf8_length(text)).as_py()) == (pa.string(), 6)
    assert pa.table(riffle_io.lines("a").batches()) == pa.table(riffle_io.lines("a"))


@pytest.mark.parametrize("encoding", [None, "utf-8"])
@pytest.mark.parametrize("wanted", ["string", "binary", "string_view", "binary_view", "large_string", "large_binary"])
def test_requested_schema(wanted, encoding):
    schema = pa.schema([("line", getattr(pa, wanted)())])
    table = pa.table(riffle_io.lines("ü\n".encode(), encoding=encoding), schema=schema)
    table.validate(full=True)
    assert (table.schema, len(table)) == (schema, 1)
    reader = pa.RecordBatchReader._import_from_c_capsule(
        riffle_io.lines(b"a\n", encoding=encoding).__arrow_c_stream__(schema.__arrow_c_schema__())
    )
    given = str(reader.schema.field("line").type)
    assert given == ({None: "binary", "utf-8": "string"}[encoding] if wanted.startswith("large") else wanted)


def test_requested_schema_of_two_columns():
    two = pa.schema([("a", pa.string()), ("b", pa.string())])
    assert riffle_io.lines(b"").__arrow_c_stream__(two.__arrow_c_schema__()) is not None
