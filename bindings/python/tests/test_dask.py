"""Tests riffle_io.dask on two worker processes: see engine_suite.py."""

from types import SimpleNamespace

import pytest
from engine_suite import *  # noqa: F403
from engine_suite import CSV, PRICE, bgzf, content, records
from oracle import decodes

import riffle_io

distributed = pytest.importorskip("distributed", reason="needs Dask, as requirements.txt installs it")
pytest.importorskip("dask.dataframe", reason="needs pandas and pyarrow")

import riffle_io.dask


@pytest.fixture(scope="module")
def engine():
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, distributed.Client(cluster):
        yield SimpleNamespace(
            lines=lambda paths, **how: riffle_io.dask.read_lines(paths, **how).compute()["line"].to_list(),
            rows=lambda paths, **how: riffle_io.dask.read_rows(paths, **how).compute().to_dict("records"),
            count=lambda *what, **how: riffle_io.dask.count(*what, **how).compute(),
            map=lambda f, paths, **how: riffle_io.dask.map_splits(f, paths, **how).compute(),
            parts=lambda paths, **how: riffle_io.dask.read_lines(paths, **how).npartitions,
        )


def test_reads_splits_of_its_own(engine, oracle):
    parts = [split._replace(inode=0) for split in riffle_io.splits(oracle, split_size=40)]
    assert engine.lines(parts) == records(content())
    numbered = riffle_io.number_splits(parts, map=riffle_io.dask.map_splits)
    assert numbered == riffle_io.number_splits(parts)


@pytest.mark.parametrize("split_size", [1, 16, 1000])
def test_numbers_lines_through_all_files(engine, write, split_size):
    paths = [write(content(), "a"), write(b"x" * 2000 + b"\n\nlast", "b")]
    frame = riffle_io.dask.read_lines(paths, split_size=split_size, number=True)
    want = records(paths[0].read_bytes()) + records(paths[1].read_bytes())
    assert frame.known_divisions
    assert list(frame.compute()["line"].items()) == list(enumerate(want, 1))
    assert frame.loc[3].compute()["line"].to_list() == [want[2]]
    assert engine.lines(write(b""), number=True) == []
    if decodes("gzip"):
        assert engine.lines(write(bgzf(content(repeat=400))), split_size=1, number=True, decode="gzip") == records(content(repeat=400))


def test_refuses_other_encodings_and_unknown_columns_at_once(engine, write, oracle):
    with pytest.raises(ValueError, match="is UTF-8"):
        riffle_io.dask.read_lines(oracle, encoding="latin-1")
    path = write(CSV.encode())
    with pytest.raises(ValueError, match="no column 'x'"):
        riffle_io.dask.read_rows(path, types={"x": "float64"})
    assert riffle_io.dask.read_rows(path, types={PRICE: "float64"})[PRICE].sum().compute() == 45_000
    assert riffle_io.dask.read_rows(path, header=False).compute().shape == (301, 2)
    assert engine.rows(write(b"")) == []


def test_workers_read_urls(engine):
    pytest.importorskip("aiohttp", reason="needs aiohttp: pip install aiohttp")
    from range_server import serve

    with serve(content(repeat=100)) as (_, url):
        assert engine.lines(url, split_size=1000) == records(content(repeat=100))
        assert engine.count(url, split_size=1000) == content(repeat=100).count(b"\n")
    with serve(CSV.encode()) as (_, url):
        assert len(engine.rows(url, split_size=1000)) == 300
