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


def batches(layout="view", string=True):
    return riffle_io.lines(DATA).batches(layout, string=string)


def delimiters(layout):
    return len(LINES) if layout == "terminated" else 0


def test_pyarrow():
    lines = pa.table(batches("terminated", string=False))["line"]
    assert pc.sum(pc.match_substring(lines, b"ERROR")).as_py() == ERRORS
    assert pc.sum(pc.binary_length(lines)).as_py() == len(DATA)
    read = 0
    for batch in pa.RecordBatchReader.from_stream(batches("packed")):
        read += pc.sum(pc.match_substring(batch["line"], "ERROR")).as_py()
    assert read == ERRORS
    views = pa.table(batches("view"))["line"]
    assert pc.sum(pc.match_substring(views.cast(pa.string()), "ERROR")).as_py() == ERRORS


@pytest.mark.parametrize("layout", LAYOUTS)
def test_polars(layout):
    frame = pl.DataFrame(batches(layout))
    assert frame.schema == {"line": pl.String}
    assert frame.select(pl.col("line").str.contains("ERROR", literal=True).sum()).item() == ERRORS
    assert frame.select(pl.col("line").str.len_bytes().sum()).item() == SIZE + delimiters(layout)
    binary = pl.DataFrame(batches(layout, string=False))
    assert binary.schema == {"line": pl.Binary}
    assert binary["line"].bin.contains(b"ERROR").sum() == ERRORS


def test_duckdb_queries_a_variable_that_holds_lines():
    log = riffle_io.lines(DATA, encoding="utf-8")
    assert duckdb.sql("select count(*), sum(strlen(line)) from log").fetchall() == [(len(LINES), SIZE)]
    with pytest.raises(ValueError, match="given away"):
        next(log)
    with pytest.raises(ValueError, match="UTF-8"):
        riffle_io.lines(b"", encoding="latin-1").__arrow_c_schema__()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_duckdb(layout):
    connection = duckdb.connect()
    connection.register("log", batches(layout))
    query = "select count(*), count(*) filter (line like '%ERROR%'), sum(strlen(line)) from log"
    assert connection.sql(query).fetchall()[0] == (len(LINES), ERRORS, SIZE + delimiters(layout))


@pytest.mark.parametrize("layout", LAYOUTS)
def test_pandas(layout):
    frame = pd.DataFrame.from_arrow(batches(layout))
    assert frame["line"].str.contains("ERROR").sum() == ERRORS
    assert frame["line"].str.len().sum() == SIZE + delimiters(layout)


# By tuples: nanoarrow 0.9 crashes if it exports a column of views again, also one of pyarrow's.
@pytest.mark.parametrize("layout", LAYOUTS)
def test_nanoarrow(layout):
    lines = [line for (line,) in na.ArrayStream(batches(layout, string=False)).iter_tuples()]
    assert sum(b"ERROR" in line for line in lines) == ERRORS
    assert sum(map(len, lines)) == SIZE + delimiters(layout)
