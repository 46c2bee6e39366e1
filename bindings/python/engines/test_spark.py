"""Tests riffle_io.spark on two worker processes: see tests/engine_suite.py."""

import json
from types import SimpleNamespace

import pytest
from engine_suite import *  # noqa: F403
from engine_suite import content, records

import riffle_io

pyspark_sql = pytest.importorskip("pyspark.sql", reason="needs Spark 4: ./dev test engines installs it")

import riffle_io.spark


@pytest.fixture(scope="module")
def session():
    builder = pyspark_sql.SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "OFF").getOrCreate()
    session.dataSource.register(riffle_io.spark.RiffleDataSource)
    yield session
    session.stop()


def as_text(value):
    if isinstance(value, (dict, list)):
        return json.dumps(value)
    return value.decode() if isinstance(value, bytes) else str(value).lower() if isinstance(value, bool) else value


@pytest.fixture(scope="module")
def engine(session):
    def frame(paths, split_size=1 << 20, **how):
        how = {"".join([first, *map(str.title, rest)]): value for name, value in how.items() for first, *rest in [name.split("_")]}
        options = {"splitSize": split_size} | {name: as_text(value) for name, value in how.items()}
        several = [str(path) for path in paths] if isinstance(paths, list) else str(paths)
        return session.read.format("riffle").options(**options).load(several)

    def lines(paths, **how):
        values = [row.value for row in frame(paths, **how).collect()]
        return values if "encoding" in how else [bytes(value) for value in values]

    def mapped(f, paths, **how):
        results = riffle_io.spark.map_splits(session, f, paths, **how)
        assert results.getNumPartitions() > 2
        return results.collect()

    return SimpleNamespace(
        lines=lines,
        rows=lambda paths, **how: [row.asDict() for row in frame(paths, **{"dialect": "csv", **how}).collect()],
        count=lambda *what, **how: riffle_io.spark.count(session, *what, **how),
        map=mapped,
        parts=lambda paths, **how: frame(paths, **how).rdd.getNumPartitions(),
    )


def lines_of(frame):
    return [bytes(row.value) for row in frame.collect()]


def test_refuses_what_it_cannot_read(session, oracle):
    with pytest.raises(Exception, match="needs a path"):
        session.read.format("riffle").load().collect()
    with pytest.raises(Exception, match="must be true or false"):
        session.read.format("riffle").option("keepDelimiter", "yes").load(str(oracle)).collect()


def test_unknown_options_are_refused_with_the_known_ones(session, oracle):
    with pytest.raises(Exception, match="no option 'splitsise' of lines: it has splitSize, delimiter, keepDelimiter"):
        session.read.format("riffle").option("splitSise", 1).load(str(oracle)).collect()


@pytest.mark.parametrize("size", ["128m", "1g", "16", "16B", "64KB", " 1 mb"])
def test_sizes_have_the_units_of_spark(session, oracle, size):
    assert lines_of(session.read.format("riffle").option("splitSize", size).load(str(oracle))) == records(content())


def test_a_size_that_is_none_is_refused(session, oracle):
    assert riffle_io.spark.bytes_of("128m") == 128 << 20 and riffle_io.spark.bytes_of("1G") == 1 << 30
    for size in ("", "m", "12x", "-1", "1.5g"):
        with pytest.raises(ValueError, match="128m"):
            riffle_io.spark.bytes_of(size)


def test_workers_without_riffle_io_are_named(tmp_path):
    """Runs the function as a worker would, with a Python that does not have the package."""
    import subprocess
    import sys

    from pyspark import cloudpickle

    pickled = cloudpickle.dumps(riffle_io.spark._checked(riffle_io.count_lines))
    (tmp_path / "riffle_io.py").write_text("raise ImportError('hidden')")
    (tmp_path / "f").write_bytes(pickled)
    code = "import pickle, sys; sys.path.insert(0, '.'); pickle.load(open('f', 'rb'))(('a', 0, 1, 1, 0, 0))"
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "has no riffle_io: set PYSPARK_PYTHON to a Python that has riffle_io" in run.stderr
