"""Tests that what a Python programmer tries first with far files, engines, lazy frames and notebooks works."""

import pytest
import riffle_io
from range_server import serve

fsspec = pytest.importorskip("fsspec", reason="needs fsspec, as Dask installs it")

LINES = [b"%d of the lines" % number for number in range(3000)]
DATA = b"\n".join(LINES) + b"\n"
CSV = b'name,price\n"a\nb",1.5\nc,2.5\n'


@pytest.fixture
def url():
    pytest.importorskip("aiohttp", reason="needs aiohttp: pip install aiohttp")
    with serve(DATA, delay=0.02) as (_, url):
        yield url


def test_lines_of_a_file_of_fsspec(url):
    with fsspec.open(url) as file:
        assert list(riffle_io.lines(file)) == LINES


def test_lines_of_a_file_of_obstore():
    obstore = pytest.importorskip("obstore", reason="needs obstore: pip install obstore")
    from obstore.store import MemoryStore

    store = MemoryStore()
    obstore.put(store, "key", DATA)
    assert list(riffle_io.lines(obstore.open_reader(store, "key"))) == LINES


def test_lines_of_an_object_with_read_ranges():
    class Store:
        size = len(DATA)

        def read_ranges(self, starts, ends):
            return [DATA[start:end] for start, end in zip(starts, ends)]

    assert list(riffle_io.lines(Store())) == LINES


def test_lines_of_an_object_with_readinto_and_seek():
    import io

    class Object:
        def __init__(self):
            self.file = io.BytesIO(DATA)
            self.readinto, self.seek = self.file.readinto, self.file.seek

    assert list(riffle_io.lines(Object())) == LINES


def test_splits_of_a_url(url):
    parts = riffle_io.splits(url, split_size=10_000)
    assert len(parts) > 3
    assert [line for part in parts for line in riffle_io.read_split(part)] == LINES


def test_splits_of_rows_of_a_url():
    fsspec.filesystem("memory").pipe_file("/tried/rows.csv", CSV)
    parts = riffle_io.splits("memory://tried/rows.csv", 12, dialect="csv")
    assert [bytes(riffle_io.values(part, "u1")) for part in parts] == [CSV[:21], CSV[21:], b""]


def test_number_splits_refuses_a_map_that_returns_fewer_results(tmp_path):
    (tmp_path / "a").write_bytes(DATA)
    parts = riffle_io.splits(tmp_path / "a", 10_000)
    with pytest.raises(ValueError, match="shorter"):
        riffle_io.number_splits(parts, map=lambda f, parts: [f(part) for part in parts][:-1])


def test_scan_lines_is_a_lazy_frame(tmp_path):
    polars = pytest.importorskip("polars", reason="needs polars")
    (tmp_path / "a").write_bytes(DATA)
    frame = riffle_io.scan_lines(tmp_path / "a")
    assert isinstance(frame, polars.LazyFrame) and frame.head(2).collect()["line"].to_list() == LINES[:2]


def test_scan_rows_is_a_lazy_frame(tmp_path):
    polars = pytest.importorskip("polars", reason="needs polars")
    (tmp_path / "a").write_bytes(CSV)
    frame = riffle_io.scan_rows(tmp_path / "a", types={"price": polars.Float64})
    assert frame.collect().rows() == [("a\nb", 1.5), ("c", 2.5)]


def test_a_url_without_fsspec_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "fsspec", None)
    monkeypatch.setitem(__import__("sys").modules, "fsspec.core", None)
    with pytest.raises(ImportError, match="pip install fsspec"):
        riffle_io.splits("s3://bucket/key")


def test_bench_without_the_tool_says_so(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="install the tool riffle"):
        riffle_io.bench("file")
