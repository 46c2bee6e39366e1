"""Tests riffle_io.ray on two worker processes: see tests/engine_suite.py."""

from types import SimpleNamespace

import pytest
from engine_suite import *  # noqa: F403
from engine_suite import CSV, PRICE, content, records

import riffle_io

ray = pytest.importorskip("ray", reason="needs Ray: ./dev test engines installs it")

import riffle_io.ray


@pytest.fixture(scope="module")
def engine():
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=200 << 20)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True

    def lines(paths, **how):
        return [row["text"] for row in riffle_io.ray.read_lines(paths, **how).take_all()]

    yield SimpleNamespace(
        lines=lines,
        rows=lambda paths, **how: riffle_io.ray.read_rows(paths, **how).take_all(),
        count=riffle_io.ray.count,
        map=riffle_io.ray.map_splits,
        parts=lambda paths, **how: len(riffle_io.ray.LinesDatasource(paths, **how).get_read_tasks(1 << 20)),
    )
    ray.shutdown()


def test_reads_splits_of_its_own(engine, oracle):
    parts = [split._replace(inode=0) for split in riffle_io.splits(oracle, split_size=40)]
    assert engine.lines(iter(parts)) == engine.lines(oracle) == records(content())
    numbered = riffle_io.number_splits(parts, map=riffle_io.ray.map_splits)
    assert numbered == riffle_io.number_splits(parts)


def test_splits_one_file_among_tasks(engine, write):
    path = write(content(repeat=40000) + b"\n")
    source = riffle_io.ray.LinesDatasource(path)
    assert source.estimate_inmemory_data_size() == path.stat().st_size
    assert len(source.get_read_tasks(4)) == 4
    assert riffle_io.ray.read_lines(path, options={"override_num_blocks": 4}).count() == riffle_io.count_lines(path)


def test_columns_have_the_types_that_are_named(engine, write):
    found = riffle_io.ray.read_rows(write(CSV.encode()), types={PRICE: "float64"}).take_all()
    assert sum(row[PRICE] for row in found) == 45_000
