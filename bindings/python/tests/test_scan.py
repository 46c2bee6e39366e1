"""Tests the LazyFrames of polars: the rows of the input, and that polars asks for no more than it needs."""

import csv
import io

import pytest
import riffle_io
from oracle import content, records

polars = pytest.importorskip("polars", reason="needs polars, as requirements.txt installs it")

HEADER = 'name,"a ""price""\nwith newline",note\n'
CSV = HEADER + "".join(f'"n{number}",{number}.5,"a,b\n""c"""\n' for number in range(2000))


def test_scan_lines_gives_the_lines(write):
    path = write(content(repeat=2000))
    frame = riffle_io.scan_lines(path)
    assert isinstance(frame, polars.LazyFrame)
    for _ in range(2):
        assert frame.collect()["line"].to_list() == records(content(repeat=2000))
    assert riffle_io.scan_lines(path, keep_delimiter=True).collect()["line"].to_list() == records(content(repeat=2000), keep=True)
    assert riffle_io.scan_lines(path, b";").collect(engine="streaming").height == len(records(content(repeat=2000), b";"))
    assert frame.select(polars.len()).collect().item() == len(records(content(repeat=2000)))


def test_scan_lines_of_text_filters_and_projects(tmp_path):
    path = tmp_path / "file"
    path.write_text("".join(f"ä {number}\n" for number in range(100_000)))
    frame = riffle_io.scan_lines(path, encoding="utf-8")
    assert frame.collect_schema() == {"line": polars.String}
    found = frame.filter(polars.col("line").str.ends_with("999")).head(3).collect()
    assert found["line"].to_list() == ["ä 999", "ä 1999", "ä 2999"]
    assert frame.with_row_index().filter(polars.col("index") == 99_999).collect()["line"].item() == "ä 99999"
    assert frame.head(5).tail(1).collect()["line"].item() == "ä 4"
    assert riffle_io.scan_lines(b"").collect().height == 0


def test_scan_lines_reads_no_more_than_head_needs():
    class Endless:
        asked = 0

        def read(self, size):
            Endless.asked += 1
            return b"line\n" * (size // 5)

    assert riffle_io.scan_lines(Endless()).head(10).collect().height == 10
    assert Endless.asked < 100


def test_scan_lines_errors(tmp_path):
    with pytest.raises(Exception, match="cannot open"):
        riffle_io.scan_lines(tmp_path / "none").collect()
    with pytest.raises(Exception, match="not UTF-8"):
        riffle_io.scan_lines(b"\xff\n", encoding="utf-8").collect()


def test_scan_rows_gives_the_rows_of_csv(tmp_path, monkeypatch):
    path = tmp_path / "file.csv"
    path.write_text(CSV)
    header, *rows = csv.reader(io.StringIO(CSV))
    whole = riffle_io.splits
    monkeypatch.setattr(riffle_io, "splits", lambda path, split_size, **how: whole(path, 1000, **how))
    frame = riffle_io.scan_rows(path)
    assert frame.collect().columns == header
    assert [list(row) for row in frame.collect().rows()] == rows
    price = riffle_io.scan_rows(path, types={header[1]: polars.Float64}).select(polars.col(header[1]).sum())
    assert price.collect().item() == sum(number + 0.5 for number in range(2000))
    assert frame.head(3).collect().height == 3
    assert frame.filter(polars.col("name") == "n1999").select("note").collect().item() == 'a,b\n"c"'
    assert riffle_io.scan_rows(path, header=False).collect().height == 2001
    with pytest.raises(ValueError, match="no column 'x'"):
        riffle_io.scan_rows(path, types={"x": polars.Int64})


def test_polars_is_imported_when_a_frame_is_made_only(run):
    code = """
import sys, riffle_io
print("polars" in sys.modules)
sys.modules["polars"] = None
try:
    riffle_io.scan_lines(b"")
except ImportError as error:
    print(error)
"""
    assert run(code) == "False\npolars is not installed; pip install polars\n"


def test_a_reader_of_pyarrow_is_a_source_of_its_scanner():
    pyarrow = pytest.importorskip("pyarrow")
    dataset = pytest.importorskip("pyarrow.dataset")
    lines = riffle_io.lines(content(repeat=1000)).batches("packed")
    reader = pyarrow.RecordBatchReader.from_stream(lines)
    scanner = dataset.Scanner.from_batches(reader, filter=dataset.field("line") == b"plain")
    assert scanner.count_rows() == 1000
