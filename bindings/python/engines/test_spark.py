"""Tests riffle_io.spark on two worker processes: the same records as one machine, also when a worker is killed."""

import pytest
from oracle import bgzf, content, records

import riffle_io

pyspark_sql = pytest.importorskip("pyspark.sql", reason="needs Spark 4: ./dev test engines installs it")

import riffle_io.spark

SIZES = [1, 3, 16, 64, 1000]


@pytest.fixture(scope="module")
def session():
    builder = pyspark_sql.SparkSession.builder.master("local[2,4]").config("spark.ui.enabled", "false")
    session = builder.config("spark.log.level", "OFF").getOrCreate()
    session.dataSource.register(riffle_io.spark.RiffleDataSource)
    yield session
    session.stop()


@pytest.fixture
def reader(session):
    return session.read.format("riffle")


def lines_of(frame):
    return [bytes(row.value) for row in frame.collect()]


@pytest.mark.parametrize("split_size", SIZES)
def test_reads_the_records_of_the_oracle(reader, oracle, split_size):
    assert lines_of(reader.option("splitSize", split_size).load(str(oracle))) == records(content())


@pytest.mark.parametrize("keep", ["false", "true"])
def test_reads_records_with_a_delimiter_of_their_own(reader, tmp_path, keep):
    (tmp_path / "a").write_bytes(content(b";"))
    frame = reader.options(splitSize=5, delimiter=";", keep=keep).load(str(tmp_path / "a"))
    assert lines_of(frame) == records(content(b";"), b";", keep == "true")


def test_decodes_blocks_of_bgzf(session, reader, tmp_path):
    path = tmp_path / "packed"
    path.write_bytes(bgzf(content(repeat=400)))
    frame = reader.options(splitSize=1, decode="automatic").load(str(path))
    assert lines_of(frame) == records(content(repeat=400))
    assert frame.rdd.getNumPartitions() > 2
    counted = riffle_io.spark.count(session, path, split_size=1, decode="gzip")
    assert counted == content(repeat=400).count(b"\n")


def test_each_split_is_a_partition(session, reader, oracle):
    parts = riffle_io.splits(oracle, split_size=16)
    results = riffle_io.spark.map_splits(session, lambda split: split, oracle, split_size=16)
    assert results.getNumPartitions() == len(parts) > 2
    assert results.collect() == parts
    frame = reader.option("splitSize", 16).load(str(oracle))
    assert frame.rdd.getNumPartitions() == len(parts)


def test_reads_several_files_and_patterns_in_order(reader, tmp_path):
    for name in ("b.log", "a.log", "c.txt"):
        (tmp_path / name).write_bytes(content(repeat=50) + name.encode())
    want = [line for name in ("a.log", "b.log") for line in records(content(repeat=50) + name.encode())]
    assert lines_of(reader.load(f"{tmp_path}/*.log")) == want
    assert lines_of(reader.load([f"{tmp_path}/a.log", f"file://{tmp_path}/b.log"])) == want


def test_reads_text_only_if_it_is_valid(reader, tmp_path, oracle):
    (tmp_path / "good").write_text("grün\n\nblau", encoding="utf-8")
    reader.option("encoding", "utf-8")
    assert [row.value for row in reader.load(str(tmp_path / "good")).collect()] == ["grün", "", "blau"]
    with pytest.raises(Exception, match="UTF-8"):
        reader.load(str(oracle)).collect()


def test_reads_an_empty_file(session, reader, tmp_path):
    (tmp_path / "empty").touch()
    assert lines_of(reader.load(str(tmp_path / "empty"))) == []
    assert riffle_io.spark.count(session, tmp_path / "empty") == 0


def test_refuses_what_it_cannot_read(session, oracle):
    with pytest.raises(Exception, match="needs a path"):
        session.read.format("riffle").load().collect()
    with pytest.raises(Exception, match="must be true or false"):
        session.read.format("riffle").option("keep", "yes").load(str(oracle)).collect()
    with pytest.raises(Exception, match="cannot name a machine"):
        session.read.format("riffle").load("file://host/key").collect()


@pytest.mark.parametrize("split_size", SIZES)
def test_counts_lines_and_words_of_the_oracle(session, oracle, split_size):
    assert riffle_io.spark.count(session, oracle, split_size=split_size) == riffle_io.count_lines(oracle)
    words = riffle_io.spark.count(session, oracle, riffle_io.count_words, split_size=split_size)
    assert words == riffle_io.count_words(oracle)


def test_says_that_a_file_changed(session, reader, oracle):
    counting = riffle_io.spark.map_splits(session, riffle_io.count_lines, oracle, split_size=16)
    with oracle.open("ab") as file:
        file.write(b"more\n")
    with pytest.raises(Exception, match="changed"):
        counting.collect()


def test_repeats_the_split_of_a_worker_that_is_killed(session, oracle, half_then_die):
    count, marker = half_then_die
    assert riffle_io.spark.count(session, oracle, count, split_size=40) == len(records(content()))
    assert marker.exists()


CSV = 'name,"the ""price""\nof it"\n' + "".join(f'"n{number}\n""x""",{number}.5\n' for number in range(300))


def test_reads_rows_of_quoted_csv(reader, tmp_path):
    (tmp_path / "a.csv").write_text(CSV)
    frame = reader.options(quote='"', splitSize="1k").load(str(tmp_path / "a.csv"))
    assert frame.columns == ["name", 'the "price"\nof it']
    assert [row[0] for row in frame.collect()] == [f'n{number}\n"x"' for number in range(300)]
    assert frame.rdd.getNumPartitions() > 2


def test_unknown_options_are_refused_with_the_known_ones(session, oracle):
    with pytest.raises(Exception, match="no option 'splitsise': it has splitSize, delimiter, keep"):
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
