"""Tests that the splits of a file give each of its records once, in this process and in others, and what engines share."""

import io
import os
import pickle
from itertools import chain

import pytest
import riffle_io
from inputs import WAYS
from oracle import content, records
from riffle_io import Split
from riffle_io._engines import Rows, file_splits, local_paths

SIZES = [*range(1, 40), 64, 100, 1000]


def sizes_of(source):
    """Returns the sizes of splits to try: fewer for a URL, which takes longer."""
    return SIZES[:: 7 if isinstance(source, str) else 1]


@pytest.mark.parametrize("keep", [False, True])
@pytest.mark.parametrize("delimiter", [b"\n", b"\0", b";"])
def test_each_record_once_for_every_split_size(put, delimiter, keep):
    for data in (content(delimiter), content(delimiter) + delimiter, b""):
        path = put(data)
        for size in sizes_of(path):
            found = [list(riffle_io.read_split(part, delimiter, keep)) for part in riffle_io.splits(path, size)]
            assert [*chain(*found)] == records(data, delimiter, keep), size


def test_records_belong_to_the_split_they_start_in(put):
    path = put(b"one\ntwo\nthree\n")
    found = [list(riffle_io.read_split(part)) for part in riffle_io.splits(path, split_size=5)]
    assert found == [[b"one", b"two"], [b"three"], []]


def test_splits_with_quotes_hold_whole_rows(put):
    data = b'\xef\xbb\xbfa;"b\n1"\n"c\n;""d";e\n5\'8";f\n' * 20
    path = put(data)
    for size in sizes_of(path):
        parts = [data[part.begin : part.end] for part in riffle_io.splits(path, size, dialect="csv", separator=b";")]
        assert b"".join(parts) == data
        for part in parts:
            assert part.count(b'"') % 2 == part.count(b"5'8") % 2 and part[-1:] in (b"", b"\n"), size
    with pytest.raises(riffle_io.RiffleError, match="a quote is not closed in row 2"):
        riffle_io.splits(put(b'a\n"b\n'), dialect="csv")


def test_split_is_a_plain_value(write):
    path = write(b"one\ntwo\n")
    first, second = riffle_io.splits(path, split_size=4)
    status = os.stat(path)
    assert first == Split(str(path), 0, 4, 8, status.st_mtime_ns, status.st_ino)
    fields = f"path={str(path)!r}, begin=4, end=8, size=8, mtime_ns={status.st_mtime_ns}, inode={status.st_ino}, decode='none'"
    assert repr(second) == f"Split({fields})"
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert pickle.loads(pickle.dumps(second, protocol)) == second
    assert b"riffle_io._" not in pickle.dumps(second)  # the name of a private module would break old pickles
    assert {first: 1, second: 2}[pickle.loads(pickle.dumps(second))] == 2


def test_several_paths_in_order(write):
    one, two = write(b"one\n", "one"), write(b"two\n", "two")
    for paths in ([two, str(one)], iter([two, str(one)])):
        assert [part.path for part in riffle_io.splits(paths)] == [str(two), str(one)]
    assert [part.end for part in riffle_io.splits(one, 3)] == [3, 4]


def test_path_is_absolute_and_may_be_no_utf8(write, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = os.fsdecode(b"caf\xe9")
    write(b"one\n", name)
    (part,) = riffle_io.splits(name)
    monkeypatch.chdir("/")
    assert list(riffle_io.read_split(pickle.loads(pickle.dumps(part)))) == [b"one"]


@pytest.mark.parametrize("way", [way for way in WAYS if "_by_" not in way])  # by another delimiter others begin there
def test_each_way_reads_a_split(put, way):
    make, everything, truth = WAYS[way][:3]
    path = put(content())
    for size in 1, 5, 40, 1000:
        for part in riffle_io.splits(path, size):
            data = b"".join(riffle_io.read_split(part, keep_delimiter=True))
            if way in ("values", "sum"):
                data = content()[part.begin : part.end]
            assert everything(make(part)) == truth(data)


def test_numbers_of_a_fixed_size(put):
    path = put(bytes(range(12)))
    parts = riffle_io.splits(path, split_size=3)
    found = [memoryview(riffle_io.values(part, "<i4")).tolist() for part in parts]
    assert found == [[0x03020100], [0x07060504], [0x0B0A0908], []]
    assert sum(riffle_io.sum(part, "<i4") for part in parts) == sum(map(sum, found))


def test_text(put):
    path = put("\ufeffone\n\ufefftwo\n".encode())
    parts = riffle_io.splits(path, split_size=5)
    found = [list(riffle_io.read_split(part, encoding="utf-8-sig")) for part in parts]
    assert [*chain(*found)] == ["one", "\ufefftwo"]  # a mark is one at the start of the file only
    assert [word for part in parts for word in riffle_io.words(part, encoding="utf-8-sig")] == ["one", "\ufefftwo"]


def test_lines_check_the_delimiter_by_themselves(write):
    (part,) = riffle_io.splits(write(b"a;b;"))
    assert list(riffle_io.lines(part, b";")) == [b"a", b"b"]
    assert list(riffle_io.line_index(part, b";")) == [b"a", b"b"]


@pytest.mark.parametrize("threads", [1, 3])
def test_count_records_is_the_number_of_lines(write, threads):
    for data in (b"", b"\n", b"one", b"one\n\ntwo", content(repeat=50_000), content(repeat=50_000) + b"\n"):
        path = write(data)
        assert riffle_io.count_records(path, threads=threads) == len(records(data))
        assert riffle_io.count_records(io.BytesIO(data), b";") == len(records(data, b";"))
        for part in riffle_io.splits(path, 500_000):
            found = sum(1 for _ in riffle_io.read_split(part))
            assert riffle_io.count_records(part, threads=threads) == found


def test_map_splits_in_processes(write, pool):
    data = content(repeat=1000)
    path = write(data)
    counts = list(riffle_io.map_splits(riffle_io.count_lines, path, split_size=10_000, map=pool.map))
    assert len(counts) == -(-len(data) // 10_000)
    assert sum(counts) == data.count(b"\n")
    assert list(riffle_io.map_splits(riffle_io.count_lines, path, split_size=10_000)) == counts


def test_number_splits(write, pool):
    one, two = write(content(), "one"), write(content(b";"), "two")  # no final newlines
    truth = list(enumerate(records(content()) + records(content(b";")), 1))
    for size in (1, 7, 50, 10_000):
        for how in ({}, {"map": pool.map}) if size > 7 else ({},):
            numbered = riffle_io.number_splits(riffle_io.splits([one, two], size), **how)
            assert [pair for part, number in numbered for pair in enumerate(riffle_io.read_split(part), number)] == truth
    parts = riffle_io.splits(two, 7)
    last, number = riffle_io.number_splits(parts, b";")[-1]
    assert number + riffle_io.count_records(last, b";") == 1 + len(records(content(b";"), b";"))


def test_pipes_are_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(riffle_io.RiffleError, match="it can be read only once") as caught:
        riffle_io.splits(tmp_path / "fifo")
    assert (caught.value.filename, caught.value.operation) == (str(tmp_path / "fifo"), "split")


def test_wrong_arguments(write):
    path = write(b"one\n")
    assert len(riffle_io.splits(path, 10**30)) == 1
    (part,) = riffle_io.splits(path)
    with pytest.raises(TypeError, match="the begin of a Split must be an integer of 64 bits"):
        riffle_io.read_split(part._replace(begin=-1))
    with pytest.raises(riffle_io.RiffleError, match="are no split of a file of 4 bytes"):
        riffle_io.read_split(part._replace(end=5))


def test_a_file_that_changed_is_an_error(write):
    path = write(b"one\ntwo\n")
    part = riffle_io.splits(path, split_size=4)[1]
    lines = riffle_io.read_split(part)
    assert next(lines) == b"two"
    with path.open("ab") as file:
        file.write(b"three\n")
    with pytest.raises(riffle_io.RiffleError, match="the file changed"):
        next(lines)
    with pytest.raises(riffle_io.RiffleError, match="its size was 8 when it was split, and is 14 now") as caught:
        riffle_io.read_split(part)
    assert (caught.value.filename, caught.value.offset) == (str(path), 4)
    path.write_bytes(b"six\nten\n")
    os.utime(path, ns=(0, part.mtime_ns + 1))
    with pytest.raises(riffle_io.RiffleError, match="its time of modification was"):
        riffle_io.count_lines(part)


def test_a_copy_is_read_if_the_inode_is_zero(write):
    (part,) = riffle_io.splits(write(b"one\n"))
    copy = write(b"one\n", "copy")
    os.utime(copy, ns=(0, part.mtime_ns))
    part = part._replace(path=str(copy))
    with pytest.raises(riffle_io.RiffleError, match="its inode was"):
        riffle_io.read_split(part)
    assert list(riffle_io.read_split(part._replace(inode=0))) == [b"one"]


def test_number_splits_refuses_a_map_that_returns_fewer_results(write):
    parts = riffle_io.splits(write(content()), 40)
    with pytest.raises(ValueError, match="shorter"):
        riffle_io.number_splits(parts, map=lambda f, parts: [f(part) for part in parts][:-1])


@pytest.mark.parametrize(
    ("urls", "paths"),
    [
        (["b"], ["b"]),
        ([b"bytes"], ["bytes"]),
        ([], []),
        (["{0}/*.log"], ["{0}/a.log", "{0}/a1.log", "{0}/a[1].log"]),  # sorted
        (["{0}/a[1].log"], ["{0}/a[1].log"]),  # a file that exists is no pattern
        (["{0}/b", "a"], ["{0}/b", "a"]),  # in the order given
        (["file:///logs/a%20b"], ["/logs/a b"]),
        (["file://localhost/logs/a"], ["/logs/a"]),
    ],
)
def test_names_mean_paths(tmp_path, urls, paths):
    for name in ("a1.log", "a.log", "a[1].log", "c.txt"):
        (tmp_path / name).touch()
    urls = [url.format(tmp_path) if isinstance(url, str) else url for url in urls]
    assert local_paths(urls) == [path.format(tmp_path) for path in paths]
    assert local_paths([tmp_path / "b"]) == [f"{tmp_path}/b"]


def test_patterns_without_a_match_and_urls_of_other_machines_are_refused(tmp_path):
    with pytest.raises(FileNotFoundError, match="d*.log"):
        local_paths([f"{tmp_path}/d*.log"])
    with pytest.raises(ValueError, match="file://host/a"):
        local_paths(["file://host/a"])


def test_splits_stay_as_they_are(write):
    path = write(b"a\nb\n")
    parts = riffle_io.splits(path, split_size=1)
    assert file_splits(path, 1) == file_splits([str(path)], 1) == parts
    assert file_splits(parts[1:3], 100) == parts[1:3]
    assert file_splits([], 1) == []


def test_urls_of_other_schemes_stay_urls_and_patterns_are_theirs():
    fsspec = pytest.importorskip("fsspec", reason="needs fsspec, as Dask installs it")
    fsspec.filesystem("memory").pipe({"/riffle-urls/b.log": b"b\n", "/riffle-urls/a.log": b"a\n"})
    assert local_paths(["s3://bucket/key", "http://host/a?b=*"]) == ["s3://bucket/key", "http://host/a?b=*"]
    names = ["memory:///riffle-urls/a.log", "memory:///riffle-urls/b.log"]  # as fsspec writes them
    assert local_paths(["memory://riffle-urls/*.log"]) == names
    assert [part.path for part in file_splits("memory://riffle-urls/*.log", 100)] == names
    with pytest.raises(FileNotFoundError, match="no file matches 'memory:"):
        local_paths(["memory://riffle-urls/*.txt"])


def test_types_of_pyarrow_are_made_of_the_texts_that_riffle_takes(write):
    pytest.importorskip("pyarrow", reason="the engines give its tables")
    path = write(b"a,b,c\nTRUE,2024-01-02,7\n1,,\n0,2024-01-03,NA\nfalse,2024-01-04,9\n")
    rows = Rows(path, 10, types={"a": "bool", "b": "date32", "c": "int8"}, null=["NA"], dialect="csv")
    tables = [rows.table(part).to_pydict() for part in rows.parts]
    assert [value for table in tables for value in table["a"]] == [True, True, False, False]
    assert [str(value) for table in tables for value in table["b"]] == ["2024-01-02", "None", "2024-01-03", "2024-01-04"]
    assert [value for table in tables for value in table["c"]] == [7, None, None, 9]
    quoted = Rows([memoryview(b'a\n"NA"\nNA\n')], 99, null=["NA"], quoted_null=False, dialect="csv")
    assert quoted.table(quoted.parts[0]).to_pydict() == {"a": ["NA", None]}
    wrong = Rows(path, 1 << 20, types={"c": "date64"}, dialect="csv")
    with pytest.raises(riffle_io.RiffleError, match=f"cannot read '{path}': column 'c' of row 1 is no date64.ms.: '7'"):
        wrong.table(wrong.parts[0])


@pytest.mark.parametrize("name", ["a#b", "a?b", "\udcff", "50%"])
def test_a_url_may_name_any_file(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(b"one\n")
    (tmp_path / "a").write_bytes(b"another\n")
    assert local_paths([path.as_uri()]) == [str(path)]
    assert local_paths(["file://" + str(path)]) == [str(path)]
    assert local_paths([os.fsencode(path)]) == [str(path)]
