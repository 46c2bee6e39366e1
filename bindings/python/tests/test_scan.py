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
    assert frame.with_row_index("i").select(polars.len()).collect().item() == 2000  # it asks for no column
    assert frame.filter(polars.col("name") == "n1999").select("note").collect().item() == 'a,b\n"c"'
    assert riffle_io.scan_rows(path, header=False).collect().height == 2001
    with pytest.raises(ValueError, match="no column 'x'"):
        riffle_io.scan_rows(path, types={"x": polars.Int64})


def test_scan_rows_takes_what_can_be_read_again(tmp_path):
    path = tmp_path / "file.csv"
    path.write_text(CSV)
    whole = riffle_io.scan_rows(path).collect()
    parts = riffle_io.splits(path, 10_000, dialect="csv")
    for source in (CSV.encode(), bytearray(CSV.encode()), riffle_io.splits(path)[0], parts, [CSV.encode()[:0], path]):
        frame = riffle_io.scan_rows(source)
        assert frame.collect().equals(whole) and frame.collect().equals(whole)
    assert riffle_io.scan_rows([path, CSV.encode()]).collect().height == 2 * whole.height
    assert riffle_io.scan_rows(parts[2]).collect().equals(polars.DataFrame(riffle_io.columns(parts[2], dict.fromkeys(whole.columns, "str"))))
    for source in io.BytesIO(CSV.encode()), 0:
        with pytest.raises(TypeError, match="what can be read again, a path, a URL, a Split or bytes, not"):
            riffle_io.scan_rows(source)


@pytest.mark.parametrize(
    ("kind", "texts", "wrong"),
    [
        (polars.Boolean, {"true": True, "False": False, "": None}, "yes"),
        (polars.Enum(["x"]), {"x": "x"}, "y"),
        (polars.Int128, {"-7": -7, "": None}, "7.5"),
    ],
)  # fmt: skip
def test_scan_rows_makes_types_and_says_which_field_is_none(kind, texts, wrong, tmp_path):
    path = tmp_path / "file.csv"
    rows = "".join(f'"{text}",b\n' for text in texts)
    path.write_text("a,b\n" + rows)
    assert riffle_io.scan_rows(path, types={"a": kind}).collect()["a"].to_list() == [*texts.values()]
    path.write_text("a,b\n" + rows + f'NA,b\n"{wrong}",b\n')
    place = f"cannot read '{path}'.*: column 'a' of row {len(texts) + 2} is no .*: '{wrong}'"
    with pytest.raises((riffle_io.RiffleError, polars.exceptions.ComputeError), match=place) as raised:
        riffle_io.scan_rows(path, types={"a": kind}, null=["NA"]).collect()
    assert "::" not in str(raised.value)
    quoted = riffle_io.scan_rows(b'a\n"NA"\nNA\n', null=["NA"], quoted_null=False).collect()
    assert quoted["a"].to_list() == ["NA", None]
    later = [part for part in riffle_io.splits(path, 1, dialect="csv") if part.begin < part.end][-1]
    with pytest.raises((riffle_io.RiffleError, polars.exceptions.ComputeError), match=f"byte {later.begin}"):
        riffle_io.scan_rows(later, types={"a": kind}).collect()


def test_the_columns_of_each_file_are_found_by_their_names(tmp_path):
    texts = {"a": "x,y\n1,2\n", "b": "y,z,x\n" + "2,3,1\n" * 9, "c": "", "d": "x\n1\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)
    sources = [tmp_path / "c", tmp_path / "a", tmp_path / "b", texts["b"].encode(), *riffle_io.splits(tmp_path / "b", 20, dialect="csv")]
    assert set(riffle_io.scan_rows(sources).collect().rows()) == {("1", "2")}
    assert riffle_io.scan_rows(sources).collect().height == 28
    memory = memoryview(b"x,y\n1,2\ny,x\n2,1\n")
    assert riffle_io.scan_rows([memory[:8], memory[8:]]).collect().rows() == [("1", "2")] * 2
    with pytest.raises(riffle_io.RiffleError, match="/d': no column 'y'; the columns are 'x'"):
        riffle_io.scan_rows([tmp_path / "a", tmp_path / "d"])


def test_a_name_that_occurs_again_is_replaced():
    for header, names in {b"a,,a,,a": ["a", "", "f2", "f3", "f4"], b"a,a,f1,f1_,f1": ["a", "f1__", "f1", "f1_", "f4"]}.items():
        assert riffle_io.scan_rows(header + b"\n1,2,3,4,5\n").collect().to_dicts() == [dict(zip(names, "12345"))]
        columns = riffle_io.columns(header + b"\n1,2,3,4,5\n", dict.fromkeys(range(5), "str"), header=True)
        assert polars.DataFrame(columns).to_dicts() == [dict(zip(names, "12345"))]


def test_a_keyword_that_rows_lack_is_named():
    for call in (riffle_io.scan_rows, riffle_io.splits):
        with pytest.raises(TypeError, match="^unexpected keyword argument 'sep'; those of rows are separator, delimiter, .*max_length$"):
            call("path", dialect="csv", sep=";")


def test_a_reader_of_pyarrow_is_a_source_of_its_scanner():
    pyarrow = pytest.importorskip("pyarrow")
    dataset = pytest.importorskip("pyarrow.dataset")
    lines = riffle_io.lines(content(repeat=1000)).batches("packed")
    reader = pyarrow.RecordBatchReader.from_stream(lines)
    scanner = dataset.Scanner.from_batches(reader, filter=dataset.field("line") == b"plain")
    assert scanner.count_rows() == 1000
