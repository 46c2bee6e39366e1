"""Tests riffle_io.ray on two worker processes: the same records as one machine, also when a worker is killed."""

import pytest
from oracle import bgzf, content, records

import riffle_io

ray = pytest.importorskip("ray", reason="needs Ray: ./dev test engines installs it")

import riffle_io.ray

SIZES = [1, 3, 16, 64, 1000]


@pytest.fixture(scope="module", autouse=True)
def workers():
    ray.init(num_cpus=2, include_dashboard=False, logging_level="ERROR", object_store_memory=200 << 20)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    yield
    ray.shutdown()


def lines_of(dataset):
    return [row["text"] for row in dataset.take_all()]


@pytest.mark.parametrize("split_size", [*SIZES, None])
def test_reads_the_records_of_the_oracle(oracle, split_size):
    assert lines_of(riffle_io.ray.read_lines(oracle, split_size=split_size)) == records(content())


@pytest.mark.parametrize("keep", [False, True])
def test_reads_records_with_a_delimiter_of_their_own(tmp_path, keep):
    (tmp_path / "a").write_bytes(content(b";"))
    dataset = riffle_io.ray.read_lines(tmp_path / "a", split_size=5, delimiter=b";", keep=keep)
    assert lines_of(dataset) == records(content(b";"), b";", keep)


def test_decodes_blocks_of_bgzf(tmp_path):
    path = tmp_path / "packed"
    path.write_bytes(bgzf(content(repeat=400)))
    dataset = riffle_io.ray.read_lines(path, split_size=1, decode="automatic")
    assert lines_of(dataset) == records(content(repeat=400))
    assert riffle_io.ray.count(path, split_size=1, decode="gzip") == content(repeat=400).count(b"\n")


def test_each_split_is_a_task(oracle):
    parts = riffle_io.splits(oracle, split_size=16)
    assert riffle_io.ray.map_splits(lambda split: split, oracle, split_size=16) == parts


def test_reads_splits_of_its_own(oracle):
    parts = [split._replace(inode=0) for split in riffle_io.splits(oracle, split_size=40)]
    assert lines_of(riffle_io.ray.read_lines(iter(parts))) == records(content())
    numbered = riffle_io.number_splits(parts, map=riffle_io.ray.map_splits)
    assert numbered == riffle_io.number_splits(parts)


def test_splits_one_file_among_tasks(tmp_path):
    path = tmp_path / "large"
    path.write_bytes(content(repeat=40000) + b"\n")
    source = riffle_io.ray.LinesDatasource(path)
    assert source.estimate_inmemory_data_size() == path.stat().st_size
    assert len(source.get_read_tasks(4)) == 4
    assert riffle_io.ray.read_lines(path, override_num_blocks=4).count() == riffle_io.count_lines(path)


def test_reads_text_only_if_it_is_valid(tmp_path, oracle):
    (tmp_path / "good").write_text("grün\n\nblau", encoding="utf-8")
    assert lines_of(riffle_io.ray.read_lines(tmp_path / "good", encoding="utf-8")) == ["grün", "", "blau"]
    with pytest.raises(Exception, match="UTF-8"):
        lines_of(riffle_io.ray.read_lines(oracle, encoding="utf-8"))


def test_reads_an_empty_file(tmp_path):
    (tmp_path / "empty").touch()
    assert lines_of(riffle_io.ray.read_lines(tmp_path / "empty")) == []
    assert riffle_io.ray.count(tmp_path / "empty") == 0


@pytest.mark.parametrize("split_size", SIZES)
def test_counts_lines_and_words_of_the_oracle(oracle, split_size):
    assert riffle_io.ray.count(oracle, split_size=split_size) == riffle_io.count_lines(oracle)
    words = riffle_io.ray.count(oracle, riffle_io.count_words, split_size=split_size)
    assert words == riffle_io.count_words(oracle)


def test_says_that_a_file_changed(oracle):
    dataset = riffle_io.ray.read_lines(oracle, split_size=16)
    with oracle.open("ab") as file:
        file.write(b"more\n")
    with pytest.raises(Exception, match="changed"):
        dataset.take_all()


def test_repeats_the_split_of_a_worker_that_is_killed(oracle, half_then_die):
    count, marker = half_then_die
    assert riffle_io.ray.count(oracle, count, split_size=40) == len(records(content()))
    assert marker.exists()


CSV = 'name,"the ""price""\nof it"\n' + "".join(f'"n{number}\n""x""",{number}.5\n' for number in range(300))


@pytest.mark.parametrize("split_size", [1, 1000, 1 << 20])
def test_reads_rows_of_quoted_csv(tmp_path, split_size):
    (tmp_path / "a.csv").write_text(CSV)
    rows = riffle_io.ray.read_rows(tmp_path / "a.csv", split_size=split_size, types={'the "price"\nof it': "float64"})
    found = rows.take_all()
    assert [row["name"] for row in found] == [f'n{number}\n"x"' for number in range(300)]
    assert sum(row['the "price"\nof it'] for row in found) == sum(number + 0.5 for number in range(300))
