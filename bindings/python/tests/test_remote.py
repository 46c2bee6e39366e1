"""Tests the splits of files that URLs name: the same records as those of a local file, in any process."""

import gzip
from itertools import chain

import pytest
import riffle_io
from inputs import Upper
from oracle import content, needs_gzip, records
from range_server import serve

fsspec = pytest.importorskip("fsspec", reason="needs fsspec, as Dask installs it")
pytest.importorskip("aiohttp", reason="needs aiohttp: pip install aiohttp")


def test_a_file_of_fsspec_is_split_by_its_url(memory, tmp_path):
    url = memory(b"one\ntwo\n")
    with serve(b"one\ntwo\n") as (_, http):
        with fsspec.open(http) as file:
            assert [part.path for part in riffle_io.splits(file, 4)] == [http, http]
        with fsspec.filesystem("http", timeout=1234).open(http) as file:
            with pytest.raises(ValueError, match="other options"):
                riffle_io.splits(file)
    assert [part[1:3] for part in riffle_io.splits(fsspec.open(url), 4)] == [(0, 4), (4, 8)]
    (tmp_path / "a").write_bytes(b"one\n")
    assert riffle_io.splits(fsspec.open(f"{tmp_path}/a")) == riffle_io.splits(tmp_path / "a")


def test_other_processes_read_the_splits(pool):
    data = content(repeat=1000)
    with serve(data) as (_, url):
        counts = list(riffle_io.map_splits(riffle_io.count_lines, url, split_size=30_000, map=pool.map))
        assert sum(counts) == data.count(b"\n") and len(counts) == 5
        parts = riffle_io.splits(url, 30_000)
        found = [list(riffle_io.read_split(part)) for part in parts]
        assert [*chain(*found)] == records(data)
        assert riffle_io.number_splits(parts, map=pool.map)[1][1] == len(found[0]) + 1


def test_a_file_that_changed_is_an_error(memory):
    url = memory(b"one\ntwo\n")
    part = riffle_io.splits(url, split_size=4)[1]
    lines = riffle_io.read_split(part)
    memory(b"one\ntwo\nthree\n")
    with pytest.raises(riffle_io.RiffleError, match="its size was 8, and is 14 now"):
        list(lines)
    with pytest.raises(riffle_io.RiffleError, match="its size was 8") as caught:
        riffle_io.read_split(part)
    assert caught.value.filename == url
    memory(b"six\nten\n")
    with pytest.raises(riffle_io.RiffleError, match="its time of modification was"):
        riffle_io.count_lines(part)
    with serve(b"one\n") as (served, http):
        (part,) = riffle_io.splits(http)
        served.tag = "2"
        with pytest.raises(riffle_io.RiffleError, match="its etag was"):
            riffle_io.read_split(part)
        assert list(riffle_io.read_split(part._replace(inode=0))) == [b"one"]


def test_wrong_splits_and_urls(memory):
    (part,) = riffle_io.splits(memory(b"one\n"))
    with pytest.raises(riffle_io.RiffleError, match="are no split of a file of 4 bytes"):
        riffle_io.lines(part._replace(end=5))
    with pytest.raises(FileNotFoundError):
        riffle_io.splits("memory://riffle/none")
    with pytest.raises(ValueError, match="unknownscheme"):
        riffle_io.splits("unknownscheme://a")


@needs_gzip
def test_a_compressed_file_at_a_url_is_one_split(memory):
    url = memory(gzip.compress(b"a,b\n" * 1000))
    (part,) = riffle_io.splits(url, 100)
    assert (part.decode, riffle_io.count_lines(part), len(list(riffle_io.rows(part)))) == ("gzip", 1000, 1000)
    assert len(riffle_io.splits(url, 10, decode="none")) == (part.size + 9) // 10
    assert riffle_io.splits(memory(b"")) == []


def test_a_wrapper_of_a_file_of_fsspec_is_not_split_without_it(memory):
    with fsspec.open(memory(b"one\n")) as file:
        assert len(riffle_io.splits(file)) == 1
        with pytest.raises(riffle_io.RiffleError, match="another process cannot open it"):
            riffle_io.splits(Upper(file))


def test_names_of_local_files_are_paths(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a:b").write_bytes(b"one\n")
    assert [part.path for part in riffle_io.splits("a:b")] == [f"{tmp_path}/a:b"]
