"""Tests riffle_io.dask on two worker processes: the same records as one machine, also when a worker is killed."""

import pytest
from oracle import bgzf, content, needs_gzip, records

import riffle_io

distributed = pytest.importorskip("distributed", reason="needs Dask, as requirements.txt installs it")
pytest.importorskip("dask.dataframe", reason="needs pandas and pyarrow")

import riffle_io.dask

SIZES = [1, 2, 3, 7, 16, 64, 1000]


@pytest.fixture(scope="module")
def workers():
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    )
    with cluster, distributed.Client(cluster) as client:
        yield client


def lines_of(frame):
    return frame.compute()["line"].to_list()


@pytest.mark.parametrize("split_size", SIZES)
def test_reads_the_records_of_the_oracle(workers, oracle, split_size):
    assert lines_of(riffle_io.dask.read_lines(oracle, split_size=split_size)) == records(content())


@pytest.mark.parametrize("split_size", [1, 5, 1000])
@pytest.mark.parametrize("keep", [False, True])
def test_reads_records_with_a_delimiter_of_their_own(workers, tmp_path, split_size, keep):
    (tmp_path / "a").write_bytes(content(b";"))
    frame = riffle_io.dask.read_lines(tmp_path / "a", split_size=split_size, delimiter=b";", keep=keep)
    assert lines_of(frame) == records(content(b";"), b";", keep)


@pytest.mark.parametrize("split_size", SIZES)
def test_counts_the_lines_of_the_oracle(workers, oracle, split_size):
    assert riffle_io.dask.count(oracle, split_size=split_size).compute() == riffle_io.count_lines(oracle)


@pytest.mark.parametrize("split_size", SIZES)
def test_counts_words_as_one_machine_does(workers, oracle, split_size):
    counted = riffle_io.dask.count(oracle, riffle_io.count_words, split_size=split_size)
    assert counted.compute() == riffle_io.count_words(oracle)


@needs_gzip
def test_decodes_blocks_of_bgzf(workers, tmp_path):
    path = tmp_path / "packed"
    path.write_bytes(bgzf(content(repeat=400)))
    for decode in ("automatic", "gzip"):
        frame = riffle_io.dask.read_lines(path, split_size=1, number=decode == "gzip", decode=decode)
        assert frame.npartitions > 2
        assert lines_of(frame) == records(content(repeat=400))
        counted = riffle_io.dask.count(path, split_size=1, decode=decode)
        assert counted.compute() == content(repeat=400).count(b"\n")


def test_each_split_is_a_task_and_a_partition(workers, oracle):
    parts = riffle_io.splits(oracle, split_size=16)
    assert riffle_io.dask.map_splits(lambda split: split, oracle, split_size=16).compute() == parts
    assert riffle_io.dask.read_lines(oracle, split_size=16).npartitions == len(parts) > 2


def test_reads_splits_of_its_own(workers, oracle):
    parts = [split._replace(inode=0) for split in riffle_io.splits(oracle, split_size=40)]
    assert lines_of(riffle_io.dask.read_lines(parts)) == records(content())
    numbered = riffle_io.number_splits(parts, map=riffle_io.dask.map_splits)
    assert numbered == riffle_io.number_splits(parts)


def test_reads_several_files_and_patterns_in_order(workers, tmp_path):
    for name in ("b.log", "a.log", "c.txt"):
        (tmp_path / name).write_bytes(content(repeat=50) + name.encode())
    want = [line for name in ("a.log", "b.log") for line in records(content(repeat=50) + name.encode())]
    frame = riffle_io.dask.read_lines(tmp_path / "*.log", split_size=1000)
    assert lines_of(frame) == want
    frame = riffle_io.dask.read_lines([tmp_path / "a.log", f"file://{tmp_path}/b.log"], split_size=4096)
    assert lines_of(frame) == want


@pytest.mark.parametrize("split_size", [1, 16, 1000])
def test_numbers_lines_through_all_files(workers, tmp_path, split_size):
    (tmp_path / "a").write_bytes(content())
    (tmp_path / "b").write_bytes(b"x" * 2000 + b"\n\nlast")
    paths = [tmp_path / "a", tmp_path / "b"]
    frame = riffle_io.dask.read_lines(paths, split_size=split_size, number=True)
    want = records(paths[0].read_bytes()) + records(paths[1].read_bytes())
    assert frame.known_divisions
    assert list(frame.compute()["line"].items()) == list(enumerate(want, 1))
    assert frame.loc[3].compute()["line"].to_list() == [want[2]]


def test_reads_text_only_if_it_is_valid(workers, tmp_path, oracle):
    (tmp_path / "good").write_text("grün\n\nblau", encoding="utf-8")
    frame = riffle_io.dask.read_lines(tmp_path / "good", encoding="utf-8")
    assert lines_of(frame) == ["grün", "", "blau"]
    with pytest.raises(OSError, match="UTF-8"):
        riffle_io.dask.read_lines(oracle, encoding="utf-8").compute()
    with pytest.raises(ValueError, match="is UTF-8"):
        riffle_io.dask.read_lines(oracle, encoding="latin-1")


def test_reads_an_empty_file(workers, tmp_path):
    (tmp_path / "empty").touch()
    assert lines_of(riffle_io.dask.read_lines(tmp_path / "empty")) == []
    assert lines_of(riffle_io.dask.read_lines(tmp_path / "empty", number=True)) == []
    assert riffle_io.dask.count(tmp_path / "empty").compute() == 0


def test_refuses_what_is_no_path(workers, tmp_path):
    with pytest.raises(ValueError, match="cannot name a machine"):
        riffle_io.dask.read_lines("file://host/key")
    with pytest.raises(FileNotFoundError, match=r"\*\.log"):
        riffle_io.dask.count(tmp_path / "*.log")
    with pytest.raises(FileNotFoundError):
        riffle_io.dask.count(tmp_path / "missing")


def test_says_that_a_file_changed(workers, oracle):
    counting = riffle_io.dask.count(oracle, split_size=16)
    with oracle.open("ab") as file:
        file.write(b"more\n")
    with pytest.raises(riffle_io.RiffleError, match="changed"):
        counting.compute()


def test_repeats_the_split_of_a_worker_that_is_killed(workers, oracle, half_then_die):
    count, marker = half_then_die
    counted = riffle_io.dask.count(oracle, count, split_size=40).compute()
    assert marker.exists()
    assert counted == len(records(content()))


CSV = 'name,"the ""price""\nof it"\n' + "".join(f'"n{number}\n""x""",{number}.5\n' for number in range(300))


@pytest.mark.parametrize("split_size", [1, 100, 100_000])
def test_reads_rows_of_quoted_csv(workers, tmp_path, split_size):
    (tmp_path / "a.csv").write_text(CSV)
    (tmp_path / "b.csv").write_text(CSV)
    price = 'the "price"\nof it'
    frame = riffle_io.dask.read_rows(f"{tmp_path}/*.csv", split_size=split_size, types={price: "float64"})
    found = frame.compute()
    assert list(found.columns) == ["name", price]
    assert found["name"].to_list() == [f'n{number}\n"x"' for number in range(300)] * 2
    assert found[price].sum() == 2 * sum(number + 0.5 for number in range(300))
    assert riffle_io.dask.read_rows(tmp_path / "a.csv", header=False).compute().shape == (301, 2)
    with pytest.raises(ValueError, match="no column 'x'"):
        riffle_io.dask.read_rows(tmp_path / "a.csv", types={"x": "float64"})
    (tmp_path / "empty").touch()
    assert len(riffle_io.dask.read_rows(tmp_path / "empty").compute()) == 0


def test_workers_read_urls(workers):
    pytest.importorskip("aiohttp", reason="needs aiohttp: pip install aiohttp")
    from range_server import serve

    with serve(content(repeat=100)) as (_, url):
        assert lines_of(riffle_io.dask.read_lines(url, split_size=1000)) == records(content(repeat=100))
        assert riffle_io.dask.count(url, split_size=1000).compute() == content(repeat=100).count(b"\n")
    with serve(CSV.encode()) as (_, url):
        assert len(riffle_io.dask.read_rows(url, split_size=1000).compute()) == 300
